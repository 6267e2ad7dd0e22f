/** Room of areas and networks: a flood ends what others of its area began, and reaches no other area. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excessOccupants, type Occupant, occupantOf } from './occupants.ts';

const LIMITS = { area: 6, network: 2 };
interface Named extends Occupant {
  name: string;
}
const from = (name: string, address: string, network: 'local' | 'public' = 'public', isSignedIn = false): Named => ({
  name,
  ...occupantOf({ address, network }, isSignedIn),
});
const names = (some: readonly Named[]): string[] => some.map(({ name }) => name);

test('a network has its share, and the oldest of it is the first that is too many', () => {
  const there = [from('a', '8.8.8.1'), from('b', '9.9.9.1'), from('c', '8.8.8.2')];
  assert.deepEqual(names(excessOccupants(from('new', '8.8.8.3'), there, LIMITS).ofNetwork), ['a']);
  assert.deepEqual(names(excessOccupants(from('new', '9.9.9.3'), there, LIMITS).ofNetwork), []);
});

test('IPv6 is counted by /64, and four times as much by /48', () => {
  const of = (n: number) => from(String(n), `2001:db8:1:${n}::1`);
  const there = Array.from({ length: 8 }, (_, n) => of(n));
  assert.deepEqual(
    names(excessOccupants(of(9), there, { ...LIMITS, area: 100 }).ofNetwork),
    ['0'],
    'the ninth of a /48',
  );
  assert.deepEqual(names(excessOccupants(of(3), there.slice(0, 4), LIMITS).ofNetwork), [], 'the second of a /64');
  const other = from('new', '2001:db8:2::1');
  assert.deepEqual(names(excessOccupants(other, there, { ...LIMITS, area: 100 }).ofNetwork), []);
});

test('an area that is full has no room left, and others are as they were', () => {
  const strangers = Array.from({ length: 6 }, (_, n) => from(`stranger ${n}`, `8.8.${n}.1`));
  const there = [from('child', '192.168.1.5', 'local'), ...strangers, from('ada', '8.8.9.1', 'public', true)];
  assert.deepEqual(names(excessOccupants(from('new', '8.9.0.1'), there, LIMITS).ofArea), ['stranger 0']);
  assert.deepEqual(excessOccupants(from('new', '192.168.1.6', 'local'), there, LIMITS), { ofNetwork: [], ofArea: [] });
  assert.deepEqual(excessOccupants(from('new', '8.8.0.1', 'public', true), there, LIMITS), {
    ofNetwork: [],
    ofArea: [],
  });
});

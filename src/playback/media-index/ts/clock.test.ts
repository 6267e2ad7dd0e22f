/** The clock of a transport stream on one timeline: wraps, jumps of all streams together, and single wrong times. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClocks, zeroAt } from './clock.ts';

const SECOND = 90_000;
const WRAP = 2 ** 33;
const at = (pts: number) => ({ pts: ((pts % WRAP) + WRAP) % WRAP, dts: undefined });

test('streams that jump together keep their distance', () => {
  const clockOf = createClocks();
  const [video, sound] = [clockOf('video'), clockOf('audio')];
  for (let n = 0; n < 100; n += 1) {
    video.timeOf(at(10 * SECOND + n * 3600), n * 10);
    sound.timeOf(at(10 * SECOND + n * 3600 + 1200), n * 10 + 5);
  }
  // The sound of the second recording begins 0.3 s behind its pictures.
  const first = video.timeOf(at(5000 * SECOND), 1000);
  const heard = sound.timeOf(at(5000 * SECOND + 27_000), 1005);
  assert.equal(first, 10 * SECOND + 100 * 3600);
  assert.equal(heard - first, 27_000);
  assert.equal(zeroAt(video.jumps(0), 1000, 0), zeroAt(sound.jumps(0), 1005, 0));
  assert.equal(zeroAt(video.jumps(0), 999, 0), 0);
});

test('a clock that begins again at 0 does not jump', () => {
  const sound = createClocks()('audio');
  const times = Array.from({ length: 20 }, (_, n) => sound.timeOf(at(WRAP - 10 * 1920 + n * 1920), n));
  assert.deepEqual(
    times.map((time) => time - (times[0] ?? 0)),
    Array.from({ length: 20 }, (_, n) => n * 1920),
  );
  assert.equal(sound.jumps(0), undefined);
});

test('one wrong time does not move what follows', () => {
  const sound = createClocks()('audio');
  const times = Array.from({ length: 20 }, (_, n) => sound.timeOf(at(n === 9 ? 4_000_000_000 : n * 1920), n));
  assert.deepEqual(
    times.slice(10),
    Array.from({ length: 10 }, (_, n) => (n + 10) * 1920),
  );
});

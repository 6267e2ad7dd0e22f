/** The time that is left, from what the server says of a day and its hours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesOf, secondsLeft } from './day-time.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const limit = (left: number) => ({
  seconds: 3600,
  used: 3600 - left,
  left,
  granted: 0,
  nextDayAt: '2026-11-21T04:00:00.000Z',
});
const open = (changesAt?: string) => ({ open: true, ...(changesAt !== undefined && { changesAt }) });

test('the nearest of the limits counts', () => {
  const cases: [Parameters<typeof secondsLeft>[0], number | undefined][] = [
    [{}, undefined],
    [{ limit: limit(900) }, 900],
    [{ hours: open('2026-11-20T12:10:00Z') }, 600],
    [{ limit: limit(300), hours: open('2026-11-20T12:10:00Z') }, 300],
    [{ limit: limit(900), hours: open('2026-11-20T12:10:00Z') }, 600],
    [{ hours: open() }, undefined],
    [{ hours: open('2026-11-22T12:00:00Z') }, undefined],
    [{ limit: limit(900), hours: { open: false, changesAt: '2026-11-20T15:00:00Z' } }, 0],
    [{ hours: open('2026-11-20T11:59:00Z') }, 0],
  ];
  for (const [time, left] of cases) assert.equal(secondsLeft(time, NOW), left, JSON.stringify(time));
  assert.deepEqual([0, 1, 60, 61].map(minutesOf), [0, 1, 1, 2]);
});

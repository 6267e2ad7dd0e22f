/** The sleep timer, and room for decoded sound. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitsDecoded } from './memory.ts';
import { secondsToSleep, sleepFactor } from './sleep.ts';

test('the sound fades before the timer ends, at the speed of a book, and never at the end of a track', () => {
  const clock = { now: 1_000_000, time: 100, speed: 2 };
  const factors = [60_000, 10_000, 0, -5000].map((ms) => sleepFactor({ at: 'time', endsAt: clock.now + ms }, clock));
  assert.deepEqual(factors, [1, 0.5, 0, 0]);
  assert.equal(secondsToSleep({ at: 'chapter', end: 104 }, clock), 2);
  assert.deepEqual(
    [104, 100, 300].map((end) => sleepFactor({ at: 'chapter', end }, clock)),
    [0.5, 0, 1],
  );
  assert.equal(sleepFactor({ at: 'track' }, clock), 1);
  assert.equal(sleepFactor(undefined, clock), 1);
});

test('a track is decoded as a whole only where the device has room for it', () => {
  const song = { duration: 300, rate: 44_100, channels: 2 };
  assert.ok(fitsDecoded(song, 8));
  assert.ok(!fitsDecoded(song, 1));
  assert.ok(!fitsDecoded({ ...song, duration: 3600 }, 64));
  assert.ok(!fitsDecoded({ ...song, duration: undefined }, 8));
});

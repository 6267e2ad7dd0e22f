/** The schedule under clocks that are set: ahead by a year, back again, and across restarts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchedule } from './schedule.ts';
import { task } from './types.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const START = Date.parse('2026-11-20T12:00:00Z');

/** A machine with a wall clock, a monotonic clock and one stored time for each task. */
function machine() {
  const time = { wall: START, monotonic: 0 };
  const stored = new Map<string, number>();
  const started: string[] = [];
  const declarations = [
    task({ name: 'purge', title: 'Purge', summary: 'Daily', every: () => DAY, run: async () => {} }),
  ];
  const boot = () => {
    time.monotonic = 0;
    const schedule = createSchedule({
      declarations,
      clock: { now: () => time.wall, monotonic: () => time.monotonic },
      last: new Map(stored),
      isOpen: () => false,
      start: (name) => void started.push(name),
      correct: (name, at) => void stored.set(name, at),
    });
    return {
      /** Advances the clock. Returns the number of runs started by then. */
      after: (ms: number): number => {
        time.wall += ms;
        time.monotonic += ms;
        const before = started.length;
        schedule.look();
        return started.length - before;
      },
      ended: () => {
        schedule.ended('purge', time.wall);
        stored.set('purge', time.wall);
      },
      stop: () => schedule.stop(),
    };
  };
  return { time, stored, boot };
}

test('a run that ended in the future of a clock that ran ahead is followed by the next after one interval', () => {
  const { time, boot } = machine();
  time.wall += YEAR;
  const schedule = boot();
  schedule.ended();
  time.wall -= YEAR;
  assert.equal(schedule.after(DAY - 1), 0);
  assert.equal(schedule.after(1), 1);
  schedule.stop();
});

test('restarts do not begin the interval of such a run again and again', () => {
  const { time, stored, boot } = machine();
  stored.set('purge', time.wall + YEAR);
  let runs = 0;
  for (let day = 0; day < 4; day++) {
    const schedule = boot();
    for (const part of [8 * HOUR, 8 * HOUR]) {
      const due = schedule.after(part);
      runs += due;
      if (due > 0) schedule.ended();
    }
    schedule.stop();
  }
  // 64 hours in pieces of 16, none as long as the interval.
  assert.equal(runs, 2);
});

test('a clock that is set back delays no run, one that is set ahead causes one at most, and sleep counts', () => {
  const { time, boot } = machine();
  const schedule = boot();
  schedule.ended();
  assert.equal(schedule.after(12 * HOUR), 0);
  time.wall -= 10 * DAY;
  assert.equal(schedule.after(12 * HOUR), 1);
  schedule.ended();
  time.wall += YEAR;
  assert.equal(schedule.after(1), 1);
  schedule.ended();
  assert.equal(schedule.after(1), 0);
  schedule.stop();
});

test('a clock that does not know the time yet corrects nothing', () => {
  const { time, stored, boot } = machine();
  stored.set('purge', START);
  time.wall = 1_000;
  const schedule = boot();
  assert.equal(schedule.after(HOUR), 0);
  assert.equal(stored.get('purge'), START);
  time.wall = START + DAY;
  assert.equal(schedule.after(0), 1);
  schedule.stop();
});

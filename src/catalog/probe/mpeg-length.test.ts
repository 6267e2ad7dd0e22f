/** Lengths of MPEG streams whose clock jumps, from streams that hold nothing but their clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthWithJumps } from './mpeg-length.ts';
import { CLOCK, makeProgramClock, makeTransportClock, WRAP } from './testing/clock-stream.ts';

const lengthOf = (bytes: Buffer): number | undefined =>
  lengthWithJumps(bytes.length, (into, at) => (at < bytes.length ? bytes.copy(into, 0, at, at + into.length) : 0));

test('a clock that jumps does not count, wherever it jumps to', () => {
  const back = (second: number): number => (second < 100 ? 5000 + second : second - 100);
  const ahead = (second: number): number => (second < 70 ? second : second + 40_000);
  const often = (second: number): number => second % 60;
  for (const [clock, stride] of [
    [back, 188],
    [back, 192],
    [back, 204],
    [ahead, 188],
    [often, 188],
  ] as const) {
    const length = lengthOf(makeTransportClock(clock, 240, stride)) ?? 0;
    assert.ok(Math.abs(length - 240) < 8, `${length} s`);
  }
  const length = lengthOf(makeProgramClock(often, 600)) ?? 0;
  assert.ok(Math.abs(length - 600) < 20, `${length} s`);
});

test('a clock without jumps is left to ffprobe, also one that begins again at 0', () => {
  assert.equal(lengthOf(makeTransportClock((second) => 3 + second, 240)), undefined);
  assert.equal(lengthOf(makeTransportClock((second) => WRAP / CLOCK - 100 + second, 240)), undefined);
  assert.equal(lengthOf(makeProgramClock((second) => second, 240)), undefined);
});

test('a rate that varies is no jump', () => {
  // A still picture takes a tenth of the bytes.
  const slow = (second: number): number => (second < 120 ? second : 120 + (second - 120) * 10);
  assert.equal(lengthOf(makeTransportClock(slow, 240)), undefined);
});

test('other files have no such length, and damage ends the search', () => {
  assert.equal(lengthOf(Buffer.alloc(1 << 20, 7)), undefined);
  const bytes = makeTransportClock((second) => second % 60, 240);
  bytes.fill(0, bytes.length >> 2);
  const length = lengthOf(bytes);
  assert.ok(length === undefined || Number.isFinite(length));
});

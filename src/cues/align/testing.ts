/** For tests of alignment: made-up films, their cues moved in known ways, and whether they are right again. */
import assert from 'node:assert/strict';
import { type Cue, spansOf } from '../cue.ts';
import type { Alignment } from './types.ts';

/** mulberry32: the same film for the same seed. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const cue = (start: number, end: number, text = 'Somebody says something.'): Cue => ({
  start,
  end,
  spans: spansOf(text),
});

/**
 * Returns cues of a film, and its curve as a detector would return it: ragged edges, missed words, some music taken for
 * speech.
 */
export function film(seed: number, minutes = 20): { cues: Cue[]; curve: Uint8Array } {
  const next = chance(seed);
  const curve = new Uint8Array(minutes * 6_000);
  for (let at = 0; at < curve.length; at++) curve[at] = next() * 30;
  const cues: Cue[] = [];
  for (let at = 8_000; at < minutes * 60_000 - 100_000;) {
    for (let left = 5 + Math.floor(next() * 25); left > 0; left--) {
      const length = 600 + next() ** 2 * 4_500;
      // Detectors are late at both ends.
      const isMissed = next() < 0.06;
      if (!isMissed)
        for (let ms = at + 30 + next() * 60; ms < at + length + 30 + next() * 60; ms += 10)
          curve[Math.round(ms / 10)] = next() < 0.06 ? 40 : 200 + next() * 55;
      cues.push(cue(Math.round(at), Math.round(at + length)));
      at += length + 120 + next() ** 3 * 5_000;
    }
    const pause = 3_000 + next() ** 2 * 40_000;
    if (next() < 0.15) curve.fill(150, Math.round(at / 10 + 100), Math.round(at / 10 + Math.min(pause, 9_000) / 10));
    at += pause;
  }
  return { cues, curve };
}

export const moved = (cues: readonly Cue[], by: (time: number, at: number) => number): Cue[] =>
  cues.map((one, n) => ({
    ...one,
    start: Math.round(by(one.start, n / cues.length)),
    end: Math.round(by(one.end, n / cues.length)),
  }));

/**
 * Asserts that every cue is at its right time. `right` are the remaining cues of the bad file, at their right times.
 */
export function isRight(alignment: Alignment, right: readonly Cue[], name: string): void {
  assert.equal(alignment.outcome, 'moved', `${name}: ${JSON.stringify(alignment.evidence)}`);
  if (alignment.outcome !== 'moved') return;
  assert.equal(alignment.cues.length, right.length, name);
  const worst = Math.max(...alignment.cues.map((one, n) => Math.abs(one.start - (right[n]?.start ?? Infinity))));
  assert.ok(worst <= 100, `${name}: ${worst} ms`);
}

/** Returns a place for a cut: the longest pause near a given share of the cues. */
export function pauseNear(cues: readonly Cue[], part: number): number {
  const pause = (n: number): number => (cues[n]?.start ?? 0) - (cues[n - 1]?.end ?? 0);
  const around = cues.map((_, n) => n).filter((n) => n > 0 && Math.abs(n / cues.length - part) < 0.05);
  return (around.toSorted((a, b) => pause(b) - pause(a))[0] ?? 0) / cues.length;
}

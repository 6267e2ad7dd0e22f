/** Cues that drift: any even drift is removed, and an uneven one is refused rather than approximated by steps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cue } from '../cue.ts';
import { align, alignToCues } from './align.ts';
import { blocksOf, place, timesOf } from './blocks.ts';
import { speechSums } from './speech-sums.ts';
import { measureSteadiness } from './steadiness.ts';
import { chance, cue, film, isRight, moved, pauseNear } from './testing.ts';

const FILM = film(1);
const CUT = pauseNear(FILM.cues, 0.6);
const LAST = FILM.cues.at(-1)?.end ?? 1;
const drifting =
  (percent: number, offset = 3_000) =>
  (time: number) =>
    time * (1 + percent / 100) + offset;

for (const percent of [0.05, -0.3, 2, -5]) {
  test(`a drift of ${percent} % is removed`, () => {
    isRight(align(moved(FILM.cues, drifting(percent)), FILM.curve), FILM.cues, `${percent} %`);
  });
}

test('a drift is removed where there is a cut, or cues are missing, strange or cut off', () => {
  const cut = moved(FILM.cues, (time, at) => drifting(-0.7)(time) + (at < CUT ? 0 : 25_000));
  isRight(align(cut, FILM.curve), FILM.cues, 'with a cut');

  const next = chance(3);
  const late = FILM.cues.filter(({ start }) => start > 120_000);
  const opening = moved(late, drifting(1.5, -110_000));
  isRight(align(opening, FILM.curve), late, 'without the opening');

  const kept = FILM.cues.filter(() => next() > 1 / 3);
  isRight(align(moved(kept, drifting(-0.4)), FILM.curve), kept, 'a third missing');

  const strange = film(2).cues.filter(() => next() < 0.05);
  const given = [...moved(FILM.cues, drifting(3)), ...strange].toSorted((a, b) => a.start - b.start);
  const alignment = align(given, FILM.curve);
  assert.equal(alignment.outcome, 'moved');
  const own = given.flatMap((one, n) =>
    strange.includes(one) ? [] : [alignment.outcome === 'moved' && alignment.cues[n]],
  );
  own.forEach((one, n) => assert.ok(one !== false && Math.abs((one?.start ?? 0) - (FILM.cues[n]?.start ?? 0)) <= 100));
});

test('a drift is removed by the cues of another language', () => {
  const next = chance(9);
  const reference = FILM.cues.flatMap(({ start, end }) =>
    next() < 0.1 ? [] : [cue(start + (next() - 0.5) * 300, end + (next() - 0.3) * 500)],
  );
  isRight(alignToCues(moved(FILM.cues, drifting(-1.3)), reference), FILM.cues, 'another language');
});

/** Returns the share of cues that are within 100 ms of their right time. */
const near = (cues: readonly Cue[]): number =>
  cues.filter(({ start }, n) => Math.abs(start - (FILM.cues[n]?.start ?? 0)) <= 100).length / cues.length;

test('a drift that is not even is refused, or nearly all cues are right', () => {
  const uneven: Record<string, (time: number) => number> = {
    'faster and faster': (time) => time + 3_000 + 4_000 * (time / LAST) ** 2,
    'to and fro': (time) => time + 600 * Math.sin(time / 90_000),
    'in steps': (time) => time + 350 * Math.floor(time / 150_000),
  };
  for (const [name, by] of Object.entries(uneven)) {
    const alignment = align(moved(FILM.cues, by), FILM.curve);
    if (alignment.outcome === 'moved') assert.ok(near(alignment.cues) >= 0.9, name);
    else assert.equal(alignment.outcome, 'refused', name);
    if (name === 'to and fro') assert.ok(alignment.outcome === 'refused' && alignment.refusal === 'drift');
  }
});

test('cues that drift by less than a tenth of a second at either end fit as they are', () => {
  const { outcome } = align(moved(FILM.cues, drifting(0.01, -50)), FILM.curve);
  assert.equal(outcome, 'fits');
});

test('steadiness measures the rate that is missing, and how sure that is', () => {
  const sums = speechSums(FILM.curve);
  const blocks = blocksOf(timesOf(moved(FILM.cues, drifting(0.1, 0))));
  const placed = place(blocks, 1, sums);
  const runs = [{ from: 0, to: placed.count, offset: -55 }];
  const { slope, drift, doubt, near: share } = measureSteadiness(sums, placed, runs);
  assert.ok(Math.abs(slope + 0.001) < 0.0001, String(slope));
  assert.ok(Math.abs(drift - 0.001 * (LAST / 10)) < 12, String(drift));
  assert.ok(doubt < 10 && share < 0.7, JSON.stringify({ doubt, share }));
  const even = measureSteadiness(sums, place(blocks, 1 / 1.001, sums), [{ from: 0, to: placed.count, offset: 3 }]);
  assert.ok(even.drift < 4 && even.near === 1 && even.level === 1, JSON.stringify(even));
});

/** The ways in which a subtitle is out of step, made from right times, so that it is known where each cue belongs. */
import type { Cue } from '../src/cues/index.ts';
import { spansOf } from '../src/cues/index.ts';
import { chance, type Times } from './speech.ts';

/** A cue as a bad file has it, and where it belongs (ms). */
interface Placed {
  cue: Times & { text?: string };
  /** Left out of what belongs nowhere in the film. */
  truth?: number;
}
export interface Scenario {
  name: string;
  placed: Placed[];
  /** `right`: moved or refused, as long as no cue that was right goes wrong. */
  expected: 'moved' | 'fits' | 'refused' | 'right';
  /** Heard with other audio than that of the film. */
  audio?: 'noise';
}

const placedBy = (cues: readonly Times[], move: (time: number, place: number) => number): Placed[] =>
  cues.map((cue, n) => ({
    cue: { start: Math.round(move(cue.start, n / cues.length)), end: Math.round(move(cue.end, n / cues.length)) },
    truth: cue.start,
  }));

/** Cues in a cut are gone from the file too: no cue overlaps the ones before. */
function withoutCrossing(placed: readonly Placed[]): Placed[] {
  let last = -Infinity;
  return placed.filter(({ cue }) => {
    if (cue.start < last || cue.start < 0) return false;
    last = cue.end;
    return true;
  });
}

/** Films are cut between scenes: the longest pause near a part of the film, as a part of its cues. */
function sceneAt(cues: readonly Times[], part: number): number {
  const around = cues.map((_, n) => n).filter((n) => n > 0 && Math.abs(n / cues.length - part) < 0.04);
  const pause = (n: number): number => (cues[n]?.start ?? 0) - (cues[n - 1]?.end ?? 0);
  return (around.toSorted((a, b) => pause(b) - pause(a))[0] ?? 0) / cues.length;
}

/** Edits by people: additions, omissions and cuts. `by` is the position from which the file and the video differ. */
function changed(
  cues: readonly Times[],
  other: readonly Times[],
  scenes: readonly [number, number, number],
): Scenario[] {
  const later = (by: number, from = 0): Placed[] => placedBy(cues, (time, at) => time + (at < from ? 0 : by));
  const strange = (from: number, to: number, text?: string): Placed[] =>
    other
      .filter(({ start, end }) => start >= from && end < to)
      .map(({ start, end }) => ({ cue: { start, end, ...(text !== undefined && { text }) } }));
  const sounds = cues.flatMap(({ end }, n): Placed[] => {
    const after = cues[n + 1];
    return after && after.start - end > 3_500
      ? [{ cue: { start: end + 4_500, end: end + 6_500, text: '[door slams]' }, truth: end + 500 }]
      : [];
  });
  const [first, middle, last] = scenes;
  const scene = (cues[Math.round(middle * cues.length)]?.start ?? 0) - 1_000;
  const ads = (time: number, at: number): number =>
    time + (at < first ? 0 : at < middle ? 55_000 : at < last ? 110_000 : 165_000);
  return [
    {
      name: 'sounds in brackets, 4 s late',
      placed: [...later(4_000), ...sounds].toSorted((a, b) => a.cue.start - b.cue.start),
      expected: 'moved',
    },
    {
      name: 'a song and thanks before, 6 s late',
      placed: [
        ...[0, 1, 2, 3].map((n) => ({
          cue: { start: 200 + n * 1_400, end: 1_400 + n * 1_400, text: n < 2 ? '♪ La, la ♪' : 'Subtitles by nobody' },
        })),
        ...later(6_000),
      ],
      expected: 'moved',
    },
    {
      name: 'a recap of 40 s that the video lacks',
      placed: [...strange(0, 39_000), ...later(40_000)],
      expected: 'right',
    },
    {
      name: 'a scene of a minute that the video lacks',
      placed: [...later(60_000, middle), ...strange(scene + 1_000, scene + 58_000)].toSorted(
        (a, b) => a.cue.start - b.cue.start,
      ),
      expected: 'right',
    },
    { name: 'three breaks of 55 s for advertisements', placed: placedBy(cues, ads), expected: 'moved' },
    {
      name: 'every other twenty cues missing, 5 s late',
      placed: later(5_000).filter((_, n) => n % 40 < 20),
      expected: 'moved',
    },
    { name: '25 read as 29.97', placed: placedBy(cues, (time) => (time * 25) / 29.97), expected: 'refused' },
    { name: '23.976 read as 29.97', placed: placedBy(cues, (time) => (time * 23.976) / 29.97), expected: 'refused' },
    { name: '30 for 29.97', placed: placedBy(cues, (time) => (time * 30) / 29.97), expected: 'moved' },
  ];
}

/** Minimum results for an episode of a few minutes, which has little evidence. */
export function episodes(cues: readonly Times[], other: readonly Times[]): Scenario[] {
  const still = (of: readonly Times[]): Placed[] => placedBy(of, (time) => time);
  const at = cues[Math.floor(cues.length / 2)]?.start ?? 0;
  const [front, back] = [cues.filter(({ end }) => end < at), cues.filter(({ start }) => start >= at)];
  const [otherFront, otherBack] = [
    other.filter(({ end }) => end < at - 500),
    other.filter(({ start }) => start > (front.at(-1)?.end ?? 0) + 500),
  ];
  return [
    { name: 'right as it is', placed: still(cues), expected: 'fits' },
    { name: '5 s late', placed: placedBy(cues, (time) => time + 5_000), expected: 'right' },
    { name: 'the first half shared with another', placed: still([...front, ...otherBack]), expected: 'refused' },
    { name: 'the second half shared with another', placed: still([...otherFront, ...back]), expected: 'refused' },
    {
      name: 'the first half shared, 5 s late',
      placed: placedBy([...front, ...otherBack], (time) => time + 5_000),
      expected: 'refused',
    },
    { name: 'another', placed: still(other), expected: 'refused' },
  ];
}

const FILM = 24 / 23.976;
const PAL = 25 / 23.976;

/** `other` is the speech of another film. */
export function scenarios(cues: readonly Times[], other: readonly Times[], seed: number): Scenario[] {
  const next = chance(seed);
  const kept = cues.map(() => next() > 1 / 3);
  const some = (placed: Placed[]): Placed[] => placed.filter((_, n) => kept[n]);
  const moved = (name: string, placed: Placed[]): Scenario => ({
    name,
    placed: withoutCrossing(placed),
    expected: 'moved',
  });
  const [early, middle, late] = [0.3, 0.45, 0.7].map((part) => sceneAt(cues, part)) as [number, number, number];
  const oneBreak = (time: number, at: number): number => time + (at < middle ? 2_300 : 23_700);
  const twoBreaks = (time: number, at: number): number => time + (at < early ? 1_150 : at < late ? 15_900 : -4_350);
  const order = cues
    .map((_, n) => ({ n, by: next() }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ n }) => n);
  return [
    moved(
      '7.3 s late',
      placedBy(cues, (time) => time + 7_300),
    ),
    moved(
      '3.2 s early',
      placedBy(cues, (time) => time - 3_200),
    ),
    moved(
      '88 s late',
      placedBy(cues, (time) => time + 88_000),
    ),
    moved(
      '0.25 s late',
      placedBy(cues, (time) => time + 250),
    ),
    moved(
      'PAL times for film (25/23.976)',
      placedBy(cues, (time) => time / PAL),
    ),
    moved(
      'film times for PAL (23.976/25)',
      placedBy(cues, (time) => time * PAL),
    ),
    moved(
      '24 for 23.976',
      placedBy(cues, (time) => time / FILM),
    ),
    moved(
      '23.976 for 24',
      placedBy(cues, (time) => time * FILM),
    ),
    moved(
      '25 for 24, 4 s late',
      placedBy(cues, (time) => (time * 24) / 25 + 4_000),
    ),
    moved(
      '24 for 25, 4 s late',
      placedBy(cues, (time) => (time * 25) / 24 + 4_000),
    ),
    moved('one break', placedBy(cues, oneBreak)),
    moved('two breaks', placedBy(cues, twoBreaks)),
    moved('a third of the cues missing, 5 s late', some(placedBy(cues, (time) => time + 5_000))),
    moved(
      'rate and break',
      placedBy(cues, (time, at) => oneBreak(time, at) * PAL),
    ),
    moved('rate, two breaks, a third missing', some(placedBy(cues, (time, at) => twoBreaks(time, at) / PAL))),
    moved(
      'slight rate and break',
      placedBy(cues, (time, at) => oneBreak(time, at) * FILM),
    ),
    ...changed(cues, other, [early, middle, late]),
    ...drifts(cues, some, oneBreak),
    { name: 'right as it is', placed: placedBy(cues, (time) => time), expected: 'fits' },
    { name: 'right, a third missing', placed: some(placedBy(cues, (time) => time)), expected: 'fits' },
    { name: 'another film', placed: placedBy(other, (time) => time), expected: 'refused' },
    {
      name: 'another film, a third missing',
      placed: placedBy(other, (time) => time).filter((_, n) => n % 3 > 0),
      expected: 'refused',
    },
    { name: 'the cues in another order', placed: shuffled(cues, order), expected: 'refused' },
    { name: 'audio without speech', placed: placedBy(cues, (time) => time), expected: 'refused', audio: 'noise' },
  ];
}

/** Rates that no film has, as after a capture or a speed change by hand, and a drift that is not even. */
function drifts(
  cues: readonly Times[],
  some: (placed: Placed[]) => Placed[],
  oneBreak: (time: number, at: number) => number,
): Scenario[] {
  const even = [0.05, -0.15, 0.5, -1, 2, -3, 4.5, -5].map((percent): Scenario => ({
    name: `${percent} % drift, 3 s late`,
    placed: withoutCrossing(placedBy(cues, (time) => time * (1 + percent / 100) + 3_000)),
    expected: 'moved',
  }));
  const last = cues.at(-1)?.end ?? 1;
  return [
    ...even,
    {
      name: '0.7 % drift, a third missing',
      placed: some(placedBy(cues, (time) => time * 1.007)),
      expected: 'right',
    },
    {
      name: '-0.7 % drift and a break',
      placed: withoutCrossing(placedBy(cues, (time, at) => oneBreak(time, at) * 0.993)),
      expected: 'moved',
    },
    {
      name: 'a drift that grows to 6 s',
      placed: placedBy(cues, (time) => time + 6_000 * (time / last) ** 2),
      expected: 'right',
    },
    {
      name: 'another drift every three minutes',
      placed: placedBy(cues, (time) => time + 700 * Math.sin(time / 60_000)),
      expected: 'right',
    },
  ];
}

/** The same lengths and pauses, in another order. */
function shuffled(cues: readonly Times[], order: readonly number[]): Placed[] {
  let at = cues[0]?.start ?? 0;
  return order.map((n) => {
    const [cue, after] = [cues[n], cues[n + 1]];
    const length = cue ? cue.end - cue.start : 1_000;
    const start = at;
    at += length + Math.max(100, cue && after ? after.start - cue.end : 1_000);
    return { cue: { start, end: start + length }, truth: start };
  });
}

export const cueOf = ({ start, end, text = 'Somebody says something.' }: Times & { text?: string }): Cue => ({
  start,
  end,
  spans: spansOf(text),
});

/** The ways in which a subtitle is out of step, made from right times, so that it is known where each cue belongs. */
import type { Cue } from '../src/subtitles/engine/index.ts';
import { spansOf } from '../src/subtitles/engine/index.ts';
import { chance, type Times } from './speech.ts';

/** A cue as a bad file has it, and where it belongs (ms). */
interface Placed {
  cue: Times;
  truth: number;
}
export interface Scenario {
  name: string;
  placed: Placed[];
  expected: 'moved' | 'fits' | 'refused';
  /** Heard with other audio than that of the film. */
  audio?: 'noise';
}

const placedBy = (cues: readonly Times[], move: (time: number, place: number) => number): Placed[] =>
  cues.map((cue, n) => ({ cue: { start: Math.round(move(cue.start, n / cues.length)), end: Math.round(move(cue.end, n / cues.length)) }, truth: cue.start }));

/** What a cut took away is gone from the file, too: no cue runs into the ones before. */
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

const FILM = 24 / 23.976;
const PAL = 25 / 23.976;

/** `other` is the speech of another film. */
export function scenarios(cues: readonly Times[], other: readonly Times[], seed: number): Scenario[] {
  const next = chance(seed);
  const kept = cues.map(() => next() > 1 / 3);
  const some = (placed: Placed[]): Placed[] => placed.filter((_, n) => kept[n]);
  const moved = (name: string, placed: Placed[]): Scenario => ({ name, placed: withoutCrossing(placed), expected: 'moved' });
  const [early, middle, late] = [0.3, 0.45, 0.7].map((part) => sceneAt(cues, part)) as [number, number, number];
  const oneBreak = (time: number, at: number): number => time + (at < middle ? 2_300 : 23_700);
  const twoBreaks = (time: number, at: number): number => time + (at < early ? 1_150 : at < late ? 15_900 : -4_350);
  const order = cues.map((_, n) => ({ n, by: next() })).toSorted((a, b) => a.by - b.by).map(({ n }) => n);
  return [
    moved('7.3 s late', placedBy(cues, (time) => time + 7_300)),
    moved('3.2 s early', placedBy(cues, (time) => time - 3_200)),
    moved('88 s late', placedBy(cues, (time) => time + 88_000)),
    moved('0.25 s late', placedBy(cues, (time) => time + 250)),
    moved('PAL times for film (25/23.976)', placedBy(cues, (time) => time / PAL)),
    moved('film times for PAL (23.976/25)', placedBy(cues, (time) => time * PAL)),
    moved('24 for 23.976', placedBy(cues, (time) => time / FILM)),
    moved('23.976 for 24', placedBy(cues, (time) => time * FILM)),
    moved('25 for 24, 4 s late', placedBy(cues, (time) => (time * 24) / 25 + 4_000)),
    moved('24 for 25, 4 s late', placedBy(cues, (time) => (time * 25) / 24 + 4_000)),
    moved('one break', placedBy(cues, oneBreak)),
    moved('two breaks', placedBy(cues, twoBreaks)),
    moved('a third of the cues missing, 5 s late', some(placedBy(cues, (time) => time + 5_000))),
    moved('rate and break', placedBy(cues, (time, at) => oneBreak(time, at) * PAL)),
    moved('rate, two breaks, a third missing', some(placedBy(cues, (time, at) => twoBreaks(time, at) / PAL))),
    moved('slight rate and break', placedBy(cues, (time, at) => oneBreak(time, at) * FILM)),
    { name: 'right as it is', placed: placedBy(cues, (time) => time), expected: 'fits' },
    { name: 'right, a third missing', placed: some(placedBy(cues, (time) => time)), expected: 'fits' },
    { name: 'another film', placed: placedBy(other, (time) => time), expected: 'refused' },
    { name: 'another film, a third missing', placed: placedBy(other, (time) => time).filter((_, n) => n % 3 > 0), expected: 'refused' },
    { name: 'the cues in another order', placed: shuffled(cues, order), expected: 'refused' },
    { name: 'audio without speech', placed: placedBy(cues, (time) => time), expected: 'refused', audio: 'noise' },
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

export const cueOf = ({ start, end }: Times): Cue => ({ start, end, spans: spansOf('Somebody says something.') });

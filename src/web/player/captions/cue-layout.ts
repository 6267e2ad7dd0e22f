/**
 * Positions of cues on the picture, and the cues that are shown at a time. A cue says little (most say nothing and are
 * at the bottom); the drawing applies the size, height and background that the viewer chose.
 */
export interface CueTimes {
  startTime: number;
  endTime: number;
}
/** Settings of a VTTCue that decide its position. */
export interface CuePlace {
  line: number | 'auto';
  snapToLines: boolean;
  position: number | 'auto';
  size: number;
  align: string;
}
export type Band = { at: 'bottom' } | { at: 'top' } | { at: 'percent'; top: number };
export interface Place {
  band: Band;
  /** Per cent of the width, when the cue asks for its own box. */
  box?: { left: number; width: number };
  align: 'left' | 'center' | 'right';
}
/** Text is about this many lines high; a cue's line number counts from either end. */
const LINES = 16;
const TOP_LINES = 5;
const limited = (value: number, most: number): number => Math.min(most, Math.max(0, value));

function bandOf({ line, snapToLines }: CuePlace): Band {
  if (line === 'auto') return { at: 'bottom' };
  if (snapToLines) {
    if (line < 0)
      return line >= -TOP_LINES ? { at: 'bottom' } : { at: 'percent', top: limited(100 + (line / LINES) * 100, 90) };
    return line < TOP_LINES
      ? { at: 'top' }
      : line >= LINES - 3
        ? { at: 'bottom' }
        : { at: 'percent', top: limited((line / LINES) * 100, 90) };
  }
  return line >= 75 ? { at: 'bottom' } : line <= 12 ? { at: 'top' } : { at: 'percent', top: limited(line, 90) };
}
const ALIGNS: Readonly<Record<string, Place['align']>> = { start: 'left', left: 'left', end: 'right', right: 'right' };

export function cuePlaceOf(cue: CuePlace): Place {
  const align = ALIGNS[cue.align] ?? 'center';
  const band = bandOf(cue);
  if (cue.position === 'auto' && cue.size >= 100) return { band, align };
  const position = limited(cue.position === 'auto' ? { left: 0, center: 50, right: 100 }[align] : cue.position, 100);
  // The room on the side that the alignment leaves is the widest that the box may be (WebVTT 1, 7.2).
  const room =
    align === 'left' ? 100 - position : align === 'right' ? position : 2 * Math.min(position, 100 - position);
  const width = limited(Math.max(20, Math.min(cue.size, room)), 100);
  const left = align === 'left' ? position : align === 'right' ? position - width : position - width / 2;
  return { band, align, box: { left: limited(left, 100 - width), width } };
}

/** The cues that are on at a time. They come in the order of their start; one that began long ago is found too. */
export function activeAt<C extends CueTimes>(cues: ArrayLike<C>, time: number): C[] {
  let low = 0;
  let high = cues.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cues[middle] as C).startTime <= time) low = middle + 1;
    else high = middle;
  }
  const on: C[] = [];
  for (let at = Math.max(0, low - LOOK_BACK); at < low; at++) {
    const cue = cues[at] as C;
    if (cue.endTime > time) on.push(cue);
  }
  return on.slice(-MAX_AT_ONCE);
}
/** The cues that ended last before a time and at most so many seconds ago: one, or those that ended with it. */
export function lastBefore<C extends CueTimes>(cues: ArrayLike<C>, time: number, within: number): C[] {
  let last: C[] = [];
  for (let at = 0; at < cues.length; at++) {
    const cue = cues[at] as C;
    if (cue.startTime > time) break;
    if (cue.endTime > time || cue.endTime < time - within) continue;
    const end = last[0]?.endTime ?? -1;
    if (cue.endTime > end) last = [cue];
    else if (cue.endTime === end) last.push(cue);
  }
  return last.slice(-MAX_AT_ONCE);
}
const LOOK_BACK = 200;
const MAX_AT_ONCE = 8;

/** Joins cues of one time that say exactly the same, as files with doubled cues have them. */
export const withoutDoubles = <C extends { text: string }>(cues: readonly C[]): C[] =>
  cues.filter((cue, at) => cues.findIndex((other) => other.text === cue.text) === at);

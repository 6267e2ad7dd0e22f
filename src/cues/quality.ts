/**
 * How good a subtitle is to read: speed, overlaps, line lengths, gaps. The bounds are the usual
 * ones of broadcasters' style guides, a little looser: a warning is a place to look at.
 */
import { plainText, type Cue } from './cue.ts';

export type CueWarning =
  | 'too-fast'
  | 'too-short'
  | 'too-long'
  | 'overlap'
  | 'long-line'
  | 'many-lines'
  | 'short-gap'
  | 'negative'
  | 'empty'
  | 'after-end';

/** Bounds beyond which a cue gets its warning: characters a second, ms, characters, lines. */
const BOUNDS = { speed: 25, shortest: 500, longest: 10_000, line: 45, lines: 3, gap: 80 } as const;

export interface Quality {
  cues: number;
  /** ms of the first cue's start and the last one's end; left out without cues. */
  first?: number;
  last?: number;
  /** Characters a second: middle value and the fastest twentieth. */
  speed: { median: number; p95: number };
  overlaps: number;
  longestLine: number;
  /** ms without a cue between two cues. */
  longestGap: number;
  /** Part of the video's duration between first and last cue, 0 to 1; only when the duration is known. */
  coverage?: number;
  /** By index of the cue in the order given. */
  warnings: ReadonlyMap<number, readonly CueWarning[]>;
}

/** `duration` of the video in ms, where known. Linear but for one sort. */
export function measureQuality(cues: readonly Cue[], duration?: number): Quality {
  const warnings = new Map<number, CueWarning[]>();
  const warn = (index: number, warning: CueWarning): void => {
    const list = warnings.get(index);
    if (list) list.push(warning);
    else warnings.set(index, [warning]);
  };
  const speeds: number[] = [];
  let longestLine = 0;
  cues.forEach((cue, index) => {
    const lines = plainText(cue.spans).split('\n');
    const widths = lines.map((line) => widthOf(line.trim()));
    const widest = widths.reduce((a, b) => Math.max(a, b), 0);
    const length = cue.end - cue.start;
    longestLine = Math.max(longestLine, widest);
    const characters = widths.reduce((a, b) => a + b, 0);
    if (characters === 0) warn(index, 'empty');
    if (length <= 0) warn(index, 'negative');
    else {
      const speed = (characters / length) * 1000;
      speeds.push(speed);
      if (speed > BOUNDS.speed) warn(index, 'too-fast');
      if (length < BOUNDS.shortest) warn(index, 'too-short');
      if (length > BOUNDS.longest) warn(index, 'too-long');
    }
    if (widest > BOUNDS.line) warn(index, 'long-line');
    if (lines.length > BOUNDS.lines) warn(index, 'many-lines');
    if (duration !== undefined && cue.end > duration) warn(index, 'after-end');
  });
  const flow = flowOf(cues, warn);
  const sorted = speeds.toSorted((a, b) => a - b);
  const { first, last } = flow;
  const span = first === undefined || last === undefined ? undefined : last - first;
  return {
    cues: cues.length,
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    speed: { median: at(sorted, 0.5), p95: at(sorted, 0.95) },
    overlaps: flow.overlaps,
    longestLine,
    longestGap: flow.longestGap,
    ...(duration !== undefined && duration > 0 && span !== undefined
      ? { coverage: Math.round(Math.min(1, Math.max(0, span / duration)) * 1000) / 1000 }
      : {}),
    warnings,
  };
}

/** What two cues do to each other, in order of time. Cues in two places of the picture may overlap. */
function flowOf(
  cues: readonly Cue[],
  warn: (index: number, warning: CueWarning) => void,
): { first?: number; last?: number; overlaps: number; longestGap: number } {
  const order = cues
    .map((cue, index) => ({ cue, index }))
    .toSorted((a, b) => a.cue.start - b.cue.start || a.index - b.index);
  const ends = new Map<string, number>();
  let last = -Infinity;
  let overlaps = 0;
  let longestGap = 0;
  for (const { cue, index } of order) {
    const place = placeKeyOf(cue);
    const end = ends.get(place) ?? -Infinity;
    if (cue.start < end) {
      overlaps++;
      warn(index, 'overlap');
    } else if (cue.start > end && cue.start - end < BOUNDS.gap) warn(index, 'short-gap');
    ends.set(place, Math.max(end, cue.end));
    if (last !== -Infinity) longestGap = Math.max(longestGap, cue.start - last);
    last = Math.max(last, cue.end);
  }
  const first = order[0]?.cue.start;
  return { ...(first === undefined ? {} : { first, last }), overlaps, longestGap };
}

/** Two cues at the same place cover each other. */
export function placeKeyOf({ placement, settings }: Cue): string {
  if (placement) return `a${placement.anchor ?? 2} ${placement.point?.x ?? ''} ${placement.point?.y ?? ''}`;
  return settings
    ? `s${settings.line ?? ''} ${settings.position ?? ''} ${settings.align ?? ''} ${settings.vertical ?? ''} ` +
        `${settings.region ?? ''}`
    : '';
}

/**
 * Marks, joiners and marks of direction, later parts of a Korean syllable, and the skin of a hand: they take no place
 * of their own.
 */
const NO_PLACE = /[\p{M}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff\p{Emoji_Modifier}]/u;
/** Twice as wide as a Latin letter. Source: Unicode's East_Asian_Width, wide and fullwidth. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const JOINER = '\u200d';

/** Characters as readers see them, not as they are coded; Chinese, Japanese and Korean ones are twice as wide. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  let before = '';
  for (const char of text) {
    // Below U+0300 all but the soft hyphen are plain; what a joiner joins to a picture is part of it.
    if (char < '\u0300') width += char === '\u00ad' ? 0 : 1;
    else if (!NO_PLACE.test(char)) width += WIDE.test(char) ? (before === JOINER ? 0 : 2) : 1;
    before = char;
  }
  return width;
}

function at(sorted: readonly number[], part: number): number {
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10;
}

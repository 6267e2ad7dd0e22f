/**
 * Measures how readable a subtitle is: speed, overlaps, line lengths, gaps. The bounds are those of broadcasters' style
 * guides, slightly relaxed: a warning is a hint to look at a cue.
 *
 * Style guides allow 37 to 42 Latin or 13 to 16 Chinese characters in a line, so that two lines fit any screen. A
 * player wraps what is longer, so a longer line is not worse as such: it matters when the cue then takes more than two
 * rows of the picture. Only then it is a `long-line`.
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

/** Bounds beyond which a cue gets its warning: characters per second, ms, rows of wrapped lines, lines, ms. */
const BOUNDS = { speed: 25, shortest: 500, longest: 10_000, rows: 2, lines: 3, gap: 80 } as const;
/**
 * Characters in a row of the picture. Players write text of about 0.046 times the height of the picture over 90 % of
 * its width. In a picture of 4:3, the narrowest, that is 26 Chinese characters, or 50 Latin letters of half their
 * width; a picture of 16:9 holds as much when the text is set to large. Chinese characters count double.
 */
const ROW_WIDTH = 50;

export interface Quality {
  cues: number;
  /** In ms: start of the first cue and end of the last one; left out without cues. */
  first?: number;
  last?: number;
  /** Characters per second: the median and the 95th percentile. */
  speed: { median: number; p95: number };
  overlaps: number;
  longestLine: number;
  /** Longest time without a cue between two cues, in ms. */
  longestGap: number;
  /** Share of the video's duration between the first and the last cue, 0 to 1; only if the duration is known. */
  coverage?: number;
  /** Warnings by index of the cue in the given order. */
  warnings: ReadonlyMap<number, readonly CueWarning[]>;
}

/** `duration` is that of the video in ms, if known. Linear except for one sort. */
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
    if (widest > ROW_WIDTH && rowsOf(widths) > BOUNDS.rows) warn(index, 'long-line');
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

/** Returns the number of rows of the picture that lines of these widths take. */
const rowsOf = (widths: readonly number[]): number =>
  widths.reduce((rows, width) => rows + Math.max(1, Math.ceil(width / ROW_WIDTH)), 0);

/**
 * Returns the warnings about overlaps and gaps, for cues in order of time. Cues at two positions of the picture may
 * overlap.
 */
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

/** Returns a key of a cue's position. Two cues with the same key cover each other. */
export function placeKeyOf({ placement, settings }: Cue): string {
  if (placement) return `a${placement.anchor ?? 2} ${placement.point?.x ?? ''} ${placement.point?.y ?? ''}`;
  return settings
    ? `s${settings.line ?? ''} ${settings.position ?? ''} ${settings.align ?? ''} ${settings.vertical ?? ''} ` +
        `${settings.region ?? ''}`
    : '';
}

/**
 * Characters without a width: marks, joiners and marks of direction, later parts of a Korean syllable, and skin tones.
 */
const NO_PLACE = /[\p{M}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff\p{Emoji_Modifier}]/u;
/** Characters twice as wide as a Latin letter. Source: Unicode's East_Asian_Width, wide and fullwidth. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const JOINER = '\u200d';

/** Returns the width of a text in characters as readers see them; Chinese, Japanese and Korean ones count double. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  let before = '';
  for (const char of text) {
    // Below U+0300 all characters except the soft hyphen have a width; a joiner's next character belongs to the same
    // picture.
    if (char < '\u0300') width += char === '\u00ad' ? 0 : 1;
    else if (!NO_PLACE.test(char)) width += WIDE.test(char) ? (before === JOINER ? 0 : 2) : 1;
    before = char;
  }
  return width;
}

function at(sorted: readonly number[], part: number): number {
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10;
}

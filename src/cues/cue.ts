/**
 * The cue model of all formats. Every reader produces it and every writer accepts it, so that properties of a cue
 * survive a conversion if both formats have them.
 *
 * Promises: times are whole milliseconds; text is a tree of spans no deeper than `DEEPEST`; a value is plain data (no
 * class, no cycle), so it can be compared, stored and sent.
 */
import type { SubtitleFormatId } from '../contract/subtitles/formats.ts';

/** Id of a subtitle format; `formats.ts` is the table of all. */
export type Format = SubtitleFormatId;

/** Maximum nesting of spans. Deeper tags are ignored and their text is kept. */
export const DEEPEST = 32;

/** A piece of cue text. `classes` are WebVTT's (`<i.loud>`); a writer that has none drops them. */
export type Span =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  /** A point in time inside the cue (karaoke, paint-on), in ms from the start of the document. */
  | { kind: 'timestamp'; at: number }
  | {
      kind: 'italic' | 'bold' | 'underline' | 'strike' | 'class' | 'ruby' | 'ruby-text';
      classes?: readonly string[];
      children: readonly Span[];
    }
  /** `#rrggbb`, lower case. */
  | { kind: 'color'; color: string; children: readonly Span[] }
  | { kind: 'voice'; name: string; classes?: readonly string[]; children: readonly Span[] }
  /** A BCP 47 tag. */
  | { kind: 'language'; language: string; classes?: readonly string[]; children: readonly Span[] };

/** Anchors as ASS numbers them, like a number pad: 1 to 3 at the bottom, 4 to 6 in the middle, 7 to 9 at the top. */
export type Anchor = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Position of a cue in ASS, SRT, MicroDVD and TTML: an anchor, and at most one point of the picture in per cent. */
export interface Placement {
  anchor?: Anchor;
  point?: { x: number; y: number };
}

/** Position of a cue in WebVTT, with the W3C's names. Missing fields have the defaults of the standard. */
export interface CueSettings {
  vertical?: 'rl' | 'lr';
  /** A line number (whole) when `snapToLines`, or else a percentage. */
  line?: number;
  snapToLines?: boolean;
  lineAlign?: 'start' | 'center' | 'end';
  position?: number;
  positionAlign?: 'line-left' | 'center' | 'line-right';
  size?: number;
  align?: 'start' | 'center' | 'end' | 'left' | 'right';
  region?: string;
}

export interface Cue {
  start: number;
  end: number;
  spans: readonly Span[];
  /** WebVTT's identifier or SRT's number, as written. */
  id?: string;
  placement?: Placement;
  settings?: CueSettings;
  /** ASS: the speaker according to the line's own field (a voice span names the speaker in the text). */
  speaker?: string;
  /** ASS: name of the style, and the layer. */
  style?: string;
  layer?: number;
  /**
   * Source of the cue: its line number (from 1; for WebVTT the line of the times), and the line itself in formats that
   * are written back unchanged.
   */
  origin?: { line: number; raw?: string };
  /** Factor by which the cue became longer through a change of rate. Times within it have to be scaled by it. */
  pace?: number;
}

export interface Region {
  id: string;
  width: number;
  lines: number;
  regionAnchor: { x: number; y: number };
  viewportAnchor: { x: number; y: number };
  scroll: boolean;
}

export type WarningCode =
  | 'no-header'
  | 'bad-header'
  | 'bad-timing'
  | 'bad-setting'
  | 'bad-tag'
  | 'bad-line'
  | 'bad-number'
  | 'bad-character'
  | 'loose-time'
  | 'over-limit'
  | 'negative-duration'
  | 'missing-end'
  | 'blank-line'
  | 'empty-cue'
  | 'stray-text'
  | 'unsorted'
  | 'no-frame-rate'
  | 'unknown-style'
  | 'drawing'
  | 'more-languages'
  | 'more';

/** A defect that was corrected or left out while reading. `line` counts from 1. */
export interface Warning {
  code: WarningCode;
  line: number;
  message: string;
}

/** A subtitle as read. `cues` are in the order of the source. */
export interface SubtitleDocument {
  format: Format;
  cues: readonly Cue[];
  warnings: readonly Warning[];
  /** WebVTT. */
  regions?: readonly Region[];
  /** WebVTT: the style sheets as written. Never sent to a browser unfiltered. */
  styles?: readonly string[];
  /** ASS, SSA and WebVTT: every line of the file with its line end, so that it can be written back unchanged. */
  script?: readonly string[];
  /** MicroDVD: frames per second that the times were computed with. */
  frameRate?: number;
  /** Language according to the file itself, a BCP 47 tag. */
  language?: string;
  title?: string;
}

export interface ReadOptions {
  /** Extension of the file name; used if the content does not show the format. */
  extension?: string;
  /** A WHATWG label, or `auto` (default). */
  encoding?: string;
  /** Frames per second of the video, for MicroDVD files that do not state theirs. */
  frameRate?: number;
  /**
   * Language as a BCP 47 tag: selects one where a file has several (SAMI), and is a hint where the character set is
   * guessed.
   */
  language?: string;
}

/** Returns the text of spans as people read it: line breaks as `\n`, no mark-up, ruby text left out. */
export function plainText(spans: readonly Span[]): string {
  let out = '';
  for (const span of spans) {
    if (span.kind === 'text') out += span.text;
    else if (span.kind === 'break') out += '\n';
    else if (span.kind !== 'timestamp' && span.kind !== 'ruby-text') out += plainText(span.children);
  }
  return out;
}

/** Returns whether a span contains others. */
export function isWrapping(span: Span): span is Extract<Span, { children: readonly Span[] }> {
  return span.kind !== 'text' && span.kind !== 'break' && span.kind !== 'timestamp';
}

/** Returns plain text as spans: `\n` becomes a break. */
export function spansOf(text: string): Span[] {
  const out: Span[] = [];
  text.split('\n').forEach((line, n) => {
    if (n > 0) out.push({ kind: 'break' });
    if (line) out.push({ kind: 'text', text: line });
  });
  return out;
}

/** Sorts cues by start, then end, then layer; equal ones keep their order. */
export function inOrder(cues: readonly Cue[]): Cue[] {
  return cues.toSorted((a, b) => a.start - b.start || a.end - b.end || (a.layer ?? 0) - (b.layer ?? 0));
}

/**
 * Limits of a subtitle. Exceeding one fails; a document is never cut: half a subtitle that looks complete is worse than
 * none. Only a cue that no video can show, because it begins after 36 hours, is left out with a warning.
 */
import { Failure } from '../lib/failure.ts';
import type { Cue, Warning, WarningCode } from './cue.ts';

export const LIMITS = {
  bytes: 4 * 1024 * 1024,
  cues: 100_000,
  /** 36 hours in ms. */
  time: 36 * 3_600_000,
  /**
   * Maximum number of pieces of text, breaks and changes of look in a document; so many take three seconds to read,
   * judge and write. Captions with a time for each word have some 350,000 in the largest file.
   */
  parts: 600_000,
  /** Number of NUL characters that any text may have, and their share of a longer one. */
  nuls: { count: 8, share: 0.01 },
  /** Maximum number of characters of one cue that arrives in pieces. */
  cue: 64 * 1024,
  /** Maximum number of warnings of one document; the last one counts the rest. */
  warnings: 1_000,
} as const;

/** Throws `Failure('invalid')` if the file is too large. */
export function checkSize(bytes: number): void {
  if (bytes > LIMITS.bytes)
    throw new Failure('invalid', 'the subtitle is larger than 4 MiB', { reason: 'subtitle-over-limit' });
}

/** `watch` is called with the length of every text that is read in this process; a test sets it. */
export const readings: { watch?: (length: number) => void } = {};

/**
 * Throws `Failure('invalid')` if the text is too long or has many NUL characters, as pictures do. A few come from
 * damaged files.
 */
export function checkText(text: string): void {
  readings.watch?.(text.length);
  // A text has no more UTF-16 units than its encoded form has bytes, in every encoding that is read here.
  checkSize(text.length);
  const { count, share } = LIMITS.nuls;
  const most = Math.max(count, text.length * share);
  let nuls = 0;
  for (let at = text.indexOf('\0'); at >= 0 && nuls <= most; at = text.indexOf('\0', at + 1)) nuls++;
  if (nuls > most) throw new Failure('invalid', 'the subtitle is not text', { reason: 'subtitle-malformed' });
}

/** Counts the parts of a document, or of one text. Throws `Failure('invalid')` over the limit. */
export type PartCounter = () => void;

export function partCounter(): PartCounter {
  let parts = 0;
  return () => {
    if (++parts > LIMITS.parts)
      throw new Failure('invalid', 'the subtitle has more than 600,000 parts', { reason: 'subtitle-over-limit' });
  };
}

/** Whether a cue begins after any video has ended. */
export const isTooLate = (startMs: number): boolean => startMs > LIMITS.time;

/** Returns a time that is no later than any video is long. */
export const withinVideo = (ms: number): number => Math.min(ms, LIMITS.time);

export type Warn = (code: WarningCode, line: number, message: string) => void;
export const LEFT_OUT_TOO_LATE = 'a cue that begins after 36 hours was left out';

/**
 * Collects the cues of one document. One that begins after 36 hours is left out with a warning, and one that ends later
 * ends then. `add` returns the cue as it counts. Throws `Failure('invalid')` over the limit on their number.
 */
export function cueList(warn?: Warn): { cues: Cue[]; add(cue: Cue): Cue | undefined } {
  const cues: Cue[] = [];
  return {
    cues,
    add(cue) {
      if (isTooLate(cue.start)) {
        warn?.('over-limit', cue.origin?.line ?? 0, LEFT_OUT_TOO_LATE);
        return undefined;
      }
      if (cues.length >= LIMITS.cues)
        throw new Failure('invalid', 'the subtitle has more than 100,000 cues', { reason: 'subtitle-over-limit' });
      const added = cue.end > LIMITS.time ? { ...cue, end: LIMITS.time } : cue;
      cues.push(added);
      return added;
    },
  };
}

/** Collects warnings and keeps the first thousand. */
export function warningList(): { warnings: Warning[]; warn: Warn } {
  const warnings: Warning[] = [];
  let more = 0;
  return {
    warnings,
    warn(code, line, message) {
      if (warnings.length < LIMITS.warnings) warnings.push({ code, line, message });
      else warnings[LIMITS.warnings] = { code: 'more', line, message: `${++more} more warnings` };
    },
  };
}

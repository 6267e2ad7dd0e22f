/**
 * Limits of a subtitle. Exceeding one fails; a document is never cut: half a subtitle that looks complete is worse than
 * none.
 */
import { Failure } from '../lib/failure.ts';
import type { Cue, Warning, WarningCode } from './cue.ts';

export const LIMITS = {
  bytes: 4 * 1024 * 1024,
  cues: 100_000,
  /** 36 hours in ms. */
  time: 36 * 3_600_000,
  /**
   * Maximum number of pieces of text, breaks and changes of look in one cue; so many take half a second to read and
   * write. Karaoke by the letter has some hundred.
   */
  parts: 250_000,
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

/** Throws `Failure('invalid')` if the text is too long or contains a NUL, which no subtitle has and pictures do. */
export function checkText(text: string): void {
  readings.watch?.(text.length);
  // A text has no more UTF-16 units than its encoded form has bytes, in every encoding that is read here.
  checkSize(text.length);
  if (text.includes('\0')) throw new Failure('invalid', 'the subtitle is not text', { reason: 'subtitle-malformed' });
}

/** Counts the parts of one cue. Throws `Failure('invalid')` over the limit. */
export function partCounter(): () => void {
  let parts = 0;
  return () => {
    if (++parts > LIMITS.parts)
      throw new Failure('invalid', 'a cue has more than 250,000 parts', { reason: 'subtitle-over-limit' });
  };
}

/** Collects the cues of one document. Throws `Failure('invalid')` over the limits on count and time. */
export function cueList(): { cues: Cue[]; add(cue: Cue): void } {
  const cues: Cue[] = [];
  return {
    cues,
    add(cue) {
      if (cues.length >= LIMITS.cues)
        throw new Failure('invalid', 'the subtitle has more than 100,000 cues', { reason: 'subtitle-over-limit' });
      if (cue.start > LIMITS.time || cue.end > LIMITS.time)
        throw new Failure('invalid', 'the subtitle has a time over 36 hours', { reason: 'subtitle-over-limit' });
      cues.push(cue);
    },
  };
}

/** Collects warnings and keeps the first thousand. */
export function warningList(): { warnings: Warning[]; warn(code: WarningCode, line: number, message: string): void } {
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

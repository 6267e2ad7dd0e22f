/** A document of any format to the text of another, keeping what the target can hold. */
import { Failure } from '../../lib/failure.ts';
import type { SubtitleDocument } from './cue.ts';

/** WebVTT that is safe to hand to a browser: everything escaped, styles rebuilt, in order of time. */
export function toVtt(_document: SubtitleDocument): string {
  throw new Failure('unavailable', 'not ready');
}

/** SRT with `<i> <b> <u> <font color>` and `{\an8}`. */
export function toSrt(_document: SubtitleDocument): string {
  throw new Failure('unavailable', 'not ready');
}

/** ASS. A document that was read from ASS is written back with every unchanged line as it was. */
export function toAss(_document: SubtitleDocument): string {
  throw new Failure('unavailable', 'not ready');
}

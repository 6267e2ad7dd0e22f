/**
 * The door of the subtitle engine: pure functions over bytes, text and cues. It opens no file, no
 * connection and no process, so it can be used and tested without the server.
 */
export type {
  Anchor,
  Cue,
  CueSettings,
  Format,
  Placement,
  ReadOptions,
  Region,
  Span,
  SubtitleDocument,
  Warning,
} from './cue.ts';
export { inOrder, plainText, spansOf } from './cue.ts';
export { LIMITS } from './limits.ts';
export type { DecodedText } from './decode.ts';
export { decodeText } from './decode.ts';
export { detectFormat } from './detect.ts';
export type { ReadSubtitle } from './read.ts';
export { readSubtitle, readText } from './read.ts';
export { convert, mediaType } from './convert.ts';
export { SUBTITLE_FORMAT_TABLE, subtitleFormat } from './formats.ts';
export { toAss } from './formats/ass.ts';
export { toSrt } from './formats/srt.ts';
export { toVtt } from './formats/vtt.ts';
export { markedText } from './formats/write-srt.ts';
export type { VttStream } from './webvtt/stream.ts';
export { createVttStream } from './webvtt/stream.ts';
export type { LanguageEvidence } from './language.ts';
export { detectLanguage } from './language.ts';
export type { HearingImpaired } from './hearing-impaired.ts';
export { detectHearingImpaired } from './hearing-impaired.ts';
export type { CueWarning, Quality } from './quality.ts';
export { measureQuality } from './quality.ts';
export type { AppliedNote } from './clean/clean.ts';
export type { ChangeResult, Changes } from './change/change.ts';
export type { Alignment, AlignmentEvidence, Segment } from './align/types.ts';
export { changeCues } from './change/change.ts';
export { reworded } from './clean/text.ts';
export type { ChangeRow } from './change/rows.ts';
export { unpaired } from './change/rows.ts';
export type { Timing } from './change/timing.ts';
export type { Picture, PictureDocument, Pixels } from './pictures/picture.ts';
export { PICTURE_LIMITS, withinPixelLimit, withoutFades } from './pictures/picture.ts';
export { pgsSteps, readPgs } from './pictures/pgs.ts';
export { createSupShift, supSteps } from './pictures/write-pgs.ts';
export { inTurns } from './pictures/steps.ts';
export type { VobSubIndex, VobSubTrack } from './pictures/vobsub-index.ts';
export { vobSubIndexSteps } from './pictures/vobsub-index.ts';
export { readVobSub, readVobSubBlocks } from './pictures/vobsub.ts';
export { readMatroskaTrack } from './pictures/matroska.ts';
export { prepare, usualLetter } from './pictures/prepare.ts';
export type { Page } from './pictures/lines.ts';
export { findLines } from './pictures/lines.ts';
export { withoutNotes } from './pictures/notes.ts';
export { tiffOf } from './pictures/tiff.ts';

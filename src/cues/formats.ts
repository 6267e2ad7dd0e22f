/**
 * The table of subtitle formats. Everything that names formats derives from it: detection, reading and writing, the
 * names of sidecars, what providers' archives are searched for, media types, and by the generated
 * `contract/subtitles/formats.ts` the API and the dashboard.
 *
 * To add one: write `formats/<id>.ts` and its test, add a line here, and run `npm run docs`.
 */
import type { Format } from './cue.ts';
import { ass, ssa } from './formats/ass.ts';
import type { SubtitleFormat } from './formats/format.ts';
import { microdvd } from './formats/microdvd.ts';
import { mpl2 } from './formats/mpl2.ts';
import { sami } from './formats/sami.ts';
import { srt } from './formats/srt.ts';
import { ttml } from './formats/ttml.ts';
import { vtt } from './formats/vtt.ts';

/** In the order of detection: marks that only one format has come first, SRT with its loose times comes last. */
export const SUBTITLE_FORMAT_TABLE: readonly SubtitleFormat<Format>[] = [
  vtt,
  ttml,
  sami,
  ssa,
  ass,
  microdvd,
  mpl2,
  srt,
];

export const FORMAT_IDS: readonly Format[] = SUBTITLE_FORMAT_TABLE.map(({ id }) => id);
const BY_ID = new Map(SUBTITLE_FORMAT_TABLE.map((format) => [format.id, format]));

/** Returns the declaration of a format. */
export function subtitleFormat(id: Format): SubtitleFormat<Format> {
  const format = BY_ID.get(id);
  if (!format) throw new Error(`the table of subtitle formats has no ${id}`);
  return format;
}

/** Imported files: whether one can be taken, and its bytes as they are sent. */
import { SUBTITLE_FORMATS } from '../../../contract/subtitles/formats.ts';
import { size } from '../../lib/format.ts';
import { MAX_FILE } from './settings.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

/** File endings that the file picker offers. */
export const ACCEPTED = [
  ...new Set(SUBTITLE_FORMATS.flatMap(({ extensions, importExtensions }) => [...extensions, ...importExtensions])),
]
  .map((ending) => `.${ending}`)
  .join();
const PICTURES = /\.(sup|idx|mks)$/i;
const VIDEOS = /\.(mkv|mp4|m4v|avi|mov|webm|ts)$/i;
const ARCHIVES = /\.(zip|rar|7z|gz|tar)$/i;

/** Why a file cannot be taken; undefined when it may be tried. */
export function fileFault({ name, size: bytes }: { name: string; size: number }): string | undefined {
  if (PICTURES.test(name)) return m.theseAreImageSubtitlesPut;
  if (VIDEOS.test(name)) return m.thisIsAVideoChoose;
  if (ARCHIVES.test(name)) return m.thisIsAnArchiveUnpack;
  if (bytes === 0) return m.thisFileIsEmpty;
  if (bytes > MAX_FILE) return m.thisFileHasMoreThan({ size: size(bytes), size2: size(MAX_FILE) });
  return undefined;
}

const PIECE = 0x8000;
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

/**
 * Fonts that come with a film in Matroska, for the subtitles in it that ask for them by name. They are read out of the
 * film itself.
 */
import type { Stream } from '../../catalog/index.ts';
import { found } from '../../lib/failure.ts';
import type { OpenFile } from '../../lib/files.ts';
import { type FontPlace, MAX_FONTS } from '../media-index/matroska/fonts.ts';
import type { MediaSource } from '../rendition.ts';

export interface OpenFont {
  type: string;
  file: OpenFile;
}

const FONT_CODECS: ReadonlySet<string> = new Set(['ttf', 'otf', 'ttc']);
const FONT_NAME = /\.(ttf|otf|ttc|woff2?)$/i;

/** Returns how many of the streams of a file are fonts; players ask for them by number. */
export const countFonts = (streams: readonly Pick<Stream, 'type' | 'codec' | 'fileName'>[]): number =>
  Math.min(
    MAX_FONTS,
    streams.filter(
      ({ type, codec, fileName }) =>
        type === 'attachment' && (FONT_CODECS.has(codec) || FONT_NAME.test(fileName ?? '')),
    ).length,
  );

/** Opens a font of a file, by its number in the order of the file. Fails as `missing` where there is none. */
export async function openFont(source: MediaSource, fonts: readonly FontPlace[], number: number): Promise<OpenFont> {
  const { at, size, type } = found(fonts[number], 'no such font', 'no-such-font');
  const file = await source.open();
  return {
    type,
    file: {
      ...file,
      size,
      read: (into, position) =>
        file.read(into.subarray(0, Math.max(0, Math.min(into.length, size - position))), at + position),
      close: () => file.close(),
    },
  };
}

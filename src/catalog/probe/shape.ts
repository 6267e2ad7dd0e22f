/**
 * Rules that both readers share: rounding, kept tags, and the names of titles, bit depth, dynamic range and pixel
 * shape.
 *
 * Promise: pure functions; the header reader and the mapping of ffprobe's reply pass all raw values through these, so
 * equal files have equal results.
 */

import type { Hdr, MediaInfo, Stream, StreamType } from './types.ts';

/** Tags of a file that are kept, in lower case. The others (encoder, brands, statistics) are of no use to viewers. */
export const KEPT_TAGS: ReadonlySet<string> = new Set([
  'title',
  'artist',
  'album',
  'album_artist',
  'composer',
  'genre',
  'date',
  'comment',
  'description',
  'synopsis',
  'track',
  'disc',
  'show',
  'network',
  'season_number',
  'episode_id',
  'episode_sort',
  'compilation',
  'grouping',
  'lyrics',
  'sort_name',
  'sort_artist',
  'sort_album',
  'sort_album_artist',
  'sort_composer',
  'sort_show',
  'copyright',
  'media_type',
  'hd_video',
  'gapless_playback',
  'imdb',
  'tmdb',
  'tvdb',
  'keywords',
  'director',
]);

const longestText = 4096;

/** Returns seconds with 3 decimals, through whole microseconds as ffmpeg counts them. */
export const seconds = (value: number): number => Math.round(Math.trunc(value * 1e6 + 1e-3) / 1000) / 1000;

export const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Cuts a text of the file to its maximum length; undefined if it is empty. */
export const cutText = (value: string | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : value.length > longestText ? value.slice(0, longestText) : value;

export const keepTags = (pairs: Iterable<readonly [string, string]>): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const clean = cutText(value);
    if (KEPT_TAGS.has(key) && clean !== undefined) kept[key] = clean;
  }
  return kept;
};

/** Returns a track's name; a handler name counts only if a person wrote it. */
export const streamTitle = (title: string | undefined, handler: string | undefined): string | undefined => {
  if (cutText(title) !== undefined) return cutText(title);
  if (
    cutText(handler) === undefined ||
    /handler|gpac|iso media|mainconcept|alias data|\(c\)|^apple/i.test(handler ?? '')
  )
    return undefined;
  return cutText(handler);
};

export const languageOf = (language: string | undefined): string | undefined =>
  language === undefined || language === '' || language === 'und' ? undefined : language;

export const bitDepthOf = (pixelFormat: string): number => {
  const found = /(9|10|12|14|16)(?:le|be)$/.exec(pixelFormat)?.[1];
  return found === undefined ? 8 : Number(found);
};

/** `transfer` is ffmpeg's name of the transfer characteristic. */
export const hdrOf = (transfer: string | undefined, isDolbyVision: boolean): Hdr | undefined => {
  if (isDolbyVision) return 'dolby-vision';
  if (transfer === 'smpte2084') return 'hdr10';
  return transfer === 'arib-std-b67' ? 'hlg' : undefined;
};

/** Returns undefined for square pixels and for impossible ones. */
export const sampleAspectOf = (wide: number, high: number): number | undefined => {
  if (!(wide > 0) || !(high > 0)) return undefined;
  const value = rounded(wide / high);
  return Math.abs(value - 1) < 0.003 ? undefined : value;
};

export const rotationOf = (clockwise: number): number | undefined => {
  const turned = ((Math.round(clockwise) % 360) + 360) % 360;
  return turned === 0 ? undefined : turned;
};

const fontTypes: Readonly<Record<string, string>> = {
  'application/x-truetype-font': 'ttf',
  'application/x-font-ttf': 'ttf',
  'font/ttf': 'ttf',
  'font/sfnt': 'ttf',
  'application/x-font': 'ttf',
  'application/vnd.ms-opentype': 'otf',
  'application/x-font-otf': 'otf',
  'font/otf': 'otf',
  'font/collection': 'ttc',
  'text/plain': 'text',
};

/** Returns a short name of an attachment's type, from its media type. */
export const attachmentCodec = (mimeType: string | undefined): string =>
  (mimeType === undefined ? undefined : fontTypes[mimeType.toLowerCase()]) ?? 'unknown';

/** Returns a stream of which only the type and codec are known. */
export const bareStream = (index: number, type: StreamType, codec: string): Stream => ({
  index,
  type,
  codec,
  default: false,
  forced: false,
  hearingImpaired: false,
  commentary: false,
  original: false,
  cover: false,
});

/** Sets a field of a stream unless it is undefined, so that results compare and store plainly. */
export const put = <K extends keyof Stream>(stream: Stream, name: K, value: Stream[K] | undefined): void => {
  if (value !== undefined) stream[name] = value;
};

/** Adds the bit rate of the whole file, which follows from size and duration. */
export const finish = (info: MediaInfo): MediaInfo => {
  if (info.duration !== undefined && info.duration > 0) info.bitrate = Math.round((info.size * 8) / info.duration);
  return info;
};

/**
 * Returns the end of a chapter. One that ends within a tenth of a second of the end of the file, or after it, ends with
 * the file: ffmpeg counts from the first packet's time, which no header states.
 */
export const lastEnd = (end: number, duration: number | undefined): number =>
  duration !== undefined && end > duration - 0.1 ? duration : end;

/** Facts that people use, from the streams of a file: resolution, dynamic range, codecs and languages of the sound. */
import { parseLanguage } from '../../lib/languages.ts';
import type { MediaInfo, Stream } from './types.ts';

/** Returns the video stream that is played; covers are not played. */
const pictureOf = (info: MediaInfo | undefined): Stream | undefined =>
  info?.streams.find(({ type, cover }) => type === 'video' && !cover);

export const heightOf = (info: MediaInfo | undefined): number => pictureOf(info)?.height ?? 0;
const pixelsOf = (info: MediaInfo | undefined): number => {
  const video = pictureOf(info);
  return (video?.width ?? 0) * (video?.height ?? 0);
};

const isStill = (info: MediaInfo | undefined): boolean => info?.duration === undefined && info?.capture !== undefined;

/** More than the pixels of any picture. */
const BEFORE_ALL = 1e12;
/** Returns what the versions of an item are sorted by: pictures before raw files and clips, then the largest. */
export const rankOf = (info: MediaInfo | undefined): number =>
  pixelsOf(info) + (!isStill(info) ? 0 : info?.capture?.isRaw === true ? BEFORE_ALL : 2 * BEFORE_ALL);

/** Returns the height class that people speak of. Wide films are judged by their width, old ones by their height. */
export function resolutionOf(info: MediaInfo | undefined): string | undefined {
  const video = isStill(info) ? undefined : pictureOf(info);
  if (!video?.width || !video.height) return undefined;
  const [width, height] =
    video.rotation === 90 || video.rotation === 270 ? [video.height, video.width] : [video.width, video.height];
  if (width >= 7000 || height >= 4000) return '8k';
  if (width >= 3200 || height >= 1700) return '4k';
  if (width >= 1800 || height >= 1000) return '1080p';
  return width >= 1200 || height >= 700 ? '720p' : 'sd';
}

/** Returns the languages of the audio tracks, without those of commentaries. */
export function languagesOf(info: MediaInfo | undefined): string[] {
  const tags = (info?.streams ?? [])
    .filter(({ type, commentary }) => type === 'audio' && !commentary)
    .map(({ languageTag, language }) => parseLanguage(languageTag ?? language ?? ''));
  return [...new Set(tags.filter((tag): tag is string => tag !== undefined))];
}

/** Returns the class of high dynamic range of the video; undefined for standard range. */
export const dynamicRangeOf = (info: MediaInfo | undefined): string | undefined => pictureOf(info)?.hdr;

/** Returns the codecs of the video and sound of files, each once. */
export function codecsOf(infos: readonly (MediaInfo | undefined)[]): string[] {
  const played = infos
    .flatMap((info) => info?.streams ?? [])
    .filter(({ type, cover }) => (type === 'video' && !cover) || type === 'audio');
  return [...new Set(played.map(({ codec }) => codec))];
}

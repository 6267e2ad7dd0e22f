/** Facts that people use, from the streams of a file: its resolution class and the languages of its sound. */
import { parseLanguage } from '../../lib/languages.ts';
import type { MediaInfo, Stream } from './types.ts';

/** Returns the video stream that is played; covers are not played. */
const pictureOf = (info: MediaInfo | undefined): Stream | undefined =>
  info?.streams.find(({ type, cover }) => type === 'video' && !cover);

export const heightOf = (info: MediaInfo | undefined): number => pictureOf(info)?.height ?? 0;
export const pixelsOf = (info: MediaInfo | undefined): number => {
  const video = pictureOf(info);
  return (video?.width ?? 0) * (video?.height ?? 0);
};

/** Returns the height class that people speak of. Wide films are judged by their width, old ones by their height. */
export function resolutionOf(info: MediaInfo | undefined): string | undefined {
  const video = pictureOf(info);
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

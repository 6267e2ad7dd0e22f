/** Compares streams with what a client says that it plays. Pure. */
import type { MediaInfo, Stream } from '../../catalog/index.ts';
import { codecName, containerName, profileName } from './names.ts';
import type { Client, IndexFacts } from './types.ts';

/** Returns the video that is played: the first one that is no cover. */
export const videoOf = (info: MediaInfo | undefined): Stream | undefined =>
  info?.streams.find(({ type, cover }) => type === 'video' && !cover);
export const audiosOf = (info: MediaInfo | undefined): Stream[] =>
  (info?.streams ?? []).filter(({ type }) => type === 'audio');
/** Whether the index has found a track without a single packet. */
export const isEmpty = ({ index: stream }: Pick<Stream, 'index'>, facts: IndexFacts | undefined): boolean =>
  facts?.tracks.get(stream)?.obstacles.includes('empty') === true;
/** Returns the audio that a player starts with: the default track, otherwise the first. */
export const usualAudio = (info: MediaInfo | undefined): Stream | undefined => usualAmong(audiosOf(info));
export const usualAmong = (all: readonly Stream[]): Stream | undefined =>
  all.find((stream) => stream.default) ?? all[0];

/**
 * Profiles that every player of a codec has, so that naming the codec is enough. Others are named as `codec-profile`.
 */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  h264: ['baseline', 'constrainedbaseline', 'main', 'high', 'progressivehigh', 'constrainedhigh'],
  hevc: ['main', 'main10', 'mainstillpicture'],
  vp9: ['profile0', 'profile2'],
  av1: ['main'],
};

export function supportOf(
  { type, codec, profile }: Pick<Stream, 'type' | 'codec' | 'profile'>,
  codecs: ReadonlySet<string> | undefined,
): 'full' | 'other-profile' | 'none' {
  if (!codecs) return 'full';
  const name = codecName(codec);
  const own = profileName(profile ?? '');
  if (own !== '' && codecs.has(`${name}-${own}`)) return 'full';
  if (codecs.has(name))
    return type !== 'video' || own === '' || !USUAL[name] || USUAL[name].includes(own) ? 'full' : 'other-profile';
  return [...codecs].some((one) => one.startsWith(`${name}-`)) ? 'other-profile' : 'none';
}

/**
 * Returns whether a client names a feature of a codec, such as `h264-opengop`. A client that names no video codecs has
 * all features.
 */
export const hasFeature = (
  { codec }: Pick<Stream, 'codec'>,
  { videoCodecs }: Client,
  feature: 'opengop' | 'interlaced' | 'rotated' | 'converted',
): boolean => !videoCodecs || videoCodecs.has(`${codecName(codec)}-${feature}`);

/** Codecs of broadcasts and DVDs: every player of them shows interlaced pictures. */
const OFTEN_INTERLACED: ReadonlySet<string> = new Set(['mpeg2video', 'mpeg1video', 'vc1', 'dvvideo']);
export const showsInterlaced = (video: Pick<Stream, 'codec'>, client: Client): boolean =>
  OFTEN_INTERLACED.has(codecName(video.codec)) || hasFeature(video, client, 'interlaced');

export function opens(container: string, { containers }: Client): boolean {
  const name = containerName(container);
  // WebM is a Matroska file with fewer codecs.
  return !containers || containers.has(name) || (name === 'webm' && containers.has('matroska'));
}

export type DynamicRange = 'sdr' | 'hdr10' | 'hlg' | 'dolby-vision';

/**
 * Returns the range of the base layer, which a player without Dolby Vision shows. Undefined where its colours would be
 * wrong.
 */
export function baseRangeOf({
  hdr,
  dolbyVision,
}: Pick<Stream, 'hdr' | 'dolbyVision'>): Exclude<DynamicRange, 'dolby-vision'> | undefined {
  if (hdr !== 'dolby-vision') return hdr ?? 'sdr';
  // Discs have profile 7, whose base layer is HDR10 whatever the number says.
  if (dolbyVision?.profile === 7) return 'hdr10';
  return BASES[dolbyVision?.compatibility ?? 0];
}
/** Ranges of base layers by bl_signal_compatibility_id. */
const BASES: Readonly<Record<number, 'sdr' | 'hdr10' | 'hlg'>> = { 1: 'hdr10', 2: 'sdr', 4: 'hlg', 6: 'hdr10' };

/** Returns the range in which a client shows the stream as it is; undefined when it does not show it. */
export function shownRange(
  video: Pick<Stream, 'hdr' | 'dolbyVision'>,
  { hdrFormats }: Client,
): DynamicRange | undefined {
  const { hdr, dolbyVision } = video;
  if (!hdrFormats) return hdr ?? 'sdr';
  if (hdr === 'dolby-vision') {
    const { profile, compatibility } = dolbyVision ?? {};
    // Televisions that say Dolby Vision do not decode the second layer of profile 7.
    const names = [
      `dolby-vision-${profile}`,
      `dolby-vision-${profile}.${compatibility}`,
      ...(profile === 7 ? [] : ['dolby-vision']),
    ];
    if (names.some((name) => hdrFormats.has(name))) return 'dolby-vision';
  }
  const base = baseRangeOf(video);
  return base === 'sdr' || (base !== undefined && hdrFormats.has(base)) ? base : undefined;
}

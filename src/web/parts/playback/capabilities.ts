/**
 * Lists what this browser can play, with the server's names. The browser is asked once by content type; nothing
 * is guessed from its name, so that new codecs are used as soon as it supports them.
 */
import { canDrawStyles } from './styled-support.ts';
import { takesType } from './stream-support.ts';
import { delay, pendingUntil } from '../../lib/pending-work.ts';

/** Part of a media element: whether it can play a content type ("", "maybe" or "probably"). */
export type CanPlay = (type: string) => string;
/** Lists for the query of a playback plan: names with commas between them. */
export interface Capabilities {
  videoCodecs: string;
  audioCodecs: string;
  containers: string;
  hdrFormats: string;
  subtitleFormats: string;
  maxAudioChannels: number;
}
/**
 * Something that this browser claimed and then could not play: `copied` is video of this codec as the file has it,
 * `video` also what the server converts to the codec.
 */
export type Exclusion = { copied: string } | { video: string } | { audio: string } | { container: string };

/** Returns the capabilities without something that failed. A codec is removed with its profiles. */
export function without(all: Capabilities, avoided: Exclusion): Capabilities {
  const less = (names: string, name: string): string =>
    names
      .split(',')
      .filter((one) => one !== name && !one.startsWith(`${name}-`))
      .join();
  if ('copied' in avoided) {
    const { copied } = avoided;
    const others = less(all.videoCodecs, copied);
    const isPlayed = others !== all.videoCodecs;
    return { ...all, videoCodecs: [others, isPlayed && `${copied}-converted`].filter(Boolean).join() };
  }
  if ('video' in avoided) return { ...all, videoCodecs: less(all.videoCodecs, avoided.video) };
  if ('audio' in avoided) return { ...all, audioCodecs: less(all.audioCodecs, avoided.audio) };
  return { ...all, containers: less(all.containers, avoided.container) };
}

/**
 * Any one of the types that works is enough: engines differ in which container they answer for. A bare name
 * stands for the usual profiles of a codec, ten-bit HEVC and VP9 among them; other profiles have their own name.
 */
const VIDEO: Readonly<Record<string, readonly string[]>> = {
  h264: ['video/mp4; codecs="avc1.640028"', 'video/mp4; codecs="avc1.42E01E"'],
  'h264-high10': ['video/mp4; codecs="avc1.6E0028"'],
  'h264-high422': ['video/mp4; codecs="avc1.7A0028"'],
  'h264-high444predictive': ['video/mp4; codecs="avc1.F40028"'],
  hevc: ['video/mp4; codecs="hvc1.2.4.L153.B0"', 'video/mp4; codecs="hev1.2.4.L153.B0"'],
  'hevc-main': ['video/mp4; codecs="hvc1.1.6.L120.90"', 'video/mp4; codecs="hev1.1.6.L120.90"'],
  av1: ['video/mp4; codecs="av01.0.08M.08"', 'video/webm; codecs="av01.0.08M.08"'],
  vp9: ['video/webm; codecs="vp09.02.40.10"', 'video/mp4; codecs="vp09.02.40.10"'],
  'vp9-profile0': [
    'video/webm; codecs="vp09.00.40.08"',
    'video/webm; codecs="vp9"',
    'video/mp4; codecs="vp09.00.40.08"',
  ],
  vp8: ['video/webm; codecs="vp8"'],
  mpeg4: ['video/mp4; codecs="mp4v.20.9"', 'video/mp4; codecs="mp4v.20.8"'],
  mpeg2video: ['video/mp2t; codecs="mp2v"', 'video/mpeg; codecs="mp2v"'],
  theora: ['video/ogg; codecs="theora"'],
};
const AUDIO: Readonly<Record<string, readonly string[]>> = {
  aac: ['audio/mp4; codecs="mp4a.40.2"'],
  mp3: ['audio/mpeg', 'audio/mp4; codecs="mp3"', 'audio/mp4; codecs="mp4a.6B"'],
  opus: ['audio/webm; codecs="opus"', 'audio/mp4; codecs="opus"', 'audio/ogg; codecs="opus"'],
  vorbis: ['audio/webm; codecs="vorbis"', 'audio/ogg; codecs="vorbis"'],
  flac: ['audio/mp4; codecs="flac"', 'audio/flac'],
  alac: ['audio/mp4; codecs="alac"'],
  ac3: ['audio/mp4; codecs="ac-3"'],
  eac3: ['audio/mp4; codecs="ec-3"'],
  dts: ['audio/mp4; codecs="dtsc"', 'audio/mp4; codecs="dts-"'],
  truehd: ['audio/mp4; codecs="mlpa"'],
  pcm_s16le: ['audio/wav; codecs="1"'],
};
const CONTAINERS: Readonly<Record<string, readonly string[]>> = {
  mp4: ['video/mp4'],
  mov: ['video/quicktime'],
  matroska: ['video/x-matroska', 'video/matroska'],
  webm: ['video/webm'],
  ogg: ['video/ogg'],
  mpegts: ['video/mp2t'],
  mp3: ['audio/mpeg'],
  flac: ['audio/flac'],
  wav: ['audio/wav'],
};
const DOLBY_VISION = ['video/mp4; codecs="dvh1.05.06"', 'video/mp4; codecs="dvhe.05.06"'];

const named = (table: Readonly<Record<string, readonly string[]>>, canPlay: CanPlay): string =>
  Object.entries(table)
    .filter(([, types]) => types.some((type) => canPlay(type) !== ''))
    .map(([name]) => name)
    .join();

/** Codecs that the server puts into fragmented MP4; all others it converts for a stream. */
const STREAMED = new Set([
  'h264',
  'h264-high10',
  'h264-high422',
  'h264-high444predictive',
  'hevc',
  'hevc-main',
  'av1',
  'vp9',
  'vp9-profile0',
  'aac',
  'mp3',
  'opus',
  'flac',
  'alac',
  'ac3',
  'eac3',
]);
const TURNED = new Set(['h264', 'hevc', 'av1', 'vp9']);
/** Browsers decode eight channels and mix them down to what the device has. */
const MAX_CHANNELS = 8;

export interface FormatTests {
  /** Names of high dynamic range that it can show. */
  hdr?: readonly string[];
  /** Whether Media Source Extensions accept a type; undefined if there are none. */
  takes?: (type: string) => boolean | undefined;
  /** Whether styled subtitles can be drawn as they are. */
  drawsStyles?: boolean;
}
/**
 * Asks a media element. A codec that it plays from a file but not from a stream is left out, because the server would
 * copy it into a stream.
 */
export function capabilitiesOf(
  canPlay: CanPlay,
  { hdr = [], takes = () => undefined, drawsStyles = false }: FormatTests = {},
): Capabilities {
  const streams = (types: readonly string[]): boolean =>
    types.some((type) => /^(video|audio)\/mp4/.test(type) && takes(type) !== false);
  const coded = (table: Readonly<Record<string, readonly string[]>>): string =>
    named(
      Object.fromEntries(Object.entries(table).filter(([name, types]) => !STREAMED.has(name) || streams(types))),
      canPlay,
    );
  const video = coded(VIDEO);
  // Streams that lie on their side are turned by every engine with Media Source Extensions, as measured in Chromium.
  const turned = video
    .split(',')
    .filter(
      (name) => TURNED.has(name) && takes(VIDEO[name]?.find((type) => type.startsWith('video/mp4')) ?? '') === true,
    );
  return {
    videoCodecs: [...(video === '' ? [] : [video]), ...turned.map((name) => `${name}-rotated`)].join(),
    audioCodecs: coded(AUDIO),
    containers: named(CONTAINERS, canPlay),
    hdrFormats: [...hdr, ...(DOLBY_VISION.some((type) => canPlay(type) !== '') ? ['dolby-vision'] : [])].join(),
    subtitleFormats: ['vtt', ...(drawsStyles ? ['ass'] : []), 'pgs', 'vobsub'].join(),
    maxAudioChannels: MAX_CHANNELS,
  };
}

const HDR_TRIALS = [
  { name: 'hdr10', transferFunction: 'pq', hdrMetadataType: 'smpteSt2086' },
  { name: 'hlg', transferFunction: 'hlg' },
] as const;
const HDR_TYPES = [
  'video/mp4; codecs="hvc1.2.4.L153.B0"',
  'video/webm; codecs="vp09.02.51.10.01.09.16.09.00"',
  'video/mp4; codecs="av01.0.12M.10.0.110.09.16.09.0"',
];
/** An engine that never answers must not hold the film up. */
const ANSWER_WITHIN_MS = 700;

async function hdrFormats(): Promise<string[]> {
  const { mediaCapabilities } = navigator;
  if (!mediaCapabilities) return [];
  const can = async ({ name, ...kind }: (typeof HDR_TRIALS)[number]): Promise<string | undefined> => {
    for (const contentType of HDR_TYPES) {
      const video = {
        contentType,
        width: 3840,
        height: 2160,
        bitrate: 20_000_000,
        framerate: 24,
        colorGamut: 'rec2020',
        ...kind,
      };
      const { supported } = await mediaCapabilities
        .decodingInfo({ type: 'file', video } as MediaDecodingConfiguration)
        .catch(() => ({ supported: false }));
      if (supported) return name;
    }
    return undefined;
  };
  const late = delay(ANSWER_WITHIN_MS, { isBackground: true }).then((): (string | undefined)[] => []);
  const found = await Promise.race([Promise.all(HDR_TRIALS.map(can)), late]);
  return found.filter((name) => name !== undefined);
}

let found: Promise<Capabilities> | undefined;
/** This browser's capabilities; asked once while the page lives. */
export const capabilities = (): Promise<Capabilities> => {
  found ??= pendingUntil('task', hdrFormats())
    .catch(() => [])
    .then((hdr) => {
      const element = document.createElement('video');
      return capabilitiesOf((type) => element.canPlayType(type), {
        hdr,
        takes: takesType,
        drawsStyles: canDrawStyles(),
      });
    });
  return found;
};

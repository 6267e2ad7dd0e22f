/**
 * The content type of a file with its codecs, as a media element is asked whether it can play it.
 *
 * Sources: RFC 6381; ISO/IEC 14496-15 annex E for avc1 and hvc1; the VP9 and AV1 bindings to ISO BMFF
 * for vp09 and av01. A codec that has no such name is undefined, and then the type has no codecs at all:
 * half a list would say that the rest is not there.
 */
import type { Stream } from '../../catalog/index.ts';
import { codecName, profileName } from './names.ts';

const VIDEO_TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  matroska: 'video/x-matroska',
  webm: 'video/webm',
  mpegts: 'video/mp2t',
  mpeg: 'video/mpeg',
  avi: 'video/x-msvideo',
  asf: 'video/x-ms-wmv',
  flv: 'video/x-flv',
  ogg: 'video/ogg',
};
/** Pictures, which browsers show. A raw file is only downloaded. */
const PICTURE_TYPES: Readonly<Record<string, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  tiff: 'image/tiff',
  heic: 'image/heic',
  avif: 'image/avif',
};
const AUDIO_TYPES: Readonly<Record<string, string>> = {
  mp4: 'audio/mp4',
  mov: 'audio/mp4',
  matroska: 'audio/x-matroska',
  webm: 'audio/webm',
  ogg: 'audio/ogg',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  aac: 'audio/aac',
  aiff: 'audio/aiff',
  asf: 'audio/x-ms-wma',
  ac3: 'audio/ac3',
  eac3: 'audio/eac3',
  dts: 'audio/vnd.dts',
};
const EXTENSIONS: Readonly<Record<string, string>> = {
  mp4: 'mp4',
  m4v: 'mp4',
  mov: 'mov',
  mkv: 'matroska',
  webm: 'webm',
  ts: 'mpegts',
  m2ts: 'mpegts',
  mts: 'mpegts',
  mpg: 'mpeg',
  mpeg: 'mpeg',
  vob: 'mpeg',
  avi: 'avi',
  divx: 'avi',
  wmv: 'asf',
  asf: 'asf',
  flv: 'flv',
  ogv: 'ogg',
  ogm: 'ogg',
  mp3: 'mp3',
  flac: 'flac',
  m4a: 'mp4',
  m4b: 'mp4',
  ogg: 'ogg',
  opus: 'ogg',
  wav: 'wav',
  aac: 'aac',
  wma: 'asf',
  mka: 'matroska',
  aiff: 'aiff',
};

/** Returns the media type of a container, or that of the extension if the file was not probed. */
export function mediaTypeOf({
  container,
  extension,
  hasVideo = true,
}: {
  container: string | undefined;
  extension: string;
  hasVideo?: boolean;
}): string {
  const lower = extension.toLowerCase();
  const name = container ?? (Object.hasOwn(EXTENSIONS, lower) ? EXTENSIONS[lower] : undefined) ?? '';
  const [first, second] = hasVideo ? [VIDEO_TYPES, AUDIO_TYPES] : [AUDIO_TYPES, VIDEO_TYPES];
  const type = [first, second, PICTURE_TYPES].find((types) => Object.hasOwn(types, name))?.[name];
  return type ?? 'application/octet-stream';
}

/** `video/mp4; codecs="avc1.640028,mp4a.40.2"`. */
export function typeWithCodecs({
  container,
  extension,
  streams,
}: {
  container: string | undefined;
  extension: string;
  streams: readonly Stream[];
}): string {
  const type = mediaTypeOf({ container, extension, hasVideo: streams.some((s) => s.type === 'video') });
  const names = streams.map((stream) => codecString(stream, container));
  return names.length === 0 || names.includes(undefined) ? type : `${type}; codecs="${names.join(',')}"`;
}

/** The codecs element of one video or audio stream. */
export function codecString(stream: Stream, container?: string): string | undefined {
  const isMp4 = container === 'mp4' || container === 'mov';
  switch (codecName(stream.codec)) {
    case 'h264':
      return avc(stream);
    case 'hevc':
      return hevc(stream);
    case 'vp9':
      return vp9(stream);
    case 'av1':
      return av1(stream);
    case 'vp8':
      return isMp4 ? 'vp08.00.41.08' : 'vp8';
    case 'theora':
      return 'theora';
    case 'mpeg4':
      return profileName(stream.profile ?? '').startsWith('advanced') ? 'mp4v.20.240' : 'mp4v.20.9';
    case 'mpeg2video':
      return 'mp4v.61';
    case 'aac':
      return AAC[profileName(stream.profile ?? '')] ?? 'mp4a.40.2';
    case 'mp3':
      return isMp4 ? 'mp4a.6B' : 'mp3';
    case 'opus':
      return 'opus';
    case 'flac':
      return 'flac';
    case 'vorbis':
      return 'vorbis';
    case 'alac':
      return 'alac';
    case 'ac3':
      return 'ac-3';
    case 'eac3':
      return 'ec-3';
    case 'ac4':
      return 'ac-4';
    case 'dts':
      return profileName(stream.profile ?? '').includes('ma')
        ? 'dtsl'
        : profileName(stream.profile ?? '').includes('hd')
          ? 'dtsh'
          : 'dtsc';
    case 'truehd':
      return 'mlpa';
    default:
      return undefined;
  }
}

/** ISO/IEC 14496-3: the audio object type behind 40. */
const AAC: Readonly<Record<string, string>> = {
  main: 'mp4a.40.1',
  lc: 'mp4a.40.2',
  ssr: 'mp4a.40.3',
  ltp: 'mp4a.40.4',
  heaac: 'mp4a.40.5',
  heaacv2: 'mp4a.40.29',
  ld: 'mp4a.40.23',
  eld: 'mp4a.40.39',
  xheaac: 'mp4a.40.42',
};

/** profile_idc and the constraint flags, by the name in a probe. */
const AVC: Readonly<Record<string, string>> = {
  baseline: '4200',
  constrainedbaseline: '42E0',
  extended: '5800',
  main: '4D40',
  high: '6400',
  progressivehigh: '6408',
  constrainedhigh: '640C',
  high10: '6E00',
  high10intra: '6E10',
  high422: '7A00',
  high422intra: '7A10',
  high444: '9000',
  high444predictive: 'F400',
  high444intra: 'F410',
  cavlc444: '4400',
  cavlc444intra: '4400',
};
const hex = (number: number): string => number.toString(16).toUpperCase().padStart(2, '0');

function avc({ profile, level, bitDepth }: Stream): string | undefined {
  const known =
    AVC[profileName(profile ?? '')] ?? (profile === undefined && (bitDepth ?? 8) === 8 ? '6400' : undefined);
  if (known === undefined) return undefined;
  // Level 1b of the baseline and main profiles is level 1.1 with the fourth flag.
  if (level === 9) return `avc1.${known.slice(0, 2)}${hex(parseInt(known.slice(2), 16) | 0x10)}0B`;
  return `avc1.${known}${hex(level !== undefined && level > 0 ? level : 40)}`;
}

/** general_profile_idc and the compatibility flags, bit-reversed. */
const HEVC: Readonly<Record<string, string>> = { main: '1.6', main10: '2.4', mainstillpicture: '3.E', rext: '4.10' };

function hevc({ profile, level, bitDepth }: Stream): string | undefined {
  const known =
    HEVC[profileName(profile ?? '')] ??
    (profile === undefined ? HEVC[(bitDepth ?? 8) > 8 ? 'main10' : 'main'] : undefined);
  return known === undefined ? undefined : `hvc1.${known}.L${level !== undefined && level > 0 ? level : 120}.B0`;
}

/** VP9's levels: the most luma samples a second, and in one picture. */
const VP9_LEVELS: readonly (readonly [level: number, rate: number, picture: number])[] = [
  [10, 829_440, 36_864],
  [11, 2_764_800, 73_728],
  [20, 4_608_000, 122_880],
  [21, 9_216_000, 245_760],
  [30, 20_736_000, 552_960],
  [31, 36_864_000, 983_040],
  [40, 83_558_400, 2_228_224],
  [41, 160_432_128, 2_228_224],
  [50, 311_951_360, 8_912_896],
  [51, 588_251_136, 8_912_896],
  [52, 1_176_502_272, 8_912_896],
  [60, 1_176_502_272, 35_651_584],
  [61, 2_353_004_544, 35_651_584],
  [62, 4_706_009_088, 35_651_584],
];
function vp9({ profile, width = 1920, height = 1080, frameRate = 30, bitDepth }: Stream): string {
  const number = /\d/.exec(profile ?? '')?.[0] ?? ((bitDepth ?? 8) > 8 ? '2' : '0');
  const samples = width * height;
  const [level] = VP9_LEVELS.find(([, rate, picture]) => samples <= picture && samples * frameRate <= rate) ?? [62];
  return `vp09.0${number}.${level}.${String(bitDepth ?? (number === '2' || number === '3' ? 10 : 8)).padStart(2, '0')}`;
}

/** AV1's levels (annex A.3): seq_level_idx, the most luma samples of a picture and a second. */
const AV1_LEVELS: readonly (readonly [index: number, picture: number, rate: number])[] = [
  [0, 147_456, 4_423_680],
  [1, 278_784, 8_363_520],
  [4, 665_856, 19_975_680],
  [5, 1_065_024, 31_950_720],
  [8, 2_359_296, 70_778_880],
  [9, 2_359_296, 141_557_760],
  [12, 8_912_896, 267_386_880],
  [13, 8_912_896, 534_773_760],
  [14, 8_912_896, 1_069_547_520],
  [16, 35_651_584, 1_069_547_520],
  [17, 35_651_584, 2_139_095_040],
  [18, 35_651_584, 4_278_190_080],
];
const AV1_PROFILES: Readonly<Record<string, number>> = { main: 0, high: 1, professional: 2 };
function av1({ profile, level, width = 1920, height = 1080, frameRate = 30, bitDepth }: Stream): string {
  const samples = width * height;
  const derived = AV1_LEVELS.find(([, picture, rate]) => samples <= picture && samples * frameRate <= rate)?.[0] ?? 19;
  const index = level !== undefined && level >= 0 && level <= 31 ? level : derived;
  return (
    `av01.${AV1_PROFILES[profileName(profile ?? '')] ?? 0}.${String(index).padStart(2, '0')}` +
    `M.${String(bitDepth ?? 8).padStart(2, '0')}`
  );
}

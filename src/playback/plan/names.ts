/** Names of codecs and containers: folds the names that clients and probes use into one. */
import type { Client } from './types.ts';

const CODECS: Readonly<Record<string, string>> = {
  avc: 'h264',
  avc1: 'h264',
  avc3: 'h264',
  x264: 'h264',
  'h.264': 'h264',
  h265: 'hevc',
  'h.265': 'hevc',
  hvc1: 'hevc',
  hev1: 'hevc',
  x265: 'hevc',
  dvh1: 'hevc',
  dvhe: 'hevc',
  vp09: 'vp9',
  vp08: 'vp8',
  av01: 'av1',
  mp4v: 'mpeg4',
  xvid: 'mpeg4',
  divx: 'mpeg4',
  mpeg2: 'mpeg2video',
  mpeg1: 'mpeg1video',
  mp4a: 'aac',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  'e-ac-3': 'eac3',
  'ac-4': 'ac4',
  dca: 'dts',
  dtsc: 'dts',
  dtsh: 'dts',
  dtsl: 'dts',
  mlpa: 'truehd',
  mlp: 'truehd',
  'mpeg-4': 'mpeg4',
};
const CONTAINERS: Readonly<Record<string, string>> = {
  mkv: 'matroska',
  'x-matroska': 'matroska',
  m4v: 'mp4',
  m4a: 'mp4',
  quicktime: 'mov',
  ts: 'mpegts',
  m2ts: 'mpegts',
  mts: 'mpegts',
  mp2t: 'mpegts',
  mpg: 'mpeg',
  wmv: 'asf',
  ogv: 'ogg',
  oga: 'ogg',
};
const HDR: Readonly<Record<string, string>> = {
  hdr: 'hdr10',
  'hdr10+': 'hdr10',
  hdr10plus: 'hdr10',
  pq: 'hdr10',
  dv: 'dolby-vision',
  dovi: 'dolby-vision',
  dolbyvision: 'dolby-vision',
  'dolby.vision': 'dolby-vision',
};

const known = (table: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(table, name) ? (table[name] ?? name) : name;

/** Returns the one name of a codec. A dot begins the rest of a codecs string (`avc1.640028`). */
export function codecName(name: string): string {
  const lower = name.toLowerCase();
  if (lower.startsWith('pcm_')) return 'pcm';
  return known(CODECS, Object.hasOwn(CODECS, lower) ? lower : lower.replace(/\..*$/, ''));
}
export const containerName = (name: string): string => known(CONTAINERS, name.toLowerCase());
/** Returns the one name of a dynamic range, or of one profile of Dolby Vision: `dv-5` becomes `dolby-vision-5`. */
export function hdrName(name: string): string {
  const lower = name.toLowerCase();
  const profile = /^(?:dv|dovi|dolby[-.]?vision)[-.](\d{1,2}(?:\.\d)?)$/.exec(lower)?.[1];
  return profile === undefined ? known(HDR, lower) : `dolby-vision-${profile}`;
}
/** Returns `high422` for `High 4:2:2`. */
export const profileName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

interface Asked {
  videoCodecs?: string | undefined;
  audioCodecs?: string | undefined;
  containers?: string | undefined;
  hdrFormats?: string | undefined;
  subtitleFormats?: string | undefined;
  maxAudioChannels?: number | undefined;
  maxBitrate?: number | undefined;
  maxHeight?: number | undefined;
}

/** Reads capabilities as a query has them: names with commas between. */
export function readCapabilities({
  videoCodecs,
  audioCodecs,
  containers,
  hdrFormats,
  subtitleFormats,
  ...most
}: Asked): Client {
  return {
    ...most,
    videoCodecs: codecs(videoCodecs),
    audioCodecs: codecs(audioCodecs),
    containers: setOf(containers, containerName),
    hdrFormats: setOf(hdrFormats, hdrName),
    subtitleFormats: setOf(subtitleFormats, (name) => name),
  };
}

const setOf = (list: string | undefined, one: (name: string) => string): ReadonlySet<string> | undefined =>
  list === undefined
    ? undefined
    : new Set(
        list
          .split(',')
          .filter((name) => name !== '')
          .map(one),
      );

/** `h264`, or `h264-high10` where the part before the hyphen is a codec's name. */
const codecs = (list: string | undefined) =>
  setOf(list, (name) => {
    const at = name.indexOf('-');
    const whole = codecName(name);
    // Names such as ac-3 contain a hyphen.
    return at < 0 || whole !== name.toLowerCase()
      ? whole
      : `${codecName(name.slice(0, at))}-${profileName(name.slice(at + 1))}`;
  });

/** For tests of the plan: files as libraries have them. The video is stream 0. */
import type { MediaInfo, Stream } from '../../../catalog/index.ts';
import type { SubtitleTrack } from '../../../contract/catalog/items.ts';

const plain = {
  default: false,
  forced: false,
  hearingImpaired: false,
  commentary: false,
  original: false,
  cover: false,
} as const;
export const video = (codec: string, bitrate: number, more: Partial<Stream> = {}): Stream => ({
  ...plain,
  index: 0,
  type: 'video',
  codec,
  width: 1920,
  height: 1080,
  frameRate: 24,
  bitrate,
  ...more,
});
export const audio = (
  index: number,
  codec: string,
  channels: number,
  bitrate: number,
  more: Partial<Stream> = {},
): Stream => ({ ...plain, index, type: 'audio', codec, channels, bitrate, ...more });
export const file = (container: string, streams: Stream[], more: Partial<MediaInfo> = {}): MediaInfo => {
  const bitrate = streams.reduce((sum, one) => sum + (one.bitrate ?? 0), 0);
  return {
    container,
    size: (bitrate / 8) * 6000,
    duration: 6000,
    ...(bitrate > 0 && { bitrate }),
    streams,
    chapters: [],
    tags: {},
    ...more,
  };
};

const M = 1e6;
const high = (bitrate: number, more: Partial<Stream> = {}) =>
  video('h264', bitrate, { profile: 'High', level: 41, bitDepth: 8, ...more });
const ultra = (bitrate: number, more: Partial<Stream>) =>
  video('hevc', bitrate, { profile: 'Main 10', bitDepth: 10, width: 3840, height: 2160, ...more });
const dolby = (profile: number, compatibility: number): Partial<Stream> => ({
  hdr: 'dolby-vision',
  dolbyVision: { profile, compatibility },
});
const aac = audio(1, 'aac', 2, 192_000, { profile: 'LC' });
const ac3 = audio(1, 'ac3', 6, 640_000);

export const FILMS = {
  mp4: file('mp4', [high(6 * M), aac]),
  mkv: file('matroska', [high(6 * M), aac]),
  mkvAc3: file('matroska', [high(8 * M), ac3]),
  mp4Eac3: file('mp4', [high(6 * M), audio(1, 'eac3', 6, 768_000)]),
  mkvDts: file('matroska', [high(10 * M), audio(1, 'dts', 8, 4 * M, { profile: 'DTS-HD MA' })]),
  mkvMixed: file('matroska', [
    high(6 * M),
    audio(1, 'dts', 6, 1.5 * M, { default: true }),
    audio(2, 'aac', 2, 192_000),
    audio(3, 'ac3', 2, 192_000, { commentary: true }),
  ]),
  mp4Languages: file('mp4', [
    high(6 * M),
    audio(1, 'aac', 2, 192_000, { default: true, language: 'eng' }),
    audio(2, 'aac', 2, 192_000, { language: 'fre' }),
    audio(3, 'ac3', 6, 640_000, { language: 'ger' }),
  ]),
  high10: file('matroska', [video('h264', 5 * M, { profile: 'High 10', bitDepth: 10 }), audio(1, 'flac', 2, 900_000)]),
  hevc: file('mp4', [video('hevc', 3 * M, { profile: 'Main' }), aac]),
  uhdHdr10: file('matroska', [
    ultra(50 * M, { hdr: 'hdr10' }),
    audio(1, 'truehd', 8, 4 * M),
    audio(2, 'ac3', 6, 640_000),
  ]),
  uhdMp4Hdr10: file('mp4', [ultra(20 * M, { hdr: 'hdr10' }), aac]),
  hlg50: file('mp4', [video('hevc', 12 * M, { profile: 'Main 10', bitDepth: 10, hdr: 'hlg', frameRate: 50 }), aac]),
  dolby5: file('mp4', [ultra(15 * M, dolby(5, 0)), audio(1, 'eac3', 6, 768_000)]),
  dolby7: file('matroska', [ultra(60 * M, dolby(7, 6)), audio(1, 'truehd', 8, 4 * M)]),
  dolby81: file('mp4', [ultra(18 * M, dolby(8, 1)), aac]),
  dolby84: file('mp4', [ultra(18 * M, dolby(8, 4)), aac]),
  vp9: file('webm', [video('vp9', 3 * M, { profile: 'Profile 0' }), audio(1, 'opus', 2, 128_000)]),
  av1: file('mp4', [video('av1', 2 * M, { profile: 'Main' }), audio(1, 'opus', 6, 320_000)]),
  avi: file('avi', [video('mpeg4', 1 * M, { width: 640, height: 480, frameRate: 25 }), audio(1, 'mp3', 2, 128_000)]),
  aviH264: file('avi', [high(4 * M), audio(1, 'mp3', 2, 128_000)]),
  asf: file('asf', [high(4 * M), audio(1, 'wmav2', 2, 128_000)]),
  dvd: file('mpegts', [
    video('mpeg2video', 5 * M, { width: 720, height: 576, sampleAspect: 1.422, frameRate: 25, interlaced: true }),
    audio(1, 'ac3', 2, 192_000),
  ]),
  broadcast: file('mpegts', [high(10 * M, { frameRate: 25, interlaced: true }), audio(1, 'mp2', 2, 192_000)]),
  interlacedMp4: file('mp4', [high(10 * M, { frameRate: 25, interlaced: true }), aac]),
  phone: file('mov', [high(16 * M, { frameRate: 30, rotation: 90 }), audio(1, 'aac', 1, 96_000)]),
  fast: file('mp4', [high(12 * M, { frameRate: 60 }), aac]),
  small: file('avi', [video('mpeg4', 300_000, { width: 320, height: 240, frameRate: 25 }), audio(1, 'mp3', 1, 64_000)]),
  tiny: file('mp4', [video('mpeg4', 100_000, { width: 176, height: 144, frameRate: 15 }), aac]),
  wide: file('mp4', [video('hevc', 20 * M, { profile: 'Main', width: 3840, height: 1600 }), aac]),
  thin: file('matroska', [video('hevc', 2 * M, { profile: 'Main' }), aac]),
  silent: file('matroska', [high(6 * M)]),
  music: file('flac', [audio(0, 'flac', 2, 900_000)]),
  unknownRate: file(
    'matroska',
    [video('vc1', 0, { profile: 'Advanced' }), ac3].map(({ bitrate: _, ...stream }) => stream),
    { bitrate: 8 * M },
  ),
  subtitles: file('matroska', [high(6 * M), aac]),
} satisfies Record<string, MediaInfo>;
export type FilmName = keyof typeof FILMS;

const track = (key: string, format: string, picture: boolean, more: Partial<SubtitleTrack> = {}): SubtitleTrack => ({
  key,
  title: key,
  role: 'normal',
  format,
  source: key.startsWith('f') ? 'sidecar' : 'embedded',
  default: false,
  picture,
  ...more,
});
/** Subtitles in the file `subtitles`. */
export const TRACKS: readonly SubtitleTrack[] = [
  track('f0', 'srt', false),
  track('f1', 'sup', true),
  track('f2', 'vobsub', true),
  track('s2', 'subrip', false),
  track('s3', 'ass', false),
  track('s4', 'hdmv_pgs_subtitle', true, { default: true }),
  track('s5', 'dvd_subtitle', true),
  track('s6', 'dvb_subtitle', true, { role: 'forced' }),
];

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
export const makeVideoStream = (codec: string, bitrate: number, more: Partial<Stream> = {}): Stream => ({
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
export const makeAudioStream = (
  index: number,
  codec: string,
  channels: number,
  bitrate: number,
  more: Partial<Stream> = {},
): Stream => ({ ...plain, index, type: 'audio', codec, channels, bitrate, ...more });
export const makeMediaInfo = (container: string, streams: Stream[], more: Partial<MediaInfo> = {}): MediaInfo => {
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
  makeVideoStream('h264', bitrate, { profile: 'High', level: 41, bitDepth: 8, ...more });
const ultra = (bitrate: number, more: Partial<Stream>) =>
  makeVideoStream('hevc', bitrate, { profile: 'Main 10', bitDepth: 10, width: 3840, height: 2160, ...more });
const dolby = (profile: number, compatibility: number): Partial<Stream> => ({
  hdr: 'dolby-vision',
  dolbyVision: { profile, compatibility },
});
const aac = makeAudioStream(1, 'aac', 2, 192_000, { profile: 'LC' });
const ac3 = makeAudioStream(1, 'ac3', 6, 640_000);

export const FILMS = {
  mp4: makeMediaInfo('mp4', [high(6 * M), aac]),
  mkv: makeMediaInfo('matroska', [high(6 * M), aac]),
  mkvAc3: makeMediaInfo('matroska', [high(8 * M), ac3]),
  mp4Eac3: makeMediaInfo('mp4', [high(6 * M), makeAudioStream(1, 'eac3', 6, 768_000)]),
  mkvDts: makeMediaInfo('matroska', [high(10 * M), makeAudioStream(1, 'dts', 8, 4 * M, { profile: 'DTS-HD MA' })]),
  mkvMixed: makeMediaInfo('matroska', [
    high(6 * M),
    makeAudioStream(1, 'dts', 6, 1.5 * M, { default: true }),
    makeAudioStream(2, 'aac', 2, 192_000),
    makeAudioStream(3, 'ac3', 2, 192_000, { commentary: true }),
  ]),
  mp4Languages: makeMediaInfo('mp4', [
    high(6 * M),
    makeAudioStream(1, 'aac', 2, 192_000, { default: true, language: 'eng' }),
    makeAudioStream(2, 'aac', 2, 192_000, { language: 'fre' }),
    makeAudioStream(3, 'ac3', 6, 640_000, { language: 'ger' }),
  ]),
  high10: makeMediaInfo('matroska', [
    makeVideoStream('h264', 5 * M, { profile: 'High 10', bitDepth: 10 }),
    makeAudioStream(1, 'flac', 2, 900_000),
  ]),
  hevc: makeMediaInfo('mp4', [makeVideoStream('hevc', 3 * M, { profile: 'Main' }), aac]),
  uhdHdr10: makeMediaInfo('matroska', [
    ultra(50 * M, { hdr: 'hdr10' }),
    makeAudioStream(1, 'truehd', 8, 4 * M),
    makeAudioStream(2, 'ac3', 6, 640_000),
  ]),
  uhdMp4Hdr10: makeMediaInfo('mp4', [ultra(20 * M, { hdr: 'hdr10' }), aac]),
  hlg50: makeMediaInfo('mp4', [
    makeVideoStream('hevc', 12 * M, { profile: 'Main 10', bitDepth: 10, hdr: 'hlg', frameRate: 50 }),
    aac,
  ]),
  dolby5: makeMediaInfo('mp4', [ultra(15 * M, dolby(5, 0)), makeAudioStream(1, 'eac3', 6, 768_000)]),
  dolby7: makeMediaInfo('matroska', [ultra(60 * M, dolby(7, 6)), makeAudioStream(1, 'truehd', 8, 4 * M)]),
  dolby81: makeMediaInfo('mp4', [ultra(18 * M, dolby(8, 1)), aac]),
  dolby84: makeMediaInfo('mp4', [ultra(18 * M, dolby(8, 4)), aac]),
  vp9: makeMediaInfo('webm', [
    makeVideoStream('vp9', 3 * M, { profile: 'Profile 0' }),
    makeAudioStream(1, 'opus', 2, 128_000),
  ]),
  av1: makeMediaInfo('mp4', [
    makeVideoStream('av1', 2 * M, { profile: 'Main' }),
    makeAudioStream(1, 'opus', 6, 320_000),
  ]),
  avi: makeMediaInfo('avi', [
    makeVideoStream('mpeg4', 1 * M, { width: 640, height: 480, frameRate: 25 }),
    makeAudioStream(1, 'mp3', 2, 128_000),
  ]),
  aviH264: makeMediaInfo('avi', [high(4 * M), makeAudioStream(1, 'mp3', 2, 128_000)]),
  asf: makeMediaInfo('asf', [high(4 * M), makeAudioStream(1, 'wmav2', 2, 128_000)]),
  dvd: makeMediaInfo('mpegts', [
    makeVideoStream('mpeg2video', 5 * M, {
      width: 720,
      height: 576,
      sampleAspect: 1.422,
      frameRate: 25,
      interlaced: true,
    }),
    makeAudioStream(1, 'ac3', 2, 192_000),
  ]),
  broadcast: makeMediaInfo('mpegts', [
    high(10 * M, { frameRate: 25, interlaced: true }),
    makeAudioStream(1, 'mp2', 2, 192_000),
  ]),
  interlacedMp4: makeMediaInfo('mp4', [high(10 * M, { frameRate: 25, interlaced: true }), aac]),
  phone: makeMediaInfo('mov', [high(16 * M, { frameRate: 30, rotation: 90 }), makeAudioStream(1, 'aac', 1, 96_000)]),
  fast: makeMediaInfo('mp4', [high(12 * M, { frameRate: 60 }), aac]),
  small: makeMediaInfo('avi', [
    makeVideoStream('mpeg4', 300_000, { width: 320, height: 240, frameRate: 25 }),
    makeAudioStream(1, 'mp3', 1, 64_000),
  ]),
  tiny: makeMediaInfo('mp4', [makeVideoStream('mpeg4', 100_000, { width: 176, height: 144, frameRate: 15 }), aac]),
  wide: makeMediaInfo('mp4', [makeVideoStream('hevc', 20 * M, { profile: 'Main', width: 3840, height: 1600 }), aac]),
  thin: makeMediaInfo('matroska', [makeVideoStream('hevc', 2 * M, { profile: 'Main' }), aac]),
  silent: makeMediaInfo('matroska', [high(6 * M)]),
  music: makeMediaInfo('flac', [makeAudioStream(0, 'flac', 2, 900_000)]),
  unknownRate: makeMediaInfo(
    'matroska',
    [makeVideoStream('vc1', 0, { profile: 'Advanced' }), ac3].map(({ bitrate: _, ...stream }) => stream),
    { bitrate: 8 * M },
  ),
  subtitles: makeMediaInfo('matroska', [high(6 * M), aac]),
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

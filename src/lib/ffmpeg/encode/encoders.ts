/**
 * The software encoder of each codec: every keyframe is one that decoding can begin at, none comes unasked, and none is
 * reordered.
 */
import { h264Level, hevcLevel } from './level.ts';
import type { EncodedPictures, Preset, VideoCodec } from './types.ts';

/** Distance of keyframes that is never reached: the grid alone decides where they are. */
export const NO_KEYFRAMES = '9999';

/** Most bits per second, and twice that for the decoder's buffer. */
export const rateArgs = ({ maxrate }: EncodedPictures): string[] => [
  '-maxrate',
  String(Math.round(maxrate)),
  '-bufsize',
  String(Math.round(2 * maxrate)),
];

/** 4.1 for 41. */
const levelName = (tenths: number): string => `${Math.floor(tenths / 10)}.${tenths % 10}`;

const VPX_SPEED: Record<Preset, string> = { ultrafast: '8', superfast: '8', veryfast: '7', faster: '6', fast: '5' };

/** By codec: the encoder and its options. */
export const SOFTWARE: Record<VideoCodec, (pictures: EncodedPictures & { preset: Preset }) => string[]> = {
  // The fastest preset leaves out 8x8 transforms, and would make another profile than the rest; they cost 1 %.
  h264: (pictures) => [
    '-c:v',
    'libx264',
    '-preset',
    pictures.preset,
    '-crf',
    '23',
    ...rateArgs(pictures),
    '-profile:v',
    'high',
    '-level:v',
    levelName(h264Level(pictures)),
    '-8x8dct',
    '1',
    '-sc_threshold',
    '0',
    '-bf',
    '0',
    '-g',
    NO_KEYFRAMES,
    '-forced-idr',
    '1',
  ],
  hevc: (pictures) => [
    '-c:v',
    'libx265',
    '-preset',
    pictures.preset,
    '-crf',
    '26',
    '-profile:v',
    'main',
    '-tag:v',
    'hvc1',
    '-bf',
    '0',
    '-g',
    NO_KEYFRAMES,
    '-forced-idr',
    '1',
    '-x265-params',
    [
      `level-idc=${levelName(hevcLevel(pictures) / 3)}`,
      'high-tier=0',
      `vbv-maxrate=${Math.round(pictures.maxrate / 1000)}`,
      `vbv-bufsize=${Math.round(pictures.maxrate / 500)}`,
      'scenecut=0',
      'open-gop=0',
      'bframes=0',
      `keyint=${NO_KEYFRAMES}`,
      'min-keyint=1',
      'log-level=error',
    ].join(':'),
  ],
  // SVT-AV1 has no keyframes at given times in the ffmpeg of many systems.
  av1: (pictures) => [
    '-c:v',
    'libaom-av1',
    '-usage',
    'realtime',
    '-cpu-used',
    '8',
    '-row-mt',
    '1',
    '-lag-in-frames',
    '0',
    '-crf',
    '35',
    '-b:v',
    String(Math.round(pictures.maxrate)),
    ...rateArgs(pictures),
    '-g',
    NO_KEYFRAMES,
  ],
  vp9: (pictures) => [
    '-c:v',
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-cpu-used',
    VPX_SPEED[pictures.preset],
    '-row-mt',
    '1',
    '-tile-columns',
    '2',
    '-lag-in-frames',
    '0',
    '-auto-alt-ref',
    '0',
    '-error-resilient',
    '0',
    '-crf',
    '32',
    '-b:v',
    String(Math.round(pictures.maxrate)),
    ...rateArgs(pictures),
    '-profile:v',
    '0',
    '-g',
    NO_KEYFRAMES,
  ],
};

/**
 * Puts the parameter sets into every keyframe, so that runs of two encoders can follow each other. The others have them
 * there.
 */
export const bitstreamArgs = (codec: VideoCodec): string[] =>
  codec === 'h264' || codec === 'hevc' ? ['-bsf:v', 'dump_extra=freq=keyframe'] : [];

/**
 * Options of each accelerator, as one value each. Written from the documentation of ffmpeg and of the drivers; which of
 * them works on a machine is found by trying.
 */
import { h264Level, hevcLevel } from './level.ts';
import { NO_KEYFRAMES, rateArgs } from './encoders.ts';
import type { AcceleratorName, HdrSource, EncodedPictures, VideoCodec } from './types.ts';

interface Size {
  width: number;
  height: number;
}

export interface AcceleratorSet {
  /** Options in front of the input. `device` is the one that was found on this machine. */
  input(device?: string): string[];
  /** Its own decoders. Since version 6, ffmpeg takes them by itself with `-hwaccel`; the allow-list must have them. */
  decoders?: readonly string[];
  /** How pictures lie in the memory of the device; absent where decoded pictures are in ordinary memory. */
  surfaces?: {
    /** Format of pictures on the device, and those of pictures in ordinary memory that can be brought there. */
    formats: readonly string[];
    /** Brings pictures to the device; those that are there pass. */
    upload: string;
    /** Scales on the device. Without a size, only changes the format. */
    scale(format: 'nv12' | 'p010', size?: Size): string;
    /** Maps to an ordinary range on the device, where the device can do it. */
    toneMap?: Partial<Record<HdrSource, string>>;
  };
  /**
   * Format of eight bits in which pictures leave the device, and in which the encoder takes them from ordinary memory.
   */
  format: 'nv12' | 'yuv420p';
  encoders: Partial<Record<VideoCodec, EncoderArgs>>;
  /** Files of devices that the program must see. */
  devices(device?: string): string[];
}

const sized = (size: Size | undefined): string => (size === undefined ? '' : `w=${size.width}:h=${size.height}:`);
const target = (pictures: EncodedPictures): string[] => [
  '-b:v',
  String(Math.round(pictures.maxrate * 0.8)),
  ...rateArgs(pictures),
];
/**
 * Levels are numbers as the bit stream has them (31 for 3.1; 93 in HEVC). Names differ between the encoders: vaapi and
 * rkmpp know `4` and take `4.0` for the number 4, amf knows `4.0` only, and Quick Sync no name at all.
 */
const h264 = (pictures: EncodedPictures): string[] => ['-profile:v', 'high', '-level:v', String(h264Level(pictures))];
const hevc = (pictures: EncodedPictures, level = hevcLevel(pictures)): string[] => [
  '-profile:v',
  'main',
  '-level:v',
  String(level),
  '-tag:v',
  'hvc1',
];
/** H.264 High, for encoders without names of profiles. */
const HIGH = ['-profile:v', '100'];
const GOP = ['-bf', '0', '-g', NO_KEYFRAMES];
const all = (first: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${first}${i}`);

type EncoderArgs = (pictures: EncodedPictures) => string[];
/** Returns the arguments of an encoder: its options, profile and level, bit rate and distance of keyframes. */
const encoder =
  (name: string, options: readonly string[], profile: EncoderArgs = () => []): EncoderArgs =>
  (pictures) => ['-c:v', name, ...options, ...profile(pictures), ...target(pictures), ...GOP];

/** `-init_hw_device`, and decoding and filters on that device, with decoded pictures left in its memory. */
const onDevice = (kind: string, device: string): string[] => [
  '-init_hw_device',
  `${kind}=d${device}`,
  '-filter_hw_device',
  'd',
  '-hwaccel',
  kind,
  '-hwaccel_device',
  'd',
  '-hwaccel_output_format',
  kind,
];
const RENDER_NODE = '/dev/dri/renderD128';

const VAAPI = ['-rc_mode', 'VBR', '-idr_interval', '0'];
const vaapi: AcceleratorSet = {
  input: (device = RENDER_NODE) => onDevice('vaapi', `:${device}`),
  surfaces: {
    formats: ['nv12', 'p010', 'vaapi'],
    upload: 'hwupload',
    scale: (format, size) => `scale_vaapi=${sized(size)}format=${format}`,
    toneMap: { hdr10: 'tonemap_vaapi=format=nv12:p=bt709:t=bt709:m=bt709' },
  },
  format: 'nv12',
  encoders: {
    h264: encoder('h264_vaapi', VAAPI, h264),
    hevc: encoder('hevc_vaapi', VAAPI, hevc),
    av1: encoder('av1_vaapi', [...VAAPI, '-profile:v', 'main']),
    vp9: encoder('vp9_vaapi', VAAPI),
  },
  devices: (device = RENDER_NODE) => [device],
};

const QSV = ['-preset', 'veryfast', '-forced_idr', '1'];
const qsv: AcceleratorSet = {
  input: (device = RENDER_NODE) => onDevice('qsv', `:hw_any,child_device=${device}`),
  decoders: ['h264_qsv', 'hevc_qsv', 'av1_qsv', 'vp9_qsv', 'vp8_qsv', 'mpeg2_qsv', 'vc1_qsv', 'mjpeg_qsv'],
  // Its pools of pictures have a fixed size.
  surfaces: {
    formats: ['nv12', 'p010', 'qsv'],
    upload: 'hwupload=extra_hw_frames=64',
    scale: (format, size) => `vpp_qsv=${sized(size)}format=${format}`,
  },
  format: 'nv12',
  encoders: {
    h264: encoder('h264_qsv', [...QSV, '-look_ahead', '0'], h264),
    hevc: encoder('hevc_qsv', QSV, (pictures) => hevc(pictures, hevcLevel(pictures) / 3)),
    av1: encoder('av1_qsv', [...QSV, '-profile:v', 'main']),
    vp9: encoder('vp9_qsv', [...QSV, '-profile:v', 'profile0']),
  },
  devices: (device = RENDER_NODE) => [device],
};

const NVENC = ['-preset', 'p2', '-rc', 'vbr', '-forced-idr', '1'];
const NO_SCENE_CUT = ['-no-scenecut', '1'];
const cuda: AcceleratorSet = {
  input: (device) => onDevice('cuda', device === undefined ? '' : `:${device}`),
  surfaces: {
    formats: ['nv12', 'p010', 'cuda'],
    upload: 'hwupload',
    scale: (format, size) => `scale_cuda=${sized(size)}format=${format === 'nv12' ? 'yuv420p' : 'p010le'}`,
  },
  format: 'yuv420p',
  encoders: {
    h264: encoder('h264_nvenc', [...NVENC, ...NO_SCENE_CUT], h264),
    hevc: encoder('hevc_nvenc', [...NVENC, ...NO_SCENE_CUT], hevc),
    av1: encoder('av1_nvenc', NVENC),
  },
  devices: () => [
    '/dev/nvidiactl',
    '/dev/nvidia-uvm',
    '/dev/nvidia-uvm-tools',
    '/dev/nvidia-modeset',
    '/dev/dxg',
    ...all('/dev/nvidia', 8),
  ],
};

const videotoolbox: AcceleratorSet = {
  input: () => ['-hwaccel', 'videotoolbox'],
  format: 'nv12',
  encoders: {
    h264: encoder('h264_videotoolbox', ['-realtime', '1'], h264),
    hevc: encoder('hevc_videotoolbox', ['-realtime', '1', '-profile:v', 'main', '-tag:v', 'hvc1']),
  },
  devices: () => [],
};

const rkmpp: AcceleratorSet = {
  input: () => [
    '-init_hw_device',
    'rkmpp=d',
    '-filter_hw_device',
    'd',
    '-hwaccel',
    'rkmpp',
    '-hwaccel_device',
    'd',
    '-hwaccel_output_format',
    'drm_prime',
  ],
  decoders: [
    'h264_rkmpp',
    'hevc_rkmpp',
    'av1_rkmpp',
    'vp9_rkmpp',
    'vp8_rkmpp',
    'mpeg1_rkmpp',
    'mpeg2_rkmpp',
    'mpeg4_rkmpp',
    'h263_rkmpp',
    'mjpeg_rkmpp',
  ],
  surfaces: {
    formats: ['nv12', 'p010', 'drm_prime'],
    upload: 'hwupload',
    // Left to itself, it keeps the shape of the source and makes another size than it was asked for.
    scale: (format, size) => `scale_rkrga=${sized(size)}format=${format}:force_original_aspect_ratio=disable`,
  },
  format: 'nv12',
  encoders: {
    h264: encoder('h264_rkmpp', ['-rc_mode', 'VBR'], h264),
    hevc: encoder('hevc_rkmpp', ['-rc_mode', 'VBR', '-tier', 'main'], hevc),
  },
  devices: () => ['/dev/mpp_service', '/dev/rga', '/dev/dri', '/dev/dma_heap', '/dev/mali0'],
};

/** An encoder that takes pictures from ordinary memory, which are decoded in software. */
const encoderOnly = (
  encoders: AcceleratorSet['encoders'],
  devices: AcceleratorSet['devices'] = () => [],
): AcceleratorSet => ({ input: () => [], format: 'nv12', encoders, devices });

const AMF = ['-usage', 'transcoding', '-quality', 'speed'];

export const ACCELERATOR_SETS: Record<AcceleratorName, AcceleratorSet> = {
  vaapi,
  qsv,
  cuda,
  videotoolbox,
  rkmpp,
  v4l2m2m: encoderOnly({ h264: encoder('h264_v4l2m2m', HIGH) }, () => all('/dev/video', 32)),
  amf: encoderOnly(
    {
      h264: encoder('h264_amf', [...AMF, '-forced_idr', '1'], h264),
      hevc: encoder('hevc_amf', AMF, hevc),
    },
    (device = RENDER_NODE) => [device],
  ),
  mf: encoderOnly({
    h264: encoder('h264_mf', ['-hw_encoding', '1', ...HIGH]),
    hevc: encoder('hevc_mf', ['-hw_encoding', '1', '-tag:v', 'hvc1']),
  }),
};

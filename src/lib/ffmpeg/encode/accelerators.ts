/**
 * What each accelerator needs: one value for each. Built from the documentation of ffmpeg and of the drivers; which of
 * them works on a machine is found by trying.
 */
import { h264Level, hevcLevel } from './level.ts';
import { levelName, NO_KEYFRAMES, rateArgs } from './encoders.ts';
import type { AcceleratorName, HdrSource, Pictures, VideoCodec } from './types.ts';

interface Size {
  width: number;
  height: number;
}

export interface AcceleratorSet {
  /** Options in front of the input. `device` is the one that was found on this machine. */
  input(device?: string): string[];
  /** How pictures lie in the memory of the device; absent where decoded pictures are in ordinary memory. */
  surfaces?: {
    /** Brings pictures that were decoded in software to the device; those that are there pass. */
    upload: string;
    /** Scales on the device. Without a size, only changes the format. */
    scale(format: 'nv12' | 'p010', size?: Size): string;
    /** Maps to an ordinary range on the device, where the device can do it. */
    toneMap?: Partial<Record<HdrSource, string>>;
  };
  /** Format in which the encoder takes pictures from ordinary memory. */
  format: 'nv12' | 'yuv420p';
  encoders: Partial<Record<VideoCodec, (pictures: Pictures) => string[]>>;
  /** Files of devices that the program must see. */
  devices(device?: string): string[];
}

const sized = (size: Size | undefined): string => (size === undefined ? '' : `w=${size.width}:h=${size.height}:`);
const target = (pictures: Pictures): string[] => ['-b:v', String(Math.round(pictures.maxrate * 0.8)), ...rateArgs(pictures)];
const h264 = (pictures: Pictures): string[] => ['-profile:v', 'high', '-level:v', levelName(h264Level(pictures))];
const hevc = (pictures: Pictures): string[] => ['-profile:v', 'main', '-level:v', levelName(hevcLevel(pictures) / 3), '-tag:v', 'hvc1'];
const GOP = ['-bf', '0', '-g', NO_KEYFRAMES];
const all = (first: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${first}${i}`);

/** `-init_hw_device`, and decoding and filters on that device, with decoded pictures left in its memory. */
const onDevice = (kind: string, device: string): string[] => [
  '-init_hw_device', `${kind}=d${device}`, '-filter_hw_device', 'd', '-hwaccel', kind, '-hwaccel_device', 'd', '-hwaccel_output_format', kind,
];
const RENDER_NODE = '/dev/dri/renderD128';

const vaapi: AcceleratorSet = {
  input: (device = RENDER_NODE) => onDevice('vaapi', `:${device}`),
  surfaces: {
    upload: 'format=nv12|p010|vaapi,hwupload',
    scale: (format, size) => `scale_vaapi=${sized(size)}format=${format}`,
    toneMap: { hdr10: 'tonemap_vaapi=format=nv12:p=bt709:t=bt709:m=bt709' },
  },
  format: 'nv12',
  encoders: {
    h264: (pictures) => ['-c:v', 'h264_vaapi', '-rc_mode', 'VBR', '-idr_interval', '0', ...h264(pictures), ...target(pictures), ...GOP],
    hevc: (pictures) => ['-c:v', 'hevc_vaapi', '-rc_mode', 'VBR', '-idr_interval', '0', ...hevc(pictures), ...target(pictures), ...GOP],
    av1: (pictures) => ['-c:v', 'av1_vaapi', '-rc_mode', 'VBR', '-idr_interval', '0', '-profile:v', 'main', ...target(pictures), ...GOP],
    vp9: (pictures) => ['-c:v', 'vp9_vaapi', '-rc_mode', 'VBR', '-idr_interval', '0', ...target(pictures), ...GOP],
  },
  devices: (device = RENDER_NODE) => [device],
};

const qsv: AcceleratorSet = {
  input: (device = RENDER_NODE) => onDevice('qsv', `:hw_any,child_device=${device}`),
  surfaces: { upload: 'format=nv12|p010|qsv,hwupload=extra_hw_frames=64', scale: (format, size) => `vpp_qsv=${sized(size)}format=${format}` },
  format: 'nv12',
  encoders: {
    h264: (pictures) => ['-c:v', 'h264_qsv', '-preset', 'veryfast', '-forced_idr', '1', '-look_ahead', '0', ...h264(pictures), ...target(pictures), ...GOP],
    hevc: (pictures) => ['-c:v', 'hevc_qsv', '-preset', 'veryfast', '-forced_idr', '1', ...hevc(pictures), ...target(pictures), ...GOP],
    av1: (pictures) => ['-c:v', 'av1_qsv', '-preset', 'veryfast', '-forced_idr', '1', '-profile:v', 'main', ...target(pictures), ...GOP],
    vp9: (pictures) => ['-c:v', 'vp9_qsv', '-preset', 'veryfast', '-forced_idr', '1', '-profile:v', 'profile0', ...target(pictures), ...GOP],
  },
  devices: (device = RENDER_NODE) => [device],
};

const NVENC = ['-preset', 'p2', '-rc', 'vbr', '-forced-idr', '1', '-no-scenecut', '1'];
const cuda: AcceleratorSet = {
  input: (device) => onDevice('cuda', device === undefined ? '' : `:${device}`),
  surfaces: { upload: 'format=nv12|p010|cuda,hwupload', scale: (format, size) => `scale_cuda=${sized(size)}format=${format === 'nv12' ? 'yuv420p' : 'p010le'}` },
  format: 'yuv420p',
  encoders: {
    h264: (pictures) => ['-c:v', 'h264_nvenc', ...NVENC, ...h264(pictures), ...target(pictures), ...GOP],
    hevc: (pictures) => ['-c:v', 'hevc_nvenc', ...NVENC, ...hevc(pictures), ...target(pictures), ...GOP],
    av1: (pictures) => ['-c:v', 'av1_nvenc', '-preset', 'p2', '-rc', 'vbr', '-forced-idr', '1', ...target(pictures), ...GOP],
  },
  devices: () => ['/dev/nvidiactl', '/dev/nvidia-uvm', '/dev/nvidia-uvm-tools', '/dev/nvidia-modeset', '/dev/dxg', ...all('/dev/nvidia', 8)],
};

const videotoolbox: AcceleratorSet = {
  input: () => ['-hwaccel', 'videotoolbox'],
  format: 'nv12',
  encoders: {
    h264: (pictures) => ['-c:v', 'h264_videotoolbox', '-realtime', '1', ...h264(pictures), ...target(pictures), ...GOP],
    hevc: (pictures) => ['-c:v', 'hevc_videotoolbox', '-realtime', '1', '-profile:v', 'main', '-tag:v', 'hvc1', ...target(pictures), ...GOP],
  },
  devices: () => [],
};

const rkmpp: AcceleratorSet = {
  input: () => ['-hwaccel', 'rkmpp', '-hwaccel_output_format', 'drm_prime'],
  surfaces: { upload: 'format=nv12|drm_prime,hwupload', scale: (format, size) => `scale_rkrga=${sized(size)}format=${format}` },
  format: 'nv12',
  encoders: {
    h264: (pictures) => ['-c:v', 'h264_rkmpp', '-rc_mode', 'VBR', ...h264(pictures), ...target(pictures), ...GOP],
    hevc: (pictures) => ['-c:v', 'hevc_rkmpp', '-rc_mode', 'VBR', ...hevc(pictures), ...target(pictures), ...GOP],
  },
  devices: () => ['/dev/mpp_service', '/dev/rga', '/dev/dri', '/dev/dma_heap', '/dev/mali0'],
};

/** An encoder that takes pictures from ordinary memory, which are decoded in software. */
const encoderOnly = (encoders: AcceleratorSet['encoders'], devices: AcceleratorSet['devices'] = () => []): AcceleratorSet => ({ input: () => [], format: 'nv12', encoders, devices });

export const ACCELERATOR_SETS: Record<AcceleratorName, AcceleratorSet> = {
  vaapi, qsv, cuda, videotoolbox, rkmpp,
  v4l2m2m: encoderOnly({ h264: (pictures) => ['-c:v', 'h264_v4l2m2m', ...target(pictures), ...GOP] }, () => all('/dev/video', 32)),
  amf: encoderOnly({
    h264: (pictures) => ['-c:v', 'h264_amf', '-usage', 'transcoding', '-quality', 'speed', '-forced_idr', '1', ...h264(pictures), ...target(pictures), ...GOP],
    hevc: (pictures) => ['-c:v', 'hevc_amf', '-usage', 'transcoding', '-quality', 'speed', '-forced_idr', '1', ...hevc(pictures), ...target(pictures), ...GOP],
  }, (device = RENDER_NODE) => [device]),
  mf: encoderOnly({
    h264: (pictures) => ['-c:v', 'h264_mf', '-hw_encoding', '1', ...target(pictures), ...GOP],
    hevc: (pictures) => ['-c:v', 'hevc_mf', '-hw_encoding', '1', '-tag:v', 'hvc1', ...target(pictures), ...GOP],
  }),
};

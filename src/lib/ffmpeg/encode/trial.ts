/**
 * Test runs of ffmpeg that measure a machine: generating pictures, decoding them, and the
 * CPU time of the work. Nothing here reads a file that came from elsewhere.
 */
import { INPUT_PATH } from '../../process.ts';
import type { OpenInput, Processes } from '../../process.ts';
import { GUARDS, QUIET, integerArgument } from '../args.ts';
import { ACCELERATOR_SETS } from './accelerators.ts';
import { SOFTWARE } from './encoders.ts';
import { videoFilters } from './filters.ts';
import { acceleratedInput } from './video.ts';
import type { Accelerator, Preset, VideoCodec } from './types.ts';

/** Size of generated pictures, and how many there are. */
export interface ClipShape {
  width: number;
  height: number;
  frameRate: number;
  frames: number;
}
/**
 * `plain`: H.264. `noisy`: the same with the noise of a film. `hdr10`: HEVC of ten bits with the metadata of HDR10. The
 * others: the pictures of `plain` in that codec.
 */
export type ClipKind = 'plain' | 'noisy' | 'hdr10' | 'hevc' | 'av1' | 'vp9';

/** Work whose processor time is measured: decoding alone, or decoding and something more. */
export type MeasuredWork = { is: 'decode' } | { is: 'encode'; preset: Preset } | { is: 'toneMap' };

type Open = () => Promise<OpenInput>;

/** Failures are ProcessFailures. */
export interface Trials {
  /** A generated clip, as MP4. */
  clip(kind: ClipKind, shape: ClipShape, signal?: AbortSignal): Promise<Buffer>;
  /** The pictures of a clip (planar YUV, 4:2:0, 8 bits), decoded in software. */
  pictures(clip: Uint8Array, signal?: AbortSignal): Promise<Buffer>;
  /** The pictures of a clip, decoded by an accelerator and brought back. Fails when something else decodes them. */
  decoded(accelerator: Accelerator, open: Open, signal?: AbortSignal): Promise<Buffer>;
  /** Processor seconds of the work on the first second of a clip, the start of the program included. */
  cpuSeconds(work: MeasuredWork, open: Open, shape: ClipShape, signal?: AbortSignal): Promise<number>;
  /** Names of the filters that this ffmpeg has. */
  filters(signal?: AbortSignal): Promise<string[]>;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const MAX_MS = 60_000;
/** Maximum size of a generated clip, and of decoded pictures. */
export const MAX_CLIP_BYTES = 64 * MIB;

export function createTrials({ processes, program }: { processes: Pick<Processes, 'run'>; program: string }): Trials {
  const common = {
    program,
    timeoutMs: MAX_MS,
    fileLimit: 0,
    priority: 'background' as const,
    outputLimit: MAX_CLIP_BYTES,
    memoryLimit: 6 * GIB,
  };
  const output = async (
    args: readonly string[],
    more: { input?: Uint8Array; openInput?: Open; accelerator?: Accelerator },
    signal?: AbortSignal,
  ): Promise<Buffer> => {
    const { accelerator, ...input } = more;
    const set = accelerator && ACCELERATOR_SETS[accelerator.name];
    return (
      await processes.run(
        {
          ...common,
          args,
          ...input,
          ...(set && { memoryLimit: 'unlimited', devices: set.devices(accelerator.device) }),
        },
        signal,
      )
    ).stdout;
  };
  return {
    clip: (kind, shape, signal) => output(clipArgs(kind, shape), {}, signal),
    pictures: (clip, signal) => output(picturesArgs(GUARDS, 'pipe:0', []), { input: clip }, signal),
    decoded: (accelerator, openInput, signal) => {
      const { surfaces } = ACCELERATOR_SETS[accelerator.name];
      return output(
        picturesArgs(
          acceleratedInput(accelerator),
          `file:${INPUT_PATH}`,
          surfaces ? ['-vf', 'hwdownload,format=nv12'] : [],
        ),
        { openInput, accelerator },
        signal,
      );
    },
    cpuSeconds: async (work, openInput, shape, signal) => {
      const { stderr } = await processes.run({ ...common, args: workArgs(work, shape), openInput }, signal);
      const [, user, system] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
      return Number(user ?? 0) + Number(system ?? 0);
    },
    filters: async (signal) => filterNames((await output(['-hide_banner', '-filters'], {}, signal)).toString('utf8')),
  };
}

/** The codecs that an accelerator has an encoder for, each with the encoder's name in ffmpeg. */
export function encodersOf(name: Accelerator['name']): Map<VideoCodec, string> {
  const shape = { width: 320, height: 180, frameRate: 24, maxrate: 1_000_000 };
  const all = Object.entries(ACCELERATOR_SETS[name].encoders) as [
    VideoCodec,
    (pictures: typeof shape & { codec: VideoCodec }) => string[],
  ][];
  return new Map(all.map(([codec, args]) => [codec, args({ codec, ...shape })[1] ?? '']));
}

/** Whether an accelerator decodes too, as opposed to encoding pictures from memory. */
export const isDecoding = (name: Accelerator['name']): boolean => ACCELERATOR_SETS[name].input().length > 0;

/** Whether an accelerator maps HDR itself, as opposed to software between decoding and encoding. */
export const isMapping = (name: Accelerator['name']): boolean =>
  ACCELERATOR_SETS[name].surfaces?.toneMap?.hdr10 !== undefined;

/** By codec, the software encoder that is used. */
export function softwareEncoders(): Map<VideoCodec, string> {
  const shape = { width: 320, height: 180, frameRate: 24, maxrate: 1_000_000, preset: 'ultrafast' } as const;
  return new Map(
    (['h264', 'hevc', 'av1', 'vp9'] as const).map((codec) => [codec, SOFTWARE[codec]({ codec, ...shape })[1] ?? '']),
  );
}

/** ` T.C zscale            V->V       description` */
export const filterNames = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^ [T.][S.][C.] (\w+)\s+\S+->/.exec(line)?.[1] ?? []);

const MASTERING =
  'master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400';
const HDR_TAGS = 'setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv';
const BT2020 = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';

function clipArgs(kind: ClipKind, { width, height, frameRate, frames }: ClipShape): string[] {
  const noise = kind === 'noisy' ? ',noise=alls=12:allf=t' : '';
  // White of 200 nits: as bright as a film, so that mapping has something to do and clips little.
  const range = kind === 'hdr10' ? `,lutyuv=y=16+(val-16)*0.58,format=yuv420p10le,${HDR_TAGS}` : ',format=yuv420p';
  const x264 = (crf: string): string[] => [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    crf,
    '-profile:v',
    'high',
  ];
  const x265 = (params: string): string[] => [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-tag:v',
    'hvc1',
    '-x265-params',
    `crf=12:bframes=0:log-level=error${params}`,
  ];
  const codings: Record<ClipKind, string[]> = {
    plain: x264('12'),
    noisy: x264('26'),
    hdr10: x265(`:hdr10=1:repeat-headers=1:${BT2020}:${MASTERING}`),
    hevc: x265(''),
    av1: ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-crf', '20', '-b:v', '0'],
    vp9: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '16', '-b:v', '0'],
  };
  return [
    '-nostdin',
    ...QUIET,
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${integerArgument(width)}x${integerArgument(height)}:rate=${integerArgument(frameRate)}` +
      `${noise}${range}`,
    '-frames:v',
    integerArgument(frames),
    ...codings[kind],
    '-g',
    integerArgument(frameRate),
    '-f',
    'mp4',
    '-movflags',
    'frag_keyframe+empty_moov+default_base_moof',
    'pipe:1',
  ];
}

const picturesArgs = (input: readonly string[], from: string, filters: readonly string[]): string[] => [
  '-nostdin',
  ...QUIET,
  ...input,
  '-i',
  from,
  ...filters,
  '-vsync',
  'passthrough',
  '-pix_fmt',
  'yuv420p',
  '-f',
  'rawvideo',
  'pipe:1',
];

function workArgs(work: MeasuredWork, { width, height, frameRate }: ClipShape): string[] {
  const filters =
    work.is === 'toneMap'
      ? ['-vf', `${HDR_TAGS},${videoFilters({ stream: 0, width, height, toneMap: 'hdr10' }).graph}`]
      : [];
  const coding =
    work.is === 'encode'
      ? SOFTWARE.h264({ codec: 'h264', width, height, frameRate, maxrate: 20_000_000, preset: work.preset })
      : [];
  return [
    '-nostdin',
    '-hide_banner',
    '-v',
    'info',
    '-nostats',
    '-benchmark',
    ...GUARDS,
    '-i',
    `file:${INPUT_PATH}`,
    '-t',
    '1',
    ...filters,
    ...coding,
    '-f',
    'null',
    '-',
  ];
}

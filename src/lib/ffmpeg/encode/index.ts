/**
 * Encoding for playback: the only place that knows the options of ffmpeg's encoders and accelerators.
 *
 * A run reads one open file under the same allow-lists as every other, writes fragmented MP4 to a pipe and is slowed
 * down by a reader that does not read. It is ended when nothing comes for 20 seconds although the pipe is read.
 */
import type { Priority, Processes, RunningProcess, StartCommand } from '../../process.ts';
import { encodeAudioArgs } from './audio.ts';
import { ACCELERATOR_SETS } from './accelerators.ts';
import type { EncodedStream, MediaEncoder, VideoRequest } from './types.ts';
import { blankArgs, videoArgs } from './video.ts';

export { FRAMES, SAMPLE_RATE } from './audio.ts';
export { videoCodecs } from './level.ts';
export { TIME_SHIFT, VIDEO_TIMESCALE } from './video.ts';
export type {
  Accelerator,
  AcceleratorName,
  EncodedAudioCodec,
  AudioRequest,
  BurnedSubtitle,
  EncodedStream,
  MediaEncoder,
  HdrSource,
  EncodedPictures,
  Preset,
  VideoCodec,
  VideoRequest,
} from './types.ts';

const GIB = 1024 ** 3;
const HOUR = 60 * 60_000;
const QUIET_MS = 20_000;
/** Messages of ffmpeg when a disk or share fails during a read. */
const INPUT_LOST =
  /: (Input\/output error|Stale file handle|Connection timed out|Remote I\/O error|Host is down|No such device|Transport endpoint is not connected)/;
/** Address space; drivers of accelerators reserve all memory of machine and device, and are not limited by it. */
const MEMORY = 6 * GIB;

/** Drivers that hang say nothing: their runs are given up early enough for software to go on without a long pause. */
const ACCELERATOR_QUIET_MS = 4_000;

export interface EncoderNeeds {
  processes: Pick<Processes, 'start' | 'run'>;
  program?: string;
  /** Priority. Default: playback. */
  priority?: Priority;
  /** How long an accelerator may say nothing. */
  acceleratorQuietMs?: number;
}

export function createEncoder({
  processes,
  program = 'ffmpeg',
  priority = 'playback',
  acceleratorQuietMs = ACCELERATOR_QUIET_MS,
}: EncoderNeeds): MediaEncoder {
  const start = async (
    command: Omit<StartCommand, 'program' | 'timeoutMs'>,
    signal?: AbortSignal,
  ): Promise<EncodedStream> => {
    let hasLostInput = false;
    let started: RunningProcess | undefined;
    const hear = (chunk: Buffer): void => {
      if (hasLostInput || !INPUT_LOST.test(chunk.toString('latin1'))) return;
      // To ffmpeg this is the end of the file, after which it would go on with silence.
      hasLostInput = true;
      started?.stop();
    };
    started = await processes.start(
      {
        program,
        timeoutMs: 6 * HOUR,
        quietMs: QUIET_MS,
        fileLimit: 0,
        priority,
        isHeldByReader: true,
        hear,
        ...command,
      },
      signal,
    );
    const { pid, stdout, done, stop } = started;
    const finished = done.then(() => {});
    // A reader that gave up does not ask how it ended.
    finished.catch(() => {});
    return { pid, bytes: stdout as AsyncIterable<Uint8Array>, done: finished, hasLostInput: () => hasLostInput, stop };
  };
  return {
    video: (request, signal) =>
      start(
        {
          args: videoArgs(request),
          openInput: request.open,
          ...(request.accelerator
            ? { memoryLimit: 'unlimited' as const, quietMs: acceleratorQuietMs }
            : { memoryLimit: MEMORY }),
          ...secondInput(request),
          devices: devicesOf(request),
        },
        signal,
      ),
    audio: (request, signal) =>
      start({ args: encodeAudioArgs(request), openInput: request.open, memoryLimit: MEMORY }, signal),
    blank: async (pictures, signal) => {
      const { stdout } = await processes.run(
        {
          program,
          args: blankArgs(pictures),
          input: BLACK,
          timeoutMs: QUIET_MS,
          fileLimit: 0,
          memoryLimit: MEMORY,
          priority,
        },
        signal,
      );
      return stdout;
    },
  };
}

/** Mapping Dolby Vision needs Vulkan, in whichever device has it. */
const devicesOf = ({ accelerator, toneMap }: VideoRequest): string[] => [
  ...(accelerator ? ACCELERATOR_SETS[accelerator.name].devices(accelerator.device) : []),
  ...(toneMap === 'dolby-vision' ? ['/dev/dri', ...ACCELERATOR_SETS.cuda.devices()] : []),
];
const secondInput = ({ burn }: VideoRequest): Pick<StartCommand, 'openSecondInput'> =>
  burn?.sidecar ? { openSecondInput: burn.sidecar.open } : {};

/** A grey-scale PNG of 16 x 16 black pixels. */
const BLACK = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAADUlEQVR4nGNgGAXIAAABEAABoJMRpQAAAABJRU5ErkJggg==',
  'base64',
);

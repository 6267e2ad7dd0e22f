/**
 * ffmpeg and ffprobe: the only folder that knows their options.
 *
 * Every input is an open file under protocol, container and decoder allow-lists; every run is bounded by lib/process
 * and sees, where there is a sandbox, no other file. Failures are ProcessFailures; a reply of
 * ffprobe that makes no sense is one too.
 */
import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { openForReading } from '../files.ts';
import { ProcessFailure } from '../process.ts';
import type { Command, Processes, RunningProcess } from '../process.ts';
import { AUDIO_RATE, audioArgs, frameArgs, picturesArgs, probeArgs, textArgs, waveArgs } from './args.ts';
import { createCapabilities, type Programs } from './capabilities.ts';
import { cutArgs, withSampleCount } from './cut.ts';
import { keyPicturesArgs, readKeyPictures } from './key-pictures.ts';
import { LOUDNESS_TAIL, loudnessArgs, parseLoudness } from './loudness.ts';
import type { Ffmpeg, Media, MeasuredLoudness, ProbeOutput } from './types.ts';

export { DECODERS, DEMUXERS } from './lists.ts';
export { PICTURE_CODECS } from './types.ts';
export type {
  Audio,
  FfmpegCapabilities,
  Ffmpeg,
  KeyPictureShape,
  KeyPicturesRequest,
  Media,
  PictureCodec,
  PictureExtraction,
  ProbeOutput,
  ProbeStream,
  TextExtraction,
  TextFormat,
  TextTrack,
} from './types.ts';

const MIB = 1024 ** 2;
const MINUTE = 60_000;
/** Time limits of a run that reads a whole file. */
const WHOLE_FILE = { timeoutMs: 60 * MINUTE, quietMs: MINUTE };
const MAX_TRACKS = 40;

export interface FfmpegNeeds {
  processes: Processes;
  /** A bare name or an absolute path, as the settings have them. */
  programs?: Programs;
}

export function createFfmpeg({ processes, programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' } }: FfmpegNeeds): Ffmpeg {
  // Nothing here writes a file: all output goes to pipes.
  const reading = (program: string, media: Media, args: readonly string[]): Command => {
    if (typeof media === 'string' && !isAbsolute(media)) throw new TypeError('media files are named by absolute paths');
    return { program, args, openInput: () => openForReading(media), timeoutMs: MINUTE, fileLimit: 0 };
  };

  const probe: Ffmpeg['probe'] = async (media, signal) => {
    const command = {
      ...reading(programs.ffprobe, media, probeArgs()),
      timeoutMs: 30_000,
      cpuSeconds: 30,
      outputLimit: 4 * MIB,
      // Not in the queue of background work: a scan would wait for the one place of a program that runs for hours.
      nice: 10,
    };
    const { stdout } = await processes.run(command, signal);
    return probeOf(stdout.toString('utf8'));
  };
  /** Starts a run that reads a whole file, with the priority of background work. */
  const startQuietly = (command: Command, signal?: AbortSignal): Promise<RunningProcess> =>
    processes.start({ ...command, ...WHOLE_FILE, priority: 'background' }, signal);
  /** The time on its own clock at which a file begins. */
  const startOf = async (media: Media, signal?: AbortSignal): Promise<number> => {
    const start = Number((await probe(media, signal)).format.start_time ?? 0);
    return Number.isFinite(start) && start > 0 ? start : 0;
  };

  return {
    probe,

    async extractText({ media, tracks, priority = 'interactive', isFromZero = false }, signal) {
      if (tracks.length === 0 || tracks.length > MAX_TRACKS)
        throw new TypeError(`between one and ${MAX_TRACKS} tracks at once`);
      const zero = isFromZero ? await startOf(media, signal) : 0;
      const command = {
        ...reading(programs.ffmpeg, media, textArgs({ tracks, zero })),
        ...WHOLE_FILE,
        outputLimit: tracks.length * 64 * MIB,
        priority,
      };
      const { stdout, pipes, done, stop } = await processes.start({ ...command, extraPipes: tracks.length }, signal);
      const progress = pipes.at(-1);
      progress?.resume();
      return { tracks: [stdout, ...pipes.slice(0, -1)], done: done.then(() => {}), stop };
    },

    async extractPictures({ onTime, priority = 'background', ...request }, signal) {
      const command = {
        ...reading(programs.ffmpeg, request.media, picturesArgs(request)),
        ...WHOLE_FILE,
        outputLimit: 192 * MIB,
        priority,
      };
      const { stdout, pipes, done, stop } = await processes.start({ ...command, extraPipes: 1 }, signal);
      reportTime(pipes[0], onTime);
      return { bytes: stdout, done: done.then(() => {}), stop };
    },

    async extractFrame(request, signal) {
      const command = {
        ...reading(programs.ffmpeg, request.media, frameArgs(request)),
        outputLimit: 32 * MIB,
        priority: 'background' as const,
      };
      const { stdout } = await processes.run(command, signal);
      if (stdout.length === 0)
        throw new ProcessFailure('ffmpeg', 'exit', { code: 0, stderr: 'no picture at that time' });
      return stdout;
    },

    async *keyPictures(request, signal) {
      const args = keyPicturesArgs(request);
      const command =
        'media' in request
          ? reading(programs.ffmpeg, request.media, args)
          : { program: programs.ffmpeg, args, input: request.fragments, fileLimit: 0 };
      const limits = { timeoutMs: 10 * MINUTE, quietMs: MINUTE, priority: 'background' as const, extraPipes: 1 };
      yield* readKeyPictures(await processes.start({ ...command, ...limits }, signal), request);
    },

    async extractAudio(request, signal) {
      const command = reading(programs.ffmpeg, request.media, audioArgs(request));
      const { stdout, done, stop } = await startQuietly(command, signal);
      return { samples: stdout, rate: AUDIO_RATE, done: done.then(() => {}), stop };
    },

    measureLoudness: async ({ media, ...part }, signal) =>
      lastLoudness(await startQuietly(reading(programs.ffmpeg, media, loudnessArgs(part)), signal)),

    cutAudio: async ({ media, mostBytes, ...cut }, signal) => {
      const limits = { timeoutMs: 5 * MINUTE, quietMs: MINUTE, outputLimit: mostBytes, extraPipes: 1 };
      const command = { ...reading(programs.ffmpeg, media, cutArgs(cut)), ...limits };
      return cutTrack(await processes.start(command, signal), cut.rate);
    },

    async writeAudio({ mostBytes, progress, ...request }, signal) {
      const writes = [request.to.slice(0, request.to.lastIndexOf('/'))];
      const command = {
        ...reading(programs.ffmpeg, request.media, waveArgs(request)),
        writes,
        fileLimit: mostBytes,
        ...WHOLE_FILE,
        priority: 'background' as const,
      };
      const { stdout, done } = await processes.start(command, signal);
      reportTime(stdout, progress);
      await done;
    },

    capabilities: createCapabilities(processes, programs),
  };
}

/** Reads the reports of a run. Only the end of them is held, because there are ten for each second of sound. */
async function lastLoudness({ stdout, done }: RunningProcess): Promise<MeasuredLoudness | undefined> {
  let tail = '';
  stdout.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString('latin1')).slice(-LOUDNESS_TAIL)));
  await Promise.all([finished(stdout), done]);
  return parseLoudness(tail);
}

/** Collects the FLAC file of a run, and writes into it the number of samples that the progress ends with. */
async function cutTrack({ stdout, pipes, done }: RunningProcess, rate: number): Promise<Buffer> {
  let seconds = 0;
  reportTime(pipes[0], (at) => (seconds = at));
  const [chunks] = await Promise.all([stdout.toArray() as Promise<Buffer[]>, done]);
  return withSampleCount(Buffer.concat(chunks), Math.round(seconds * rate));
}

/** Reads what ffmpeg writes about its progress, and notifies of the time, in seconds, that it has reached. */
function reportTime(progress: Readable | undefined, notify: ((seconds: number) => void) | undefined): void {
  progress?.on('data', (chunk: Buffer) => {
    const at = [...chunk.toString('latin1').matchAll(/out_time_us=(\d{1,15})/g)].at(-1)?.[1];
    if (at !== undefined) notify?.(Number(at) / 1e6);
  });
}

/** ffprobe's JSON as it is, after a look at its shape. */
export function probeOf(text: string): ProbeOutput {
  const broken = (): ProcessFailure =>
    new ProcessFailure('ffprobe', 'exit', { code: 0, stderr: 'its reply makes no sense' });
  let reply: Partial<ProbeOutput> | null;
  try {
    reply = JSON.parse(text) as Partial<ProbeOutput> | null;
  } catch {
    throw broken();
  }
  if (typeof reply !== 'object' || reply === null) throw broken();
  const { format, streams = [], chapters = [] } = reply;
  if (typeof format?.format_name !== 'string' || !Array.isArray(streams) || !Array.isArray(chapters)) throw broken();
  return { format, streams, chapters };
}

/**
 * The decoder that a failed run wanted and may not use (`zmbv`), so that the file can be distinguished from a broken
 * one.
 */
export function refusedDecoder(error: unknown): string | null {
  if (!(error instanceof ProcessFailure)) return null;
  for (const line of error.lines) {
    const name = /Codec \((\w{1,40})\) not on whitelist/.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

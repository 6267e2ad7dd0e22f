/**
 * ffmpeg and ffprobe: the only folder that knows their options.
 *
 * Every input is an open file under protocol, container and decoder allow-lists; every run is bounded by lib/process
 * and sees, where there is a sandbox, no other file. Failures are ProcessFailures; a reply of
 * ffprobe that makes no sense is one too.
 */
import { isAbsolute } from 'node:path';
import { openForReading } from '../files.ts';
import { ProcessFailure } from '../process.ts';
import type { Command, Processes } from '../process.ts';
import { AUDIO_RATE, audioArgs, frameArgs, picturesArgs, probeArgs, textArgs, waveArgs } from './args.ts';
import { keyPicturesArgs, readKeyPictures } from './key-pictures.ts';
import type { FfmpegCapabilities, Ffmpeg, Media, ProbeOutput } from './types.ts';

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
const MOST_TRACKS = 40;

export interface FfmpegNeeds {
  processes: Processes;
  /** A bare name or an absolute path, as the settings have them. */
  programs?: { ffmpeg: string; ffprobe: string };
}

export function createFfmpeg({ processes, programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' } }: FfmpegNeeds): Ffmpeg {
  let known: Promise<FfmpegCapabilities> | null = null;
  // Nothing here writes a file: all output goes to pipes.
  const reading = (program: string, media: Media, args: readonly string[]): Command => {
    if (typeof media === 'string' && !isAbsolute(media)) throw new TypeError('media files are named by absolute paths');
    return { program, args, openInput: () => openForReading(media), timeoutMs: MINUTE, fileLimit: 0 };
  };

  const probe: Ffmpeg['probe'] = async (media, signal) => {
    const { stdout } = await processes.run(
      {
        ...reading(programs.ffprobe, media, probeArgs()),
        timeoutMs: 30_000,
        cpuSeconds: 30,
        outputLimit: 4 * MIB,
        priority: 'background',
      },
      signal,
    );
    return probeOf(stdout.toString('utf8'));
  };
  /** The time on its own clock at which a file begins. */
  const startOf = async (media: Media, signal?: AbortSignal): Promise<number> => {
    const start = Number((await probe(media, signal)).format.start_time ?? 0);
    return Number.isFinite(start) && start > 0 ? start : 0;
  };

  return {
    probe,

    async extractText({ media, tracks, priority = 'interactive', isFromZero = false }, signal) {
      if (tracks.length === 0 || tracks.length > MOST_TRACKS)
        throw new TypeError(`between one and ${MOST_TRACKS} tracks at once`);
      const zero = isFromZero ? await startOf(media, signal) : 0;
      const command = {
        ...reading(programs.ffmpeg, media, textArgs({ tracks, zero })),
        timeoutMs: 60 * MINUTE,
        quietMs: MINUTE,
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
        timeoutMs: 60 * MINUTE,
        quietMs: MINUTE,
        outputLimit: 192 * MIB,
        priority,
      };
      const { stdout, pipes, done, stop } = await processes.start({ ...command, extraPipes: 1 }, signal);
      pipes[0]?.on('data', (chunk: Buffer) => {
        const at = /out_time_us=(\d{1,15})/.exec(chunk.toString('latin1'))?.[1];
        if (at !== undefined) onTime?.(Number(at) / 1e6);
      });
      return { bytes: stdout, done: done.then(() => {}), stop };
    },

    async extractFrame(request, signal) {
      const { stdout } = await processes.run(
        {
          ...reading(programs.ffmpeg, request.media, frameArgs(request)),
          outputLimit: 32 * MIB,
          priority: 'background',
        },
        signal,
      );
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
      yield* readKeyPictures(
        await processes.start(
          { ...command, timeoutMs: 10 * MINUTE, quietMs: MINUTE, priority: 'background', extraPipes: 1 },
          signal,
        ),
        request,
      );
    },

    async extractAudio(request, signal) {
      const command = {
        ...reading(programs.ffmpeg, request.media, audioArgs(request)),
        timeoutMs: 60 * MINUTE,
        quietMs: MINUTE,
        priority: 'background' as const,
      };
      const { stdout, done, stop } = await processes.start(command, signal);
      return { samples: stdout, rate: AUDIO_RATE, done: done.then(() => {}), stop };
    },

    async writeAudio({ mostBytes, progress, ...request }, signal) {
      const writes = [request.to.slice(0, request.to.lastIndexOf('/'))];
      const command = {
        ...reading(programs.ffmpeg, request.media, waveArgs(request)),
        writes,
        fileLimit: mostBytes,
        timeoutMs: 60 * MINUTE,
        quietMs: MINUTE,
        priority: 'background' as const,
      };
      const { stdout, done } = await processes.start(command, signal);
      stdout.on('data', (chunk: Buffer) => {
        const at = /out_time_us=(\d{1,15})/.exec(chunk.toString('latin1'))?.[1];
        if (at !== undefined) progress?.(Number(at) / 1e6);
      });
      await done;
    },

    capabilities(signal) {
      known ??= capabilities(processes, programs, signal).catch((error: unknown) => {
        known = null;
        throw error;
      });
      return known;
    },
  };
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

async function capabilities(
  processes: Processes,
  { ffmpeg: encoder, ffprobe: prober }: NonNullable<FfmpegNeeds['programs']>,
  signal?: AbortSignal,
): Promise<FfmpegCapabilities> {
  const ask = async (program: string, what: string): Promise<string> => {
    try {
      return (
        await processes.run({ program, args: ['-hide_banner', what], timeoutMs: 15_000, fileLimit: 0 }, signal)
      ).stdout.toString('utf8');
    } catch (error) {
      if (error instanceof ProcessFailure && error.fault === 'missing') return '';
      throw error;
    }
  };
  const [ffmpeg, ffprobe, encoders, decoders, accelerators] = await Promise.all([
    ask(encoder, '-version'),
    ask(prober, '-version'),
    ask(encoder, '-encoders'),
    ask(encoder, '-decoders'),
    ask(encoder, '-hwaccels'),
  ]);
  return {
    ffmpeg: ffmpegVersionOf(ffmpeg),
    ffprobe: ffmpegVersionOf(ffprobe),
    encoders: listedNames(encoders),
    decoders: listedNames(decoders),
    accelerators: accelerators
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  };
}

/** `ffmpeg version 5.1.9-0+deb12u1 Copyright …` */
export const ffmpegVersionOf = (text: string): string | null => /^ff\w+ version (\S+)/.exec(text)?.[1] ?? null;

/** ` V....D libx264  description`, after a line of dashes. */
export function listedNames(text: string): string[] {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.trim() === '------');
  return from < 0 ? [] : lines.slice(from + 1).flatMap((line) => /^ [A-Z.]{6} (\S+)/.exec(line)?.[1] ?? []);
}

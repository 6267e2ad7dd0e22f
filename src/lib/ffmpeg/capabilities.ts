/** Versions, encoders, decoders and accelerators of the installed ffmpeg and ffprobe. */
import { ProcessFailure } from '../process.ts';
import type { Processes } from '../process.ts';
import type { FfmpegCapabilities } from './types.ts';

export interface Programs {
  ffmpeg: string;
  ffprobe: string;
}

const LIST_MS = 15_000;

/** Returns the capabilities, which are read once. A failed reading is forgotten, so that the next call reads again. */
export function createCapabilities(
  processes: Pick<Processes, 'run'>,
  programs: Programs,
): (signal?: AbortSignal) => Promise<FfmpegCapabilities> {
  let known: Promise<FfmpegCapabilities> | null = null;
  return (signal) => {
    known ??= readCapabilities(processes, programs, signal).catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}

async function readCapabilities(
  processes: Pick<Processes, 'run'>,
  programs: Programs,
  signal?: AbortSignal,
): Promise<FfmpegCapabilities> {
  const list = async (program: string, option: string): Promise<string> => {
    const command = { program, args: ['-hide_banner', option], timeoutMs: LIST_MS, fileLimit: 0 };
    try {
      return (await processes.run(command, signal)).stdout.toString('utf8');
    } catch (error) {
      if (error instanceof ProcessFailure && error.fault === 'missing') return '';
      throw error;
    }
  };
  const [ffmpeg, ffprobe, encoders, decoders, accelerators] = await Promise.all([
    list(programs.ffmpeg, '-version'),
    list(programs.ffprobe, '-version'),
    list(programs.ffmpeg, '-encoders'),
    list(programs.ffmpeg, '-decoders'),
    list(programs.ffmpeg, '-hwaccels'),
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

/** Reads `ffmpeg version 5.1.9-0+deb12u1 Copyright …`. */
export const ffmpegVersionOf = (text: string): string | null => /^ff\w+ version (\S+)/.exec(text)?.[1] ?? null;

/** Reads ` V....D libx264  description`, after a line of dashes. */
export function listedNames(text: string): string[] {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.trim() === '------');
  return from < 0 ? [] : lines.slice(from + 1).flatMap((line) => /^ [A-Z.]{6} (\S+)/.exec(line)?.[1] ?? []);
}

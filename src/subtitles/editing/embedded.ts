/**
 * The text of a track inside a video, as its own format has it: read by one pass over the file, and kept for whoever
 * asks next. Bounded in size and number; of a video that changed it is read anew.
 */
import type { PlayableFile } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { inside, pathOf, type Root } from '../../lib/files.ts';
import { ProcessFailure } from '../../lib/process.ts';
import type { Track } from '../coverage.ts';
import { LIMITS } from '../engine/index.ts';

export interface EmbeddedText {
  bytes: Buffer;
  /** Of a file of that format. */
  extension: 'srt' | 'ass' | 'vtt';
}

const MOST_KEPT = 8;
const EXTRACTING_MS = 10 * 60_000;

export interface Embedded {
  /** Fails as `conflict` when the track cannot be read or is more than a subtitle can be. */
  read(of: { file: PlayableFile; root: Root; track: Track }, signal: AbortSignal): Promise<EmbeddedText>;
}

export function createEmbedded({ ffmpeg }: { ffmpeg: Pick<Ffmpeg, 'extractText'> }): Embedded {
  const kept = new Map<string, EmbeddedText>();
  return {
    read: async ({ file, root, track }, signal) => {
      const key = `${file.id} ${file.size} ${file.modifiedMs} ${track.stream}`;
      const had = kept.get(key);
      if (had) return had;
      const text = await extract(ffmpeg, { file, root, track }, AbortSignal.any([signal, AbortSignal.timeout(EXTRACTING_MS)]));
      kept.set(key, text);
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? '');
      return text;
    },
  };
}

async function extract(ffmpeg: Pick<Ffmpeg, 'extractText'>, { file, root, track }: { file: PlayableFile; root: Root; track: Track }, signal: AbortSignal): Promise<EmbeddedText> {
  if (track.stream === undefined) throw new Failure('conflict', 'the text track of the video cannot be read');
  const format = track.format === 'ass' || track.format === 'ssa' ? ('ass' as const) : track.format === 'webvtt' ? ('webvtt' as const) : ('srt' as const);
  const path = await pathOf(inside(root, file.relative));
  try {
    const extraction = await ffmpeg.extractText({ path, tracks: [{ stream: track.stream, format, codec: track.format }], isFromZero: file.info?.container === 'mpegts' }, signal);
    try {
      const parts: Uint8Array[] = [];
      let size = 0;
      for await (const part of extraction.tracks[0] ?? []) {
        size += (part as Uint8Array).byteLength;
        if (size > LIMITS.bytes) throw new Failure('conflict', 'the text track of the video is larger than 4 MiB');
        parts.push(part as Uint8Array);
      }
      await extraction.done;
      return { bytes: Buffer.concat(parts), extension: format === 'webvtt' ? 'vtt' : format };
    } finally {
      extraction.stop();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProcessFailure) throw new Failure('conflict', 'the text track of the video cannot be read', {}, { cause: error });
    throw error;
  }
}

/**
 * The text of a track inside a video, as its own format has it: read by one pass over the file, which everybody who
 * asks meanwhile waits for, and kept on disk, because the pass over a large file takes minutes.
 *
 * Bounded in size and number; of a video that changed it is read anew. What is kept can be thrown away at any time.
 */
import { createHash } from 'node:crypto';
import type { PlayableFile } from '../../catalog/index.ts';
import { createInFlight, untilAborted } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { createCacheFolder, inRoot, type Root } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import { ProcessFailure } from '../../lib/process.ts';
import type { Track } from '../store/rows.ts';
import { LIMITS } from '../../cues/index.ts';

export interface EmbeddedText {
  bytes: Buffer;
  /** Of a file of that format. */
  extension: 'srt' | 'ass' | 'vtt';
}
interface Of {
  file: PlayableFile;
  root: Root;
  track: Track;
}

export interface Embedded {
  /** Fails as `conflict` when the track cannot be read or is more than a subtitle can be. */
  read(of: Of, signal: AbortSignal): Promise<EmbeddedText>;
}

const MAX_KEPT_BYTES = 256 * 1024 ** 2;
const EXTRACTING_MS = 30 * 60_000;

/** `cache`: the server's cache folder; texts are kept below `tracks/` in it. */
export function createEmbedded({
  ffmpeg,
  cache,
  log,
}: {
  ffmpeg: Pick<Ffmpeg, 'extractText'>;
  cache: string;
  log: Log;
}): Embedded {
  const join = createInFlight<EmbeddedText>();
  const files = createCacheFolder({
    folder: `${cache}/tracks`,
    names: /^[0-9a-f]{64}\.(?:srt|ass|vtt)$/,
    maxBytes: MAX_KEPT_BYTES,
    maxFileBytes: LIMITS.bytes,
    log,
  });
  const made = async (of: Of, hash: string): Promise<EmbeddedText> => {
    const { extension } = formatOf(of.track);
    const name = `${hash}.${extension}`;
    const kept = await files.get(name);
    if (kept) return { bytes: kept, extension };
    const bytes = await extract(ffmpeg, of, AbortSignal.timeout(EXTRACTING_MS));
    await files.put(name, bytes);
    return { bytes, extension };
  };
  return {
    read: ({ file, root, track }, signal) => {
      const name = createHash('sha256')
        .update(JSON.stringify([file.library, file.relative, file.size, file.modifiedMs, track.stream, track.format]))
        .digest('hex');
      // A caller who leaves does not end what others wait for, and what is read is kept for the next time.
      return untilAborted(
        join(name, () => made({ file, root, track }, name)),
        signal,
      );
    },
  };
}

const formatOf = ({ format }: Track): { format: 'srt' | 'ass' | 'webvtt'; extension: EmbeddedText['extension'] } =>
  format === 'ass' || format === 'ssa'
    ? { format: 'ass', extension: 'ass' }
    : format === 'webvtt'
      ? { format: 'webvtt', extension: 'vtt' }
      : { format: 'srt', extension: 'srt' };

async function extract(
  ffmpeg: Pick<Ffmpeg, 'extractText'>,
  { file, root, track }: Of,
  signal: AbortSignal,
): Promise<Buffer> {
  const unread = (cause?: unknown): Failure =>
    new Failure(
      'conflict',
      'the text track of the video cannot be read',
      { reason: 'text-track-unreadable' },
      { cause },
    );
  if (track.stream === undefined) throw unread();
  const { format } = formatOf(track);
  try {
    const extraction = await ffmpeg.extractText(
      {
        media: inRoot(root, file.relative),
        tracks: [{ stream: track.stream, format, codec: track.format }],
        isFromZero: file.info?.container === 'mpegts',
      },
      signal,
    );
    // It fails again where it is waited for; left before, nobody would hear it.
    extraction.done.catch(() => {});
    try {
      const parts: Uint8Array[] = [];
      let size = 0;
      for await (const part of extraction.tracks[0] ?? []) {
        size += (part as Uint8Array).byteLength;
        if (size > LIMITS.bytes)
          throw new Failure('conflict', 'the text track of the video is larger than 4 MiB', {
            reason: 'track-too-large',
          });
        parts.push(part as Uint8Array);
      }
      await extraction.done;
      return Buffer.concat(parts);
    } finally {
      extraction.stop();
    }
  } catch (error) {
    if (error instanceof ProcessFailure || signal.aborted) throw unread(error);
    throw error;
  }
}

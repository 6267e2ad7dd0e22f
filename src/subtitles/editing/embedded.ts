/**
 * Reads text tracks inside videos, in their own format. Callers that ask for the same track share one pass over the
 * file, and the text is cached on disk, because a pass over a large file takes minutes.
 *
 * The cache is limited in size. A changed video is read again. The cache can be deleted at any time.
 */
import { createHash } from 'node:crypto';
import type { PlayableFile } from '../../catalog/index.ts';
import { createInFlight, untilAborted } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { createCacheFolder, inRoot, type Root } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import { ProcessFailure } from '../../lib/process.ts';
import type { InventoryTrack } from '../store/rows.ts';
import { LIMITS } from '../../cues/index.ts';

export interface EmbeddedText {
  bytes: Buffer;
  /** File extension of the track's format. */
  extension: 'srt' | 'ass' | 'vtt';
}
interface TrackLocation {
  file: PlayableFile;
  root: Root;
  track: InventoryTrack;
}

export interface EmbeddedTexts {
  /** Throws `Failure('conflict')` if the track cannot be read or is larger than a subtitle can be. */
  read(of: TrackLocation, signal: AbortSignal): Promise<EmbeddedText>;
}

const MAX_CACHE_BYTES = 256 * 1024 ** 2;
const EXTRACTION_TIMEOUT_MS = 30 * 60_000;

/** `cache` is the server's cache folder. Texts are stored in `tracks/` inside it. */
export function createEmbeddedTexts({
  ffmpeg,
  cache,
  log,
}: {
  ffmpeg: Pick<Ffmpeg, 'extractText'>;
  cache: string;
  log: Log;
}): EmbeddedTexts {
  const join = createInFlight<EmbeddedText>();
  const files = createCacheFolder({
    folder: `${cache}/tracks`,
    names: /^[0-9a-f]{64}\.(?:srt|ass|vtt)$/,
    maxBytes: MAX_CACHE_BYTES,
    maxFileBytes: LIMITS.bytes,
    log,
  });
  const made = async (of: TrackLocation, hash: string): Promise<EmbeddedText> => {
    const { extension } = formatOf(of.track);
    const name = `${hash}.${extension}`;
    const kept = await files.get(name);
    if (kept) return { bytes: kept, extension };
    const bytes = await extract(ffmpeg, of, AbortSignal.timeout(EXTRACTION_TIMEOUT_MS));
    await files.put(name, bytes);
    return { bytes, extension };
  };
  return {
    read: ({ file, root, track }, signal) => {
      const name = createHash('sha256')
        .update(JSON.stringify([file.library, file.relative, file.size, file.modifiedMs, track.stream, track.format]))
        .digest('hex');
      // A caller that leaves does not end the pass: others may wait for it, and the result is cached.
      return untilAborted(
        join(name, () => made({ file, root, track }, name)),
        signal,
      );
    },
  };
}

const formatOf = ({
  format,
}: InventoryTrack): { format: 'srt' | 'ass' | 'webvtt'; extension: EmbeddedText['extension'] } =>
  format === 'ass' || format === 'ssa'
    ? { format: 'ass', extension: 'ass' }
    : format === 'webvtt'
      ? { format: 'webvtt', extension: 'vtt' }
      : { format: 'srt', extension: 'srt' };

async function extract(
  ffmpeg: Pick<Ffmpeg, 'extractText'>,
  { file, root, track }: TrackLocation,
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
    // The failure is handled where `done` is awaited. This handler covers an early return.
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

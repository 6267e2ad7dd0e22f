/**
 * Copies streams of media files into HLS segments: no process is started for it and nothing is written to the disk. A
 * helper process reads the index of a file; the server copies the ranges that it names.
 */
import { Failure } from '../../lib/failure.ts';
import { createMediaIndexes, type MediaIndexes, type MediaIndexesNeeds } from '../media-index/indexes.ts';
import type { MediaIndex } from '../media-index/live.ts';
import type { Rendition, MediaSource } from '../rendition.ts';
import { copiedRendition } from './copied.ts';

export interface Remux {
  /** Returns what is known of a file that copying depends on: see `MediaIndexes.open`. */
  facts(source: MediaSource, signal: AbortSignal): Promise<MediaIndex>;
  /**
   * Returns a video or audio stream of a file, by its position in `MediaInfo.streams`. Fails as `conflict` when it
   * cannot be copied. `isOpenGopAllowed`: the client can begin at a recovery point of an open GOP.
   */
  rendition(
    source: MediaSource,
    stream: number,
    options: { isOpenGopAllowed?: boolean },
    signal: AbortSignal,
  ): Promise<Rendition>;
  /** Returns where the fonts in a file are: see `MediaIndexes.fonts`. */
  fonts: MediaIndexes['fonts'];
  /** Called when playback may begin soon: see `MediaIndexes.warm`. */
  warm(): void;
  close(): Promise<void>;
}

export function createRemux(needs: MediaIndexesNeeds): Remux {
  const indexes = createMediaIndexes(needs);
  return {
    facts: indexes.open,
    rendition: async (source, stream, { isOpenGopAllowed = false }, signal) => {
      const index = await indexes.open(source, signal);
      const track = index.tracks.findIndex((one) => one.stream === stream);
      if (track < 0) throw new Failure('conflict', 'this stream cannot be copied', { reason: 'cannot-copy' });
      return copiedRendition({ source, index, track, isOpenGopAllowed });
    },
    fonts: indexes.fonts,
    warm: indexes.warm,
    close: indexes.close,
  };
}

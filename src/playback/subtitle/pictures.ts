/**
 * Picture subtitles for players that draw them: PGS unchanged, all other formats converted to PGS.
 *
 * PGS is sent while the file is read. All callers of a track share one pass over the file; when the last
 * one leaves, it is cancelled, and only a complete pass is stored.
 */
import type { Catalog, PlayableFile } from '../../catalog/index.ts';
import type { SubtitleTrack } from '../../contract/catalog/items.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { createProducers } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import { inRoot } from '../../lib/files.ts';
import { createSupShift } from '../../cues/index.ts';
import type { Subtitles } from '../../subtitles/index.ts';
import type { SubtitleCache } from './cache.ts';
import { numberOf } from './choose.ts';
import { worded } from './extract.ts';

export interface PictureSubtitleNeeds {
  catalog: Pick<Catalog, 'root'>;
  ffmpeg: Pick<Ffmpeg, 'extractPictures' | 'probe'>;
  toPgs: Subtitles['delivery']['toPgs'];
  cache: SubtitleCache;
}
/** A track, and where its sidecar is when it is not in the video. */
export interface PictureSource {
  file: PlayableFile;
  track: Pick<SubtitleTrack, 'key' | 'format' | 'role' | 'language'>;
  relative: string | undefined;
}
/** As much as is kept of a track. The largest ones on Blu-rays have 60 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const PGS = 'hdmv_pgs_subtitle';
/** Containers whose clock begins anywhere; players count from the first picture of the video. */
const ANY_CLOCK: readonly string[] = ['mpegts', 'mpeg'];

export function createPictures({ catalog, ffmpeg, toPgs, cache }: PictureSubtitleNeeds) {
  const passes = createProducers<Uint8Array[]>();

  async function* copied(
    { file, track }: PictureSource,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const media = inRoot(await catalog.root(file.root), file.relative);
    const zero = ANY_CLOCK.includes(file.info?.container ?? '')
      ? Number((await ffmpeg.probe(media, signal)).format.start_time ?? 0) * 1000 || 0
      : 0;
    const shift = zero > 0 ? createSupShift(zero) : (piece: Uint8Array) => piece;
    const extraction = await ffmpeg.extractPictures(
      { media, stream: numberOf(track.key), codec: PGS, priority: 'playback' },
      signal,
    );
    // It may fail before the bytes have been read to their end.
    extraction.done.catch(() => {});
    try {
      for await (const piece of extraction.bytes) yield shift(piece as Uint8Array);
      await extraction.done;
    } finally {
      extraction.stop();
    }
  }

  async function* written(source: PictureSource, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const { file, track, relative } = source;
    const { format, role, language } = track;
    const place =
      relative === undefined
        ? { source: 'embedded' as const, stream: numberOf(track.key) }
        : { source: 'sidecar' as const, relative };
    yield await toPgs(
      { ...place, format, role, ...(language !== undefined && { language }) },
      { file, root: await catalog.root(file.root) },
      signal,
    );
  }

  async function run(
    parts: Uint8Array[],
    name: string,
    source: PictureSource,
    arrived: () => void,
    signal: AbortSignal,
  ): Promise<void> {
    let size = 0;
    for await (const part of source.track.format === PGS ? copied(source, signal) : written(source, signal)) {
      size += part.byteLength;
      if (size > MAX_BYTES)
        throw new Failure('conflict', 'the subtitle is larger than what can be served', {
          reason: 'subtitle-too-large',
        });
      parts.push(part);
      arrived();
    }
    await cache.put(name, Buffer.concat(parts));
  }

  return {
    /**
     * Returns the `.sup` from its first byte on, as it comes. `name` is that of the whole in the cache. Nothing is
     * started before the first piece is asked for.
     */
    async *pieces(
      name: string,
      source: PictureSource,
      signal: AbortSignal,
    ): AsyncGenerator<Uint8Array, void, undefined> {
      const begin = () => {
        const state: Uint8Array[] = [];
        return { state, run: (arrived: () => void, stop: AbortSignal) => run(state, name, source, arrived, stop) };
      };
      try {
        yield* passes.follow(name, begin, (parts, at) => parts[at], signal);
      } catch (error) {
        throw worded(error);
      }
    },
    close: passes.close,
  };
}
export type PictureSubtitles = ReturnType<typeof createPictures>;

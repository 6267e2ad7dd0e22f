/** Subtitle tracks for players: read out of videos and sidecars, converted, and kept in the cache. */
import type { Catalog } from '../../catalog/index.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { createInFlight } from '../../lib/coalesce.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import type { Log } from '../../lib/log.ts';
import type { Subtitles } from '../../subtitles/index.ts';
import { createSubtitleCache } from './cache.ts';
import { createExtractor } from './extract.ts';
import { createPictures } from './pictures.ts';
import { serveSubtitle, type SubtitleQuery, type SubtitleReply } from './serve.ts';

export type { SubtitleQuery, SubtitleReply } from './serve.ts';

export interface SubtitleTrackNeeds extends Pick<Subtitles['delivery'], 'convert' | 'toPgs'> {
  catalog: Pick<Catalog, 'seenBy' | 'root'>;
  ffmpeg: Pick<Ffmpeg, 'extractText' | 'extractPictures' | 'probe'>;
  log: Log;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
}

export interface SubtitleTracks {
  /**
   * Returns a subtitle, whole or as it comes. Fails as `missing`, as `conflict` if it is not available in that form, or
   * as `unavailable`.
   */
  read(by: Principal, query: SubtitleQuery, signal: AbortSignal): Promise<SubtitleReply>;
  close(): void;
}

export function createSubtitleTracks({
  catalog,
  ffmpeg,
  convert,
  toPgs,
  log,
  cache: folder,
}: SubtitleTrackNeeds): SubtitleTracks {
  const cache = createSubtitleCache({ folder: `${folder}/subtitles`, log });
  const extractor = createExtractor({ ffmpeg });
  const pictures = createPictures({ catalog, ffmpeg, toPgs, cache });
  const needs = { catalog, extractor, pictures, cache, convert, converting: createInFlight<Buffer>() };
  return {
    read: (by, query, signal) => serveSubtitle(needs, catalog.seenBy(by), query, signal),
    close: () => {
      extractor.close();
      pictures.close();
    },
  };
}

/** Builds the query that providers get for an item, and finds text without a language inside its video. */
import type { PlayableFile } from '../../catalog/index.ts';
import type { WantedSubtitle } from '../../contract/subtitles/states.ts';
import { inRoot, openForReading, readPart, type Root } from '../../lib/files.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { servesAs } from '../inventory/coverage.ts';
import type { PartOfFilm } from '../parts/part-keys.ts';
import type { InventoryTrack } from '../store/rows.ts';
import type { SubtitleRole } from '../store/tables.ts';
import { moviehash } from '../../lib/media/moviehash.ts';
import { type ProviderQuery, type KnownIds, MAX_SUBTITLE_BYTES } from '../providers/provider.ts';
import type { SubtitleReader } from '../worker/types.ts';

/** Returns the query for one language and kind. Reads 128 KiB of the video for its hash. */
export async function queryFor({
  subject,
  file,
  root,
  wanted: { language, role },
}: {
  subject: PartOfFilm;
  file: PlayableFile;
  root: Root;
  wanted: WantedSubtitle;
}): Promise<ProviderQuery> {
  const { kind, show, season, episode, episodeEnd, place } = subject;
  const hash = await hashOf(file, root);
  const video = file.info?.streams.find(({ type, cover }) => type === 'video' && !cover);
  const year = kind === 'episode' ? show?.year : subject.year;
  const ids = idsOf(subject.ids);
  const showIds = idsOf(show?.ids ?? {});
  return {
    kind,
    title: kind === 'episode' ? (show?.title ?? subject.title) : subject.title,
    language,
    ...(place && { part: place }),
    ...(role === 'forced' && { forced: true }),
    ...(role === 'sdh' && { hearingImpaired: 'only' as const }),
    fileName: file.relative.slice(file.relative.lastIndexOf('/') + 1),
    size: file.size,
    ...(year !== undefined && { year }),
    ...(ids && { ids }),
    ...(kind === 'episode' && showIds && { showIds }),
    // A daily show without episode numbers has the year as its season, which no provider does.
    ...(season !== undefined && (kind === 'movie' || episode !== undefined) && { season }),
    ...(episode !== undefined && { episode }),
    ...(episode !== undefined && episodeEnd !== undefined && episodeEnd > episode && { episodeEnd }),
    ...(hash !== undefined && { hash }),
    ...(video?.frameRate !== undefined && { fps: video.frameRate }),
    ...(file.info?.duration !== undefined && { duration: file.info.duration }),
  };
}

function idsOf({ imdb, tmdb }: Record<string, string>): KnownIds | undefined {
  const ids: KnownIds = {
    ...(imdb !== undefined && /^tt\d{7,10}$/.test(imdb) && { imdb }),
    ...(tmdb !== undefined && /^[1-9]\d{0,11}$/.test(tmdb) && { tmdb: Number(tmdb) }),
  };
  return Object.keys(ids).length === 0 ? undefined : ids;
}

async function hashOf(file: PlayableFile, root: Root): Promise<string | undefined> {
  const open = await openForReading(inRoot(root, file.relative));
  try {
    return await moviehash(open.size, (position, length) => readPart(open, position, length));
  } finally {
    await open.close();
  }
}

/** Returns text tracks inside the video without a language, which may be the wanted subtitle. */
export const untaggedTracks = (tracks: readonly InventoryTrack[], wanted: SubtitleRole): InventoryTrack[] =>
  tracks
    .filter(
      ({ source, language, role, picture, commentary }) =>
        source === 'embedded' &&
        language === undefined &&
        (role === 'forced') === (wanted === 'forced') &&
        !picture &&
        !commentary,
    )
    .slice(0, MAX_TRACKS);

const MAX_TRACKS = 4;

export interface MatchingTrack {
  srt: Uint8Array;
  role: SubtitleRole;
}

export interface TrackSearch {
  file: PlayableFile;
  root: Root;
  tracks: readonly InventoryTrack[];
  wanted: WantedSubtitle;
  ffmpeg: Pick<Ffmpeg, 'extractText'>;
  reader: Pick<SubtitleReader, 'examine'>;
}

/** Returns the first of these tracks whose text is certainly in that language, and of that kind. */
export async function findMatchingTrack(
  { file, root, tracks, wanted: { language, role }, ffmpeg, reader }: TrackSearch,
  signal: AbortSignal,
): Promise<MatchingTrack | undefined> {
  const extracted = tracks.flatMap(({ stream, format }) =>
    stream === undefined
      ? []
      : [{ stream, format: format === 'ass' || format === 'ssa' ? ('ass' as const) : ('srt' as const), codec: format }],
  );
  const extraction = await ffmpeg.extractText({ media: inRoot(root, file.relative), tracks: extracted }, signal);
  try {
    const texts = await Promise.all(extraction.tracks.map(bounded));
    await extraction.done;
    for (const [n, bytes] of texts.entries()) {
      const track = tracks[n];
      if (!bytes || bytes.byteLength === 0 || !track) continue;
      const {
        language: detected,
        isForImpaired,
        srt,
      } = await reader.examine({ bytes, options: { extension: extracted[n]?.format ?? 'srt', language } }, signal);
      if (detected.agrees !== true || !detected.reliable) continue;
      const own = track.role === 'normal' && isForImpaired ? 'sdh' : track.role;
      if (servesAs(own, role)) return { srt, role: own };
    }
    return undefined;
  } finally {
    extraction.stop();
  }
}

/**
 * Returns a whole stream, or undefined if it is larger than a subtitle can be. Reads the stream to its end in either
 * case.
 */
async function bounded(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.byteLength;
    if (size <= MAX_SUBTITLE_BYTES) parts.push(part);
  }
  return size > MAX_SUBTITLE_BYTES ? undefined : Buffer.concat(parts);
}

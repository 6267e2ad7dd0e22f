/** What the providers are asked for an item, and the item's own text where it has some without a language. */
import type { PlayableFile, Subject } from '../../catalog/index.ts';
import { inRoot, openForReading, readPart, type Root } from '../../lib/files.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import type { Track } from '../store/rows.ts';
import { moviehash } from '../../lib/media/moviehash.ts';
import { type Ask, type KnownIds, MOST_SUBTITLE } from '../providers/provider.ts';
import type { Reader } from '../worker/types.ts';

/** The ask for one language. Reads 128 KiB of the video for its hash; without it the ask has none. */
export async function askFor({
  subject,
  file,
  root,
  language,
}: {
  subject: Subject;
  file: PlayableFile;
  root: Root;
  language: string;
}): Promise<Ask> {
  const { kind, show, season, episode, episodeEnd } = subject;
  const hash = await hashOf(file, root);
  const video = file.info?.streams.find(({ type, cover }) => type === 'video' && !cover);
  const year = kind === 'episode' ? show?.year : subject.year;
  const ids = idsOf(subject.ids);
  const showIds = idsOf(show?.ids ?? {});
  return {
    kind,
    title: kind === 'episode' ? (show?.title ?? subject.title) : subject.title,
    language,
    fileName: file.relative.slice(file.relative.lastIndexOf('/') + 1),
    size: file.size,
    ...(year !== undefined && { year }),
    ...(ids && { ids }),
    ...(kind === 'episode' && showIds && { showIds }),
    // Of a daily show that is known by its date alone, the season is the year, which nobody else calls so.
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

/** Text inside the video that names no language: it may be what is wanted. */
export const untagged = (tracks: readonly Track[]): Track[] =>
  tracks
    .filter(
      ({ source, language, role, picture, commentary }) =>
        source === 'embedded' && language === undefined && role !== 'forced' && !picture && !commentary,
    )
    .slice(0, MOST_TRACKS);

const MOST_TRACKS = 4;

export interface FromVideo {
  srt: Uint8Array;
  track: Track;
}

export interface Inside {
  file: PlayableFile;
  root: Root;
  tracks: readonly Track[];
  language: string;
  ffmpeg: Pick<Ffmpeg, 'extractText'>;
  reader: Pick<Reader, 'examine'>;
}

/** Returns the first of these tracks whose text surely is in that language. */
export async function textInside(
  { file, root, tracks, language, ffmpeg, reader }: Inside,
  signal: AbortSignal,
): Promise<FromVideo | undefined> {
  const wanted = tracks.flatMap(({ stream, format }) =>
    stream === undefined
      ? []
      : [{ stream, format: format === 'ass' || format === 'ssa' ? ('ass' as const) : ('srt' as const), codec: format }],
  );
  const extraction = await ffmpeg.extractText({ media: inRoot(root, file.relative), tracks: wanted }, signal);
  try {
    const texts = await Promise.all(extraction.tracks.map(bounded));
    await extraction.done;
    for (const [n, bytes] of texts.entries()) {
      const track = tracks[n];
      if (!bytes || bytes.byteLength === 0 || !track) continue;
      const { language: seen, srt } = await reader.examine(
        { bytes, options: { extension: wanted[n]?.format ?? 'srt', language } },
        signal,
      );
      if (seen.agrees === true && seen.reliable) return { srt, track };
    }
    return undefined;
  } finally {
    extraction.stop();
  }
}

/** All of a stream, or nothing when it is more than a subtitle can be. The stream is read to its end either way. */
async function bounded(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.byteLength;
    if (size <= MOST_SUBTITLE) parts.push(part);
  }
  return size > MOST_SUBTITLE ? undefined : Buffer.concat(parts);
}

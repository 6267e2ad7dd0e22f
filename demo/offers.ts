/** Offers of the stand-in providers for the demo library: subtitles for some items without any. */
import { open, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Fixtures } from '../test/stand-ins/fixtures.ts';
import { FILMS, SHOW, type Video } from './films.ts';
import { spokenLines } from './words.ts';

const PIECE = 65_536;

/** OSHash: the size and the sums of the first and last 64 KiB, as providers know files by it. */
async function hashOf(path: string): Promise<string> {
  const { size } = await stat(path);
  const file = await open(path);
  try {
    let sum = BigInt(size);
    for (const from of [0, Math.max(0, size - PIECE)]) {
      const bytes = Buffer.alloc(PIECE);
      const { bytesRead } = await file.read(bytes, 0, PIECE, from);
      for (let at = 0; at + 8 <= bytesRead; at += 8) sum = (sum + bytes.readBigUInt64LE(at)) & 0xffff_ffff_ffff_ffffn;
    }
    return sum.toString(16).padStart(16, '0');
  } finally {
    await file.close();
  }
}

type Item = Fixtures['items'][number];

async function subtitlesFor(root: string, video: Video): Promise<Pick<Item, 'hash' | 'duration' | 'subtitles'>> {
  const release = basename(video.file, extname(video.file));
  const hash = await hashOf(join(root, video.file));
  return {
    hash,
    duration: video.seconds,
    subtitles: (video.offered ?? []).map((language) => ({
      language,
      releases: [release],
      trusted: true,
      hash: true,
      uploader: 'the demo',
      ...(video.isSpoken && language === 'en' ? { lines: spokenLines() } : {}),
    })),
  };
}

export async function offers(root: string, isMade: (video: Video) => boolean): Promise<Fixtures> {
  const items: Item[] = [];
  for (const { title, year, imdb, videos } of FILMS) {
    for (const video of videos)
      if (video.offered && isMade(video))
        items.push({ kind: 'movie', title, year, imdb, ...(await subtitlesFor(root, video)) });
  }
  for (const { season, numbers, title, video } of SHOW.episodes) {
    if (!video.offered || !isMade(video)) continue;
    const episode = numbers[0] ?? 1;
    items.push({
      kind: 'episode',
      title: SHOW.title,
      year: SHOW.year,
      showImdb: SHOW.imdb,
      imdb: episodeId(season, episode),
      season,
      episode,
      episodeTitle: title,
      ...(await subtitlesFor(root, video)),
    });
  }
  return { items };
}

export const episodeId = (season: number, episode: number): string =>
  `tt99002${season}${String(episode).padStart(1, '0')}`;

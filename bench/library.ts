/** A library of any size without a file: rows written straight into the tables, the same at every call. */
import type { Database } from '../src/lib/db/index.ts';
import { kinds } from '../src/catalog/kinds/index.ts';
import type { FileRecord, FolderRecord, ItemToStore, Person } from '../src/catalog/store/records.ts';
import { readingStore } from '../src/catalog/store/reading.ts';
import { textSearchStore } from '../src/catalog/store/text-search.ts';
import { createTextSearch } from '../src/catalog/core/text-search/index.ts';
import { scanningStore } from '../src/catalog/store/scanning.ts';
import type { MediaInfo } from '../src/catalog/probe/types.ts';

/** The numbers of a small generator (mulberry32), so that every run has the same library. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
const GENRES = [
  'Drama',
  'Comedy',
  'Thriller',
  'Action',
  'Crime',
  'Romance',
  'Horror',
  'Adventure',
  'Family',
  'Fantasy',
  'Mystery',
  'Animation',
  'History',
  'War',
  'Music',
  'Western',
];
const RATINGS = ['PG', 'PG-13', 'R', null] as const;
const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ren',
  'ta',
  'vor',
  'el',
  'dan',
  'shi',
  'or',
  'ben',
  'cu',
  'far',
  'gol',
  'ith',
  'ja',
  'nu',
  'per',
  'qui',
  'sa',
  'tor',
  'um',
  'wen',
  'xa',
  'yor',
  'zel',
];

const INFO = (n: number): MediaInfo =>
  ({
    container: 'matroska',
    duration: 5400 + (n % 3600),
    size: 4e9,
    chapters: [],
    tags: {},
    streams: [
      {
        index: 0,
        type: 'video',
        codec: 'h264',
        width: 1920,
        height: 1080,
        default: true,
        forced: false,
        hearingImpaired: false,
        commentary: false,
        cover: false,
      },
      {
        index: 1,
        type: 'audio',
        codec: 'aac',
        channels: 6,
        language: 'eng',
        default: true,
        forced: false,
        hearingImpaired: false,
        commentary: false,
        cover: false,
      },
      {
        index: 2,
        type: 'subtitle',
        codec: 'subrip',
        language: 'eng',
        default: false,
        forced: false,
        hearingImpaired: false,
        commentary: false,
        cover: false,
      },
    ],
  }) as unknown as MediaInfo;

export interface Synthetic {
  films: number;
  shows: number;
  episodes: number;
  /** Returns the people of a film or an episode, by its number. Left out: eight names that few others have. */
  peopleOf?: (kind: string, n: number) => Person[];
}

const fileOf = (item: ItemToStore, folder: string, ending: string): FileRecord => ({
  id: `f${item.id.slice(0, 1)}${item.id.slice(2)}`,
  library: item.library,
  folder,
  name: `${item.title} ${item.id.slice(-6)}.${ending}`,
  size: 4_000_000_000,
  mtime: 1,
  ino: '1',
  item: item.id,
  version: `f${item.id.slice(0, 1)}${item.id.slice(2)}`,
  label: '',
  part: 1,
  problem: null,
  evidence: [],
  probed: 1,
  missing: null,
  seen: 1,
});

/** The file of an item: its folder, and what its header says. */
export interface SyntheticFile {
  folder: string;
  ending?: string;
  info?: MediaInfo;
}

/** Writes items with their files, two thousand at a time. */
export function createItemWriter(store: ReturnType<typeof scanningStore>, library: string) {
  let batch = {
    items: [] as ItemToStore[],
    files: [] as FileRecord[],
    folders: [] as FolderRecord[],
    infos: [] as { file: string; info: MediaInfo }[],
  };
  const put = async (item: ItemToStore, of?: SyntheticFile) => {
    batch.items.push(item);
    if (of !== undefined) {
      const { folder, ending = 'mkv', info = INFO(batch.items.length) } = of;
      const file = fileOf(item, folder, ending);
      batch.files.push(file);
      batch.infos.push({ file: file.id, info });
      if (item.kind === 'movie')
        batch.folders.push({
          library,
          path: folder,
          mtime: 1,
          signature: 'x',
          aside: [{ n: 'poster.jpg', s: 1000, m: 1 }],
        });
    }
    if (batch.items.length >= 2_000) await flush();
  };
  const flush = async () => {
    await store.put({ ...batch, noInfos: [], left: [], now: 1 });
    batch = { items: [], files: [], folders: [], infos: [] };
  };
  return { put, flush };
}

/** Returns numbers and titles, the same at every call with this seed. */
export function createTitles(seed: number): { next: (below: number) => number; title: () => string } {
  const next = numbers(seed);
  const vocabulary = Array.from({ length: 12_000 }, () =>
    Array.from({ length: 2 + next(2) }, () => SYLLABLES[next(SYLLABLES.length)]).join(''),
  );
  // Few words are in many titles, and most words in few, as in real ones.
  const word = () => vocabulary[Math.floor((next(1e6) / 1e6) ** 3 * vocabulary.length)] ?? 'word';
  const title = () =>
    Array.from({ length: 1 + next(4) }, word)
      .map((one) => `${one[0]?.toUpperCase()}${one.slice(1)}`)
      .join(' ');
  return { next, title };
}

/** Writes the library into an empty catalogue. Returns its id. */
export async function populate(
  db: Database,
  { films, shows, episodes, peopleOf }: Synthetic,
  library: { name: string; path: string },
): Promise<string> {
  const store = scanningStore(db);
  const { next, title } = createTitles(7);
  const id = (kind: string, n: number) => `${kind}${n.toString(16).padStart(15, '0')}`;
  const LIBRARY = id('a', 0);
  await store.putLibrary({
    id: LIBRARY,
    ...library,
    kind: 'mixed',
    added: 0,
    last_scan: 1,
    last_full: 1,
    removed: null,
    scan_options: null,
  });
  const base = (kind: ItemToStore['kind'], n: number, name: string): ItemToStore => {
    const rating = RATINGS[next(RATINGS.length)] ?? null;
    return {
      id: id(kind === 'movie' ? 'b' : kind === 'show' ? 'c' : kind === 'season' ? 'd' : 'e', n),
      library: LIBRARY,
      key: `${kind}:${n}`,
      kind,
      title: name,
      sort_title: name.toLowerCase(),
      original_title: null,
      year: 1950 + next(76),
      released: null,
      rating,
      community_rating: next(100) / 10,
      added: 1.7e12 + next(1e9),
      duration: 5400 + next(3600),
      resolution: ['sd', '720p', '1080p', '4k'][next(4)] ?? null,
      genres: [...new Set([GENRES[next(16)] ?? '', GENRES[next(16)] ?? ''])],
      languages: ['en'],
      images: { poster: { at: 'x/poster.jpg', s: 1000, m: 1 } },
      show: null,
      season: null,
      season_number: null,
      episode_number: null,
      episode_end: null,
      confidence: 0.9,
      present: 1,
      missing: null,
      detail: {
        plot: `${title()} ${title()} ${title()} ${title()}.`,
        studios: [],
        people: peopleOf?.(kind, n) ?? Array.from({ length: 8 }, () => ({ name: title(), job: 'actor' })),
        ids: {},
        evidence: ['the folder and the file have the same title'],
      },
    };
  };
  const { put, flush } = createItemWriter(store, LIBRARY);
  for (let n = 0; n < films; n++) await put(base('movie', n, title()), { folder: `films/${n}` });
  const each = Math.ceil(episodes / shows);
  for (let s = 0, e = 0; s < shows; s++) {
    const show = { ...base('show', s, title()), duration: null, resolution: null };
    await put(show);
    for (let season = 1; season <= Math.ceil(each / 10); season++)
      await put({ ...base('season', s * 100 + season, `Season ${season}`), show: show.id, season_number: season });
    for (let n = 0; n < each && e < episodes; n++, e++) {
      const season = 1 + Math.floor(n / 10);
      await put(
        {
          ...base('episode', e, title()),
          show: show.id,
          season: id('d', s * 100 + season),
          season_number: season,
          episode_number: 1 + (n % 10),
          rating: show.rating,
        },
        { folder: `shows/${s}/${season}` },
      );
    }
  }
  await flush();
  // A library at rest has its people and plots indexed.
  await createTextSearch({ store: textSearchStore(db), reading: readingStore(db), kinds, failed: () => {} }).catchUp();
  return LIBRARY;
}

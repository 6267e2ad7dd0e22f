/** A catalogue of every kind without a file: rows written straight into the tables, the same at every call. */
import type { Database } from '../../src/lib/db/index.ts';
import { readingStore } from '../../src/catalog/store/reading.ts';
import type { ItemToStore } from '../../src/catalog/store/records.ts';
import { scanningStore } from '../../src/catalog/store/scanning.ts';
import { textSearchStore } from '../../src/catalog/store/text-search.ts';
import { createTextSearch } from '../../src/catalog/core/text-search/index.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import type { MediaInfo } from '../../src/catalog/probe/types.ts';
import type { LibraryKind } from '../../src/contract/catalog/kinds.ts';
import { createItemWriter, createTitles, populate, type Synthetic } from '../library.ts';

export interface MixedSizes extends Synthetic {
  tracks: number;
  audiobooks: number;
  books: number;
  photos: number;
}
/** Folders of the libraries. `films` holds films and shows. */
export type MixedFolders = Readonly<Record<'films' | 'music' | 'audiobooks' | 'books' | 'photos', string>>;

const TRACKS_OF_ALBUM = 12;
const BOOKS_OF_SERIES = 8;
const PHOTOS_OF_DAY = 40;
/** First letter of the ids of each kind; `bench/library.ts` has those of films and shows. */
const LETTERS = { album: '1', track: '2', audiobook: '3', series: '4', book: '5', photo: '6' } as const;
type MixedKind = keyof typeof LETTERS;
const GENRES = ['Rock', 'Jazz', 'Pop', 'Fantasy', 'Crime', 'History', 'Folk', 'Classical'];
const CAMERAS = ['Ricoh GR III', 'Fujifilm X100V', 'Nikon Z 5', 'Google Pixel 8'];
const FIRST_DAY = 16_000;

const idOf = (kind: MixedKind, n: number): string => `${LETTERS[kind]}${n.toString(16).padStart(15, '0')}`;

/** Header of a track, without what a bench does not read. */
const soundOf = (title: string, artist: string, track: number): MediaInfo =>
  ({
    container: 'flac',
    duration: 240,
    size: 3e7,
    chapters: [],
    tags: {},
    streams: [{ index: 0, type: 'audio', codec: 'flac', channels: 2, sampleRate: 44_100, default: true }],
    audio: {
      title,
      artists: [artist],
      albumArtists: [artist],
      track: { number: track },
      disc: {},
      genres: ['Rock'],
      isCompilation: false,
      composers: [],
      narrators: [],
      ids: {},
      hasLyrics: false,
    },
  }) as unknown as MediaInfo;
const textOf = (): MediaInfo => ({ container: 'epub', size: 4e5, chapters: [], tags: {}, streams: [] }) as MediaInfo;
const pictureOf = (): MediaInfo =>
  ({
    container: 'jpeg',
    size: 5e6,
    chapters: [],
    tags: {},
    streams: [{ index: 0, type: 'video', codec: 'mjpeg', width: 4000, height: 3000 }],
  }) as unknown as MediaInfo;

/** Writes the catalogue. Returns the ids of its libraries. */
export async function populateMixed(db: Database, sizes: MixedSizes, folders: MixedFolders): Promise<string[]> {
  const films = await populate(db, sizes, { name: 'films', path: folders.films });
  const store = scanningStore(db);
  const titles = createTitles(11);
  const libraries = [films];
  for (const [i, kind] of (['music', 'audiobooks', 'books', 'photos'] as const).entries()) {
    const library = `a${(i + 1).toString(16).padStart(15, '0')}`;
    libraries.push(library);
    await store.putLibrary({
      id: library,
      name: kind,
      path: folders[kind],
      kind: kind satisfies LibraryKind,
      added: 0,
      last_scan: 1,
      last_full: 1,
      removed: null,
      scan_options: null,
    });
    const writer = createItemWriter(store, library);
    await WRITERS[kind]({ ...writer, ...titles, item: itemsOf(library, titles) }, sizes);
    await writer.flush();
  }
  // A library at rest has its people and plots indexed.
  await createTextSearch({ store: textSearchStore(db), reading: readingStore(db), kinds, failed: () => {} }).catchUp();
  return libraries;
}

type Titles = ReturnType<typeof createTitles>;
type ItemMaker = (kind: MixedKind, n: number, facts: Partial<ItemToStore>) => ItemToStore;
interface Writing extends Titles, ReturnType<typeof createItemWriter> {
  item: ItemMaker;
}

const itemsOf =
  (library: string, { next, title }: Titles): ItemMaker =>
  (kind, n, facts) => {
    const name = facts.title ?? title();
    return {
      id: idOf(kind, n),
      library,
      key: `${kind}:${n}`,
      kind,
      title: name,
      sort_title: name.toLowerCase(),
      original_title: null,
      year: 1950 + next(76),
      released: null,
      rating: null,
      community_rating: null,
      added: 1.7e12 + next(1e9),
      duration: null,
      resolution: null,
      genres: [],
      languages: [],
      images: {},
      show: null,
      season: null,
      season_number: null,
      episode_number: null,
      episode_end: null,
      confidence: 0.95,
      present: 1,
      missing: null,
      detail: { studios: [], people: [], ids: {}, evidence: ['the tags say so'] },
      ...facts,
    };
  };

const WRITERS: Readonly<
  Record<Exclude<keyof MixedFolders, 'films'>, (writing: Writing, sizes: MixedSizes) => Promise<void>>
> = {
  music: async ({ put, item, title, next }, { tracks }) => {
    for (let n = 0; n < tracks; n++) {
      const album = Math.floor(n / TRACKS_OF_ALBUM);
      const number = 1 + (n % TRACKS_OF_ALBUM);
      const artist = `Band ${Math.floor(album / 4)}`;
      const facts = { artists: [artist], genres: [GENRES[next(GENRES.length)] ?? ''] };
      if (number === 1) await put(item('album', album, facts));
      const name = title();
      await put(
        item('track', n, {
          ...facts,
          title: name,
          duration: 240,
          show: idOf('album', album),
          season_number: 1,
          episode_number: number,
        }),
        { folder: `${artist}/${album}`, ending: 'flac', info: soundOf(name, artist, number) },
      );
    }
  },
  audiobooks: async ({ put, item, next }, { audiobooks }) => {
    for (let n = 0; n < audiobooks; n++) {
      const author = `Author ${next(300)}`;
      const name = `Book ${n}`;
      await put(
        item('audiobook', n, {
          title: name,
          artists: [author],
          duration: 36_000,
          detail: { studios: [], people: [], ids: {}, evidence: [], audiobook: { narrators: ['A reader'] } },
        }),
        { folder: `${author}/${n}`, ending: 'm4b', info: soundOf(name, author, 1) },
      );
    }
  },
  books: async ({ put, item, next }, { books }) => {
    for (let n = 0; n < books; n++) {
      const series = Math.floor(n / BOOKS_OF_SERIES);
      if (n % BOOKS_OF_SERIES === 0) await put(item('series', series, {}));
      await put(
        item('book', n, {
          show: idOf('series', series),
          episode_number: 1 + (n % BOOKS_OF_SERIES),
          detail: {
            studios: [],
            people: [{ name: `Writer ${next(400)}`, job: 'author' }],
            ids: {},
            evidence: [],
            book: { format: 'epub', authors: [`Writer ${next(400)}`] },
          },
        }),
        { folder: `series/${series}`, ending: 'epub', info: textOf() },
      );
    }
  },
  photos: async ({ put, item, next }, { photos }) => {
    for (let n = 0; n < photos; n++) {
      const day = FIRST_DAY + Math.floor(n / PHOTOS_OF_DAY);
      const local = `${new Date(day * 86_400_000).toISOString().slice(0, 10)}T12:00:${String(n % 60).padStart(2, '0')}`;
      await put(
        item('photo', n, {
          title: `IMG_${n}`,
          sort_title: `${local} img_${n}`,
          year: Number(local.slice(0, 4)),
          released: day,
          camera: CAMERAS[next(CAMERAS.length)] ?? null,
          folder: `photos/${day}`,
          images: { thumb: { at: `${day}/IMG_${n}.jpg`, s: 5e6, m: 1 } },
          detail: { studios: [], people: [], ids: {}, evidence: [], taken: { local, by: 'camera' } },
        }),
        { folder: `${day}`, ending: 'jpg', info: pictureOf() },
      );
    }
  },
};

/** Rows of items as the library index holds them: all of them at a start, and those that changed later. */
import { kindsWith } from '../../contract/catalog/kinds.ts';
import type { Database } from '../../lib/db/index.ts';
import type { IndexChange, IndexRow } from '../core/library-index/types.ts';
import { parseStrings } from './records.ts';
import { CHANGES, type CatalogItemTable, SNAPSHOT_KEY, type CatalogTables } from './tables.ts';

/** Sections and extras have no row: they are shown as a part of what they belong to. */
/** Kinds that are part of other items, which no list and no search has. */
export const UNLISTED_KINDS = [...kindsWith({ role: 'section' }), ...kindsWith({ role: 'extra' })];
const isUnlisted = (kind: string): boolean => (UNLISTED_KINDS as readonly string[]).includes(kind);

const COLUMNS = [
  'id',
  'kind',
  'library',
  'title',
  'sort_title',
  'original_title',
  'year',
  'released',
  'rating',
  'community_rating',
  'added',
  'duration',
  'resolution',
  'camera',
  'folder',
  'genres',
  'languages',
  'artists',
  'series',
  'film_set',
  'studios',
  'hdr',
  'codecs',
  'show',
  'season_number',
  'episode_number',
  'airs_at',
] as const;
type IndexedItem = Pick<CatalogItemTable, (typeof COLUMNS)[number]>;

const indexRow = (item: IndexedItem): IndexRow => ({
  id: item.id,
  kind: item.kind as IndexRow['kind'],
  library: item.library,
  title: item.title,
  sortTitle: item.sort_title,
  originalTitle: item.original_title,
  year: item.year,
  released: item.released,
  rating: item.rating,
  communityRating: item.community_rating,
  added: item.added,
  duration: item.duration,
  resolution: item.resolution,
  camera: item.camera,
  folder: item.folder,
  genres: parseStrings(item.genres),
  languages: parseStrings(item.languages),
  artists: parseStrings(item.artists),
  series: parseStrings(item.series),
  filmSet: item.film_set,
  studios: parseStrings(item.studios),
  hdr: item.hdr,
  codecs: parseStrings(item.codecs),
  parent: item.show,
  section: item.season_number,
  number: item.episode_number,
  airsAt: item.airs_at,
});

/** Returns the change of the index that the row of an item means. */
export const indexChange = (item: IndexedItem & Pick<CatalogItemTable, 'present'>): IndexChange => ({
  id: item.id,
  library: item.library,
  ...(item.present === 1 && !isUnlisted(item.kind) && { row: indexRow(item) }),
});

export const indexStore = (db: Database) => {
  const read = () => db.tables<CatalogTables>();
  const counter = async (only: number) =>
    (await read().selectFrom('catalog_counter').select('change').where('only', '=', only).executeTakeFirst())?.change;
  return {
    /** Calls `each` with the row of every present item. Lists that repeat are shared. */
    eachIndexRow: async (each: (row: IndexRow) => void): Promise<void> => {
      const lists = new Map<string, string[]>();
      const shared = (json: string) => {
        const known = lists.get(json);
        if (known) return known;
        const list = parseStrings(json);
        lists.set(json, list);
        return list;
      };
      const query = read()
        .selectFrom('catalog_item')
        .select(COLUMNS)
        .where('present', '=', 1)
        .where('kind', 'not in', UNLISTED_KINDS)
        .compile();
      await db.rows<readonly (string | number | null)[]>(query, (row) => each(fromArray(row, shared)));
    },
    /** Returns the number of the last change. */
    cursor: async (): Promise<number> => (await counter(CHANGES)) ?? 0,
    /** Returns the key of the saved index that belongs to this database. */
    snapshotKey: (): Promise<number | undefined> => counter(SNAPSHOT_KEY),
    /** Returns the changes after a number. */
    indexChangesSince: async (change: number): Promise<IndexChange[]> => {
      const rows = await read()
        .selectFrom('catalog_item')
        .select([...COLUMNS, 'present'])
        .where('change', '>', change)
        .orderBy('change')
        .execute();
      return rows.map(indexChange);
    },
  };
};

/** Converts an array in the order of `COLUMNS`. Written out, because this runs for every item at a start. */
function fromArray(row: readonly (string | number | null)[], listOf: (json: string) => readonly string[]): IndexRow {
  return {
    id: row[0],
    kind: row[1],
    library: row[2],
    title: row[3],
    sortTitle: row[4],
    originalTitle: row[5],
    year: row[6],
    released: row[7],
    rating: row[8],
    communityRating: row[9],
    added: row[10],
    duration: row[11],
    resolution: row[12],
    camera: row[13],
    folder: row[14],
    genres: listOf(String(row[15])),
    languages: listOf(String(row[16])),
    artists: listOf(String(row[17])),
    series: listOf(String(row[18])),
    filmSet: row[19],
    studios: listOf(String(row[20])),
    hdr: row[21],
    codecs: listOf(String(row[22])),
    parent: row[23],
    section: row[24],
    number: row[25],
    airsAt: row[26],
  } as unknown as IndexRow;
}

/** What a reply is made of: items with their files, and everything that the shelf holds. */
import type { Database } from '../../lib/db/index.ts';
import { isSubtitleFolder } from '../naming/sidecars.ts';
import type { ShelfRow } from '../types.ts';
import { CHANGES, type FileTable, type ItemTable, SNAPSHOT_KEY, type Tables } from './tables.ts';

const strings = (json: string): string[] => JSON.parse(json) as string[];

/** An item's row as the shelf holds it. */
export const shelfRow = (item: Omit<ItemTable, 'change'>): ShelfRow => ({
  id: item.id,
  kind: item.kind as ShelfRow['kind'],
  library: item.library,
  title: item.title,
  sortTitle: item.sort_title,
  originalTitle: item.original_title,
  year: item.year,
  released: item.released,
  rating: item.rating,
  ratingRank: item.rating_rank,
  communityRating: item.community_rating,
  added: item.added,
  duration: item.duration,
  resolution: item.resolution,
  genres: strings(item.genres),
  languages: strings(item.languages),
  show: item.show,
  seasonNumber: item.season_number,
  episodeNumber: item.episode_number,
  available: true,
});

export interface Unplaced {
  id: string;
  library: string;
  folder: string;
  name: string;
  problem: string | null;
  evidence: string;
  seen: number;
}

/** The part of an item that a card needs beside the shelf. */
export interface CardRow {
  id: string;
  images: string;
  season: string | null;
  episode_end: number | null;
}

/** Builds a query at its first use, and no more: building costs ten times as much as running it. */
const once = <Q>(build: () => Q): (() => Q) => {
  let built: Q | undefined;
  return () => (built ??= build());
};

/** The same for lists of ids: a query for each fifty of them, filled up with ids that nothing has. */
const byFifties = <Q>(
  build: (ids: readonly string[]) => Q,
): ((ids: readonly string[]) => { query: Q; values: readonly string[] }) => {
  const built = new Map<number, Q>();
  return (ids) => {
    const size = Math.ceil(ids.length / 50) * 50;
    const values = [...ids, ...Array<string>(size - ids.length).fill('')];
    let query = built.get(size);
    if (query === undefined) built.set(size, (query = build(values)));
    return { query, values };
  };
};

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
  'rating_rank',
  'community_rating',
  'added',
  'duration',
  'resolution',
  'genres',
  'languages',
  'show',
  'season_number',
  'episode_number',
] as const;

export const readingStore = (db: Database) => {
  const read = () => db.tables<Tables>();
  const item = once(() => read().selectFrom('catalog_item').selectAll().where('id', '=', '').compile());
  const seasons = once(() =>
    read()
      .selectFrom('catalog_item')
      .selectAll()
      .where('show', '=', '')
      .where('kind', '=', 'season')
      .orderBy('season_number')
      .compile(),
  );
  const files = once(() =>
    read().selectFrom('catalog_file').selectAll().where('item', '=', '').orderBy('label').orderBy('part').compile(),
  );
  const info = once(() => read().selectFrom('catalog_info').select('info').where('file', '=', '').compile());
  const videos = once(() =>
    read()
      .selectFrom('catalog_file')
      .select('name')
      .where('library', '=', '')
      .where('folder', '=', '')
      .where('missing', 'is', null)
      .compile(),
  );
  const cards = byFifties((ids) =>
    read()
      .selectFrom('catalog_item')
      .select(['id', 'images', 'season', 'episode_end'])
      .where('id', 'in', ids)
      .compile(),
  );
  const details = byFifties((ids) =>
    read().selectFrom('catalog_item').select(['id', 'detail']).where('id', 'in', ids).compile(),
  );
  // The ways people write the names of such folders; each with all that stands below it.
  const near = once(() =>
    read()
      .selectFrom('catalog_folder')
      .select(['path', 'aside'])
      .where('library', '=', '')
      .where((eb) =>
        eb.or([
          eb('path', '=', ''),
          ...Array.from({ length: 5 }, () => eb.and([eb('path', '>=', ''), eb('path', '<', '')])),
        ]),
      )
      .compile(),
  );
  return {
    /** Hands over every present item but seasons, for the shelf at the start. Strings that repeat are shared. */
    shelf: async (each: (row: ShelfRow) => void): Promise<void> => {
      const lists = new Map<string, string[]>();
      const shared = (json: string) => {
        const had = lists.get(json);
        if (had) return had;
        const list = strings(json);
        lists.set(json, list);
        return list;
      };
      const query = read()
        .selectFrom('catalog_item')
        .select(COLUMNS)
        .where('present', '=', 1)
        .where('kind', '<>', 'season')
        .compile();
      await db.rows<readonly (string | number | null)[]>(query, (row) => {
        const [
          id,
          kind,
          library,
          title,
          sortTitle,
          originalTitle,
          year,
          released,
          rating,
          ratingRank,
          communityRating,
          added,
          duration,
          resolution,
          genres,
          languages,
          show,
          seasonNumber,
          episodeNumber,
        ] = row;
        each({
          id,
          kind,
          library,
          title,
          sortTitle,
          originalTitle,
          year,
          released,
          rating,
          ratingRank,
          communityRating,
          added,
          duration,
          resolution,
          show,
          seasonNumber,
          episodeNumber,
          genres: shared(String(genres)),
          languages: shared(String(languages)),
          available: true,
        } as unknown as ShelfRow);
      });
    },
    /** The number of the last change. */
    cursor: async (): Promise<number> =>
      (
        await read()
          .selectFrom('catalog_counter')
          .select('change')
          .where('only', '=', CHANGES)
          .executeTakeFirstOrThrow()
      ).change,
    /** The key of the saved index that this database goes with. */
    snapshotKey: async (): Promise<number | undefined> =>
      (await read().selectFrom('catalog_counter').select('change').where('only', '=', SNAPSHOT_KEY).executeTakeFirst())
        ?.change,
    /** Every item that changed after a number, whether it is there or not. */
    itemsSince: (change: number): Promise<ItemTable[]> =>
      read().selectFrom('catalog_item').selectAll().where('change', '>', change).orderBy('change').execute(),
    cards: async (ids: readonly string[]): Promise<Map<string, CardRow>> => {
      if (ids.length === 0) return new Map();
      const { query, values } = cards(ids);
      const rows = await db.run(query, values);
      return new Map(rows.map((row) => [row.id, row]));
    },
    item: async (id: string): Promise<ItemTable | undefined> => (await db.run(item(), [id]))[0],
    seasons: (show: string): Promise<ItemTable[]> => db.run(seasons(), [show, 'season']),
    details: async (ids: readonly string[]): Promise<Map<string, string>> => {
      if (ids.length === 0) return new Map();
      const { query, values } = details(ids);
      const rows = await db.run(query, values);
      return new Map(rows.map((row) => [row.id, row.detail]));
    },
    files: (of: string): Promise<FileTable[]> => db.run(files(), [of]),
    info: async (file: string): Promise<string | undefined> => (await db.run(info(), [file]))[0]?.info,
    /** The files beside the videos of a folder, and those of its folders of subtitles. */
    asidesNear: async (library: string, folder: string): Promise<{ below: string; aside: string }[]> => {
      const deep = folder === '' ? '' : `${folder}/`;
      const rows = await db.run(near(), [
        library,
        folder,
        `${deep}Sub`,
        `${deep}Suc`,
        `${deep}sub`,
        `${deep}suc`,
        `${deep}SUB`,
        `${deep}SUC`,
        `${deep}VobSub`,
        `${deep}VobSuc`,
        `${deep}vobsub`,
        `${deep}vobsuc`,
      ]);
      return rows
        .map(({ path, aside }) => ({ below: path === folder ? '' : path.slice(deep.length), aside }))
        .filter(({ below }) => below === '' || isSubtitleFolder(below.split('/')[0] ?? ''));
    },
    videosIn: async (library: string, folder: string): Promise<string[]> =>
      (await db.run(videos(), [library, folder])).map(({ name }) => name),

    /** Films and episodes that changed, present or not, and what is gone; the oldest change first. */
    changedSince: (change: number, most: number) =>
      read()
        .selectFrom('catalog_item')
        .selectAll()
        .where('change', '>', change)
        .where('kind', 'in', ['movie', 'episode'])
        .orderBy('change')
        .limit(most)
        .execute(),
    goneSince: (change: number, most: number) =>
      read()
        .selectFrom('catalog_gone')
        .selectAll()
        .where('change', '>', change)
        .orderBy('change')
        .limit(most)
        .execute(),

    unplaced: async ({
      library,
      after,
      offset = 0,
      limit,
    }: {
      library?: string | undefined;
      after?: Pick<Unplaced, 'folder' | 'name' | 'id'> | undefined;
      offset?: number | undefined;
      limit: number;
    }): Promise<{ rows: Unplaced[]; total: number }> => {
      const from = read()
        .selectFrom('catalog_file')
        .where('missing', 'is', null)
        .where('problem', 'is not', null)
        .$if(library !== undefined, (q) => q.where('library', '=', library ?? ''));
      const page = from.$if(after !== undefined, (q) =>
        q.where((eb) =>
          eb(
            eb.refTuple('folder', 'name', 'id'),
            '>',
            eb.tuple(after?.folder ?? '', after?.name ?? '', after?.id ?? ''),
          ),
        ),
      );
      const rows = await page
        .select(['id', 'library', 'folder', 'name', 'problem', 'evidence', 'seen'])
        .orderBy('folder')
        .orderBy('name')
        .orderBy('id')
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await from.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return { rows, total: Number(total) };
    },
    countMissing: async () =>
      Number(
        (
          await read()
            .selectFrom('catalog_file')
            .where('problem', 'is not', null)
            .where('missing', 'is', null)
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      ),
  };
};
export type ReadingStore = ReturnType<typeof readingStore>;

/** Reads items with their files and the files next to them, for replies and background work. */
import { isPersonal, type ItemKind, kindsWith } from '../../contract/catalog/kinds.ts';
import { sql } from 'kysely';
import type { Database } from '../../lib/db/index.ts';
import { isSubtitleFolder } from '../naming/sidecars.ts';
import type { MediaInfo, GeoPoint } from '../probe/types.ts';
import { indexStore } from './index-rows.ts';
import { extraReadingStore } from './extras.ts';
import { byFifties, once } from './prepared.ts';
import {
  type CompanionFile,
  type Details,
  type FileRecord,
  type ImagePlaces,
  type ItemRecord,
  parseCompanions,
  parseDetails,
  parseFile,
  parseImages,
  parseItem,
  parseMediaInfo,
  parseWindowedFile,
} from './records.ts';
import type { CatalogTables } from './tables.ts';
import { unplacedStore } from './unplaced.ts';
import { windowedFiles } from './windows.ts';

/** The part of an item that a card needs in addition to its row in the index. */
export interface CardRecord {
  id: string;
  images: ImagePlaces;
  season: string | null;
  episode_end: number | null;
  /** Only of kinds whose cards show some of it. */
  detail?: Details | undefined;
}
/** A film or show, for matching with a metadata service. */
export interface CatalogWork {
  id: string;
  kind: 'movie' | 'show';
  library: string;
  /** Changes with its title, its year and how certain they are. */
  described: string;
  /** Changes when episodes are added; empty for a film. */
  parts: string;
  /** Whether a file of it is there. */
  isPresent: boolean;
}
/** The seasons and episodes of a show. Those without numbers are left out. */
export interface GroupOutline {
  seasons: { id: string; season: number }[];
  /** `last` is the last episode of a file with several. */
  episodes: { id: string; season: number; episode: number; last: number; duration: number | null }[];
}

type WorkRow = Pick<
  CatalogTables['catalog_item'],
  'id' | 'kind' | 'library' | 'title' | 'year' | 'confidence' | 'present'
>;

/** Works that are read in one turn, which takes about 3 ms. */
const WORKS_AT_ONCE = 500;
/** The kinds that background work of films concerns. */
const VIDEOS = kindsWith({ role: 'item', medium: 'video' }).filter((kind) => !isPersonal(kind));
/** Kinds whose cards show facts of the details. */
const DETAILED = sql.join(kindsWith({ role: 'item', medium: 'text' }).map((kind) => sql.lit(kind)));
const SECTIONS = kindsWith({ role: 'section' });

/** Changes of the catalogue since a listener last looked. */
const changeStore = (db: Database) => {
  const items = () => db.tables<CatalogTables>().selectFrom('catalog_item');
  return {
    /** Returns videos that changed, whether they are present or not, the oldest change first. */
    changedSince: async (change: number, most: number, library?: string): Promise<ItemRecord[]> => {
      const rows = await items()
        .selectAll()
        .where('change', '>', change)
        .where('kind', 'in', VIDEOS)
        .$if(library !== undefined, (asked) => asked.where('library', '=', library ?? ''))
        .orderBy('change')
        .limit(most)
        .execute();
      return rows.map(parseItem);
    },
    /** Returns tracks of music that changed, whether they are present or not, the oldest change first. */
    tracksChangedSince: async (
      change: number,
      most: number,
      library?: string,
    ): Promise<{ id: string; library: string; change: number; gone: boolean }[]> => {
      const rows = await items()
        .select(['id', 'library', 'change', 'present'])
        .where('change', '>', change)
        .where('kind', '=', 'track')
        .$if(library !== undefined, (asked) => asked.where('library', '=', library ?? ''))
        .orderBy('change')
        .limit(most)
        .execute();
      return rows.map(({ present, ...row }) => ({ ...row, gone: present === 0 }));
    },
    /** Returns ids that were deleted, the oldest change first. */
    goneSince: (change: number, most: number) =>
      db
        .tables<CatalogTables>()
        .selectFrom('catalog_gone')
        .selectAll()
        .where('change', '>', change)
        .orderBy('change')
        .limit(most)
        .execute(),
  };
};

const itemStore = (db: Database) => {
  const items = () => db.tables<CatalogTables>().selectFrom('catalog_item');
  const works = () =>
    items()
      .select(['id', 'kind', 'library', 'title', 'year', 'confidence', 'present'])
      .where('kind', 'in', ['movie', 'show']);
  const described = async (rows: readonly WorkRow[]): Promise<CatalogWork[]> => {
    if (rows.length === 0) return [];
    const parts = await items()
      .select((eb) => ['show', eb.fn.countAll<number>().as('count'), eb.fn.max('added').as('added')])
      .where('kind', '=', 'episode')
      .where(
        'show',
        'in',
        rows.map(({ id }) => id),
      )
      .groupBy('show')
      .execute();
    const partsOf = new Map(parts.map(({ show, count, added }) => [show, `${count}/${added}`]));
    return rows.map(({ id, kind, library, title, year, confidence, present }) => ({
      id,
      kind: kind as CatalogWork['kind'],
      library,
      described: [title, year ?? '', confidence].join('/'),
      parts: partsOf.get(id) ?? '',
      isPresent: Number(present) === 1,
    }));
  };
  const item = once(() => items().selectAll().where('id', '=', '').compile());
  const sections = once(() =>
    items().selectAll().where('show', '=', '').where('kind', 'in', SECTIONS).orderBy('season_number').compile(),
  );
  const cards = byFifties((ids) =>
    items()
      .select(['id', 'images', 'season', 'episode_end'])
      .select(sql<string | null>`case when kind in (${DETAILED}) then detail end`.as('detail'))
      .where('id', 'in', ids)
      .compile(),
  );
  const details = byFifties((ids) => items().select(['id', 'detail']).where('id', 'in', ids).compile());
  return {
    item: async (id: string): Promise<ItemRecord | undefined> => {
      const [row] = await db.run(item(), [id]);
      return row && parseItem(row);
    },
    /** Returns the sections of a group by their number. */
    sections: async (group: string): Promise<ItemRecord[]> =>
      (await db.run(sections(), [group, ...(SECTIONS satisfies ItemKind[])])).map(parseItem),
    /** Returns films and shows with what a metadata service is asked for. */
    /** Yields films and shows, present or not, in the order of their ids. */
    works: async function* (): AsyncGenerator<CatalogWork[], void, void> {
      for (let after: string | undefined = ''; after !== undefined;) {
        const rows: WorkRow[] = await works().where('id', '>', after).orderBy('id').limit(WORKS_AT_ONCE).execute();
        yield described(rows);
        after = rows.length < WORKS_AT_ONCE ? undefined : rows.at(-1)?.id;
      }
    },
    work: async (id: string): Promise<CatalogWork | undefined> =>
      (await described(await works().where('id', '=', id).execute()))[0],
    /** Returns the sections and items of a group with their numbers. */
    outline: async (group: string): Promise<GroupOutline> => {
      const rows = await items()
        .select(['id', 'kind', 'season_number', 'episode_number', 'episode_end', 'duration'])
        .where('show', '=', group)
        .execute();
      const isSection = ({ kind }: { kind: string }) => (SECTIONS as readonly string[]).includes(kind);
      return {
        seasons: rows.filter(isSection).map(({ id, season_number: season }) => ({ id, season: season ?? 0 })),
        episodes: rows
          .filter((row) => !isSection(row))
          .flatMap(({ id, season_number: season, episode_number: episode, episode_end: end, duration }) =>
            season === null || episode === null ? [] : [{ id, season, episode, last: end ?? episode, duration }],
          ),
      };
    },
    cards: async (ids: readonly string[]): Promise<Map<string, CardRecord>> => {
      if (ids.length === 0) return new Map();
      const { query, values } = cards(ids);
      const rows = await db.run(query, values);
      return new Map(
        rows.map(({ detail, ...row }) => [
          row.id,
          { ...row, images: parseImages(row.images), ...(detail !== null && { detail: parseDetails(detail) }) },
        ]),
      );
    },
    details: async (ids: readonly string[]): Promise<Map<string, Details>> => {
      if (ids.length === 0) return new Map();
      const { query, values } = details(ids);
      const rows = await db.run(query, values);
      return new Map(rows.map((row) => [row.id, parseDetails(row.detail)]));
    },
  };
};

/** Beginnings and ends of the names that people give to folders of subtitles, as ranges of an index. */
const SUBTITLE_FOLDERS = [
  ['Sub', 'Suc'],
  ['sub', 'suc'],
  ['SUB', 'SUC'],
  ['VobSub', 'VobSuc'],
  ['vobsub', 'vobsuc'],
] as const;

const fileStore = (db: Database) => {
  const read = () => db.tables<CatalogTables>();
  const files = once(() =>
    read().selectFrom('catalog_file').selectAll().where('item', '=', '').orderBy('label').orderBy('part').compile(),
  );
  const windows = once(() => windowedFiles(read()).where('catalog_window.item', '=', '').compile());
  /** Most items have files. Those without any may be windows of one. */
  const filesOf = async (item: string): Promise<FileRecord[]> => {
    const own = await db.run(files(), [item]);
    return own.length > 0 ? own.map(parseFile) : (await db.run(windows(), [item])).map(parseWindowedFile);
  };
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
  // A range each: for alternatives in one condition SQLite walks all folders of the library.
  const near = once(() => {
    const folders = () => read().selectFrom('catalog_folder').select(['path', 'aside']).where('library', '=', '');
    return SUBTITLE_FOLDERS.reduce(
      (all) => all.unionAll(folders().where('path', '>=', '').where('path', '<', '')),
      folders().where('path', '=', ''),
    ).compile();
  });
  return {
    files: filesOf,
    info: async (file: string): Promise<MediaInfo | undefined> => {
      const [row] = await db.run(info(), [file]);
      return row && parseMediaInfo(row.info);
    },
    fileIds: async (item: string): Promise<string[]> =>
      (await filesOf(item)).filter(({ missing }) => missing === null).map(({ id }) => id),
    /** Returns where one of these files was taken. */
    place: async (ids: readonly string[]): Promise<GeoPoint | undefined> =>
      ids.length === 0
        ? undefined
        : read()
            .selectFrom('catalog_place')
            .select(['latitude', 'longitude'])
            .where('file', 'in', ids)
            .limit(1)
            .executeTakeFirst(),
    /** Returns the files next to the videos of a folder, and those in its folders of subtitles. */
    companionsNear: async (
      library: string,
      folder: string,
    ): Promise<{ below: string; companions: readonly CompanionFile[] }[]> => {
      const start = folder === '' ? '' : `${folder}/`;
      const ranges = SUBTITLE_FOLDERS.flatMap(([from, to]) => [library, `${start}${from}`, `${start}${to}`]);
      const rows = await db.run(near(), [library, folder, ...ranges]);
      return rows
        .map(({ path, aside }) => ({ below: path === folder ? '' : path.slice(start.length), aside }))
        .filter(({ below }) => below === '' || isSubtitleFolder(below.split('/')[0] ?? ''))
        .map(({ below, aside }) => ({ below, companions: parseCompanions(aside) }));
    },
    videosIn: async (library: string, folder: string): Promise<string[]> =>
      (await db.run(videos(), [library, folder])).map(({ name }) => name),
  };
};

export const readingStore = (db: Database) => ({
  ...indexStore(db),
  ...itemStore(db),
  ...changeStore(db),
  ...fileStore(db),
  ...unplacedStore(db),
  ...extraReadingStore(db),
});
export type ReadingStore = ReturnType<typeof readingStore>;

/** What a scan reads and writes: libraries, folders, files, and the items they make. */
import type { Transaction } from 'kysely';
import type { Database } from '../../lib/db/index.ts';
import type { FileTable, FolderTable, ItemTable, LibraryTable, Tables } from './tables.ts';

/** Rows a statement takes at once: enough to spare the work of building it, few enough to let others in between. */
const ROWS = 60;

/** One batch of a scan, written whole or not at all. */
export interface Batch {
  folders: readonly FolderTable[];
  files: readonly FileTable[];
  /** The probe's findings of those files that were looked into. */
  infos: readonly { file: string; info: string }[];
  /** `change` is filled in here. */
  items: readonly Omit<ItemTable, 'change'>[];
}

export type Tx = Transaction<Tables>;

const chunks = <T>(all: readonly T[], most = ROWS): T[][] => Array.from({ length: Math.ceil(all.length / most) }, (_, i) => all.slice(i * most, (i + 1) * most));

/** Takes `count` numbers for changes; the first of them is returned plus one. */
export async function takeChanges(tx: Tx, count: number): Promise<number> {
  const row = await tx.updateTable('catalog_counter').set((eb) => ({ change: eb('change', '+', count) })).where('only', '=', 1).returning('change').executeTakeFirstOrThrow();
  return row.change - count;
}

async function putItems(tx: Tx, items: Batch['items']): Promise<ItemTable[]> {
  if (items.length === 0) return [];
  let change = await takeChanges(tx, items.length);
  const rows = items.map((item): ItemTable => ({ ...item, change: ++change }));
  for (const some of chunks(rows)) {
    await tx
      .insertInto('catalog_item')
      .values(some)
      .onConflict((oc) =>
        oc.column('id').doUpdateSet((eb) => ({
          library: eb.ref('excluded.library'), key: eb.ref('excluded.key'), title: eb.ref('excluded.title'), sort_title: eb.ref('excluded.sort_title'),
          original_title: eb.ref('excluded.original_title'), year: eb.ref('excluded.year'), released: eb.ref('excluded.released'), rating: eb.ref('excluded.rating'),
          rating_rank: eb.ref('excluded.rating_rank'), community_rating: eb.ref('excluded.community_rating'), duration: eb.ref('excluded.duration'),
          resolution: eb.ref('excluded.resolution'), genres: eb.ref('excluded.genres'), languages: eb.ref('excluded.languages'), images: eb.ref('excluded.images'),
          show: eb.ref('excluded.show'), season: eb.ref('excluded.season'), season_number: eb.ref('excluded.season_number'), episode_number: eb.ref('excluded.episode_number'),
          episode_end: eb.ref('excluded.episode_end'), confidence: eb.ref('excluded.confidence'), detail: eb.ref('excluded.detail'), present: eb.ref('excluded.present'),
          missing: eb.ref('excluded.missing'), change: eb.ref('excluded.change'),
        })),
      )
      .execute();
  }
  return rows;
}

async function putFiles(tx: Tx, files: readonly FileTable[]): Promise<void> {
  for (const some of chunks(files)) {
    await tx
      .insertInto('catalog_file')
      .values(some)
      .onConflict((oc) =>
        oc.column('id').doUpdateSet((eb) => ({
          library: eb.ref('excluded.library'), folder: eb.ref('excluded.folder'), name: eb.ref('excluded.name'), size: eb.ref('excluded.size'), mtime: eb.ref('excluded.mtime'),
          ino: eb.ref('excluded.ino'), item: eb.ref('excluded.item'), version: eb.ref('excluded.version'), label: eb.ref('excluded.label'), part: eb.ref('excluded.part'),
          problem: eb.ref('excluded.problem'), evidence: eb.ref('excluded.evidence'), probed: eb.ref('excluded.probed'), missing: eb.ref('excluded.missing'), seen: eb.ref('excluded.seen'),
        })),
      )
      .execute();
  }
}

/** Gives changed items the next numbers, and answers them as they are now. */
async function renumber(tx: Tx, ids: readonly string[]): Promise<ItemTable[]> {
  if (ids.length === 0) return [];
  let change = await takeChanges(tx, ids.length);
  const rows: ItemTable[] = [];
  for (const id of ids) rows.push(await tx.updateTable('catalog_item').set({ change: ++change }).where('id', '=', id).returningAll().executeTakeFirstOrThrow());
  return rows;
}

/** Scanning's half of the store. What a scan writes it can find again, so its writes are grouped. */
export const scanningStore = (db: Database) => {
  const read = () => db.tables<Tables>();
  const write = <R>(work: (tx: Tx) => Promise<R>) => db.write<Tables, R>('grouped', work);
  return {
    libraries: (): Promise<LibraryTable[]> => read().selectFrom('catalog_library').selectAll().orderBy('added').orderBy('id').execute(),
    putLibrary: (library: LibraryTable) =>
      db.write<Tables, unknown>('safe', (tx) =>
        tx.insertInto('catalog_library').values(library).onConflict((oc) => oc.column('id').doUpdateSet({ name: library.name, path: library.path, kind: library.kind, removed: library.removed })).execute(),
      ),
    scanned: (library: string, at: number, isFull: boolean) =>
      write((tx) => tx.updateTable('catalog_library').set({ last_scan: at, ...(isFull && { last_full: at }) }).where('id', '=', library).execute()),

    /** Every folder of a library, parents before their children. */
    folders: (library: string) => read().selectFrom('catalog_folder').select(['path', 'mtime', 'signature']).where('library', '=', library).orderBy('path').execute(),
    asides: async (library: string, paths: readonly string[]): Promise<Map<string, string>> => {
      if (paths.length === 0) return new Map();
      const rows = await read().selectFrom('catalog_folder').select(['path', 'aside']).where('library', '=', library).where('path', 'in', paths).execute();
      return new Map(rows.map((row) => [row.path, row.aside]));
    },
    filesIn: async (library: string, folders: readonly string[]): Promise<FileTable[]> => {
      const all = [];
      for (const some of chunks(folders, 500)) all.push(...(await read().selectFrom('catalog_file').selectAll().where('library', '=', library).where('folder', 'in', some).execute()));
      return all;
    },
    /** Files of these sizes, wherever they are: what a new file may have been before. */
    ofSizes: async (sizes: readonly number[]): Promise<FileTable[]> => {
      const all = [];
      for (const some of chunks(sizes, 500)) all.push(...(await read().selectFrom('catalog_file').selectAll().where('size', 'in', some).limit(5_000).execute()));
      return all;
    },
    filesById: async (ids: readonly string[]): Promise<FileTable[]> => {
      const all = [];
      for (const some of chunks(ids, 500)) all.push(...(await read().selectFrom('catalog_file').selectAll().where('id', 'in', some).execute()));
      return all;
    },
    hasAnyFiles: async () => (await read().selectFrom('catalog_file').select('id').limit(1).executeTakeFirst()) !== undefined,
    /** Folders at and below these. */
    foldersBelow: async (library: string, paths: readonly string[]): Promise<FolderTable[]> => {
      const all = new Map<string, FolderTable>();
      for (const path of paths) {
        const rows = await read().selectFrom('catalog_folder').selectAll().where('library', '=', library).where('path', '>', `${path}/`).where('path', '<', `${path}0`).execute();
        for (const row of rows) all.set(row.path, row);
      }
      return [...all.values()];
    },
    /** The show of an episode that moved, where none of the show's files was seen at this scan: its folder was renamed. */
    deserted: async (episode: string, now: number): Promise<ItemTable | undefined> => {
      const moved = await read().selectFrom('catalog_item').select('show').where('id', '=', episode).executeTakeFirst();
      if (!moved?.show) return undefined;
      const rest = await read()
        .selectFrom('catalog_file as f')
        .innerJoin('catalog_item as i', 'i.id', 'f.item')
        .select('f.id')
        .where('i.show', '=', moved.show)
        .where('f.missing', 'is', null)
        .where('f.seen', '=', now)
        .limit(1)
        .executeTakeFirst();
      return rest ? undefined : read().selectFrom('catalog_item').selectAll().where('id', '=', moved.show).executeTakeFirst();
    },
    /** Whether a library has any file that was there at the last look. */
    hasFiles: async (library: string) => (await read().selectFrom('catalog_file').select('id').where('library', '=', library).where('missing', 'is', null).limit(1).executeTakeFirst()) !== undefined,
    itemsByKey: async (library: string, keys: readonly string[]): Promise<ItemTable[]> => {
      const all = [];
      for (const some of chunks(keys, 500)) all.push(...(await read().selectFrom('catalog_item').selectAll().where('library', '=', library).where('key', 'in', some).execute()));
      return all;
    },
    itemsById: async (ids: readonly string[]): Promise<ItemTable[]> => {
      const all = [];
      for (const some of chunks(ids, 500)) all.push(...(await read().selectFrom('catalog_item').selectAll().where('id', 'in', some).execute()));
      return all;
    },
    filesOfItems: async (ids: readonly string[]): Promise<FileTable[]> => {
      const all = [];
      for (const some of chunks(ids, 500)) all.push(...(await read().selectFrom('catalog_file').selectAll().where('item', 'in', some).execute()));
      return all;
    },
    infosOf: async (files: readonly string[]): Promise<Map<string, string>> => {
      const all = new Map<string, string>();
      for (const some of chunks(files, 500)) for (const row of await read().selectFrom('catalog_info').selectAll().where('file', 'in', some).execute()) all.set(row.file, row.info);
      return all;
    },

    put: (batch: Batch) =>
      write(async (tx) => {
        for (const some of chunks(batch.folders)) {
          await tx
            .insertInto('catalog_folder')
            .values(some)
            .onConflict((oc) => oc.columns(['library', 'path']).doUpdateSet((eb) => ({ mtime: eb.ref('excluded.mtime'), signature: eb.ref('excluded.signature'), aside: eb.ref('excluded.aside') })))
            .execute();
        }
        const items = await putItems(tx, batch.items);
        await putFiles(tx, batch.files);
        for (const some of chunks(batch.infos)) await tx.insertInto('catalog_info').values(some).onConflict((oc) => oc.column('file').doUpdateSet((eb) => ({ info: eb.ref('excluded.info') }))).execute();
        return items;
      }),
    /** Folders with the time they have now, though nothing in them changed. */
    touchFolders: async (library: string, folders: readonly { path: string; mtime: number }[]): Promise<void> => {
      if (folders.length === 0) return;
      await write(async (tx) => {
        for (const { path, mtime } of folders) await tx.updateTable('catalog_folder').set({ mtime }).where('library', '=', library).where('path', '=', path).execute();
      });
    },

    /** Folders that are no longer there. */
    dropFolders: (library: string, paths: readonly string[]) =>
      write(async (tx) => {
        for (const some of chunks(paths, 500)) await tx.deleteFrom('catalog_folder').where('library', '=', library).where('path', 'in', some).execute();
      }),
    /** Marks files as missing. Answers the items they belonged to. */
    markMissing: (files: readonly string[], at: number) =>
      write(async (tx) => {
        const items = new Set<string>();
        for (const some of chunks(files, 500)) {
          const rows = await tx.updateTable('catalog_file').set({ missing: at }).where('id', 'in', some).where('missing', 'is', null).returning('item').execute();
          for (const { item } of rows) if (item !== null) items.add(item);
        }
        return [...items];
      }),
    /** Items without a file that is there are away, and so are seasons and shows without an episode. Answers those that changed. */
    settle: async (items: readonly string[], at: number): Promise<ItemTable[]> => {
      if (items.length === 0) return [];
      return write(async (tx) => {
        const ids = new Set<string>();
        const parents = new Set<string>();
        for (const some of chunks(items, 500)) {
          const rows = await tx
            .updateTable('catalog_item')
            .set({ present: 0, missing: at })
            .where('id', 'in', some)
            .where('present', '=', 1)
            .where(({ not, exists, selectFrom }) => not(exists(selectFrom('catalog_file').select('catalog_file.id').whereRef('catalog_file.item', '=', 'catalog_item.id').where('catalog_file.missing', 'is', null))))
            .returning(['id', 'show', 'season'])
            .execute();
          for (const row of rows) {
            ids.add(row.id);
            if (row.season !== null) parents.add(row.season);
            if (row.show !== null) parents.add(row.show);
          }
        }
        for (const column of ['season', 'show'] as const) {
          for (const some of chunks([...parents], 500)) {
            const rows = await tx
              .updateTable('catalog_item')
              .set({ present: 0, missing: at })
              .where('id', 'in', some)
              .where('kind', '=', column)
              .where('present', '=', 1)
              .where(({ not, exists, selectFrom }) => not(exists(selectFrom('catalog_item as e').select('e.id').whereRef(`e.${column}`, '=', 'catalog_item.id').where('e.kind', '=', 'episode').where('e.present', '=', 1))))
              .returning('id')
              .execute();
            for (const row of rows) ids.add(row.id);
          }
        }
        return renumber(tx, [...ids]);
      });
    },
    /** What has been missing since before `before`, in libraries that are there: files, then items without any file. */
    purge: (libraries: readonly string[], before: number) =>
      write(async (tx) => {
        if (libraries.length === 0) return [];
        const files = await tx.deleteFrom('catalog_file').where('library', 'in', libraries).where('missing', '<', before).returning('id').execute();
        for (const some of chunks(files.map(({ id }) => id), 500)) await tx.deleteFrom('catalog_info').where('file', 'in', some).execute();
        const items = await tx.deleteFrom('catalog_item').where('library', 'in', libraries).where('present', '=', 0).where('missing', '<', before).returning('id').execute();
        let change = await takeChanges(tx, items.length);
        for (const some of chunks(items)) await tx.insertInto('catalog_gone').values(some.map(({ id }) => ({ id, change: ++change }))).onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ change: eb.ref('excluded.change') }))).execute();
        return items.map(({ id }) => id);
      }),
  };
};
export type ScanningStore = ReturnType<typeof scanningStore>;

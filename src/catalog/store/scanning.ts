/** What a scan reads and writes: libraries, folders, files, and the items they make. */
import { CompiledQuery, type Transaction } from 'kysely';
import type { Database } from '../../lib/db/index.ts';
import { newId } from '../../lib/ids.ts';
import {
  CHANGES,
  type FileTable,
  type FolderTable,
  type ItemTable,
  type LibraryTable,
  SNAPSHOT_KEY,
  type Tables,
} from './tables.ts';

/** Rows a statement takes at once: enough to spare the work of building it, few enough to let others in between. */
const ROWS = 60;

/** One batch of a scan, written whole or not at all. */
export interface Batch {
  folders: readonly FolderTable[];
  files: readonly FileTable[];
  /** The probe's findings of those files that were looked into. */
  infos: readonly { file: string; info: string }[];
  /** Files whose findings do not hold any more. */
  noInfos: readonly string[];
  /** `change` is filled in here. */
  items: readonly Omit<ItemTable, 'change'>[];
  /** Items that a file went away from, which may have none left. */
  left: readonly string[];
  now: number;
}
/** What a scan did not find again. */
export interface Drop {
  library: string;
  files: readonly FileTable[];
  /** Folders that are gone. */
  gone: readonly string[];
  /** Folders whose work is done now. */
  folders: readonly FolderTable[];
  now: number;
}

export type Tx = Transaction<Tables>;

const chunks = <T>(all: readonly T[], most = ROWS): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, i) => all.slice(i * most, (i + 1) * most));

/** Takes `count` numbers for changes; the first of them is returned plus one. */
export async function takeChanges(tx: Tx, count: number): Promise<number> {
  const row = await tx
    .updateTable('catalog_counter')
    .set((eb) => ({ change: eb('change', '+', count) }))
    .where('only', '=', CHANGES)
    .returning('change')
    .executeTakeFirstOrThrow();
  return row.change - count;
}

/**
 * Writes rows, or the columns given in place of those of the row that is there. The statement is built once for each
 * engine and run for each row, on a connection that is asked for once: both cost more than running it.
 */
function upserter<N extends keyof Tables & string>(
  table: N,
  keys: readonly (keyof Tables[N] & string)[],
  kept: readonly string[] = [],
) {
  const built = new Map<string, { sql: string; columns: string[] }>();
  return async (tx: Tx, rows: readonly Tables[N][]): Promise<void> => {
    const [first] = rows as readonly unknown[] as readonly Record<string, unknown>[];
    if (!first) return;
    const executor = tx.getExecutor();
    const engine = executor.adapter.constructor.name;
    let statement = built.get(engine);
    if (!statement) {
      const columns = Object.keys(first);
      const changed = columns.filter(
        (column) => !(keys as readonly string[]).includes(column) && !kept.includes(column),
      );
      const query = (tx as unknown as Transaction<Record<string, Record<string, unknown>>>)
        .insertInto(table)
        .values(first)
        .onConflict((oc) =>
          oc
            .columns(keys)
            .doUpdateSet(
              (eb) => Object.fromEntries(changed.map((column) => [column, eb.ref(`excluded.${column}`)])) as never,
            ),
        );
      statement = { sql: query.compile().sql, columns };
      built.set(engine, statement);
    }
    const { sql, columns } = statement;
    await executor.provideConnection(async (connection) => {
      for (const row of rows as readonly unknown[] as readonly Record<string, unknown>[])
        await connection.executeQuery(
          CompiledQuery.raw(
            sql,
            columns.map((column) => row[column]),
          ),
        );
    });
  };
}
const upsertFolders = upserter('catalog_folder', ['library', 'path']);
const upsertFiles = upserter('catalog_file', ['id']);
const upsertInfos = upserter('catalog_info', ['file']);
const upsertItems = upserter('catalog_item', ['id'], ['kind', 'added']);

async function putItems(tx: Tx, items: Batch['items']): Promise<ItemTable[]> {
  if (items.length === 0) return [];
  let change = await takeChanges(tx, items.length);
  const rows = items.map((item): ItemTable => ({ ...item, change: ++change }));
  await upsertItems(tx, rows);
  return rows;
}

/** Gives changed items the next numbers, and answers them as they are now. */
async function renumber(tx: Tx, ids: readonly string[]): Promise<ItemTable[]> {
  if (ids.length === 0) return [];
  let change = await takeChanges(tx, ids.length);
  const rows: ItemTable[] = [];
  for (const id of ids)
    rows.push(
      await tx
        .updateTable('catalog_item')
        .set({ change: ++change })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
  return rows;
}

/** Items without a file that is there are away, and so are seasons and shows without an episode. Answers those that changed. */
async function settle(tx: Tx, items: readonly string[], at: number): Promise<ItemTable[]> {
  const ids = new Set<string>();
  const parents = new Set<string>();
  for (const some of chunks(items, 500)) {
    const rows = await tx
      .updateTable('catalog_item')
      .set({ present: 0, missing: at })
      .where('id', 'in', some)
      .where('present', '=', 1)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('catalog_file')
              .select('catalog_file.id')
              .whereRef('catalog_file.item', '=', 'catalog_item.id')
              .where('catalog_file.missing', 'is', null),
          ),
        ),
      )
      .returning(['id', 'show', 'season'])
      .execute();
    for (const row of rows) {
      ids.add(row.id);
      for (const parent of [row.season, row.show]) if (parent !== null) parents.add(parent);
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
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('catalog_item as e')
                .select('e.id')
                .whereRef(`e.${column}`, '=', 'catalog_item.id')
                .where('e.kind', '=', 'episode')
                .where('e.present', '=', 1),
            ),
          ),
        )
        .returning('id')
        .execute();
      for (const row of rows) ids.add(row.id);
    }
  }
  return renumber(tx, [...ids]);
}

/**
 * Scanning's half of the store. What a scan writes it can find again, so its writes are grouped. `written` is called
 * after each write of files.
 */
export const scanningStore = (db: Database, written: () => void = () => {}) => {
  const read = () => db.tables<Tables>();
  // A write that failed may still have been committed.
  const write = <R>(work: (tx: Tx) => Promise<R>) => db.write<Tables, R>('grouped', work).finally(written);
  return {
    libraries: (): Promise<LibraryTable[]> =>
      read().selectFrom('catalog_library').selectAll().orderBy('added').orderBy('id').execute(),
    putLibrary: (library: LibraryTable) =>
      db.write<Tables, unknown>('safe', (tx) =>
        tx
          .insertInto('catalog_library')
          .values(library)
          .onConflict((oc) =>
            oc
              .column('id')
              .doUpdateSet({ name: library.name, path: library.path, kind: library.kind, removed: library.removed }),
          )
          .execute(),
      ),
    scanned: (library: string, at: number, isFull: boolean) =>
      write((tx) =>
        tx
          .updateTable('catalog_library')
          .set({ last_scan: at, ...(isFull && { last_full: at }) })
          .where('id', '=', library)
          .execute(),
      ),

    /** Every folder of a library, parents before their children. */
    folders: (library: string) =>
      read()
        .selectFrom('catalog_folder')
        .select(['path', 'mtime', 'signature'])
        .where('library', '=', library)
        .orderBy('path')
        .execute(),
    asides: async (library: string, paths: readonly string[]): Promise<Map<string, string>> => {
      if (paths.length === 0) return new Map();
      const rows = await read()
        .selectFrom('catalog_folder')
        .select(['path', 'aside'])
        .where('library', '=', library)
        .where('path', 'in', paths)
        .execute();
      return new Map(rows.map((row) => [row.path, row.aside]));
    },
    filesIn: async (library: string, folders: readonly string[]): Promise<FileTable[]> => {
      const all = [];
      for (const some of chunks(folders, 500))
        all.push(
          ...(await read()
            .selectFrom('catalog_file')
            .selectAll()
            .where('library', '=', library)
            .where('folder', 'in', some)
            .execute()),
        );
      return all;
    },
    /** Files of these sizes, wherever they are: what a new file may have been before. */
    ofSizes: async (sizes: readonly number[]): Promise<FileTable[]> => {
      const all = [];
      for (const some of chunks(sizes, 500))
        all.push(
          ...(await read().selectFrom('catalog_file').selectAll().where('size', 'in', some).limit(5_000).execute()),
        );
      return all;
    },
    filesById: async (ids: readonly string[]): Promise<FileTable[]> => {
      const all = [];
      for (const some of chunks(ids, 500))
        all.push(...(await read().selectFrom('catalog_file').selectAll().where('id', 'in', some).execute()));
      return all;
    },
    hasAnyFiles: async () =>
      (await read().selectFrom('catalog_file').select('id').limit(1).executeTakeFirst()) !== undefined,
    /** Folders at and below these. */
    foldersBelow: async (library: string, paths: readonly string[]): Promise<FolderTable[]> => {
      const all = new Map<string, FolderTable>();
      for (const path of paths) {
        const rows = await read()
          .selectFrom('catalog_folder')
          .selectAll()
          .where('library', '=', library)
          .where('path', '>', `${path}/`)
          .where('path', '<', `${path}0`)
          .execute();
        for (const row of rows) all.set(row.path, row);
      }
      return [...all.values()];
    },
    filesOfShow: (show: string): Promise<FileTable[]> =>
      read()
        .selectFrom('catalog_file')
        .selectAll('catalog_file')
        .innerJoin('catalog_item', 'catalog_item.id', 'catalog_file.item')
        .where('catalog_item.show', '=', show)
        .execute(),
    seasonOf: (show: string, number: number): Promise<ItemTable | undefined> =>
      read()
        .selectFrom('catalog_item')
        .selectAll()
        .where('show', '=', show)
        .where('kind', '=', 'season')
        .where('season_number', '=', number)
        .executeTakeFirst(),
    /** Folders with a file whose header is to be read again: one that did not answer, or was read by an older reader. */
    foldersToRead: async (library: string, version: number): Promise<Set<string>> => {
      const rows = await read()
        .selectFrom('catalog_file')
        .select('folder')
        .distinct()
        .where('library', '=', library)
        .where('missing', 'is', null)
        .where('probed', '>=', 0)
        .where('probed', '<', version)
        .execute();
      return new Set(rows.map(({ folder }) => folder));
    },
    /** The row that says of a folder that it may not be read. */
    closed: ({
      library,
      folder,
      now,
      had,
    }: {
      library: string;
      folder: string;
      now: number;
      had: FileTable | undefined;
    }): FileTable => {
      const id = had?.id ?? newId();
      return {
        id,
        library,
        folder,
        name: '',
        size: 0,
        mtime: 0,
        ino: '',
        item: null,
        version: id,
        label: '',
        part: 1,
        problem: 'the folder may not be read, or does not answer',
        evidence: '[]',
        probed: -1,
        missing: null,
        seen: now,
      };
    },
    /** Whether a library has any file that was there at the last look. */
    hasFiles: async (library: string) =>
      (await read()
        .selectFrom('catalog_file')
        .select('id')
        .where('library', '=', library)
        .where('missing', 'is', null)
        .limit(1)
        .executeTakeFirst()) !== undefined,
    itemsByKey: async (library: string, keys: readonly string[]): Promise<ItemTable[]> => {
      const all = [];
      for (const some of chunks(keys, 500))
        all.push(
          ...(await read()
            .selectFrom('catalog_item')
            .selectAll()
            .where('library', '=', library)
            .where('key', 'in', some)
            .execute()),
        );
      return all;
    },
    itemsById: async (ids: readonly string[]): Promise<ItemTable[]> => {
      const all = [];
      for (const some of chunks(ids, 500))
        all.push(...(await read().selectFrom('catalog_item').selectAll().where('id', 'in', some).execute()));
      return all;
    },
    filesOfItems: async (ids: readonly string[]): Promise<FileTable[]> => {
      const all = [];
      for (const some of chunks(ids, 500))
        all.push(...(await read().selectFrom('catalog_file').selectAll().where('item', 'in', some).execute()));
      return all;
    },
    infosOf: async (files: readonly string[]): Promise<Map<string, string>> => {
      const all = new Map<string, string>();
      for (const some of chunks(files, 500))
        for (const row of await read().selectFrom('catalog_info').selectAll().where('file', 'in', some).execute())
          all.set(row.file, row.info);
      return all;
    },

    /** Notes which saved index this database goes with. */
    setSnapshotKey: (key: number) =>
      write((tx) =>
        tx
          .insertInto('catalog_counter')
          .values({ only: SNAPSHOT_KEY, change: key })
          .onConflict((oc) => oc.column('only').doUpdateSet({ change: key }))
          .execute(),
      ),
    put: (batch: Batch): Promise<ItemTable[]> =>
      write(async (tx) => {
        await upsertFolders(tx, batch.folders);
        const items = await putItems(tx, batch.items);
        await upsertFiles(tx, batch.files);
        await upsertInfos(tx, batch.infos);
        if (batch.noInfos.length > 0) await tx.deleteFrom('catalog_info').where('file', 'in', batch.noInfos).execute();
        return [...items, ...(await settle(tx, batch.left, batch.now))];
      }),
    /** Folders with the time they have now, though nothing in them changed. */
    touchFolders: async (library: string, folders: readonly { path: string; mtime: number }[]): Promise<void> => {
      if (folders.length === 0) return;
      await write(async (tx) => {
        for (const { path, mtime } of folders)
          await tx
            .updateTable('catalog_folder')
            .set({ mtime })
            .where('library', '=', library)
            .where('path', '=', path)
            .execute();
      });
    },

    /** Folders are to be looked at anew, as if they had changed. */
    forgetSignatures: (library: string) =>
      write((tx) =>
        tx.updateTable('catalog_folder').set({ signature: '', mtime: -1 }).where('library', '=', library).execute(),
      ),
    /** What stands beside the videos of some folders, seen between two scans. The folders stay to be listed by the next one. */
    putAsides: (
      library: string,
      folders: readonly { path: string; aside: string }[],
      touched: readonly string[],
    ): Promise<ItemTable[]> =>
      write(async (tx) => {
        for (const { path, aside } of folders) {
          // Its old signature would call a folder the same in which a sidecar was hidden and has been brought back.
          const row = { aside, mtime: -1, signature: '' };
          await tx
            .insertInto('catalog_folder')
            .values({ library, path, ...row })
            .onConflict((oc) => oc.columns(['library', 'path']).doUpdateSet(row))
            .execute();
        }
        return renumber(tx, touched);
      }),
    /** Marks what a scan did not find again, all at once. Answers the items that changed, and how many files are gone. */
    drop: ({ library, files, gone, folders, now }: Drop): Promise<{ items: ItemTable[]; count: number }> =>
      write(async (tx) => {
        const items = new Set<string>();
        let count = 0;
        for (const { id, folder, name } of files) {
          // Found again by another library's scan in the meantime, it is somewhere else now.
          const row = await tx
            .updateTable('catalog_file')
            .set({ missing: now })
            .where('id', '=', id)
            .where('library', '=', library)
            .where('folder', '=', folder)
            .where('name', '=', name)
            .where('missing', 'is', null)
            .returning('item')
            .executeTakeFirst();
          if (!row) continue;
          if (name !== '') count++;
          if (row.item !== null) items.add(row.item);
        }
        for (const some of chunks(gone, 500))
          await tx.deleteFrom('catalog_folder').where('library', '=', library).where('path', 'in', some).execute();
        await upsertFolders(tx, folders);
        const away = await settle(tx, [...items], now);
        const known = new Set(away.map(({ id }) => id));
        return {
          items: [
            ...away,
            ...(await renumber(
              tx,
              [...items].filter((id) => !known.has(id)),
            )),
          ],
          count,
        };
      }),
    /** What has been missing since before `before`, in libraries that are there: files, then items without any file. */
    /** Lets what went missing later than `latest`, by a clock that ran ahead, be missing from `now` on. */
    correctMissing: (latest: number, now: number) =>
      write(async (tx) => {
        for (const name of ['catalog_file', 'catalog_item'] as const)
          await tx.updateTable(name).set({ missing: now }).where('missing', '>', latest).execute();
      }),
    purge: (libraries: readonly string[], before: number) =>
      write(async (tx) => {
        if (libraries.length === 0) return [];
        const files = await tx
          .deleteFrom('catalog_file')
          .where('library', 'in', libraries)
          .where('missing', '<', before)
          .returning('id')
          .execute();
        for (const some of chunks(
          files.map(({ id }) => id),
          500,
        ))
          await tx.deleteFrom('catalog_info').where('file', 'in', some).execute();
        const items = await tx
          .deleteFrom('catalog_item')
          .where('library', 'in', libraries)
          .where('present', '=', 0)
          .where('missing', '<', before)
          .returning('id')
          .execute();
        let change = await takeChanges(tx, items.length);
        for (const some of chunks(items))
          await tx
            .insertInto('catalog_gone')
            .values(some.map(({ id }) => ({ id, change: ++change })))
            .onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ change: eb.ref('excluded.change') })))
            .execute();
        return items.map(({ id }) => id);
      }),
  };
};
export type ScanningStore = ReturnType<typeof scanningStore>;

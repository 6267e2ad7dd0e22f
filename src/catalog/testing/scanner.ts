/**
 * A program for the crash tests: scans the libraries of a folder and prints the result as JSON. `node scanner.ts FOLDER
 * N` kills itself right after its Nth write, counted from 1; with 0 it ends normally.
 */
import { join } from 'node:path';
import { OWNER_POLICY } from '../../contract/identity/profiles.ts';
import { openDatabase, type Database } from '../../lib/db/index.ts';
import type { CatalogTables } from '../store/tables.ts';
import { openCatalog, type World, worldMigrations } from './world.ts';

export interface ScannedState {
  files: { path: string; item: string | null; isMissing: boolean }[];
  present: { id: string; kind: string; title: string; hasFile: boolean }[];
  shown: number;
  watched: string[];
}

async function tell(db: Database, catalog: World['catalog']): Promise<ScannedState> {
  const files = await db.tables<CatalogTables>().selectFrom('catalog_file').selectAll().execute();
  const items = await db
    .tables<CatalogTables>()
    .selectFrom('catalog_item')
    .selectAll()
    .where('present', '=', 1)
    .execute();
  const held = new Set(files.filter(({ missing }) => missing === null).map(({ item }) => item));
  const { total } = await catalog
    .seenBy({ profile: 'p', role: 'owner', policy: OWNER_POLICY })
    .library({ view: 'all', offset: 0, limit: 1 });
  return {
    files: files.map(({ folder, name, item, missing }) => ({
      path: `${folder}/${name}`,
      item,
      isMissing: missing !== null,
    })),
    present: items.map(({ id, kind, title }) => ({ id, kind, title, hasFile: held.has(id) })),
    shown: total,
    watched: (await catalog.watching.history('p')).map(({ item }) => item),
  };
}

if (import.meta.main) {
  const [folder = '', last = '0'] = process.argv.slice(2);
  let left = Number(last);
  const real = await openDatabase({ file: join(folder, 'test.db'), migrations: worldMigrations });
  let isArmed = false;
  const db: Database = {
    ...real,
    tables: () => real.tables(),
    write: async (durability, work) => {
      const done = await real.write(durability, work as never);
      if (isArmed && --left === 0) process.kill(process.pid, 'SIGKILL');
      return done as never;
    },
  };
  const listed = [{ name: 'all', path: join(folder, 'media'), kind: 'mixed' }] as const;
  const clock = { now: () => Date.now(), monotonic: () => performance.now(), ahead: 0 };
  const { catalog, close } = await openCatalog({
    folder,
    db,
    listed,
    clock,
    disk: { looks: (looked) => looked },
    probeModule: undefined,
  });
  isArmed = left > 0;
  const task = catalog.tasks.find(({ name }) => name === 'scan-changes');
  await task?.run({
    id: 't',
    input: {},
    signal: new AbortController().signal,
    resumed: false,
    saved: undefined,
    progress: () => {},
    save: () => Promise.resolve(),
  } as never);
  isArmed = false;
  // Every file is marked as watched once, so that a lost history is noticed.
  const told = await tell(db, catalog);
  for (const { id, kind } of told.present)
    if ((kind === 'movie' || kind === 'episode') && !told.watched.includes(id))
      await catalog.watching.progress('p', id, { position: 60, session: 's', sequence: 1 }, 600);
  process.stdout.write(`${JSON.stringify(told)}\n`);
  await close();
  await real.close();
}

/** Takes the database of a household back to an older version: the first migrations only, with the rows that fit. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../src/lib/db/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { MIGRATIONS } from '../../src/migrations.ts';
import { subtitleMigrations } from '../../src/subtitles/index.ts';

export { MIGRATIONS };
/** Accounts, settings and progress that a migration must keep. */
export const OLD = MIGRATIONS.findIndex(({ id }) => id === subtitleMigrations[0]?.id);

/** Nothing may have the database open. */
export async function takeBack(data: string, count: number): Promise<void> {
  const file = join(data, 'matinee.db');
  const full = join(data, 'full.db');
  for (const end of ['', '-wal']) if (existsSync(file + end)) renameSync(file + end, full + end);
  rmSync(`${file}-shm`, { force: true });
  const made = await openDatabase({ file, migrations: MIGRATIONS.slice(0, count), clock: systemClock });
  await made.close();
  const db = new DatabaseSync(file);
  db.exec(`pragma foreign_keys = off; attach '${full}' as full`);
  // The index of words is made from the items again; its own tables may not be written to.
  const names = (of: string): string[] =>
    db
      .prepare(
        `select name from pragma_table_list where schema = ? and type = 'table' and name not like 'sqlite%' and ` +
          `name not like 'catalog_text%' and name <> 'migration'`,
      )
      .all(of)
      .map((row) => String(row['name']));
  const columns = (of: string, table: string): { name: string; type: string; isNeeded: boolean }[] =>
    db
      .prepare('select name, type, "notnull" as needed, dflt_value as usual from pragma_table_info(?, ?)')
      .all(table, of)
      .map(({ name, type, needed, usual }) => ({
        name: String(name),
        type: String(type),
        isNeeded: needed === 1 && usual === null,
      }));
  const old = new Set(names('full'));
  for (const table of names('main').filter((name) => old.has(name))) {
    const had = new Set(columns('full', table).map(({ name }) => name));
    // A column that is needed and no longer there has nothing that could be taken back.
    const values = columns('main', table).flatMap(({ name, type, isNeeded }) =>
      had.has(name) ? [[name, `"${name}"`]] : isNeeded ? [[name, /int|real/i.test(type) ? '0' : "''"]] : [],
    );
    const into = values.map(([name]) => `"${name}"`).join(', ');
    const from = values.map(([, value]) => value).join(', ');
    db.exec(`delete from main."${table}"; insert into main."${table}" (${into}) select ${from} from full."${table}"`);
  }
  db.exec('detach full');
  db.close();
  rmSync(full);
  for (const end of ['-wal', '-shm']) rmSync(full + end, { force: true });
}

/** How many migrations a database file has seen, as it lies there. */
export function migrationsSeen(file: string): number {
  // Writable, so that SQLite may do what it does after any death.
  const db = new DatabaseSync(file);
  try {
    return Number(db.prepare('select count(*) as n from migration').get()?.['n']);
  } finally {
    db.close();
  }
}

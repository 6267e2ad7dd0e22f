/** Files that a clean-up is about to hide, and what follows a file of ours when its name gains or loses the suffix. */
import { setImmediate } from 'node:timers/promises';
import { columns, type Database, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import { append } from './installing.ts';
import { actorFrom, actorJson, type HidingFile, type NewHistoryRow } from './rows.ts';
import type { FileTable, HidingTable, Tables, Tx } from './tables.ts';

type Named = Pick<HidingTable, 'library' | 'relative'>;

/**
 * So many rows are written in one turn: a clean-up of a large library is one transaction, and others read meanwhile.
 */
const CHUNK = 50;
const SUFFIX = '.hidden';
const libraries = <T extends Named>(all: readonly T[]): T[][] => [
  ...Map.groupBy(all, ({ library }) => library).values(),
];
const chunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, n) => all.slice(n * CHUNK, (n + 1) * CHUNK));

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'subtitle_hiding')
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('relative', c.text, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('role', c.text, (col) => col.notNull())
    .addColumn('size', c.integer, (col) => col.notNull())
    .addColumn('modified', c.text, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_hiding_key', ['library', 'relative'])
    .execute();
}
export const hidingMigration: Migration = { id: 'subtitles-005-cleanup', up };

export const hidingStore = (db: Database) => {
  const read = () => db.tables<Tables>();
  return {
    /** Says durably, all at once, what is about to be hidden. */
    intend: (files: readonly HidingFile[]): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        for (const some of chunks(files)) {
          for (const row of some.map((file) => ({ ...file, actor: actorJson(file.actor) })))
            await tx
              .insertInto('subtitle_hiding')
              .values(row)
              .onConflict((oc) => oc.columns(['library', 'relative']).doUpdateSet(row))
              .execute();
          await setImmediate();
        }
      }),
    intents: async (): Promise<HidingFile[]> =>
      (await read().selectFrom('subtitle_hiding').selectAll().orderBy('library').orderBy('relative').execute()).map(
        (row) => ({ ...row, actor: actorFrom(row.actor) }),
      ),
    /** These are hidden: the rows of ours go by the new name, the history has it, and nothing is open any more. */
    hidden: (files: readonly Named[], acts: readonly NewHistoryRow[]): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        for (const some of libraries(files).flatMap(chunks)) {
          const ours = await tx
            .selectFrom('subtitle_installed')
            .select(['library', 'relative'])
            .where('library', '=', some[0]?.library ?? '')
            .where(
              'relative',
              'in',
              some.map(({ relative }) => relative),
            )
            .execute();
          for (const { library, relative } of ours)
            await rename(tx, library, { from: relative, to: `${relative}${SUFFIX}` });
          await drop(tx, some);
          await setImmediate();
        }
        for (const act of acts) await append(tx, act);
      }),
    /** These stayed as they were. */
    forget: (files: readonly Named[]): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        for (const some of libraries(files).flatMap(chunks)) await drop(tx, some);
      }),
    /** Files of ours that are hidden. */
    away: (): Promise<FileTable[]> =>
      read().selectFrom('subtitle_installed').selectAll().where('relative', 'like', `%${SUFFIX}`).execute(),
    /** The suffix was removed by hand: the row gets its old name back. */
    shown: ({ library, relative }: Named): Promise<void> =>
      db.write('safe', (tx: Tx) => rename(tx, library, { from: relative, to: relative.slice(0, -SUFFIX.length) })),
  };
};
export type HidingStore = ReturnType<typeof hidingStore>;

/** All of one library. */
async function drop(tx: Tx, files: readonly Named[]): Promise<void> {
  await tx
    .deleteFrom('subtitle_hiding')
    .where('library', '=', files[0]?.library ?? '')
    .where(
      'relative',
      'in',
      files.map(({ relative }) => relative),
    )
    .execute();
}

/** A row under the new name is of a file that is gone: the name was free a moment ago. */
async function rename(tx: Tx, library: string, { from, to }: { from: string; to: string }): Promise<void> {
  const own = await tx
    .selectFrom('subtitle_installed')
    .select('item')
    .where('library', '=', library)
    .where('relative', '=', from)
    .executeTakeFirst();
  if (!own) return;
  await tx.deleteFrom('subtitle_installed').where('library', '=', library).where('relative', '=', to).execute();
  await tx
    .updateTable('subtitle_installed')
    .set({ relative: to })
    .where('library', '=', library)
    .where('relative', '=', from)
    .execute();
}

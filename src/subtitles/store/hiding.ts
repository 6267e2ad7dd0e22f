/**
 * Store of files that a clean-up is about to hide, and of the changes to our own rows when a file gains or loses the
 * suffix.
 */
import { setImmediate } from 'node:timers/promises';
import { columns, type Database, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import { authorOf, type RecordSubtitleActivity } from '../recording.ts';
import { append } from './installing.ts';
import { actorFrom, actorJson, type HidingFile, type NewHistoryRow } from './rows.ts';
import type { InstalledTable, HidingTable, SubtitleTables, SubtitleTx } from './tables.ts';

type Named = Pick<HidingTable, 'library' | 'relative'>;

/**
 * Rows written before other work gets a turn. A clean-up of a large library is one transaction, and requests are read
 * meanwhile.
 */
const ROWS_PER_TURN = 50;
const SUFFIX = '.hidden';
const libraries = <T extends Named>(all: readonly T[]): T[][] => [
  ...Map.groupBy(all, ({ library }) => library).values(),
];
const chunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / ROWS_PER_TURN) }, (_, n) =>
    all.slice(n * ROWS_PER_TURN, (n + 1) * ROWS_PER_TURN),
  );

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

/** `recorded` returns what records an event in the transaction of its change; tests of the store leave it out. */
export const hidingStore = (db: Database, recorded?: RecordSubtitleActivity) => {
  const read = () => db.tables<SubtitleTables>();
  return {
    /** Records durably, in one transaction, which files are about to be hidden. */
    intend: (files: readonly HidingFile[]): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
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
    /** Records files as hidden: renames our own rows, adds the history entries and deletes the intents. */
    hidden: (files: readonly Named[], acts: readonly NewHistoryRow[]): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
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
          await deleteIntents(tx, some);
          await setImmediate();
        }
        for (const act of acts) await append(tx, act);
        const [first] = acts;
        if (first)
          await recorded?.({
            ...authorOf(first.actor),
            kind: 'subtitles-hidden',
            outcome: 'done',
            details: { count: files.length },
          })(tx);
      }),
    /** Deletes the intents of files that were not hidden. */
    forget: (files: readonly Named[]): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        for (const some of libraries(files).flatMap(chunks)) await deleteIntents(tx, some);
      }),
    /** Returns the files written by this server that are hidden now. */
    away: (): Promise<InstalledTable[]> =>
      read().selectFrom('subtitle_installed').selectAll().where('relative', 'like', `%${SUFFIX}`).execute(),
    /** Renames the row of a file whose suffix was removed by hand. */
    shown: ({ library, relative }: Named): Promise<void> =>
      db.write('safe', (tx: SubtitleTx) =>
        rename(tx, library, { from: relative, to: relative.slice(0, -SUFFIX.length) }),
      ),
  };
};
export type HidingStore = ReturnType<typeof hidingStore>;

/** Deletes the intents of these files, which are all in one library. */
async function deleteIntents(tx: SubtitleTx, files: readonly Named[]): Promise<void> {
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

/**
 * Renames a row. A row that has the new name already belongs to a deleted file, because the name was free a moment ago.
 */
async function rename(tx: SubtitleTx, library: string, { from, to }: { from: string; to: string }): Promise<void> {
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

/**
 * Drafts in the database: what is being made, and the newest few that were made, bounded in number.
 *
 * The cues of a draft are kept as compressed JSON; a row says of which bytes of a video they are.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { columns, type Database, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { VideoBinding } from '../../speech/index.ts';
import type { DraftTable, Tables, Tx } from './tables.ts';

export type DraftRow = Omit<DraftTable, 'n' | 'made' | 'video'> & { video: VideoBinding };
const rowFrom = (row: Omit<DraftTable, 'n' | 'made'>): DraftRow => ({
  ...row,
  video: JSON.parse(row.video) as VideoBinding,
});

/** Drafts that are kept of an item and language, and in total. */
const KEPT_EACH = 3;
const KEPT = 200;
/** Bytes of JSON, more than any subtitle with its words has. */
const LARGEST = 48 * 1024 * 1024;
const packed = promisify(gzip);
const unpacked = promisify(gunzip);

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'subtitle_draft')
    .addColumn('id', c.id, (col) => col.primaryKey().notNull())
    .addColumn('n', c.integer, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('method', c.text, (col) => col.notNull())
    .addColumn('state', c.text, (col) => col.notNull())
    .addColumn('message', c.text)
    .addColumn('video', c.json, (col) => col.notNull())
    .addColumn('made', c.bytes)
    .addColumn('started', c.time, (col) => col.notNull())
    .addColumn('ended', c.time)
    .execute();
  await db.schema.createIndex('subtitle_draft_item').on('subtitle_draft').columns(['item', 'n']).execute();
}
export const draftsMigration: Migration = { id: 'subtitles-005-drafts', up };

const FACTS = ['id', 'item', 'language', 'method', 'state', 'message', 'video', 'started', 'ended'] as const;

export const draftStore = (db: Database) => {
  const read = () => db.tables<Tables>();
  return {
    begin: (row: Pick<DraftRow, 'id' | 'item' | 'language' | 'method' | 'video' | 'started'>): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        const last = await tx
          .selectFrom('subtitle_draft')
          .select((eb) => eb.fn.max('n').as('n'))
          .executeTakeFirst();
        await tx
          .insertInto('subtitle_draft')
          .values({
            ...row,
            video: JSON.stringify(row.video),
            n: Number(last?.n ?? 0) + 1,
            state: 'running',
            message: null,
            made: null,
            ended: null,
          })
          .execute();
        await prune(tx, row);
      }),
    /** Only of one that runs: whoever ends it first has ended it. `made` is plain data. */
    end: async (
      id: string,
      { made, ...end }: { state: 'ready' | 'failed' | 'stopped'; message: string | null; made?: unknown; at: number },
    ): Promise<void> => {
      const bytes = made === undefined ? null : await pack(made);
      await db.write('safe', async (tx: Tx) => {
        await tx
          .updateTable('subtitle_draft')
          .set({ state: end.state, message: end.message, made: bytes, ended: end.at })
          .where('id', '=', id)
          .where('state', '=', 'running')
          .execute();
      });
    },
    /** Stops the drafts that a dead process left running. Returns their number. */
    stopAll: (message: string, at: number): Promise<number> =>
      db.write(
        'safe',
        async (tx: Tx) =>
          (
            await tx
              .updateTable('subtitle_draft')
              .set({ state: 'stopped', message, ended: at })
              .where('state', '=', 'running')
              .returning('id')
              .execute()
          ).length,
      ),
    one: async (id: string): Promise<DraftRow | undefined> => {
      const row = await read().selectFrom('subtitle_draft').select(FACTS).where('id', '=', id).executeTakeFirst();
      return row && rowFrom(row);
    },
    newest: async (item: string, language: string | undefined): Promise<DraftRow | undefined> => {
      const row = await read()
        .selectFrom('subtitle_draft')
        .select(FACTS)
        .where('item', '=', item)
        .$if(language !== undefined, (query) => query.where('language', '=', language ?? ''))
        .orderBy('n', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && rowFrom(row);
    },
    /** Returns what `end` stored, or undefined. */
    made: async (id: string): Promise<unknown> => {
      const row = await read().selectFrom('subtitle_draft').select('made').where('id', '=', id).executeTakeFirst();
      return row?.made
        ? (JSON.parse((await unpacked(row.made, { maxOutputLength: LARGEST })).toString('utf8')) as unknown)
        : undefined;
    },
    count: async (): Promise<number> =>
      Number(
        (
          await read()
            .selectFrom('subtitle_draft')
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      ),
  };
};
export type DraftStore = ReturnType<typeof draftStore>;

async function pack(made: unknown): Promise<Buffer> {
  const text = JSON.stringify(made);
  if (text.length > LARGEST / 2)
    throw new Failure('conflict', 'what was made is larger than a subtitle can be', { reason: 'track-too-large' });
  return packed(text);
}

/** The oldest go, of this item and language and of all; one that runs is the newest. */
async function prune(tx: Tx, { item, language }: { item: string; language: string }): Promise<void> {
  const [each] = await tx
    .selectFrom('subtitle_draft')
    .select('n')
    .where('item', '=', item)
    .where('language', '=', language)
    .orderBy('n', 'desc')
    .offset(KEPT_EACH)
    .limit(1)
    .execute();
  if (each)
    await tx
      .deleteFrom('subtitle_draft')
      .where('item', '=', item)
      .where('language', '=', language)
      .where('n', '<=', each.n)
      .execute();
  const [any] = await tx.selectFrom('subtitle_draft').select('n').orderBy('n', 'desc').offset(KEPT).limit(1).execute();
  if (any) await tx.deleteFrom('subtitle_draft').where('n', '<=', any.n).execute();
}

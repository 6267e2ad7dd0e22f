/**
 * Store of drafts: the running one and the newest finished ones, limited in number.
 *
 * The cues of a draft are stored as compressed JSON. Each row records the bytes of the video that the draft was made
 * from.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type DraftNote, draftText } from '../../contract/subtitles/draft-notes.ts';
import { columns, type Database, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { VideoBinding } from '../../speech/index.ts';
import type { DraftTable, SubtitleTables, SubtitleTx } from './tables.ts';

export type DraftRow = Omit<DraftTable, 'n' | 'made' | 'video' | 'notes'> & {
  video: VideoBinding;
  /** Reasons that `message` is made of. Null in drafts of earlier versions, and without a message. */
  notes: DraftNote[] | null;
};
const rowFrom = (row: Omit<DraftTable, 'n' | 'made'>): DraftRow => ({
  ...row,
  video: JSON.parse(row.video) as VideoBinding,
  notes: row.notes === null ? null : (JSON.parse(row.notes) as DraftNote[]),
});

/** Maximum number of stored drafts, per item and language and in total. */
const MAX_DRAFTS_PER_LANGUAGE = 3;
const MAX_DRAFTS = 200;
/** Maximum size of a stored draft as JSON, in bytes. No real subtitle with its words is as large. */
const MAX_DRAFT_BYTES = 48 * 1024 * 1024;
const compress = promisify(gzip);
const decompress = promisify(gunzip);

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

async function notes(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.alterTable('subtitle_draft').addColumn('notes', columns(engine).json).execute();
}
export const draftNotesMigration: Migration = { id: 'subtitles-022-draft-notes', up: notes };

const COLUMNS_WITHOUT_CONTENT = [
  'id',
  'item',
  'language',
  'method',
  'state',
  'message',
  'notes',
  'video',
  'started',
  'ended',
] as const;

export const draftStore = (db: Database) => {
  const read = () => db.tables<SubtitleTables>();
  return {
    begin: (row: Pick<DraftRow, 'id' | 'item' | 'language' | 'method' | 'video' | 'started'>): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
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
            notes: null,
            made: null,
            ended: null,
          })
          .execute();
        await prune(tx, row);
      }),
    /** Ends a running draft. Does nothing when the draft has ended already. `made` is plain data. */
    end: async (
      id: string,
      {
        made,
        ...end
      }: { state: 'ready' | 'failed' | 'stopped'; notes: readonly DraftNote[]; made?: unknown; at: number },
    ): Promise<void> => {
      const bytes = made === undefined ? null : await pack(made);
      await db.write('safe', async (tx: SubtitleTx) => {
        await tx
          .updateTable('subtitle_draft')
          .set({ state: end.state, ...columnsOf(end.notes), made: bytes, ended: end.at })
          .where('id', '=', id)
          .where('state', '=', 'running')
          .execute();
      });
    },
    /** Stops the drafts that a dead process left running. Returns their number. */
    stopAll: (note: DraftNote, at: number): Promise<number> =>
      db.write(
        'safe',
        async (tx: SubtitleTx) =>
          (
            await tx
              .updateTable('subtitle_draft')
              .set({ state: 'stopped', ...columnsOf([note]), ended: at })
              .where('state', '=', 'running')
              .returning('id')
              .execute()
          ).length,
      ),
    one: async (id: string): Promise<DraftRow | undefined> => {
      const row = await read()
        .selectFrom('subtitle_draft')
        .select(COLUMNS_WITHOUT_CONTENT)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && rowFrom(row);
    },
    newest: async (item: string, language: string | undefined): Promise<DraftRow | undefined> => {
      const row = await read()
        .selectFrom('subtitle_draft')
        .select(COLUMNS_WITHOUT_CONTENT)
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
        ? (JSON.parse((await decompress(row.made, { maxOutputLength: MAX_DRAFT_BYTES })).toString('utf8')) as unknown)
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

/** Returns notes as columns: their sentences, and JSON. */
const columnsOf = (notes: readonly DraftNote[]): Pick<DraftTable, 'message' | 'notes'> =>
  notes.length === 0 ? { message: null, notes: null } : { message: draftText(notes), notes: JSON.stringify(notes) };

async function pack(made: unknown): Promise<Buffer> {
  const text = JSON.stringify(made);
  if (text.length > MAX_DRAFT_BYTES / 2)
    throw new Failure('conflict', 'the draft is larger than a subtitle can be', { reason: 'track-too-large' });
  return compress(text);
}

/**
 * Deletes the oldest drafts, of this item and language and of all items. A running draft is the newest, so it stays.
 */
async function prune(tx: SubtitleTx, { item, language }: { item: string; language: string }): Promise<void> {
  const [each] = await tx
    .selectFrom('subtitle_draft')
    .select('n')
    .where('item', '=', item)
    .where('language', '=', language)
    .orderBy('n', 'desc')
    .offset(MAX_DRAFTS_PER_LANGUAGE)
    .limit(1)
    .execute();
  if (each)
    await tx
      .deleteFrom('subtitle_draft')
      .where('item', '=', item)
      .where('language', '=', language)
      .where('n', '<=', each.n)
      .execute();
  const [any] = await tx
    .selectFrom('subtitle_draft')
    .select('n')
    .orderBy('n', 'desc')
    .offset(MAX_DRAFTS)
    .limit(1)
    .execute();
  if (any) await tx.deleteFrom('subtitle_draft').where('n', '<=', any.n).execute();
}

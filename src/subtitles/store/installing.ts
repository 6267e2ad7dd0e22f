/**
 * Store of installed files, the journal of writes, frozen languages, refused downloads and the history of each item.
 */
import { authorOf, type RecordSubtitleActivity } from '../recording.ts';
import type { SubtitleNote } from '../../contract/subtitles/notes.ts';
import type { CommitCursor, Database, Kysely, Migration } from '../../lib/db/index.ts';
import { SEARCH_PAUSE } from '../choosing/back-off.ts';
import {
  actorFrom,
  entryRow,
  type NewHistoryRow,
  type HistoryRow,
  type InstalledFile,
  installedFrom,
  type Intent,
  intentFrom,
  intentJson,
  preservedFrom,
  type PreservedFile,
  storedRow,
} from './rows.ts';
import type { WritingTable, InstalledTable, SubtitleTables, SubtitleTx } from './tables.ts';

export type RefusalRow = SubtitleTables['subtitle_refusal'];

/** Maximum number of history entries stored for an item. */
const MAX_HISTORY_PER_ITEM = 100;
/** Stored reason of downloads that a user rejected. They stay refused when the video is replaced. */
export const REJECTED_BY_USER = 'rejected-by-user';

/** Renames the stored reason of rejected downloads, which was a sentence that no reply shows. */
async function renameRejections(db: Kysely<unknown>): Promise<void> {
  await (db as Kysely<SubtitleTables>)
    .updateTable('subtitle_refusal')
    .set({ reason: REJECTED_BY_USER })
    .where('reason', 'like', '% replaced it by another one')
    .execute();
}
export const rejectionMigration: Migration = { id: 'subtitles-010-rejections', up: renameRejections };

/** Stored reason of downloads that the language check of earlier versions refused. */
const OTHER_LANGUAGE = 'the text is in another language';

/**
 * Forgets the downloads that the earlier language check refused, because it judged a text by its first letters. Their
 * items are due for a search again.
 */
async function forgetLanguageRefusals(db: Kysely<unknown>): Promise<void> {
  const tables = db as Kysely<SubtitleTables>;
  const refused = await tables
    .selectFrom('subtitle_refusal')
    .select(['item', 'language', 'content'])
    .where('reason', '=', OTHER_LANGUAGE)
    .execute();
  await tables.deleteFrom('subtitle_refusal').where('reason', '=', OTHER_LANGUAGE).execute();
  for (const { item, language, content } of refused) {
    // The same bytes from another provider were refused because they had been refused before.
    await tables
      .deleteFrom('subtitle_refusal')
      .where('item', '=', item)
      .where('language', '=', language)
      .where('content', '=', content)
      .where('reason', '!=', REJECTED_BY_USER)
      .execute();
    await tables
      .updateTable('subtitle_pause')
      .set({ until: 0, failures: 0 })
      .where('item', '=', item)
      .where('language', '=', language)
      .where('provider', '=', SEARCH_PAUSE)
      .execute();
  }
}
export const languageRefusalMigration: Migration = {
  id: 'subtitles-011-language-refusals',
  up: forgetLanguageRefusals,
};

/** Returns what records an edit or a restored subtitle. */
function recordDone({ act, by, file }: Intent, recorded?: RecordSubtitleActivity): CommitCursor | undefined {
  if (act !== 'applied' && act !== 'restored') return undefined;
  return recorded?.({
    ...authorOf(by),
    kind: act === 'applied' ? 'subtitle-applied' : 'subtitle-restored',
    outcome: 'done',
    target: file.item,
    details: { language: file.language },
  });
}

type Place = Pick<InstalledTable, 'library' | 'relative'>;

/** `recorded` returns what records an event in the transaction of its change; tests of the store leave it out. */
export const installingStore = (db: Database, recorded?: RecordSubtitleActivity) => {
  const read = () => db.tables<SubtitleTables>();
  return {
    /** Records durably what is about to be written. */
    intend: (intent: Intent): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        const { library, relative, item, at } = intent.file;
        await tx
          .insertInto('subtitle_writing')
          .values({ library, relative, item, at, intent: intentJson(intent) })
          .execute();
      }),
    /**
     * Records a write as done with all its consequences in one transaction. Size and time are those of the written
     * file.
     */
    done: (intent: Intent, { size, modified }: Pick<InstalledTable, 'size' | 'modified'>): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        const { file, over, freeze, rejects } = intent;
        const row = { ...storedRow(file), size, modified };
        // Removes the row of the replaced file: under this name, its own, or one from before its video moved.
        await at(tx, file).execute();
        if (over) {
          await at(tx, { library: file.library, relative: over.relative }).execute();
          await tx
            .deleteFrom('subtitle_installed')
            .where('item', '=', file.item)
            .where('content', '=', over.content)
            .where('language', '=', file.language)
            .execute();
        }
        await tx.insertInto('subtitle_installed').values(row).execute();
        await remember(tx, intent, recorded);
        if (freeze) await insertFrozen(tx, file);
        // The user wants this content after all.
        if (!intent.isRemoval)
          await tx
            .deleteFrom('subtitle_refusal')
            .where('item', '=', file.item)
            .where('language', '=', file.language)
            .where('content', 'in', [file.content, file.delivered ?? file.content])
            .execute();
        if (rejects)
          await insertRefusal(tx, {
            item: file.item,
            language: file.language,
            ...rejects,
            reason: REJECTED_BY_USER,
            at: file.at,
          });
        await tx
          .deleteFrom('subtitle_writing')
          .where('library', '=', file.library)
          .where('relative', '=', file.relative)
          .execute();
      }),
    undo: ({ library, relative }: Place): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        await tx
          .deleteFrom('subtitle_writing')
          .where('library', '=', library)
          .where('relative', '=', relative)
          .execute();
      }),
    intents: async (): Promise<Intent[]> =>
      (await read().selectFrom('subtitle_writing').selectAll().orderBy('at').execute()).map((row: WritingTable) =>
        intentFrom(row.intent),
      ),
    /** Returns the files of these items that were written or restored. */
    filesOf: async (items: readonly string[]): Promise<InstalledFile[]> =>
      items.length === 0
        ? []
        : (
            await read()
              .selectFrom('subtitle_installed')
              .selectAll()
              .where('item', 'in', items)
              .orderBy('at', 'desc')
              .execute()
          ).map(installedFrom),
    /** Returns the history of an item, the newest entry first. */
    history: async (item: string): Promise<HistoryRow[]> =>
      (
        await read()
          .selectFrom('subtitle_history')
          .selectAll()
          .where('item', '=', item)
          .orderBy('n', 'desc')
          .limit(MAX_HISTORY_PER_ITEM)
          .execute()
      ).map(historyFrom),
    /** SHA-256 of everything whose bytes must be kept. */
    referenced: (): Promise<Set<string>> => referenced(db),
    frozen: async (items: readonly string[]): Promise<SubtitleTables['subtitle_frozen'][]> =>
      items.length === 0 ? [] : read().selectFrom('subtitle_frozen').selectAll().where('item', 'in', items).execute(),
    freeze: (item: string, language: string, isFrozen: boolean): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        if (isFrozen) await insertFrozen(tx, { item, language });
        else await tx.deleteFrom('subtitle_frozen').where('item', '=', item).where('language', '=', language).execute();
      }),
    refusals: (item: string, language: string): Promise<RefusalRow[]> =>
      read()
        .selectFrom('subtitle_refusal')
        .selectAll()
        .where('item', '=', item)
        .where('language', '=', language)
        .execute(),
    refuse: (refusal: RefusalRow): Promise<void> => db.write('safe', (tx: SubtitleTx) => insertRefusal(tx, refusal)),
  };
};
export type InstallingStore = ReturnType<typeof installingStore>;

async function referenced(db: Database): Promise<Set<string>> {
  const read = () => db.tables<SubtitleTables>();
  const all = new Set<string>();
  for (const row of await read()
    .selectFrom('subtitle_installed')
    .select(['preserved', 'delivered', 'content'])
    .execute())
    addContents({ ...row, preserved: preservedFrom(row.preserved) }, all);
  for (const { before } of await read()
    .selectFrom('subtitle_history')
    .select('before')
    .distinct()
    .where('before', 'is not', null)
    .execute())
    if (before !== null) all.add(before);
  for (const { intent } of await read().selectFrom('subtitle_writing').select('intent').execute()) {
    const { file, over } = intentFrom(intent);
    addContents(file, all);
    if (over) all.add(over.content);
  }
  return all;
}

const at = (tx: SubtitleTx, { library, relative }: Place) =>
  tx.deleteFrom('subtitle_installed').where('library', '=', library).where('relative', '=', relative);

async function insertFrozen(tx: SubtitleTx, { item, language }: { item: string; language: string }): Promise<void> {
  await tx
    .insertInto('subtitle_frozen')
    .values({ item, language })
    .onConflict((oc) => oc.columns(['item', 'language']).doNothing())
    .execute();
}

async function insertRefusal(tx: SubtitleTx, refusal: RefusalRow): Promise<void> {
  const { item, language, provider, candidate, ...rest } = refusal;
  await tx
    .insertInto('subtitle_refusal')
    .values({ item, language, provider, candidate, ...rest })
    .onConflict((oc) => oc.columns(['item', 'language', 'provider', 'candidate']).doUpdateSet(rest))
    .execute();
}

const historyFrom = ({
  evidence: _evidence,
  actor,
  notes,
  ...row
}: SubtitleTables['subtitle_history']): HistoryRow => ({
  ...row,
  actor: actorFrom(actor),
  notes: notes === null ? null : (JSON.parse(notes) as SubtitleNote[]),
});

/** Adds the history entry of a write, and the entry of the activity log. */
async function remember(tx: SubtitleTx, intent: Intent, recorded?: RecordSubtitleActivity): Promise<void> {
  const { file, over, isRemoval, act, detail, notes, by } = intent;
  const { item, language, role, library, relative, source, score, match, evidence, content } = file;
  await append(tx, {
    item,
    language,
    role,
    library,
    relative,
    source,
    score,
    match,
    evidence,
    before: over?.content ?? null,
    after: isRemoval ? null : content,
    act,
    detail: detail ?? null,
    notes: notes ?? null,
    at: file.at,
    actor: by ?? null,
  });
  await recordDone(intent, recorded)?.(tx);
}

/** Adds a history entry, and deletes the oldest entries of that item. */
export async function append(tx: SubtitleTx, entry: NewHistoryRow): Promise<void> {
  const last = await tx
    .selectFrom('subtitle_history')
    .select((eb) => eb.fn.max('n').as('n'))
    .executeTakeFirst();
  await tx
    .insertInto('subtitle_history')
    .values({ n: Number(last?.n ?? 0) + 1, ...entryRow(entry) })
    .execute();
  const old = await tx
    .selectFrom('subtitle_history')
    .select('n')
    .where('item', '=', entry.item)
    .orderBy('n', 'desc')
    .offset(MAX_HISTORY_PER_ITEM)
    .limit(1)
    .executeTakeFirst();
  if (old) await tx.deleteFrom('subtitle_history').where('item', '=', entry.item).where('n', '<=', old.n).execute();
}

function addContents(
  { preserved, delivered, content }: Pick<InstalledFile, 'preserved' | 'delivered' | 'content'>,
  into: Set<string>,
): void {
  const { original, before, self } = preserved;
  if (self) into.add(content);
  if (delivered !== null) into.add(delivered);
  const add = (kept: PreservedFile | undefined): void => {
    if (!kept) return;
    into.add(kept.content);
    if (typeof kept.known?.delivered === 'string') into.add(kept.known.delivered);
    add(kept.original);
  };
  add(original);
  add(before);
}

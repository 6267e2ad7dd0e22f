/** What this server wrote, is writing, must not write, and must not download again. */
import type { Database } from '../../lib/db/index.ts';
import type { FileTable, Tables, Tx } from './tables.ts';

export type Intent = Omit<FileTable, 'size' | 'modified' | 'state'>;
export type Refusal = Tables['subtitle_refusal'];

export const installingStore = (db: Database) => {
  const read = () => db.tables<Tables>();
  return {
    /** Says durably what is about to be written. A file of ours that stood there before is gone, or nothing would be written. */
    intend: (intent: Intent): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        const row = { ...intent, size: null, modified: null, state: 'intent' as const };
        await tx.insertInto('subtitle_file').values(row).onConflict((oc) => oc.columns(['library', 'relative']).doUpdateSet(row)).execute();
      }),
    done: ({ library, relative, size, modified }: Pick<Intent, 'library' | 'relative'> & { size: number; modified: number }): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        await tx.updateTable('subtitle_file').set({ size, modified, state: 'done' }).where('library', '=', library).where('relative', '=', relative).execute();
      }),
    undo: ({ library, relative }: Pick<Intent, 'library' | 'relative'>): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        await tx.deleteFrom('subtitle_file').where('library', '=', library).where('relative', '=', relative).where('state', '=', 'intent').execute();
      }),
    intents: (): Promise<FileTable[]> => read().selectFrom('subtitle_file').selectAll().where('state', '=', 'intent').execute(),
    /** The files of ours beside these items. */
    filesOf: async (items: readonly string[]): Promise<FileTable[]> =>
      items.length === 0 ? [] : read().selectFrom('subtitle_file').selectAll().where('item', 'in', items).where('state', '=', 'done').execute(),

    frozen: async (items: readonly string[]): Promise<Tables['subtitle_frozen'][]> =>
      items.length === 0 ? [] : read().selectFrom('subtitle_frozen').selectAll().where('item', 'in', items).execute(),
    freeze: (item: string, language: string, isFrozen: boolean): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        if (isFrozen) await tx.insertInto('subtitle_frozen').values({ item, language }).onConflict((oc) => oc.columns(['item', 'language']).doNothing()).execute();
        else await tx.deleteFrom('subtitle_frozen').where('item', '=', item).where('language', '=', language).execute();
      }),

    refusals: (item: string, language: string): Promise<Refusal[]> => read().selectFrom('subtitle_refusal').selectAll().where('item', '=', item).where('language', '=', language).execute(),
    refuse: (refusal: Refusal): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        const { item, language, provider, candidate, ...rest } = refusal;
        await tx.insertInto('subtitle_refusal').values({ item, language, provider, candidate, ...rest }).onConflict((oc) => oc.columns(['item', 'language', 'provider', 'candidate']).doUpdateSet(rest)).execute();
      }),
  };
};
export type InstallingStore = ReturnType<typeof installingStore>;

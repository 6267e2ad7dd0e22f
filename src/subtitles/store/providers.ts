/** Store of provider states: health, the time of the next allowed call, allowance, and what the provider remembers. */
import type { Database } from '../../lib/db/index.ts';
import type { Budget } from '../choosing/budget.ts';
import type { ProviderTable, Tables, Tx } from './tables.ts';

export type Pause = Tables['subtitle_pause'];
export type ProviderRow = ProviderTable;

const FRESH: Omit<ProviderTable, 'name' | 'mark' | 'memory'> = {
  state: 'untested',
  last_success: null,
  remaining: null,
  reset_at: null,
  last_error: null,
  failures: 0,
  until: 0,
  kind: null,
};

export const providerStore = (db: Database) => {
  const read = () => db.tables<Tables>();
  return {
    all: (): Promise<ProviderRow[]> => read().selectFrom('subtitle_provider').selectAll().execute(),
    /** Forgets all about a provider whose credentials are other ones now. */
    begin: (name: string, mark: string): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        const row = { ...FRESH, mark, memory: null };
        await tx
          .insertInto('subtitle_provider')
          .values({ name, ...row })
          .onConflict((oc) => oc.column('name').doUpdateSet(row))
          .execute();
      }),
    change: (name: string, change: (before: ProviderRow) => Partial<ProviderRow>): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        const before = await tx.selectFrom('subtitle_provider').selectAll().where('name', '=', name).executeTakeFirst();
        if (before) await tx.updateTable('subtitle_provider').set(change(before)).where('name', '=', name).execute();
      }),

    pauses: async (items: readonly string[]): Promise<Pause[]> =>
      items.length === 0 ? [] : read().selectFrom('subtitle_pause').selectAll().where('item', 'in', items).execute(),
    pause: (
      at: Pick<Pause, 'item' | 'language' | 'provider'>,
      change: (before: Pause | undefined) => Omit<Pause, 'item' | 'language' | 'provider'>,
    ): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        const before = await tx
          .selectFrom('subtitle_pause')
          .selectAll()
          .where('item', '=', at.item)
          .where('language', '=', at.language)
          .where('provider', '=', at.provider)
          .executeTakeFirst();
        const row = change(before);
        await tx
          .insertInto('subtitle_pause')
          .values({ ...at, ...row })
          .onConflict((oc) => oc.columns(['item', 'language', 'provider']).doUpdateSet(row))
          .execute();
      }),
    goOn: ({ item, language, provider }: Pick<Pause, 'item' | 'language' | 'provider'>): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        await tx
          .deleteFrom('subtitle_pause')
          .where('item', '=', item)
          .where('language', '=', language)
          .where('provider', '=', provider)
          .execute();
      }),

    /** Ends all pauses of that name, whichever item they are about. Their rows stay: they say who is due. */
    searchAgain: (provider: string): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        await tx
          .updateTable('subtitle_pause')
          .set({ until: 0, failures: 0 })
          .where('provider', '=', provider)
          .execute();
      }),
    budgets: (): Promise<Tables['subtitle_budget'][]> => read().selectFrom('subtitle_budget').selectAll().execute(),
    /** Counts one download before it is made: false when `next` says that there is none left. */
    spend: (provider: string, next: (before: Budget | undefined) => Budget | undefined): Promise<boolean> =>
      db.write('safe', async (tx: Tx) => {
        const before = await tx
          .selectFrom('subtitle_budget')
          .select(['day', 'used'])
          .where('provider', '=', provider)
          .executeTakeFirst();
        const after = next(before);
        if (after)
          await tx
            .insertInto('subtitle_budget')
            .values({ provider, ...after })
            .onConflict((oc) => oc.column('provider').doUpdateSet({ ...after }))
            .execute();
        return after !== undefined;
      }),
  };
};
export type ProviderStore = ReturnType<typeof providerStore>;

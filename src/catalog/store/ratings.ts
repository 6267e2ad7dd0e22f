/** Certifications that Owners set. They belong to items, and stay when these are scanned again. */
import type { Database } from '../../lib/db/index.ts';
import type { CatalogTables } from './tables.ts';

export interface RatingStore {
  /** Returns the certifications by the id of the item. */
  all(): Promise<ReadonlyMap<string, string>>;
  /** Sets the certification of an item; undefined removes it. */
  set(item: string, rating: string | undefined, at: number): Promise<void>;
}

export const ratingStore = (db: Database): RatingStore => ({
  all: async () => {
    const rows = await db.tables<CatalogTables>().selectFrom('catalog_rating').select(['item', 'rating']).execute();
    return new Map(rows.map(({ item, rating }) => [item, rating]));
  },
  set: (item, rating, at) =>
    db.write<CatalogTables, void>('safe', async (tx) => {
      if (rating === undefined) await tx.deleteFrom('catalog_rating').where('item', '=', item).execute();
      else
        await tx
          .insertInto('catalog_rating')
          .values({ item, rating, at })
          .onConflict((oc) => oc.column('item').doUpdateSet({ rating, at }))
          .execute();
    }),
});

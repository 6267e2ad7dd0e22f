/** Items without files, and sections and groups without items: they are marked as missing. */
import { kindsWith } from '../../contract/catalog/kinds.ts';
import type { CatalogItemTable } from './tables.ts';
import { type CatalogTransaction, chunks, reserveChanges, VALUES_AT_ONCE } from './writing.ts';

const ITEMS = kindsWith({ role: 'item' });

/** Assigns the next numbers to changed items. Returns the items as they are now. */
export async function renumber(tx: CatalogTransaction, ids: readonly string[]): Promise<CatalogItemTable[]> {
  if (ids.length === 0) return [];
  let change = await reserveChanges(tx, ids.length);
  const rows: CatalogItemTable[] = [];
  for (const id of ids)
    rows.push(
      await tx
        .updateTable('catalog_item')
        .set({ change: ++change })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
  return rows;
}

/**
 * Marks as missing: items without a present file, then sections and groups without a present item. Returns the rows
 * that changed.
 */
export async function markEmpty(
  tx: CatalogTransaction,
  items: readonly string[],
  at: number,
  vacated: readonly string[] = [],
): Promise<CatalogItemTable[]> {
  const ids = new Set<string>();
  const parents = new Set<string>(vacated);
  for (const some of chunks(items, VALUES_AT_ONCE)) {
    const rows = await tx
      .updateTable('catalog_item')
      .set({ present: 0, missing: at })
      .where('id', 'in', some)
      .where('present', '=', 1)
      .where(({ not, exists, or, selectFrom }) =>
        not(
          or([
            exists(
              selectFrom('catalog_file')
                .select('catalog_file.id')
                .whereRef('catalog_file.item', '=', 'catalog_item.id')
                .where('catalog_file.missing', 'is', null),
            ),
            exists(
              selectFrom('catalog_window')
                .innerJoin('catalog_file', 'catalog_file.id', 'catalog_window.file')
                .select('catalog_file.id')
                .whereRef('catalog_window.item', '=', 'catalog_item.id')
                .where('catalog_file.missing', 'is', null),
            ),
          ]),
        ),
      )
      .returning(['id', 'show', 'season'])
      .execute();
    for (const row of rows) {
      ids.add(row.id);
      for (const parent of [row.season, row.show]) if (parent !== null) parents.add(parent);
    }
  }
  for (const [column, role] of [
    ['season', 'section'],
    ['show', 'group'],
  ] as const) {
    for (const some of chunks([...parents], VALUES_AT_ONCE)) {
      const rows = await tx
        .updateTable('catalog_item')
        .set({ present: 0, missing: at })
        .where('id', 'in', some)
        .where('kind', 'in', kindsWith({ role }))
        .where('present', '=', 1)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('catalog_item as e')
                .select('e.id')
                .whereRef(`e.${column}`, '=', 'catalog_item.id')
                .where('e.kind', 'in', ITEMS)
                .where('e.present', '=', 1),
            ),
          ),
        )
        .returning('id')
        .execute();
      for (const row of rows) ids.add(row.id);
    }
  }
  return renumber(tx, [...ids]);
}

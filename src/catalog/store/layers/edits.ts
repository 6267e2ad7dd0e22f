/** Edits by Owners: the highest layer of items, changed in one transaction together with the entry that undoes it. */
import type { CommitCursor, Database } from '../../../lib/db/index.ts';
import { crashPoint } from '../../../lib/crash.ts';
import { Failure } from '../../../lib/failure.ts';
import { newId } from '../../../lib/ids.ts';
import type { CatalogItemTable, CatalogTables } from '../tables.ts';
import type { CatalogTransaction } from '../writing.ts';
import type { LayerFacts } from './facts.ts';
import { type LayeredItem, readLayers, writeLayers } from './index.ts';

/** How a change is written. `recorded` returns what records a change of so many items in its transaction. */
interface ChangeWriting {
  editOf: (item: LayeredItem) => Edit;
  now: number;
  recorded?: ((count: number) => CommitCursor) | undefined;
}

/** The number of changes that can be undone. */
const MAX_UNDOABLE_CHANGES = 200;

type Edit = LayerFacts | null;
interface EditedItem {
  item: string;
  before: Edit;
  after: Edit;
}

/** Returns an edit without empty members; null if it states nothing. */
export function tidyEdit(edit: LayerFacts): Edit {
  const { images, ...facts } = edit;
  const tidy: LayerFacts = { ...facts, ...(images && Object.keys(images).length > 0 && { images }) };
  return Object.keys(tidy).length === 0 ? null : tidy;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

async function putEdits(
  tx: CatalogTransaction,
  items: readonly LayeredItem[],
  { editOf, now, recorded }: ChangeWriting,
): Promise<{ rows: CatalogItemTable[]; change: string | undefined }> {
  const edited: EditedItem[] = [];
  const writes = items.flatMap((item) => {
    const { edit: before = null, ...others } = item.layers;
    const after = editOf(item);
    if (isSame(before, after)) return [];
    edited.push({ item: item.record.id, before, after });
    return [{ ...item, now: after === null ? others : { ...others, edit: after } }];
  });
  if (edited.length === 0) return { rows: [], change: undefined };
  const change = newId();
  await tx
    .insertInto('catalog_edit')
    .values({ id: change, at: now, items: JSON.stringify(edited) })
    .execute();
  await recorded?.(edited.length)(tx);
  crashPoint('catalog.edit.recorded');
  const old = await tx
    .selectFrom('catalog_edit')
    .select('id')
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(MAX_UNDOABLE_CHANGES)
    .execute();
  await tx
    .deleteFrom('catalog_edit')
    .where(
      'id',
      'not in',
      old.map(({ id }) => id),
    )
    .where('id', '!=', change)
    .execute();
  return { rows: await writeLayers(tx, writes, now), change };
}

/** Returns the members of an edit by name, with each picture as one of them. */
const members = (edit: Edit): Map<string, unknown> =>
  new Map([
    ...Object.entries(edit ?? {}).filter(([name]) => name !== 'images'),
    ...Object.entries(edit?.images ?? {}).map(([kind, place]) => [`images.${kind}`, place] as const),
  ]);

/** Returns an edit with the members of before in place of those of a change. */
function undone(now: Edit, { before, after }: EditedItem): Edit {
  const [current, was, became] = [members(now), members(before), members(after)];
  for (const name of new Set([...was.keys(), ...became.keys()])) {
    if (isSame(was.get(name), became.get(name))) continue;
    if (!isSame(current.get(name), became.get(name)))
      throw new Failure('conflict', 'this was edited again in the meantime', { reason: 'edited-again' });
    if (was.has(name)) current.set(name, was.get(name));
    else current.delete(name);
  }
  const images = [...current].filter(([name]) => name.startsWith('images.'));
  return tidyEdit({
    ...Object.fromEntries([...current].filter(([name]) => !name.startsWith('images.'))),
    images: Object.fromEntries(images.map(([name, place]) => [name.slice('images.'.length), place])),
  } as LayerFacts);
}

export const editStore = (db: Database) => ({
  /**
   * Changes the edits of items in one transaction. `check` sees all items as they are then, and refuses by throwing.
   * Returns the rows that changed, and the id of the change; undefined if nothing changed.
   */
  change: (ids: readonly string[], how: ChangeWriting & { check: (items: readonly LayeredItem[]) => void }) =>
    db.write<CatalogTables, { rows: CatalogItemTable[]; change: string | undefined }>('safe', async (tx) => {
      const items = await readLayers(tx, ids);
      how.check(items);
      return putEdits(tx, items, how);
    }),
  /** Takes a change back, completely or not at all. Fails if it is unknown, or if one of its facts was edited again. */
  undo: (id: string, { now, recorded }: Omit<ChangeWriting, 'editOf'>) =>
    db.write<CatalogTables, CatalogItemTable[]>('safe', async (tx) => {
      const row = await tx.selectFrom('catalog_edit').select('items').where('id', '=', id).executeTakeFirst();
      if (!row) throw new Failure('missing', 'no such change', { reason: 'no-such-edit' });
      const edited = new Map((JSON.parse(row.items) as EditedItem[]).map((one) => [one.item, one]));
      const items = await readLayers(tx, [...edited.keys()]);
      const editOf = ({ record, layers }: LayeredItem): Edit =>
        undone(layers.edit ?? null, edited.get(record.id) as EditedItem);
      const { rows, change = id } = await putEdits(tx, items, { editOf, now, recorded });
      await tx.deleteFrom('catalog_edit').where('id', 'in', [id, change]).execute();
      return rows;
    }),
  /** Returns the ids of the items of a change. */
  itemsOf: async (id: string): Promise<string[]> => {
    const row = await db
      .tables<CatalogTables>()
      .selectFrom('catalog_edit')
      .select('items')
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? (JSON.parse(row.items) as EditedItem[]).map(({ item }) => item) : [];
  },
});
export type EditStore = ReturnType<typeof editStore>;

/**
 * Stores layers. An item that nothing was written over has no rows here: its own row says which facts are from an NFO
 * or from tags, so its layers are derived from it and no fact is stored twice. The first edit, match or answer of a
 * metadata service stores all layers of the item and marks it as layered.
 */
import { kindsWith } from '../../../contract/catalog/kinds.ts';
import { crashPoint } from '../../../lib/crash.ts';
import type { Database } from '../../../lib/db/index.ts';
import { formatItem, type ItemRecord, isSameRecord, type ItemToStore, parseDetails, parseItem } from '../records.ts';
import type { CatalogItemTable, CatalogTables } from '../tables.ts';
import { type CatalogTransaction, chunks, inChunks, reserveChanges, upserter, VALUES_AT_ONCE } from '../writing.ts';
import {
  factsOfKind,
  foldLayers,
  type LayerFacts,
  type FactLayers,
  type LayerSource,
  SCANNED_SOURCES,
  scannedLayers,
} from './facts.ts';
import { markEmpty } from '../emptied.ts';
import { findSeries, placeInSeries } from './series.ts';

const ITEMS = kindsWith({ role: 'item' });
const isScanned = (source: string): boolean => (SCANNED_SOURCES as readonly string[]).includes(source);
type Tables = Pick<CatalogTransaction, 'selectFrom'>;

export const upsertItems = upserter('catalog_item', ['id'], ['added', 'layered']);

async function storedLayers(tables: Tables, ids: readonly string[]): Promise<Map<string, FactLayers>> {
  const rows = await inChunks(ids, (some) =>
    tables.selectFrom('catalog_layer').select(['item', 'source', 'facts']).where('item', 'in', some).execute(),
  );
  const all = new Map<string, FactLayers>();
  for (const { item, source, facts } of rows)
    all.set(item, { ...all.get(item), [source as LayerSource]: JSON.parse(facts) as LayerFacts });
  return all;
}

const only = (layers: FactLayers, isKept: (source: string) => boolean): FactLayers =>
  Object.fromEntries(Object.entries(layers).filter(([source]) => isKept(source)));

/** Replaces the layers of an item by others. Rows that stay equal are not written. */
async function replaceLayers(
  tx: CatalogTransaction,
  item: string,
  { had, now }: { had: FactLayers; now: FactLayers },
): Promise<void> {
  for (const source of new Set([...Object.keys(had), ...Object.keys(now)]) as Set<LayerSource>) {
    const facts = now[source] && JSON.stringify(now[source]);
    if (facts === (had[source] && JSON.stringify(had[source]))) continue;
    if (facts === undefined)
      await tx.deleteFrom('catalog_layer').where('item', '=', item).where('source', '=', source).execute();
    else
      await tx
        .insertInto('catalog_layer')
        .values({ item, source, facts })
        .onConflict((oc) => oc.columns(['item', 'source']).doUpdateSet({ facts }))
        .execute();
  }
}

/** Returns items with the layers of a scan in place of what is shown, and with what is shown as `shown`. */
export async function asScanned(tables: Tables, records: readonly ItemRecord[]): Promise<KnownItem[]> {
  const layered = records.filter((record) => record.layered === 1).map(({ id }) => id);
  if (layered.length === 0) return [...records];
  const layers = await storedLayers(tables, layered);
  const known: KnownItem[] = [];
  for (const record of records) {
    const own = layers.get(record.id);
    const scanned = own && foldLayers(record, only(own, isScanned));
    known.push(scanned ? { ...scanned, show: await scannedGroup(tables, record, scanned), shown: record } : record);
  }
  return known;
}
/** Returns the group that a scan placed an item in. An edit may have named another series for a book. */
async function scannedGroup(tables: Tables, { show, detail }: ItemRecord, scanned: ItemRecord): Promise<string | null> {
  const series = scanned.detail.book?.series;
  if (detail.book?.series === series) return show;
  return series === undefined ? null : ((await findSeries(tables, scanned, series))?.id ?? null);
}
/** An item as a scan made it; `shown` is what people see if anything was written over it. */
export type KnownItem = ItemRecord & { shown?: ItemRecord };

/**
 * Stores the layers of scanned items over which something was written. Returns all items as they are shown, the rows of
 * series that edits made, and the series that the scan named and edits replaced.
 */
export async function foldScanned(
  tx: CatalogTransaction,
  items: readonly ItemToStore[],
  at: number,
): Promise<{ shown: ItemToStore[]; series: CatalogItemTable[]; vacated: string[] }> {
  const layered = await inChunks(
    items.map(({ id }) => id),
    (some) =>
      tx
        .selectFrom('catalog_item')
        .select(['id', 'show', 'detail'])
        .where('layered', '=', 1)
        .where('id', 'in', some)
        .execute(),
  );
  if (layered.length === 0) return { shown: [...items], series: [], vacated: [] };
  const stored = await storedLayers(
    tx,
    layered.map(({ id }) => id),
  );
  const places = new Map(layered.map(({ id, show, detail }) => [id, { show, detail: parseDetails(detail) }]));
  const all = { shown: [] as ItemToStore[], series: [] as CatalogItemTable[], vacated: [] as string[] };
  for (const item of items) {
    const had = stored.get(item.id);
    const now = had && { ...only(had, (source) => !isScanned(source)), ...scannedLayers(item) };
    if (had && now) await replaceLayers(tx, item.id, { had, now });
    const folded = now ? foldLayers(item, now) : item;
    if (now?.edit?.series === undefined) all.shown.push(folded);
    else {
      const { item: placed, series } = await placeInSeries(tx, folded, { had: places.get(item.id), now: at });
      all.shown.push(placed);
      if (series) all.series.push(series);
      if (item.show !== null && item.show !== placed.show) all.vacated.push(item.show);
    }
  }
  return all;
}

/**
 * Episodes without genres or a rating in their own sources have those of their show. Writes them to the items of
 * groups that changed. Returns the rows.
 */
export async function inherit(
  tx: CatalogTransaction,
  groups: readonly { had: CatalogItemTable; now: CatalogItemTable }[],
): Promise<CatalogItemTable[]> {
  const changed: CatalogItemTable[] = [];
  for (const { had, now } of groups)
    for (const name of ['genres', 'rating'] as const) {
      if (had[name] === now[name]) continue;
      const rows = await tx
        .selectFrom('catalog_item')
        .selectAll()
        .where('show', '=', now.id)
        .where('kind', 'in', ITEMS)
        .where((eb) => (had[name] === null ? eb(name, 'is', null) : eb(name, '=', had[name])))
        .where('layered', '=', 0)
        .execute();
      if (rows.length === 0) continue;
      let change = await reserveChanges(tx, rows.length);
      const written = rows.map((row) => ({ ...row, [name]: now[name], change: ++change }));
      await upsertItems(tx, written);
      changed.push(...written);
    }
  for (const group of groups) changed.push(...(await inheritLayered(tx, group)));
  return changed;
}

/** The same for episodes with layers: what they have from their show is in the layer of their name. */
async function inheritLayered(
  tx: CatalogTransaction,
  { had, now }: { had: CatalogItemTable; now: CatalogItemTable },
): Promise<CatalogItemTable[]> {
  if (had.genres === now.genres && had.rating === now.rating) return [];
  const rows = await tx
    .selectFrom('catalog_item')
    .select('id')
    .where('show', '=', now.id)
    .where('kind', 'in', ITEMS)
    .where('layered', '=', 1)
    .execute();
  const changed: CatalogItemTable[] = [];
  const [before, after] = [parseItem(had), parseItem(now)];
  for (const { record, layers } of await readLayers(
    tx,
    rows.map(({ id }) => id),
  )) {
    const name: LayerFacts = { ...layers.name };
    if (JSON.stringify(name.genres ?? []) === JSON.stringify(before.genres)) name.genres = after.genres;
    if ((name.rating ?? null) === before.rating) name.rating = after.rating;
    const own = { ...layers, name };
    await replaceLayers(tx, record.id, { had: layers, now: own });
    const { layered: _layered, change: _change, ...item } = record;
    const shown = foldLayers(item, own);
    if (isSameRecord<ItemToStore>(item, shown, ['genres', 'rating'])) continue;
    const row = { ...formatItem(shown, (await reserveChanges(tx, 1)) + 1), layered: 1 };
    await upsertItems(tx, [row]);
    changed.push(row);
  }
  return changed;
}

export interface LayeredItem {
  record: ItemRecord;
  layers: FactLayers;
  /** The layers as they are stored, if any are. */
  stored?: FactLayers;
}

/** Facts that an older version did not store in layers are those of the row, unless an edit has replaced them. */
function completed(stored: FactLayers, record: ItemRecord): FactLayers {
  const missing = Object.entries(factsOfKind(record)).filter(([fact]) =>
    Object.values(stored).every((facts) => facts[fact as keyof LayerFacts] === undefined),
  );
  return missing.length === 0 ? stored : { ...stored, name: { ...stored.name, ...Object.fromEntries(missing) } };
}

/** Reads items with their layers. Ids that are unknown are left out. */
export async function readLayers(tables: Tables, ids: readonly string[]): Promise<LayeredItem[]> {
  const rows = await inChunks(ids, (some) =>
    tables.selectFrom('catalog_item').selectAll().where('id', 'in', some).execute(),
  );
  const records = rows.map(parseItem);
  const stored = await storedLayers(
    tables,
    records.filter(({ layered }) => layered === 1).map(({ id }) => id),
  );
  return records.map((record) => {
    const own = stored.get(record.id);
    return own ? { record, layers: completed(own, record), stored: own } : { record, layers: scannedLayers(record) };
  });
}

/** Writes new layers of items, and what is shown of them. Returns the rows that changed. */
export async function writeLayers(
  tx: CatalogTransaction,
  items: readonly (LayeredItem & { now: FactLayers })[],
  at: number,
): Promise<CatalogItemTable[]> {
  const changed: { had: CatalogItemTable; now: CatalogItemTable }[] = [];
  const others: CatalogItemTable[] = [];
  const vacated: string[] = [];
  for (const { record, stored = {}, now } of items) {
    const isLayered = Object.keys(now).some((source) => !isScanned(source));
    await replaceLayers(tx, record.id, { had: stored, now: isLayered ? now : {} });
    if (isLayered !== (record.layered === 1))
      await tx
        .updateTable('catalog_item')
        .set({ layered: isLayered ? 1 : 0 })
        .where('id', '=', record.id)
        .execute();
    const { layered: _layered, change: _change, ...item } = record;
    const { item: shown, series } = await placeInSeries(tx, foldLayers(item, now), { had: item, now: at });
    if (series) others.push(series);
    if (isSameRecord<ItemToStore>(item, shown, Object.keys(item) as (keyof ItemToStore)[])) continue;
    const change = (await reserveChanges(tx, 1)) + 1;
    const row = { ...formatItem(shown, change), layered: isLayered ? 1 : 0 };
    await upsertItems(tx, [row]);
    crashPoint('catalog.edit.layered');
    if (item.show !== null && item.show !== shown.show) vacated.push(item.show);
    changed.push({ had: formatItem(item, record.change), now: row });
  }
  const inherited = await inherit(tx, changed);
  const emptied = vacated.length === 0 ? [] : await markEmpty(tx, [], at, vacated);
  const later = new Set([...inherited, ...emptied].map(({ id }) => id));
  return [...others, ...changed.map(({ now }) => now)].filter(({ id }) => !later.has(id)).concat(inherited, emptied);
}

/** Deletes the layers of items that were deleted. */
export async function dropLayers(tx: CatalogTransaction, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids, VALUES_AT_ONCE))
    await tx.deleteFrom('catalog_layer').where('item', 'in', some).execute();
}

export interface LayerWrite {
  item: string;
  source: LayerSource;
  /** Null drops the layer. */
  facts: LayerFacts | null;
}

export const layerStore = (db: Database) => ({
  /** Returns items with their layers. Ids that are unknown are left out. */
  read: (ids: readonly string[]) => readLayers(db.tables<CatalogTables>(), ids),
  /** Returns the names of the pictures in the server's own folder that layers and changes name. */
  keptPictures: async (): Promise<Set<string>> => {
    const rows = await db
      .tables<CatalogTables>()
      .selectFrom('catalog_layer')
      .select('facts')
      .where('facts', 'like', '%"kept":true%')
      .execute();
    // A change that can be undone may bring a picture back.
    const edits = await db.tables<CatalogTables>().selectFrom('catalog_edit').select('items').execute();
    const texts = [...rows.map(({ facts }) => facts), ...edits.map(({ items }) => items)];
    return new Set(
      texts.flatMap((text) => [...text.matchAll(/"at":"([0-9a-f]{32}\.webp)"/g)].map(([, name]) => String(name))),
    );
  },
  /**
   * Replaces layers, all in one transaction. Empty facts change nothing, and neither do unknown items. Series that are
   * empty then are missing since `at`. Returns the rows that changed.
   */
  write: (writes: readonly LayerWrite[], at: number): Promise<CatalogItemTable[]> =>
    db.write<CatalogTables, CatalogItemTable[]>('grouped', async (tx) => {
      const useful = writes.filter(({ facts }) => facts === null || Object.keys(facts).length > 0);
      const byItem = Map.groupBy(useful, ({ item }) => item);
      const items = (await readLayers(tx, [...byItem.keys()])).map((item) => {
        const now: FactLayers = { ...item.layers };
        for (const { source, facts } of byItem.get(item.record.id) ?? [])
          if (facts === null) delete now[source];
          else now[source] = facts;
        return { ...item, now };
      });
      return writeLayers(tx, items, at);
    }),
});
export type LayerStore = ReturnType<typeof layerStore>;

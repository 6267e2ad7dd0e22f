/** Reads once a day which works changed at the provider, and marks the items that are matched with them. */
import type { CatalogBackground, CatalogWork } from '../catalog/index.ts';
import { type Clock, isAhead } from '../lib/clock.ts';
import type { MetadataClient } from './client.ts';
import { ChangedWorks } from './replies.ts';
import type { MatchRow, MatchStore } from './store.ts';

const DAY_MS = 86_400_000;
/** The provider lists the changes of two weeks at most. Older ones are found when the facts are 150 days old. */
const CHANGES_MS = 14 * DAY_MS;
const MAX_CHANGE_PAGES = 500;

export async function readChanges(
  {
    client,
    store,
    catalog,
    clock,
  }: { client: MetadataClient; store: MatchStore; catalog: Pick<CatalogBackground, 'works'>; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  for (const [kind, own] of [
    ['movie', 'movie'],
    ['tv', 'show'],
  ] as const) {
    const now = clock.now();
    const last = await store.changesReadAt(kind);
    if (last !== undefined && !isAhead(last, now) && now - last < DAY_MS) continue;
    const matched = await matchedAs(own, { store, catalog });
    const changed = new Set<string>();
    const from = new Date(Math.max(Math.min(last ?? now, now), now - CHANGES_MS)).toISOString().slice(0, 10);
    // An item that is matched after the first reading is as new as its match.
    for (let page = 1, pages = matched.length === 0 || last === undefined ? 0 : 1; page <= pages; page++) {
      const query = { start_date: from, page: String(page) };
      const reply = await client.read({ path: `/${kind}/changes`, query, shape: ChangedWorks }, signal);
      for (const { id } of reply?.results ?? []) if (id) changed.add(String(id));
      pages = Math.min(reply?.total_pages ?? 0, MAX_CHANGE_PAGES);
    }
    const items = matched.filter(({ work }) => changed.has(work ?? '')).map(({ item }) => item);
    await store.markChanged(kind, { items, at: now });
  }
}

/** Returns the matches of all films or of all shows. */
async function matchedAs(
  kind: CatalogWork['kind'],
  { store, catalog }: { store: Pick<MatchStore, 'among'>; catalog: Pick<CatalogBackground, 'works'> },
): Promise<MatchRow[]> {
  const matched: MatchRow[] = [];
  for await (const works of catalog.works()) {
    const own = works.flatMap((one) => (one.kind === kind ? [one.id] : []));
    matched.push(...(await store.among(own)).filter(({ work }) => work !== null));
  }
  return matched;
}

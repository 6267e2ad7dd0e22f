/** The batch of this tab, tied to the server. */
import { call, CallFailed } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { languageLabel as languageName } from '../../../lib/format.ts';
import { createStore } from '../../../lib/store.ts';
import type { InventoryListing } from '../list/listing.ts';
import { refusal, sourceName, inventoryTitle, type InventoryItem } from '../../../parts/subtitles/words.ts';
import { createBatch, NO_BATCH, type FetchWish } from './batch.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

export const batchState = createStore(NO_BATCH);
export const batch = createBatch({
  state: batchState,
  async fetchOne({ id, language }, signal) {
    const { source, score } = await call.subtitles.fetch({ id, ...(language !== undefined && { language }) }, signal);
    readAgain('subtitles');
    return m.score({ source: sourceName(source), score: Math.round(score) });
  },
  explain: (error) => refusal(error).says,
  outlook: (error) => {
    if (refusal(error).isSetup || (error instanceof CallFailed && (error.status === 401 || error.status === 403)))
      return 'always';
    return error instanceof CallFailed && (error.status === 0 || error.reason === 'providers-failing')
      ? 'failing'
      : 'own';
  },
});

/** One wish for each language that an item lacks, or for the one that is asked about. */
export const wishesOf = (items: readonly InventoryItem[], language?: string): FetchWish[] =>
  items.flatMap((item) =>
    item.missing
      .filter((code) => language === undefined || code === language)
      .map((code) => ({ id: item.id, title: `${inventoryTitle(item)}, ${languageName(code)}`, language: code })),
  );

/** More than this at once is for the server to do by itself. */
export const MAX_BATCH_ITEMS = 500;
/** Everything that fits the filters and lacks a subtitle, up to `MAX_BATCH_ITEMS`, in the order on show. */
export async function wishesMatching(
  { page: _page, limit: _limit, ...listing }: InventoryListing,
  signal: AbortSignal,
): Promise<FetchWish[]> {
  const wishes: FetchWish[] = [];
  for (let page = 1; ; page++) {
    const { items, pages } = await call.subtitles.inventory({ ...listing, page, limit: 200 }, signal);
    wishes.push(...wishesOf(items, listing.language));
    if (page >= pages || wishes.length >= MAX_BATCH_ITEMS) return wishes.slice(0, MAX_BATCH_ITEMS);
  }
}

/** The batch of this tab, tied to the server. */
import { call, CallFailed } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { createStore } from '../../../lib/store.ts';
import type { InventoryListing } from '../list/listing.ts';
import {
  refusal,
  sourceName,
  inventoryTitle,
  subtitleName,
  type InventoryItem,
} from '../../../parts/subtitles/words.ts';
import { createBatch, NO_BATCH, type FetchWish } from './batch.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

export const batchState = createStore(NO_BATCH);
export const batch = createBatch({
  state: batchState,
  async fetchOne({ id, language, role }, signal) {
    const wish = { id, ...(language !== undefined && { language }), ...(role !== undefined && { role }) };
    const fetched = await call.subtitles.fetch(wish, signal).catch((error: unknown) => {
      // The one for the hard of hearing, which was fetched before, has every line of a regular one.
      if (role === 'normal' && error instanceof CallFailed && error.reason === 'not-needed') return undefined;
      throw error;
    });
    readAgain('subtitles');
    return fetched
      ? m.score({ source: sourceName(fetched.source), score: Math.round(fetched.score) })
      : m.coveredAlready;
  },
  explain: (error) => refusal(error).says,
  isChoice: (error) => refusal(error).isChoice,
  outlook: (error) => {
    const { isSetup, isRestart } = refusal(error);
    if (isSetup || isRestart || (error instanceof CallFailed && (error.status === 401 || error.status === 403)))
      return 'always';
    return error instanceof CallFailed && (error.status === 0 || error.reason === 'providers-failing')
      ? 'failing'
      : 'own';
  },
});

/**
 * One wish for each subtitle that an item lacks, or for those of the language that is asked about. The ones for the
 * hard of hearing come first, because they cover regular ones.
 */
export const wishesOf = (items: readonly InventoryItem[], language?: string): FetchWish[] =>
  items.flatMap((item) =>
    item.lacks
      .filter((one) => language === undefined || one.language === language)
      .sort((a, b) => Number(b.role === 'sdh') - Number(a.role === 'sdh'))
      .map((one) => ({ id: item.id, title: `${inventoryTitle(item)}, ${subtitleName(one)}`, ...one })),
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

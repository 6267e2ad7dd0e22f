/** Items of the audio player by their ids: those of a list that plays, and those of a queue that was kept. */
import { itemFacts } from '../../../contract/catalog/kinds.ts';
import type { Reply } from '../../data/query.ts';
import { call } from '../../data/client.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { queueQuery, type QueuePlace, readQueue } from '../playback/queue.ts';
import { isListenedTo, type ListenItem, listenItemOf } from './items.ts';

type CardById = Reply<'catalog', 'cards'>['items'][number];

const IDS_AT_ONCE = 100;

/** Returns the cards of at most 100 ids that this Profile may see, by id. */
async function cardsById(ids: readonly string[]): Promise<ReadonlyMap<string, CardById>> {
  const { items } = await call.catalog.cards({ ids: [...new Set(ids)].join(',') });
  return new Map(items.map((card) => [card.id, card]));
}

/** Returns the items of these ids that this Profile may see, without those that are not listened to. */
export async function listenItemsOf(ids: readonly string[]): Promise<ReadonlyMap<string, ListenItem>> {
  const found = new Map<string, ListenItem>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const cards = await cardsById(ids.slice(at, at + IDS_AT_ONCE));
    for (const [id, card] of cards) if (isListenedTo(card)) found.set(id, listenItemOf(card));
  }
  return found;
}

/**
 * Returns what is listened to from an entry of a list on, up to the first entry that is watched, and the address of
 * that entry.
 */
export async function listenedInList(place: QueuePlace): Promise<{ items: ListenItem[]; after: string | undefined }> {
  const { items: entries } = await readQueue(place);
  const items: ListenItem[] = [];
  for (let at = 0; at < entries.length; at += IDS_AT_ONCE) {
    const some = entries.slice(at, at + IDS_AT_ONCE);
    const cards = await cardsById(some.map(({ item }) => item));
    for (const { entry, item: id } of some) {
      const card = cards.get(id);
      if (!card) continue;
      if (isListenedTo(card)) items.push(listenItemOf(card));
      // Books and photos are passed over.
      else if (itemFacts(card.kind).medium === 'video') return { items, after: addressOf(place, id, entry) };
    }
  }
  return { items, after: undefined };
}

const addressOf = ({ kind, list }: QueuePlace, id: string, entry: string): string =>
  hrefOf({ page: 'player', params: { id }, query: queueQuery(kind, list, entry) });

/** Searches for words in dialogue on behalf of one Profile. */
import { z } from 'zod';
import type { Catalog, VisibleCatalog } from '../catalog/index.ts';
import type { Card } from '../contract/catalog/cards.ts';
import type { SpokenLine } from '../contract/dialogue/search.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { StoreThreadFailure } from '../lib/db/store-thread.ts';
import { Failure } from '../lib/failure.ts';
import { decodeCursor, encodeCursor } from '../lib/json/cursor.ts';
import type { DialogueIndex } from './index-threads.ts';
import type { DialogueMatch, DialogueMatches, IndexedItem, DialogueSource } from './store/types.ts';

export interface DialogueSearchQuery {
  q: string;
  source: DialogueSource;
  language?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface DialogueReply {
  items: { item: Card; lines: SpokenLine[]; more: boolean }[];
  nextCursor?: string;
  index: { state: 'ready' | 'building' | 'off'; progress: number; itemsLeft: number };
}

export type DialogueSearch = (by: Principal, query: DialogueSearchQuery, signal: AbortSignal) => Promise<DialogueReply>;

export interface DialogueSearchNeeds {
  catalog: Pick<Catalog, 'seenBy'>;
  index: Pick<DialogueIndex, 'items' | 'find'>;
  pending(): ReadonlySet<string>;
  isOn(): boolean;
  /** Opens the index, if that was not done. */
  open(): Promise<void>;
}

/**
 * The item with which the next page begins; null for the first one. By its id: numbers of items count those that the
 * Profile may not see.
 */
const Position = z.tuple([z.enum(['phrase', 'near']), z.string().max(32).nullable()]);
const NOTHING_OFF: DialogueReply = { items: [], index: { state: 'off', progress: 0, itemsLeft: 0 } };

export function createDialogueSearch({ catalog, index, pending, isOn, open }: DialogueSearchNeeds): DialogueSearch {
  const find = async (
    question: Parameters<DialogueIndex['find']>[0],
    signal: AbortSignal,
  ): Promise<DialogueMatches> => {
    try {
      return await index.find(question, signal);
    } catch (error) {
      if (!(error instanceof StoreThreadFailure)) throw error;
      throw new Failure(
        'unavailable',
        'the dialogue cannot be searched now; try again in a moment',
        { reason: 'helper-failed' },
        { cause: error },
      );
    }
  };

  return async (by, { q, source, language, limit, cursor }, signal) => {
    if (!isOn()) return NOTHING_OFF;
    await open();
    const query = [by.profile, q, source, language ?? null];
    const [stage, item] = cursor === undefined ? [] : decodeCursor(query, cursor, Position);
    const seen = catalog.seenBy(by);
    const items = visibleItems(index.items(), source, seen);
    const found = await find(
      {
        ...{ q, source, language, limit, visible: bitsOf(items.keys()) },
        ...(stage !== undefined && { after: { stage, item: index.items().get(item ?? '')?.number ?? 0 } }),
      },
      signal,
    );
    const hits = await shownHits(seen, found.items, items);
    return {
      items: hits,
      ...(found.next && { nextCursor: encodeCursor(query, [found.next.stage, items.get(found.next.item) ?? null]) }),
      index: progressOf(items.size, [...pending()].filter(seen.isSeen).length),
    };
  };
}

/** Returns the progress by items that the Profile may see: that of all items would reveal the others. */
const progressOf = (indexed: number, left: number): DialogueReply['index'] => ({
  state: left > 0 ? 'building' : 'ready',
  progress: left > 0 ? Math.floor((100 * indexed) / (indexed + left)) / 100 : 1,
  itemsLeft: left,
});

/** Returns the items that may be found, by their numbers. */
function visibleItems(
  items: ReadonlyMap<string, IndexedItem>,
  source: DialogueSource,
  seen: VisibleCatalog,
): Map<number, string> {
  const visible = new Map<number, string>();
  for (const item of items.values())
    if (item.source === source && seen.isSeen(item.id)) visible.set(item.number, item.id);
  return visible;
}

function bitsOf(numbers: Iterable<number>): Uint8Array {
  const all = [...numbers];
  const bits = new Uint8Array(all.reduce((most, number) => Math.max(most, (number >> 3) + 1), 0));
  for (const number of all) bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
  return bits;
}

async function shownHits(
  seen: VisibleCatalog,
  matches: readonly DialogueMatch[],
  items: ReadonlyMap<number, string>,
): Promise<DialogueReply['items']> {
  const ids = matches.flatMap(({ item }) => items.get(item) ?? []);
  // The policy may have changed while the index was searched: cards are made of items that may be seen now.
  const cards = new Map<string, Card>((await seen.cards(ids)).map((card) => [card.id, card]));
  return matches.flatMap(({ item, lines, hasMore }) => {
    const card = cards.get(items.get(item) ?? '');
    return card ? [{ item: card, lines: lines.map(spokenLine), more: hasMore }] : [];
  });
}

const spokenLine = ({ text, ranges, start, end, language }: DialogueMatch['lines'][number]): SpokenLine => ({
  text,
  ranges,
  ...(start !== null && { start: Math.max(0, start / 1000) }),
  ...(end !== null && { end: Math.max(0, end / 1000) }),
  ...(language !== undefined && { language }),
});

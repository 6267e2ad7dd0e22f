/**
 * Suggestions of the analysis that wait for an Owner: listed season by season, and confirmed or rejected many at a
 * time.
 *
 * A suggestion is all markers of one kind that the analysis found in an item and did not publish. Confirmed, they
 * become markers of the Owner; rejected, none of that kind comes back while the files are the same. Both can be undone.
 */
import { z } from 'zod';
import type { Catalog } from '../../catalog/index.ts';
import type { Card } from '../../contract/catalog/cards.ts';
import { MARKER_KINDS, type MarkerKind, type SuggestionDecision } from '../../contract/playback/markers.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { decodeCursor, encodeCursor } from '../../lib/json/cursor.ts';
import type { MarkerStore } from './store.ts';

export interface SuggestionKey {
  item: string;
  kind: MarkerKind;
}
export interface Suggestion {
  item: Card;
  kind: MarkerKind;
  markers: { start: number; end: number; confidence?: number }[];
}
export interface SuggestionPage {
  items: Suggestion[];
  total: number;
  nextCursor?: string;
}
type By = Pick<Principal, 'profile' | 'policy' | 'role'>;

export interface Suggestions {
  /**
   * Lists suggestions of items that the caller may see, those of a season together. Fails as `invalid` for a cursor of
   * another list.
   */
  list(by: By, page: { limit: number; cursor?: string | undefined }): Promise<SuggestionPage>;
  /**
   * Decides about all that are given, or none. Returns how many were still to be decided. Fails as `missing` when one
   * is of an item that the caller may not see.
   */
  decide(by: By, decision: SuggestionDecision, keys: readonly SuggestionKey[]): Promise<number>;
}

const LIST = 'marker-suggestions';
const Position = z.tuple([z.string(), z.string(), z.enum(MARKER_KINDS)]);

export function createSuggestions({
  catalog,
  store,
  clock,
}: {
  catalog: Pick<Catalog, 'seenBy'>;
  store: MarkerStore;
  clock: Pick<Clock, 'now'>;
}): Suggestions {
  return {
    list: async (by, { limit, cursor }) => {
      const query = [LIST, by.profile];
      const [season, item, kind] = cursor === undefined ? [] : decodeCursor(query, cursor, Position);
      const after =
        season === undefined || item === undefined || kind === undefined ? undefined : { season, item, kind };
      const [found, total] = await Promise.all([
        store.suggestions({ limit: limit + 1, after }),
        store.countSuggested(),
      ]);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const cards = new Map(
        (await catalog.seenBy(by).cards([...new Set(page.map((one) => one.item))])).map((card) => [card.id, card]),
      );
      const items = page.flatMap((one) => {
        const card = cards.get(one.item);
        return card ? [{ item: card, kind: one.kind, markers: one.markers }] : [];
      });
      return {
        items,
        total,
        ...(found.length > limit && last && { nextCursor: encodeCursor(query, [last.season, last.item, last.kind]) }),
      };
    },
    decide: async (by, decision, keys) => {
      const seen = catalog.seenBy(by);
      if (!keys.every(({ item }) => seen.isSeen(item)))
        throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
      return store.decide(decision, keys, clock.now());
    },
  };
}

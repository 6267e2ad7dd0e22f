/**
 * Pages of cards as JSON text. The part of a card that is the same for every Profile is kept as text, checked against the contract when it was
 * made; what differs between Profiles is added to it for each reply. A page of cards seen lately is put together
 * without reading the database, and without making and checking some hundred objects.
 */
import { Card, Facets, UserData } from '../../contract/catalog.ts';
import { createBoundedCache } from '../bounded.ts';
import type { ShelfPage, ShelfRow } from '../types.ts';
import { NO_DATA, type Rows, userData } from '../watching.ts';
import { cardOf, type CardNeeds, countEpisodes } from './cards.ts';
import type { Policy } from '../../contract/profiles.ts';

/** Bytes of the card texts that are kept: of some 14,000 cards. Fewer make pages slower, 3,000 twice as slow. */
const MAX_CARD_BYTES = 7 * 1024 ** 2;
/** Memory of a card in addition to its text. */
const CARD_OVERHEAD_BYTES = 200;
const NOTHING_WATCHED: Rows = new Map();

interface CardText {
  /** The JSON of a card without its last brace, availability, and what depends on the Profile. */
  json: string;
  library: string;
  isShow: boolean;
}

export interface CardPages {
  /** Returns the JSON of a library page with the cards of these ids, which the Profile may see. */
  library(page: Omit<ShelfPage, 'offset' | 'last'> & { nextCursor?: string }, looker: { policy: Policy; watched: Rows }): Promise<Uint8Array>;
}

export function createCardPages({ store, shelf, isOnline }: CardNeeds): CardPages {
  // A text with characters beyond Latin-1 takes two bytes for each.
  const kept = createBoundedCache<CardText>({ maxBytes: MAX_CARD_BYTES, bytesOf: ({ json }) => json.length * (/[^\0-\xff]/.test(json) ? 2 : 1) + CARD_OVERHEAD_BYTES });
  const facetTexts = new WeakMap<ShelfPage['facets'], string>();
  let version = shelf.version();

  const make = (row: ShelfRow, more: Parameters<typeof cardOf>[1], policy: Policy): CardText => {
    const card = cardOf(row, more, { shelf, policy, watched: NOTHING_WATCHED, isOnline: true });
    const { userData: _u, available: _a, episodes: _e, unwatched: _w, ...common } = Card.parse(card);
    return { json: JSON.stringify(common).slice(0, -1), library: row.library, isShow: row.kind === 'show' };
  };
  /** Returns the text of each card; ids that are not on the shelf any more are left out. */
  const textsOf = async (ids: readonly string[], policy: Policy): Promise<[string, CardText][]> => {
    if (version !== shelf.version()) {
      kept.clear();
      version = shelf.version();
    }
    const now = version;
    const found = new Map<string, CardText>();
    for (const id of ids) {
      const text = kept.get(id);
      if (text) found.set(id, text);
    }
    const missing = ids.filter((id) => !found.has(id));
    const more = await store.cards(missing);
    for (const id of missing) {
      const row = shelf.row(id);
      if (!row) continue;
      const text = make(row, more.get(id), policy);
      found.set(id, text);
      // While the database was read the shelf may have changed.
      if (now !== version || now !== shelf.version()) continue;
      kept.set(id, text);
    }
    return ids.flatMap((id): [string, CardText][] => {
      const text = found.get(id);
      return text ? [[id, text]] : [];
    });
  };
  const facetText = (facets: ShelfPage['facets']): string => {
    const had = facetTexts.get(facets);
    if (had !== undefined) return had;
    const text = JSON.stringify(Facets.parse(facets));
    facetTexts.set(facets, text);
    return text;
  };

  return {
    library: async ({ ids, total, facets, letters, nextCursor }, { policy, watched }) => {
      const cards = (await textsOf(ids, policy)).map(([id, { json, library, isShow }]) => {
        const counts = isShow ? countEpisodes(shelf.episodesOf(id, policy), watched) : undefined;
        const counted = counts ? `,"episodes":${counts.episodes},"unwatched":${counts.unwatched}` : '';
        return `${json}${counted},"available":${isOnline(library)},"userData":${userDataText(watched, id)}}`;
      });
      const next = nextCursor === undefined ? '' : `"nextCursor":${JSON.stringify(nextCursor)},`;
      return Buffer.from(`{"items":[${cards.join()}],"total":${total},${next}"facets":${facetText(facets)},"letters":${JSON.stringify(letters)}}`);
    },
  };
}

const NO_DATA_TEXT = JSON.stringify(NO_DATA);
function userDataText(watched: Rows, id: string): string {
  const row = watched.get(id);
  return row ? JSON.stringify(UserData.parse(userData(row))) : NO_DATA_TEXT;
}

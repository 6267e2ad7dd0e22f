/**
 * Pages of cards as JSON. The part of a card that is the same for every Profile is kept as bytes, checked against the
 * contract when it was made; what differs between Profiles is added to it for each reply. A page of cards seen lately
 * is put together without reading the database, and without making and checking some hundred objects.
 */
import { Card, Facets, UserData } from '../../contract/catalog/cards.ts';
import type { ShelfPage, ShelfRow } from '../types.ts';
import { NO_DATA, type Rows, userData } from '../watching.ts';
import { createCardBytes, type KeptCard } from './card-bytes.ts';
import { cardOf, type CardNeeds, countEpisodes } from './cards.ts';
import type { Policy } from '../../contract/identity/profiles.ts';

/** Size of about 18,000 cards. Pages are slower with fewer cards, and twice as slow with 3,000. */
const MAX_CARD_BYTES = 7 * 1024 ** 2;
const NOTHING_WATCHED: Rows = new Map();

type PageOfIds = Omit<ShelfPage, 'offset' | 'last'> & { nextCursor?: string };

export interface CardPages {
  /** Returns the JSON of a library page with the cards of these ids, which the Profile may see. */
  library(page: PageOfIds, looker: { policy: Policy; watched: Rows }): Promise<string>;
}

export function createCardPages({ store, shelf, isOnline }: CardNeeds, maxBytes = MAX_CARD_BYTES): CardPages {
  const kept = createCardBytes(maxBytes);
  const facetTexts = new WeakMap<ShelfPage['facets'], string>();
  let version = shelf.version();

  /** Makes the JSON of a card without its last brace, availability, and what depends on the Profile. */
  const make = (row: ShelfRow, more: Parameters<typeof cardOf>[1], policy: Policy): KeptCard => {
    const card = cardOf(row, more, { shelf, policy, watched: NOTHING_WATCHED, isOnline: true });
    const { userData: _u, available: _a, episodes: _e, unwatched: _w, ...common } = Card.parse(card);
    return { json: JSON.stringify(common).slice(0, -1), library: row.library, isShow: row.kind === 'show' };
  };
  /** Whether the cards of a page are found by its slots. After a change of the shelf a slot may have another row. */
  const isCurrent = (page: PageOfIds): boolean => {
    if (version !== shelf.version()) {
      kept.clear();
      version = shelf.version();
    }
    return page.version === version;
  };
  /** Makes the cards of a page that are not kept. Afterwards each card is kept or among those returned, but those not on the shelf. */
  const makeMissing = async (page: PageOfIds, policy: Policy): Promise<Map<string, KeptCard | undefined>> => {
    const made = new Map<string, KeptCard | undefined>();
    for (;;) {
      // While the database was read, the shelf may have changed, and other replies may have overwritten cards that were kept.
      const areKept = isCurrent(page);
      const missing = Array.from(page.ids.keys()).filter(
        (i) => !made.has(page.ids[i] as string) && !(areKept && kept.has(page.slots[i] as number)),
      );
      if (missing.length === 0) return made;
      const more = await store.cards(missing.map((i) => page.ids[i] as string));
      // What was read during a change is sent once and not kept.
      const isUnchanged = areKept && isCurrent(page);
      for (const i of missing) {
        const id = page.ids[i] as string;
        const row = shelf.row(id);
        const card = row && make(row, more.get(id), policy);
        made.set(id, card);
        if (card && isUnchanged) kept.put(page.slots[i] as number, card);
      }
    }
  };
  const facetText = (facets: ShelfPage['facets']): string => {
    const had = facetTexts.get(facets);
    if (had !== undefined) return had;
    const text = JSON.stringify(Facets.parse(facets));
    facetTexts.set(facets, text);
    return text;
  };

  return {
    library: async (page, { policy, watched }) => {
      const made = await makeMissing(page, policy);
      const cards: string[] = [];
      for (const [i, id] of page.ids.entries()) {
        const card = made.has(id) ? made.get(id) : kept.get(page.slots[i] as number);
        if (!card) continue;
        const counts = card.isShow ? countEpisodes(shelf.episodesOf(id, policy), watched) : undefined;
        const counted = counts ? `,"episodes":${counts.episodes},"unwatched":${counts.unwatched}` : '';
        cards.push(
          `${card.json}${counted},"available":${isOnline(card.library)},"userData":${userDataText(watched, id)}}`,
        );
      }
      const { total, facets, letters, nextCursor } = page;
      const next = nextCursor === undefined ? '' : `"nextCursor":${JSON.stringify(nextCursor)},`;
      return `{"items":[${cards.join()}],"total":${total},${next}"facets":${facetText(facets)},"letters":${JSON.stringify(letters)}}`;
    },
  };
}

const NO_DATA_TEXT = JSON.stringify(NO_DATA);
function userDataText(watched: Rows, id: string): string {
  const row = watched.get(id);
  return row ? JSON.stringify(UserData.parse(userData(row))) : NO_DATA_TEXT;
}

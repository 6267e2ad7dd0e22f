/**
 * Pages of cards as JSON. The part of a card that is the same for every Profile is cached as bytes, and was checked
 * against the contract when it was made; what differs between Profiles is added for each reply. A page of cards that
 * were shown recently needs neither the database nor some hundred objects.
 */
import { Card, Facets, UserData } from '../../../contract/catalog/cards.ts';
import { type ItemKind, kindsWith } from '../../../contract/catalog/kinds.ts';
import type { CardRecord } from '../../store/reading.ts';
import type { CardNeeds, Viewer } from '../kind.ts';
import type { IndexPage, IndexRow } from '../library-index/types.ts';
import { NO_USER_DATA, NOTHING_WATCHED, userData, type WatchRows } from '../watch-rows.ts';
import { createCardBytes, type KeptCard } from './card-bytes.ts';
import { cardOf, personalOf } from './cards.ts';

/** Size of about 18,000 cards. Pages are slower with fewer cards, and twice as slow with 3,000. */
const MAX_CARD_BYTES = 7 * 1024 ** 2;
/** Kinds whose cards have counts that depend on the Profile. Cached cards hold the position in this list, plus one. */
const GROUPS: readonly ItemKind[] = kindsWith({ role: 'group' });

type PageOfIds = Omit<IndexPage, 'offset' | 'last'> & { nextCursor?: string };

export interface CardPages {
  /** Returns the JSON of a library page with the cards of these ids, which the Profile may see. */
  library(page: PageOfIds, viewer: Pick<Viewer, 'policy' | 'watched'>): Promise<string>;
}

export function createCardPages(needs: CardNeeds, maxBytes = MAX_CARD_BYTES): CardPages {
  const { store, index, kinds, isOnline } = needs;
  const cache = createCardBytes(maxBytes);
  const facetTexts = new WeakMap<IndexPage['facets'], string>();
  let version = index.version();

  /** Makes the JSON of a card without its last brace, and without availability and what depends on the Profile. */
  const make = (row: IndexRow, more: CardRecord | undefined, policy: Viewer['policy']): KeptCard => {
    const viewer = { policy, watched: NOTHING_WATCHED, isOwner: false };
    const card = Card.parse(cardOf({ ...needs, isOnline: () => true }, row, { more, viewer }));
    const { userData: _u, available: _a, playNext: _n, cover: _c, ...common } = card;
    const personal =
      kinds.group(row.kind)?.counts([], NOTHING_WATCHED, { group: undefined, rowOf: () => undefined }) ?? {};
    const shared = Object.fromEntries(Object.entries(common).filter(([name]) => !Object.hasOwn(personal, name)));
    return {
      json: JSON.stringify(shared).slice(0, -1),
      library: row.library,
      group: GROUPS.indexOf(row.kind) + 1,
    };
  };
  /**
   * Returns whether the cards of a page can be found by its slots. After a change of the index a slot may hold another
   * row.
   */
  const isCurrent = (page: PageOfIds): boolean => {
    if (version !== index.version()) {
      cache.clear();
      version = index.version();
    }
    return page.version === version;
  };
  /**
   * Makes the cards of a page that are not cached. Afterwards each card is cached or returned, except those not in the
   * index.
   */
  const makeMissing = async (page: PageOfIds, policy: Viewer['policy']): Promise<Map<string, KeptCard | undefined>> => {
    const made = new Map<string, KeptCard | undefined>();
    for (;;) {
      // While the database was read, the index may have changed, and other replies may have overwritten cached cards.
      const isCached = isCurrent(page);
      const missing = Array.from(page.ids.keys()).filter(
        (i) => !made.has(page.ids[i] as string) && !(isCached && cache.has(page.slots[i] as number)),
      );
      if (missing.length === 0) return made;
      const more = await store.cards(missing.map((i) => page.ids[i] as string));
      // Cards that were read during a change are sent once and not cached.
      const isUnchanged = isCached && isCurrent(page);
      for (const i of missing) {
        const id = page.ids[i] as string;
        const row = index.row(id);
        const card = row && make(row, more.get(id), policy);
        made.set(id, card);
        if (card && isUnchanged) cache.put(page.slots[i] as number, card);
      }
    }
  };
  const facetText = (facets: IndexPage['facets']): string => {
    const known = facetTexts.get(facets);
    if (known !== undefined) return known;
    const text = JSON.stringify(Facets.parse(facets));
    facetTexts.set(facets, text);
    return text;
  };
  const personalText = (group: number, id: string, viewer: Pick<Viewer, 'policy' | 'watched'>): string => {
    const kind = GROUPS[group - 1];
    const members = kind ? JSON.stringify(personalOf(needs, { id, kind }, viewer)).slice(1, -1) : '';
    return members && `,${members}`;
  };

  return {
    library: async (page, viewer) => {
      const made = await makeMissing(page, viewer.policy);
      const cards: string[] = [];
      for (const [i, id] of page.ids.entries()) {
        const card = made.has(id) ? made.get(id) : cache.get(page.slots[i] as number);
        if (!card) continue;
        const personal = personalText(card.group, id, viewer);
        const data = userDataText(viewer.watched, id);
        cards.push(`${card.json}${personal},"available":${isOnline(card.library)},"userData":${data}}`);
      }
      const { total, facets, letters, nextCursor } = page;
      const next = nextCursor === undefined ? '' : `"nextCursor":${JSON.stringify(nextCursor)},`;
      return (
        `{"items":[${cards.join()}],"total":${total},${next}"facets":${facetText(facets)},"letters":` +
        `${JSON.stringify(letters)}}`
      );
    },
  };
}

const NO_USER_DATA_TEXT = JSON.stringify(NO_USER_DATA);
function userDataText(watched: WatchRows, id: string): string {
  const row = watched.get(id);
  return row ? JSON.stringify(UserData.parse(userData(row))) : NO_USER_DATA_TEXT;
}

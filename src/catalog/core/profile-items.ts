/** Counts of the items that a Profile would see with other limits, and items that are allowed or hidden for it. */
import type { Card } from '../../contract/catalog/cards.ts';
import { NEW_VIEWER, type Policy, type Profile } from '../../contract/identity/profiles.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { type RowPage, type RowPaging, rowsOfPage } from '../../lib/json/page.ts';
import { Failure } from '../../lib/failure.ts';
import type { VisibleCatalog } from '../types.ts';
import type { ItemRatings } from './item-ratings.ts';
import type { ShownCounts } from './library-index/types.ts';

type Access = 'allowed' | 'hidden' | 'default';

export interface ProfileItemNeeds {
  catalog: { seenBy(by: Principal): VisibleCatalog };
  ratings: Pick<ItemRatings, 'preview'>;
  /** Operations of identity that read and change Profiles. */
  identity: {
    read(id: string): Profile;
    ruleItem(given: { id: string; item: string; access: Access }, by: Principal): Promise<Profile>;
  };
}

/** Limits as a query has them. Those that are left out are those of the Profile. */
interface AskedLimits {
  profile?: string | undefined;
  libraries?: string | undefined;
  rating?: string | undefined;
  unrated?: 'true' | 'false' | undefined;
}

export interface ProfileItems {
  /** Counts what a Profile would see with these limits. */
  preview(asked: AskedLimits): ShownCounts;
  /** Returns the items that were allowed or hidden for a Profile, the last decision first. */
  list(
    profile: string,
    by: Principal,
    paging: RowPaging,
  ): Promise<RowPage<{ id: string; access: 'allowed' | 'hidden'; card?: Card }>>;
  /** Allows or hides an item for a Profile, or removes that decision. */
  decide(given: { id: string; item: string; access: Access }, by: Principal): Promise<Profile>;
  /** Throws unless the caller may see the item, and it is not an extra of another item. */
  requireSeen(by: Principal, id: string): void;
}

export function createProfileItems({ catalog, ratings, identity }: ProfileItemNeeds): ProfileItems {
  const requireSeen = (by: Principal, id: string): void => {
    const seen = catalog.seenBy(by);
    // An extra is seen with what it belongs to, and has no separate rating.
    if (!seen.isSeen(id) || seen.extras.isExtra(id))
      throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
  };
  return {
    requireSeen,
    preview: ({ profile, libraries, rating, unrated }) => {
      const base = profile === undefined ? NEW_VIEWER : identity.read(profile).policy;
      return ratings.preview({
        ...base,
        ...(libraries !== undefined && { libraries: librariesOf(libraries) }),
        ...(rating !== undefined && { rating: rating === 'all' ? 'all' : Number(rating) }),
        ...(unrated !== undefined && { unrated: unrated === 'true' }),
      });
    },
    list: async (profile, by, paging) => {
      const { allowed, hidden } = identity.read(profile).policy.items;
      const decisions = [
        ...allowed.map((id, at) => ({ id, access: 'allowed' as const, key: [0, -at, id] })),
        ...hidden.map((id, at) => ({ id, access: 'hidden' as const, key: [1, -at, id] })),
      ];
      const page = rowsOfPage(decisions, { query: ['ruled items', profile], keyOf: ({ key }) => key, ...paging });
      const cards = await catalog.seenBy(by).cards(page.rows.map(({ id }) => id));
      const byId = new Map(cards.map((card) => [card.id, card]));
      const items = page.rows.map(({ id, access }) => {
        const card = byId.get(id);
        return { id, access, ...(card && { card }) };
      });
      return { items, total: decisions.length, ...page.after(items.length) };
    },
    decide: (given, by) => {
      // An item that is no longer in the library can still be taken off the list.
      if (given.access !== 'default') requireSeen(by, given.item);
      return identity.ruleItem(given, by);
    },
  };
}

const librariesOf = (text: string): Policy['libraries'] =>
  text === 'all' ? 'all' : text === 'none' ? [] : text.split(',');

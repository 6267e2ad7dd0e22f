/**
 * Items that collections are made of, as one Profile may see them: films, and whatever else has a page and belongs to
 * no group. The sets that sources name are read from the library index, so a hidden film is in no set.
 */
import type { ItemKind } from '../../contract/catalog/kinds.ts';
import { isCollectable } from '../../contract/catalog/kinds.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import { type IndexedFilmSet, parseFilmSet } from '../store/records.ts';
import type { LoadableIndex } from './library-index/index.ts';

/** Facts by which the items of a collection are sorted. */
export interface CollectableItem {
  kind: ItemKind;
  /** Days since the epoch; null for items without a date. */
  released: number | null;
  year: number | null;
  sortTitle: string;
}

export interface CollectableItems {
  /** Returns the items that a source places in a set. */
  inSets(): { item: string; set: IndexedFilmSet }[];
  /** Returns an item that may be in a collection; undefined for others, and for those that may not be seen. */
  find(id: string): CollectableItem | undefined;
}

export function createCollectable(
  index: Pick<LoadableIndex, 'inFilmSets' | 'row' | 'isVisible'>,
  policy: Policy,
): CollectableItems {
  return {
    inSets: () => {
      const parsed = new Map<string, IndexedFilmSet>();
      return index.inFilmSets(policy).map(({ id, filmSet }) => {
        const set = parsed.get(filmSet) ?? parseFilmSet(filmSet);
        parsed.set(filmSet, set);
        return { item: id, set };
      });
    },
    find: (id) => {
      const row = index.isVisible(id, policy) ? index.row(id) : undefined;
      if (!row || !isCollectable(row.kind, row.parent !== null)) return undefined;
      const { kind, released, year, sortTitle } = row;
      return { kind, released, year, sortTitle };
    },
  };
}

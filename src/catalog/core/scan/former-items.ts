/** Items that files belonged to before they moved, if those items have no file left where it was. */
import type { ItemRecord } from '../../store/records.ts';
import type { WantedItem } from './placement.ts';
import type { ScanScope } from './scope.ts';

export interface FormerItems {
  /**
   * Returns the group of an item that moved, if no other file of the group is left where it was: its folder was
   * renamed.
   */
  desertedGroup(item: string, signal: AbortSignal): Promise<ItemRecord | undefined>;
  /** Returns the items, by id, that these files moved from. Items that still have a file elsewhere are left out. */
  movedItems(
    wanted: readonly WantedItem[],
    batch: { all: readonly WantedItem[]; signal: AbortSignal },
  ): Promise<Map<string, ItemRecord>>;
}

export function createFormerItems({ store, claimed, lost, onDisk }: ScanScope): FormerItems {
  return {
    desertedGroup: async (item, signal) => {
      const [from] = await store.itemsById([item]);
      const [group] = from?.show == null ? [] : await store.itemsById([from.show]);
      if (!group) return undefined;
      const files = (await store.filesOfGroup(group.id)).filter(
        ({ id, missing }) => missing === null && !claimed.has(id),
      );
      return (await onDisk(files, signal)).size > 0 ? undefined : group;
    },
    movedItems: async (wanted, { all, signal }) => {
      const ids = wanted.flatMap(({ movedFrom }) => (movedFrom === undefined ? [] : [movedFrom]));
      const items = new Map((await store.itemsById(ids)).map((item) => [item.id, item]));
      if (items.size === 0) return items;
      const own = new Set(all.flatMap(({ rows }) => rows.map(({ id }) => id)));
      const others = (await store.filesOfItems([...items.keys()])).filter(
        ({ missing, id }) => missing === null && !own.has(id) && !claimed.has(id) && !lost.has(id),
      );
      const there = await onDisk(others, signal);
      for (const { id, item } of others) if (there.has(id) && item !== null) items.delete(item);
      return items;
    },
  };
}

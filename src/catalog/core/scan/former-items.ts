/**
 * Items that files belonged to before they moved, or before a rule placed them elsewhere, if those items have no file
 * left. They keep their ids, and with them progress and history.
 */
import type { KnownItem } from '../../store/layers/index.ts';
import type { FileRecord, ItemRecord } from '../../store/records.ts';
import { guessStoredFile } from './group.ts';
import type { KindPlacement, PlacedFile, WantedItem } from './placement.ts';
import type { ScanScope } from './scope.ts';
import type { Views } from './views.ts';

export interface FormerItems {
  /**
   * Returns the group of an item that moved, if no other file is placed in the group any more: its folder was renamed,
   * or a rule names it differently.
   */
  desertedGroup(item: string, signal: AbortSignal): Promise<KnownItem | undefined>;
  /** Returns the items, by id, that these files moved from. Items that still have a file elsewhere are left out. */
  movedItems(
    wanted: readonly WantedItem[],
    batch: { all: readonly WantedItem[]; signal: AbortSignal },
  ): Promise<Map<string, ItemRecord>>;
}

export interface FormerItemsNeeds {
  scope: ScanScope;
  views: Views;
  /** Returns the key of the item that a stored file makes now. */
  keyOf(row: FileRecord, signal: AbortSignal): Promise<string | undefined>;
}

/** Tagging does not change the sound; encoders disagree about its length by less than this. */
const MAX_RETAG_DIFFERENCE_S = 2;

/** Returns the key of the group that a file would be placed in by its header. */
async function groupKeyOf(placement: KindPlacement, file: PlacedFile, views: Views): Promise<string | undefined> {
  let found: string | undefined;
  const { row, guess, view } = file;
  const item = { key: placement.itemKey(guess, row.name), files: [file], view, isAlone: false, movedFrom: undefined };
  await placement.draft(
    { ...item, home: placement.home(guess, row.folder) },
    {
      views,
      group: (wanted) => {
        found = wanted.key;
        return Promise.resolve({ id: '', draft: wanted.draft() });
      },
      section: () => Promise.resolve(''),
    },
  );
  return found;
}

export function createFormerItems({ scope, views, keyOf }: FormerItemsNeeds): FormerItems {
  const { store, claimed, lost, onDisk, kinds, library, rewritten } = scope;

  /** Whether a stored file would be placed in this group again. */
  const staysInGroup = async (row: FileRecord, group: string): Promise<boolean> => {
    if (row.library !== library.id) return true;
    const { guess, view } = await guessStoredFile(scope, views, row);
    const placement = kinds.placementOf(guess);
    if (placement?.isGroupedByTags !== true) return placement?.groupKey(guess) === group;
    if (!rewritten.has(row.id)) return true;
    const info = rewritten.info(row.id);
    const file = { row, guess, view, isAlone: false, info };
    return info !== undefined && (await groupKeyOf(placement, file, views)) === group;
  };
  /** Whether an item whose file changed is the same work under other tags: it lasts as long as before. */
  const isSameWork = (item: ItemRecord, files: readonly FileRecord[]): boolean => {
    const file = files.find((row) => row.item === item.id);
    const now = file && rewritten.info(file.id)?.duration;
    const window = file?.window;
    if (now === undefined || item.duration === null || window) return true;
    return Math.abs(now - item.duration) <= MAX_RETAG_DIFFERENCE_S;
  };
  /** The items that one of these files would be placed as again. */
  const keptItems = async (
    rows: readonly FileRecord[],
    items: ReadonlyMap<string, ItemRecord>,
    signal: AbortSignal,
  ): Promise<Set<string>> => {
    const kept = new Set<string>();
    for (const row of rows) {
      const item = row.item === null || kept.has(row.item) ? undefined : items.get(row.item);
      if (item && (row.library !== library.id || (await keyOf(row, signal)) === item.key)) kept.add(item.id);
    }
    return kept;
  };

  return {
    desertedGroup: async (item, signal) => {
      const [from] = await store.itemsById([item]);
      const [group] = from?.show == null ? [] : await store.itemsById([from.show]);
      if (!group) return undefined;
      const files = (await store.filesOfGroup(group.id)).filter(
        ({ id, missing }) => missing === null && !claimed.has(id),
      );
      if (!from || !isSameWork(from, files)) return undefined;
      const there = await onDisk(files, signal);
      for (const row of files) if (there.has(row.id) && (await staysInGroup(row, group.key))) return undefined;
      return group;
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
      const present = others.filter(({ id }) => there.has(id));
      for (const id of await keptItems(present, items, signal)) items.delete(id);
      return items;
    },
  };
}

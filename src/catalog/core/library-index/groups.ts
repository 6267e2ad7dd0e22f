/** The items of each group: slots, which are sorted when their order is needed, and ids, which are cached. */
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import type { IndexRows } from './rows.ts';
import type { RowRole } from './roles.ts';

/** Ids that are cached, of all groups together: about 2 MiB, and the episodes of 800 shows. */
const MAX_CACHED_IDS = 40_000;

/** The columns by which a group can sort its items. */
export type ItemColumns = Pick<IndexRows, 'sections' | 'numbers' | 'airs' | 'released' | 'sortTitles'>;
/** Returns a comparison of the slots of two items of one group. */
export type ItemOrder = (columns: ItemColumns) => (a: number, b: number) => number;

export interface Groups {
  /** Call it after a row was put, and `unlink` before it is replaced or dropped. */
  link(slot: number, id: string): void;
  unlink(slot: number, id: string): void;
  /** Links every row of an index in which none was linked before. */
  linkAll(): void;
  /** Returns the slots of a group's items, in no order. */
  of(group: string): readonly number[];
  /** Returns the slot of an item's group; -1 if it has none in the index. */
  groupOf(slot: number): number;
  /** Returns the slots of a group's items and their ids, in the order of the group. */
  ordered(group: string): { slots: readonly number[]; ids: readonly string[] };
}

const NONE: readonly number[] = [];

export function createItemGroups(
  rows: IndexRows,
  roleOf: (slot: number) => RowRole | undefined,
  /** Returns how a group sorts its items, by the kind of these items. */
  orderOf: (item: ItemKind) => ItemOrder,
): Groups {
  /** Slots of items by the number of their group's id in `rows.parents`. */
  const items: (number[] | undefined)[] = [];
  /** Ids of items by the same number. The slots of a group whose ids are here are sorted. */
  const kept = new Map<number, readonly string[]>();
  let keptIds = 0;
  /** The slot of each group by the same number, plus one; 0 if it is not known. */
  const groupSlots: number[] = [];

  const drop = (number: number) => {
    keptIds -= kept.get(number)?.length ?? 0;
    kept.delete(number);
  };
  const keep = (number: number, ids: readonly string[]) => {
    kept.set(number, ids);
    keptIds += ids.length;
    for (const oldest of kept.keys()) {
      if (keptIds <= MAX_CACHED_IDS) return;
      drop(oldest);
    }
  };
  const groupNumber = (slot: number): number => (roleOf(slot) === 'item' ? rows.parents.number(slot) : 0);
  /** Call it when a row comes or goes that may be a group. */
  const forgetSlot = (id: string) => {
    const number = rows.parents.find(id);
    if (number !== undefined) groupSlots[number] = 0;
  };
  const find = (number: number): number => {
    const known = groupSlots[number] ?? 0;
    if (known > 0) return known - 1;
    const found = rows.ids.find(rows.parents.values[number] ?? '');
    // A missing group is looked up each time, because it may be added.
    groupSlots[number] = found + 1;
    return found;
  };
  return {
    link: (slot, id) => {
      forgetSlot(id);
      const number = groupNumber(slot);
      if (number === 0) return;
      (items[number] ??= []).push(slot);
      drop(number);
    },
    linkAll: () => {
      for (let slot = 0; slot < rows.ids.end(); slot++) {
        const number = groupNumber(slot);
        if (number !== 0) (items[number] ??= []).push(slot);
      }
    },
    unlink: (slot, id) => {
      forgetSlot(id);
      const number = groupNumber(slot);
      const at = number === 0 ? -1 : (items[number]?.indexOf(slot) ?? -1);
      if (at >= 0) items[number]?.splice(at, 1);
      drop(number);
    },
    of: (group) => items[rows.parents.find(group) ?? 0] ?? NONE,
    groupOf: (slot) => {
      const number = rows.parents.number(slot);
      return number === 0 ? -1 : find(number);
    },
    ordered: (group) => {
      const number = rows.parents.find(group) ?? 0;
      const slots = items[number];
      const [first] = slots ?? [];
      if (!slots || first === undefined) return { slots: NONE, ids: [] };
      const cached = kept.get(number);
      if (cached) return { slots, ids: cached };
      const kind = rows.kinds.get(first);
      if (kind !== null) slots.sort(orderOf(kind)(rows));
      const ids = slots.map(rows.ids.get);
      keep(number, ids);
      return { slots, ids };
    },
  };
}

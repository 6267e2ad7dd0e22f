/** The items of each group: their slots, and their order, which is computed when needed and cached. */
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import type { IndexRows } from './rows.ts';
import type { RowRole } from './roles.ts';

/** Maximum number of cached orders: more groups than a page lists. */
const MAX_CACHED_ORDERS = 400;

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
  ordered(group: string): OrderedItems;
}
interface OrderedItems {
  slots: readonly number[];
  ids: readonly string[];
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
  const orders = new Map<number, OrderedItems>();
  /** The slot of each group by the same number, plus one; 0 if it is not known. */
  const groupSlots: number[] = [];

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
      orders.delete(number);
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
      orders.delete(number);
    },
    of: (group) => items[rows.parents.find(group) ?? 0] ?? NONE,
    groupOf: (slot) => {
      const number = rows.parents.number(slot);
      return number === 0 ? -1 : find(number);
    },
    ordered: (group) => {
      const number = rows.parents.find(group) ?? 0;
      const cached = orders.get(number);
      if (cached) return cached;
      const own = items[number] ?? NONE;
      const kind = own[0] === undefined ? null : rows.kinds.get(own[0]);
      const slots = kind === null ? own : own.toSorted(orderOf(kind)(rows));
      const made = { slots, ids: slots.map(rows.ids.get) };
      orders.set(number, made);
      if (orders.size > MAX_CACHED_ORDERS) orders.delete(orders.keys().next().value ?? 0);
      return made;
    },
  };
}

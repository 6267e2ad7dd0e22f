/** Arithmetic of selecting items in a list: which ids are selected after a click, a range, or all. Pure. */

/** Maximum number of selected items: as many as the server changes at once. */
export const MAX_SELECTED = 500;

export interface ItemSelection {
  /** The list that the items are selected in. Only one list has a selection. */
  list: string;
  /** In the order in which they were selected. */
  ids: ReadonlySet<string>;
  /** The item from which a range is selected: the one that was chosen last. */
  anchor: string | undefined;
}
type Now = ItemSelection | undefined;

const idsIn = (now: Now, list: string): ReadonlySet<string> => (now?.list === list ? now.ids : new Set());

/** Selects an item, or deselects it. Without an item the selection ends. */
export function withToggled(now: Now, list: string, id: string): Now {
  const ids = new Set(idsIn(now, list));
  if (!ids.delete(id)) {
    if (ids.size >= MAX_SELECTED) return now;
    ids.add(id);
  }
  return ids.size === 0 ? undefined : { list, ids, anchor: id };
}

/** Adds items in their order, as far as there is room. The anchor stays where it is. */
export function withRange(now: Now, list: string, more: readonly string[]): Now {
  const ids = new Set(idsIn(now, list));
  for (const id of more) {
    if (ids.size >= MAX_SELECTED) break;
    ids.add(id);
  }
  if (ids.size === 0) return undefined;
  return { list, ids, anchor: now?.list === list ? now.anchor : more[0] };
}

/** Returns the positions from an anchor to another item, the anchor first, as many as can be selected. */
export function positionsBetween(anchor: number, to: number): number[] {
  const step = to < anchor ? -1 : 1;
  return Array.from({ length: Math.min(Math.abs(to - anchor) + 1, MAX_SELECTED) }, (_, i) => anchor + i * step);
}

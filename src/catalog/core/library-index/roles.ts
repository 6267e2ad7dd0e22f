/** The role of a row: item, group or section. */
import { ITEM_KINDS } from '../../../contract/catalog/kinds.ts';
import type { IndexRows } from './rows.ts';

export type RowRole = (typeof ITEM_KINDS)[keyof typeof ITEM_KINDS]['role'];

/**
 * Returns a function that returns the role of a slot's row; undefined for an empty slot. The role of each
 * kind is looked up once.
 */
export function createRoles({ kinds }: Pick<IndexRows, 'kinds'>): (slot: number) => RowRole | undefined {
  const roles: (RowRole | undefined)[] = [];
  return (slot) => {
    const number = kinds.number(slot);
    const known = roles[number];
    if (known !== undefined || number === 0) return known;
    const kind = kinds.get(slot);
    return kind === null ? undefined : (roles[number] = ITEM_KINDS[kind].role);
  };
}

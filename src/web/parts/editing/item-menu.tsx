/**
 * The menu of an item's page: lists it can be added to, and for Owners its metadata, its pictures and who may see it.
 */
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import type { Card } from '../../../contract/catalog/cards.ts';
import { itemFacts } from '../../../contract/catalog/kinds.ts';
import type { Certification } from '../../../contract/catalog/cards.ts';
import { useIsOwner } from '../../data/session.ts';
import { Menu, type MenuItem } from '../../kit/layers/menu.tsx';
import { catalogWords as m } from '../../messages/catalog.ts';
import { listItemsOf } from '../catalog/add-to-list.tsx';
import { useRatingMenu } from '../catalog/rating-menu.tsx';
import { useEditMenu } from './edit-menu.tsx';

export interface ItemMenuProps {
  item: Pick<Card, 'id' | 'title' | 'kind' | 'series'> & {
    ids?: Readonly<Record<string, string>>;
    certification?: Certification | undefined;
  };
  /** Name of its button; where a page has several, each says what it is of. */
  label?: string;
  /** Entries of this page alone, before those that all pages have. */
  first?: readonly MenuItem[];
  /** Entries of this page alone, after those of the lists. */
  items?: readonly MenuItem[];
}
export const ItemMenu = ({ item, label = m.more, first = [], items = [] }: ItemMenuProps) => {
  const isOwner = useIsOwner();
  const editing = useEditMenu(item);
  const rating = useRatingMenu(item);
  const isExtra = itemFacts(item.kind).role === 'extra';
  const all = [
    ...first,
    ...listItemsOf(item, isOwner),
    ...items,
    ...(isExtra ? [] : [...editing.items, ...rating.items]),
  ];
  return (
    <>
      {all.length > 0 && <Menu label={label} icon={more} isRound items={all} />}
      {editing.dialog}
      {rating.dialog}
    </>
  );
};

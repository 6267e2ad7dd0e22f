/**
 * The menu of a card. One menu for all cards, shown next to the card whose menu was opened: by its button, by
 * the menu key or "m", or by a long press.
 */
import { createLateLayer } from '../../kit/layers/late.ts';
import { useStore } from '../../lib/store.ts';
import { openMenu } from './open-menu.ts';

const useItems = createLateLayer(() => import('./card-menu-items.tsx').then((file) => file.CardMenuItems));

/** Rendered once, in the frame. */
export const CardMenu = () => {
  const open = useStore(openMenu);
  const CardMenuItems = useItems(open !== undefined, () => openMenu.set(undefined));
  return open && CardMenuItems ? <CardMenuItems key={open.card.id} {...open} /> : null;
};

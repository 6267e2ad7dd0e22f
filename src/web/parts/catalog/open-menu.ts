/**
 * The card whose menu is open, and the element that the menu is placed next to. `select` selects the card, if its list
 * has a selection.
 */
import type { Card } from '../../../contract/catalog/cards.ts';
import { createStore } from '../../lib/store.ts';

export interface OpenMenu {
  card: Card;
  anchor: HTMLElement;
  select?: () => void;
}
export const openMenu = createStore<OpenMenu | undefined>(undefined);

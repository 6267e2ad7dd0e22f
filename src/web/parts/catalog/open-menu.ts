/** The card whose menu is open, and the element that the menu is placed next to. */
import type { Card } from '../../../contract/catalog/cards.ts';
import { createStore } from '../../lib/store.ts';

export const openMenu = createStore<{ card: Card; anchor: HTMLElement } | undefined>(undefined);

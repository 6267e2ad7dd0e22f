/** Which card's menu is open, and beside what. */
import type { Card } from '../../../contract/catalog/cards.ts';
import { createStore } from '../../lib/store.ts';

export const askedMenu = createStore<{ card: Card; anchor: HTMLElement } | undefined>(undefined);

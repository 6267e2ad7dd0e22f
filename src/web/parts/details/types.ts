/** The reply that describes an item. */
import type { Reply } from '../../data/query.ts';

export type DetailedItem = Reply<'catalog', 'item'>;

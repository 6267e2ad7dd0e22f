/** The reply that describes a show. */
import type { Reply } from '../../data/query.ts';

export type Show = Reply<'catalog', 'show'>;

/** The reply that describes a show. */
import type { Reply } from '../../data/query.ts';

export type DetailedShow = Reply<'catalog', 'show'>;

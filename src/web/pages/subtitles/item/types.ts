/** The reply that describes the subtitles of an item. */
import type { Reply } from '../../../data/query.ts';

export type ItemSubtitles = Reply<'subtitles', 'item'>;

/** Series of books: how they are recognised, and how the books in them are sorted. Pure. */
import type { BookMetadata, Numbering } from '../../lib/books/types.ts';
import { fold, sortTitleOf } from './text.ts';

const MAX_SORTED_NUMBER = 999_999;
/** Keys of series that no file names, because an edit made them. */
const EDITED = 'series:edited:';

/** Returns the key of a series, by which spellings of its name are one. */
export const seriesKey = (title: string): string => `series:${fold(title) || title.toLowerCase()}`;
/** Returns the key of a series that an edit makes. A scan that finds a file of it takes it over. */
export const editedSeriesKey = (title: string): string => seriesKey(title).replace('series:', EDITED);

/** Sorts by volume and then chapter. Chapters without a volume are newer than all volumes. */
export function sortedInSeries({
  series,
  volume,
  chapter,
}: { series: string } & { [N in 'volume' | 'chapter']: BookMetadata[N] | undefined }): string {
  return [sortTitleOf(series), padded(volume, MAX_SORTED_NUMBER), padded(chapter, 0)].join(' ');
}
const padded = (of: Numbering | undefined, missing: number): string =>
  Math.min(MAX_SORTED_NUMBER, of?.number ?? missing)
    .toFixed(3)
    .padStart(10, '0');

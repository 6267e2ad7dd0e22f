/**
 * The cards of a list of photos by their index. Pages are fetched when scrolling rests, so that a fast scroll through
 * years asks for nothing in between.
 */
import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'preact/hooks';
import { ask, queries, type Reply, type RequestOf } from '../../../data/query.ts';
import { type IndexRange, pagesOf } from '../../../lib/window.ts';
import { later } from '../../../lib/pending-work.ts';

export type PhotoCard = Reply<'catalog', 'library'>['items'][number];
export type PhotoListing = Pick<RequestOf<'catalog', 'library'>, 'library' | 'folder' | 'camera'>;

const PAGE = 100;
const REST_MS = 90;

export const photoPageQuery = (listing: PhotoListing, page: number) =>
  ask('catalog', 'library', { ...listing, view: 'photos', offset: page * PAGE, limit: PAGE });

/** Returns the loaded cards around a range. */
export function usePhotoCards(listing: PhotoListing, range: IndexRange): (index: number) => PhotoCard | undefined {
  const [rested, setRested] = useState(range);
  useEffect(() => later(REST_MS, () => setRested(range)), [range.first, range.end]);
  const pages = pagesOf(rested, PAGE);
  const replies = useQueries({ queries: pages.map((page) => photoPageQuery(listing, page)) });
  const known = new Map(pages.map((page, at) => [page, replies[at]?.data] as const));
  return (index) => known.get(Math.floor(index / PAGE))?.items[index % PAGE];
}

/** Returns the index of a photo among those of its day; undefined if it is not there any more. */
export async function indexOfPhoto(
  listing: PhotoListing,
  id: string,
  day: { first: number; count: number },
): Promise<number | undefined> {
  for (const page of pagesOf({ first: day.first, end: day.first + day.count }, PAGE)) {
    const { items } = await queries.fetchQuery(photoPageQuery(listing, page));
    const at = items.findIndex((card) => card.id === id);
    if (at >= 0) return page * PAGE + at;
  }
  return undefined;
}

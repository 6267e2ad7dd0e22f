/** Finds a photo in its list, and leads to those before and after it. */
import { useEffect, useState } from 'preact/hooks';
import { ask, queries } from '../../../data/query.ts';
import { indexOfPhoto, type PhotoCard, type PhotoListing, usePhotoCards } from './cards.ts';
import { layoutOfDays, type PhotoDay } from './layout.ts';

export interface PlaceNeeds {
  id: string;
  days: readonly PhotoDay[];
  listing: PhotoListing;
}
interface Found {
  id: string;
  index: number;
}

/** Finds the photo in the list: by its day, which its page says. A step from a known photo needs no search. */
function useIndex({ id, days, listing }: PlaceNeeds, released: string | undefined) {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    if (found?.id === id || released === undefined) return;
    const place = layoutOfDays(days, { width: 1, leastCell: 1, gap: 0, head: 0, below: 0 }).days.find(
      ({ date }) => date === released,
    );
    let isOver = false;
    if (place)
      void indexOfPhoto(listing, id, place).then(
        (index) => !isOver && index !== undefined && setFound({ id, index }),
        () => undefined,
      );
    return () => {
      isOver = true;
    };
  }, [id, released, days]);
  return { index: found?.id === id ? found.index : undefined, setFound };
}

export interface PhotoPlace {
  /** Undefined until it is known. */
  index: number | undefined;
  total: number;
  /** The photo itself in the list. */
  card: PhotoCard | undefined;
  next: PhotoCard | undefined;
  previous: PhotoCard | undefined;
  /** Shows the next photo, as soon as it is known; undefined after the last. */
  toNext: (() => void) | undefined;
  toPrevious: (() => void) | undefined;
}

/** `released`: the day of the photo, as soon as it is known. */
export function usePlace(needs: PlaceNeeds, released: string | undefined, show: (id: string) => void): PhotoPlace {
  const { id, days, listing } = needs;
  const { index, setFound } = useIndex(needs, released);
  const [wanted, setWanted] = useState<{ id: string; by: 1 | -1 }>();
  const total = days.reduce((sum, day) => sum + day.count, 0);
  const around =
    index === undefined ? { first: 0, end: 0 } : { first: Math.max(0, index - 2), end: Math.min(total, index + 3) };
  const cardAt = usePhotoCards(listing, around);
  const near = (by: number) => (index === undefined ? undefined : cardAt(index + by));
  const [next, previous] = [near(1), near(-1)];
  // The page of a neighbour is there before its turn, so that keys are never without a picture to act on.
  useEffect(() => {
    for (const one of [next, previous]) if (one) void queries.prefetchQuery(ask('catalog', 'item', { id: one.id }));
  }, [next?.id, previous?.id]);
  const step = (by: 1 | -1) => {
    const to = near(by);
    setWanted(to ? undefined : { id, by });
    if (!to || index === undefined) return;
    setFound({ id: to.id, index: index + by });
    show(to.id);
  };
  // A key that was pressed before the neighbour was known.
  const by = wanted?.id === id ? wanted.by : undefined;
  const isThere = by !== undefined && near(by) !== undefined;
  useEffect(() => {
    if (isThere) step(by);
  }, [isThere]);
  const isBeyond = (at: number) => at < 0 || at >= total;
  return {
    index,
    total,
    card: near(0)?.id === id ? near(0) : undefined,
    next,
    previous,
    toNext: index !== undefined && isBeyond(index + 1) ? undefined : () => step(1),
    toPrevious: index !== undefined && isBeyond(index - 1) ? undefined : () => step(-1),
  };
}

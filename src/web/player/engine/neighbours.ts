/** The items before and after the one that plays: entries of the list that is played, else the episodes next to it. */
import { hrefOf, type Query } from '../../lib/navigation/addresses.ts';
import { go, useQueryParams } from '../../lib/navigation/navigate.ts';
import { queueOf, queueQuery, useQueue } from '../../parts/playback/queue.ts';

export interface Neighbours {
  nextId: string | undefined;
  /** Whether a list is played, which then decides what follows. It ends after its last entry. */
  isInList: boolean;
  goToNext: (() => void) | undefined;
  goToPrevious: (() => void) | undefined;
}

const goTo = (id: string | undefined, query: Query) =>
  id === undefined ? undefined : () => go(hrefOf({ page: 'player', params: { id }, query }), { replace: true });

export function useNeighbours(own: { next: string | undefined; previous: string | undefined }): Neighbours {
  const place = queueOf(useQueryParams());
  const queue = useQueue(place);
  if (!place || !queue)
    return { nextId: own.next, isInList: false, goToNext: goTo(own.next, {}), goToPrevious: goTo(own.previous, {}) };
  const to = (one: (typeof queue)['next']) =>
    goTo(one?.item, one ? queueQuery(place.kind, place.list, one.entry, place.from) : {});
  return { nextId: queue.next?.item, isInList: true, goToNext: to(queue.next), goToPrevious: to(queue.previous) };
}

/**
 * Playing a list from entry to entry. The address of the player names the list and the entry, so a reload continues in
 * the same place. The list is read once when its playing begins: a smart playlist would otherwise lose the item that
 * was just watched, and with it the place to continue from.
 */
import { useQuery } from '@tanstack/react-query';
import type { Query, To } from '../../lib/navigation/addresses.ts';
import { call } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';

type Queue = Reply<'playlists', 'queue'>;

/** The queries that return what is played, by the kind of list. */
const READ = {
  playlist: (id: string, from: string, signal: AbortSignal): Promise<Queue> =>
    call.playlists.queue({ id, from }, signal),
  smart: (id: string, from: string, signal: AbortSignal): Promise<Queue> =>
    call.smartPlaylists.queue({ id, from }, signal),
  collection: (id: string, from: string, signal: AbortSignal): Promise<Queue> =>
    call.collections.queue({ id, from }, signal),
} as const;
/** The page of each kind of list. */
const LIST_PAGES = { playlist: 'playlist', smart: 'smartPlaylist', collection: 'collection' } as const;
export type QueueKind = keyof typeof READ;

export interface QueuePlace {
  kind: QueueKind;
  list: string;
  /** The entry that playing began with, and the one that plays. */
  from: string;
  entry: string;
}

/** Returns the part of a player's address that says what is played after it. */
export const queueQuery = (kind: QueueKind, list: string, entry: string, from = entry): Query => ({
  [kind]: list,
  entry,
  ...(from !== entry && { from }),
});

/** Reads that part of an address; undefined if it names no list. */
export function queueOf(query: URLSearchParams): QueuePlace | undefined {
  const entry = query.get('entry');
  for (const kind of Object.keys(READ) as QueueKind[]) {
    const list = query.get(kind);
    if (list !== null && entry !== null) return { kind, list, entry, from: query.get('from') ?? entry };
  }
  return undefined;
}

/** Reads the entries of a list from the one that plays on. */
export const readQueue = ({ kind, list, entry }: QueuePlace): Promise<Queue> =>
  READ[kind](list, entry, new AbortController().signal);

/** The page of the list that plays. */
export const queuePage = ({ kind, list }: QueuePlace): To => ({
  page: LIST_PAGES[kind],
  params: { id: list },
});

/** The same part again, for addresses of the same entry. */
export const sameQueue = (place: QueuePlace | undefined): Query =>
  place ? queueQuery(place.kind, place.list, place.entry, place.from) : {};

/** Returns the entries next to the one that plays. */
export function neighboursIn(
  { items }: Queue,
  entry: string,
): { next?: Queue['items'][number]; previous?: Queue['items'][number] } {
  const at = items.findIndex((one) => one.entry === entry);
  const [next, previous] = at < 0 ? [] : [items[at + 1], items[at - 1]];
  return { ...(next && { next }), ...(previous && { previous }) };
}

/** Returns what is before and after the entry that plays; undefined while no list is played. */
export function useQueue(place: QueuePlace | undefined): ReturnType<typeof neighboursIn> | undefined {
  const { data } = useQuery({
    // Not below the name of a group of endpoints: events do not have it read again.
    queryKey: ['play-queue', place?.kind, place?.list, place?.from],
    queryFn: ({ signal }) =>
      place ? READ[place.kind](place.list, place.from, signal) : Promise.resolve({ items: [], total: 0 }),
    enabled: place !== undefined,
    staleTime: Infinity,
  });
  return place && (data ? neighboursIn(data, place.entry) : {});
}

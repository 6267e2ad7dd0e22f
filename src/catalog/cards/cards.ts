/** Cards: rows of the shelf as a listing shows them, with the pictures there are and what the Profile has watched. */
import type { Card } from '../../contract/catalog/cards.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import { iso } from '../../lib/clock.ts';
import type { ImagePlaces } from '../scan/place.ts';
import type { CardRow, ReadingStore } from '../store/reading.ts';
import type { Shelf, ShelfRow } from '../types.ts';
import { NO_DATA, type Rows, userData } from '../watching.ts';

export interface CardNeeds {
  store: ReadingStore;
  shelf: Shelf;
  isOnline(library: string): boolean;
}

/** The date of a day counted from the epoch. */
const date = (days: number): string => iso(days * 86_400_000).slice(0, 10);

/** What tells one picture of an item from the next: its size and time. */
export const imageVersion = ({ s, m }: { s: number; m: number }): string =>
  `${Math.round(m).toString(36)}${s.toString(36)}`;

/** The pictures of an item by kind. A film or episode without a still of its own has a frame of its video. */
export function imagesOf(row: Pick<ShelfRow, 'kind' | 'duration' | 'added'>, json: string | undefined): Card['images'] {
  const places = JSON.parse(json ?? '{}') as ImagePlaces;
  const images: Card['images'] = {};
  for (const kind of ['poster', 'backdrop', 'thumb', 'logo'] as const) {
    const place = places[kind];
    if (place) images[kind] = imageVersion(place);
  }
  const hasVideo = row.kind === 'movie' || row.kind === 'episode';
  if (hasVideo && images.thumb === undefined && row.duration !== null)
    images.thumb = `f${row.added.toString(36)}${Math.round(row.duration * 1000).toString(36)}`;
  return images;
}

/** Makes cards of ids that the Profile may see, in the order given; ids that are not on the shelf are left out. */
export async function cardsOf(
  { store, shelf, isOnline }: CardNeeds,
  ids: readonly string[],
  { policy, watched }: { policy: Policy; watched: Rows },
): Promise<Card[]> {
  const rows = ids.map((id) => shelf.row(id)).filter((row): row is ShelfRow => row !== undefined);
  const more = await store.cards(ids);
  const shows = new Map<string, ShelfRow | undefined>();
  const showOf = (id: string): ShelfRow | undefined => {
    // The episodes of a page are mostly of one show.
    if (!shows.has(id)) shows.set(id, shelf.row(id));
    return shows.get(id);
  };
  return rows.map((row) =>
    cardOf(row, more.get(row.id), { shelf, showOf, policy, watched, isOnline: isOnline(row.library) }),
  );
}

interface Around {
  shelf: Shelf;
  showOf?: (id: string) => ShelfRow | undefined;
  policy: Policy;
  watched: Rows;
  isOnline: boolean;
}

export function cardOf(
  row: ShelfRow,
  more: CardRow | undefined,
  { shelf, showOf = shelf.row, policy, watched, isOnline }: Around,
): Card {
  const show = row.show === null ? undefined : showOf(row.show);
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    sortTitle: row.sortTitle,
    ...(row.year !== null && { year: row.year }),
    ...(row.rating !== null && { rating: row.rating }),
    ...(row.communityRating !== null && { communityRating: row.communityRating }),
    library: row.library,
    added: iso(row.added),
    ...(row.released !== null && { released: date(row.released) }),
    ...(row.duration !== null && { duration: row.duration }),
    ...(row.resolution !== null && { resolution: row.resolution as NonNullable<Card['resolution']> }),
    ...(show && { show: { id: show.id, title: show.title } }),
    ...(row.seasonNumber !== null && { season: row.seasonNumber }),
    ...(row.episodeNumber !== null && { episode: row.episodeNumber }),
    ...(more?.episode_end != null && { episodeEnd: more.episode_end }),
    ...(row.kind === 'show' && countEpisodes(shelf.episodesOf(row.id, policy), watched)),
    available: isOnline,
    images: imagesOf(row, more?.images),
    userData:
      row.kind === 'movie' || row.kind === 'episode' || watched.has(row.id) ? userData(watched.get(row.id)) : NO_DATA,
  };
}

/** How many episodes a Profile may see, and how many of them it has not watched. */
export function countEpisodes(episodes: readonly string[], watched: Rows): { episodes: number; unwatched: number } {
  let unwatched = 0;
  for (const id of episodes) if (watched.get(id)?.watched !== 1) unwatched++;
  return { episodes: episodes.length, unwatched };
}

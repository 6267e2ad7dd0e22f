/** Cards: rows of the library index as lists show them, with their pictures and what the Profile has watched. */
import { imageVersion } from './image-version.ts';
import type { Card } from '../../../contract/catalog/cards.ts';
import { itemFacts } from '../../../contract/catalog/kinds.ts';
import { iso } from '../../../lib/clock.ts';
import type { CardRecord } from '../../store/reading.ts';
import type { ImagePlaces } from '../../store/records.ts';
import type { CardNeeds, Viewer } from '../kind.ts';
import type { IndexRow } from '../library-index/types.ts';
import { NO_USER_DATA, NOTHING_WATCHED, userData } from '../watch-rows.ts';

const MS_PER_DAY = 86_400_000;
const ART = ['poster', 'backdrop', 'thumb', 'logo'] as const;

/** Returns the date of a day counted from the epoch. */
export const dateOf = (days: number): string => iso(days * MS_PER_DAY).slice(0, 10);

export const isVideo = ({ kind }: Pick<IndexRow, 'kind'>): boolean => itemFacts(kind).medium === 'video';

/** Returns the versions of an item's pictures. A video without a still gets a frame of itself. */
export function cardImages(row: Pick<IndexRow, 'kind' | 'duration' | 'added'>, places: ImagePlaces): Card['images'] {
  const images: Card['images'] = {};
  for (const kind of ART) {
    const place = places[kind];
    if (place) images[kind] = imageVersion(place);
  }
  if (isVideo(row) && images.thumb === undefined && row.duration !== null)
    images.thumb = `f${row.added.toString(36)}${Math.round(row.duration * 1000).toString(36)}`;
  return images;
}

/** Makes the cards of ids that the Profile may see, in the given order. Ids that are not in the index are left out. */
export async function cardsOf(needs: CardNeeds, ids: readonly string[], viewer: Viewer): Promise<Card[]> {
  const { store, index } = needs;
  const rows = ids.map((id) => index.row(id)).filter((row) => row !== undefined);
  const more = await store.cards(ids);
  const groups = new Map<string, IndexRow | undefined>();
  const groupOf = (id: string): IndexRow | undefined => {
    // Most episodes of a page belong to one show.
    if (!groups.has(id)) groups.set(id, index.row(id));
    return groups.get(id);
  };
  return rows.map((row) => cardOf(needs, row, { more: more.get(row.id), viewer, groupOf }));
}

/** Returns the members of a group's card that depend on the Profile: its counts, and what it continues with. */
export function personalOf(
  { index, kinds }: Pick<CardNeeds, 'index' | 'kinds'>,
  { id, kind }: Pick<IndexRow, 'id' | 'kind'>,
  { policy, watched }: Pick<Viewer, 'policy' | 'watched'>,
): Partial<Card> {
  const group = kinds.group(kind);
  if (!group) return {};
  const items = index.itemsOf(id, policy);
  const next = group.next?.(items, watched, index.row) ?? group.next?.(items, NOTHING_WATCHED, index.row);
  const row = next === undefined ? undefined : index.row(next);
  return {
    ...group.counts(items, watched, { group: index.row(id), rowOf: index.row }),
    ...(group.cover && items[0] !== undefined && { cover: items[0] }),
    ...(row && {
      playNext: {
        id: row.id,
        ...(row.section !== null && { season: row.section }),
        ...(row.number !== null && { episode: row.number }),
        position: watched.get(row.id)?.position ?? 0,
      },
    }),
  };
}

export interface CardContext {
  more: Pick<CardRecord, 'images' | 'episode_end' | 'detail'> | undefined;
  viewer: Viewer;
  groupOf?: (id: string) => IndexRow | undefined;
}

export function cardOf(
  { index, kinds, isOnline }: Omit<CardNeeds, 'store'>,
  row: IndexRow,
  { more, viewer, groupOf = index.row }: CardContext,
): Card {
  const own = viewer.watched.get(row.id);
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
    ...(row.released !== null && { released: dateOf(row.released) }),
    ...(row.duration !== null && { duration: row.duration }),
    ...(row.resolution !== null && { resolution: row.resolution as NonNullable<Card['resolution']> }),
    ...kinds.rows(row.kind)?.card(row, more, row.parent === null ? undefined : groupOf(row.parent)),
    ...personalOf({ index, kinds }, row, viewer),
    available: isOnline(row.library),
    images: cardImages(row, more?.images ?? {}),
    userData: own ? userData(own) : NO_USER_DATA,
  };
}

/** Series of audiobooks: their volumes by number, and the page of a series. */
import type { AudiobookSeries } from '../../../contract/catalog/audiobooks.ts';
import type { Policy } from '../../../contract/identity/profiles.ts';
import { cardsOf } from '../../core/cards/cards.ts';
import type { PageNeeds, Viewer } from '../../core/kind.ts';
import type { LibraryIndex } from '../../core/library-index/types.ts';
import { usualSpelling } from '../../core/library-index/series.ts';
import type { WatchRows } from '../../core/watch-rows.ts';
import { nextEpisode } from '../show/next-up.ts';

/** Maximum number of volumes that a series shows. */
const MAX_VOLUMES = 2_000;

/** Returns the number in the text of a position: 1.5 of `1.5`, 2 of `Book 2`; undefined if there is none. */
export function volumeNumber(position: string | undefined): number | undefined {
  const digits = /\d{1,9}(?:[.,]\d{1,6})?/.exec(position ?? '')?.[0];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
}

/** Returns the volumes of a series that a policy shows, by their numbers; those without a number are last, by title. */
export function volumesOf(index: LibraryIndex, series: string, policy: Policy): string[] {
  const { ids } = index.page(
    { kinds: ['audiobook'], series, sort: 'title', order: 'ascending', offset: 0, limit: MAX_VOLUMES },
    policy,
  );
  const numbers = new Map(ids.map((id) => [id, volumeNumber(index.row(id)?.series?.[1]) ?? Infinity]));
  // Equal numbers, infinite ones among them, keep the order of the titles.
  const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
  return ids.toSorted((a, b) => compare(numbers.get(a) ?? Infinity, numbers.get(b) ?? Infinity));
}

/**
 * Returns the volume in progress that was played last, else the first unfinished one after the volume that was finished
 * last, else the first unfinished one. Undefined if all are finished.
 */
export function nextVolume(volumes: readonly string[], watched: WatchRows): string | undefined {
  const isLeft = (id: string) => watched.get(id)?.watched !== 1;
  return nextEpisode(volumes, watched, () => undefined) ?? volumes.find(isLeft);
}

/** Returns the page of a series of audiobooks; undefined if the viewer may see no volume of such a series. */
export async function audiobookSeriesPage(
  needs: PageNeeds,
  id: string,
  viewer: Viewer,
): Promise<AudiobookSeries | undefined> {
  const { index } = needs;
  const ids = volumesOf(index, id, viewer.policy);
  const items = await cardsOf(needs, ids, viewer);
  const [first] = items;
  if (first === undefined) return undefined;
  const lengths = items.map(({ duration }) => duration);
  const next = items.find((item) => item.id === nextVolume(ids, viewer.watched));
  return {
    id,
    name: usualSpelling(ids.flatMap((one) => index.row(one)?.series?.[0] ?? [])) ?? '',
    library: first.library,
    authors: [...new Set(items.flatMap(({ artists = [] }) => artists))],
    items,
    volumes: items.length,
    finished: items.filter(({ userData }) => userData.watched).length,
    ...(lengths.every((one) => one !== undefined) && { duration: lengths.reduce((sum, one) => sum + one, 0) }),
    ...(next && { next }),
  };
}

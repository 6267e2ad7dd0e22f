/**
 * Ids of series. A book belongs to a series that has a row, so its id is that of the row. An audiobook only names its
 * series, and series of different authors may have one name: its id is a digest of the library, the name and the first
 * author.
 */
import { createHash } from 'node:crypto';
import { type ItemKind, itemFacts } from '../../../contract/catalog/kinds.ts';
import { fold } from '../../naming/text.ts';
import type { Values } from './columns.ts';
import type { IndexRow } from './types.ts';

const comparable = (name: string): string => fold(name) || name;

/**
 * Returns the id of the series of an audiobook; undefined if it has none. Series of one name differ by their
 * first author, so a volume that names its authors in another order is in another series.
 */
export function audiobookSeriesId({
  library,
  series: [name = ''] = [],
  artists: [author = ''] = [],
}: Pick<IndexRow, 'library' | 'series' | 'artists'>): string | undefined {
  if (name === '') return undefined;
  return createHash('sha256')
    .update(JSON.stringify(['series', library, comparable(name), comparable(author)]))
    .digest('hex')
    .slice(0, 16);
}

interface SeriesColumns {
  kinds: Values<ItemKind>;
  libraries: Values<string>;
  parents: Values<string>;
  series: Values<readonly string[]>;
  artists: Values<readonly string[]>;
}

/** Whether items of a kind belong to series that have rows. */
export const isOfSeriesRow = (kind: ItemKind): boolean => itemFacts(kind).parent === 'series';

/** Maximum number of remembered ids, of about 100 bytes each. */
const MAX_KNOWN_IDS = 50_000;

/** Returns a function from slots to the ids of their series. A digest is made once for equal values. */
export function createSeriesOf({ kinds, libraries, series, artists, parents }: SeriesColumns) {
  const known = new Map<string, string | null>();
  return (slot: number): string | null => {
    const kind = kinds.get(slot);
    if (kind === null) return null;
    if (isOfSeriesRow(kind)) return parents.get(slot);
    if (series.number(slot) === 0) return null;
    const key = `${libraries.number(slot)} ${series.number(slot)} ${artists.number(slot)}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const library = libraries.get(slot) ?? '';
    const made =
      audiobookSeriesId({ library, series: series.get(slot) ?? [], artists: artists.get(slot) ?? [] }) ?? null;
    if (known.size >= MAX_KNOWN_IDS) known.clear();
    known.set(key, made);
    return made;
  };
}

/** Series as lists count them, with their names. */
import type { SeriesCount } from '../../../contract/catalog/cards.ts';
import type { IndexRows } from './rows.ts';
import { isOfSeriesRow } from './series-ids.ts';

/** Returns the slots of items in listed groups, which a list of groups leaves out but counts in its series. */
export function seriesMembers(rows: IndexRows, isMatch: (slot: number) => boolean): number[] {
  const found: number[] = [];
  const isMember = rows.kinds.values.map((kind) => kind !== null && isOfSeriesRow(kind));
  for (let slot = 0; slot < rows.ids.end(); slot++)
    if (isMember[rows.kinds.number(slot)] === true && rows.parents.number(slot) !== 0 && isMatch(slot))
      found.push(slot);
  return found;
}

/** Returns the spelling that occurs most often; of equals the first by code unit. Undefined if there is none. */
export function usualSpelling(names: Iterable<string>): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  let best: [string, number] | undefined;
  for (const [name, count] of counts)
    if (best === undefined || count > best[1] || (count === best[1] && name < best[0])) best = [name, count];
  return best?.[0];
}

/** Counts the items of each series among these slots. */
export function countSeries(rows: IndexRows, ...lists: readonly Iterable<number>[]): SeriesCount[] {
  const found = new Map<string, number[]>();
  for (const slots of lists)
    for (const slot of slots) {
      const id = rows.seriesOf(slot);
      if (id === null) continue;
      const own = found.get(id);
      if (own) own.push(slot);
      else found.set(id, [slot]);
    }
  return Array.from(found, ([value, own]) => {
    const row = rows.ids.find(value);
    const names = own.flatMap((slot) => rows.series.get(slot)?.[0] ?? []);
    const name = row < 0 ? usualSpelling(names) : rows.titles.get(row);
    const author = usualSpelling(own.flatMap((slot) => rows.artists.get(slot)?.[0] ?? []));
    return { value, name: name ?? '', ...(author !== undefined && { author }), count: own.length };
  });
}

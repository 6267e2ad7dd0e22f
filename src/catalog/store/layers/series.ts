/**
 * The series that books are in by their facts. A file names its series, and the scan finds or makes the row of that;
 * here it is found or made for a book whose series an edit names.
 */
import { type ItemKind, itemFacts } from '../../../contract/catalog/kinds.ts';
import { newId } from '../../../lib/ids.ts';
import { editedSeriesKey, seriesKey } from '../../naming/series.ts';
import { sortTitleOf } from '../../naming/text.ts';
import { formatItem, type ItemToStore } from '../records.ts';
import type { CatalogItemTable } from '../tables.ts';
import { type CatalogTransaction, reserveChanges, upserter } from '../writing.ts';

const upsertSeries = upserter('catalog_item', ['id'], ['added', 'layered']);

export interface BookPlace {
  show: string | null;
  detail: ItemToStore['detail'];
}
const seriesOf = ({ detail }: Pick<BookPlace, 'detail'>): string | undefined => detail.book?.series;

/** Returns the kind of the rows that books of a kind are in. */
const kindOfSeries = (kind: string): string => itemFacts(kind as ItemKind).parent ?? '';

/**
 * Returns the row of the series of a book with this name: the one that files name, else one of an edit or of that
 * title.
 */
export async function findSeries(
  tables: Pick<CatalogTransaction, 'selectFrom'>,
  { library, kind }: Pick<ItemToStore, 'library' | 'kind'>,
  name: string,
): Promise<CatalogItemTable | undefined> {
  const keys = [seriesKey(name), editedSeriesKey(name)];
  const rows = await tables
    .selectFrom('catalog_item')
    .selectAll()
    .where('library', '=', library)
    .where('kind', '=', kindOfSeries(kind))
    .where(({ or, eb }) => or([eb('key', 'in', keys), eb.and([eb('title', '=', name), eb('present', '=', 1)])]))
    .execute();
  const rank = ({ key }: CatalogItemTable) => keys.indexOf(key) + 1 || keys.length + 1;
  return rows.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))[0];
}

/**
 * Returns a book with the id of its series, and the row of the series if that was made or is present again. A book
 * whose facts name the same series as before stays where it was.
 */
export async function placeInSeries<I extends ItemToStore>(
  tx: CatalogTransaction,
  book: I,
  { had, now }: { had: BookPlace | undefined; now: number },
): Promise<{ item: I; series?: CatalogItemTable }> {
  if (!book.detail.book) return { item: book };
  const name = seriesOf(book);
  if (name === undefined) return { item: { ...book, show: had && seriesOf(had) === undefined ? had.show : null } };
  const kept = had && seriesOf(had) === name && had.show !== null ? await rowOf(tx, had.show) : undefined;
  const row = kept ?? (await findSeries(tx, book, name));
  if (row?.present === 1) return { item: { ...book, show: row.id } };
  const change = (await reserveChanges(tx, 1)) + 1;
  const series = row
    ? { ...row, present: 1, missing: null, change }
    : formatItem({ ...bareSeries(book, name), id: newId(), added: now }, change);
  await upsertSeries(tx, [series]);
  return { item: { ...book, show: series.id }, series };
}

const rowOf = (tx: CatalogTransaction, id: string): Promise<CatalogItemTable | undefined> =>
  tx.selectFrom('catalog_item').selectAll().where('id', '=', id).executeTakeFirst();

const bareSeries = ({ library, kind }: ItemToStore, title: string): Omit<ItemToStore, 'id' | 'added'> => ({
  library,
  key: editedSeriesKey(title),
  kind: kindOfSeries(kind),
  title,
  sort_title: sortTitleOf(title),
  original_title: null,
  year: null,
  released: null,
  rating: null,
  community_rating: null,
  duration: null,
  resolution: null,
  genres: [],
  languages: [],
  images: {},
  show: null,
  season: null,
  season_number: null,
  episode_number: null,
  episode_end: null,
  confidence: 1,
  detail: { studios: [], people: [], ids: {}, evidence: [] },
  present: 1,
  missing: null,
});

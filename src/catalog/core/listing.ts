/**
 * Pages of the library: how a view of a Profile becomes a query of the index, and the cursors from one page to the
 * next.
 */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import {
  isPersonal,
  ITEM_KINDS,
  itemFacts,
  type ItemKind,
  kindsWith,
  LIBRARY_KINDS,
  listedKinds,
  kindNames,
} from '../../contract/catalog/kinds.ts';
import { decodeCursor, encodeCursor } from '../../lib/json/cursor.ts';
import { Failure } from '../../lib/failure.ts';
import type { TextSearch } from './text-search/index.ts';
import type { LibraryQuery, UnplacedQuery } from '../types.ts';
import type { Kinds } from './kind.ts';
import type { IndexPosition, IndexQuery } from './library-index/types.ts';
import { isContinued, isLongEnoughToContinue, type WatchRows } from './watch-rows.ts';
import { byTime, type Watching } from './watching.ts';

/** Items and groups that are listed by themselves: all that do not belong to a group. */
const isTop = (kind: ItemKind): boolean => {
  const { role, parent, canBeAlone } = itemFacts(kind);
  return role !== 'section' && (parent === undefined || canBeAlone === true);
};
const ITEMS = kindsWith({ role: 'item' });
const TOP = kindNames(ITEM_KINDS).filter(isTop);
const LISTED = [...new Set([...TOP, ...ITEMS])];
const KINDS: Readonly<Record<string, readonly ItemKind[]>> = {
  ...Object.fromEntries(kindNames(LIBRARY_KINDS).map((kind) => [kind, listedKinds(LIBRARY_KINDS[kind].holds)])),
  list: LISTED,
  continue: ITEMS.filter((kind) => itemFacts(kind).isReplayed !== true),
  history: ITEMS,
  unwatched: TOP.filter((kind) => !isPersonal(kind) && itemFacts(kind).isReplayed !== true),
  all: TOP,
};
const PERSONAL = ['continue', 'history', 'list'];
const MAX_SEED = 2 ** 31 - 1;

/**
 * The sort keys of the last row, and a value that the first page fixes for all that follow: the seed of a random order,
 * or the time of the first page.
 */
const Position = z.tuple([z.number().nullable(), z.string(), z.number(), z.string(), z.number().nullable()]);

export interface ListingNeeds {
  profile: string;
  watched: WatchRows;
  watching: Watching;
  texts: Pick<TextSearch, 'find' | 'version'>;
  kinds: Pick<Kinds, 'usualSort'>;
  /** Returns the folder of an id as the index has it. */
  folderOf(id: string): string;
  /** Returns the length of an item in seconds; null or undefined if it has none. */
  durationOf(id: string): number | null | undefined;
  /** Returns the ids of everything that was watched to the end. */
  finished(): Set<string>;
}

export interface Listing {
  query: IndexQuery;
  /** The cursor of the page after the one that ends at this position. */
  cursorAfter(position: IndexPosition): string;
}

/** Converts a view into a query: kinds, the ids of the Profile's own list, and the usual order. */
export async function listingOf(
  { cursor, list = 'library', personal, ...given }: LibraryQuery,
  needs: ListingNeeds,
): Promise<Listing> {
  const { view, ...rest } = given;
  const kinds = kindsIn(view, { q: rest.q, personal });
  const { sort, order } = orderOf(given, needs.kinds.usualSort(kinds));
  const bound = [
    list,
    needs.profile,
    view,
    sort,
    order,
    rest.q,
    rest.library,
    rest.genre,
    rest.year,
    rest.rating,
    rest.resolution,
    rest.language,
    rest.artist,
    rest.letter,
    rest.seed,
    rest.camera,
    rest.folder,
    rest.series,
    personal,
  ].map((value) => value ?? null);
  refuseBoth({ cursor, offset: rest.offset });
  const [value, title, year, id, fixed] = cursor === undefined ? [] : decodeCursor(bound, cursor, Position);
  const isPersonal = PERSONAL.includes(view);
  const began = isPersonal ? (fixed ?? needs.watching.stamp()) : undefined;
  // With an offset only the query itself can say that two pages are of the same order.
  const seed =
    sort !== 'random' ? undefined : (fixed ?? rest.seed ?? (rest.offset === undefined ? randomInt(MAX_SEED) : 0));
  const query: IndexQuery = {
    ...rest,
    ...(rest.folder !== undefined && { folder: needs.folderOf(rest.folder) }),
    kinds,
    // A search finds the items of groups, too, and a list of a Profile has them by themselves.
    ...(rest.q === undefined && !isPersonal && { isGrouped: true }),
    sort,
    order,
    seed,
    offset: rest.offset ?? 0,
    ...(id !== undefined && { after: { value: value ?? null, title: title ?? '', year: year ?? 0, id } }),
    ...(rest.q !== undefined && { texts: await needs.texts.find(rest.q), textsVersion: needs.texts.version() }),
    ...(began !== undefined && (await ownOf(view, began, needs))),
    ...(view === 'unwatched' && { except: needs.finished() }),
    ...(view === 'unwatched' && { personal: `${view} ${needs.profile} ${needs.watching.version()}` }),
  };
  return {
    query,
    cursorAfter: (last) => encodeCursor(bound, [last.value, last.title, last.year, last.id, seed ?? began ?? null]),
  };
}

/** Returns the kinds of a view. A search finds the items of groups, too. */
function kindsIn(view: string, { q, personal }: Pick<LibraryQuery, 'q' | 'personal'>): readonly ItemKind[] {
  const kinds = q !== undefined && view === 'all' ? LISTED : (KINDS[view] ?? []);
  return personal === 'false' ? kinds.filter((kind) => !isPersonal(kind)) : kinds;
}

/** Orders that start with the highest value, unless the request says otherwise. */
const DESCENDING: readonly IndexQuery['sort'][] = ['added', 'year', 'released', 'rating', 'match'];

function orderOf(
  { view, q, sort, order }: LibraryQuery,
  usualSort: IndexQuery['sort'],
): Pick<IndexQuery, 'sort' | 'order'> {
  if (PERSONAL.includes(view)) return { sort: sort ?? 'given', order: order ?? 'ascending' };
  const usual = sort ?? (q === undefined ? usualSort : 'match');
  return { sort: usual, order: order ?? (DESCENDING.includes(usual) ? 'descending' : 'ascending') };
}

/**
 * Returns the items of a Profile's own list with the times that they are sorted by, as they were when the paging began.
 */
async function ownOf(
  view: string,
  began: number,
  { profile, watched, watching, durationOf }: ListingNeeds,
): Promise<Pick<IndexQuery, 'only' | 'personal'>> {
  const before = watching.before(profile, began);
  const personal = `${view} ${profile} ${watching.version()}${before.size === 0 ? '' : ` ${began}`}`;
  if (view === 'history') {
    const only = new Map<string, number>();
    for (const { item, at } of await watching.history(profile, began))
      only.set(item, Math.max(at, only.get(item) ?? 0));
    return { only, personal };
  }
  const timeOf = view === 'continue' ? 'last_played' : 'listed';
  const rows = [...watched.values()].filter((row) =>
    view === 'continue' ? isContinued(row) && isLongEnoughToContinue(durationOf(row.item)) : row.listed !== null,
  );
  return { only: new Map(rows.map((row) => [row.item, before.get(row.item)?.[timeOf] ?? row[timeOf] ?? 0])), personal };
}

const HistoryPosition = z.tuple([z.number(), z.string(), z.string(), z.number()]);
type Session = Awaited<ReturnType<Watching['history']>>[number];

/** One page of what a Profile has watched, the latest first, without what it may not see. */
export async function historyPage(
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  { profile, watching, isVisible }: Pick<ListingNeeds, 'profile' | 'watching'> & { isVisible(id: string): boolean },
): Promise<{ rows: Session[]; total: number; nextCursor?: string }> {
  const bound = ['history', profile];
  const [at, item, session, fixed] = cursor === undefined ? [] : decodeCursor(bound, cursor, HistoryPosition);
  const began = fixed ?? watching.stamp();
  const all = (await watching.history(profile, began)).filter((row) => isVisible(row.item));
  const after = at === undefined ? undefined : { at, item: item ?? '', session: session ?? '' };
  const from = after ? all.findIndex((row) => byTime(after, row) < 0) : 0;
  const rows = from < 0 ? [] : all.slice(from, from + limit);
  const last = rows.at(-1);
  return {
    rows,
    total: all.length,
    ...(last && last !== all.at(-1) && { nextCursor: encodeCursor(bound, [last.at, last.item, last.session, began]) }),
  };
}

const UnplacedPosition = z.tuple([z.string(), z.string(), z.string()]);
type UnplacedKey = { folder: string; name: string; id: string };
/** Reads the cursor of a page of unplaced files, and writes that of the next page. */
export function unplacedPaging({ library, cursor, offset }: UnplacedQuery): {
  after: UnplacedKey | undefined;
  cursorAfter(last: UnplacedKey): string;
} {
  const bound = ['unplaced', library ?? null];
  refuseBoth({ cursor, offset });
  const [folder, name, id] = cursor === undefined ? [] : decodeCursor(bound, cursor, UnplacedPosition);
  return {
    after: folder === undefined ? undefined : { folder, name: name ?? '', id: id ?? '' },
    cursorAfter: (last) => encodeCursor(bound, [last.folder, last.name, last.id]),
  };
}

function refuseBoth({ cursor, offset }: { cursor?: string | undefined; offset?: number | undefined }): void {
  if (cursor !== undefined && offset !== undefined)
    throw new Failure('invalid', 'cursor: not together with an offset', { reason: 'cursor' });
}

/** Pages of the library: what a view of a Profile asks of the shelf, and the cursors that lead from one page to the next. */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../lib/json/cursor.ts';
import { Failure } from '../lib/failure.ts';
import type { Texts } from './texts/index.ts';
import type { LibraryQuery, RowKind, ShelfPosition, ShelfQuery } from './types.ts';
import { byTime, isContinued, type Rows, type Watching } from './watching.ts';

const TOP: readonly RowKind[] = ['movie', 'show'];
export const PLAYED: readonly RowKind[] = ['movie', 'episode'];
const KINDS: Record<string, readonly RowKind[]> = {
  movies: ['movie'],
  shows: ['show'],
  list: ['movie', 'show', 'episode'],
  continue: PLAYED,
  history: PLAYED,
  unwatched: TOP,
  all: TOP,
};
const PERSONAL = ['continue', 'history', 'list'];
const MAX_SEED = 2 ** 31 - 1;

/** The sort keys of the last row; and what the first page fixed for all that follow: the seed of a random order, or when the paging began. */
const Position = z.tuple([z.number().nullable(), z.string(), z.number(), z.string(), z.number().nullable()]);

export interface ListingNeeds {
  profile: string;
  watched: Rows;
  watching: Watching;
  texts: Pick<Texts, 'find' | 'version'>;
  /** Ids of everything that is watched to its end. */
  finished(): Set<string>;
}

export interface Listing {
  query: ShelfQuery;
  /** The cursor of the page after the one that ends at this position. */
  cursorAfter(position: ShelfPosition): string;
}

/** Turns a view into what the shelf understands: kinds, the ids that a Profile's own lists hold, and the usual order. */
export async function listingOf(
  { cursor, list = 'library', ...given }: LibraryQuery,
  needs: ListingNeeds,
): Promise<Listing> {
  const { view, ...rest } = given;
  const { sort, order } = orderOf(given);
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
    rest.letter,
    rest.seed,
  ].map((value) => value ?? null);
  refuseBoth({ cursor, offset: rest.offset });
  const [value, title, year, id, fixed] = cursor === undefined ? [] : decodeCursor(bound, cursor, Position);
  const kinds = rest.q !== undefined && view === 'all' ? (['movie', 'show', 'episode'] as const) : (KINDS[view] ?? []);
  const isPersonal = PERSONAL.includes(view);
  const began = isPersonal ? (fixed ?? needs.watching.stamp()) : undefined;
  // With an offset nothing but the query itself can say that two pages are of the same order.
  const seed =
    sort !== 'random' ? undefined : (fixed ?? rest.seed ?? (rest.offset === undefined ? randomInt(MAX_SEED) : 0));
  const query: ShelfQuery = {
    ...rest,
    kinds,
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

function orderOf({ view, q, sort, order }: LibraryQuery): Pick<ShelfQuery, 'sort' | 'order'> {
  if (PERSONAL.includes(view)) return { sort: sort ?? 'given', order: order ?? 'ascending' };
  const usual = sort ?? (q === undefined ? 'title' : 'match');
  const isDown =
    usual === 'added' || usual === 'year' || usual === 'released' || usual === 'rating' || usual === 'match';
  return { sort: usual, order: order ?? (isDown ? 'descending' : 'ascending') };
}

/** Returns the items of a Profile's own list with the times that they are sorted by, as they were when the paging began. */
async function ownOf(
  view: string,
  began: number,
  { profile, watched, watching }: ListingNeeds,
): Promise<Pick<ShelfQuery, 'only' | 'personal'>> {
  const before = watching.before(profile, began);
  const personal = `${view} ${profile} ${watching.version()}${before.size === 0 ? '' : ` ${began}`}`;
  if (view === 'history') {
    const only = new Map<string, number>();
    for (const { item, at } of await watching.history(profile, began))
      only.set(item, Math.max(at, only.get(item) ?? 0));
    return { only, personal };
  }
  const [isIn, timeOf] =
    view === 'continue'
      ? ([isContinued, 'last_played'] as const)
      : ([({ listed }: { listed: number | null }) => listed !== null, 'listed'] as const);
  const rows = [...watched.values()].filter(isIn);
  return { only: new Map(rows.map((row) => [row.item, before.get(row.item)?.[timeOf] ?? row[timeOf] ?? 0])), personal };
}

const HistoryPosition = z.tuple([z.number(), z.string(), z.string(), z.number()]);
type Session = Awaited<ReturnType<Watching['history']>>[number];

/** One page of what a Profile has watched, the latest first, without what it may not see. */
export async function historyPage(
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  { profile, watching, isSeen }: Pick<ListingNeeds, 'profile' | 'watching'> & { isSeen(id: string): boolean },
): Promise<{ rows: Session[]; total: number; nextCursor?: string }> {
  const bound = ['history', profile];
  const [at, item, session, fixed] = cursor === undefined ? [] : decodeCursor(bound, cursor, HistoryPosition);
  const began = fixed ?? watching.stamp();
  const all = (await watching.history(profile, began)).filter((row) => isSeen(row.item));
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
export type UnplacedQuery = {
  library?: string | undefined;
  cursor?: string | undefined;
  offset?: number | undefined;
  limit: number;
};

/** Reads what a cursor of the unplaced files says, and writes that of the next page. */
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

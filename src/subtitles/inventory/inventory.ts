/**
 * Reads the inventory: totals, coverage by language, and a page of items with the state of every language.
 *
 * Totals come from the counted shapes, so they cost the same for fifty items and for fifty thousand; only the items of
 * the page are read. Coverage uses the current configuration of languages and the current reachability of libraries.
 * Totals include everything: filters by library, status or words only apply to the list.
 */
import type { z } from 'zod';
import type { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import type { LanguageState, WantedSubtitle } from '../../contract/subtitles/states.ts';
import type { ParsedInput } from '../../contract/kernel/endpoint.ts';
import { Failure } from '../../lib/failure.ts';
import { foldName } from '../../lib/languages.ts';
import { HOLDS_VIDEO, isSameSubtitle, type CoverageStatus, type CoverageQuery } from './coverage.ts';
import { type ItemShape, itemShapes, judgeItems, type JudgedShape, textLanguagesOf } from './film-shapes.ts';
import { distinctLanguages, wantedOf } from '../wanted.ts';
import { type InventoryNeeds, pageItems } from './page-items.ts';
import type { InventoryRow } from '../store/rows.ts';

export type InventoryQuery = ParsedInput<typeof endpoints.inventory>;
export type InventoryReply = z.input<typeof endpoints.inventory.result>;

/** States in order of urgency. */
const URGENCY: readonly (CoverageStatus | undefined)[] = ['wanted', 'checking', 'unavailable', 'ready', undefined];

export async function readInventory(needs: InventoryNeeds, query: InventoryQuery): Promise<InventoryReply> {
  const wants = needs.wanted.all();
  const first = needs.wanted.first();
  const libraries = needs.libraries();
  if (query.library !== undefined && !libraries.some(({ id }) => id === query.library))
    throw new Failure('missing', 'no such library', { reason: 'no-such-subtitle-library' });
  const { language } = query;
  const wantedIn = memoized((library) =>
    language === undefined ? needs.wanted.in(library) : wantedOf(needs.wanted.in(library), language),
  );
  const online = new Map(libraries.map(({ id, isOnline }) => [id, isOnline]));
  const wish: CoverageQuery = {
    wanted: wantedIn,
    first,
    isOnline: (library) => online.get(library) === true,
  };
  // Items of libraries that were removed from the configuration are kept but not shown.
  const counted = await needs.inventory.shapes();
  const all = itemShapes(counted.filter(({ library }) => online.has(library)));
  const judged = all.map((shape): JudgedShape => ({ ...shape, ...judgeItems(shape, wish) }));
  const total = sum(judged);
  const ready = sum(judged.filter(({ status }) => status === 'ready'));
  const page = await pageOf(needs, query, { judged, isEvery: all.length === counted.length });
  const own = { ...wish, wanted: memoized(needs.wanted.in) };
  const byLanguage = distinctLanguages(language === undefined ? wants : [...wants, ...wantedOf(wants, language)]).map(
    (one) =>
      tallyOf({ language: one }, all, {
        ...own,
        wanted: memoized((library) =>
          one === language ? wantedIn(library) : own.wanted(library).filter((each) => each.language === one),
        ),
      }),
  );
  const byWanted = wants.map((one) =>
    tallyOf(one, all, {
      ...own,
      wanted: memoized((library) => own.wanted(library).filter((each) => isSameSubtitle(each, one))),
    }),
  );
  return {
    languages: distinctLanguages(wants),
    wants: [...wants],
    total,
    ready,
    wanted: sum(judged.filter(({ status }) => status === 'wanted')),
    pending: sum(judged.filter(({ status }) => status === 'checking')),
    unavailable: sum(judged.filter(({ status }) => status === 'unavailable')),
    coverage: total === 0 ? 0 : Math.floor((ready / total) * 1000) / 10,
    byLanguage: byLanguage.map(({ in: _in, ...counts }) => counts),
    byWanted: byWanted.map(({ in: _in, ...counts }) => counts),
    byLibrary: byLibrary(libraries, all, { own: own.wanted, byLanguage, byWanted }),
    present: presentIn(all),
    providers: await needs.providerStates(),
    page: query.page,
    pages: Math.ceil(page.matched / query.limit),
    matched: page.matched,
    items: await pageItems(needs, { rows: page.rows, judged, query: wish }),
  };
}

/**
 * Returns one item as a page lists it, with what its library wants; undefined if there is none. With `which`, returns
 * the part of that key alone and the state of that role, which is included even if the part has no such file.
 */
export async function readInventoryItem(
  needs: InventoryNeeds,
  id: string,
  which?: Pick<LanguageState, 'language' | 'role'>,
): Promise<InventoryReply['items'][number] | undefined> {
  const row = await needs.inventory.row(id);
  const library = row && needs.libraries().find((one) => one.id === row.library);
  if (!row || !library) return undefined;
  const asked = which === undefined ? needs.wanted.in(row.library) : [which];
  const first = needs.wanted.first();
  const wish: CoverageQuery = { wanted: () => asked, first, isOnline: () => library.isOnline };
  const counted = await needs.inventory.shapes();
  const judged = (which === undefined ? itemShapes(counted) : counted)
    .filter((shape) => shape.id === row.shape)
    .map((shape): JudgedShape => ({ ...shape, ...judgeItems(shape, wish) }));
  return (await pageItems(needs, { rows: [row], judged, query: wish, which }))[0];
}

const sum = (of: readonly { items: number }[]): number => of.reduce((all, { items }) => all + items, 0);

const memoized = <T>(of: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.get(key) ?? of(key);
    known.set(key, value);
    return value;
  };
};

/** Coverage of a language, or of one kind of a language, in total and per library. */
type Tally<Of> = Of & { ready: number; wanted: number; in: ReadonlyMap<string, { ready: number; wanted: number }> };

function tallyOf<Of>(of: Of, all: readonly ItemShape[], wish: CoverageQuery): Tally<Of> {
  const libraries = new Map<string, { ready: number; wanted: number }>();
  const total = { ready: 0, wanted: 0 };
  for (const shape of all) {
    const { status } = judgeItems(shape, wish);
    if (status !== 'ready' && status !== 'wanted') continue;
    const one = libraries.get(shape.library) ?? { ready: 0, wanted: 0 };
    libraries.set(shape.library, one);
    one[status] += shape.items;
    total[status] += shape.items;
  }
  return { ...of, ...total, in: libraries };
}

/** Returns every language with text, the most frequent first. */
function presentIn(all: readonly ItemShape[]): InventoryReply['present'] {
  const items = new Map<string, number>();
  for (const shape of all)
    for (const language of textLanguagesOf(shape)) items.set(language, (items.get(language) ?? 0) + shape.items);
  return [...items]
    .map(([language, count]) => ({ language, items: count }))
    .sort((a, b) => b.items - a.items || (a.language < b.language ? -1 : 1));
}

function byLibrary(
  libraries: ReturnType<InventoryNeeds['libraries']>,
  all: readonly ItemShape[],
  {
    own,
    byLanguage,
    byWanted,
  }: {
    own: CoverageQuery['wanted'];
    byLanguage: readonly Tally<{ language: string }>[];
    byWanted: readonly Tally<WantedSubtitle>[];
  },
): InventoryReply['byLibrary'] {
  const countsIn = <Of>({ in: counts, ready: _ready, wanted: _wanted, ...of }: Tally<Of>, id: string) => ({
    ...of,
    ready: 0,
    wanted: 0,
    ...counts.get(id),
  });
  const totals = new Map<string, number>();
  for (const { library, items } of all) totals.set(library, (totals.get(library) ?? 0) + items);
  return libraries
    .filter(({ kind }) => HOLDS_VIDEO.includes(kind))
    .map(({ id, name }) => ({
      library: id,
      name,
      total: totals.get(id) ?? 0,
      languages: byLanguage
        .filter(({ language }) => own(id).some((one) => one.language === language))
        .map((one) => countsIn(one, id)),
      wants: byWanted
        .filter((tally) => own(id).some((one) => isSameSubtitle(one, tally)))
        .map((one) => countsIn(one, id)),
    }));
}

/**
 * Whether a view lists a state. `wanted` lists scanned items without a language, including those searched without
 * success.
 */
const isListed = (view: InventoryQuery['view'], status: CoverageStatus | undefined): boolean =>
  view !== 'wanted' || status === 'wanted' || status === 'unavailable';

async function pageOf(
  { inventory: store }: InventoryNeeds,
  query: InventoryQuery,
  { judged, isEvery }: { judged: readonly JudgedShape[]; isEvery: boolean },
): Promise<{ matched: number; rows: InventoryRow[] }> {
  const { view, q, status, kind, library, sort, page, limit } = query;
  const words =
    q === undefined
      ? []
      : foldName(q)
          .split(' ')
          .filter((word) => word !== '');
  // A search for punctuation only finds nothing.
  if (q !== undefined && words.length === 0) return { matched: 0, rows: [] };
  const fitting = judged.filter(
    (one) =>
      isListed(view, one.status) &&
      (status === 'all' || one.status === status) &&
      (kind === 'all' || one.kind === kind) &&
      (library === undefined || one.library === library),
  );
  const having = words.length === 0 ? undefined : await store.countWords(words);
  const matching = fitting
    .map((one) => ({ ...one, items: having ? (having.get(one.id) ?? 0) : one.items }))
    .filter(({ items }) => items > 0);
  const matched = sum(matching);
  if (view === 'summary') return { matched, rows: [] };

  // Sorted by urgency, the page is cut out of consecutive groups, each sorted by title.
  const groups = sort === 'wanted' ? byUrgency(matching) : [matching];
  const isAll = isEvery && groups.length === 1 && having === undefined && matching.length === judged.length;
  const rows: InventoryRow[] = [];
  let offset = (page - 1) * limit;
  for (const group of groups) {
    const items = sum(group);
    if (offset < items && rows.length < limit) {
      rows.push(
        ...(await store.page({
          ...(!isAll && { shapes: group.map(({ id }) => id) }),
          words,
          sort: sort === 'wanted' ? 'title' : sort,
          offset,
          limit: limit - rows.length,
        })),
      );
    }
    offset = Math.max(0, offset - items);
  }
  return { matched, rows };
}

const byUrgency = (shapes: readonly JudgedShape[]): JudgedShape[][] =>
  [
    ...Map.groupBy(
      shapes,
      ({ status, missing }) => `${URGENCY.indexOf(status)} ${String(999 - missing.length).padStart(3, '0')}`,
    ),
  ]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group);

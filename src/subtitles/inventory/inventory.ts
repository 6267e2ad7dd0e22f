/**
 * The inventory's answers: totals, coverage by language, and a page of items with every language's state.
 *
 * Totals come from the counted shapes, so they cost the same for fifty items and for fifty thousand; only the items of
 * the page are read. Coverage follows the configured languages and which libraries can be reached as they are now.
 * The totals are of everything: a library, a status or words only choose what is listed.
 */
import type { z } from 'zod';
import type {
  Evidence,
  LanguageState,
  ProviderState,
  subtitles as endpoints,
} from '../../contract/subtitles/library.ts';
import type { Given } from '../../contract/kernel/endpoint.ts';
import { iso } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { covers, foldName } from '../../lib/languages.ts';
import { counts, judge, type Status, type Track, type Wish } from './coverage.ts';
import { waysOf } from '../history/lineage.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { CountedShape, InventoryStore } from '../store/inventory.ts';
import type { Pause, ProviderStore } from '../store/providers.ts';
import type { FileTable, ItemTable, Tables } from '../store/tables.ts';

export type InventoryQuery = Given<typeof endpoints.inventory>;
export type InventoryReply = z.input<typeof endpoints.inventory.result>;
type Item = InventoryReply['items'][number];

export interface InventoryNeeds {
  inventory: InventoryStore;
  installing: InstallingStore;
  providers: ProviderStore;
  /** The configured languages, the first one first. */
  languages(): readonly string[];
  /** Libraries that are configured now, in their order, and whether each can be reached. */
  libraries(): readonly { id: string; name: string; kind: string; isOnline: boolean }[];
  providerStates(): Promise<ProviderState[]>;
}

/** What is most in need of somebody first. */
const URGENCY: readonly (Status | undefined)[] = ['wanted', 'checking', 'unavailable', 'ready', undefined];

interface Judged extends CountedShape {
  status: Status | undefined;
  missing: string[];
}

export async function inventory(needs: InventoryNeeds, query: InventoryQuery): Promise<InventoryReply> {
  const configured = needs.languages();
  const libraries = needs.libraries();
  if (query.library !== undefined && !libraries.some(({ id }) => id === query.library))
    throw new Failure('missing', 'no such library');
  const asked = query.language === undefined ? configured : [query.language];
  const online = new Map(libraries.map(({ id, isOnline }) => [id, isOnline]));
  const wish: Wish = { languages: asked, first: configured[0], isOnline: (library) => online.get(library) === true };
  // Items of libraries that left the configuration wait for them to come back, unseen.
  const counted = await needs.inventory.shapes();
  const all = counted.filter(({ library }) => online.has(library));
  const judged = all.map((shape): Judged => ({ ...shape, ...judge(shape, wish) }));
  const total = sum(judged);
  const ready = sum(judged.filter(({ status }) => status === 'ready'));
  const page = await pageOf(needs, query, { judged, isEvery: all.length === counted.length });
  const tallies = [...new Set([...configured, ...asked])].map((language) => tallyOf(language, all, wish));
  return {
    languages: [...configured],
    total,
    ready,
    wanted: sum(judged.filter(({ status }) => status === 'wanted')),
    pending: sum(judged.filter(({ status }) => status === 'checking')),
    unavailable: sum(judged.filter(({ status }) => status === 'unavailable')),
    coverage: total === 0 ? 0 : Math.floor((ready / total) * 1000) / 10,
    byLanguage: tallies.map(({ language, ready: have, wanted }) => ({ language, ready: have, wanted })),
    byLibrary: byLibrary(libraries, all, tallies.slice(0, configured.length)),
    present: presentIn(all),
    providers: await needs.providerStates(),
    page: query.page,
    pages: Math.ceil(page.matched / query.limit),
    matched: page.matched,
    items: await itemsOf(needs, { rows: page.rows, judged, asked, first: configured[0] }),
  };
}

/** One item as a page has it, in the languages that are configured or the one asked for; undefined when there is none. */
/** `which`: the language that is judged, and a role of it whose state is among the result even where no such file is. */
export async function inventoryOf(
  needs: InventoryNeeds,
  id: string,
  which?: Pick<LanguageState, 'language' | 'role'>,
): Promise<Item | undefined> {
  const row = await needs.inventory.row(id);
  const library = row && needs.libraries().find((one) => one.id === row.library);
  if (!row || !library) return undefined;
  const configured = needs.languages();
  const asked = which === undefined ? configured : [which.language];
  const wish: Wish = { languages: asked, first: configured[0], isOnline: () => library.isOnline };
  const judged = (await needs.inventory.shapes())
    .filter((shape) => shape.id === row.shape)
    .map((shape): Judged => ({ ...shape, ...judge(shape, wish) }));
  return (await itemsOf(needs, { rows: [row], judged, asked, first: configured[0], which }))[0];
}

const sum = (of: readonly { items: number }[]): number => of.reduce((all, { items }) => all + items, 0);

/** How a language stands, in all and in each library. */
interface Tally {
  language: string;
  ready: number;
  wanted: number;
  in: ReadonlyMap<string, { ready: number; wanted: number }>;
}
function tallyOf(language: string, all: readonly CountedShape[], wish: Wish): Tally {
  const libraries = new Map<string, { ready: number; wanted: number }>();
  const total = { ready: 0, wanted: 0 };
  for (const shape of all) {
    const { status } = judge(shape, { ...wish, languages: [language] });
    if (status !== 'ready' && status !== 'wanted') continue;
    const one = libraries.get(shape.library) ?? { ready: 0, wanted: 0 };
    libraries.set(shape.library, one);
    one[status] += shape.items;
    total[status] += shape.items;
  }
  return { language, ...total, in: libraries };
}

/** Every language in which there is text to read, the most frequent first. */
function presentIn(all: readonly CountedShape[]): InventoryReply['present'] {
  const items = new Map<string, number>();
  for (const shape of all)
    for (const language of shape.held) items.set(language, (items.get(language) ?? 0) + shape.items);
  return [...items]
    .map(([language, count]) => ({ language, items: count }))
    .sort((a, b) => b.items - a.items || (a.language < b.language ? -1 : 1));
}

/** Libraries that hold films or shows, also those in which there is nothing yet. */
const HOLDS_VIDEO: readonly string[] = ['movies', 'shows', 'mixed'];
function byLibrary(
  libraries: ReturnType<InventoryNeeds['libraries']>,
  all: readonly CountedShape[],
  tallies: readonly Tally[],
): InventoryReply['byLibrary'] {
  const totals = new Map<string, number>();
  for (const { library, items } of all) totals.set(library, (totals.get(library) ?? 0) + items);
  return libraries
    .filter(({ kind }) => HOLDS_VIDEO.includes(kind))
    .map(({ id, name }) => ({
      library: id,
      name,
      total: totals.get(id) ?? 0,
      languages: tallies.map(({ language, in: own }) => ({ language, ready: 0, wanted: 0, ...own.get(id) })),
    }));
}

/** `wanted` lists what lacks a language and was looked into, with what was searched for in vain. */
const isIn = (view: InventoryQuery['view'], status: Status | undefined): boolean =>
  view !== 'wanted' || status === 'wanted' || status === 'unavailable';

async function pageOf(
  { inventory: store }: InventoryNeeds,
  query: InventoryQuery,
  { judged, isEvery }: { judged: readonly Judged[]; isEvery: boolean },
): Promise<{ matched: number; rows: ItemTable[] }> {
  const { view, q, status, kind, library, sort, page, limit } = query;
  const words =
    q === undefined
      ? []
      : foldName(q)
          .split(' ')
          .filter((word) => word !== '');
  // Nothing but signs was asked for: nothing has it.
  if (q !== undefined && words.length === 0) return { matched: 0, rows: [] };
  const fitting = judged.filter(
    (one) =>
      isIn(view, one.status) &&
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

  // Sorted by need, the page is cut out of groups that follow each other, each in the order of titles.
  const groups = sort === 'wanted' ? byNeed(matching) : [matching];
  const isAll = isEvery && groups.length === 1 && having === undefined && matching.length === judged.length;
  const rows: ItemTable[] = [];
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

const byNeed = (shapes: readonly Judged[]): Judged[][] =>
  [
    ...Map.groupBy(
      shapes,
      ({ status, missing }) => `${URGENCY.indexOf(status)} ${String(999 - missing.length).padStart(3, '0')}`,
    ),
  ]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group);

/** What is known about the items of a page, beside their rows. */
interface Known {
  files: readonly FileTable[];
  searches: readonly Tables['subtitle_search'][];
  pauses: readonly Pause[];
  frozen: readonly Tables['subtitle_frozen'][];
  /** The files beside the video, hidden ones too. */
  there: ReadonlySet<string>;
  asked: readonly string[];
  first: string | undefined;
}

interface Shown {
  rows: readonly ItemTable[];
  judged: readonly Judged[];
  asked: readonly string[];
  first: string | undefined;
  which?: Pick<LanguageState, 'language' | 'role'> | undefined;
}

async function itemsOf(needs: InventoryNeeds, { rows, judged, asked, first, which }: Shown): Promise<Item[]> {
  const ids = rows.map(({ id }) => id);
  const [files, searches, pauses, frozen] = await Promise.all([
    needs.installing.filesOf(ids),
    needs.inventory.searches(ids),
    needs.providers.pauses(ids),
    needs.installing.frozen(ids),
  ]);
  const shapes = new Map(judged.map((shape) => [shape.id, shape]));
  return rows.flatMap((row): Item[] => {
    const shape = shapes.get(row.shape);
    // Changed between the two reads: it is on the next page that is asked for.
    if (!shape) return [];
    const own = <T extends { item: string }>(of: readonly T[]) => of.filter(({ item }) => item === row.id);
    const tracks = JSON.parse(row.tracks) as Track[];
    const there = new Set(tracks.flatMap(({ relative }) => relative ?? []));
    const known: Known = {
      files: own(files),
      searches: own(searches),
      pauses: own(pauses),
      frozen: own(frozen),
      there,
      asked,
      first,
    };
    return [
      {
        id: row.id,
        title: row.title,
        kind: row.kind,
        ...(row.year !== null && { year: row.year }),
        ...(row.context !== null && { context: row.context }),
        file: row.file,
        modified: iso(row.modified),
        ready: shape.status === 'ready',
        missing: shape.missing,
        languages: statesOf(row, { tracks, missing: shape.missing, which }, known),
      },
    ];
  });
}

/** One state for each language and role that is there, and one for each language that is missing. */
function statesOf(
  row: ItemTable,
  { tracks, missing, which }: { tracks: readonly Track[]; missing: readonly string[] } & Pick<Shown, 'which'>,
  known: Known,
): LanguageState[] {
  const languageOf = (track: Track): string =>
    track.language ?? (track.source === 'sidecar' ? (known.first ?? 'und') : 'und');
  const groups = Map.groupBy(tracks, (track) => `${languageOf(track)} ${track.role}`);
  const present = [...groups.values()].map((group) => {
    const best = [...group].sort((a, b) => rank(b) - rank(a))[0] as Track;
    return stateOf(languageOf(best), best, known);
  });
  const absent = missing
    .filter((language) => !present.some((state) => state.language === language && state.role === 'normal'))
    .map((language) => emptyState(language, known, row));
  const isShown =
    which && [...absent, ...present].some(({ language, role }) => language === which.language && role === which.role);
  if (which && !isShown) absent.push(emptyState(which.language, known, row, which.role));
  const isAsked = (language: string) => known.asked.some((one) => covers(language, one));
  return [...absent, ...present].sort(
    (a, b) =>
      Number(isAsked(b.language)) - Number(isAsked(a.language)) ||
      (a.language < b.language ? -1 : a.language > b.language ? 1 : 0) ||
      (a.role < b.role ? -1 : 1),
  );
}

/** Of several in one language the one that counts is shown, and of those the file that somebody put there. */
const rank = (track: Track): number =>
  (counts(track) ? 4 : 0) + (track.hidden ? 0 : 2) + (track.source === 'sidecar' ? 1 : 0);

/** The row of a file that was written or put back here. One that was edited elsewhere since is no longer known. */
export const rowOf = (track: Track, files: readonly FileTable[]): FileTable | undefined =>
  // By its bytes and not by its name, which moves with the video. Only a file whose name says no language has one here that it does not say.
  track.source === 'embedded'
    ? undefined
    : files.find(
        ({ language, role, size, modified }) =>
          (track.language === undefined || language === track.language) &&
          role === track.role &&
          size === track.size &&
          modified === track.modified,
      );

/** What an Owner can have back: `row` is of the file that stands there, `back` the one by which there is a way back. */
export function waysBack(
  row: FileTable | undefined,
  back: { row: FileTable; isGone: boolean } | undefined,
): Pick<LanguageState, 'originalAvailable' | 'restorable'> {
  const { original, before } = back ? waysOf(back.row, back.isGone) : {};
  return {
    originalAvailable: original !== undefined || (row?.delivered ?? null) !== null,
    restorable: (original ?? before) !== undefined,
  };
}

function stateOf(language: string, track: Track, known: Known): LanguageState {
  const row = rowOf(track, known.files);
  const ours = row?.origin === 'own' ? undefined : row;
  const why: Evidence[] = ours ? (JSON.parse(ours.evidence) as Evidence[]) : [];
  return {
    ...emptyState(language, known),
    role: track.role,
    installed: {
      source: ours?.source ?? track.source,
      ...(ours && { ...(ours.score !== null && { score: ours.score }), installedAt: iso(ours.at) }),
      match: ours?.match ?? (track.source === 'embedded' ? 'embedded' : 'found'),
      managed: ours !== undefined,
      format: track.format,
      hidden: track.hidden === true,
    },
    evidence: [...why, ...notes(track)],
    // A hidden one is out of the way on purpose: it comes back when its suffix goes.
    ...(track.source === 'sidecar' && !track.hidden && waysBack(row, backOf(track, { row, language, known }))),
    ...(!counts(track) && { reason: whyNot(track) }),
  };
}

/** The row by which there is a way back from a file: its own, or of the one that was there before somebody changed it. */
function backOf(
  track: Track,
  { row, language, known: { files, there } }: { row: FileTable | undefined; language: string; known: Known },
): { row: FileTable; isGone: boolean } | undefined {
  if (row) return { row, isGone: false };
  const found = files.find((one) => one.language === language && one.role === track.role);
  return found && { row: found, isGone: found.relative === track.relative || !there.has(found.relative) };
}

function notes(track: Track): Evidence[] {
  if (track.language === undefined && track.source === 'sidecar')
    return [{ kind: 'default', detail: 'names no language, so it counts for the first configured one', points: 0 }];
  return track.picture
    ? [{ kind: 'picture', detail: 'made of pictures, which not every player can show', points: 0 }]
    : [];
}

function whyNot(track: Track): string {
  if (track.hidden) return 'hidden';
  if (track.picture) return 'made of pictures, so it does not count as text';
  if (track.commentary) return 'a commentary';
  return 'only the lines of foreign speech';
}

function emptyState(
  language: string,
  { files, searches, pauses, frozen, there }: Known,
  row?: ItemTable,
  role: LanguageState['role'] = 'normal',
): LanguageState {
  const search = searches.find((one) => one.language === language);
  // What ended before the last search was made says nothing any more.
  const until = pauses
    .filter((one) => one.language === language && one.until > (search?.at ?? 0))
    .map((one) => one.until);
  const isFrozen = frozen.some((one) => one.language === language);
  // One that was deleted by hand, or taken back.
  const gone = files.find(
    (one) =>
      one.language === language &&
      (role === 'normal' ? one.role !== 'forced' : one.role === role) &&
      !there.has(one.relative),
  );
  const reason =
    search?.reason ??
    (row?.state === 'broken'
      ? 'the file cannot be read'
      : row?.state === 'unknown'
        ? 'the file was not looked into yet'
        : undefined);
  return {
    language,
    role,
    evidence: [],
    ...waysBack(undefined, gone && { row: gone, isGone: true }),
    replaceable: !isFrozen,
    ...(search && { lastSearch: iso(search.at) }),
    ...(until.length > 0 && { nextRetry: iso(Math.min(...until)) }),
    ...(reason !== undefined && { reason }),
  };
}

/**
 * Yields the items that are due, one after the other: missing subtitles first, then possible upgrades, those untried
 * for longest first.
 *
 * Reads small pages while the batch runs, so a large library causes no delay and items that were settled meanwhile are
 * not tried. Each item and language is yielded once.
 */
import type { CatalogBackground } from '../../catalog/index.ts';
import type { WantedSubtitle } from '../../contract/subtitles/states.ts';
import { covers } from '../../lib/languages.ts';
import { distinctLanguages, type WantedSource, wantedOf } from '../wanted.ts';
import { countsAsText, isCovered, isSameSubtitle } from '../inventory/coverage.ts';
import type { InventoryTrack } from '../store/rows.ts';
import { MIN_POINTS_GAINED } from '../fetching/replaceable.ts';
import type { CountedShape, InventoryStore } from '../store/inventory.ts';
import type { DuePosition, UpkeepStore } from '../store/upkeep.ts';

export interface DueNeeds {
  inventory: Pick<InventoryStore, 'shapes'>;
  upkeep: UpkeepStore;
  catalog: Pick<CatalogBackground, 'libraries'>;
  wanted: Pick<WantedSource, 'first' | 'in'>;
  now(): number;
}
export interface DueScope {
  /** Only this language, in the kinds that are wanted of it, even where none is. Default: everything wanted. */
  language?: string | undefined;
  library?: string | undefined;
}
export interface DueSubtitle extends WantedSubtitle {
  id: string;
  /** The subtitle is missing, was fetched and may be upgraded, or is the user's own and may be replaced. */
  kind: 'missing' | 'fetched' | 'own';
}

const PAGE_SIZE = 50;
/** Maximum number of users' own files examined in one run. Most of them cannot be replaced. */
const MAX_OWN_FILES = 500;
const DAY_MS = 86_400_000;
/** Milliseconds until the next upgrade attempt, for a fetched file and for a user's own file. */
export const UPGRADE_INTERVAL_MS = { fetched: DAY_MS, own: 30 * DAY_MS } as const;
const MAX_SCORE = 100;

interface Shapes {
  missing: string[];
  /** Shapes in `missing` without an unsuccessful search for the language. */
  untried: string[];
  ready: string[];
}

/** Returns what a scope wants in each library that can be reached. */
function wantedByLibrary(
  { catalog, wanted }: DueNeeds,
  { language, library }: DueScope,
): Map<string, readonly WantedSubtitle[]> {
  const online = catalog.libraries().filter((one) => one.isOnline && (library === undefined || one.id === library));
  return new Map(
    online.map(({ id }) => [id, language === undefined ? wanted.in(id) : wantedOf(wanted.in(id), language)]),
  );
}

/**
 * Returns everything that a scope wants. Within a language, subtitles for the hard of hearing come first, because they
 * also cover a wanted regular one.
 */
function allWanted(needs: DueNeeds, scope: DueScope): WantedSubtitle[] {
  const all = [...wantedByLibrary(needs, scope).values()].flat();
  return distinctLanguages(all).flatMap((language) =>
    (['sdh', 'normal', 'forced'] as const)
      .map((role) => ({ language, role }))
      .filter((one) => all.some((other) => isSameSubtitle(one, other))),
  );
}

async function shapesOf(needs: DueNeeds, wanted: WantedSubtitle, scope: DueScope): Promise<Shapes> {
  const inLibrary = wantedByLibrary(needs, scope);
  const known = (await needs.inventory.shapes()).filter(
    ({ state, library }) =>
      state === 'known' && inLibrary.get(library)?.some((one) => isSameSubtitle(one, wanted)) === true,
  );
  const first = needs.wanted.first();
  const isMissing = ({ held }: CountedShape) => !isCovered(held, wanted, first);
  const missing = known.filter(isMissing);
  return {
    missing: missing.map(({ id }) => id),
    untried: missing.filter(({ unfound }) => !unfound.some((one) => isSameSubtitle(one, wanted))).map(({ id }) => id),
    ready: known.filter((shape) => !isMissing(shape)).map(({ id }) => id),
  };
}

/** Returns the number of missing subtitles that are due, counted up to `limit`. */
export async function countMissing(
  needs: DueNeeds,
  { limit, ...scope }: DueScope & { limit: number },
): Promise<number> {
  let all = 0;
  for (const wanted of allWanted(needs, scope)) {
    if (all >= limit) break;
    const { missing: shapes, untried } = await shapesOf(needs, wanted, scope);
    all += await needs.upkeep.countMissing({ ...wanted, shapes, untried, now: needs.now(), limit: limit - all });
  }
  return all;
}

/**
 * Yields due items. With `withUpgrades`, possible upgrades follow the missing ones. Users' own files are included only
 * if a provider identifies files by their hash.
 */
export async function* dueSubtitles(
  needs: DueNeeds,
  scope: DueScope,
  { withUpgrades, knowsHashes }: { withUpgrades: boolean; knowsHashes: boolean },
): AsyncGenerator<DueSubtitle> {
  const seen = new Set<string>();
  const fresh = (one: DueSubtitle): boolean => !seen.has(keyOf(one)) && seen.add(keyOf(one)).size > 0;
  const all = allWanted(needs, scope);
  for (const wanted of all) yield* missing(needs, wanted, { scope, fresh });
  if (!withUpgrades) return;
  for (const wanted of all) yield* pages(async () => fetched(needs, wanted, { scope, seen: seen.size }), fresh);
  if (knowsHashes)
    for (const language of distinctLanguages(all.filter(({ role }) => role === 'normal')))
      yield* own(needs, language, scope);
}

const keyOf = ({ id, language, role }: DueSubtitle): string => `${id} ${language} ${role}`;

/** Reads pages until one has nothing new. Tried items are not due any more, so the rest moves up. */
async function* pages(
  read: () => Promise<DueSubtitle[]>,
  fresh: (one: DueSubtitle) => boolean,
): AsyncGenerator<DueSubtitle> {
  for (;;) {
    const found = (await read()).filter(fresh);
    if (found.length === 0) return;
    yield* found;
  }
}

/**
 * Yields missing subtitles page by page. Each page begins after the previous one, so that tried and skipped items are
 * not read again.
 */
async function* missing(
  needs: DueNeeds,
  wanted: WantedSubtitle,
  { scope, fresh }: { scope: DueScope; fresh: (one: DueSubtitle) => boolean },
): AsyncGenerator<DueSubtitle> {
  await needs.upkeep.endImpossiblePauses({ ...wanted, now: needs.now() });
  for (let after: DuePosition | undefined; ;) {
    const { missing: shapes, untried } = await shapesOf(needs, wanted, scope);
    const due = await needs.upkeep.missing({ ...wanted, shapes, untried, now: needs.now(), limit: PAGE_SIZE, after });
    const last = due.at(-1);
    if (!last) return;
    after = last.position;
    yield* due.map(({ item }): DueSubtitle => ({ ...wanted, id: item, kind: 'missing' })).filter(fresh);
  }
}

async function fetched(
  needs: DueNeeds,
  wanted: WantedSubtitle,
  { scope, seen }: { scope: DueScope; seen: number },
): Promise<DueSubtitle[]> {
  const { ready: shapes } = await shapesOf(needs, wanted, scope);
  const due = await needs.upkeep.fetched({
    language: wanted.language,
    shapes,
    now: needs.now(),
    limit: PAGE_SIZE + seen,
    below: MAX_SCORE - MIN_POINTS_GAINED,
  });
  return due.map(({ item, language, role }) => ({ id: item, language, role, kind: 'fetched' }));
}

/**
 * Yields users' own files that could be replaced. The others (most items have embedded text or several files) are
 * postponed without a search.
 */
async function* own(needs: DueNeeds, language: string, scope: DueScope): AsyncGenerator<DueSubtitle> {
  const wanted = { language, role: 'normal' as const };
  const isWorth = ({ tracks }: { tracks: readonly InventoryTrack[] }): boolean => {
    const [first, ...others] = tracks.filter(
      (track) => countsAsText(track) && track.language !== undefined && covers(track.language, language),
    );
    return first?.source === 'sidecar' && first.format === 'srt' && first.language === language && others.length === 0;
  };
  const yielded = new Set<string>();
  for (let examined = 0; examined < MAX_OWN_FILES; examined += PAGE_SIZE) {
    const { ready: shapes } = await shapesOf(needs, wanted, scope);
    const rows = (
      await needs.upkeep.own({ ...wanted, shapes, now: needs.now(), limit: PAGE_SIZE + yielded.size })
    ).filter(({ item }) => !yielded.has(item));
    if (rows.length === 0) return;
    const until = needs.now() + UPGRADE_INTERVAL_MS.own;
    await needs.upkeep.postponeUpgrades(
      rows.filter((row) => !isWorth(row)).map(({ item }) => ({ ...wanted, item, until })),
    );
    for (const { item } of rows.filter(isWorth)) {
      yielded.add(item);
      yield { ...wanted, id: item, kind: 'own' };
    }
  }
}

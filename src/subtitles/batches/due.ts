/**
 * Yields the items that are due, one after the other: missing subtitles first, then possible upgrades, those untried
 * for longest first.
 *
 * Reads small pages while the batch runs, so a large library causes no delay and items that were settled meanwhile are
 * not tried. Each item and language is yielded once.
 */
import type { CatalogBackground } from '../../catalog/index.ts';
import { covers } from '../../lib/languages.ts';
import { countsAsText, judgeShape } from '../inventory/coverage.ts';
import type { InventoryTrack } from '../store/rows.ts';
import { MIN_POINTS_GAINED } from '../fetching/replaceable.ts';
import type { CountedShape, InventoryStore } from '../store/inventory.ts';
import type { DuePosition, UpkeepStore } from '../store/upkeep.ts';

export interface DueNeeds {
  inventory: Pick<InventoryStore, 'shapes'>;
  upkeep: UpkeepStore;
  catalog: Pick<CatalogBackground, 'libraries'>;
  languages(): readonly string[];
  now(): number;
}
export interface DueScope {
  languages: readonly string[];
  library?: string | undefined;
}
export interface DueSubtitle {
  id: string;
  language: string;
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

async function shapesOf(
  { inventory, catalog, languages }: DueNeeds,
  language: string,
  library: string | undefined,
): Promise<Shapes> {
  const online = new Set(
    catalog
      .libraries()
      .filter((one) => one.isOnline && (library === undefined || one.id === library))
      .map(({ id }) => id),
  );
  const known = (await inventory.shapes()).filter((shape) => shape.state === 'known' && online.has(shape.library));
  const isMissing = (shape: CountedShape) =>
    judgeShape(shape, { languages: [language], first: languages()[0], isOnline: () => true }).missing.length > 0;
  const missing = known.filter(isMissing);
  return {
    missing: missing.map(({ id }) => id),
    untried: missing.filter(({ unfound }) => !unfound.includes(language)).map(({ id }) => id),
    ready: known.filter((shape) => !isMissing(shape)).map(({ id }) => id),
  };
}

/** Returns the number of items that are due and lack one of these languages, counted up to `limit`. */
export async function countMissing(
  needs: DueNeeds,
  { languages, library, limit }: DueScope & { limit: number },
): Promise<number> {
  let all = 0;
  for (const language of languages) {
    if (all >= limit) break;
    const { missing: shapes, untried } = await shapesOf(needs, language, library);
    all += await needs.upkeep.countMissing({ language, shapes, untried, now: needs.now(), limit: limit - all });
  }
  return all;
}

/**
 * Yields due items. With `withUpgrades`, possible upgrades follow the missing ones. Users' own files are included only
 * if a provider identifies files by their hash.
 */
export async function* dueSubtitles(
  needs: DueNeeds,
  wanted: DueScope,
  { withUpgrades, knowsHashes }: { withUpgrades: boolean; knowsHashes: boolean },
): AsyncGenerator<DueSubtitle> {
  const seen = new Set<string>();
  const fresh = (one: DueSubtitle): boolean =>
    !seen.has(`${one.id} ${one.language}`) && seen.add(`${one.id} ${one.language}`).size > 0;
  for (const language of wanted.languages) yield* missing(needs, language, wanted, fresh);
  if (!withUpgrades) return;
  for (const language of wanted.languages) yield* pages(async () => fetched(needs, language, wanted, seen.size), fresh);
  if (knowsHashes) for (const language of wanted.languages) yield* own(needs, language, wanted);
}

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
  language: string,
  { library }: DueScope,
  fresh: (one: DueSubtitle) => boolean,
): AsyncGenerator<DueSubtitle> {
  await needs.upkeep.endImpossiblePauses({ language, now: needs.now() });
  for (let after: DuePosition | undefined; ;) {
    const { missing: shapes, untried } = await shapesOf(needs, language, library);
    const due = await needs.upkeep.missing({ language, shapes, untried, now: needs.now(), limit: PAGE_SIZE, after });
    const last = due.at(-1);
    if (!last) return;
    after = last.position;
    yield* due.map(({ item }): DueSubtitle => ({ id: item, language, kind: 'missing' })).filter(fresh);
  }
}

async function fetched(needs: DueNeeds, language: string, { library }: DueScope, seen: number): Promise<DueSubtitle[]> {
  const { ready: shapes } = await shapesOf(needs, language, library);
  const due = await needs.upkeep.fetched({
    language,
    shapes,
    now: needs.now(),
    limit: PAGE_SIZE + seen,
    below: MAX_SCORE - MIN_POINTS_GAINED,
  });
  return due.map((one) => ({ id: one.item, language: one.language, kind: 'fetched' }));
}

/**
 * Yields users' own files that could be replaced. The others (most items have embedded text or several files) are
 * postponed without a search.
 */
async function* own(needs: DueNeeds, language: string, { library }: DueScope): AsyncGenerator<DueSubtitle> {
  const isWorth = ({ tracks }: { tracks: readonly InventoryTrack[] }): boolean => {
    const [first, ...others] = tracks.filter(
      (track) => countsAsText(track) && track.language !== undefined && covers(track.language, language),
    );
    return first?.source === 'sidecar' && first.format === 'srt' && first.language === language && others.length === 0;
  };
  const yielded = new Set<string>();
  for (let examined = 0; examined < MAX_OWN_FILES; examined += PAGE_SIZE) {
    const { ready: shapes } = await shapesOf(needs, language, library);
    const rows = (
      await needs.upkeep.own({ language, shapes, now: needs.now(), limit: PAGE_SIZE + yielded.size })
    ).filter(({ item }) => !yielded.has(item));
    if (rows.length === 0) return;
    const until = needs.now() + UPGRADE_INTERVAL_MS.own;
    await needs.upkeep.postponeUpgrades(
      rows.filter((row) => !isWorth(row)).map(({ item }) => ({ item, language, until })),
    );
    for (const { item } of rows.filter(isWorth)) {
      yielded.add(item);
      yield { id: item, language, kind: 'own' };
    }
  }
}

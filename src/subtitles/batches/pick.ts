/**
 * Picks the items that are due, one after the other: missing subtitles first, then possible upgrades, those that were
 * not tried for the longest time first.
 *
 * Reads small pages while the batch runs, so a large library causes no delay and items that were settled meanwhile are
 * not tried. Each item and language is picked once.
 */
import type { CatalogBackground } from '../../catalog/index.ts';
import { covers } from '../../lib/languages.ts';
import { counts, judge } from '../inventory/coverage.ts';
import type { Track } from '../store/rows.ts';
import { CLEARLY } from '../fetching/standing.ts';
import type { CountedShape, InventoryStore } from '../store/inventory.ts';
import type { Spot, UpkeepStore } from '../store/upkeep.ts';

export interface PickNeeds {
  inventory: Pick<InventoryStore, 'shapes'>;
  upkeep: UpkeepStore;
  catalog: Pick<CatalogBackground, 'libraries'>;
  languages(): readonly string[];
  now(): number;
}
export interface Wanted {
  languages: readonly string[];
  library?: string | undefined;
}
export interface Pick1 {
  id: string;
  language: string;
  /** The subtitle is missing, was fetched and may be upgraded, or is the user's own and may be replaced. */
  kind: 'missing' | 'fetched' | 'own';
}

const PAGE = 50;
/** Items whose own files are looked at in one run: most have none that could be replaced. */
const MOST_OWN = 500;
const DAY = 86_400_000;
/** Time until the next search for something better than a fetched file, and than a user's own file. */
export const LOOK_AGAIN = { fetched: DAY, own: 30 * DAY } as const;
const BEST = 100;

interface Shapes {
  missing: string[];
  /** Those of `ready` without an unsuccessful search for the language. */
  untried: string[];
  ready: string[];
}

async function shapesOf(
  { inventory, catalog, languages }: PickNeeds,
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
    judge(shape, { languages: [language], first: languages()[0], isOnline: () => true }).missing.length > 0;
  const missing = known.filter(isMissing);
  return {
    missing: missing.map(({ id }) => id),
    untried: missing.filter(({ unfound }) => !unfound.includes(language)).map(({ id }) => id),
    ready: known.filter((shape) => !isMissing(shape)).map(({ id }) => id),
  };
}

/** How many items lack one of these languages and are due, counted no further than `limit`. */
export async function countMissing(
  needs: PickNeeds,
  { languages, library, limit }: Wanted & { limit: number },
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
 * With `isBettering`, possible upgrades follow the missing ones. Users' own files only where a provider knows files by
 * their hash.
 */
export async function* picks(
  needs: PickNeeds,
  wanted: Wanted,
  { isBettering, knowsHashes }: { isBettering: boolean; knowsHashes: boolean },
): AsyncGenerator<Pick1> {
  const seen = new Set<string>();
  const fresh = (one: Pick1): boolean =>
    !seen.has(`${one.id} ${one.language}`) && seen.add(`${one.id} ${one.language}`).size > 0;
  for (const language of wanted.languages) yield* missing(needs, language, wanted, fresh);
  if (!isBettering) return;
  for (const language of wanted.languages) yield* pages(async () => fetched(needs, language, wanted, seen.size), fresh);
  if (knowsHashes) for (const language of wanted.languages) yield* own(needs, language, wanted);
}

/** Asks for the next page until it brings nothing new: what was tried is due no more, and the rest has moved up. */
async function* pages(read: () => Promise<Pick1[]>, fresh: (one: Pick1) => boolean): AsyncGenerator<Pick1> {
  for (;;) {
    const found = (await read()).filter(fresh);
    if (found.length === 0) return;
    yield* found;
  }
}

/** Page after page, each from where the one before ended: what was tried or passed over is not read again. */
async function* missing(
  needs: PickNeeds,
  language: string,
  { library }: Wanted,
  fresh: (one: Pick1) => boolean,
): AsyncGenerator<Pick1> {
  await needs.upkeep.believe({ language, now: needs.now() });
  for (let after: Spot | undefined; ;) {
    const { missing: shapes, untried } = await shapesOf(needs, language, library);
    const due = await needs.upkeep.missing({ language, shapes, untried, now: needs.now(), limit: PAGE, after });
    const last = due.at(-1);
    if (!last) return;
    after = last.spot;
    yield* due.map(({ item }): Pick1 => ({ id: item, language, kind: 'missing' })).filter(fresh);
  }
}

async function fetched(needs: PickNeeds, language: string, { library }: Wanted, seen: number): Promise<Pick1[]> {
  const { ready: shapes } = await shapesOf(needs, language, library);
  const due = await needs.upkeep.fetched({
    language,
    shapes,
    now: needs.now(),
    limit: PAGE + seen,
    below: BEST - CLEARLY,
  });
  return due.map((one) => ({ id: one.item, language: one.language, kind: 'fetched' }));
}

/** Most items have text inside, or several files: they are put off without being asked about. */
async function* own(needs: PickNeeds, language: string, { library }: Wanted): AsyncGenerator<Pick1> {
  const isWorth = ({ tracks }: { tracks: readonly Track[] }): boolean => {
    const [first, ...others] = tracks.filter(
      (track) => counts(track) && track.language !== undefined && covers(track.language, language),
    );
    return first?.source === 'sidecar' && first.format === 'srt' && first.language === language && others.length === 0;
  };
  const given = new Set<string>();
  for (let looked = 0; looked < MOST_OWN; looked += PAGE) {
    const { ready: shapes } = await shapesOf(needs, language, library);
    const rows = (await needs.upkeep.own({ language, shapes, now: needs.now(), limit: PAGE + given.size })).filter(
      ({ item }) => !given.has(item),
    );
    if (rows.length === 0) return;
    const until = needs.now() + LOOK_AGAIN.own;
    await needs.upkeep.looked(rows.filter((row) => !isWorth(row)).map(({ item }) => ({ item, language, until })));
    for (const { item } of rows.filter(isWorth)) {
      given.add(item);
      yield { id: item, language, kind: 'own' };
    }
  }
}

/**
 * The subtitle inventory of 50,000 films and episodes in three libraries, with subtitles in up to three languages of
 * which two are configured: pages at any depth, every order, every filter and searches, straight through the
 * operation with every reply written out as JSON.
 *
 * Asked twice: of an idle server, and while the inventory takes in changed rows, as it does during a scan.
 * By hand: `node bench/subtitles-inventory.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openDatabase, type Database } from '../src/lib/db/index.ts';
import { textsIn } from '../src/subtitles/inventory/coverage.ts';
import type { InventoryTrack } from '../src/subtitles/store/rows.ts';
import { readInventory, type InventoryQuery } from '../src/subtitles/inventory/inventory.ts';
import { installingStore } from '../src/subtitles/store/installing.ts';
import { inventoryStore, type NewItem } from '../src/subtitles/store/inventory.ts';
import { auditStore } from '../src/subtitles/store/audits.ts';
import { providerStore } from '../src/subtitles/store/providers.ts';
import { subtitleMigrations } from '../src/subtitles/store/migrations.ts';
import { quantile, report } from './report.ts';

const ITEMS = 50_000;
const AIM_MS = 50;
const LANGUAGES = ['en', 'de', 'pt'] as const;
const LIBRARIES = [
  { id: 'a'.repeat(16), name: 'Films', kind: 'movies', isOnline: true },
  { id: 'b'.repeat(16), name: 'Shows', kind: 'shows', isOnline: true },
  { id: 'c'.repeat(16), name: 'Attic', kind: 'mixed', isOnline: false },
] as const;
const WORDS = [
  'harbour',
  'lantern',
  'winter',
  'orchard',
  'signal',
  'copper',
  'meadow',
  'river',
  'engine',
  'velvet',
  'paper',
  'north',
  'glass',
  'thunder',
  'quiet',
  'garden',
  'island',
  'marble',
  'silver',
  'comet',
];
const AT = Date.UTC(2026, 0, 1);

/** The numbers of a small generator (mulberry32), so that every run has the same items. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const WANTED = ['en', 'de'].map((language) => ({ language, role: 'normal' as const }));

function itemOf(n: number, version = 0): NewItem {
  const next = numbers(n * 2 + 1);
  const isEpisode = n % 2 === 1;
  const word = () => WORDS[next(WORDS.length)] ?? 'word';
  const title = `The ${word()} ${word()} ${1 + next(400)}`;
  const file = `${isEpisode ? 'Shows' : 'Films'}/${title}/${title} ${n}.mkv`;
  const tracks: InventoryTrack[] = LANGUAGES.flatMap((language): InventoryTrack[] => {
    const held = (next(10) + version) % 10;
    if (held < 4)
      return [
        {
          source: 'sidecar',
          language,
          role: held === 0 ? 'forced' : 'normal',
          format: 'srt',
          relative: file.replace(/mkv$/, `${language}.srt`),
          size: 40_000 + n,
          modified: AT,
        },
      ];
    return held < 7 ? [{ source: 'embedded', language, role: 'normal', format: 'subrip', stream: 2 }] : [];
  });
  const context = isEpisode ? `S01E${String(n % 24).padStart(2, '0')} · ${word()}` : undefined;
  return {
    id: n.toString(16).padStart(16, '0'),
    library: LIBRARIES[n % 10 === 0 ? 2 : isEpisode ? 1 : 0].id,
    kind: isEpisode ? 'episode' : 'movie',
    title,
    sort: title.slice(4).toLowerCase(),
    words: `${title} ${context ?? ''}`.toLowerCase(),
    year: 1950 + next(76),
    context: context ?? null,
    file,
    size: 4e9 + version,
    modified: AT + next(1e9),
    state: n % 50 === 0 ? 'unknown' : n % 101 === 0 ? 'broken' : 'known',
    tracks,
    held: textsIn(tracks),
    part: null,
  };
}

async function populate(db: Database): Promise<void> {
  const items = inventoryStore(db);
  const installing = installingStore(db);
  const providers = providerStore(db);
  for (let from = 0; from < ITEMS; from += 500)
    await items.follow(
      Array.from({ length: 500 }, (_, n) => itemOf(from + n)),
      [],
      { change: from + 500, gone: 0 },
    );
  // State after a few months of use: unsuccessful searches, pauses, fetched files.
  for (let n = 0; n < ITEMS; n += 25) {
    const { id: item, library, file } = itemOf(n);
    await items.searched(
      item,
      { language: LANGUAGES[n % 3] ?? 'en', role: 'normal' },
      {
        at: AT,
        outcome: n % 2 === 0 ? 'nothing' : 'failed',
        why: { reason: 'no-good-match', values: {} },
      },
    );
    await providers.pause({ item, language: 'de', role: 'normal', provider: 'subtitles_a' }, () => ({
      failures: 1,
      until: AT,
      kind: 'nothing',
    }));
    const facts = {
      library,
      relative: `${file}.en.srt`,
      item,
      language: 'en',
      role: 'normal' as const,
      format: 'srt',
      source: 'subtitles_a',
      score: 85,
      match: 'verified' as const,
      evidence: [{ kind: 'ids', detail: 'the same film', points: 30 }],
      content: 'c'.repeat(64),
      origin: 'fetched' as const,
      delivered: null,
      candidate: null,
      preserved: {},
      at: AT,
    };
    await installing.done({ file: facts, act: 'fetched' }, { size: 40_000 + n, modified: AT });
  }
}

const PLAIN: InventoryQuery = { view: 'library', status: 'all', kind: 'all', sort: 'title', page: 1, limit: 40 };
const SORTS = ['title', 'modified', 'wanted', 'searched'] as const;

const depths = (query: Partial<InventoryQuery>, limit: number): InventoryQuery[] =>
  [0, 0.1, 0.5, 0.9, 1].map((part) => ({
    ...PLAIN,
    ...query,
    limit,
    page: 1 + Math.floor((ITEMS / limit - 1) * part),
  }));
/** Queries by the name of their row. */
const ASKED: Readonly<Record<string, readonly InventoryQuery[]>> = {
  'a page of 40 at any depth, every order': SORTS.flatMap((sort) => depths({ sort }, 40)),
  'a page of 200 at any depth, every order': SORTS.flatMap((sort) => depths({ sort }, 200)),
  'filters: status, kind, language, library, wanted': SORTS.flatMap((sort) =>
    [
      { status: 'wanted' as const },
      { status: 'ready' as const },
      { status: 'checking' as const },
      { status: 'unavailable' as const },
      { view: 'wanted' as const },
      { kind: 'episode' as const },
      { language: 'pt' },
      { library: LIBRARIES[1].id },
      { library: LIBRARIES[0].id, status: 'wanted' as const, language: 'de' },
      { view: 'summary' as const },
    ].flatMap((query) => [
      { ...PLAIN, ...query, sort },
      { ...PLAIN, ...query, sort, page: 120 },
    ]),
  ),
  'searches: common, rare, typed, none, with filters': SORTS.flatMap((sort) =>
    [
      { q: 'the' },
      { q: 'h' },
      { q: 'harb' },
      { q: 'harbour lantern 7' },
      { q: 's01e07 glass' },
      { q: 'nothing has this' },
      { q: 'winter', status: 'wanted' as const },
      { q: 'e', library: LIBRARIES[0].id, kind: 'movie' as const },
    ].flatMap((query) => [
      { ...PLAIN, ...query, sort },
      { ...PLAIN, ...query, sort, page: 30 },
    ]),
  ),
};

async function measure(db: Database, what: string, queries: readonly InventoryQuery[], rounds: number): Promise<void> {
  const needs = {
    inventory: inventoryStore(db),
    installing: installingStore(db),
    providers: providerStore(db),
    audits: auditStore(db),
    wanted: { first: () => 'en', in: () => WANTED, all: () => WANTED },
    libraries: () => LIBRARIES,
    providerStates: async () => [],
  };
  const ask = async (query: InventoryQuery): Promise<number> => {
    const since = performance.now();
    JSON.stringify(await readInventory(needs, query));
    return performance.now() - since;
  };
  for (const query of queries) await ask(query);
  const times: number[] = [];
  const slowest = { took: 0, query: {} as Partial<InventoryQuery> };
  for (let round = 0; round < rounds; round++) {
    for (const query of queries) {
      const took = await ask(query);
      times.push(took);
      if (took > slowest.took) Object.assign(slowest, { took, query });
      await setImmediate();
    }
  }
  const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)];
  report({
    what,
    figure: `p50 ${half.toFixed(1)} ms, p99 ${most.toFixed(1)} ms`,
    aim: `p99 under ${AIM_MS} ms`,
    met: most < AIM_MS,
    note: `slowest ${slowest.took.toFixed(1)} ms: ${said(slowest.query)}`,
  });
}

const said = (query: Partial<InventoryQuery>): string =>
  Object.entries(query)
    .filter(([name, value]) => value !== PLAIN[name as keyof InventoryQuery] || name === 'sort' || name === 'page')
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

/** Takes in changed rows in the small steps of the follower until it is stopped. */
async function follow(db: Database, isOver: () => boolean): Promise<number> {
  const items = inventoryStore(db);
  let written = 0;
  for (let from = 0; !isOver(); from = (from + 60) % ITEMS) {
    await items.follow(
      Array.from({ length: 60 }, (_, n) => itemOf((from + n) % ITEMS, 1 + Math.floor(written / ITEMS))),
      [],
      { change: ITEMS + written, gone: 0 },
    );
    written += 60;
    await setImmediate();
  }
  return written;
}

/** Reports one row for each kind of question, idle and while rows are taken in. */
export async function benchInventory({ rounds = 6 }: { rounds?: number } = {}): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
  const db = await openDatabase({ file: join(home, 'matinee.db'), migrations: subtitleMigrations });
  try {
    await populate(db);
    for (const [what, queries] of Object.entries(ASKED))
      await measure(db, `inventory of 50,000 items, three languages: ${what}`, queries, rounds);
    let isOver = false;
    const following = follow(db, () => isOver);
    await measure(db, 'the same while changes are taken in', Object.values(ASKED).flat(), 2);
    isOver = true;
    await following;
  } finally {
    await db.close();
    rmSync(home, { recursive: true, force: true });
  }
}

if (import.meta.main) await benchInventory();

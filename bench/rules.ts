/**
 * Rules of smart playlists over 100,000 synthetic items, in this process: the time of a question that was not asked
 * before, and of one whose result is kept. Then rules of 50 conditions on titles, sorted by five values: the time, and
 * the longest that they hold up the thread.
 *
 * By hand: `node bench/rules.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLibraryIndex } from '../src/catalog/core/library-index/index.ts';
import { kinds } from '../src/catalog/kinds/index.ts';
import { readingStore } from '../src/catalog/store/reading.ts';
import type { RuleAsker } from '../src/catalog/core/library-index/types.ts';
import type { WatchTable } from '../src/catalog/store/tables.ts';
import { MAX_RULE_LEAVES, type RuleGroup, type RuleQuery } from '../src/contract/catalog/rule-fields.ts';
import { OWNER_POLICY } from '../src/contract/identity/profiles.ts';
import { openDatabase } from '../src/lib/db/index.ts';
import { MIGRATIONS } from '../src/migrations.ts';
import { populate } from './library.ts';
import { quantile, report } from './report.ts';

const ROUNDS = 200;
const LARGE_ROUNDS = 10;
const SIZES = { films: 60_000, shows: 800, episodes: 40_000 };
const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
const db = await openDatabase({ file: join(home, 'matinee.db'), migrations: MIGRATIONS });
await populate(db, SIZES, { name: 'media', path: join(home, 'media') });
const index = createLibraryIndex(kinds);
await index.load(readingStore(db).eachIndexRow);
await db.close();
rmSync(home, { recursive: true });

/** Seven conditions; another year makes another question. */
const question = (year: number, sort: RuleQuery['sort']): RuleQuery => ({
  rules: {
    match: 'all',
    rules: [
      { field: 'kind', is: 'in', value: ['movie', 'episode'] },
      { field: 'year', is: 'between', value: [year, 2030] },
      { field: 'watched', is: 'is', value: false },
      { field: 'duration', is: 'less', value: 12_000 },
      {
        match: 'any',
        rules: [
          { field: 'genre', is: 'in', value: ['Comedy', 'Crime'] },
          { field: 'communityRating', is: 'more', value: 7 },
          { field: 'added', is: 'within', value: '2w' },
        ],
      },
    ],
  },
  sort,
});
const asker = {
  policy: { ...OWNER_POLICY, rating: 16, unrated: true },
  watched: new Map(),
  watchKey: '',
  now: Date.parse('2026-11-20T12:00:00Z'),
  named: new Map(),
  namedKey: '',
  subtitled: { version: 0, all: new Set<string>(), byLanguage: new Map<string, ReadonlySet<string>>() },
};
const ask = (query: RuleQuery, by: RuleAsker = asker) => index.matching(query, by, { from: { index: 0 }, limit: 100 });
const timed = async (query: RuleQuery): Promise<number> => {
  const since = performance.now();
  await ask(query);
  return performance.now() - since;
};
async function measure(what: string, aim: number, next: (round: number) => RuleQuery): Promise<void> {
  for (let round = 0; round < 20; round++) await timed(next(-1 - round));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(next(round)));
  const half = quantile(times, 0.5);
  report({ what, figure: `p50 ${half.toFixed(2)} ms`, aim: `p50 under ${aim} ms`, met: half < aim });
}

/** Processor time of this thread. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Measures the time until the result, and the longest of its slices, between which other callbacks run. Slices are
 * measured as processor time of the thread, which the load of the machine hardly changes.
 */
async function measureLargest(): Promise<void> {
  const own: RuleAsker = { ...asker, watched: new Map(Array.from(watchRows(), (row) => [row.item, row])) };
  const sort = (['random', 'lastPlayed', 'plays', 'communityRating', 'added'] as const).map(
    (by) => ({ by, order: 'descending' }) as const,
  );
  const [times, slices]: number[][] = [[], []];
  for (let round = 0; round < LARGE_ROUNDS; round++) {
    const rules: RuleGroup = {
      match: 'any',
      not: true,
      rules: Array.from({ length: MAX_RULE_LEAVES }, (_, n) => ({
        field: 'title',
        is: 'contains',
        value: `no film has the title ${n} of round ${round}`,
      })),
    };
    const since = performance.now();
    let [last, longest] = [threadMs(), 0];
    const look = (): void => {
      const now = threadMs();
      longest = Math.max(longest, now - last);
      last = now;
      next = setImmediate(look);
    };
    let next = setImmediate(look);
    await ask({ rules, sort }, own);
    clearImmediate(next);
    times?.push(performance.now() - since);
    slices?.push(Math.max(longest, threadMs() - last));
  }
  report({
    what: `rules, ${MAX_RULE_LEAVES} conditions on titles, sorted by ${sort.length} values`,
    figure: `p50 ${quantile(times ?? [], 0.5).toFixed(0)} ms, longest ${Math.max(...(times ?? [])).toFixed(0)} ms`,
  });
  const longest = quantile(slices ?? [], 0.5);
  report({
    what: 'the longest that one of these holds up the thread',
    figure: `p50 ${longest.toFixed(1)} ms, longest ${Math.max(...(slices ?? [])).toFixed(1)} ms`,
    aim: 'p50 under 8 ms',
    met: longest < 8,
  });
}

function* watchRows(): Generator<WatchTable> {
  for (let n = 0; n < index.size(); n++)
    yield {
      ...{ profile: 'p', item: index.works.idAt(n), position: n % 5_000, watched: n % 2, play_count: n % 7 },
      ...{ last_played: n * 1_000, rating: n % 11, listed: null, dismissed: 0, session: null, sequence: null },
      ...{ part: null, part_offset: null, percent: null, file: null, file_offset: null },
    };
}

const matching = (await index.matching(question(1900, []), asker, { from: { index: 0 }, limit: 1 })).total;
await measure(`rules, seven conditions, ${index.size()} items, ${matching} match`, 15, (round) =>
  question(1900 + round / 1e3, []),
);
await measure('the same, sorted by two values', 30, (round) =>
  question(1900 + round / 1e3, [
    { by: 'communityRating', order: 'descending' },
    { by: 'year', order: 'ascending' },
  ]),
);
await measure('the same again, kept', 2, () => question(1900, []));
await measureLargest();

/**
 * Rules of smart playlists over 100,000 synthetic items, in this process: the time of a question that was not asked
 * before, and of one whose result is kept.
 *
 * By hand: `node bench/rules.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLibraryIndex } from '../src/catalog/core/library-index/index.ts';
import { kinds } from '../src/catalog/kinds/index.ts';
import { readingStore } from '../src/catalog/store/reading.ts';
import type { RuleQuery } from '../src/contract/catalog/rule-fields.ts';
import { OWNER_POLICY } from '../src/contract/identity/profiles.ts';
import { openDatabase } from '../src/lib/db/index.ts';
import { MIGRATIONS } from '../src/migrations.ts';
import { populate } from './library.ts';
import { quantile, report } from './report.ts';

const ROUNDS = 200;
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
const timed = (query: RuleQuery): number => {
  const since = performance.now();
  index.matching(query, asker, { from: { index: 0 }, limit: 100 });
  return performance.now() - since;
};
function measure(what: string, aim: number, next: (round: number) => RuleQuery): void {
  for (let round = 0; round < 20; round++) timed(next(-1 - round));
  const half = quantile(
    Array.from({ length: ROUNDS }, (_, round) => timed(next(round))),
    0.5,
  );
  report({ what, figure: `p50 ${half.toFixed(2)} ms`, aim: `p50 under ${aim} ms`, met: half < aim });
}
const matching = index.matching(question(1900, []), asker, { from: { index: 0 }, limit: 1 }).total;
measure(`rules, seven conditions, ${index.size()} items, ${matching} match`, 15, (round) =>
  question(1900 + round / 1e3, []),
);
measure('the same, sorted by two values', 30, (round) =>
  question(1900 + round / 1e3, [
    { by: 'communityRating', order: 'descending' },
    { by: 'year', order: 'ascending' },
  ]),
);
measure('the same again, kept', 2, () => question(1900, []));

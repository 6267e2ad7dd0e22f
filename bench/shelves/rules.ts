/**
 * A smart rule of seven conditions over 100,000 items of every kind, in this process: a question that was not asked
 * before, and one whose result is kept. The floor is the same conditions in a loop over plain objects.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLibraryIndex } from '../../src/catalog/core/library-index/index.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import { readingStore } from '../../src/catalog/store/reading.ts';
import type { RuleQuery } from '../../src/contract/catalog/rule-fields.ts';
import { OWNER_POLICY } from '../../src/contract/identity/profiles.ts';
import { openDatabase } from '../../src/lib/db/index.ts';
import { MIGRATIONS } from '../../src/migrations.ts';
import { quantile, report } from '../report.ts';
import { measured } from '../usage.ts';
import { populateMixed } from './mixed-library.ts';

const SIZES = {
  films: 25_000,
  shows: 400,
  episodes: 20_000,
  tracks: 34_000,
  audiobooks: 1_000,
  books: 5_000,
  photos: 15_000,
};
const ROUNDS = 200;
const WARM_UP = 20;
const [MAX_MS, MAX_KEPT_MS] = [15, 2];
const NOW = Date.parse('2026-11-20T12:00:00Z');
const TWO_WEEKS_MS = 14 * 86_400_000;
const KINDS: readonly string[] = ['movie', 'episode', 'track', 'book'];
const SOME_GENRES: readonly string[] = ['Comedy', 'Crime', 'Rock'];
const MAX_SECONDS = 12_000;
const MIN_RATING = 7;

/** Seven conditions, one of which may be about subtitles; another year makes another question. */
const questionOf = (year: number, isAboutSubtitles = false): RuleQuery => ({
  rules: {
    match: 'all',
    rules: [
      { field: 'kind', is: 'in', value: [...KINDS] },
      { field: 'year', is: 'between', value: [year, 2030] },
      { field: 'watched', is: 'is', value: false },
      isAboutSubtitles
        ? { field: 'subtitle', is: 'in', value: ['de', 'en'] }
        : { field: 'duration', is: 'less', value: MAX_SECONDS },
      {
        match: 'any',
        rules: [
          { field: 'genre', is: 'in', value: [...SOME_GENRES] },
          { field: 'communityRating', is: 'more', value: MIN_RATING },
          { field: 'added', is: 'within', value: '2w' },
        ],
      },
    ],
  },
  sort: [],
});

interface PlainItem {
  kind: string;
  year: number | null;
  duration: number | null;
  genres: readonly string[];
  rating: number | null;
  added: number;
}

const matches = ({ kind, year, duration, genres, rating, added }: PlainItem, from: number): boolean =>
  KINDS.includes(kind) &&
  year !== null &&
  year >= from &&
  year <= 2030 &&
  duration !== null &&
  duration < MAX_SECONDS &&
  (genres.some((one) => SOME_GENRES.includes(one)) ||
    (rating !== null && rating > MIN_RATING) ||
    NOW - added < TWO_WEEKS_MS);

export async function measureMixedRules(home: string): Promise<void> {
  const folder = join(home, 'rules');
  mkdirSync(folder, { recursive: true });
  const db = await openDatabase({ file: join(folder, 'bench.db'), migrations: MIGRATIONS });
  const paths = Object.fromEntries(
    ['films', 'music', 'audiobooks', 'books', 'photos'].map((kind) => [kind, join(folder, kind)]),
  ) as Parameters<typeof populateMixed>[2];
  const libraries = await populateMixed(db, SIZES, paths);
  const index = createLibraryIndex(kinds);
  const plain: PlainItem[] = [];
  const ids: string[] = [];
  await index.load((each) =>
    readingStore(db).eachIndexRow((row) => {
      each(row);
      ids.push(row.id);
      plain.push({
        kind: row.kind,
        year: row.year,
        duration: row.duration,
        genres: row.genres,
        rating: row.communityRating,
        added: row.added,
      });
    }),
  );
  await db.close();
  const withText = (part: number) => new Set(ids.filter((_, at) => at % part === 0));
  const subtitled = {
    version: 1,
    all: withText(2),
    byLanguage: new Map([
      ['de', withText(3)],
      ['en', withText(2)],
    ]),
  };
  const asker = {
    policy: { ...OWNER_POLICY, libraries },
    watched: new Map(),
    watchKey: '',
    now: NOW,
    named: new Map(),
    namedKey: '',
    subtitled,
  };
  const timed = async (work: () => unknown): Promise<number> => {
    const since = performance.now();
    await work();
    return performance.now() - since;
  };
  const ask = (year: number, isAboutSubtitles = false) =>
    index.matching(questionOf(year, isAboutSubtitles), asker, { from: { index: 0 }, limit: 100 });
  const half = async (work: (round: number) => unknown): Promise<number> => {
    for (let round = 0; round < WARM_UP; round++) await work(-1 - round);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await timed(() => work(round)));
    return quantile(times, 0.5);
  };
  const yearOf = (round: number): number => 1900 + round / 1e3;
  const found = (await ask(1900)).total;
  const { value, usage } = await measured(async () => ({
    fresh: await half((round) => ask(yearOf(round))),
    subtitles: await half((round) => ask(yearOf(round), true)),
    floor: await half((round) => plain.filter((item) => matches(item, yearOf(round))).length),
    kept: await half(() => ask(1900)),
  }));
  report({
    what: `rules: seven conditions over ${index.size()} mixed items, ${found} match`,
    figure: `p50 ${value.fresh.toFixed(2)} ms`,
    aim: `p50 ${MAX_MS} ms`,
    met: value.fresh <= MAX_MS,
    note: `a loop over objects ${value.floor.toFixed(2)} ms: ratio ${(value.fresh / value.floor).toFixed(1)}; ` + usage,
  });
  report({
    what: 'rules: seven conditions, one about subtitles',
    figure: `p50 ${value.subtitles.toFixed(2)} ms`,
    aim: `p50 ${MAX_MS} ms`,
    met: value.subtitles <= MAX_MS,
  });
  report({
    what: 'rules: the same again, kept',
    figure: `p50 ${value.kept.toFixed(2)} ms`,
    aim: `p50 ${MAX_KEPT_MS} ms`,
    met: value.kept <= MAX_KEPT_MS,
  });
}

/** The index returns what plain filtering and sorting of all rows would, after any sequence of changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/fast-check.ts';
import { itemFacts } from '../../../contract/catalog/kinds.ts';
import { OWNER_POLICY, type Policy } from '../../../contract/identity/profiles.ts';
import type { FacetCount, IndexPage, IndexQuery, IndexRow } from './types.ts';
import { createLibraryIndex, type LoadableIndex } from './index.ts';
import { kinds } from '../../kinds/index.ts';

const LIBRARIES = ['l1', 'l2'];
const id = (kind: string, n: number): string => `${kind}${n}`;

/** Certifications and their ages. */
const AGES: Readonly<Record<string, number>> = { 'TV-Y': 0, PG: 10, 'FSK 16': 16, R: 18 };
const film = fc.record({
  n: fc.nat(11),
  library: fc.constantFrom(...LIBRARIES),
  sortTitle: fc.constantFrom('alpha', 'alpha', 'beta', 'gamma', '000007 days', 'élan', 'zeta', ''),
  year: fc.option(fc.constantFrom(1999, 2001)),
  released: fc.option(fc.constantFrom(10, 20)),
  rating: fc.option(fc.constantFrom(...Object.keys(AGES))),
  communityRating: fc.option(fc.constantFrom(5, 7.5)),
  added: fc.nat(3),
  duration: fc.option(fc.constantFrom(60, 120)),
  resolution: fc.option(fc.constantFrom('sd', '1080p')),
  genres: fc.subarray(['Drama', 'Crime']),
  languages: fc.subarray(['en', 'de']),
});
const ALONE = { parent: null, section: null, number: null };
const rowOf = (
  kind: IndexRow['kind'],
  { n, ...rest }: { n: number } & Omit<IndexRow, 'id' | 'kind' | 'title' | 'originalTitle' | keyof typeof ALONE>,
  more: Partial<IndexRow> = {},
): IndexRow => ({
  id: id(kind, n),
  kind,
  title: rest.sortTitle,
  originalTitle: null,
  ...ALONE,
  ...rest,
  ...more,
});
const row = fc.oneof(
  film.map((one) => rowOf('movie', one)),
  film.map((one) => rowOf('show', { ...one, n: one.n % 3 })),
  fc
    .tuple(film, fc.nat(2), fc.nat(2), fc.option(fc.nat(3)))
    .map(([one, show, season, episode]) =>
      rowOf('episode', one, { parent: id('show', show), section: season, number: episode }),
    ),
);
const anyId = fc
  .tuple(fc.constantFrom('movie', 'show', 'episode'), fc.nat(11))
  .map(([kind, n]) => id(kind, kind === 'show' ? n % 3 : n));
const change = fc.record({
  rows: fc.array(row, { maxLength: 12 }),
  gone: fc.array(anyId, { maxLength: 5 }),
  rated: fc.array(fc.tuple(anyId, fc.option(fc.constantFrom(...Object.keys(AGES)), { nil: undefined })), {
    maxLength: 3,
  }),
});
const policy: fc.Arbitrary<Policy> = fc
  .record({
    libraries: fc.oneof(fc.constant('all' as const), fc.subarray(LIBRARIES)),
    rating: fc.constantFrom('all' as const, 0, 7, 10, 12, 16, 18),
    unrated: fc.boolean(),
    items: fc.record({ allowed: fc.array(anyId, { maxLength: 3 }), hidden: fc.array(anyId, { maxLength: 3 }) }),
  })
  .map((some) => ({ ...OWNER_POLICY, ...some }));
const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const query: fc.Arbitrary<IndexQuery> = fc.record({
  kinds: fc.constantFrom(['movie', 'show'], ['movie'], ['show'], ['movie', 'episode'], ['episode']),
  library: maybe(...LIBRARIES),
  genre: maybe('Drama'),
  year: maybe(2001),
  rating: maybe('R'),
  resolution: maybe('sd'),
  language: maybe('en'),
  sort: fc.constantFrom('title', 'added', 'year', 'released', 'rating', 'duration', 'random'),
  order: fc.constantFrom('ascending', 'descending'),
  seed: fc.nat(5),
  offset: fc.nat(6),
  limit: fc.integer({ min: 1, max: 8 }),
  except: fc.option(
    fc.subarray(['movie1', 'movie2', 'show1']).map((ids) => new Set(ids)),
    { nil: undefined },
  ),
  only: fc.option(
    fc
      .subarray(['movie0', 'movie1', 'movie2', 'show0', 'episode1', 'none'])
      .map((ids) => new Map(ids.map((one, n) => [one, n]))),
    { nil: undefined },
  ),
  letter: maybe('b', 'c', '#'),
}) as never;

/** Returns the rows with the ratings that count: those set by hand, and as stated. */
function rerated(
  stated: ReadonlyMap<string, IndexRow>,
  byHand: ReadonlyMap<string, string>,
): ReadonlyMap<string, IndexRow> {
  const ratingOf = (one: IndexRow): string | null => {
    const show = one.kind === 'episode' && one.parent !== null ? stated.get(one.parent) : undefined;
    const ofShow = show && byHand.get(show.id);
    const isInherited = one.rating === null || one.rating === show?.rating;
    return byHand.get(one.id) ?? (isInherited ? ofShow : undefined) ?? one.rating;
  };
  return new Map(Array.from(stated, ([key, one]) => [key, { ...one, rating: ratingOf(one) }]));
}

/** Whether an item is shown, computed in the simplest way, for comparison. */
function isItemShown(rows: ReadonlyMap<string, IndexRow>, one: IndexRow, by: Policy): boolean {
  const show = one.kind === 'episode' && one.parent !== null ? rows.get(one.parent) : undefined;
  const both = show ? [one, show] : [one];
  if (by.libraries !== 'all' && !both.every(({ library }) => by.libraries.includes(library))) return false;
  for (const { id: own } of both) {
    if (by.items.hidden.includes(own)) return false;
    if (by.items.allowed.includes(own)) return true;
  }
  return both.every(({ rating }) =>
    rating === null ? by.unrated : by.rating === 'all' || (AGES[rating] ?? NaN) <= by.rating,
  );
}
/** Computes the visible rows in the simplest way. */
const seen =
  (rows: ReadonlyMap<string, IndexRow>, by: Policy): ((row: IndexRow) => boolean) =>
  (one) =>
    one.kind === 'show' ? itemsOf(rows, one.id, by).size > 0 : isItemShown(rows, one, by);
function itemsOf(rows: ReadonlyMap<string, IndexRow>, show: string, by: Policy): Set<string> {
  const own = [...rows.values()].filter(
    (one) => one.kind === 'episode' && one.parent === show && isItemShown(rows, one, by),
  );
  return new Set(own.map((one) => one.id));
}
const VALUE: Record<string, (one: IndexRow) => number | null> = {
  added: (one) => one.added,
  year: (one) => one.year,
  rating: (one) => one.communityRating,
  duration: (one) => one.duration,
  released: (one) => one.released ?? (one.year === null ? null : (one.year - 1970) * 365.25),
};
const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byTitle = (a: IndexRow, b: IndexRow) =>
  text(a.sortTitle, b.sortTitle) || (a.year ?? 0) - (b.year ?? 0) || text(a.id, b.id);

function naive(rows: ReadonlyMap<string, IndexRow>, asked: IndexQuery, by: Policy): IndexRow[] {
  const isSeen = seen(rows, by);
  const all = (asked.only ? [...asked.only.keys()].flatMap((one) => rows.get(one) ?? []) : [...rows.values()]).filter(
    (one) =>
      isSeen(one) &&
      asked.kinds.includes(one.kind) &&
      (asked.library ?? one.library) === one.library &&
      (asked.year ?? one.year) === one.year &&
      (asked.rating ?? one.rating) === one.rating &&
      (asked.resolution ?? one.resolution) === one.resolution &&
      (asked.genre === undefined || one.genres.includes(asked.genre)) &&
      (asked.language === undefined || one.languages.includes(asked.language)) &&
      !asked.except?.has(one.id),
  );
  const of = VALUE[asked.sort];
  if (asked.sort === 'title') all.sort(byTitle);
  else if (of)
    all.sort((a, b) =>
      (of(a) ?? -Infinity) === (of(b) ?? -Infinity) ? -byTitle(a, b) : (of(a) ?? -Infinity) - (of(b) ?? -Infinity),
    );
  return asked.order === 'descending' ? all.toReversed() : all;
}
const counted = (values: (string | null)[]): FacetCount[] => {
  const known = values.filter((one) => one !== null);
  return [...new Set(known)].map((value) => ({ value, count: known.filter((one) => one === value).length }));
};
const inOrder = (all: readonly FacetCount[]) => all.toSorted((a, b) => text(a.value, b.value));

function compareLookups(index: LoadableIndex, rows: ReadonlyMap<string, IndexRow>, by: Policy): void {
  const isSeen = seen(rows, by);
  const { idAt, ...works } = index.works;
  const [workOf, slotOf] = [works.of(by), (one: string) => works.slotIn(`${one},`, 0, one.length)];
  for (const one of rows.values()) {
    const { id: own, kind, year, parent } = one;
    assert.deepEqual([index.row(own), works.place(own), idAt(slotOf(own))], [one, { kind, year }, own]);
    const found = [true, itemFacts(kind).canBeAlone === true ? null : parent];
    assert.deepEqual([index.isVisible(own, by), workOf(slotOf(own))], isSeen(one) ? found : [false, undefined]);
  }
  assert.deepEqual([works.place('none'), slotOf('none')], [undefined, -1]);
  for (const show of [0, 1, 2].map((n) => id('show', n)))
    assert.deepEqual(new Set(index.itemsOf(show, by)), itemsOf(rows, show, by));
  const tops = [...rows.values()].filter((one) => one.kind !== 'episode' && isSeen(one)).map(({ library }) => library);
  const all = [...rows.values()].filter(({ parent }) => parent === null);
  const { shown, total, hidden } = index.counts.shown(by);
  assert.deepEqual([shown, total], [all.filter(isSeen).length, all.length]);
  assert.equal(
    Object.values(hidden).reduce((a, b) => a + b),
    total - shown,
  );
  assert.deepEqual(
    inOrder([...index.counts.byLibrary(by)].map(([value, count]) => ({ value, count }))),
    inOrder(counted(tops)),
  );
}

test('every page, total, facet and letter equals plain filtering and sorting', () => {
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(query, policy), { minLength: 1, maxLength: 6 }),
      (changes, questions) => {
        const index = createLibraryIndex(kinds);
        const stated = new Map<string, IndexRow>();
        const byHand = new Map<string, string>();
        for (const { rows: put, gone, rated } of changes) {
          index.apply(put, gone);
          for (const one of gone) stated.delete(one);
          for (const one of put) stated.set(one.id, one);
          for (const [one, rating] of rated) {
            index.rate(one, rating);
            if (rating === undefined) byHand.delete(one);
            else byHand.set(one, rating);
          }
          const rows = rerated(stated, byHand);
          for (const [asked, by] of questions) compare(index.page(asked, by), naive(rows, asked, by), asked);
          for (const [, by] of questions) compareLookups(index, rows, by);
        }
        assert.equal(index.size(), stated.size);
      },
    ),
    { numRuns: 300 },
  );
});

function compare(page: IndexPage, all: readonly IndexRow[], asked: IndexQuery): void {
  assert.equal(page.total, all.length);
  const ids = all.map((one) => one.id);
  if ((asked.letter === undefined || asked.sort !== 'title') && asked.sort !== 'random') {
    assert.equal(page.offset, asked.offset);
    assert.deepEqual(page.ids, ids.slice(asked.offset, asked.offset + asked.limit));
  }
  if (asked.sort === 'random' && asked.offset === 0)
    assert.ok(
      page.ids.every((one) => ids.includes(one)) && new Set(page.ids).size === Math.min(asked.limit, ids.length),
    );
  assert.deepEqual(inOrder(page.facets.genres), inOrder(counted(all.flatMap(({ genres }) => genres))));
  assert.deepEqual(inOrder(page.facets.languages), inOrder(counted(all.flatMap(({ languages }) => languages))));
  assert.deepEqual(inOrder(page.facets.years), inOrder(counted(all.map(({ year }) => year?.toString() ?? null))));
  assert.deepEqual(inOrder(page.facets.ratings), inOrder(counted(all.map(({ rating }) => rating))));
  assert.deepEqual(inOrder(page.facets.resolutions), inOrder(counted(all.map(({ resolution }) => resolution))));
  assert.deepEqual(inOrder(page.facets.libraries), inOrder(counted(all.map(({ library }) => library))));
  if (asked.sort !== 'title') return assert.deepEqual(page.letters, []);
  const letterOf = (one: IndexRow) => (/^[a-z]/.test(one.sortTitle) ? (one.sortTitle[0] ?? '') : '#');
  for (const { letter, offset } of page.letters)
    assert.equal(
      offset,
      all.findIndex((one) => letterOf(one) === letter),
    );
  assert.deepEqual(new Set(page.letters.map(({ letter }) => letter)), new Set(all.map(letterOf)));
  if (asked.letter === undefined) return;
  const own = page.letters.find(({ letter }) => letter === asked.letter);
  const next = page.letters.find(
    ({ letter }) =>
      letter !== '#' && (asked.order === 'descending' ? letter < (asked.letter ?? '') : letter > (asked.letter ?? '')),
  );
  assert.equal(page.offset, (own ?? next)?.offset ?? all.length);
  assert.deepEqual(page.ids, ids.slice(page.offset, page.offset + asked.limit));
}

test('genres that differ in case or accents are one genre, counted in its usual spelling', () => {
  const index = createLibraryIndex(kinds);
  const genres = [['Comédie', 'comedie'], ['Comédie'], ['COMEDIE'], ['Drama'], ['drama', 'DRAMA'], ['drama']];
  index.apply(
    genres.map((own, n) =>
      rowOf('movie', {
        n,
        library: 'l1',
        sortTitle: `t${n}`,
        year: null,
        released: null,
        rating: n === 5 ? 'R' : 'G',
        communityRating: null,
        added: 0,
        duration: null,
        resolution: null,
        genres: own,
        languages: [],
      }),
    ),
    [],
  );
  const page = (genre: string | undefined, by: Policy) =>
    index.page({ kinds: ['movie'], genre, sort: 'title', order: 'ascending', offset: 0, limit: 50 }, by);
  for (const asked of ['comedie', 'Comédie', 'COMÉDIE', 'Come\u0301die'])
    assert.deepEqual(page(asked, OWNER_POLICY).ids, ['movie0', 'movie1', 'movie2'], asked);
  assert.deepEqual(page('DRAMA', OWNER_POLICY).ids, ['movie3', 'movie4', 'movie5']);
  assert.deepEqual(page(undefined, OWNER_POLICY).facets.genres, [
    { value: 'Comédie', count: 3 },
    { value: 'drama', count: 3 },
  ]);
  assert.deepEqual(
    page(undefined, { ...OWNER_POLICY, rating: 7, unrated: false }).facets.genres,
    [
      { value: 'Comédie', count: 3 },
      { value: 'DRAMA', count: 2 },
    ],
    'the spelling of what is hidden does not count',
  );
});

test('a random order is the same over all its pages, depends on the seed, and has every item once', () => {
  const index = createLibraryIndex(kinds);
  index.apply(
    Array.from({ length: 200 }, (_, n) =>
      rowOf('movie', {
        n,
        library: 'l1',
        sortTitle: `t${n}`,
        year: null,
        released: null,
        rating: null,
        communityRating: null,
        added: 0,
        duration: null,
        resolution: null,
        genres: [],
        languages: [],
      }),
    ),
    [],
  );
  const pages = (seed: number) =>
    [0, 50, 100, 150].flatMap(
      (offset) =>
        index.page({ kinds: ['movie'], sort: 'random', order: 'ascending', seed, offset, limit: 50 }, OWNER_POLICY).ids,
    );
  assert.equal(new Set(pages(1)).size, 200);
  assert.deepEqual(pages(1), pages(1));
  assert.notDeepEqual(pages(1), pages(2));
});

test('a cached result is not changed by other queries', () => {
  const index = createLibraryIndex(kinds);
  const one = {
    library: 'l1',
    year: 1999,
    released: null,
    rating: null,
    communityRating: null,
    added: 1,
    duration: null,
    resolution: null,
    languages: [],
  };
  index.apply(
    Array.from({ length: 40 }, (_, n) =>
      rowOf('movie', { ...one, n, sortTitle: String(n).padStart(2, '0'), genres: [n % 2 === 0 ? 'Drama' : 'Crime'] }),
    ),
    [],
  );
  const page = (genre: string, offset: number) =>
    index.page({ kinds: ['movie'], sort: 'title', order: 'ascending', genre, offset, limit: 10 }, OWNER_POLICY).ids;
  const even = Array.from({ length: 20 }, (_, n) => id('movie', n * 2));
  assert.deepEqual(page('Drama', 0), even.slice(0, 10));
  assert.equal(page('Crime', 0)[0], id('movie', 1));
  assert.deepEqual(page('Drama', 10), even.slice(10));
});

test('another country of the household is another reading of the same certifications, and is told', () => {
  const index = createLibraryIndex(kinds);
  const film = (n: number, rating: string | null) =>
    rowOf('movie', {
      n,
      library: 'l1',
      sortTitle: `t${n}`,
      year: null,
      released: null,
      rating,
      communityRating: null,
      added: 0,
      duration: null,
      resolution: null,
      genres: [],
      languages: [],
    });
  index.apply([film(0, 'A'), film(1, 'R'), film(2, null)], []);
  index.changes.take();
  const child: Policy = { ...OWNER_POLICY, rating: 12, unrated: false };
  const seenBy = (policy: Policy) =>
    index.page({ kinds: ['movie'], sort: 'title', order: 'ascending', offset: 0, limit: 9 }, policy).ids;
  assert.deepEqual(seenBy(child), [], 'the strictest meaning of A is for adults');
  index.useCountry('no');
  assert.deepEqual(seenBy(child), ['movie0'], 'and in Norway it is for everybody');
  assert.equal(index.ratingOf('movie0')?.age, 0);
  const isTold = index.changes.take();
  assert.deepEqual([isTold(child), isTold({ ...child, libraries: [] })], [true, false]);
  index.useCountry('us');
  assert.deepEqual([index.ratingOf('movie0')?.age, index.ratingOf('movie1')?.age], [18, 17]);
  assert.equal(index.ratingOf('movie2')?.age, undefined);
  index.useCountry(undefined);
  assert.deepEqual(seenBy(child), []);
});

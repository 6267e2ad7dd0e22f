/** A rule finds what testing each row on its own would find, as the Profile that asks, in the asked order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/fast-check.ts';
import { OWNER_POLICY, type Policy } from '../../../contract/identity/profiles.ts';
import { Rules } from '../../../contract/catalog/rules.ts';
import {
  isLeaf,
  leafFault,
  RULE_FIELDS,
  RULE_OPERATORS,
  type RuleField,
  type RuleGroup,
  type RuleLeaf,
  type RuleQuery,
} from '../../../contract/catalog/rule-fields.ts';
import { kinds } from '../../kinds/index.ts';
import type { WatchTable } from '../../store/tables.ts';
import { createLibraryIndex } from './index.ts';
import { makeRow } from './testing.ts';
import type { IndexRow, RuleAsker, SubtitledItems } from './types.ts';

const DAY = 86_400_000;
const NOW = 20_000 * DAY + 7;
const row = (id: string, more: Partial<IndexRow> = {}): IndexRow => makeRow(id, { added: 1_000 * DAY, ...more });
const ROWS: readonly IndexRow[] = [
  row('Amélie', { year: 2001, genres: ['Comedy', 'Romance'], rating: 'R', duration: 7_200, communityRating: 8.3 }),
  row('Brazil', { year: 1985, genres: ['Sci-Fi'], rating: 'PG', duration: 8_000, released: 5_500 }),
  row('Charade', { year: 1963, genres: ['comedy'], rating: 'PG', duration: 6_800, resolution: '1080p', library: 'l2' }),
  row('Dune', { year: 2021, languages: ['en', 'de'], rating: 'PG', added: NOW - 2 * DAY, communityRating: 8 }),
  row('Harbour', { kind: 'show', genres: ['Drama'], rating: 'PG' }),
  row('e1', {
    kind: 'episode',
    title: 'One',
    sortTitle: 'one',
    parent: 'Harbour',
    section: 1,
    number: 1,
    rating: 'PG',
  }),
  row('e2', { kind: 'episode', title: 'Two', sortTitle: 'two', parent: 'Harbour', section: 1, number: 2, rating: 'R' }),
];
const watch = (item: string, more: Partial<WatchTable>): WatchTable => ({
  profile: 'p',
  item,
  position: 0,
  watched: 0,
  play_count: 0,
  listed: null,
  rating: null,
  last_played: null,
  dismissed: 0,
  session: null,
  sequence: null,
  part: null,
  part_offset: null,
  percent: null,
  file: null,
  file_offset: null,
  ...more,
});
const SUBTITLED: SubtitledItems = {
  version: 1,
  all: new Set(['Amélie', 'Brazil', 'Dune', 'e1', 'unknown']),
  byLanguage: new Map([
    ['en', new Set(['Amélie', 'e1', 'unknown'])],
    ['de', new Set(['Dune', 'e1'])],
    ['de-at', new Set(['Dune'])],
  ]),
};
const WATCHED = new Map(
  [
    watch('Amélie', { watched: 1, play_count: 2, last_played: NOW - DAY, rating: 9 }),
    watch('Brazil', { position: 500, last_played: NOW - 40 * DAY, listed: 5 }),
    watch('e1', { watched: 1, play_count: 1, last_played: NOW - 3 * DAY, rating: 4 }),
  ].map((one) => [one.item, one]),
);

const index = createLibraryIndex(kinds);
await index.load(async (put) => ROWS.forEach(put));
const asker = (policy: Partial<Policy> = {}, named: RuleAsker['named'] = new Map()): RuleAsker => ({
  policy: { ...OWNER_POLICY, ...policy },
  watched: WATCHED,
  watchKey: 'p 1',
  now: NOW,
  named,
  namedKey: String(named.size),
  subtitled: SUBTITLED,
});
const all = { from: { index: 0 }, limit: 100 };
const matches = async (query: RuleQuery, by = asker()) => (await index.matching(query, by, all)).ids;
const where = (field: RuleField, is: RuleLeaf['is'], value: RuleLeaf['value'], by = asker()) =>
  matches({ rules: { match: 'all', rules: [{ field, is, value }] } }, by);

test('each field and operator', async () => {
  assert.deepEqual(await where('kind', 'is', 'episode'), ['e1', 'e2'], 'items only: shows are not played');
  assert.deepEqual(await where('kind', 'is', 'show'), []);
  assert.deepEqual(await where('library', 'in', ['l2', 'l3']), ['Charade']);
  assert.deepEqual(await where('title', 'is', 'amelie'), ['Amélie']);
  assert.deepEqual(await where('title', 'contains', 'ARA'), ['Charade']);
  assert.deepEqual(await where('title', 'begins', 'br'), ['Brazil']);
  assert.deepEqual(await where('series', 'begins', 'harb'), ['e1', 'e2']);
  assert.deepEqual((await where('series', 'missing', true)).length, 4);
  assert.deepEqual(await where('genre', 'is', 'COMEDY'), ['Amélie', 'Charade']);
  assert.deepEqual(
    await where('genre', 'in', ['romance', 'drama']),
    ['Amélie', 'e1', 'e2'],
    'episodes have those of the show',
  );
  assert.deepEqual(await where('genre', 'missing', true), ['Dune']);
  assert.deepEqual(await where('language', 'is', 'de'), ['Dune']);
  assert.deepEqual(await where('subtitle', 'is', 'de'), ['Dune', 'e1']);
  assert.deepEqual(await where('subtitle', 'is', 'de-AT'), ['Dune']);
  assert.deepEqual(await where('subtitle', 'is', 'fr'), []);
  assert.deepEqual(await where('subtitle', 'in', ['de', 'en', 'fr']), ['Amélie', 'Dune', 'e1']);
  assert.deepEqual(await where('subtitle', 'missing', true), ['Charade', 'e2']);
  assert.deepEqual(await where('subtitle', 'missing', false), ['Amélie', 'Brazil', 'Dune', 'e1']);
  assert.deepEqual(await where('year', 'is', 1985), ['Brazil']);
  assert.deepEqual(await where('year', 'between', [2001, 1985]), ['Amélie', 'Brazil']);
  assert.deepEqual(await where('year', 'less', 1985), ['Charade']);
  assert.deepEqual(await where('year', 'more', 2001), ['Dune']);
  assert.deepEqual(await where('year', 'missing', true), ['e1', 'e2']);
  assert.deepEqual(await where('released', 'missing', false), ['Brazil']);
  assert.deepEqual(await where('released', 'less', '1985-01-23'), ['Brazil']);
  assert.deepEqual(await where('released', 'less', '1985-01-22'), []);
  assert.deepEqual(await where('released', 'more', '1985-01-21'), ['Brazil']);
  assert.deepEqual(await where('released', 'more', '1985-01-22'), [], 'after means after the day');
  assert.deepEqual(await where('released', 'between', ['1985-01-22', '1985-01-22']), ['Brazil']);
  assert.deepEqual(await where('added', 'within', '3d'), ['Dune']);
  assert.deepEqual(await where('added', 'within', '1d'), []);
  assert.deepEqual(await where('duration', 'more', 7_000), ['Amélie', 'Brazil']);
  assert.deepEqual((await where('rating', 'is', 'pg')).length, 4);
  assert.deepEqual(await where('communityRating', 'more', 8), ['Amélie']);
  assert.deepEqual(await where('resolution', 'is', '1080p'), ['Charade']);
  assert.deepEqual(await where('watched', 'is', true), ['Amélie', 'e1']);
  assert.deepEqual(await where('watched', 'is', false), ['Brazil', 'Charade', 'Dune', 'e2']);
  assert.deepEqual(await where('position', 'more', 30), ['Brazil']);
  assert.deepEqual((await where('position', 'is', 0)).length, 5, 'nothing played is at the start');
  assert.deepEqual(await where('plays', 'more', 1), ['Amélie']);
  assert.deepEqual(await where('plays', 'is', 0), ['Brazil', 'Charade', 'Dune', 'e2']);
  assert.deepEqual(await where('lastPlayed', 'within', '7d'), ['Amélie', 'e1']);
  assert.deepEqual(await where('lastPlayed', 'missing', true), ['Charade', 'Dune', 'e2']);
  assert.deepEqual(await where('listed', 'is', true), ['Brazil']);
  assert.deepEqual(await where('myRating', 'more', 5), ['Amélie']);
  assert.deepEqual(await where('myRating', 'missing', true), ['Brazil', 'Charade', 'Dune', 'e2']);
});

test('studios, artists, albums, dynamic range and codecs; those of a group count for its items', async () => {
  const own = createLibraryIndex(kinds);
  await own.load(async (put) =>
    [
      row('Film', { studios: ['Gaumont', 'Pathé'], hdr: 'dolby-vision', codecs: ['hevc', 'truehd'] }),
      row('Plain', { codecs: ['h264', 'aac'] }),
      row('Harbour', { kind: 'show', studios: ['BBC'] }),
      row('e1', { kind: 'episode', parent: 'Harbour', codecs: ['h264'] }),
      row('Debut', { kind: 'album', artists: ['Björk'], studios: ['One Little'] }),
      row('Hum', { kind: 'track', parent: 'Debut', artists: ['Guest'], codecs: ['flac'] }),
      row('Sea', { kind: 'track', parent: 'Debut', codecs: ['mp3'] }),
      row('Tale', { kind: 'audiobook', artists: ['An Author'] }),
      row('Read', { kind: 'book', artists: ['An Author'] }),
    ].forEach(put),
  );
  const found = async (field: RuleField, is: RuleLeaf['is'], value: RuleLeaf['value'], by = asker()) =>
    (await own.matching({ rules: { match: 'all', rules: [{ field, is, value }] } }, by, all)).ids;
  assert.deepEqual(await found('studio', 'is', 'pathe'), ['Film']);
  assert.deepEqual(await found('studio', 'begins', 'b'), ['e1'], 'an episode has the studios of its show');
  assert.deepEqual(await found('studio', 'missing', true), ['Plain', 'Tale']);
  assert.deepEqual(await found('artist', 'is', 'bjork'), ['Sea'], 'a track without an artist has those of its album');
  assert.deepEqual(await found('artist', 'in', ['guest', 'an author']), ['Hum', 'Tale'], 'what is read is not played');
  assert.deepEqual(await found('album', 'contains', 'deb'), ['Hum', 'Sea']);
  assert.deepEqual(await found('album', 'missing', true), ['e1', 'Film', 'Plain', 'Tale']);
  assert.deepEqual(await found('series', 'contains', 'deb'), [], 'an album is no show');
  assert.deepEqual(await found('hdr', 'in', ['hlg', 'dolby-vision']), ['Film']);
  assert.deepEqual((await found('hdr', 'missing', true)).length, 5);
  assert.deepEqual(await found('codec', 'is', 'h264'), ['e1', 'Plain']);
  assert.deepEqual(await found('codec', 'in', ['truehd', 'flac']), ['Film', 'Hum']);
});

test('conditions that were looked up elsewhere, and rules as the one that asks', async () => {
  const leaf: RuleLeaf = { field: 'playlist', is: 'is', value: 'x' };
  const query: RuleQuery = { rules: { match: 'all', rules: [leaf] } };
  assert.deepEqual(await matches(query, asker({}, new Map([[leaf, new Set(['Dune', 'gone', 'e1'])]]))), ['Dune', 'e1']);
  assert.deepEqual(await matches(query), [], 'without a look-up nothing matches');
  const kids = asker({ rating: 12 });
  assert.deepEqual(await where('kind', 'in', ['movie', 'episode'], kids), ['Brazil', 'Charade', 'Dune', 'e1']);
  assert.deepEqual(await where('genre', 'is', 'romance', kids), []);
});

test('orders, limits and pages', async () => {
  const rules: RuleGroup = { match: 'any', rules: [] };
  assert.deepEqual(await matches({ rules }), ['Amélie', 'Brazil', 'Charade', 'Dune', 'e1', 'e2']);
  const by = (...sort: [string, 'ascending' | 'descending'][]) =>
    matches({ rules, sort: sort.map(([one, order]) => ({ by: one as 'year', order })) });
  assert.deepEqual((await by(['title', 'descending']))[0], 'e2');
  assert.deepEqual(await by(['year', 'descending']), ['Dune', 'Amélie', 'Brazil', 'Charade', 'e1', 'e2']);
  assert.deepEqual(
    await by(['year', 'ascending']),
    ['Charade', 'Brazil', 'Amélie', 'Dune', 'e1', 'e2'],
    'none is last',
  );
  assert.deepEqual(await by(['plays', 'descending'], ['title', 'descending']), [
    ...['Amélie', 'e1'],
    ...['e2', 'Dune', 'Charade', 'Brazil'],
  ]);
  assert.deepEqual((await by(['myRating', 'ascending'])).slice(0, 2), ['e1', 'Amélie']);
  assert.deepEqual((await by(['random', 'ascending'])).toSorted(), (await by(['title', 'ascending'])).toSorted());
  assert.deepEqual(await by(['random', 'ascending']), await by(['random', 'ascending']));
  const limited: RuleQuery = { rules, sort: [{ by: 'year', order: 'descending' }], limit: 3 };
  const page = (from: { after?: string; index: number }, limit: number) =>
    index.matching(limited, asker(), { from, limit });
  assert.deepEqual(await page({ index: 0 }, 2), { ids: ['Dune', 'Amélie'], start: 0, total: 3, duration: 15_200 });
  assert.deepEqual((await page({ after: 'Amélie', index: 9 }, 2)).ids, ['Brazil']);
  assert.deepEqual((await page({ after: 'gone', index: 2 }, 2)).ids, ['Brazil']);
});

const LEAVES: readonly RuleLeaf[] = [
  { field: 'watched', is: 'is', value: true },
  { field: 'genre', is: 'is', value: 'comedy' },
  { field: 'year', is: 'more', value: 1990 },
  { field: 'title', is: 'contains', value: 'a' },
  { field: 'library', is: 'is', value: 'l1' },
];
const group = fc.letrec<{ rule: RuleLeaf | RuleGroup; group: RuleGroup }>((tie) => ({
  rule: fc.oneof({ maxDepth: 3 }, fc.constantFrom(...LEAVES), tie('group')),
  group: fc.record({
    match: fc.constantFrom('all' as const, 'any' as const),
    not: fc.option(fc.boolean(), { nil: undefined }),
    rules: fc.array(tie('rule'), { maxLength: 4 }),
  }),
})).group;

test('nested groups are what sets of their conditions are', async () => {
  const everything = await matches({ rules: { match: 'all', rules: [] } });
  const sets = new Map<RuleLeaf, ReadonlySet<string>>();
  for (const leaf of LEAVES) sets.set(leaf, new Set(await matches({ rules: { match: 'all', rules: [leaf] } })));
  const holds = (rule: RuleLeaf | RuleGroup, id: string): boolean => {
    if (isLeaf(rule)) return sets.get(rule)?.has(id) === true;
    const each = rule.rules.map((one) => holds(one, id));
    const isMatch = each.length === 0 || (rule.match === 'all' ? each.every(Boolean) : each.some(Boolean));
    return rule.not === true ? !isMatch : isMatch;
  };
  await fc.assert(
    fc.asyncProperty(group, async (rules) => {
      assert.deepEqual(
        await matches({ rules }),
        everything.filter((id) => holds(rules, id)),
      );
    }),
    { seed: 7, numRuns: 400 },
  );
});

test('a cached result ends with what it depends on', async () => {
  const query: RuleQuery = { rules: { match: 'all', rules: [{ field: 'watched', is: 'is', value: false }] } };
  const before = await matches(query);
  const later = { ...asker(), watched: new Map(), watchKey: 'p 2' };
  assert.equal((await matches(query, later)).length, before.length + 2);
  const timed: RuleQuery = { rules: { match: 'all', rules: [{ field: 'added', is: 'within', value: '3d' }] } };
  assert.deepEqual(await matches(timed), ['Dune']);
  assert.deepEqual(await matches(timed, { ...asker(), now: NOW + 2 * DAY }), []);
  index.apply([row('Extra')], []);
  assert.ok((await matches(query)).includes('Extra'));
  index.apply([], ['Extra']);
});

test('a request is refused if a condition does not suit its field, or there are too many', () => {
  const leaf: RuleLeaf = { field: 'year', is: 'is', value: 1999 };
  const accepted = (rules: unknown) => Rules.safeParse(rules).success;
  const nested = (depth: number): unknown => ({ match: 'all', rules: [depth === 1 ? leaf : nested(depth - 1)] });
  assert.deepEqual(
    [1, 4, 5].map((depth) => accepted(nested(depth))),
    [true, true, false],
  );
  const many = (count: number) => ({
    match: 'any',
    rules: Array.from({ length: 5 }, () => ({ match: 'all', rules: Array.from({ length: count }, () => leaf) })),
  });
  assert.deepEqual(
    [10, 11].map((count) => accepted(many(count))),
    [true, false],
  );
  const wrong: RuleLeaf[] = [
    { field: 'year', is: 'contains', value: '19' },
    { field: 'year', is: 'is', value: '1999' },
    { field: 'year', is: 'between', value: [1] },
    { field: 'title', is: 'is', value: '' },
    { field: 'title', is: 'in', value: 'x' },
    { field: 'watched', is: 'is', value: 1 },
    { field: 'added', is: 'within', value: '30 days' },
    { field: 'added', is: 'less', value: 'yesterday' },
    { field: 'genre', is: 'missing', value: 'yes' },
  ];
  for (const one of wrong) {
    assert.ok(leafFault(one), JSON.stringify(one));
    assert.equal(accepted({ match: 'all', rules: [one] }), false, JSON.stringify(one));
  }
  for (const [field, type] of Object.entries(RULE_FIELDS) as [RuleField, keyof typeof RULE_OPERATORS][])
    assert.equal(leafFault({ field, is: 'within', value: '30d' }) === undefined, type === 'date', field);
});

test('subtitles: slots follow the index, a new version is asked again, and a hidden item changes nothing', async () => {
  const own = createLibraryIndex(kinds);
  await own.load(async (put) => [row('a'), row('b', { library: 'l2' }), row('c')].forEach(put));
  const german = new Set(['a', 'b', 'late']);
  const subtitled = { version: 1, all: german, byLanguage: new Map([['de', german]]) };
  const query: RuleQuery = { rules: { match: 'all', rules: [{ field: 'subtitle', is: 'is', value: 'de' }] } };
  const asked = (more: Partial<RuleAsker> = {}) => own.matching(query, { ...asker(), subtitled, ...more }, all);
  assert.deepEqual((await asked()).ids, ['a', 'b']);
  own.apply([row('other'), row('late')], ['a']);
  assert.deepEqual((await asked()).ids, ['b', 'late'], 'a slot that was freed and given again is not mistaken');
  const fewer = new Set(['c']);
  const later = { version: 2, all: fewer, byLanguage: new Map([['de', fewer]]) };
  assert.deepEqual((await asked({ subtitled: later })).ids, ['c']);
  const child = { ...OWNER_POLICY, libraries: ['l1'] };
  const reply = await asked({ policy: child });
  const without = { version: 3, all: new Set(['late']), byLanguage: new Map([['de', new Set(['late'])]]) };
  assert.deepEqual(
    reply,
    await asked({ policy: child, subtitled: without }),
    'the subtitle of a hidden film changes nothing',
  );
  assert.deepEqual(reply.ids, ['late']);
});

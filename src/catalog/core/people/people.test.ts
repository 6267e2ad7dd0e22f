/** People: who is the same person, the pages of people, the search, and that hidden items change nothing of them. */
import assert from 'node:assert/strict';
import { OWNER_POLICY, type Policy } from '../../../contract/identity/profiles.ts';
import type { Database } from '../../../lib/db/index.ts';
import { eachEngine } from '../../../lib/db/testing.ts';
import { kinds } from '../../kinds/index.ts';
import { catalogMigrations } from '../../store/migrations.ts';
import { readingStore } from '../../store/reading.ts';
import type { ItemToStore, Person } from '../../store/records.ts';
import { scanningStore } from '../../store/scanning.ts';
import { createLibraryIndex } from '../library-index/index.ts';
import { personId } from './identity.ts';
import { createPeople } from './index.ts';

const id = (n: number): string => n.toString(16).padStart(16, '0');
const KID: Policy = { ...OWNER_POLICY, rating: 12, unrated: true };
const actor = (name: string, role?: string, tmdb?: string): Person => ({
  name,
  ...(role !== undefined && { role }),
  job: 'actor',
  ...(tmdb !== undefined && { ids: { tmdb }, picture: `/${tmdb}.jpg` }),
});

function item(
  n: number,
  title: string,
  people: Person[],
  { detail, ...more }: Partial<Omit<ItemToStore, 'detail'>> & { detail?: Partial<ItemToStore['detail']> } = {},
): ItemToStore {
  return {
    id: id(n),
    library: id(1),
    key: `k${n}`,
    kind: 'movie',
    title,
    sort_title: title.toLowerCase(),
    original_title: null,
    year: 1950 + n,
    released: null,
    rating: 'G',
    community_rating: null,
    added: 0,
    duration: 100,
    resolution: null,
    genres: [],
    languages: [],
    images: {},
    show: null,
    season: null,
    season_number: null,
    episode_number: null,
    episode_end: null,
    confidence: 1,
    present: 1,
    missing: null,
    detail: { studios: [], people, ids: {}, evidence: [], ...detail },
    ...more,
  };
}

async function open(db: Database) {
  const [scanning, reading, index] = [scanningStore(db), readingStore(db), createLibraryIndex(kinds)];
  const people = createPeople({ db, reading, failed: (error) => assert.fail(String(error)) });
  const put = async (...items: ItemToStore[]) => {
    const changes = await scanning.put({ folders: [], files: [], infos: [], noInfos: [], items, left: [], now: 1 });
    index.apply(
      changes.flatMap(({ row }) => row ?? []),
      [],
    );
    await people.index.catchUp();
  };
  const seen = (policy: Policy = OWNER_POLICY) =>
    people.seenBy(
      { store: reading, index, kinds, isOnline: () => true, rootOf: (library) => `/${library}` },
      async () => ({ policy, watched: new Map(), isOwner: false }),
      policy,
    );
  const works = async (person: string, policy?: Policy) =>
    (await seen(policy).person(person, { limit: 100 }))?.items.map(
      ({ item: { title }, credits, parts = 0 }) =>
        `${title}${parts > 0 ? `*${parts}` : ''}: ${credits.map(({ job, role }) => role ?? job).join(', ')}`,
    );
  const names = async (q: string, policy?: Policy, limit = 20) =>
    (await seen(policy).search({ q, limit })).items.map(({ name, items }) => `${name} ${items}`);
  return { db, index, people, scanning, put, seen, works, names };
}
const each = (name: string, work: (w: Awaited<ReturnType<typeof open>>) => Promise<void>): void =>
  eachEngine(name, catalogMigrations, async (_t, db) => work(await open(db)));

each('a name without an id is the only person of that name with one', async ({ put, works, seen }) => {
  const [hepburn, other, bare] = [
    personId(actor('', '', '1932')),
    personId(actor('', '', '77')),
    personId({ name: 'AUDREY  Hepburn' }),
  ];
  await put(
    item(13, 'Charade', [actor('Audrey Hepburn', 'Regina', '1932'), actor('Cary Grant', 'Peter')]),
    item(4, 'Sabrina', [actor('Audrey Hepburn', 'Sabrina')]),
    item(3, 'Holiday', [actor('Audrey Kathleen Hepburn', 'Ann', '1932')]),
  );
  const all = ['Charade: Regina', 'Sabrina: Sabrina', 'Holiday: Ann'];
  assert.deepEqual(await works(hepburn), all);
  assert.deepEqual(await works(bare), all, 'the id of the name stays valid');
  const page = await seen().person(bare, { limit: 1 });
  assert.deepEqual([page?.id, page?.name, page?.ids, page?.total], [hepburn, 'Audrey Hepburn', { tmdb: '1932' }, 3]);
  const more = await seen().person(hepburn, { limit: 5, cursor: page?.nextCursor });
  assert.deepEqual(
    more?.items.map(({ item: { title } }) => title),
    ['Sabrina', 'Holiday'],
  );
  await put(item(5, 'Another', [actor('Audrey Hepburn', 'Herself', '77')]));
  assert.deepEqual(await works(hepburn), ['Charade: Regina', 'Holiday: Ann'], 'two have the name');
  assert.deepEqual(await works(other), ['Another: Herself']);
  assert.deepEqual(await works(bare), ['Sabrina: Sabrina']);
});

each('episodes count as their show, and works are listed by kind and year', async ({ put, works }) => {
  const episode = (n: number, people: Person[]) =>
    item(n, `Part ${n}`, people, { kind: 'episode', show: id(20), season_number: 1, episode_number: n });
  const author = personId({ name: 'Jo Writer' });
  const [narrator, kept] = [personId({ name: 'Ned Voice' }), personId(actor('Ann Actor'))];
  await put(
    item(20, 'Show', [], { kind: 'show', duration: null }),
    episode(21, [actor('Ann Actor', 'Guest'), { name: 'Ann Actor', job: 'director' }]),
    episode(22, [actor('Ann Actor', 'Ghost')]),
    item(11, 'Old', [actor('Ann Actor')]),
    item(12, 'New', [actor('Ann Actor', 'Star')]),
    item(30, 'Told', [], {
      kind: 'audiobook',
      detail: { audiobook: { narrators: ['Ned Voice'] }, music: { artists: ['Jo Writer', 'Ned Voice'] } },
    }),
  );
  assert.deepEqual(await works(kept), ['New: Star', 'Old: actor', 'Show*2: Guest, director, Ghost']);
  assert.deepEqual(await works(author), ['Told: author']);
  assert.deepEqual(await works(narrator), ['Told: narrator']);
  await put(item(12, 'New', []), episode(22, []));
  assert.deepEqual(await works(kept), ['Old: actor', 'Show*1: Guest, director'], 'credits follow the items');
  await put(item(11, 'Old', []), episode(21, []));
  assert.equal(await works(kept), undefined);
});

each('the search: exact names first, then by works, words in any order, scripts without spaces', async (w) => {
  await w.put(
    ...Array.from({ length: 5 }, (_, n) => item(40 + n, `F${n}`, [actor('Tom Hanks', 'Lead', '31')])),
    item(50, 'One', [actor('Tom Hafner'), actor('Tom'), actor('三船敏郎'), actor('Zoë Łu')]),
    item(51, 'Two', [actor('Tom Hafner'), actor('Tomas Berg')]),
  );
  assert.deepEqual(await w.names('tom'), ['Tom 1', 'Tom Hanks 5', 'Tom Hafner 2', 'Tomas Berg 1']);
  assert.deepEqual(await w.names('tom', undefined, 2), ['Tom 1', 'Tom Hanks 5']);
  assert.deepEqual(await w.names('hanks tom'), ['Tom Hanks 5']);
  assert.deepEqual(await w.names('敏郎'), ['三船敏郎 1']);
  assert.deepEqual(await w.names('zoe lu'), ['Zoë Łu 1']);
  assert.deepEqual(await w.names('t'), []);
  assert.deepEqual((await w.seen().search({ q: 'hanks', limit: 5 })).items[0]?.jobs, ['actor']);
});

each('what hidden items say about people changes no byte for a child', async ({ put, seen, works }) => {
  const shown = [
    item(60, 'Seen', [actor('Eve Star', 'Mother'), actor('Bo Low', 'Dog', '5')]),
    item(61, 'Also', [actor('Eve Star', 'Aunt'), actor('Al Ace', '', '9'), actor('Ada Star')]),
  ];
  await put(...shown);
  const looks = async () => {
    const ids = [
      actor('Eve Star'),
      actor('', '', '5'),
      actor('', '', '9'),
      actor('', '', '666'),
      actor('Bo Low'),
      actor('Hidden Person'),
    ].map(personId);
    const kid = seen(KID);
    return JSON.stringify([
      ...(await Promise.all(ids.map(async (one) => (await kid.person(one, { limit: 10 })) ?? null))),
      ...(await Promise.all(['eve', 'bo', 'al', 'hidden', 'st', 'lo'].map((q) => kid.search({ q, limit: 3 })))),
      await kid.picture(personId(actor('', '', '5'))),
    ]);
  };
  const before = await looks();
  await put(
    // Other spellings, an id for a bare name, a second person of a name, and many credits of few.
    item(70, 'Secret', [actor('EVE STAR', 'Villain', '666'), actor('Bo L. Low', 'Wolf', '5')], { rating: 'R' }),
    item(71, 'Darker', [actor('Bo Low', 'Other', '55'), actor('Hidden Person')], { rating: 'R' }),
    ...Array.from({ length: 9 }, (_, n) =>
      item(80 + n, `R${n}`, [actor('Al Ace', 'Killer', '9'), actor('Ada Star', 'Boss')], { rating: 'R' }),
    ),
    item(
      95,
      'Crowd',
      Array.from({ length: 80 }, (_, n) => actor(`Lois Star${n}`)),
      { rating: 'R' },
    ),
  );
  assert.equal(await looks(), before);
  assert.deepEqual(await works(personId(actor('Hidden Person'))), ['Darker: actor'], 'the Owner sees it');
});

each('a person with more credits than are read at once', async ({ put, works }) => {
  const shows = ['Harbour', 'Lantern'].map((title, i) => item(5000 + i, title, [], { kind: 'show' }));
  const director: Person = { name: 'Dana Long', job: 'director' };
  const role = (n: number) => (n % 2 === 0 ? 'Keeper' : 'Pilot');
  // From the 600th on the facts of neighbours differ, and those before come back in the other show.
  const episode = (n: number) => {
    const isOther = n % 7 === 0;
    return item(n, `Part ${n}`, n < 600 || isOther ? [director] : [director, actor('Dana Long', role(n))], {
      kind: 'episode',
      show: shows[isOther ? 1 : 0]?.id ?? '',
      season_number: 1,
      episode_number: n,
      rating: n % 100 === 0 ? 'R' : 'G',
    });
  };
  // Two full portions: the third is empty.
  await put(...shows, ...Array.from({ length: 1000 }, (_, i) => episode(i + 1)));
  const id = personId(director);
  assert.deepEqual(await works(id), ['Lantern*142: director', 'Harbour*858: director, Keeper, Pilot']);
  assert.deepEqual(await works(id, KID), ['Lantern*141: director', 'Harbour*849: director, Pilot, Keeper']);
  await put(episode(1001));
  assert.deepEqual(await works(id), ['Lantern*143: director', 'Harbour*858: director, Keeper, Pilot']);
});

each('kept credits follow the index and the credits', async ({ index, people, scanning, put, works }) => {
  const director: Person = { name: 'Dana Long', job: 'director' };
  const episode = (n: number, persons: readonly Person[]) =>
    item(n, `Part ${n}`, [...persons], {
      kind: 'episode',
      show: id(5000),
      season_number: 1,
      episode_number: n,
      rating: n % 100 === 0 ? 'R' : 'G',
    });
  await put(
    item(5000, 'Harbour', [], { kind: 'show' }),
    ...Array.from({ length: 520 }, (_, i) => episode(i + 1, [director])),
  );
  const person = personId(director);
  for (let again = 0; again < 2; again++) {
    assert.deepEqual(await works(person), ['Harbour*520: director']);
    assert.deepEqual(await works(person, KID), ['Harbour*515: director'], 'each Profile sees its own');
  }
  const store = async (...items: ItemToStore[]) => {
    const changes = await scanning.put({ folders: [], files: [], infos: [], noInfos: [], items, left: [], now: 1 });
    return changes.flatMap(({ row }) => row ?? []);
  };
  // Another item takes the slot of one that went, before the credits know it.
  index.apply(await store(item(6000, 'Elsewhere', [])), [id(5)]);
  assert.deepEqual(await works(person), ['Harbour*519: director']);
  const [row] = await store(episode(6, []), episode(7, []));
  index.apply(row ? [row] : [], []);
  assert.deepEqual(await works(person), ['Harbour*519: director']);
  await people.index.catchUp();
  assert.deepEqual(await works(person), ['Harbour*517: director']);
});

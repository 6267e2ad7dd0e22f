/** The inventory: its counts always equal a recount of every item, its pages are the sorted whole, on both engines. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Subject } from '../../catalog/index.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import type { Database } from '../../lib/db/index.ts';
import { readInventory, type InventoryQuery, type InventoryReply } from './inventory.ts';
import { inventoryRowOf } from './item.ts';
import { installingStore } from '../store/installing.ts';
import { inventoryStore } from '../store/inventory.ts';
import { providerStore } from '../store/providers.ts';
import { subtitleMigrations } from '../store/migrations.ts';

const LIBRARIES = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc'] as const;
const ALL: InventoryQuery = { view: 'library', status: 'all', kind: 'all', sort: 'title', page: 1, limit: 40 };
const AT = Date.UTC(2026, 10, 21);

/** A subtitle as the tests say it: `en`, `en:forced`, `en:picture`, `en:hidden`, `en:inside`, `-` for none. */
type Said = string;
interface Thing {
  n: number;
  library: number;
  isEpisode: boolean;
  /** Whether the file was looked into, or is broken. */
  state: 'known' | 'unknown' | 'broken';
  said: readonly Said[];
  version: number;
}

const idOf = (n: number): string => n.toString(16).padStart(16, '0');
const TITLES = ['The Lighthouse', 'Éclair', 'Zebra 2', 'Zebra 10', 'A Night', 'lighthouse II'];

function subjectOf({ n, library, isEpisode, state, said, version }: Thing): Subject {
  const relative = `Folder ${n}/Video ${n}.mkv`;
  const parts = said.map((one) => ({
    language: one.split(':')[0] === '-' ? undefined : one.split(':')[0],
    marks: one.split(':').slice(1),
  }));
  const stream = {
    type: 'subtitle' as const,
    default: false,
    hearingImpaired: false,
    commentary: false,
    original: false,
    cover: false,
  };
  const streams = parts.flatMap(({ language, marks }, index) =>
    marks.includes('inside')
      ? [
          {
            ...stream,
            index,
            codec: marks.includes('picture') ? 'hdmv_pgs_subtitle' : 'subrip',
            forced: marks.includes('forced'),
            commentary: marks.includes('commentary'),
            ...(language !== undefined && { language }),
          },
        ]
      : [],
  );
  const sidecars = parts.flatMap(({ language, marks }, index) =>
    marks.includes('inside')
      ? []
      : [
          {
            relative: `Folder ${n}/Video ${n}.${index}.srt`,
            name: `Video ${n}.${index}.srt`,
            language,
            role: marks.includes('forced')
              ? ('forced' as const)
              : marks.includes('sdh')
                ? ('sdh' as const)
                : ('normal' as const),
            format: marks.includes('picture') ? 'sup' : 'srt',
            title: undefined,
            isHidden: marks.includes('hidden'),
            isDefault: false,
            size: 100 + index,
            modifiedMs: AT,
            version: idOf(n),
          },
        ],
  );
  const title = TITLES[n % TITLES.length] ?? '';
  return {
    id: idOf(n),
    kind: isEpisode ? 'episode' : 'movie',
    title: isEpisode ? `Part ${n}` : title,
    year: isEpisode ? undefined : 1950 + n,
    show: isEpisode ? { id: 'd'.repeat(16), title, year: 2001, ids: {} } : undefined,
    season: isEpisode ? 1 : undefined,
    episode: isEpisode ? n : undefined,
    episodeEnd: undefined,
    ids: {},
    added: AT,
    available: true,
    files: [
      {
        id: idOf(n),
        item: idOf(n),
        library: LIBRARIES[library] ?? LIBRARIES[0],
        root: '/media',
        relative,
        size: 1000 + version,
        modifiedMs: AT + n * 1000 + version,
        part: 1,
        info: state === 'known' ? { container: 'matroska', size: 1000, streams, chapters: [], tags: {} } : undefined,
        available: state !== 'broken',
      },
    ],
    sidecars,
    editLists: [],
    change: 0,
    gone: false,
  };
}

/** Whether a thing has text in a language: written again, and plainly, for the comparison. */
function has(thing: Thing, language: string, first: string | undefined): boolean {
  return thing.said.some((one) => {
    const [tag = '', ...marks] = one.split(':');
    if (marks.includes('inside') && thing.state !== 'known') return false;
    if (['forced', 'hidden', 'picture', 'commentary'].some((mark) => marks.includes(mark))) return false;
    if (tag === '-') return !marks.includes('inside') && language === first;
    return tag === language || tag.startsWith(`${language}-`);
  });
}

interface Model {
  things: Map<number, Thing>;
  unfound: Map<number, Set<string>>;
}
const OFFLINE = 1;
const REMOVED = 2;
const MUSIC = 'eeeeeeeeeeeeeeee';

function recount({ things, unfound }: Model, languages: readonly string[], first: string | undefined) {
  const totals = { total: 0, ready: 0, wanted: 0, pending: 0, unavailable: 0 };
  for (const thing of things.values()) {
    if (thing.library === REMOVED) continue;
    totals.total++;
    if (languages.length === 0) continue;
    const missing = languages.filter((language) => !has(thing, language, first));
    const isVain = missing.every((language) => unfound.get(thing.n)?.has(language));
    if (missing.length === 0) totals.ready++;
    else if (thing.library === OFFLINE || thing.state === 'broken') totals.unavailable++;
    else if (thing.state === 'unknown') totals.pending++;
    else if (isVain) totals.unavailable++;
    else totals.wanted++;
  }
  return totals;
}

const answer = (
  db: Database,
  languages: readonly string[],
  query: Partial<InventoryQuery> = {},
): Promise<InventoryReply> =>
  readInventory(
    {
      inventory: inventoryStore(db),
      installing: installingStore(db),
      providers: providerStore(db),
      languages: () => languages,
      libraries: () => [
        { id: LIBRARIES[0], name: 'Films', kind: 'movies', isOnline: true },
        { id: LIBRARIES[OFFLINE], name: 'Attic', kind: 'mixed', isOnline: false },
        { id: MUSIC, name: 'Records', kind: 'music', isOnline: true },
      ],
      providerStates: async () => [],
    },
    { ...ALL, ...query },
  );
const totalsOf = ({ total, ready, wanted, pending, unavailable }: InventoryReply) => ({
  total,
  ready,
  wanted,
  pending,
  unavailable,
});

const said = fc.constantFrom(
  'en',
  'en-us',
  'pt',
  'pt-br',
  'de',
  '-',
  'en:forced',
  'en:picture',
  'en:hidden',
  'en:sdh',
  'en:inside',
  'pt:inside:forced',
  '-:inside',
  'de:inside:picture',
  'de:inside:commentary',
  'pt-br:inside',
);
const thing = fc.record({
  n: fc.integer({ min: 1, max: 12 }),
  library: fc.integer({ min: 0, max: 2 }),
  isEpisode: fc.boolean(),
  state: fc.constantFrom('known' as const, 'known' as const, 'unknown' as const, 'broken' as const),
  said: fc.array(said, { maxLength: 4 }),
  version: fc.integer({ min: 0, max: 1 }),
});
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ put: fc.array(thing, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      search: fc.integer({ min: 1, max: 12 }),
      language: fc.constantFrom('en', 'pt', 'de'),
      outcome: fc.constantFrom('found' as const, 'nothing' as const, 'refused' as const, 'failed' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ remove: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }) }) },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function apply(db: Database, model: Model, one: Step): Promise<void> {
  const store = inventoryStore(db);
  if ('put' in one) {
    // In one batch an item is there once.
    const things = [...new Map(one.put.map((each) => [each.n, each])).values()];
    await store.follow(
      things.map((each) => inventoryRowOf(subjectOf(each))).filter((row) => row !== undefined),
      [],
      { change: 1, gone: 1 },
    );
    for (const each of things) {
      if (model.things.has(each.n) && model.things.get(each.n)?.version !== each.version) model.unfound.delete(each.n);
      model.things.set(each.n, each);
    }
  } else if ('search' in one) {
    await store.searched(idOf(one.search), one.language, { at: AT, outcome: one.outcome, reason: null });
    if (!model.things.has(one.search)) return;
    const set = model.unfound.get(one.search) ?? new Set();
    model.unfound.set(one.search, set);
    if (one.outcome === 'nothing' || one.outcome === 'refused') set.add(one.language);
    else set.delete(one.language);
  } else {
    await store.follow([], one.remove.map(idOf), { change: 1, gone: 1 });
    for (const n of one.remove) {
      model.things.delete(n);
      model.unfound.delete(n);
    }
  }
}

eachEngine(
  'the counts equal a recount of every item, after any steps and for any languages',
  subtitleMigrations,
  async (_t, db) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.constantFrom([], ['en'], ['pt'], ['en', 'pt', 'de']),
        async (steps, languages) => {
          const model: Model = { things: new Map(), unfound: new Map() };
          await inventoryStore(db).follow(
            [],
            Array.from({ length: 13 }, (_, n) => idOf(n)),
            { change: 0, gone: 0 },
          );
          assert.equal((await inventoryStore(db).shapes()).length, 0, 'nothing is counted when nothing is there');
          for (const one of steps) await apply(db, model, one);
          const reply = await answer(db, languages);
          assert.deepEqual(totalsOf(reply), recount(model, languages, languages[0]));
          assert.equal(reply.matched, reply.total);
          assert.equal(reply.items.length, reply.total);
          for (const { language, ready, wanted } of reply.byLanguage) {
            const own = recount(model, [language], languages[0]);
            assert.deepEqual({ ready, wanted }, { ready: own.ready, wanted: own.wanted });
          }
          assert.deepEqual(
            reply.byLibrary.map(({ name }) => name),
            ['Films', 'Attic'],
            'libraries that are configured and hold videos, in their order',
          );
          for (const { library, total, languages: each } of reply.byLibrary) {
            const here: Model = {
              things: new Map([...model.things].filter(([, one]) => LIBRARIES[one.library] === library)),
              unfound: model.unfound,
            };
            assert.equal(total, here.things.size);
            assert.deepEqual(
              each,
              languages.map((language) => {
                const { ready, wanted } = recount(here, [language], languages[0]);
                return { language, ready, wanted };
              }),
            );
            const listed = await answer(db, languages, { library });
            assert.equal(listed.matched, total);
            assert.deepEqual(
              listed.items,
              reply.items.filter(({ id }) => here.things.has(Number.parseInt(id, 16))),
              'a library chooses what is listed',
            );
            assert.deepEqual(totalsOf(listed), totalsOf(reply), 'and leaves the totals');
          }
          for (const item of reply.items) {
            const own = model.things.get(Number.parseInt(item.id, 16)) as Thing;
            assert.deepEqual(
              item.missing,
              languages.filter((language) => !has(own, language, languages[0])),
            );
            assert.equal(item.ready, languages.length > 0 && item.missing.length === 0);
          }
          for (const status of ['ready', 'wanted', 'checking', 'unavailable'] as const) {
            assert.equal(
              (await answer(db, languages, { status, view: 'summary' })).matched,
              reply[status === 'checking' ? 'pending' : status],
            );
          }
          assert.deepEqual(
            totalsOf(await answer(db, languages, { language: 'de' })),
            recount(model, ['de'], languages[0]),
          );
        },
      ),
      { numRuns: db.engine === 'sqlite' ? 60 : 15 },
    );
  },
);

const plain = (n: number, more: Partial<Thing> = {}): Thing => ({
  n,
  library: 0,
  isEpisode: false,
  state: 'known',
  said: [],
  version: 0,
  ...more,
});
const put = (db: Database, ...things: Thing[]) =>
  inventoryStore(db).follow(
    things.map((one) => inventoryRowOf(subjectOf(one))).filter((row) => row !== undefined),
    [],
    { change: 7, gone: 3 },
  );

eachEngine('pages are the sorted whole, cut in pieces', subtitleMigrations, async (_t, db) => {
  await put(
    db,
    ...Array.from({ length: 30 }, (_, n) => plain(n + 1, { isEpisode: n % 3 === 0, said: n % 2 === 0 ? ['en'] : [] })),
  );
  await inventoryStore(db).searched(idOf(4), 'en', { at: AT, outcome: 'nothing', reason: null });
  await inventoryStore(db).searched(idOf(9), 'en', { at: AT + 1, outcome: 'failed', reason: null });
  await put(db, plain(100, { library: REMOVED }));
  for (const sort of ['title', 'modified', 'wanted', 'searched'] as const) {
    for (const query of [
      {},
      { status: 'wanted' as const },
      { q: 'zebra' },
      { kind: 'episode' as const, q: 'LIGHT house' },
    ]) {
      const whole = await answer(db, ['en'], { ...query, sort, limit: 200 });
      const pieces = [];
      for (let page = 1; page <= Math.ceil(whole.matched / 7); page++) {
        const one = await answer(db, ['en'], { ...query, sort, limit: 7, page });
        assert.equal(one.pages, Math.ceil(whole.matched / 7));
        assert.equal(one.items.length, Math.min(7, whole.matched - (page - 1) * 7), 'no gap for what is not listed');
        pieces.push(...one.items.map(({ id }) => id));
      }
      assert.deepEqual(
        pieces,
        whole.items.map(({ id }) => id),
      );
      assert.equal(pieces.length, whole.matched);
    }
  }
  const byTitle = (await answer(db, ['en'], { kind: 'movie', limit: 200 })).items.map(({ title }) => title);
  assert.deepEqual(
    [...new Set(byTitle)],
    ['Éclair', 'The Lighthouse', 'lighthouse II', 'A Night', 'Zebra 2', 'Zebra 10'].filter((title) =>
      byTitle.includes(title),
    ),
  );
  const searched = (await answer(db, ['en'], { sort: 'searched', limit: 200 })).items.map(({ id }) => id);
  assert.deepEqual(
    [searched.slice(0, 2), searched.length],
    [[idOf(9), idOf(4)], 30],
    'what was looked for last comes first',
  );
  const byNeed = (await answer(db, ['en'], { sort: 'wanted', limit: 200 })).items.map(({ ready }) => ready);
  assert.deepEqual(
    byNeed,
    [...byNeed].sort((a, b) => Number(a) - Number(b)),
    'what is missing comes first',
  );
  assert.equal((await answer(db, ['en'], { page: 99 })).items.length, 0);
  for (const library of ['0'.repeat(16), LIBRARIES[REMOVED]])
    await assert.rejects(
      answer(db, ['en'], { library }),
      { kind: 'missing' },
      'a library that is not configured is not there',
    );
});

eachEngine('a search finds folded words in any order, and ignores punctuation', subtitleMigrations, async (_t, db) => {
  await put(db, plain(1), plain(6), plain(2, { isEpisode: true }));
  const found = async (q: string) =>
    (await answer(db, [], { q })).items.map(({ id }) => Number.parseInt(id, 16)).sort();
  assert.deepEqual(await found('ÉCLAIR'), [1]);
  assert.deepEqual(await found('1951 eclair'), [1]);
  assert.deepEqual(await found('s01e02'), [2]);
  assert.deepEqual(await found('zebra part'), [2]);
  assert.deepEqual(await found('%'), []);
  assert.deepEqual(await found('_'), []);
  assert.deepEqual(await found('!'), []);
});

eachEngine(
  'what an item has is said for each language and role, and what does not count says why',
  subtitleMigrations,
  async (_t, db) => {
    await put(db, plain(1, { said: ['en:picture:inside', 'de', 'pt:hidden', 'fr:forced'] }));
    const [item] = (await answer(db, ['en'])).items;
    assert.deepEqual(item?.missing, ['en']);
    const states = new Map(item?.languages.map((one) => [`${one.language} ${one.role}`, one]));
    assert.deepEqual(
      [...states.keys()],
      ['en normal', 'de normal', 'fr forced', 'pt normal'],
      'the language that is asked about comes first',
    );
    assert.equal(states.get('en normal')?.installed?.format, 'hdmv_pgs_subtitle');
    assert.match(states.get('en normal')?.reason ?? '', /pictures/);
    assert.equal(states.get('de normal')?.installed?.match, 'found');
    assert.equal(states.get('de normal')?.installed?.managed, false);
    assert.equal(states.get('pt normal')?.installed?.hidden, true);
    assert.match(states.get('fr forced')?.reason ?? '', /foreign/);
    const [other] = (await answer(db, ['it'])).items;
    assert.equal(other?.languages[0]?.language, 'it');
    assert.equal(other?.languages[0]?.installed, undefined);
  },
);

eachEngine(
  "a file of ours is known by its bytes, and is the user's own once it was edited",
  subtitleMigrations,
  async (_t, db) => {
    await put(db, plain(1, { said: ['en'] }));
    const store = installingStore(db);
    const facts = {
      library: LIBRARIES[0],
      relative: 'Folder 1/Video 1.en.srt',
      item: idOf(1),
      language: 'en',
      role: 'normal' as const,
      format: 'srt',
      source: 'subtitles_a',
      score: 85,
      match: 'unverified' as const,
      evidence: [{ kind: 'ids', detail: 'the same film', points: 30 }],
      content: 'c',
      origin: 'fetched' as const,
      delivered: null,
      candidate: null,
      preserved: {},
      at: AT,
    };
    await store.intend({ file: facts, act: 'fetched' });
    assert.equal(
      (await answer(db, ['en'])).items[0]?.languages[0]?.installed?.managed,
      false,
      'an intent is not a file yet',
    );
    await store.done({ file: facts, act: 'fetched' }, { size: 100, modified: AT });
    const state = (await answer(db, ['en'])).items[0]?.languages[0];
    assert.deepEqual(state?.installed, {
      source: 'subtitles_a',
      score: 85,
      match: 'unverified',
      installedAt: '2026-11-21T00:00:00.000Z',
      managed: true,
      format: 'srt',
      hidden: false,
    });
    assert.equal(state?.evidence[0]?.kind, 'ids');
    await store.done({ file: facts, act: 'fetched' }, { size: 101, modified: AT });
    assert.equal((await answer(db, ['en'])).items[0]?.languages[0]?.installed?.managed, false);
  },
);

eachEngine('coverage follows the configured language at once', subtitleMigrations, async (_t, db) => {
  await put(db, plain(1, { said: ['pt-br'] }), plain(2, { said: ['pt'] }));
  assert.equal((await answer(db, ['pt'])).coverage, 100);
  assert.equal((await answer(db, ['pt-br'])).coverage, 50);
  assert.equal((await answer(db, ['en'])).coverage, 0);
  assert.deepEqual((await answer(db, ['en'])).present, [
    { language: 'pt', items: 1 },
    { language: 'pt-br', items: 1 },
  ]);
  const none = await answer(db, []);
  assert.deepEqual([none.coverage, none.languages, none.items[0]?.missing], [0, [], []]);
});

eachEngine('a batch and its cursor are written together or not at all', subtitleMigrations, async (_t, db) => {
  await put(db, plain(1));
  const broken = inventoryRowOf(subjectOf(plain(2)));
  assert.ok(broken);
  await assert.rejects(
    inventoryStore(db).follow([broken, { ...broken, id: idOf(3), kind: null as never }], [idOf(1)], {
      change: 99,
      gone: 99,
    }),
  );
  assert.deepEqual(await inventoryStore(db).cursor(), { change: 7, gone: 3 });
  assert.equal((await answer(db, [])).total, 1);
});

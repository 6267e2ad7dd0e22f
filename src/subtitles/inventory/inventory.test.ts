/** Pages of the inventory, searches, the state of each language, and batches that are written with their cursor. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import { inventoryRowOf } from './item.ts';
import { installingStore } from '../store/installing.ts';
import { inventoryStore } from '../store/inventory.ts';
import { subtitleMigrations } from '../store/migrations.ts';
import { REMOVED, AT, LIBRARIES, idOf, plain, put, readAnswer, subjectOf } from './testing.ts';

eachEngine('pages are the sorted whole, cut in pieces', subtitleMigrations, async (_t, db) => {
  await put(
    db,
    ...Array.from({ length: 30 }, (_, n) => plain(n + 1, { isEpisode: n % 3 === 0, said: n % 2 === 0 ? ['en'] : [] })),
  );
  await inventoryStore(db).searched(
    idOf(4),
    { language: 'en', role: 'normal' },
    { at: AT, outcome: 'nothing', why: null },
  );
  await inventoryStore(db).searched(
    idOf(9),
    { language: 'en', role: 'normal' },
    { at: AT + 1, outcome: 'failed', why: null },
  );
  await put(db, plain(100, { library: REMOVED }));
  for (const sort of ['title', 'modified', 'wanted', 'searched'] as const) {
    for (const query of [
      {},
      { status: 'wanted' as const },
      { q: 'zebra' },
      { kind: 'episode' as const, q: 'LIGHT house' },
    ]) {
      const whole = await readAnswer(db, ['en'], { ...query, sort, limit: 200 });
      const pieces = [];
      for (let page = 1; page <= Math.ceil(whole.matched / 7); page++) {
        const one = await readAnswer(db, ['en'], { ...query, sort, limit: 7, page });
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
  const byTitle = (await readAnswer(db, ['en'], { kind: 'movie', limit: 200 })).items.map(({ title }) => title);
  assert.deepEqual(
    [...new Set(byTitle)],
    ['Éclair', 'The Lighthouse', 'lighthouse II', 'A Night', 'Zebra 2', 'Zebra 10'].filter((title) =>
      byTitle.includes(title),
    ),
  );
  const searched = (await readAnswer(db, ['en'], { sort: 'searched', limit: 200 })).items.map(({ id }) => id);
  assert.deepEqual(
    [searched.slice(0, 2), searched.length],
    [[idOf(9), idOf(4)], 30],
    'what was looked for last comes first',
  );
  const byNeed = (await readAnswer(db, ['en'], { sort: 'wanted', limit: 200 })).items.map(({ ready }) => ready);
  assert.deepEqual(
    byNeed,
    [...byNeed].sort((a, b) => Number(a) - Number(b)),
    'what is missing comes first',
  );
  assert.equal((await readAnswer(db, ['en'], { page: 99 })).items.length, 0);
  for (const library of ['0'.repeat(16), LIBRARIES[REMOVED]])
    await assert.rejects(
      readAnswer(db, ['en'], { library }),
      { kind: 'missing' },
      'a library that is not configured is not there',
    );
});

eachEngine('a search finds folded words in any order, and ignores punctuation', subtitleMigrations, async (_t, db) => {
  await put(db, plain(1), plain(6), plain(2, { isEpisode: true }));
  const found = async (q: string) =>
    (await readAnswer(db, [], { q })).items.map(({ id }) => Number.parseInt(id, 16)).sort();
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
    const [item] = (await readAnswer(db, ['en'])).items;
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
    const [other] = (await readAnswer(db, ['it'])).items;
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
      (await readAnswer(db, ['en'])).items[0]?.languages[0]?.installed?.managed,
      false,
      'an intent is not a file yet',
    );
    await store.done({ file: facts, act: 'fetched' }, { size: 100, modified: AT });
    const state = (await readAnswer(db, ['en'])).items[0]?.languages[0];
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
    assert.equal((await readAnswer(db, ['en'])).items[0]?.languages[0]?.installed?.managed, false);
  },
);

eachEngine('coverage follows the configured language at once', subtitleMigrations, async (_t, db) => {
  await put(db, plain(1, { said: ['pt-br'] }), plain(2, { said: ['pt'] }));
  assert.equal((await readAnswer(db, ['pt'])).coverage, 100);
  assert.equal((await readAnswer(db, ['pt-br'])).coverage, 50);
  assert.equal((await readAnswer(db, ['en'])).coverage, 0);
  assert.deepEqual((await readAnswer(db, ['en'])).present, [
    { language: 'pt', items: 1 },
    { language: 'pt-br', items: 1 },
  ]);
  const none = await readAnswer(db, []);
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
  assert.equal((await readAnswer(db, [])).total, 1);
});

/** Stored facts about providers, on both engines: budgets, pauses, and the reset for other credentials. */
import assert from 'node:assert/strict';
import { spendDownload } from '../choosing/budget.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import { installingStore } from './installing.ts';
import { inventoryStore } from './inventory.ts';
import { providerStore } from './providers.ts';
import { subtitleMigrations } from './migrations.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const at = { item: 'a'.repeat(16), language: 'en', role: 'normal' as const, provider: 'subtitles_a' };
const { role: _role, ...refusal } = at;

eachEngine(
  'forty automatic downloads a day and not one more, however many ask at once',
  subtitleMigrations,
  async (_t, db) => {
    const store = providerStore(db);
    const ask = (now: number) => store.spend('subtitles_a', (before) => spendDownload(before, 'subtitles_a', now));
    const all = await Promise.all(Array.from({ length: 50 }, () => ask(NOON)));
    assert.equal(all.filter((is) => is).length, 40);
    assert.equal(await ask(NOON - 86_400_000), false, 'a clock that is set back opens no day again');
    assert.equal(await ask(NOON + 86_400_000), true);
    assert.equal(await store.spend('subtitles_c', (before) => spendDownload(before, 'subtitles_c', NOON)), true);
  },
);

eachEngine('other credentials reset a provider, equal ones do not', subtitleMigrations, async (_t, db) => {
  const store = providerStore(db);
  await store.change('subtitles_a', () => ({ failures: 9 }));
  assert.deepEqual(await store.all(), [], 'what is not known is not changed');
  await store.begin('subtitles_a', 'one');
  await store.change('subtitles_a', ({ failures }) => ({
    failures: failures + 1,
    until: NOON,
    state: 'unavailable',
    last_error: 'no',
    memory: 'sealed',
  }));
  const [row] = await store.all();
  assert.deepEqual([row?.failures, row?.until, row?.mark, row?.memory], [1, NOON, 'one', 'sealed']);
  await store.begin('subtitles_a', 'two');
  const [fresh] = await store.all();
  assert.deepEqual(
    [fresh?.failures, fresh?.until, fresh?.state, fresh?.last_error, fresh?.memory, fresh?.mark],
    [0, 0, 'untested', null, null, 'two'],
  );
});

eachEngine(
  'pauses and refusals are of one item and language, and end with the file that they were about',
  subtitleMigrations,
  async (_t, db) => {
    const store = providerStore(db);
    const installing = installingStore(db);
    const inventory = inventoryStore(db);
    const row = {
      id: at.item,
      library: 'b'.repeat(16),
      kind: 'movie' as const,
      title: 'x',
      sort: 'x',
      words: 'x',
      year: null,
      context: null,
      file: 'x.mkv',
      size: 1,
      modified: 1,
      state: 'known' as const,
      tracks: [],
      held: [],
      part: null,
    };
    await inventory.follow([row], [], { change: 1, gone: 0 });
    await store.pause(at, (before) => ({ failures: (before?.failures ?? 0) + 1, until: NOON, kind: 'hostile' }));
    await store.pause(at, (before) => ({ failures: (before?.failures ?? 0) + 1, until: NOON, kind: 'hostile' }));
    await installing.refuse({ ...refusal, candidate: '7', content: 'c', reason: 'no', at: NOON });
    await installing.refuse({ ...refusal, candidate: '7', content: 'd', reason: 'no', at: NOON });
    assert.deepEqual(
      (await store.pauses([at.item])).map(({ failures }) => failures),
      [2],
    );
    assert.deepEqual(
      (await installing.refusals(at.item, 'en')).map(({ content }) => content),
      ['d'],
    );
    assert.deepEqual(await installing.refusals(at.item, 'de'), []);
    await inventory.follow([row], [], { change: 2, gone: 0 });
    assert.equal((await store.pauses([at.item])).length, 1, 'the same file keeps them');
    await inventory.follow([{ ...row, size: 2 }], [], { change: 3, gone: 0 });
    assert.deepEqual([await store.pauses([at.item]), await installing.refusals(at.item, 'en')], [[], []]);
    await store.pause(at, () => ({ failures: 1, until: NOON, kind: 'gone' }));
    await store.endPause(at);
    assert.deepEqual(await store.pauses([at.item]), []);
  },
);

eachEngine('a frozen language belongs to one item, and is deleted with it', subtitleMigrations, async (_t, db) => {
  const store = installingStore(db);
  await store.freeze('i', 'en', true);
  await store.freeze('i', 'en', true);
  assert.deepEqual(await store.frozen(['i', 'j']), [{ item: 'i', language: 'en' }]);
  await store.freeze('i', 'en', false);
  assert.deepEqual(await store.frozen(['i']), []);
  await store.freeze('i', 'de', true);
  await inventoryStore(db).follow([], ['i'], { change: 1, gone: 1 });
  assert.deepEqual(await store.frozen(['i']), []);
});

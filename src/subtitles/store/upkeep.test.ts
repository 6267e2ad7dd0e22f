/** Who is due, on both engines: what is missing, what was fetched, what is somebody's own, and in which order. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import type { Database } from '../../lib/db/index.ts';
import { SEARCH } from '../choosing/back-off.ts';
import { installingStore } from './installing.ts';
import { inventoryStore, type NewItem } from './inventory.ts';
import { providerStore } from './providers.ts';
import { subtitleMigrations } from './tables.ts';
import { upkeepStore } from './upkeep.ts';

const idOf = (n: number) => n.toString(16).padStart(16, '0');
const item = (n: number, held: readonly string[] = []): NewItem => ({ id: idOf(n), library: 'l', kind: 'movie', title: `t${n}`, sort: `t${n}`, words: `t${n}`, year: null, context: null, file: `${n}.mkv`, size: 1, modified: 1, state: 'known', tracks: `[${n}]`, held, hasDefault: false });
async function shapes(db: Database): Promise<string[]> {
  return (await inventoryStore(db).shapes()).map(({ id }) => id);
}
async function install(db: Database, n: number, { score = 70, language = 'en', origin = 'fetched' as const }: { score?: number; language?: string; origin?: 'fetched' | 'edited' | 'own' } = {}): Promise<void> {
  const file = { library: 'l', relative: `${n}.${language}.srt`, item: idOf(n), language, role: 'normal', format: 'srt', source: 'subtitles_a', score, match: 'unverified', evidence: '[]', content: 'a'.repeat(64), origin, delivered: null, candidate: null, preserved: '{}', at: 1 } as const;
  await installingStore(db).intend({ file, act: 'fetched' });
  await installingStore(db).done({ file, act: 'fetched' }, { size: 1, modified: 1 });
}
const numbers = (due: readonly { item: string }[]) => due.map((one) => Number.parseInt(one.item, 16));
const asked = { language: 'en', now: 1_000, limit: 10 };

eachEngine('what is missing: never searched for, then the oldest; not what is frozen or waits', subtitleMigrations, async (_t, db) => {
  const inventory = inventoryStore(db);
  const store = upkeepStore(db);
  await inventory.follow([1, 2, 3, 4, 5].map((n) => item(n)), [], { change: 1, gone: 0 });
  await inventory.searched(idOf(1), 'en', { at: 50, outcome: 'failed', reason: null });
  await inventory.searched(idOf(2), 'en', { at: 20, outcome: 'failed', reason: null });
  await inventory.searched(idOf(3), 'de', { at: 90, outcome: 'failed', reason: null });
  await installingStore(db).freeze(idOf(4), 'en', true);
  await providerStore(db).pause({ item: idOf(5), language: 'en', provider: SEARCH }, () => ({ failures: 1, until: 2_000, kind: 'nothing' }));
  await providerStore(db).pause({ item: idOf(1), language: 'en', provider: 'subtitles_a' }, () => ({ failures: 1, until: 2_000, kind: 'hostile' }));
  const all = { ...asked, shapes: await shapes(db) };
  assert.deepEqual(numbers(await store.missing(all)), [3, 2, 1]);
  assert.deepEqual(numbers(await store.missing({ ...all, limit: 1 })), [3]);
  assert.equal(await store.countMissing(all), 3);
  assert.equal(await store.countMissing({ ...all, now: 2_000 }), 4, 'waiting ends by itself');
  assert.deepEqual([await store.missing({ ...all, shapes: [] }), await store.countMissing({ ...all, shapes: [] })], [[], 0]);
});

eachEngine('what was fetched: not what is edited, frozen, looked at, or good enough', subtitleMigrations, async (_t, db) => {
  const store = upkeepStore(db);
  await inventoryStore(db).follow([1, 2, 3, 4, 5, 6, 7].map((n) => item(n, ['en'])), [], { change: 1, gone: 0 });
  await install(db, 1, { score: 80 });
  await install(db, 2, { score: 60, language: 'en-gb' });
  await install(db, 3, { score: 95 });
  await install(db, 4, { origin: 'edited' });
  await install(db, 5);
  await installingStore(db).freeze(idOf(5), 'en', true);
  await install(db, 6);
  await store.looked([{ item: idOf(6), language: 'en', until: 1_500 }]);
  await install(db, 7, { language: 'de' });
  const all = { ...asked, shapes: await shapes(db), below: 90 };
  assert.deepEqual((await store.fetched(all)).map((one) => [Number.parseInt(one.item, 16), one.language]), [[2, 'en-gb'], [1, 'en']]);
  await store.looked([{ item: idOf(6), language: 'en', until: 900 }]);
  assert.deepEqual(numbers(await store.fetched(all)), [2, 1, 6], 'what was looked at comes last');
  assert.deepEqual(await store.fetched({ ...all, shapes: [] }), []);
});

eachEngine('somebody\'s own, and looks at what is gone are forgotten', subtitleMigrations, async (_t, db) => {
  const store = upkeepStore(db);
  const inventory = inventoryStore(db);
  await inventory.follow([1, 2, 3, 4].map((n) => item(n, ['en'])), [], { change: 1, gone: 0 });
  await install(db, 2);
  await install(db, 3, { language: 'de' });
  await store.looked([{ item: idOf(4), language: 'en', until: 1_500 }]);
  const all = { ...asked, shapes: await shapes(db) };
  assert.deepEqual((await store.own(all)).map(({ item: id, tracks }) => [Number.parseInt(id, 16), tracks]), [[1, '[1]'], [3, '[3]']]);
  assert.deepEqual(await store.own({ ...all, shapes: [] }), []);
  await inventory.follow([], [idOf(4)], { change: 2, gone: 1 });
  await store.tidy();
  await inventory.follow([item(4, ['en'])], [], { change: 3, gone: 1 });
  assert.deepEqual(numbers(await store.own({ ...all, shapes: await shapes(db) })), [1, 3, 4]);
});

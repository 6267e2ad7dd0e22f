/** Drafts are kept with what was made, ended once, and bounded, on both engines. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import { draftStore } from './drafts.ts';
import { subtitleMigrations } from './migrations.ts';

const NOTE = { reason: 'fits', values: {} } as const;
const ITEM = 'aaaaaaaaaaaaaaaa';
const id = (n: number): string => n.toString(16).padStart(16, '0');
const about = (n: number, more: object = {}) => ({
  id: id(n),
  item: ITEM,
  language: 'en',
  method: 'ocr' as const,
  video: { key: '', size: 0, modifiedMs: 0 },
  started: n,
  ...more,
});

eachEngine('a draft is ended once, and its content is read back unchanged', subtitleMigrations, async (_t, db) => {
  const store = draftStore(db);
  await store.begin(about(1));
  const made = { document: { cues: [{ start: 1, end: 2, text: 'ä'.repeat(1000) }] } };
  await store.end(id(1), { state: 'ready', notes: [NOTE], made, at: 5 });
  await store.end(id(1), { state: 'stopped', notes: [], at: 6 });
  assert.deepEqual(await store.one(id(1)), {
    ...about(1),
    state: 'ready',
    message: 'It fits the video as it is.',
    notes: [NOTE],
    ended: 5,
  });
  assert.deepEqual(await store.made(id(1)), made);
  assert.equal(await store.made(id(2)), undefined);
});

eachEngine('the newest of an item is found, of a language where one is named', subtitleMigrations, async (_t, db) => {
  const store = draftStore(db);
  await store.begin(about(1));
  await store.begin(about(2, { language: 'de' }));
  assert.equal((await store.newest(ITEM, undefined))?.id, id(2));
  assert.equal((await store.newest(ITEM, 'en'))?.id, id(1));
  assert.equal(await store.newest(ITEM, 'fr'), undefined);
  assert.equal(await store.stopAll(NOTE, 9), 2);
  assert.deepEqual([(await store.one(id(1)))?.state, (await store.one(id(1)))?.ended], ['stopped', 9]);
  assert.equal(await store.stopAll(NOTE, 10), 0);
});

eachEngine('the newest few are kept, of an item and of all', subtitleMigrations, async (_t, db) => {
  const store = draftStore(db);
  for (let n = 1; n <= 5; n++) await store.begin(about(n));
  assert.deepEqual([await store.one(id(2)), (await store.one(id(3)))?.id], [undefined, id(3)]);
  for (let n = 10; n < 215; n++) await store.begin(about(n, { item: id(n) }));
  assert.equal(await store.count(), 200);
  assert.equal(await store.one(id(5)), undefined);
});

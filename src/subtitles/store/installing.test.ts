/** What is written, frozen and refused is kept the same on both engines. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import { installingStore, type Intent } from './installing.ts';
import { subtitleMigrations } from './tables.ts';

const ITEM = 'aaaaaaaaaaaaaaaa';
const intent: Intent = { library: 'bbbbbbbbbbbbbbbb', relative: 'Film/Film.en.srt', item: ITEM, language: 'en', role: 'normal', format: 'srt', source: 'subtitles_a', score: 87, match: 'unverified', evidence: '[]', content: 'ab12', at: 5 };

eachEngine('an intent is nothing of ours until it is done, and one that is done is not undone', subtitleMigrations, async (_t, db) => {
  const store = installingStore(db);
  await store.intend(intent);
  assert.equal((await store.intents()).length, 1);
  assert.deepEqual(await store.filesOf([ITEM]), []);
  await store.undo(intent);
  assert.equal((await store.intents()).length, 0);

  await store.intend(intent);
  await store.done({ ...intent, size: 120, modified: 1_700_000_000_123 });
  const [file] = await store.filesOf([ITEM]);
  assert.deepEqual([file?.size, file?.modified, file?.state, file?.score], [120, 1_700_000_000_123, 'done', 87]);
  await store.undo(intent);
  assert.equal((await store.filesOf([ITEM])).length, 1);
  await store.intend({ ...intent, source: 'subtitles_c' });
  assert.deepEqual((await store.intents()).map(({ source, size }) => [source, size]), [['subtitles_c', null]]);
});

eachEngine('a language is frozen once and thawed once; a refusal is kept by what was refused', subtitleMigrations, async (_t, db) => {
  const store = installingStore(db);
  await store.freeze(ITEM, 'en', true);
  await store.freeze(ITEM, 'en', true);
  assert.deepEqual(await store.frozen([ITEM]), [{ item: ITEM, language: 'en' }]);
  await store.freeze(ITEM, 'en', false);
  assert.deepEqual(await store.frozen([ITEM]), []);
  const refusal = { item: ITEM, language: 'en', provider: 'subtitles_a', candidate: '7', content: null, reason: 'another language', at: 1 };
  await store.refuse(refusal);
  await store.refuse({ ...refusal, reason: 'too long', content: 'cd34', at: 2 });
  await store.refuse({ ...refusal, candidate: '8' });
  assert.deepEqual((await store.refusals(ITEM, 'en')).map(({ candidate, reason, content }) => [candidate, reason, content]).sort(), [['7', 'too long', 'cd34'], ['8', 'another language', null]]);
  assert.deepEqual(await store.refusals(ITEM, 'de'), []);
});

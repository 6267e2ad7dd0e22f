/** The household that supports the project, in the database: one at most, the last that was recognised. */
import assert from 'node:assert/strict';
import { eachEngine } from '../lib/db/testing.ts';
import { supporterMigrations, supporterStore } from './store.ts';

const NOTHING_RECORDED = async (): Promise<void> => {};

eachEngine('the last one that was recognised is kept', supporterMigrations, async (_t, db) => {
  const store = supporterStore(db);
  assert.equal(await store.read(), undefined);
  const first = { since: 10, until: 20, name: 'The Lovelaces' };
  await store.replace(first, NOTHING_RECORDED);
  assert.deepEqual(await store.read(), first);
  const second = { since: 30, until: undefined, name: undefined };
  await Promise.all([store.replace(first, NOTHING_RECORDED), store.replace(second, NOTHING_RECORDED)]);
  await store.replace(second, NOTHING_RECORDED);
  assert.deepEqual(await store.read(), second);
  const unrecorded = () => Promise.reject(new Error('not recorded'));
  await assert.rejects(store.replace(first, unrecorded), /not recorded/);
  assert.deepEqual(await store.read(), second, 'what cannot be recorded does not happen');
});

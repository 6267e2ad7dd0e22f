/** Requests in the database: read in order, closed once, forgotten with their time and their Profile. */
import assert from 'node:assert/strict';
import { eachEngine } from '../lib/db/testing.ts';
import { requestMigrations, requestStore, type RequestRow } from './store.ts';

const KIM = 'a'.repeat(16);
const LOU = 'b'.repeat(16);
const makeRow = (id: number, profile: string, createdAt: number): RequestRow => ({
  id: id.toString(16).padStart(16, '0'),
  profile,
  asked: { kind: 'item', words: `film ${id}` },
  createdAt,
  state: 'open',
  isSeen: false,
});

eachEngine('requests are kept, closed once, seen and forgotten', requestMigrations, async (_t, db) => {
  const store = requestStore(db);
  const rows = [makeRow(1, KIM, 10), makeRow(2, LOU, 20), makeRow(3, KIM, 30), makeRow(4, KIM, 30)];
  for (const row of rows) await store.add(row, 0);
  const ids = async (profile?: string, since = 0) =>
    (await store.since(since, { profile, limit: 10 })).map(({ id }) => Number.parseInt(id, 16));
  assert.deepEqual(await ids(), [4, 3, 2, 1]);
  assert.deepEqual(await ids(KIM, 30), [4, 3]);
  assert.deepEqual(await store.read(rows[1]?.id ?? ''), rows[1]);

  const answer = { at: 40, lasting: 'once', item: 'c'.repeat(16), until: 50, word: 'yes' } as const;
  const [first, other] = await Promise.all([
    store.close(rows[0]?.id ?? '', { state: 'approved', answer }),
    store.close(rows[0]?.id ?? '', { state: 'declined' }),
  ]);
  assert.deepEqual([first, other].sort(), [false, true], 'one of two answers counts');
  const closed = await store.read(rows[0]?.id ?? '');
  assert.deepEqual(closed?.answer, first ? answer : undefined);
  assert.equal(await store.see(KIM), true);
  assert.equal(await store.see(KIM), false);
  assert.equal((await store.read(rows[0]?.id ?? ''))?.isSeen, true);
  assert.equal((await store.read(rows[2]?.id ?? ''))?.isSeen, false, 'an open one has no answer to see');

  await store.add(makeRow(5, LOU, 60), 25);
  assert.deepEqual(await ids(), [5, 4, 3], 'those before are forgotten');
  let isCommitted = false;
  await store.forgetProfile(KIM, async () => void (isCommitted = true));
  assert.deepEqual([await ids(), isCommitted], [[5], true]);
});

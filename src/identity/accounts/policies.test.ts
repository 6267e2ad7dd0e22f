/** Policies by age: what is stored for what is sent, what an update makes of the former words, and items by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEW_VIEWER } from '../../contract/identity/profiles.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import { identityMigrations } from '../index.ts';
import type { IdentityTables } from '../store/tables.ts';
import { makeViewer, openIdentityWorld, setUp } from '../testing-world.ts';

const AGES_MIGRATION = 'identity-003-ages';
const ITEM = '0123456789abcdef';
const OTHER_ITEM = 'a'.repeat(16);
const NONE = { allowed: [], hidden: [] };
const FREE = { libraries: [ITEM], windows: [], remote: true, transcode: true, download: true };

eachEngine(
  'an update turns the words of ages into ages, and no Profile sees more than before',
  identityMigrations.filter(({ id }) => id !== AGES_MIGRATION),
  async (t, db) => {
    const words = ['family', 'teen', 'all', 'anything'];
    const idOf = (n: number): string => String(n).repeat(16);
    await db.write<IdentityTables, unknown>('safe', (tx) =>
      tx
        .insertInto('identity_profile')
        .values(
          words.map((rating, n) => ({
            id: idOf(n),
            name: rating,
            name_key: rating,
            role: n === 2 ? 'owner' : 'viewer',
            policy: JSON.stringify({ ...FREE, rating }),
            password: null,
            totp: null,
            totp_step: 0,
            recovery: '[]',
            preferences: '{}',
            created_at: n,
          })),
        )
        .execute(),
    );
    const migration = identityMigrations.find(({ id }) => id === AGES_MIGRATION);
    await db.write('safe', async (tx) => migration?.up(tx, db.engine));
    const { identity } = await openIdentityWorld(t, { db });
    assert.deepEqual(
      words.map((_, n) => identity.policyOf(idOf(n))),
      [
        { ...FREE, rating: 7, unrated: false, items: NONE },
        { ...FREE, rating: 13, unrated: false, items: NONE },
        { ...FREE, rating: 'all', unrated: true, items: NONE },
        { ...FREE, rating: 7, unrated: false, items: NONE },
      ],
    );
  },
);

test('a policy takes ages and the former words; what is left out has its default, and items stay', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id, token } = await makeViewer(w, owner);
  const put = async (policy: object) => {
    const { status, body } = await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy } });
    return status === 200 ? body['policy'] : status;
  };
  assert.deepEqual(await put({}), NEW_VIEWER);
  assert.deepEqual(await put({ rating: 12 }), { ...NEW_VIEWER, rating: 12 });
  assert.deepEqual(await put({ rating: 'family' }), { ...NEW_VIEWER, rating: 7 });
  assert.deepEqual(await put({ rating: 'teen' }), { ...NEW_VIEWER, rating: 13 });
  assert.deepEqual(await put({ rating: 'all' }), { ...NEW_VIEWER, rating: 'all', unrated: true });
  assert.deepEqual(await put({ rating: 'all', unrated: false }), { ...NEW_VIEWER, rating: 'all' });
  assert.deepEqual(await put({ rating: 6, unrated: true }), { ...NEW_VIEWER, rating: 6, unrated: true });
  for (const rating of [-1, 22, 12.5, '12', 'adult', null]) assert.equal(await put({ rating }), 400, String(rating));

  const kept = { allowed: [ITEM], hidden: [OTHER_ITEM] };
  assert.deepEqual(
    await put({ items: { allowed: [ITEM, ITEM, OTHER_ITEM], hidden: [OTHER_ITEM] } }),
    { ...NEW_VIEWER, items: kept },
    'each once, and hidden before allowed',
  );
  assert.deepEqual(await put({ rating: 16 }), { ...NEW_VIEWER, rating: 16, items: kept });
  assert.equal(await put({ items: { allowed: Array<string>(1_001).fill(ITEM), hidden: [] } }), 400);
  // The ids of hidden items would tell the Profile that they exist.
  for (const path of ['/api/v1/me', '/api/v1/session'])
    assert.doesNotMatch(JSON.stringify((await w.call('GET', path, { token })).body), new RegExp(OTHER_ITEM), path);
  const me = (await w.call('GET', '/api/v1/me', { token })).body['profile'] as { policy: object };
  const { items: _, ...own } = { ...NEW_VIEWER, rating: 16 };
  assert.deepEqual(me.policy, own);
});

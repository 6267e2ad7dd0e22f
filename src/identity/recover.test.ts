/** Recovery at the console: the old sign-in methods are closed, the new one works. */
import assert from 'node:assert/strict';
import { eachEngine } from '../lib/db/testing.ts';
import { systemClock as clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { OWNER_POLICY } from '../contract/identity/profiles.ts';
import { nameKeyOf } from './core.ts';
import { createHashing } from './passwords/hashing.ts';
import { recoverProfile } from './recover.ts';
import { identityStore } from './store/store.ts';
import { identityMigrations } from './store/tables.ts';

eachEngine(
  'a recovered profile has a new password, no second factor and no session',
  identityMigrations,
  async (_t, db) => {
    const store = identityStore(db);
    const hashing = createHashing();
    const [ada, bob] = [newId(), newId()];
    const profile = (id: string, name: string, password: string) => ({
      id,
      name,
      nameKey: nameKeyOf(name),
      role: 'owner' as const,
      policy: OWNER_POLICY,
      password,
      totp: 'sealed',
      totpStep: 7,
      recovery: ['a'],
      preferences: { audio: [], subtitles: [], subtitleMode: 'automatic' as const, theme: 'system' as const },
      createdAt: 1,
    });
    const session = (profileId: string) => ({
      id: newId(),
      hash: newId(),
      profile: profileId,
      device: undefined,
      kind: 'token' as const,
      way: 'password' as const,
      network: 'local' as const,
      createdAt: 1,
      lastUsedAt: 1,
      provedAt: 1,
      endsAt: 9e15,
      outside: undefined,
    });
    const link = (profileId: string) => ({
      id: newId(),
      profile: profileId,
      protocol: 'oidc' as const,
      issuer: 'https://id.example.org',
      claim: 'sub',
      subject: profileId,
      label: undefined,
      createdAt: 1,
    });
    const old = await hashing.make('four warm brown bread rolls');
    await store.commit([
      { put: 'profile', row: profile(ada, 'Ada', old) },
      { put: 'profile', row: profile(bob, 'Bob', old) },
      { put: 'session', row: session(ada) },
      { put: 'session', row: session(bob) },
      { put: 'link', row: link(ada) },
      { put: 'link', row: link(bob) },
    ]);

    const { name, password } = await recoverProfile({ db, clock }, 'aDA');
    assert.equal(name, 'Ada');
    assert.match(password, /^([a-z2-9]{5}-){4}[a-z2-9]{5}$/);
    const after = await store.load();
    const row = after.profiles.find(({ id }) => id === ada);
    assert.equal(await hashing.verify(row?.password, password), true);
    assert.equal(await hashing.verify(row?.password, 'four warm brown bread rolls'), false);
    assert.deepEqual([row?.totp, row?.recovery], [undefined, []]);
    assert.deepEqual(
      after.sessions.map((one) => one.profile),
      [bob],
      'the sessions of others go on',
    );
    assert.deepEqual(
      after.links.map((one) => one.profile),
      [bob],
    );
    assert.equal(after.profiles.find(({ id }) => id === bob)?.totp, 'sealed');
    await assert.rejects(recoverProfile({ db, clock }, 'Nobody'), { kind: 'missing' });
  },
);

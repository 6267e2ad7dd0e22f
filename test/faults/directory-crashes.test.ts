/**
 * Killed while a directory makes, changes or removes a user, a server has the user as before or as after, with its
 * Profile and its sessions: never one without the other.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import type { CrashPoint } from '../../src/lib/crash.ts';
import { ask, type Child, startServerProcess } from './child.ts';
import { arm } from './crash.ts';

const PASSWORD = 'four warm brown bread rolls';
const DIRECTORY = 'a-token-of-the-directory-for-tests-only';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const DAY_MS = 86_400_000;

interface User {
  id: string;
  userName: string;
  active: boolean;
}
interface Profile {
  id: string;
  name: string;
  directory?: { userName: string; state: string };
}

/** Starts the server of a home. */
async function startIn(home: string, fault?: string): Promise<Child> {
  const child = await startServerProcess({
    data: join(home, 'data'),
    cache: join(home, 'cache'),
    media: home,
    isShortLived: true,
    ...(fault !== undefined && { fault, load: ['faults/arm.ts'] }),
    env: {
      SERVICE_REQUIRE_MFA: 'false',
      SERVICE_SCAN_INTERVAL: '0s',
      SERVICE_SCIM_TOKEN: DIRECTORY,
      SERVICE_SCIM_TOKEN_EXPIRES_AT: new Date(Date.now() + 30 * DAY_MS).toISOString(),
      CRASH_ORDERS: ordersIn(home),
    },
  });
  assert.ok(await child.ready, child.output());
  return child;
}
const ordersIn = (home: string): string => join(home, 'orders.json');
const makeHome = (): string => mkdtempSync(join(tmpdir(), 'matinee-directory-'));

const scim = async (child: Child, method: string, path: string, body?: object) => {
  const { status, bytes } = await ask(child, method, `/scim/v2${path}`, { token: DIRECTORY, body });
  return { status, body: (bytes.byteLength === 0 ? {} : JSON.parse(bytes.toString())) as Record<string, unknown> };
};
const usersOf = async (child: Child): Promise<User[]> =>
  (await scim(child, 'GET', '/Users')).body['Resources'] as User[];
const userOf = (userName: string) => ({ schemas: [USER], userName, externalId: `id of ${userName}` });

/** Returns what the directory sees and what the Owner sees, which have to be the same users. */
async function seen(child: Child, owner: string): Promise<string> {
  const users = (await usersOf(child)).map(({ id, userName, active }) => `${id} ${userName} ${active}`);
  const { body } = await ask<{ items: Profile[] }>(child, 'GET', '/api/v1/profiles', { token: owner });
  const profiles = body.items.flatMap(({ id, name, directory }) =>
    name === 'Ada' || directory?.state === 'removed'
      ? []
      : [`${id} ${directory?.userName} ${directory?.state === 'active'}`],
  );
  assert.deepEqual(profiles.toSorted(), users.toSorted(), 'Profiles and users differ');
  return users.toSorted().join(', ');
}

type Request = (child: Child, bob: string) => Promise<{ status: number }>;
const REQUESTS: Readonly<Record<string, { request: Request; steps: number }>> = {
  'a user is made': { request: (child) => scim(child, 'POST', '/Users', userOf('eve')), steps: 3 },
  'a user is deactivated': {
    request: (child, bob) =>
      scim(child, 'PATCH', `/Users/${bob}`, {
        schemas: [PATCH],
        Operations: [{ op: 'replace', value: { active: false } }],
      }),
    steps: 3,
  },
  'a user is removed': { request: (child, bob) => scim(child, 'DELETE', `/Users/${bob}`), steps: 3 },
};

/** A home whose server is stopped: with an Owner, and Bob, whom the directory has made and who is signed in. */
interface Settled {
  home: string;
  owner: string;
  bob: string;
  session: string;
}
let settled: Settled;
before(async () => {
  const home = makeHome();
  const child = await startIn(home);
  const owner = await ask<{ token: string }>(child, 'POST', '/api/v1/setup', {
    body: { name: 'Ada', password: PASSWORD },
  });
  const { token } = owner.body;
  const bob = String((await scim(child, 'POST', '/Users', userOf('bob'))).body['id']);
  await ask(child, 'PUT', `/api/v1/profiles/${bob}/password`, { token, body: { password: PASSWORD } });
  const signedIn = await ask<{ token: string }>(child, 'POST', '/api/v1/session', {
    body: { name: 'bob', password: PASSWORD },
  });
  assert.equal(signedIn.status, 201);
  assert.equal(await child.stop(), 0);
  settled = { home, owner: token, bob, session: signedIn.body.token };
});
after(() => rmSync(settled.home, { recursive: true, force: true }));

/** Kills the server of a copy of that home in a request. Returns whether the request has left what was there before. */
async function isOldAfter(
  t: TestContext,
  { request, at, nth, fault }: { request: Request; at: CrashPoint; nth: number; fault?: string },
): Promise<boolean> {
  const { owner, bob, session: token } = settled;
  const home = makeHome();
  const children: Child[] = [];
  t.after(async () => {
    for (const child of children) await child.kill();
    rmSync(home, { recursive: true, force: true });
  });
  const start = async (): Promise<Child> => {
    const child = await startIn(home, fault);
    children.push(child);
    return child;
  };
  cpSync(settled.home, home, { recursive: true, preserveTimestamps: true });
  const first = await start();
  const old = await seen(first, owner);
  await arm(first, ordersIn(home), { at, nth });
  const reply = await request(first, bob).catch(() => undefined);
  assert.equal(reply, undefined, 'killed before it replied');
  assert.equal((await first.ended).signal, 'SIGKILL');

  const second = await start();
  const found = await seen(second, owner);
  const session = await ask(second, 'GET', '/api/v1/me', { token });
  const isActive = (await usersOf(second)).some(({ id, active }) => id === bob && active);
  assert.equal(session.status, isActive ? 200 : 401, 'the session and the state of its user differ');
  // The directory repeats the request that had no reply.
  const again = await request(second, bob);
  assert.ok([200, 201, 204, 404, 409].includes(again.status), String(again.status));
  assert.notEqual(await seen(second, owner), old);
  return found === old;
}

for (const [says, { request, steps }] of Object.entries(REQUESTS))
  test(`killed while ${says}, all of it is there or nothing`, async (t) => {
    for (let nth = 1; nth <= steps; nth++)
      assert.equal(await isOldAfter(t, { request, at: 'identity.change.writing', nth }), true, `step ${nth}`);
    assert.equal(await isOldAfter(t, { request, at: 'identity.change.written', nth: 1 }), false);
  });

test('killed while a user is made, with steps that are written apart, half of it is found', async (t) => {
  const { request } = REQUESTS['a user is made'] ?? assert.fail();
  await assert.rejects(
    isOldAfter(t, { request, at: 'identity.change.writing', nth: 1, fault: 'identity-in-parts' }),
    /Profiles and users differ/,
  );
});

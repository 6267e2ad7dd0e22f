/**
 * Killed while a directory makes, changes or removes a user, a server has the user as before or as after, with its
 * Profile and its sessions: never one without the other.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
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
    ...(fault !== undefined && { fault }),
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

/** The user that a request changes, and the name of the one that it makes. */
interface Subject {
  bob: string;
  eve: string;
}
type Request = (child: Child, subject: Subject) => Promise<{ status: number }>;
const REQUESTS: Readonly<Record<string, { request: Request; steps: number }>> = {
  'a user is made': { request: (child, { eve }) => scim(child, 'POST', '/Users', userOf(eve)), steps: 3 },
  'a user is deactivated': {
    request: (child, { bob }) =>
      scim(child, 'PATCH', `/Users/${bob}`, {
        schemas: [PATCH],
        Operations: [{ op: 'replace', value: { active: false } }],
      }),
    steps: 3,
  },
  'a user is removed': { request: (child, { bob }) => scim(child, 'DELETE', `/Users/${bob}`), steps: 3 },
};

/** A home with an Owner. The server that was looked at after a crash is the one that dies next. */
interface House {
  home: string;
  owner: string;
  child: Child;
  fault: string | undefined;
  /** Number of crashes so far. Each has separate users. */
  crashes: number;
}

async function openHouse(fault?: string): Promise<House> {
  const home = makeHome();
  const child = await startIn(home, fault);
  const { body } = await ask<{ token: string }>(child, 'POST', '/api/v1/setup', {
    body: { name: 'Ada', password: PASSWORD },
  });
  return { home, owner: body.token, child, fault, crashes: 0 };
}
async function close({ home, child }: House): Promise<void> {
  await child.kill();
  rmSync(home, { recursive: true, force: true });
}

/** Has the directory make Bob, who signs in. */
async function makeBob({ child, owner: token }: House, userName: string): Promise<{ bob: string; session: string }> {
  const bob = String((await scim(child, 'POST', '/Users', userOf(userName))).body['id']);
  await ask(child, 'PUT', `/api/v1/profiles/${bob}/password`, { token, body: { password: PASSWORD } });
  const signedIn = await ask<{ token: string }>(child, 'POST', '/api/v1/session', {
    body: { name: userName, password: PASSWORD },
  });
  assert.equal(signedIn.status, 201);
  return { bob, session: signedIn.body.token };
}

/** Kills the server in a request and starts it again. Returns whether the request has left what was there before. */
async function isOldAfter(
  house: House,
  { request, at, nth }: { request: Request; at: CrashPoint; nth: number },
): Promise<boolean> {
  const { home, owner, child: first, fault } = house;
  const n = ++house.crashes;
  const { bob, session: token } = await makeBob(house, `bob${n}`);
  const subject = { bob, eve: `eve${n}` };
  const old = await seen(first, owner);
  await arm(first, ordersIn(home), { at, nth });
  const reply = await request(first, subject).catch(() => undefined);
  assert.equal(reply, undefined, 'killed before it replied');
  assert.equal((await first.ended).signal, 'SIGKILL');

  const second = (house.child = await startIn(home, fault));
  const found = await seen(second, owner);
  const session = await ask(second, 'GET', '/api/v1/me', { token });
  const isActive = (await usersOf(second)).some(({ id, active }) => id === bob && active);
  assert.equal(session.status, isActive ? 200 : 401, 'the session and the state of its user differ');
  // The directory repeats the request that had no reply.
  const again = await request(second, subject);
  assert.ok([200, 201, 204, 404, 409].includes(again.status), String(again.status));
  assert.notEqual(await seen(second, owner), old);
  return found === old;
}

let house: House;
before(async () => {
  house = await openHouse();
});
after(() => close(house));

for (const [says, { request, steps }] of Object.entries(REQUESTS))
  test(`killed while ${says}, all of it is there or nothing`, async () => {
    for (let nth = 1; nth <= steps; nth++)
      assert.equal(await isOldAfter(house, { request, at: 'identity.change.writing', nth }), true, `step ${nth}`);
    assert.equal(await isOldAfter(house, { request, at: 'identity.change.written', nth: 1 }), false);
  });

test('killed while a user is made, with steps that are written apart, half of it is found', async (t) => {
  const broken = await openHouse('identity-in-parts');
  t.after(() => close(broken));
  const { request } = REQUESTS['a user is made'] ?? assert.fail();
  await assert.rejects(
    isOldAfter(broken, { request, at: 'identity.change.writing', nth: 1 }),
    /Profiles and users differ/,
  );
});

/** Browsers that stay signed in: how long, rotation, tabs side by side, copied tokens, and what ends them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '../../lib/db/testing.ts';
import { identityMigrations } from '../index.ts';
import { GOOD, OTHER, makeViewer, openIdentityWorld, setUp, type World } from '../testing-world.ts';

const ME = '/api/v1/me';
const SESSION = '/api/v1/session';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A browser: it keeps the cookies that it is sent. */
interface Browser {
  cookies: Record<string, string>;
  get(path: string): Promise<number>;
  call(method: string, path: string, body?: unknown): ReturnType<World['call']>;
}

function browserOf(w: World, cookies: Record<string, string> = {}): Browser {
  const browser: Browser = {
    cookies: { ...cookies },
    get: async (path) => (await browser.call('GET', path)).status,
    call: async (method, path, body) => {
      const cookie = Object.entries(browser.cookies)
        .map((pair) => pair.join('='))
        .join('; ');
      const reply = await w.call(method, path, { cookie, body });
      Object.assign(browser.cookies, reply.cookies);
      return reply;
    },
  };
  return browser;
}

async function remembered(w: World, given: { name?: string; password?: string } = {}): Promise<Browser> {
  const browser = browserOf(w);
  const body = { name: 'Ada', password: GOOD, transport: 'cookie', remember: true, ...given };
  assert.equal((await browser.call('POST', SESSION, body)).status, 201);
  return browser;
}

const copiedSessions = async (w: World): Promise<number> =>
  (await w.identity.happened({ limit: 100 })).filter(({ kind }) => kind === 'session-copied').length;

eachEngine('a marked browser lasts 90 days of use, and 30 without', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  await setUp(w);
  const idle = await remembered(w);
  const used = await remembered(w);
  const plain = browserOf(w);
  await plain.call('POST', SESSION, { name: 'Ada', password: GOOD, transport: 'cookie' });
  w.clock.pass(20 * MINUTE);
  assert.equal(await plain.get(ME), 401, 'without the mark, 15 minutes of silence end the session');
  for (let day = 0; day < 89; day += 1) {
    w.clock.pass(DAY);
    assert.equal(await used.get(ME), 200, `day ${day}`);
    if (day === 28) assert.equal(await idle.get(SESSION), 200, 'used after 29 days');
    if (day === 60) assert.equal(await idle.get(SESSION), 401, 'unused for 31 days');
  }
  assert.equal(await browserOf(await w.again(), used.cookies).get(ME), 200, 'it outlives a restart');
  w.clock.pass(DAY);
  assert.equal(await used.get(ME), 401, 'at most 90 days');
});

eachEngine('the token is replaced while it is used, and each one once', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  await setUp(w);
  const browser = await remembered(w);
  const seen = new Set([browser.cookies['matinee']]);
  for (let hour = 0; hour < 24; hour += 1) {
    w.clock.pass(HOUR);
    assert.equal(await browser.get(ME), 200);
    seen.add(browser.cookies['matinee']);
    assert.equal(await browser.get(ME), 200);
  }
  assert.equal(seen.size, 25);
  assert.equal(await copiedSessions(w), 0);
});

test('tabs that ask side by side stay signed in, also with a reply that is lost', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const browser = await remembered(w);
  for (let round = 0; round < 20; round += 1) {
    w.clock.pass(HOUR);
    const tabs = [1, 2, 3, 4].map(() => browserOf(w, browser.cookies));
    assert.deepEqual(await Promise.all(tabs.map((tab) => tab.get(ME))), [200, 200, 200, 200]);
    const tokens = new Set(tabs.map(({ cookies }) => cookies['matinee']));
    assert.equal(tokens.size, 1, 'all tabs are offered the same token');
    if (round % 3 === 0) w.clock.pass(2 * MINUTE);
    // Every third reply is lost: the browser still has its old token. Otherwise two tabs bring the new one at a time.
    else Object.assign(browser.cookies, tabs[0]?.cookies);
    const late = browserOf(w, tabs[1]?.cookies);
    late.cookies = { ...browser.cookies };
    assert.deepEqual(await Promise.all([browser.get(ME), late.get(ME), browser.get(SESSION)]), [200, 200, 200]);
  }
  assert.equal(await copiedSessions(w), 0);
});

test('a request that was under way with the token before is served', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const browser = await remembered(w);
  const before = browserOf(w, browser.cookies);
  w.clock.pass(HOUR);
  await browser.get(ME);
  await browser.get(ME);
  w.clock.pass(5_000);
  const reply = await before.call('GET', ME);
  assert.deepEqual([reply.status, reply.cookies], [200, {}], 'served, and given no newer token');
  assert.equal(await browser.get(ME), 200);
});

eachEngine('a copied token ends the session, whoever uses theirs first', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  await setUp(w);
  for (const isThiefFirst of [true, false]) {
    const owner = await remembered(w);
    const thief = browserOf(w, owner.cookies);
    const [first, second] = isThiefFirst ? [thief, owner] : [owner, thief];
    w.clock.pass(HOUR);
    assert.equal(await first.get(ME), 200);
    assert.equal(await first.get(ME), 200);
    w.clock.pass(31_000);
    assert.equal(await second.get(ME), 401, 'the old token is refused');
    assert.equal(await first.get(ME), 401, 'and the session is over');
    assert.equal(await browserOf(await w.again(), first.cookies).get(ME), 401);
  }
  assert.equal(await copiedSessions(w), 2);
});

test('the token alone opens nothing: it needs the cookie of its device', async (t) => {
  const w = await openIdentityWorld(t);
  const ada = await setUp(w);
  await makeViewer(w, ada);
  const other = await remembered(w, { name: 'Vic', password: OTHER });
  for (const device of [undefined, 'mat_dev_' + 'A'.repeat(43), other.cookies['matinee-device']]) {
    const owner = await remembered(w);
    const stolen: Record<string, string> = { matinee: owner.cookies['matinee'] ?? '' };
    if (device !== undefined) stolen['matinee-device'] = device;
    assert.equal(await browserOf(w, stolen).get(ME), 401);
    assert.equal(await owner.get(ME), 401, 'the copy has ended the session');
  }
});

test('revocation, a password change and the policy of the server end it', async (t) => {
  const w = await openIdentityWorld(t);
  const ada = await setUp(w);
  const { id: vic } = await makeViewer(w, ada);
  const open = () => remembered(w, { name: 'Vic', password: OTHER });
  const [own, set, sent, kept] = [await open(), await open(), await open(), await open()];
  const listed = await own.call('GET', '/api/v1/me/sessions');
  const items = listed.body['items'] as { id: string; current: boolean; remembered: boolean }[];
  assert.equal(items.length, 5);
  assert.equal(items.filter((one) => one.remembered).length, 4);
  const current = items.find((one) => one.current)?.id ?? '';
  const owners = (await w.call('GET', '/api/v1/sessions', { token: ada })).body['items'] as typeof items;
  const foreign = owners.find((one) => !items.some(({ id }) => id === one.id))?.id ?? '';
  assert.equal((await own.call('DELETE', `/api/v1/me/sessions/${foreign}`)).status, 404, "not another's");
  assert.equal((await own.call('DELETE', `/api/v1/me/sessions/${current}`)).status, 204);
  assert.equal(await own.get(ME), 401);
  const changed = await set.call('PUT', '/api/v1/me/password', { password: OTHER, newPassword: GOOD });
  assert.deepEqual([changed.status, await sent.get(ME), await set.get(ME)], [204, 401, 200]);
  assert.equal(await kept.get(ME), 401);
  await w.call('PUT', `/api/v1/profiles/${vic}/password`, { token: ada, body: { password: OTHER } });
  assert.equal(await set.get(ME), 401, 'a password that an Owner sets');
  const last = await open();
  w.clock.pass(16 * MINUTE);
  assert.equal(await last.get(ME), 200);
  w.settings.set('security.stay_signed_in', false);
  assert.equal(await last.get(ME), 200, 'used just now');
  w.clock.pass(16 * MINUTE);
  assert.equal(await last.get(ME), 401, 'usual limits hold at once');
  const refused = await open();
  w.settings.set('security.stay_signed_in', true);
  w.clock.pass(16 * MINUTE);
  assert.equal(await refused.get(ME), 401, 'no mark is taken while it is off');
});

test('a session that was planted in a browser is not the one that a sign-in opens', async (t) => {
  const w = await openIdentityWorld(t);
  const ada = await setUp(w);
  await makeViewer(w, ada);
  const thief = await remembered(w, { name: 'Vic', password: OTHER });
  for (const planted of [thief.cookies, { matinee: thief.cookies['matinee'] ?? '' }, { matinee: 'mat_ses_x' }]) {
    const victim = browserOf(w, planted);
    const body = { name: 'Ada', password: GOOD, transport: 'cookie', remember: true };
    assert.equal((await victim.call('POST', SESSION, body)).status, 201);
    assert.notEqual(victim.cookies['matinee'], planted.matinee);
    const seen = await victim.call('GET', ME);
    assert.equal((seen.body['profile'] as { name: string }).name, 'Ada');
    const copy = await browserOf(w, planted).call('GET', ME);
    assert.equal(copy.status, 401, 'the planted session is over');
  }
});

test('a token in a header, and a program, are never remembered', async (t) => {
  const w = await openIdentityWorld(t);
  await setUp(w);
  const reply = await w.call('POST', SESSION, { body: { name: 'Ada', password: GOOD, remember: true } });
  const token = String(reply.body['token']);
  const session = await w.call('GET', SESSION, { token });
  assert.deepEqual([session.body['remembered'], reply.cookies['matinee']], [false, undefined]);
  w.clock.pass(31 * DAY);
  assert.equal((await w.call('GET', ME, { token })).status, 401);
});

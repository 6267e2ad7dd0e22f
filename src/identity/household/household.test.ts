/** Household devices: approval, picker, PINs and guesses at them, what an opened Profile may do, and what ends it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '../../lib/db/testing.ts';
import { identityMigrations } from '../index.ts';
import { GOOD, OTHER } from '../testing-world.ts';
import { DEVICES, ME, names, open, openHouse, OPEN, PICKER, said, SESSION, tabletOf } from './testing-house.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

eachEngine(
  'an approved device shows its picker, and each Viewer opens as chosen',
  identityMigrations,
  async (t, db) => {
    const { w, owner, kid, teen, adult, tablet } = await openHouse(t, { db });
    assert.equal((await tablet.call('GET', ME)).status, 401, 'approval signs the Owner out');
    const shown = await tablet.call('GET', PICKER);
    assert.deepEqual([shown.body['device'], names(shown.body)], ['Kitchen tablet', ['Kid', 'Teen', 'Adult']]);
    assert.deepEqual((await w.call('GET', PICKER)).body, { profiles: [] }, 'any other browser has none');
    for (const body of [{ id: kid }, { id: teen, pin: '4071' }, { id: adult, password: OTHER }]) {
      assert.equal((await open(tablet, body)).status, 201);
      const me = await tablet.call('GET', ME);
      assert.deepEqual(
        [me.status, (me.body['profile'] as { id: string }).id, me.body['household']],
        [200, body.id, true],
      );
      assert.equal((await tabletOf(await w.again(), tablet.cookies).call('GET', ME)).status, 200, 'after a restart');
      const before = { ...tablet.cookies };
      assert.equal((await tablet.call('POST', '/api/v1/household/close', {})).status, 204);
      assert.equal((await tabletOf(w, before).call('GET', ME)).status, 401);
    }
    const ends = (await w.identity.happened({ limit: 100 })).filter(({ kind }) => kind === 'sign-out');
    assert.equal(ends.length, 3, 'each end is in the log, as each opening is');
    for (const body of [{ id: teen }, { id: teen, pin: '0000' }, { id: adult, pin: '4071' }, { id: adult }])
      assert.equal((await open(tablet, body)).status, 401, JSON.stringify(body));
    const list = (await w.call('GET', DEVICES, { token: owner })).body['items'] as { profiles: unknown[] }[];
    assert.equal(list[0]?.profiles.length, 3);
  },
);

eachEngine('a removed Profile leaves the picker, and a removed device the house', identityMigrations, async (t, db) => {
  const { w, owner, kid, teen, tablet, device } = await openHouse(t, { db });
  await w.call('DELETE', `/api/v1/profiles/${teen}`, { token: owner });
  assert.deepEqual(names((await tablet.call('GET', PICKER)).body), ['Kid', 'Adult']);
  const again = await w.again();
  assert.deepEqual(names((await tabletOf(again, tablet.cookies).call('GET', PICKER)).body), ['Kid', 'Adult']);
  await open(tablet, { id: kid });
  assert.equal((await w.call('DELETE', `${DEVICES}/${device}`, { token: owner })).status, 204);
  assert.equal((await tablet.call('GET', ME)).status, 401, 'what is open ends with it');
  assert.deepEqual((await tablet.call('GET', PICKER)).body, { profiles: [] });
  assert.deepEqual((await tabletOf(await w.again(), tablet.cookies).call('GET', PICKER)).body, { profiles: [] });
});

test('a Profile that a picker opened watches and does nothing else', async (t) => {
  const { w, owner, kid, tablet, device } = await openHouse(t);
  await open(tablet, { id: kid });
  assert.equal((await tablet.call('GET', '/api/v1/probe/play')).status, 204);
  assert.equal((await tablet.call('PUT', '/api/v1/probe/place', {})).status, 204);
  const refused: [string, string, object?][] = [
    ['PUT', '/api/v1/me/preferences', { theme: 'light' }],
    ['PUT', '/api/v1/me/password', { password: OTHER, newPassword: GOOD }],
    ['POST', '/api/v1/me/mfa', {}],
    ['PUT', '/api/v1/me/mfa', { code: '123456' }],
    ['POST', '/api/v1/session/step-up', { password: OTHER }],
    ['GET', '/api/v1/session'],
    ['GET', '/api/v1/me/sessions'],
    ['GET', '/api/v1/sessions'],
    ['GET', '/api/v1/profiles'],
    ['POST', '/api/v1/profiles', { name: 'Eve', password: GOOD }],
    ['POST', '/api/v1/api-keys', { name: 'k', scopes: ['library'] }],
    ['PUT', `/api/v1/profiles/${kid}/pin`, { pin: '1234' }],
    ['GET', DEVICES],
    ['POST', DEVICES, { name: 'x', profiles: [{ id: kid, opens: 'nothing' }] }],
    ['PUT', `${DEVICES}/${device}`, { name: 'x' }],
    ['DELETE', `${DEVICES}/${device}`],
  ];
  for (const [method, path, body] of refused)
    assert.equal((await tablet.call(method, path, body)).status, 403, `${method} ${path}`);
  assert.equal((await w.call('GET', DEVICES, { token: owner })).body['total'], 1);
});

test('never away from home: not the picker, not a session, not its links', async (t) => {
  const { w, owner, kid, tablet } = await openHouse(t);
  await w.call('PUT', `/api/v1/profiles/${kid}`, {
    token: owner,
    body: { policy: { libraries: 'all', remote: true } },
  });
  const away = '203.0.113.7';
  assert.equal((await open(tablet, { id: kid }, away)).status, 404);
  await open(tablet, { id: kid });
  const { ticket } = (await tablet.call('POST', '/api/v1/probe/link', {})).body as { ticket: string };
  assert.ok(ticket);
  assert.equal((await tabletOf(w, tablet.cookies).call('GET', PICKER, undefined, away)).status, 404);
  assert.equal((await tabletOf(w, tablet.cookies).call('GET', ME, undefined, away)).status, 401);
  const from = {
    address: away,
    network: 'public',
    isSecure: true,
    host: '',
    userAgent: undefined,
    device: undefined,
  } as const;
  await assert.rejects(w.identity.identify({ bearer: undefined, cookie: undefined, ticket, from }), {
    kind: 'unauthenticated',
  });
  const atHome = { ...from, network: 'local' as const };
  assert.ok(await w.identity.identify({ bearer: undefined, cookie: undefined, ticket, from: atHome }));
  const approval = await w.call('POST', DEVICES, {
    token: owner,
    address: away,
    body: { name: 'x', profiles: [{ id: kid, opens: 'nothing' }] },
  });
  assert.equal(approval.status, 404, 'and none is approved from there');
});

test('a PIN of four digits is not guessed: 1,000 guesses, five are looked at', async (t) => {
  const { w, teen, kid, tablet } = await openHouse(t);
  const counts: Record<number, number> = {};
  for (let guess = 0; guess < 1_000; guess += 1) {
    const { status } = await open(tablet, { id: teen, pin: String(9_000 + guess) });
    counts[status] = (counts[status] ?? 0) + 1;
  }
  const { 401: wrong, 429: held, ...accepted } = counts;
  assert.deepEqual([wrong, held, accepted], [5, 995, {}]);
  t.diagnostic(`1,000 guesses of a PIN, ${wrong} looked at, ${Object.keys(accepted).length} accepted`);
  assert.equal(await said(w, 'household-open'), 5, 'each is in the audit log');
  const right = await open(tablet, { id: teen, pin: '4071' });
  assert.equal(right.status, 429, 'the right one waits too, or a guess would be told apart');
  assert.ok(Number(right.headers['retry-after']) > 500);
  assert.equal((await open(tablet, { id: kid })).status, 201, 'other Profiles open');
  w.clock.pass(10 * MINUTE);
  assert.equal((await open(tablet, { id: teen, pin: '4071' })).status, 201);
  w.clock.pass(DAY);
  let checked = 0;
  for (let part = 0; part < 24 * 6; part += 1) {
    w.clock.pass(10 * MINUTE);
    if ((await open(tablet, { id: teen, pin: '1111' })).status === 401) checked += 1;
  }
  assert.ok(checked <= 150, `${checked} guesses in a day`);
});

test('guesses side by side gain nothing', async (t) => {
  const { teen, tablet } = await openHouse(t);
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, n) => open(tablet, { id: teen, pin: String(1_000 + n) })),
  );
  assert.equal(replies.filter(({ status }) => status === 401).length, 5);
  assert.equal(replies.filter(({ status }) => status === 429).length, 35);
});

test('a PIN opens nothing anywhere else, and is kept as a slow hash', async (t) => {
  const { w, owner, teen, tablet, adult } = await openHouse(t);
  assert.equal((await w.call('POST', SESSION, { body: { name: 'Teen', password: '4071' } })).status, 401);
  assert.equal((await w.call('POST', OPEN, { body: { id: teen, pin: '4071' } })).status, 401, 'not in other browsers');
  assert.equal((await open(tablet, { id: adult, pin: '4071' })).status, 401, 'not for another Profile');
  const rows = await w.db
    .tables<{ identity_profile: { id: string; pin: string | null; password: string | null } }>()
    .selectFrom('identity_profile')
    .select(['id', 'pin', 'password'])
    .execute();
  const kept = rows.find(({ id }) => id === teen);
  const costOf = (hash: string | null | undefined) => /^\$argon2id\$v=19\$m=\d+,t=2,p=1\$/.exec(hash ?? '')?.[0];
  assert.ok(costOf(kept?.pin));
  assert.equal(costOf(kept?.pin), costOf(kept?.password), 'as slow as a password');
  for (const pin of ['123', '123456789', '12a4', ''])
    assert.equal((await w.call('PUT', `/api/v1/profiles/${teen}/pin`, { token: owner, body: { pin } })).status, 400);
  assert.equal(
    (await w.call('PUT', `/api/v1/profiles/${teen}/pin`, { token: owner, body: { pin: null } })).status,
    409,
    'it opens the Profile on a device',
  );
  await open(tablet, { id: teen, pin: '4071' });
  assert.equal(
    (await w.call('PUT', `/api/v1/profiles/${teen}/pin`, { token: owner, body: { pin: '55555' } })).status,
    204,
  );
  assert.equal((await tablet.call('GET', ME)).status, 401, 'a new PIN closes what the old one opened');
  assert.equal((await open(tablet, { id: teen, pin: '4071' })).status, 401);
  assert.equal((await open(tablet, { id: teen, pin: '55555' })).status, 201);
});

test('Owners are never in a picker, also not after they were Viewers', async (t) => {
  const { w, owner, kid, adult, tablet, device } = await openHouse(t);
  const { id: ada } = (await w.call('GET', ME, { token: owner })).body['profile'] as { id: string };
  for (const profiles of [
    [{ id: ada, opens: 'password' }],
    [
      { id: kid, opens: 'nothing' },
      { id: ada, opens: 'nothing' },
    ],
  ]) {
    assert.equal((await w.call('PUT', `${DEVICES}/${device}`, { token: owner, body: { profiles } })).status, 409);
    assert.equal((await w.call('POST', DEVICES, { token: owner, body: { name: 'x', profiles } })).status, 409);
  }
  assert.equal(
    (await w.call('PUT', `/api/v1/profiles/${ada}/pin`, { token: owner, body: { pin: '1234' } })).status,
    409,
  );
  await open(tablet, { id: adult, password: OTHER });
  await w.call('PUT', `/api/v1/profiles/${adult}`, { token: owner, body: { role: 'owner' } });
  assert.equal((await tablet.call('GET', ME)).status, 401, 'what is open ends');
  assert.deepEqual(names((await tablet.call('GET', PICKER)).body), ['Kid', 'Teen']);
  assert.equal((await open(tablet, { id: adult, password: OTHER })).status, 401);
});

test('an opening without a PIN or password is refused, and a change of the picker closes', async (t) => {
  const { w, owner, kid, teen, tablet, device } = await openHouse(t);
  const put = (profiles: object[]) => w.call('PUT', `${DEVICES}/${device}`, { token: owner, body: { profiles } });
  assert.equal((await put([{ id: kid, opens: 'pin' }])).status, 409);
  await open(tablet, { id: teen, pin: '4071' });
  assert.equal((await put([{ id: teen, opens: 'pin' }])).status, 200);
  assert.equal((await tablet.call('GET', ME)).status, 200, 'its own opening is the same');
  assert.equal((await put([{ id: kid, opens: 'nothing' }])).status, 200);
  assert.equal((await tablet.call('GET', ME)).status, 401);
  assert.equal((await open(tablet, { id: teen, pin: '4071' })).status, 401);
});

test('with a second factor required, a picker still opens, and an idle Profile closes', async (t) => {
  const { w, kid, tablet } = await openHouse(t);
  w.settings.set('security.require_mfa', true);
  await open(tablet, { id: kid });
  assert.equal((await tablet.call('GET', '/api/v1/probe/play')).status, 204);
  for (let hour = 0; hour < 23; hour += 1) {
    w.clock.pass(HOUR);
    assert.equal((await tablet.call('GET', '/api/v1/probe/play')).status, 204);
  }
  w.clock.pass(HOUR);
  assert.equal((await tablet.call('GET', '/api/v1/probe/play')).status, 401, 'a day at most');
  await tablet.call('GET', PICKER);
  await open(tablet, { id: kid });
  w.clock.pass(4 * HOUR);
  assert.equal((await tablet.call('GET', '/api/v1/probe/play')).status, 401, 'four hours without use');
});

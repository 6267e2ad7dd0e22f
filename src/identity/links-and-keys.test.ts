/** Signed links and API keys open what they were made for, and neither outlives the credential behind it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPES } from '../contract/kernel/endpoint.ts';
import { forbidAway, makeHousehold, ITEM, OUTSIDE, openProbedWorld, scenario } from './testing-access.ts';
import { GOOD, OTHER, setUp, makeViewer, signInOutside } from './testing-world.ts';

scenario('a link opens its own item for its own purpose', 'a link opens whatever is asked for', async (w) => {
  const { token } = await makeHousehold(w);
  const ticket = await w.link(token);
  assert.match(ticket, /^mat_tkt_[\w-]{75}$/);
  assert.equal(await w.media(ticket), 200);
  const others = [await w.media(ticket, { item: 'bbbbbbbbbbbbbbbb' }), await w.media(ticket, { path: 'subtitle' })];
  return others.join() === '401,401';
});

scenario(
  'a link ends with the session it was made with',
  'a credential is looked up once and believed for good',
  async (w) => {
    const { token } = await makeHousehold(w);
    const ticket = await w.link(token);
    assert.equal(await w.media(ticket), 200);
    await w.call('DELETE', '/api/v1/session', { token });
    return (await w.media(ticket)) === 401;
  },
);

scenario('a link is held to the policy of its profile', 'windows and networks are not looked at', async (w) => {
  const owner = await setUp(w);
  const { id } = await makeViewer(w, owner, { remote: true });
  const token = await signInOutside(w, { owner, profile: id, address: OUTSIDE });
  const ticket = await w.link(token, ITEM, OUTSIDE);
  assert.equal(await w.media(ticket, { address: OUTSIDE }), 200);
  await forbidAway(w, owner, id);
  return (await w.media(ticket, { address: OUTSIDE })) === 403;
});

test('a link is good for six hours, survives a restart, and is no bearer', async (t) => {
  const w = await openProbedWorld(t);
  const { token } = await makeHousehold(w);
  const ticket = await w.link(token);
  const again = await w.again();
  assert.equal((await again.call('GET', `/media/${ITEM}?ticket=${ticket}`)).status, 200);
  assert.equal((await w.call('GET', `/media/${ITEM}`, { token: ticket })).status, 401);
  assert.equal((await w.call('GET', `/api/v1/me?ticket=${ticket}`)).status, 401);
  w.clock.pass(6 * 3_600_000 - 1);
  assert.equal(await w.media(ticket), 200);
  w.clock.pass(1);
  assert.equal(await w.media(ticket), 401);
});

test('a link that was changed anywhere is refused', async (t) => {
  const w = await openProbedWorld(t);
  const { token } = await makeHousehold(w);
  const ticket = await w.link(token);
  const bytes = Buffer.from(ticket.slice(8), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const forged = Buffer.from(bytes);
    forged.writeUInt8(forged.readUInt8(at) ^ 1, at);
    assert.equal(
      await w.media(`mat_tkt_${forged.toString('base64url')}`, forged[1] === bytes[1] ? {} : { path: 'subtitle' }),
      401,
      `byte ${at}`,
    );
  }
  for (const odd of ['', 'x', ticket.slice(0, -1), `${ticket}A`, ticket.replace('mat_tkt_', 'mat_ses_')])
    assert.equal(await w.media(odd), 401);
});

test('a key makes links only for what its scopes open, and is no better by them', async (t) => {
  const w = await openProbedWorld(t);
  const { owner, key } = await makeHousehold(w);
  const [weak, able] = [await key(['library']), await key(['library', 'stream'])];
  assert.equal((await w.call('POST', '/api/v1/probe/links', { token: weak.secret, body: { item: ITEM } })).status, 403);
  const ticket = await w.link(able.secret);
  assert.equal(await w.media(ticket), 200);
  await w.call('DELETE', `/api/v1/api-keys/${able.id}`, { token: owner });
  assert.equal(await w.media(ticket), 401);
});

test('a key lives as many days as were chosen, and no other number', async (t) => {
  const w = await openProbedWorld(t);
  const { owner } = await makeHousehold(w);
  const make = (days: unknown) =>
    w.call('POST', '/api/v1/api-keys', { token: owner, body: { name: 'k', scopes: ['library'], days } });
  for (const days of [7, 30, 90, 365]) {
    const { status, body } = await make(days);
    assert.equal(status, 201);
    const [from, to] = [body['createdAt'], body['expiresAt']].map((at) => Date.parse(String(at)));
    assert.equal(Number(to) - Number(from), days * 86_400_000);
  }
  for (const odd of [0, -7, 8, 366, 7.5, '30', null]) assert.equal((await make(odd)).status, 400, String(odd));
});

test('a key is shown once, expires after thirty days, and does nothing that needs a session', async (t) => {
  const w = await openProbedWorld(t);
  const { owner, key } = await makeHousehold(w);
  const made = (await key([...SCOPES])) as unknown as { secret: string; createdAt: string; expiresAt: string };
  assert.match(made.secret, /^mat_key_[\w-]{43}$/);
  assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 30 * 86_400_000);
  const listed = await w.call('GET', '/api/v1/api-keys', { token: owner });
  assert.equal(JSON.stringify(listed.body).includes(made.secret), false);
  for (const [method, path, body] of [
    ['GET', '/session'],
    ['DELETE', '/session'],
    ['POST', '/session/step-up', { password: GOOD }],
    ['POST', '/me/mfa', {}],
    ['DELETE', '/me/mfa', { code: '123456' }],
    ['POST', '/api-keys', { name: 'k', scopes: ['admin'] }],
  ] as const) {
    assert.equal(
      (await w.call(method, `/api/v1${path}`, { token: made.secret, ...(body !== undefined && { body }) })).status,
      403,
      `${method} ${path}`,
    );
  }
  w.clock.pass(30 * 86_400_000 - 1);
  assert.equal((await w.call('GET', '/api/v1/me', { token: made.secret })).status, 200);
  w.clock.pass(1);
  assert.equal((await w.call('GET', '/api/v1/me', { token: made.secret })).status, 401);
});

const POLICY = { libraries: 'all', rating: 'teen', windows: [], remote: false, transcode: false, download: false };

scenario(
  'a key with every scope adds, changes and removes no sign-in method',
  'a key counts as a session',
  async (w) => {
    const { owner, id, key, sessionOf } = await makeHousehold(w);
    const { id: keyId, secret } = await key([...SCOPES]);
    const ada = w.identity.profiles().find(({ name }) => name === 'Ada')?.id;
    const devices = (await w.call('GET', '/api/v1/devices', { token: owner })).body['items'] as {
      id: string;
      profile: string;
    }[];
    const device = devices.find(({ profile }) => profile === 'Vic')?.id;
    const asked: [string, string, unknown?][] = [
      ['POST', '/profiles', { name: 'Mallory', password: OTHER, role: 'owner' }],
      ['POST', '/profiles', { name: 'Mallory', password: OTHER }],
      ['PUT', `/profiles/${id}`, { role: 'owner' }],
      ['PUT', `/profiles/${id}`, { name: 'Victor' }],
      ['PUT', `/profiles/${ada}`, { policy: POLICY }],
      ['PUT', `/profiles/${ada}`, { role: 'viewer' }],
      ['PUT', `/profiles/${id}/password`, { password: GOOD }],
      ['PUT', `/profiles/${ada}/password`, { password: OTHER }],
      ['PUT', '/me/password', { password: GOOD, newPassword: OTHER }],
      ['DELETE', `/profiles/${id}`],
      ['GET', '/sessions'],
      ['DELETE', '/sessions'],
      ['DELETE', `/sessions/${await sessionOf(owner)}`],
      ['GET', '/devices'],
      ['DELETE', `/devices/${device}`],
      ['GET', '/api-keys'],
      ['POST', '/api-keys', { name: 'another', scopes: ['admin'] }],
      ['DELETE', `/api-keys/${keyId}`],
      ['POST', '/me/mfa', {}],
    ];
    const before = JSON.stringify(w.identity.profiles());
    let held = true;
    for (const [method, path, body] of asked)
      held &&=
        (await w.call(method, `/api/v1${path}`, { token: secret, ...(body !== undefined && { body }) })).status === 403;
    // A key may still list the Profiles, and set what a Viewer is allowed.
    assert.equal((await w.call('GET', '/api/v1/profiles', { token: secret })).status, 200);
    if (held)
      assert.equal(
        (await w.call('PUT', `/api/v1/profiles/${id}`, { token: secret, body: { policy: POLICY } })).status,
        200,
      );
    return held && JSON.stringify(w.identity.profiles()) === before;
  },
);

test('an owner whose session ends while a password is hashed changes no Profile', async (t) => {
  const w = await openProbedWorld(t);
  const { owner, id } = await makeHousehold(w);
  const second = await w.call('POST', '/api/v1/session', { body: { name: 'Ada', password: GOOD } });
  const other = String(second.body['token']);
  const [made, set] = [
    w.call('POST', '/api/v1/profiles', { token: other, body: { name: 'Bea', password: OTHER, role: 'owner' } }),
    w.call('PUT', `/api/v1/profiles/${id}/password`, { token: other, body: { password: GOOD } }),
  ];
  await w.call('DELETE', '/api/v1/sessions', { token: owner });
  assert.deepEqual([(await made).status, (await set).status], [401, 401]);
  assert.deepEqual(
    w.identity
      .profiles()
      .map(({ name }) => name)
      .sort(),
    ['Ada', 'Vic'],
  );
});

test('a link is accepted in one spelling only', async (t) => {
  const w = await openProbedWorld(t);
  const { token } = await makeHousehold(w);
  const ticket = await w.link(token);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = letters.indexOf(ticket.at(-1) ?? '');
  // The last character holds four bits that count and two that do not.
  const same = [1, 2, 3].map((bits) => ticket.slice(0, -1) + letters.charAt(last ^ bits));
  for (const one of same)
    assert.deepEqual(Buffer.from(one.slice(8), 'base64url'), Buffer.from(ticket.slice(8), 'base64url'));
  const odd = [
    ...same,
    `${ticket}=`,
    ` ${ticket}`,
    `${ticket} `,
    ticket.replace('mat_', 'MAT_'),
    `mat_tkt_${Buffer.from(ticket.slice(8), 'base64url').toString('base64')}`,
  ];
  for (const one of odd) assert.equal(await w.media(one), 401, one);
  assert.equal(await w.media(ticket), 200);
});

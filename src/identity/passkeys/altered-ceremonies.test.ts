/** Altered ceremonies: each part of a reply of a device is wrong once, and none of them is accepted. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { MINUTE } from '../core.ts';
import { makeViewer, openIdentityWorld, setUp, type World } from '../testing-world.ts';
import {
  type Alterations,
  cbor,
  FLAG,
  makeTestPasskey,
  type TestPasskey,
  useTestPasskey,
} from './testing-authenticator.ts';
import {
  addPasskey,
  beginAdding,
  beginProving,
  beginSigningIn,
  finishAdding,
  finishSigningIn,
  signInWith,
} from './testing-ceremonies.ts';

const { present, verified, synced, syncable, key: hasKey } = FLAG;
const nested = (depth: number): Buffer => Buffer.concat([Buffer.alloc(depth, 0x81), Buffer.of(0)]);
const flipped = (given: string): string => (given.startsWith('A') ? 'B' : 'A') + given.slice(1);

const NEW_KEYS: Record<string, Alterations & { algorithm?: 'RS256' }> = {
  'the type of a use': { client: { type: 'webauthn.get' } },
  'another challenge': { client: { challenge: randomBytes(32).toString('base64url') } },
  'a page of another host': { origin: 'http://evil.example' },
  'a page of a host below ours': { origin: 'http://evil.localhost' },
  'another port': { origin: 'http://localhost:8443' },
  'another scheme': { origin: 'https://localhost' },
  'a frame in another site': { client: { crossOrigin: true } },
  'a page above ours': { client: { topOrigin: 'http://evil.example' } },
  'text that is no JSON': { clientText: '{"type":"webauthn.create"' },
  'a list in place of an object': { clientText: '[]' },
  'another host in the key': { rpId: 'evil.example' },
  'nobody was there': { flags: verified | hasKey },
  'nobody was verified': { flags: present | hasKey },
  'synced and not syncable': { flags: present | verified | hasKey | synced },
  'no key': { flags: present | verified },
  'another id beside it': { id: randomBytes(16).toString('base64url') },
  'an id of 1,024 bytes': { credential: randomBytes(1_024) },
  'an algorithm that nobody asked for': {
    cose: new Map([
      [1, 2],
      [3, -35],
      [-1, 2],
    ]),
  },
  'a key without an algorithm': { cose: new Map([[1, 2]]) },
  'a certificate of the maker': {
    format: 'packed',
    statement: new Map<string, number | Buffer | Buffer[]>([
      ['alg', -7],
      ['sig', randomBytes(70)],
      ['x5c', [randomBytes(300)]],
    ]),
  },
  'a signature of another key in it': {
    format: 'packed',
    statement: new Map<string, number | Buffer>([
      ['alg', -7],
      ['sig', randomBytes(70)],
    ]),
  },
  'an unknown format': { format: 'evil' },
  'a statement where there is none': { statement: new Map([['x', 1]]) },
  'more after the end': { data: (data) => Buffer.concat([data, Buffer.alloc(8, 1)]) },
  'an end too early': { data: (data) => data.subarray(0, 60) },
  'a list in a list ten thousand times': { attestation: nested(10_000) },
};

const USES: Record<string, (other: TestPasskey) => Alterations> = {
  'the type of a new key': () => ({ client: { type: 'webauthn.create' } }),
  'another challenge': () => ({ client: { challenge: randomBytes(32).toString('base64url') } }),
  'a page of another host': () => ({ origin: 'http://evil.example' }),
  'another port': () => ({ origin: 'http://localhost:8443' }),
  'a frame in another site': () => ({ client: { crossOrigin: true } }),
  'a page above ours': () => ({ client: { topOrigin: 'http://evil.example' } }),
  'text that is no JSON': () => ({ clientText: 'null' }),
  'another host': () => ({ rpId: 'evil.example' }),
  'nobody was there': () => ({ flags: verified }),
  'nobody was verified': () => ({ flags: present }),
  'syncable, and was not': () => ({ flags: present | verified | syncable }),
  'synced and not syncable': () => ({ flags: present | verified | synced }),
  'a signature that was changed': () => ({ sent: ({ signature }) => ({ signature: flipped(signature) }) }),
  'a signature of another key': () => ({ key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }),
  'a page that was changed after it was signed': () => ({
    sent: ({ clientDataJSON }) => ({
      clientDataJSON: Buffer.from(`${Buffer.from(clientDataJSON, 'base64url').toString()} `).toString('base64url'),
    }),
  }),
  'a counter that was changed after it was signed': () => ({
    sent: ({ authenticatorData }) => ({
      authenticatorData: Buffer.concat([
        Buffer.from(authenticatorData, 'base64url').subarray(0, 33),
        Buffer.of(0, 0, 0, 9),
      ]).toString('base64url'),
    }),
  }),
  'no handle': () => ({ handle: undefined }),
  'the handle of another profile': (other) => ({ handle: other.handle }),
  'the id of the passkey of another profile': (other) => ({ id: other.credential.toString('base64url') }),
  'an id that nobody has': () => ({ id: randomBytes(16).toString('base64url') }),
  'more after the end': () => ({ data: (data) => Buffer.concat([data, Buffer.of(1)]) }),
  'extensions that are no CBOR': () => ({
    flags: present | verified | 0x80,
    data: (data) => Buffer.concat([data, Buffer.of(0xff, 0xff)]),
  }),
};

/** A server with an Owner and a Viewer who have a passkey each; attempts are not slowed down here. */
async function openHousehold(t: TestContext) {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const viewer = await makeViewer(w, owner, { remote: false });
  const own = await addPasskey(w, owner);
  const other = await addPasskey(w, viewer.token);
  return { w, owner, viewer, own, other };
}
/** Lets the throttle on guessing forget, so that each refusal is that of the passkey. */
const rest = (w: World): void => w.clock.pass(2 * MINUTE);

test('there are at least 40 altered ceremonies', (t) => {
  const count = Object.keys(NEW_KEYS).length + Object.keys(USES).length;
  assert.ok(count >= 40, `${count} alterations are fewer than 40`);
  t.diagnostic(`${count} altered ceremonies`);
});

test('no altered new passkey is accepted, and the unaltered one is', async (t) => {
  const { w, owner } = await openHousehold(t);
  const accepted: string[] = [];
  for (const [name, altered] of Object.entries(NEW_KEYS)) {
    const { ceremony, publicKey } = await beginAdding(w, { token: owner });
    const reply = await finishAdding(
      w,
      { token: owner },
      { ceremony, credential: makeTestPasskey(publicKey, altered).reply },
    );
    if (reply.status === 201) accepted.push(name);
    else assert.equal(reply.status, 400, name);
  }
  assert.deepEqual(accepted, []);
  t.diagnostic(`${Object.keys(NEW_KEYS).length} altered new passkeys, ${accepted.length} accepted`);
  for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
    const { passkey } = await addPasskey(w, owner, { algorithm });
    assert.equal((await signInWith(w, passkey)).status, 201, algorithm);
  }
  const listed = await w.call('GET', '/api/v1/passkeys', { token: owner });
  assert.equal(listed.body['total'], 4);
});

test('no altered use of a passkey is accepted, and each is answered in the same way', async (t) => {
  const { w, own, other } = await openHousehold(t);
  const texts = new Set<string>();
  const accepted: string[] = [];
  for (const [name, alter] of Object.entries(USES)) {
    rest(w);
    const reply = await signInWith(w, own.passkey, alter(other.passkey));
    if (reply.status === 201) accepted.push(name);
    else assert.equal(reply.status, 401, name);
    texts.add(JSON.stringify(reply.body));
  }
  assert.deepEqual(accepted, []);
  t.diagnostic(`${Object.keys(USES).length} altered uses, ${accepted.length} accepted`);
  assert.equal(texts.size, 1, [...texts].join());
  assert.equal((await signInWith(w, own.passkey)).status, 201);
});

test('a ceremony is good once, for its purpose, its session, its listener and five minutes', async (t) => {
  const { w, own, other } = await openHousehold(t);
  const statuses: Record<string, number> = {};
  const use = async (name: string, where: object, change: () => Promise<void> | void = () => {}) => {
    rest(w);
    const { ceremony, publicKey } = await beginSigningIn(w);
    await change();
    const credential = useTestPasskey(own.passkey, publicKey);
    statuses[name] = (await finishSigningIn(w, { ceremony, credential }, where)).status;
    return { ceremony, credential };
  };
  const used = await use('right', {});
  statuses['again'] = (await finishSigningIn(w, used)).status;
  await use('another listener', { address: '203.0.113.5' });
  await use('too late', {}, () => w.clock.pass(5 * MINUTE));
  await use('the wall clock went back', {}, () => (w.clock.pass(5 * MINUTE), w.clock.jump(-6 * MINUTE)));
  const fresh = await signInWith(w, own.passkey);
  const token = String(fresh.body['token']);
  const step = await beginProving(w, { token });
  statuses['a proof as a sign-in'] = (
    await finishSigningIn(w, { ceremony: step.ceremony, credential: useTestPasskey(own.passkey, step.publicKey) })
  ).status;
  const viewing = String((await signInWith(w, other.passkey)).body['token']);
  const theirs = await beginProving(w, { token: viewing });
  const proof = { ceremony: theirs.ceremony, credential: useTestPasskey(other.passkey, theirs.publicKey) };
  const asked = await w.call('POST', '/api/v1/session/step-up', { token, body: proof });
  statuses['a proof of another session'] = asked.status;
  const begun = await beginAdding(w, { token });
  const { reply } = makeTestPasskey(begun.publicKey);
  const body = { ceremony: begun.ceremony, credential: reply };
  statuses['a new passkey of another session'] = (await finishAdding(w, { token: viewing }, body)).status;
  statuses['a new passkey after that'] = (await finishAdding(w, { token }, body)).status;
  const second = await beginAdding(w, { token });
  const known = makeTestPasskey(second.publicKey, { credential: other.passkey.credential });
  const again = await finishAdding(w, { token }, { ceremony: second.ceremony, credential: known.reply });
  statuses['a credential of another profile'] = again.status;
  const { ceremony, publicKey } = await beginSigningIn(w);
  const restarted = await w.again();
  const late = { ceremony, credential: useTestPasskey(own.passkey, publicKey) };
  statuses['after a restart'] = (await finishSigningIn(restarted, late)).status;
  assert.deepEqual(statuses, {
    right: 201,
    again: 401,
    'another listener': 401,
    'too late': 401,
    'the wall clock went back': 401,
    'a proof as a sign-in': 401,
    'a proof of another session': 401,
    'a new passkey of another session': 404,
    'a new passkey after that': 404,
    'a credential of another profile': 409,
    'after a restart': 401,
  });
});

test('a counter that does not grow is refused and marked, and one that grows is accepted', async (t) => {
  const { w, owner } = await openHousehold(t);
  const { passkey, id } = await addPasskey(w, owner, { counter: 7 });
  passkey.counter = 7;
  const signedIn = async (altered: Alterations = {}) => (rest(w), (await signInWith(w, passkey, altered)).status);
  const suspect = async () =>
    (
      (await w.call('GET', '/api/v1/passkeys', { token: owner })).body['items'] as { id: string; suspect: boolean }[]
    ).find((one) => one.id === id)?.suspect;
  assert.equal(await signedIn(), 201);
  // A wrong signature says nothing about the device.
  assert.equal(await signedIn({ counter: 3, sent: ({ signature }) => ({ signature: flipped(signature) }) }), 401);
  assert.equal(await suspect(), false);
  assert.deepEqual([await signedIn({ counter: 8 }), await signedIn({ counter: 0 })], [401, 401]);
  assert.equal(await suspect(), true);
  assert.equal(await signedIn(), 201);
  const audit = await w.identity.happened({ limit: 100 });
  assert.equal(audit.filter(({ kind }) => kind === 'passkey-suspect').length, 2);
});

test('ceremonies are bounded, and a page of sign-in gives way to later ones', async (t) => {
  const { w, own } = await openHousehold(t);
  const first = await beginSigningIn(w);
  for (let at = 0; at < 64; at++) await beginSigningIn(w);
  const over = { ceremony: first.ceremony, credential: useTestPasskey(own.passkey, first.publicKey) };
  assert.equal((await finishSigningIn(w, over)).status, 401);
  const later = await beginSigningIn(w);
  for (let at = 0; at < 936; at++) await beginSigningIn(w, { address: `10.${at >> 8}.${at & 255}.1` });
  const answer = (begun: typeof first) =>
    finishSigningIn(w, { ceremony: begun.ceremony, credential: useTestPasskey(own.passkey, begun.publicKey) });
  assert.equal((await answer(later)).status, 201, 'a thousand are kept');
  const oldest = await beginSigningIn(w);
  for (let at = 0; at < 1_000; at++) await beginSigningIn(w, { address: `10.${at >> 8}.${at & 255}.1` });
  assert.equal((await answer(oldest)).status, 401, 'the oldest gives way');
  assert.equal((await answer(await beginSigningIn(w))).status, 201, 'nobody is refused');
});

test('bytes that are no CBOR end as a refusal', async (t) => {
  const { w, owner } = await openHousehold(t);
  for (let at = 0; at < 200; at++) {
    const { ceremony, publicKey } = await beginAdding(w, { token: owner });
    const valid = makeTestPasskey(publicKey).reply;
    const bytes = Buffer.from(valid.response.attestationObject, 'base64url');
    for (let hit = 0; hit <= at % 4; hit++) bytes[(at * 31 + hit * 7) % bytes.length] = (at * 13 + hit * 101) & 0xff;
    const attestationObject = (at % 5 === 0 ? bytes.subarray(0, at % bytes.length || 1) : bytes).toString('base64url');
    const credential = { ...valid, response: { ...valid.response, attestationObject } };
    const { status, body } = await finishAdding(w, { token: owner }, { ceremony, credential });
    if (status === 201)
      await w.call('DELETE', `/api/v1/passkeys/${(body['passkey'] as { id: string }).id}`, { token: owner });
    assert.ok(status === 400 || status === 201, String(status));
  }
  assert.ok(cbor(new Map([['a', 1]])).length > 0);
});

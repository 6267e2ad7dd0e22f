/** SAML beyond the documents: where it is offered, what is sent, whose metadata counts, and how sessions end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetFailure } from '../../../lib/net.ts';
import { GOOD, openIdentityWorld, setUp, type World } from '../../testing-world.ts';
import {
  beginAt,
  comeBack,
  cookieOf,
  flowCookie,
  linkAt,
  openSamlWorld,
  profileOf,
  signInAt,
} from '../testing-flows.ts';
import { SAML } from './names.ts';
import {
  ACS,
  createTestIdp,
  ENTITY,
  IDP,
  makeTestKey,
  METADATA_URL,
  metadataOf,
  requestIn,
  samlSettings,
  SITE,
  tlsOf,
} from './testing-idp.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OUTSIDE = '203.0.113.9';
const TEST = '/api/v1/identity-provider/test?protocol=saml';

test('without a provider, without TLS and away from home, there is none', async (t) => {
  const { w, issuer } = await openSamlWorld(t);
  const bare = await openIdentityWorld(t);
  const plain = await openIdentityWorld(t, { settings: samlSettings(), net: issuer.net, clock: w.clock });
  const routes: [method: string, url: string, asking: Parameters<World['call']>[2]][] = [
    ['GET', '/api/v1/session/saml', {}],
    ['POST', '/api/v1/session/saml', { body: { code: '123456' } }],
  ];
  for (const [method, url, asking] of routes) {
    assert.equal((await bare.call(method, url, asking)).status, 404, url);
    assert.equal((await plain.call(method, url, asking)).status, 404, `${url} without TLS`);
    assert.equal((await w.call(method, url, { ...asking, address: OUTSIDE })).status, 404, `${url} from outside`);
  }
  const consumed = async (world: World, address?: string) => {
    const form = new URLSearchParams({ SAMLResponse: 'YQ==' }).toString();
    const { statusCode, body } = await world.http.server.inject({
      method: 'POST',
      url: '/saml/acs',
      headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
      payload: form,
      remoteAddress: address ?? '192.168.1.20',
    });
    return [statusCode, body];
  };
  const none = [404, 'sign-in through an identity provider is not set up here\n'];
  assert.deepEqual(await consumed(bare), none);
  assert.deepEqual(await consumed(plain), none);
  // Nothing of it exists outside.
  assert.deepEqual(await consumed(w, OUTSIDE), [404, 'no such resource\n']);
  const offered = { saml: { name: 'id.example.org', origin: SITE } };
  assert.deepEqual((await w.call('GET', '/api/v1/session/ways', { address: OUTSIDE })).body['saml'], undefined);
  assert.deepEqual((await w.call('GET', '/api/v1/session/ways')).body['saml'], offered.saml);
  // At another address of this server, without TLS, the page leads to the public one.
  assert.deepEqual((await plain.call('GET', '/api/v1/session/ways')).body['saml'], offered.saml);
  for (const address of [undefined, 'http://localhost:38128']) {
    const settings = samlSettings({ 'auth.url': address, 'integrations.saml.url': undefined });
    const half = await openIdentityWorld(t, { settings, net: issuer.net });
    assert.equal((await half.call('GET', '/api/v1/session/ways')).body['saml'], undefined, String(address));
    const owner = await setUp(half);
    const { body } = await half.call('POST', TEST, { token: owner });
    assert.deepEqual(body, { configured: false, connected: false });
    assert.equal(
      (await half.http.server.inject({ url: '/saml/metadata', headers: { host: 'localhost' } })).statusCode,
      404,
    );
  }
});

test('the request names this server, and its cookie comes along from every site, over TLS alone', async (t) => {
  const { w } = await openSamlWorld(t);
  const begun = await w.call('GET', '/api/v1/session/saml');
  assert.match(
    String(begun.headers['set-cookie']),
    /^__Host-matinee-flow=[\w-]{43}; Path=\/; HttpOnly; SameSite=None; Max-Age=600; Secure$/,
  );
  const address = new URL(String(begun.headers['location']));
  assert.deepEqual(
    [address.origin, address.pathname, address.searchParams.get('tenant')],
    ['https://id.example.org', '/sso', 'home'],
  );
  const request = requestIn(address);
  assert.deepEqual(
    { ...request, id: '' },
    {
      id: '',
      issuer: ENTITY,
      consumer: ACS,
      destination: 'https://id.example.org/sso?tenant=home',
      isForced: false,
      format: SAML.persistent,
    },
  );
  assert.match(request.id, /^_[0-9a-f]{40}$/);
  assert.notEqual(request.id, requestIn((await beginAt(w, '/api/v1/session/saml')).address).id);
  const own = await w.http.server.inject({ url: '/saml/metadata', headers: { host: 'localhost' } });
  for (const part of [
    `entityID="${ENTITY}"`,
    `Location="${ACS}"`,
    'AuthnRequestsSigned="false"',
    'WantAssertionsSigned="true"',
  ])
    assert.ok(own.body.includes(part), part);
  // With a public address that is only for remote access, SAML has another one at home.
  const home = await openSamlWorld(t, { more: { 'integrations.saml.url': 'https://home.example.org:38128/' } });
  const asked = requestIn((await beginAt(home.w, '/api/v1/session/saml')).address);
  assert.deepEqual(
    [asked.issuer, asked.consumer],
    ['https://home.example.org:38128/saml/metadata', 'https://home.example.org:38128/saml/acs'],
  );
  // A provider that lists no persistent name is asked for none, and neither is one whose attribute names the person.
  const byAttribute = await openSamlWorld(t, { more: { 'integrations.saml.identity_attribute': 'uid' } });
  assert.equal(requestIn((await beginAt(byAttribute.w, '/api/v1/session/saml')).address).format, undefined);
});

test('a provider next door, whose pages bring the cookies of a session, signs in all the same', async (t) => {
  const { w, issuer, viewer } = await openSamlWorld(t);
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const first = (await signInAt(w, issuer)).session;
  const { address, flow } = await beginAt(w, '/api/v1/session/saml');
  const back = await w.call('POST', '/saml/acs', {
    form: issuer.authorize(address),
    headers: {
      cookie: `${flowCookie(w, flow)}; ${cookieOf(first, w)}`,
      'sec-fetch-site': 'same-site',
      origin: 'https://id.example.org',
    },
  });
  assert.deepEqual([back.status, back.headers['location']], [303, '/']);
  assert.equal(await profileOf(w, back.cookies['__Host-matinee']), 'Vic');
});

test('a session ends when the provider says, and never lasts longer than others', async (t) => {
  const { w, issuer, viewer } = await openSamlWorld(t);
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const endsIn = async (ms: number | undefined) => {
    issuer.person = { sessionEndsAt: ms === undefined ? undefined : w.clock.now() + ms };
    const { session } = await signInAt(w, issuer);
    const at = w.clock.now();
    let minutes = 0;
    // Used each minute, so that it does not end for silence.
    for (; minutes < 600 && (await profileOf(w, session)) !== undefined; minutes += 1) w.clock.pass(MINUTE);
    return Math.round((w.clock.now() - at) / MINUTE);
  };
  assert.equal(await endsIn(5 * MINUTE), 5);
  assert.equal(await endsIn(undefined), 480);
  assert.equal(await endsIn(24 * HOUR), 480);
});

test('metadata is read each day, and the last good document counts, also after a restart', async (t) => {
  const { w, issuer, owner, viewer } = await openSamlWorld(t);
  const check = async () => (await w.call('POST', TEST, { token: owner })).body;
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  assert.deepEqual(issuer.asked, [METADATA_URL], 'once, at the start');
  const good = issuer.metadata;
  const codes = (world: World) =>
    world.identity.findings().flatMap(({ code }) => (code.startsWith('saml') ? [code] : []));

  issuer.metadata = () => ({ text: metadataOf([issuer.keys.stranger.base64]) });
  assert.equal(await profileOf(w, (await signInAt(w, issuer)).session), 'Vic', 'for a day it is believed');
  issuer.metadata = () => ({ status: 503, text: '' });
  for (const [hours, found] of [
    [25, []],
    [24, []],
    [24, ['saml-metadata-stale']],
  ] as const) {
    w.clock.pass(hours * HOUR);
    const again = await w.again();
    assert.equal(await profileOf(again, (await signInAt(again, issuer)).session), 'Vic', 'the last good one counts');
    assert.deepEqual(codes(again), found);
  }
  await w.call('POST', '/api/v1/session/step-up', { token: owner, body: { password: GOOD } });
  assert.equal((await check())['reason'], 'saml-metadata-invalid');
  assert.equal(await profileOf(w, (await signInAt(w, issuer)).session), 'Vic', 'also after a test that failed');
  issuer.metadata = good;
  assert.deepEqual(await check(), { configured: true, connected: true });
  assert.deepEqual(codes(w), []);
  // One of another address does not count.
  issuer.metadata = () => ({ status: 503, text: '' });
  w.settings.set('integrations.saml.metadata_url', `${METADATA_URL}/2`);
  const moved = await w.again();
  assert.equal((await moved.call('GET', '/api/v1/session/saml')).status, 503);
  assert.deepEqual(codes(moved), ['saml-metadata-unusable']);
});

test('a provider that changes its keys, or its name', async (t) => {
  const { w, issuer, owner, viewer } = await openSamlWorld(t);
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const { rsa, stranger } = issuer.keys;
  const readAgain = () => w.call('POST', TEST, { token: owner });
  const signIn = async () => (await signInAt(w, issuer)).location;
  issuer.twist = { signing: () => ({ key: stranger.privateKey }) };
  assert.equal(await signIn(), '/sign-in?reason=outside-refused');
  issuer.metadata = () => ({ text: metadataOf([stranger.base64, rsa.base64]) });
  await readAgain();
  assert.equal(await signIn(), '/', 'the next key is known');
  issuer.twist = {};
  assert.equal(await signIn(), '/', 'and the former one still');
  issuer.metadata = () => ({ text: metadataOf([rsa.base64], { entity: 'https://other.example.org' }) });
  await readAgain();
  assert.equal(await signIn(), '/sign-in?reason=outside-refused', 'an answer of the former name');
  issuer.person = { issuer: 'https://other.example.org', responseIssuer: 'https://other.example.org' };
  assert.equal(await signIn(), '/sign-in?reason=outside-unknown', 'the same person of another issuer is another one');
  const linked = (await w.call('GET', '/api/v1/me/saml', { token: viewer.token })).body['linked'] as {
    usable: boolean;
  };
  assert.equal(linked.usable, false);
});

test('metadata that is not that of exactly one provider is refused, each with its reason', async (t) => {
  const { w, issuer, owner } = await openSamlWorld(t);
  const { rsa, ec } = issuer.keys;
  const weak = await makeTestKey('rsa-1024');
  const good = metadataOf([rsa.base64]);
  const list = (...all: string[]): string => {
    const entities = all.map((one) => one.slice(one.indexOf('<md:')));
    return `<md:EntitiesDescriptor xmlns:md="${SAML.metadata}">${entities.join('')}</md:EntitiesDescriptor>`;
  };
  const cases: Record<string, [text: string, reason: string | undefined]> = {
    'an elliptic curve': [metadataOf([ec.base64]), undefined],
    'a list of one': [list(good), undefined],
    'a byte order mark': [`\uFEFF${good}`, undefined],
    'a key that is too short next to one that is not': [metadataOf([weak.base64, rsa.base64]), undefined],
    'a list of two': [
      list(good, metadataOf([ec.base64], { entity: 'https://other.example.org' })),
      'saml-metadata-invalid',
    ],
    'a page': ['<!DOCTYPE html><p>hello', 'saml-metadata-invalid'],
    'a document type': [good.replace('<md:Entity', '<!DOCTYPE a><md:Entity'), 'saml-metadata-invalid'],
    nothing: ['', 'saml-metadata-invalid'],
    'another document': ['<a/>', 'saml-metadata-invalid'],
    'a provider of SAML 1.1': [
      good.replace(SAML.protocol, 'urn:oasis:names:tc:SAML:1.1:protocol'),
      'saml-metadata-invalid',
    ],
    'no entity id': [good.replace(`entityID="${IDP}"`, ''), 'saml-metadata-invalid'],
    'a key that is too short': [metadataOf([weak.base64]), 'saml-provider-unsupported'],
    'no key': [metadataOf([]), 'saml-provider-unsupported'],
    'keys for encryption alone': [good.replace('use="signing"', 'use="encryption"'), 'saml-provider-unsupported'],
    'no certificate': [metadataOf(['aGVsbG8=']), 'saml-provider-unsupported'],
    'no sign-in by redirect': [good.replace(SAML.redirect, SAML.post), 'saml-provider-unsupported'],
    'a sign-in without TLS': [
      metadataOf([rsa.base64], { signOn: 'http://id.example.org/sso' }),
      'saml-provider-unsupported',
    ],
    'a sign-in that is a script': [
      metadataOf([rsa.base64], { signOn: 'javascript:alert(1)' }),
      'saml-provider-unsupported',
    ],
    'a document of the past': [
      metadataOf([rsa.base64], { more: ' validUntil="2020-01-01T00:00:00Z"' }),
      'saml-metadata-expired',
    ],
    'a time that is none': [metadataOf([rsa.base64], { more: ' validUntil="tomorrow"' }), 'saml-metadata-invalid'],
  };
  for (const [name, [text, reason]] of Object.entries(cases)) {
    issuer.metadata = () => ({ text });
    const { body } = await w.call('POST', TEST, { token: owner });
    assert.equal(body['reason'], reason, name);
    assert.equal(body['connected'], reason === undefined, name);
    // The same document, pasted.
    const pasted = samlSettings({
      'integrations.saml.metadata_url': undefined,
      'integrations.saml.metadata_xml': text,
    });
    const world = await openIdentityWorld(t, { clock: w.clock, settings: pasted, tls: tlsOf(ec) });
    const begun = await world.call('GET', '/api/v1/session/saml');
    assert.deepEqual(
      [begun.status, begun.body['reason']],
      reason === undefined ? [303, undefined] : [503, reason],
      name,
    );
  }
});

test('an address that cannot be used is said to be, and asked again soon', async (t) => {
  const clock = (await openIdentityWorld(t)).clock;
  const issuer = await createTestIdp(clock);
  const { request } = issuer.net;
  const asked: unknown[] = [];
  issuer.net.request = (given) => {
    asked.push(given);
    return Promise.reject(new NetFailure('address', 'not here'));
  };
  const tls = tlsOf(issuer.keys.ec);
  const w = await openIdentityWorld(t, { clock, settings: samlSettings(), net: issuer.net, tls });
  const begin = () => w.call('GET', '/api/v1/session/saml');
  assert.deepEqual([(await begin()).status, (await begin()).body['reason']], [503, 'issuer-address']);
  const [first] = asked as { allowHome: boolean; maxBytes: number }[];
  assert.deepEqual([first?.allowHome, first?.maxBytes], [true, 1024 * 1024]);
  issuer.net.request = request;
  assert.equal((await begin()).status, 503, 'a failure is believed for some seconds');
  clock.pass(5_001);
  assert.equal((await begin()).status, 303);
});

test('an e-mail address as the identity is a finding', async (t) => {
  const named = async (name: string) => {
    const { w } = await openSamlWorld(t, { more: { 'integrations.saml.identity_attribute': name } });
    return w.identity.findings().some(({ code }) => code === 'outside-identity-email');
  };
  assert.equal(await named('urn:oid:0.9.2342.19200300.100.1.3'), true);
  assert.equal(await named('http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'), true);
  assert.equal(await named('NameID'), false);
});

test('an answer of one protocol is none in the flow of the other', async (t) => {
  const { w, issuer, viewer } = await openSamlWorld(t, {
    more: {
      'integrations.oidc.issuer': IDP,
      'integrations.oidc.client_id': 'matinee',
      'integrations.oidc.redirect_url': `${SITE}/oidc/callback`,
      'integrations.oidc.identity_claim': 'NameID',
    },
  });
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  const { flow } = await beginAt(w, '/api/v1/session/saml');
  const crossed = await comeBack(w, new URLSearchParams({ code: 'a', state: 'b' }), flow);
  assert.equal(crossed.location, '/sign-in?reason=outside-expired');
  // The issuer, the claim and the person are called the same, and still the link is by SAML alone.
  assert.deepEqual((await w.call('GET', '/api/v1/me/oidc', { token: viewer.token })).body['linked'], undefined);
  const proof = await w.call('POST', '/api/v1/session/oidc/step-up', { token: viewer.token, body: {} });
  assert.equal(proof.body['reason'], 'outside-not-linked');
});

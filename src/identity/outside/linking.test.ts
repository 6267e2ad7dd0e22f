/** Linking a Profile to an identity: who may, what it opens, and how it ends. */
import assert from 'node:assert/strict';
import type { Transaction } from '../../lib/db/index.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import { identityMigrations } from '../index.ts';
import { identityStore } from '../store/store.ts';
import { OTHER, type World } from '../testing-world.ts';
import { ISSUER } from './oidc/testing-issuer.ts';
import { IDP } from './saml/testing-idp.ts';
import {
  comeBack,
  cookieOf,
  eachProtocol,
  eachProtocolAndEngine,
  flowIn,
  linkAt,
  profileOf,
  signInAt,
} from './testing-flows.ts';

const MINUTE = 60_000;
const LINKS = { oidc: '/api/v1/me/oidc/link', saml: '/api/v1/me/saml/link' } as const;
const ISSUERS = { oidc: ISSUER, saml: IDP } as const;
const OUTSIDE = '203.0.113.9';

eachProtocolAndEngine(
  'a link opens its Profile, also after a restart, until it is removed',
  async (t, open, protocol) => {
    const { w, issuer, viewer } = await open(t);
    const own = `/api/v1/me/${protocol}`;
    issuer.signs({ as: 'vic-1', name: 'Vic Vega' });
    assert.equal((await signInAt(w, issuer)).location, '/sign-in?reason=outside-unknown');
    assert.deepEqual((await w.call('GET', own, { token: viewer.token })).body, {
      provider: { name: 'id.example.org', origin: 'https://media.example.org' },
    });
    assert.equal(await linkAt(w, issuer, viewer.token), 204);
    const again = await w.again();
    for (const world of [w, again]) {
      const { session, location } = await signInAt(world, issuer, '?to=%2Fsearch%3Fq%3Dcat&device=Sofa');
      assert.equal(location, '/search?q=cat');
      assert.equal(await profileOf(world, session), 'Vic');
      const shown = await world.call('GET', '/api/v1/session', { cookie: cookieOf(session, w) });
      assert.deepEqual([shown.body['device'], shown.body['kind'], shown.body['way']], ['Sofa', 'cookie', protocol]);
    }
    const linked = (await again.call('GET', own, { token: viewer.token })).body['linked'];
    assert.deepEqual(
      { ...(linked as object), since: 0 },
      {
        identity: { issuer: ISSUERS[protocol], subject: 'vic-1', name: 'Vic Vega' },
        since: 0,
        usable: true,
      },
    );
    const { session } = await signInAt(again, issuer);
    assert.equal((await again.call('DELETE', own, { token: viewer.token })).status, 204);
    assert.equal(await profileOf(again, session), undefined, 'a session that the identity opened ends with the link');
    assert.equal((await again.call('DELETE', own, { token: viewer.token })).body['reason'], 'outside-not-linked');
    for (const world of [again, await again.again()])
      assert.equal((await signInAt(world, issuer)).location, '/sign-in?reason=outside-unknown');
  },
);

const PROTOCOLS_MIGRATION = 'identity-010-protocols';

eachEngine(
  'an update keeps the links of OpenID Connect',
  identityMigrations.filter(({ id }) => id !== PROTOCOLS_MIGRATION),
  async (_t, db) => {
    const row = { id: '1'.repeat(16), profile: '2'.repeat(16), issuer: ISSUER, claim: 'sub', subject: 'vic-1' };
    await db.write('safe', (tx: Transaction<{ identity_link: Record<string, unknown> }>) =>
      tx
        .insertInto('identity_link')
        .values({ ...row, label: null, created_at: 7 })
        .execute(),
    );
    const migration = identityMigrations.find(({ id }) => id === PROTOCOLS_MIGRATION);
    await db.write('safe', async (tx) => migration?.up(tx, db.engine));
    const store = identityStore(db);
    const link = { ...row, protocol: 'oidc', label: undefined, createdAt: 7 } as const;
    assert.deepEqual((await store.load()).links, [link]);
    // An identity of the same name in another protocol is another one.
    await store.commit([{ put: 'link', row: { ...link, id: '3'.repeat(16), protocol: 'saml' } }]);
    assert.equal((await store.load()).links.length, 2);
    await assert.rejects(store.commit([{ put: 'link', row: { ...link, id: '4'.repeat(16) } }]));
  },
);

eachProtocolAndEngine('a removed Profile takes its link along', async (t, open) => {
  const { w, issuer, owner, viewer } = await open(t);
  assert.equal(await linkAt(w, issuer, viewer.token), 204);
  assert.equal((await w.call('DELETE', `/api/v1/profiles/${viewer.id}`, { token: owner })).status, 204);
  for (const world of [w, await w.again()]) {
    assert.equal((await signInAt(world, issuer)).location, '/sign-in?reason=outside-unknown');
    assert.equal(world.identity.profiles().length, 1);
  }
  // The identity is free for another Profile.
  assert.equal(await linkAt(w, issuer, owner), 204);
});

eachProtocol('only the session that began a link sees and confirms it', async (t, open, protocol) => {
  const { w, issuer, owner, viewer } = await open(t);
  const LINK = LINKS[protocol];
  issuer.signs({ as: 'vic-1', name: 'Vic Vega' });
  const second = await w.call('POST', '/api/v1/session', { body: { name: 'Vic', password: OTHER } });
  const begun = await w.call('GET', LINK, { token: viewer.token });
  const flow = `${LINK}/${String(begun.body['flow'])}`;
  assert.equal((await w.call('GET', flow, { token: viewer.token })).status, 404, 'before the provider has answered');
  const back = await comeBack(w, issuer.authorize(new URL(String(begun.body['url']))), flowIn(w, begun));
  assert.equal(back.location, `/account?link=${String(begun.body['flow'])}&through=${protocol}`);
  assert.equal(back.session, undefined);
  for (const token of [owner, String(second.body['token'])])
    for (const method of ['GET', 'PUT'])
      assert.equal((await w.call(method, flow, { token })).body['reason'], 'no-such-flow', method);
  assert.deepEqual((await w.call('GET', flow, { token: viewer.token })).body, {
    issuer: ISSUERS[protocol],
    subject: 'vic-1',
    name: 'Vic Vega',
  });
  // Looking does not link.
  assert.equal((await signInAt(w, issuer)).location, '/sign-in?reason=outside-unknown');
  assert.equal((await w.call('PUT', flow, { token: viewer.token })).status, 204);
  assert.equal((await w.call('PUT', flow, { token: viewer.token })).status, 404, 'a second time');
  assert.equal((await w.call('GET', LINK, { token: viewer.token })).body['reason'], 'outside-linked');
});

eachProtocol(
  'an identity belongs to one Profile, also when two ask for it at the same time',
  async (t, open, protocol) => {
    const { w, issuer, owner, viewer } = await open(t);
    const LINK = LINKS[protocol];
    const flows = await Promise.all(
      [owner, viewer.token].map(async (token) => {
        const begun = await w.call('GET', LINK, { token });
        await comeBack(w, issuer.authorize(new URL(String(begun.body['url']))), flowIn(w, begun));
        return { token, path: `${LINK}/${String(begun.body['flow'])}` };
      }),
    );
    const ends = await Promise.all(flows.map(({ token, path }) => w.call('PUT', path, { token })));
    assert.deepEqual(ends.map(({ status }) => status).sort(), [204, 409]);
    assert.equal(ends.find(({ status }) => status === 409)?.body['reason'], 'outside-taken');
  },
);

eachProtocol(
  'a link is begun by a person with a recent proof, from one of our own pages',
  async (t, open, protocol) => {
    const { w, owner, viewer } = await open(t);
    const LINK = LINKS[protocol];
    const key = await w.call('POST', '/api/v1/api-keys', { token: owner, body: { name: 'k', scopes: ['admin'] } });
    const signed = await w.call('POST', '/api/v1/session', {
      body: { name: 'Vic', password: OTHER, transport: 'cookie' },
    });
    const cookie = Object.entries(signed.cookies)
      .map((pair) => pair.join('='))
      .join('; ');
    const status = async (asking: Parameters<World['call']>[2]) => (await w.call('GET', LINK, asking)).status;
    assert.equal(await status({}), 401);
    assert.equal(await status({ token: String(key.body['secret']) }), 403);
    assert.equal(await status({ cookie }), 200);
    assert.equal(await status({ cookie, headers: { 'sec-fetch-site': 'cross-site' } }), 403);
    assert.equal(await status({ cookie, headers: { 'sec-fetch-site': 'same-site' } }), 403);
    assert.equal(await status({ token: viewer.token, address: OUTSIDE }), 404, 'away from home');
    w.clock.pass(11 * MINUTE);
    const stale = await w.call('GET', LINK, { token: viewer.token });
    assert.deepEqual([stale.status, stale.body['stepUpRequired']], [403, true]);
    assert.equal((await w.call('DELETE', `/api/v1/me/${protocol}`, { token: viewer.token })).status, 403);
  },
);

eachProtocol(
  'the last sign-in method is kept: a Profile without a password keeps its link',
  async (t, open, protocol) => {
    const { w, issuer, viewer } = await open(t);
    assert.equal(await linkAt(w, issuer, viewer.token), 204);
    const store = identityStore(w.db);
    const row = (await store.load()).profiles.find(({ id }) => id === viewer.id);
    assert.ok(row);
    await store.commit([{ put: 'profile', row: { ...row, password: undefined } }]);
    const again = await w.again();
    const cookie = cookieOf((await signInAt(again, issuer)).session, w);
    const both = await Promise.all([1, 2].map(() => again.call('DELETE', `/api/v1/me/${protocol}`, { cookie })));
    assert.deepEqual(
      both.map(({ status, body }) => [status, body['reason']]),
      [
        [409, 'last-way-in'],
        [409, 'last-way-in'],
      ],
    );
    assert.equal(await profileOf(again, (await signInAt(again, issuer)).session), 'Vic');
  },
);

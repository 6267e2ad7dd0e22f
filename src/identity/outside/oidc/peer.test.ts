/** The exchange with an independent identity provider, over real connections: link, sign in, prove again, log out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../test/until.ts';
import { createNet } from '../../../lib/net.ts';
import { fakeIdentityClock, makeViewer, openIdentityWorld, setUp, type World } from '../../testing-world.ts';
import { comeBack } from '../testing-flows.ts';
import { outsideSettings } from './testing-issuer.ts';
import { startTestProvider } from './testing-provider.ts';

/** A browser at the provider: it keeps cookies, follows redirects and sends the forms of sign-in and consent. */
function createBrowser(issuer: string) {
  const jar = new Map<string, string>();
  const load = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return reply;
  };
  const partOf = (page: string, shape: RegExp): string => shape.exec(page)?.[1] ?? '';
  return {
    /** Signs in at an address of the provider; returns what it sends back to this server. */
    async authorize(address: string): Promise<URLSearchParams> {
      let reply = await load(address);
      for (let step = 0; step < 12; step += 1) {
        const location = reply.headers.get('location');
        if (location !== null) {
          const to = new URL(location, issuer);
          if (to.pathname === '/oidc/callback') return to.searchParams;
          reply = await load(to.href);
          continue;
        }
        const page = await reply.text();
        reply = await load(new URL(partOf(page, /action="([^"]+)"/), issuer).href, {
          prompt: partOf(page, /name="prompt" value="([^"]+)"/),
          login: 'vic-1',
          password: 'x',
        });
      }
      throw new Error('the provider never came back');
    },
    async signOut(): Promise<void> {
      const page = await (await load(`${issuer}/session/end`)).text();
      await load(new URL(partOf(page, /action="([^"]+)"/), issuer).href, {
        xsrf: partOf(page, /name="xsrf" value="([^"]+)"/),
        logout: 'yes',
      });
    },
  };
}

test('an independent provider: link, sign in, prove again, log out', async (t) => {
  const tokens: string[] = [];
  const redirect = 'http://localhost:38128/oidc/callback';
  const issuer = await startTestProvider(t, { redirect, loggedOut: (token) => void tokens.push(token) });
  const net = createNet({ version: '0' });
  t.after(() => net.close());
  const settings = outsideSettings({
    'integrations.oidc.issuer': issuer,
    'integrations.oidc.redirect_url': redirect,
  });
  const w: World = await openIdentityWorld(t, { settings, net, clock: fakeIdentityClock(Date.now()) });
  const owner = await setUp(w);
  const { token } = await makeViewer(w, owner);
  const browser = createBrowser(issuer);

  const tested = await w.call('POST', '/api/v1/identity-provider/test', { token: owner });
  assert.deepEqual(tested.body, { configured: true, connected: true });

  const begun = await w.call('GET', '/api/v1/me/oidc/link', { token });
  const flow = `/api/v1/me/oidc/link/${String(begun.body['flow'])}`;
  await comeBack(w, await browser.authorize(String(begun.body['url'])), begun.cookies['matinee-flow']);
  assert.deepEqual((await w.call('GET', flow, { token })).body, { issuer, subject: 'vic-1' });
  assert.equal((await w.call('PUT', flow, { token })).status, 204);

  const signing = await w.call('GET', '/api/v1/session/oidc?to=%2Faccount');
  const answer = await browser.authorize(String(signing.headers['location']));
  const { session, location } = await comeBack(w, answer, signing.cookies['matinee-flow']);
  assert.equal(location, '/account');
  const cookie = `matinee=${session ?? ''}`;
  assert.equal((await w.call('GET', '/api/v1/me', { cookie })).status, 200);
  // The same answer in a new flow: the provider has given that code already.
  const replayed = await w.call('GET', '/api/v1/session/oidc');
  const state = new URL(String(replayed.headers['location'])).searchParams.get('state') ?? '';
  answer.set('state', state);
  const refused = await comeBack(w, answer, replayed.cookies['matinee-flow']);
  assert.deepEqual([refused.session, refused.location], [undefined, '/sign-in?reason=outside-refused']);

  const stepUp = await w.call('POST', '/api/v1/session/oidc/step-up', { cookie, body: { to: '/account' } });
  const proved = await browser.authorize(String(stepUp.body['url']));
  assert.equal((await comeBack(w, proved, stepUp.cookies['matinee-flow'])).location, '/account');
  assert.ok('recentUntil' in (await w.call('GET', '/api/v1/session', { cookie })).body);

  await browser.signOut();
  await until('the provider sends a logout token', () => tokens.length > 0);
  for (const logoutToken of tokens)
    assert.equal(
      (await w.call('POST', '/oidc/backchannel-logout', { form: { logout_token: logoutToken } })).status,
      200,
    );
  assert.equal((await w.call('GET', '/api/v1/me', { cookie })).status, 401);
});

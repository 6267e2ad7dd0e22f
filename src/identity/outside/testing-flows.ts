/** For tests: browsers that go to an identity provider and come back, and worlds with people who do. */
import type { TestContext } from 'node:test';
import { TOTP } from 'otpauth';
import type { Database } from '../../lib/db/index.ts';
import { fakeIdentityClock, makeViewer, openIdentityWorld, setUp, type World } from '../testing-world.ts';
import { createTestIssuer, outsideSettings, type TestIssuer } from './oidc/testing-issuer.ts';

const MINUTE = 60_000;
const FLOW = 'matinee-flow';
/** How a sign-in ended: whether a session was opened, and where the browser was sent. */
export interface SignInEnd {
  session: string | undefined;
  location: string;
  flow: string | undefined;
}

/** Comes back from the provider, as the browser does: a navigation from its site, without the cookie of a session. */
export async function comeBack(w: World, answer: URLSearchParams, flow: string | undefined): Promise<SignInEnd> {
  const back = await w.call('GET', `/oidc/callback?${answer.toString()}`, {
    ...(flow !== undefined && { cookie: `${FLOW}=${flow}` }),
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  });
  return {
    session: back.cookies['matinee'],
    location: String(back.headers['location'] ?? back.status),
    flow: back.cookies[FLOW] || undefined,
  };
}

/** Begins a sign-in. Returns the address at the provider and the cookie of the flow. */
export async function beginAt(w: World, url = '/api/v1/session/oidc'): Promise<{ address: URL; flow: string }> {
  const begun = await w.call('GET', url);
  if (begun.status !== 303) throw new Error(`not begun: ${begun.status} ${JSON.stringify(begun.body)}`);
  return { address: new URL(String(begun.headers['location'])), flow: begun.cookies[FLOW] ?? '' };
}

/** Signs in through the provider from begin to end. */
export async function signInAt(w: World, issuer: TestIssuer, url?: string): Promise<SignInEnd> {
  const { address, flow } = await beginAt(w, url);
  return comeBack(w, issuer.authorize(address), flow);
}

/** Links the Profile of a session to the person of the provider. Returns the status of the confirmation. */
export async function linkAt(w: World, issuer: TestIssuer, token: string): Promise<number> {
  const begun = await w.call('GET', '/api/v1/me/oidc/link', { token });
  if (begun.status !== 200) return begun.status;
  await comeBack(w, issuer.authorize(new URL(String(begun.body['url']))), begun.cookies[FLOW]);
  return (await w.call('PUT', `/api/v1/me/oidc/link/${String(begun.body['flow'])}`, { token })).status;
}

/** Opens a world with an identity provider, an Owner and a Viewer. */
export async function openOutsideWorld(
  t: TestContext,
  { db, more = {} }: { db?: Database; more?: Record<string, unknown> } = {},
) {
  const clock = fakeIdentityClock(Date.now());
  const issuer = await createTestIssuer(clock);
  const w = await openIdentityWorld(t, { clock, settings: outsideSettings(more), net: issuer.net, ...(db && { db }) });
  const owner = await setUp(w);
  const viewer = await makeViewer(w, owner);
  return { w, issuer, owner, viewer };
}
/** Returns the cookie of a session. */
export const cookieOf = (session: string | undefined): string => `matinee=${session ?? ''}`;
/** Returns the name of the Profile that a session belongs to. */
export const profileOf = async (w: World, session: string | undefined): Promise<unknown> =>
  ((await w.call('GET', '/api/v1/me', { cookie: cookieOf(session) })).body['profile'] as { name: string } | undefined)
    ?.name;

/** Returns the code that an authenticator app shows now. */
export const totpOf = (secret: string, w: World): string =>
  new TOTP({ secret, issuer: 'x', label: 'x' }).generate({ timestamp: w.clock.now() });

/** Opens a world that requires a second factor, with an Owner who has one and is linked to an identity. */
export async function openEnrolledWorld(t: TestContext) {
  const world = await openOutsideWorld(t);
  const { w, owner } = world;
  const begun = await w.call('POST', '/api/v1/me/mfa', { token: owner, body: {} });
  const secret = String(begun.body['secret']);
  await w.call('PUT', '/api/v1/me/mfa', { token: owner, body: { code: totpOf(secret, w) } });
  w.settings.set('security.require_mfa', true);
  world.issuer.person = { sub: 'ada-1' };
  const linked = await linkAt(w, world.issuer, owner);
  if (linked !== 204) throw new Error(`not linked: ${linked}`);
  w.clock.pass(MINUTE);
  return { ...world, secret };
}

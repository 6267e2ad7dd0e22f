/** For tests: browsers that go to an identity provider and come back, and worlds with people who do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { TOTP } from 'otpauth';
import type { OutsideProtocolName } from '../../contract/identity/outside.ts';
import type { Database } from '../../lib/db/index.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import { createProcesses, type Helper, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { identityMigrations } from '../index.ts';
import { fakeIdentityClock, makeViewer, openIdentityWorld, setUp, type World } from '../testing-world.ts';
import { createTestIssuer, outsideSettings, type TestIssuer } from './oidc/testing-issuer.ts';
import { createTestIdp, samlSettings, type TestIdp, tlsOf } from './saml/testing-idp.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const MINUTE = 60_000;
/** An identity provider of tests, in one of the protocols. */
export type TestPeer = TestIssuer | TestIdp;
/** Answer that a browser brings back from it: parameters of an address, or a form. */
type TestAnswer = ReturnType<TestPeer['authorize']>;

/** Name of a cookie in a world: behind TLS it has a prefix. */
const cookieName = (w: World, name: string): string => (w.isSecure ? `__Host-${name}` : name);
/** Cookie of a flow, as a browser sends it. */
export const flowCookie = (w: World, flow: string | undefined): string =>
  `${cookieName(w, 'matinee-flow')}=${flow ?? ''}`;
/** Secret of the flow that a reply begins. */
export const flowIn = (w: World, { cookies }: { cookies: Record<string, string> }): string | undefined =>
  cookies[cookieName(w, 'matinee-flow')] || undefined;
/** Returns the cookie of a session. */
export const cookieOf = (session: string | undefined, w?: World): string =>
  `${w ? cookieName(w, 'matinee') : 'matinee'}=${session ?? ''}`;

/** How a sign-in ended: whether a session was opened, and where the browser was sent. */
export interface SignInEnd {
  session: string | undefined;
  location: string;
  flow: string | undefined;
}

/** Comes back from the provider, as the browser does: a navigation from its site, without the cookie of a session. */
export async function comeBack(w: World, answer: TestAnswer, flow: string | undefined): Promise<SignInEnd> {
  const [method, url, form] =
    answer instanceof URLSearchParams
      ? ['GET', `/oidc/callback?${answer.toString()}`, undefined]
      : ['POST', '/saml/acs', answer];
  const back = await w.call(method, url, {
    ...(flow !== undefined && { cookie: flowCookie(w, flow) }),
    ...(form && { form }),
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  });
  return {
    session: back.cookies[cookieName(w, 'matinee')],
    location: String(back.headers['location'] ?? back.status),
    flow: flowIn(w, back),
  };
}

/** Begins a sign-in. Returns the address at the provider and the cookie of the flow. */
export async function beginAt(w: World, url = '/api/v1/session/oidc'): Promise<{ address: URL; flow: string }> {
  const begun = await w.call('GET', url);
  if (begun.status !== 303) throw new Error(`not begun: ${begun.status} ${JSON.stringify(begun.body)}`);
  return { address: new URL(String(begun.headers['location'])), flow: flowIn(w, begun) ?? '' };
}

/** Signs in through the provider from begin to end. */
export async function signInAt(w: World, peer: TestPeer, query = ''): Promise<SignInEnd> {
  const { address, flow } = await beginAt(w, `/api/v1/session/${peer.protocol}${query}`);
  return comeBack(w, peer.authorize(address), flow);
}

/** Links the Profile of a session to the person of the provider. Returns the status of the confirmation. */
export async function linkAt(w: World, peer: TestPeer, token: string): Promise<number> {
  const link = `/api/v1/me/${peer.protocol}/link`;
  const begun = await w.call('GET', link, { token });
  if (begun.status !== 200) return begun.status;
  await comeBack(w, peer.authorize(new URL(String(begun.body['url']))), flowIn(w, begun));
  return (await w.call('PUT', `${link}/${String(begun.body['flow'])}`, { token })).status;
}

interface OutsideWorldNeeds {
  db?: Database;
  more?: Record<string, unknown>;
}
async function withPeople<P extends TestPeer>(w: World, issuer: P) {
  const owner = await setUp(w);
  const viewer = await makeViewer(w, owner);
  return { w, issuer, owner, viewer };
}

/** Opens a world with a provider of OpenID Connect, an Owner and a Viewer. */
export async function openOutsideWorld(t: TestContext, { db, more = {} }: OutsideWorldNeeds = {}) {
  const clock = fakeIdentityClock(Date.now());
  const issuer = await createTestIssuer(clock);
  const settings = outsideSettings(more);
  return withPeople(await openIdentityWorld(t, { clock, settings, net: issuer.net, ...(db && { db }) }), issuer);
}

let shared: Promise<{ processes: Processes; folder: string }> | undefined;
after(async () => {
  const opened = await shared;
  if (!opened) return;
  await opened.processes.close();
  await rm(opened.folder, { recursive: true, force: true });
});
let verifying: Helper | undefined;
/** The helper that verifies answers, once for all worlds of a process: it keeps nothing between two requests. */
async function sharedHelper(): Promise<Pick<Processes, 'startHelper'>> {
  const open = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'matinee-saml-'));
    return {
      folder,
      processes: await createProcesses({ log: quietLog, temporary: folder, helperModule: builtHelper }),
    };
  };
  const { processes } = await (shared ??= open());
  return { startHelper: (needs) => ({ ...(verifying ??= processes.startHelper(needs)), close: async () => {} }) };
}

/** Opens a world with a SAML provider, an Owner and a Viewer. It is behind TLS, as SAML needs. */
export async function openSamlWorld(t: TestContext, { db, more = {} }: OutsideWorldNeeds = {}) {
  const clock = fakeIdentityClock(Date.now());
  const issuer = await createTestIdp(clock);
  const tls = tlsOf(issuer.keys.ec);
  const settings = samlSettings(more);
  const world = await openIdentityWorld(t, {
    clock,
    settings,
    tls,
    net: issuer.net,
    processes: await sharedHelper(),
    ...(db && { db }),
  });
  return withPeople(world, issuer);
}

type OpenPeerWorld = (
  t: TestContext,
  needs?: OutsideWorldNeeds,
) => ReturnType<typeof openOutsideWorld | typeof openSamlWorld>;
const WORLDS: Readonly<Record<OutsideProtocolName, OpenPeerWorld>> = { oidc: openOutsideWorld, saml: openSamlWorld };
const PROTOCOLS = Object.keys(WORLDS) as OutsideProtocolName[];

/** Test of the operations that every protocol shares. */
type PeerTest = (t: TestContext, open: OpenPeerWorld, protocol: OutsideProtocolName) => Promise<void>;

/** Runs a test with a provider of each protocol. */
export function eachProtocol(name: string, work: PeerTest): void {
  for (const protocol of PROTOCOLS) test(`${name} (${protocol})`, (t) => work(t, WORLDS[protocol], protocol));
}
/** The same on each engine of the database, too. */
export function eachProtocolAndEngine(name: string, work: PeerTest): void {
  for (const protocol of PROTOCOLS)
    eachEngine(`${name} (${protocol})`, identityMigrations, (t, db) =>
      work(t, (inner, needs) => WORLDS[protocol](inner, { ...needs, db }), protocol),
    );
}

/** Returns the name of the Profile that a session belongs to. */
export const profileOf = async (w: World, session: string | undefined): Promise<unknown> =>
  (
    (await w.call('GET', '/api/v1/me', { cookie: cookieOf(session, w) })).body['profile'] as
      | { name: string }
      | undefined
  )?.name;

/** Returns the code that an authenticator app shows now. */
export const totpOf = (secret: string, w: World): string =>
  new TOTP({ secret, issuer: 'x', label: 'x' }).generate({ timestamp: w.clock.now() });

/** Opens a world that requires a second factor, with an Owner who has one and is linked to an identity. */
export async function openEnrolledWorld(t: TestContext, open: OpenPeerWorld = openOutsideWorld) {
  const world = await open(t);
  const { w, owner } = world;
  const begun = await w.call('POST', '/api/v1/me/mfa', { token: owner, body: {} });
  const secret = String(begun.body['secret']);
  await w.call('PUT', '/api/v1/me/mfa', { token: owner, body: { code: totpOf(secret, w) } });
  w.settings.set('security.require_mfa', true);
  world.issuer.signs({ as: 'ada-1' });
  const linked = await linkAt(w, world.issuer, owner);
  if (linked !== 204) throw new Error(`not linked: ${linked}`);
  w.clock.pass(MINUTE);
  return { ...world, secret };
}

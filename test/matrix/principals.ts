/** The 15 principals of the access matrix: each with what it sends along. */
import type { Principal } from '../../src/contract/kernel/principal.ts';
import { type Domain, domain } from '../../src/domain.ts';
import { DOMAINS } from '../../src/domains.ts';
import type { Doors } from '../../src/http/caller.ts';
import type { MountedEndpoint } from '../../src/http/handle.ts';
import { createServer, type HttpServer } from '../../src/http/server.ts';
import { identityDomain } from '../../src/identity/domain.ts';
import { silentLog } from '../../src/lib/log.ts';
import { DIRECTORY_SETTINGS, makeHousehold, startWorld, type World } from '../world.ts';

/** Item of the links. */
export const ITEM = 'aaaaaaaaaaaaaaaa';
export const HOST = 'film.duckdns.org';
export const [AT_HOME, OUTSIDE] = ['192.168.1.20', '198.51.100.7'];

export const PRINCIPALS = [
  'nobody',
  'stranger',
  'viewer',
  'viewer denied',
  'viewer enrolling',
  'viewer outside',
  'viewer outside denied',
  'owner',
  'owner stale',
  'owner outside',
  'household',
  'key all',
  'link',
  'link outside',
  'directory',
] as const;
export type PrincipalName = (typeof PRINCIPALS)[number];

export interface Sends {
  headers: Record<string, string>;
  /** A signed link, as its query has it. */
  ticket?: string;
}

const bearer = (token: unknown): Sends => ({ headers: { authorization: `Bearer ${String(token)}` } });

/** Servers of one world: of the home network, and for remote access. */
export interface Listeners {
  world: World;
  home: HttpServer;
  outside: HttpServer;
  principals: Record<PrincipalName, Sends>;
  /** Makes another server for remote access, over endpoints that a test has changed. */
  serveOutside(mounted: readonly MountedEndpoint[]): HttpServer;
}

interface Asked {
  method?: string;
  url: string;
  address: string;
  headers?: Record<string, string>;
  body?: unknown;
}
async function ask(http: HttpServer, { method = 'GET', url, address, headers = {}, body }: Asked) {
  const reply = await http.server.inject({
    method: method as 'GET',
    url,
    remoteAddress: address,
    headers: { host: HOST, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  if (reply.statusCode >= 400) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.body}`);
  const set = [reply.headers['set-cookie'] ?? []].flat().map((one) => one.split(';')[0] ?? '');
  return { body: (reply.body === '' ? {} : JSON.parse(reply.body)) as Record<string, unknown>, set };
}

type MakeTicket = (given: { by: Principal; purpose: 'media'; item: string }) => { ticket: string };
type Identify = (token: string, network: 'local' | 'public') => Promise<Principal | undefined>;

/** Starts a server with a Profile of every kind, on both listeners. */
export async function startListeners(t: Parameters<typeof startWorld>[0]): Promise<Listeners> {
  const held: { makeTicket?: MakeTicket; identify?: Identify; doors?: Doors } = {};
  const probe: Domain = domain({
    name: 'probe',
    uses: [identityDomain],
    open: async (_foundation, { identity }) => {
      held.makeTicket = identity.makeTicket;
      held.doors = { identify: identity.identify, current: identity.current, log: silentLog };
      held.identify = (token, network) =>
        identity
          .identify({
            ...{ bearer: token, cookie: undefined, ticket: undefined },
            from: { address: '', network, isSecure: true, host: '', userAgent: undefined, device: undefined },
          })
          .then((by) => (by && 'profile' in by ? by : undefined));
      return { door: {} };
    },
  });
  const world = await startWorld(t, { domains: [...DOMAINS, probe], env: DIRECTORY_SETTINGS });
  const outside = world.makeServer({ listener: { kind: 'public', host: HOST } });
  t.after(() => outside.close(0));
  const callers = await makeHousehold(world);
  const tokenOf = (name: keyof typeof callers): string => (callers[name] as { token: string }).token;
  const owner = bearer(tokenOf('owner')).headers;
  const { items } = (await world.call({ token: tokenOf('owner') }, 'GET', '/api/v1/profiles')).body as {
    items: { id: string; name: string; policy: object }[];
  };
  const profile = (name: string) => items.find((one) => one.name === name) ?? { id: '', policy: {} };

  /** Signs a Profile in from outside, by a code that the Owner approves at home. */
  const signInOutside = async (name: string): Promise<string> => {
    const at = '/api/v1/quick-connect';
    const begun = await ask(outside, { method: 'POST', url: at, address: OUTSIDE, body: {} });
    const approval = { method: 'POST', url: `${at}/${String(begun.body['code'])}`, address: AT_HOME, headers: owner };
    const body = name === 'Ada' ? {} : { profile: profile(name).id };
    await ask(world.http, { ...approval, headers: { ...owner, host: 'localhost' }, body });
    const secret = begun.body['secret'];
    const taken = await ask(outside, { method: 'POST', url: `${at}/token`, address: OUTSIDE, body: { secret } });
    const token = String(taken.body['token']);
    // One that was used is kept.
    world.clock.pass(1_000);
    await ask(outside, { url: '/api/v1/session/ways', address: OUTSIDE, headers: bearer(token).headers });
    return token;
  };
  const [vic, eve, ada] = [await signInOutside('Vic'), await signInOutside('Eve'), await signInOutside('Ada')];
  const away = profile('Eve');
  const taken = { policy: { ...away.policy, remote: false } };
  await world.call({ token: tokenOf('owner') }, 'PUT', `/api/v1/profiles/${away.id}`, taken);
  const linkOf = async (token: string, network: 'local' | 'public'): Promise<Sends> => {
    const by = await held.identify?.(token, network);
    return { headers: {}, ticket: (by && held.makeTicket?.({ by, purpose: 'media', item: ITEM }).ticket) ?? '' };
  };
  return {
    ...{ world, home: world.http, outside },
    serveOutside: (mounted) => {
      if (!held.doors) throw new Error('the domain of this test is not open');
      return createServer({ mounted, doors: held.doors, listener: { kind: 'public', host: HOST } });
    },
    principals: {
      nobody: { headers: {} },
      stranger: bearer(`mat_ses_${'A'.repeat(43)}`),
      viewer: bearer(tokenOf('viewer')),
      'viewer denied': bearer(tokenOf('viewer denied')),
      'viewer enrolling': bearer(tokenOf('viewer enrolling')),
      'viewer outside': bearer(vic),
      'viewer outside denied': bearer(eve),
      owner: bearer(tokenOf('owner')),
      'owner stale': bearer(tokenOf('owner stale')),
      'owner outside': bearer(ada),
      household: await openOnHousehold(
        world,
        (callers['owner cookie'] as { cookie: string }).cookie,
        profile('Vic').id,
      ),
      'key all': bearer(tokenOf('key all')),
      link: await linkOf(tokenOf('viewer'), 'local'),
      'link outside': await linkOf(vic, 'public'),
      directory: bearer(tokenOf('directory')),
    },
  };
}

/** Makes a browser a household device and opens a Viewer on it. */
async function openOnHousehold(world: World, cookie: string, viewer: string): Promise<Sends> {
  const own = { host: 'localhost', 'sec-fetch-site': 'same-origin' };
  const asked = { method: 'POST', address: AT_HOME };
  const device = await ask(world.http, {
    ...{ ...asked, url: '/api/v1/household/devices', headers: { ...own, cookie } },
    body: { name: 'Kitchen', profiles: [{ id: viewer, opens: 'nothing' }] },
  });
  const kitchen = device.set.find((one) => one.startsWith('matinee-household=')) ?? '';
  const opened = await ask(world.http, {
    ...{ ...asked, url: '/api/v1/household/open', headers: { ...own, cookie: kitchen } },
    body: { id: viewer },
  });
  const session = opened.set.find((one) => one.startsWith('matinee=')) ?? '';
  return { headers: { cookie: `${session}; ${kitchen}`, 'sec-fetch-site': 'same-origin' } };
}

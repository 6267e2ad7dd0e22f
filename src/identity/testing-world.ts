/**
 * For tests: identity behind the real server, on a separate database, with a clock that the test moves.
 *
 * Requests are injected, so they pass through every step: credentials, origin, role, body, handler, status. Only the
 * clock, the settings and the sealing key are replaced.
 */
import { createActivity, type Activity, type ActivityEntry } from '../activity/index.ts';
import type { TestContext } from 'node:test';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import type { Doors } from '../http/caller.ts';
import { createServer, type HttpServer, type ServerNeeds } from '../http/server.ts';
import { createBus } from '../lib/bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../lib/db/index.ts';
import { openTemporaryDatabase } from '../lib/db/testing.ts';
import { silentLog } from '../lib/log.ts';
import type { Net } from '../lib/net.ts';
import type { Group } from '../contract/kernel/endpoint.ts';
import { createIdentity, identityMigrations, type HashingCost, type Identity, type IdentityNeeds } from './index.ts';
import { CHEAP_HASHING } from './passwords/testing.ts';
import { identityRoutes } from './routes.ts';

export const GOOD = 'four warm brown bread rolls';
export const OTHER = 'seven cold grey river stones';

export interface Reply {
  status: number;
  body: { [name: string]: unknown };
  headers: Record<string, string | string[] | number | undefined>;
  /** The cookies that were set, by name. */
  cookies: Record<string, string>;
}

export interface Asking {
  token?: string | undefined;
  cookie?: string | undefined;
  /** JSON, or the bytes of a body. */
  body?: unknown;
  /** Fields of a form, in place of a body. */
  form?: Record<string, string>;
  host?: string;
  address?: string;
  headers?: Record<string, string>;
}

export interface World {
  /** `happened` returns the activity log, the newest first. */
  identity: Identity & { happened(page: { limit: number }): Promise<ActivityEntry[]> };
  activity: Activity;
  http: HttpServer;
  db: Database;
  /** `pass` lets time pass; `jump` sets the wall clock and leaves the monotonic one alone. */
  clock: Clock & { pass(ms: number): void; jump(ms: number): void };
  settings: Map<string, unknown>;
  /** Whether it is behind TLS, which the names of its cookies show. */
  isSecure: boolean;
  /** Makes the next `many` changes begin in the same turn, if there is no lock. With the lock, this does nothing. */
  meet(many: number): void;
  /** How often something was said to be revoked. */
  revoked(): number;
  call(method: string, url: string, asking?: Asking): Promise<Reply>;
  /** The same database opened again, as after a restart. */
  again(): Promise<World>;
}

export function fakeIdentityClock(start = Date.parse('2026-11-20T12:00:00Z')): World['clock'] {
  let at = start;
  let ticks = 0;
  return {
    now: () => at,
    monotonic: () => ticks,
    pass: (ms) => void ((at += ms), (ticks += ms)),
    jump: (ms) => void (at += ms),
  };
}

/** Sealing without a key file: good enough to see that nothing is kept in the open. */
const sealer: IdentityNeeds['sealer'] = {
  seal: async (name, text) => `sealed:${Buffer.from(`${name}\0${text}`).toString('base64')}`,
  open: async (name, sealed) => {
    const [found, text] = Buffer.from(sealed.slice(7), 'base64').toString().split('\0');
    if (found !== name || text === undefined) throw new Error('sealed under another name');
    return text;
  },
};

export interface WorldOptions {
  db?: Database;
  clock?: World['clock'];
  settings?: Map<string, unknown>;
  /** Further endpoints to mount, for what a credential opens. */
  more?: (identity: Identity) => MountedEndpoint[];
  /** Wraps the doors, to plant a fault. */
  doors?: (doors: Doors) => Doors;
  /** Takes the lock on changes out, to plant a fault. */
  isUnlocked?: boolean;
  /** Default: `CHEAP_HASHING`. */
  hashingCost?: HashingCost;
  tls?: ServerNeeds['tls'];
  /** The network. Default: none. */
  net?: Net;
  /** Starts helper processes. Default: none are started. */
  processes?: IdentityNeeds['processes'];
}

/** A lock that is none: it lets everybody in, and on request all at once, so that a race is run and not hoped for. */
function meetingPoint(): { lock: NonNullable<IdentityNeeds['lock']>; arm(many: number): void } {
  let missing = 0;
  const waiting: (() => void)[] = [];
  return {
    arm: (many) => void (missing = many),
    lock: {
      run: async (work) => {
        if (missing > 0) {
          const met = new Promise<void>((resolve) => void waiting.push(resolve));
          if (--missing === 0) for (const go of waiting.splice(0)) go();
          await met;
        }
        return work();
      },
    },
  };
}

const NO_PROCESSES: IdentityNeeds['processes'] = {
  startHelper: () => {
    throw new Error('a test started a helper');
  },
};

export async function openIdentityWorld(t: TestContext, options: WorldOptions = {}): Promise<World> {
  const clock = options.clock ?? fakeIdentityClock();
  const db = options.db ?? (await openTemporaryDatabase(t, identityMigrations));
  const settings =
    options.settings ??
    new Map<string, unknown>([
      ['security.require_mfa', false],
      ['security.stay_signed_in', true],
      ['server.name', 'Home'],
      ['logging.audit_retention', 365 * 86_400_000],
    ]);
  const count = { revoked: 0 };
  const config: IdentityNeeds['config'] = { get: (key) => settings.get(key) as never };
  const meeting = meetingPoint();
  const holder: { http?: HttpServer } = {};
  const revoked = (): void => {
    count.revoked += 1;
    holder.http?.review();
  };
  const bus = createBus(() => {});
  const activity = await createActivity({
    db,
    clock,
    bus,
    log: silentLog,
    config: { get: (key) => (settings.get(key) as number | undefined) ?? 365 * 86_400_000 },
  });
  const identity = await createIdentity({
    db,
    activity,
    clock,
    config,
    sealer,
    net: options.net ?? {
      request: () => Promise.reject(new Error('a test reached for the network')),
      close: async () => {},
    },
    processes: options.processes ?? NO_PROCESSES,
    bus,
    machine: 'attic.example',
    hashingCost: options.hashingCost ?? CHEAP_HASHING,
    revoked,
    lock: options.isUnlocked ? meeting.lock : undefined,
  });
  const doors: Doors = { identify: identity.identify, current: identity.current, log: silentLog };
  const http = createServer({
    mounted: [...identityRoutes(identity), ...(options.more?.(identity) ?? [])],
    doors: options.doors?.(doors) ?? doors,
    tls: options.tls,
  });
  holder.http = http;
  t.after(async () => {
    await http.close();
    // The database of a test may be closed already, and then there is nothing left to write.
    await identity.close().catch(() => {});
    await activity.upkeep.close().catch(() => {});
  });

  const call: World['call'] = async (method, url, asking = {}) => {
    const { token, cookie, body, form, host = 'localhost', address = '192.168.1.20', headers = {} } = asking;
    const reply = await http.server.inject({
      method: method as 'GET',
      url,
      remoteAddress: address,
      headers: {
        host,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(cookie !== undefined && { cookie, 'sec-fetch-site': 'same-origin' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(body !== undefined && { payload: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
      ...(form && { payload: new URLSearchParams(form).toString() }),
    });
    const set = [reply.headers['set-cookie'] ?? []].flat();
    const cookies = Object.fromEntries(
      set.map((one) => one.split(';')[0]?.split('=') ?? []).map(([name, value]) => [name, value]),
    );
    return {
      status: reply.statusCode,
      body: reply.body === '' ? {} : JSON.parse(reply.body),
      headers: reply.headers,
      cookies,
    };
  };
  return {
    identity: { ...identity, happened: async ({ limit }) => (await activity.reading.page({}, limit)).entries },
    activity,
    http,
    db,
    clock,
    settings,
    isSecure: options.tls !== undefined,
    meet: meeting.arm,
    revoked: () => count.revoked,
    call,
    again: () => openIdentityWorld(t, { ...options, db, clock, settings }),
  };
}

/** Makes the first Owner and answers the token. */
export async function setUp({ call }: World, name = 'Ada'): Promise<string> {
  const reply = await call('POST', '/api/v1/setup', { body: { name, password: GOOD } });
  return String(reply.body['token']);
}

/** Makes a Viewer with a policy and answers its id and token. */
export async function makeViewer(
  world: World,
  owner: string,
  policy: Record<string, unknown> = {},
  name = 'Vic',
): Promise<{ id: string; token: string }> {
  const whole = {
    libraries: 'all',
    rating: 'all',
    windows: [],
    remote: false,
    transcode: false,
    download: false,
    ...policy,
  };
  const made = await world.call('POST', '/api/v1/profiles', {
    token: owner,
    body: { name, password: OTHER, policy: whole },
  });
  const signed = await world.call('POST', '/api/v1/session', { body: { name, password: OTHER } });
  return { id: String(made.body['id']), token: String(signed.body['token']) };
}

/** Signs a Profile in from outside: by Quick Connect, which an Owner approves at home. Returns the token. */
export async function signInOutside(
  { call }: World,
  { owner, profile, address }: { owner: string; profile: string; address: string },
): Promise<string> {
  const at = '/api/v1/quick-connect';
  const { code, secret } = (await call('POST', at, { body: {}, address })).body;
  const approved = await call('POST', `${at}/${String(code)}`, { token: owner, body: { profile } });
  if (approved.status !== 204) throw new Error(`not approved: ${approved.status} ${String(approved.body['reason'])}`);
  return String((await call('POST', `${at}/token`, { body: { secret }, address })).body['token']);
}

export const mount = <G extends Group>(group: G, handlers: Parameters<typeof implement<G>>[1]): MountedEndpoint[] =>
  implement(group, handlers);

/**
 * For tests of trusted HTTPS at home: a server that answers over TLS on loopback, with a test certificate authority
 * and its name servers in place of the internet.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createNameQuestions, createNet, type NameQuestions, type Net } from '../src/lib/net.ts';
import type { TestAuthority } from '../src/remote/certificates/testing-authority.ts';
import { DNS_TOKENS } from '../src/remote/dns/testing-services.ts';
import { fakeClock, PASSWORD, startWorld, type Reply, type World } from './world.ts';

const AT = '/api/v1/settings/trusted-https';
export const ADDRESS = '192.168.1.10';

export const GIVEN = {
  dns_a: { domain: 'film', token: DNS_TOKENS.dns_a, address: ADDRESS, termsAccepted: true },
  dns_b: {
    ...{ provider: 'dns_b', domain: 'film.example.dedyn.io', token: DNS_TOKENS.dns_b },
    ...{ address: ADDRESS, termsAccepted: true },
  },
} as const;
export const NAMES = { dns_a: 'film.duckdns.org', dns_b: 'film.example.dedyn.io' } as const;

export interface TrustedStatus {
  state: string;
  managed: boolean;
  checks: { name: string; state: string; sentence: string; text: { reason: string } }[];
  certificate?: { state: string; notAfter?: string };
  url?: string;
}

export interface TrustedHome {
  world: World;
  owner: { token: string };
  port: number;
  call(method: string, body?: unknown): Promise<Reply>;
  status(): Promise<TrustedStatus>;
}

export interface HomeOptions {
  authority?: TestAuthority;
  env?: Record<string, string>;
  after?: Pick<World, 'folder' | 'clock'>;
  questions?: Partial<NameQuestions>;
  /** Folder of the built dashboard. */
  dashboard?: string;
}

/** Starts a server that answers over TLS on loopback. Without an authority, nothing leaves it. */
export async function startTrustedHome(
  t: TestContext,
  { authority, env = {}, after, questions, dashboard }: HomeOptions = {},
): Promise<TrustedHome> {
  const folder = after?.folder ?? (await mkdtemp(join(tmpdir(), 'matinee-home-')));
  const names = createNameQuestions({ resolver: authority?.resolver, system: authority?.resolver });
  const world = await startWorld(t, {
    after: after ?? { folder, clock: fakeClock(Date.now()) },
    ...(authority && { net: netTo(t, authority), questions: { ...names, ...questions } }),
    ...(!authority && questions && { questions: { ...silent, ...questions } }),
    ...(dashboard !== undefined && { dashboard }),
    env: {
      SERVICE_TLS_ENABLED: 'true',
      SERVICE_REQUIRE_MFA: 'false',
      ...(authority && {
        SERVICE_ACME_DIRECTORY: authority.directory,
        SERVICE_ACME_DNS_A_URL: authority.services.url,
        SERVICE_ACME_DNS_B_URL: authority.services.url,
      }),
      ...env,
    },
  });
  await world.start();
  const made = await world.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  const signed =
    made.status === 201
      ? made
      : await world.call(undefined, 'POST', '/api/v1/session', { name: 'Ada', password: PASSWORD });
  const owner = { token: String(signed.body['token']) };
  const at = await world.http.listen({ host: '127.0.0.1', port: 0 });
  const call = (method: string, body?: unknown) => world.call(owner, method, AT, body);
  const status = async () => (await call('GET')).body as unknown as TrustedStatus;
  return { world, owner, port: typeof at === 'object' && at !== null ? at.port : 0, call, status };
}

const silent: NameQuestions = {
  txt: async () => [],
  addresses: async () => [],
  addressesHere: async () => undefined,
  hostAddresses: async () => [],
};

function netTo(t: TestContext, { ca }: TestAuthority): Net {
  const net = createNet({ version: '0', ca });
  t.after(() => net.close());
  return net;
}

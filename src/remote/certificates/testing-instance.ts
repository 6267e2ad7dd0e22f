/** One server's certificates at the test authority, with a clock that a test moves. */
import { createNameQuestions, createNet, type Net, type NetReply } from '../../lib/net.ts';
import { createDnsProvider } from '../dns/provider.ts';
import { DNS_TOKENS } from '../dns/testing-services.ts';
import type { Certificates } from '../types.ts';
import { createCertificates } from './certificates.ts';

export interface Instance {
  certificates: Certificates;
  /** Events of the log. */
  told: string[];
  /** Method, path and status of each request to the authority. */
  asked: string[];
  /** Moves the clock. */
  pass(ms: number): void;
  /** Waits until a status is reached. */
  until(isReached: (status: ReturnType<Certificates['status']>) => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface InstancePlace {
  folder: string;
  directory: string;
  resolver: string;
  ca: string;
  /** Address of the DNS service. */
  api: string;
}

export interface InstanceOptions {
  domain?: string;
  isTermsAccepted?: () => boolean;
  kind?: 'dns_a' | 'dns_b';
  shownMs?: number;
  offsetMs?: number;
  /** Replies in place of the authority. */
  instead?: (url: string) => NetReply | undefined;
}

export function createInstance(place: InstancePlace, options: InstanceOptions = {}): Instance {
  const { kind = 'dns_a', domain = kind === 'dns_a' ? 'film' : 'film.example.dedyn.io', instead } = options;
  const told: string[] = [];
  const asked: string[] = [];
  let offset = options.offsetMs ?? 0;
  const real = createNet({ version: '0', ca: place.ca });
  const net: Net = {
    request: async (request, signal) => {
      const url = String(request.url);
      if (!url.startsWith(new URL(place.directory).origin)) return real.request(request, signal);
      const at = asked.push(`${request.method ?? 'GET'} ${new URL(url).pathname}`) - 1;
      const reply = instead?.(url) ?? (await real.request(request, signal));
      asked[at] += ` ${reply.status}`;
      return reply;
    },
    close: real.close,
  };
  const clock = { now: () => Date.now() + offset, monotonic: () => performance.now() };
  const write = (event: string, fields?: object): void => void told.push(JSON.stringify([event, fields]));
  const log = { info: write, warn: write, fault: (event: string, error: unknown) => write(event, [String(error)]) };
  const provider = createDnsProvider({
    ...{ provider: kind, domain, token: DNS_TOKENS[kind], net, clock, api: place.api },
    pause: async () => {},
  });
  const certificates = createCertificates({
    ...{ net, clock, log: log as never, provider, names: [provider.name], directory: place.directory },
    folder: `${place.folder}/kept`,
    questions: createNameQuestions({ resolver: place.resolver }),
    isTermsAccepted: options.isTermsAccepted ?? (() => true),
    tickMs: 20,
    pollMs: 25,
    shownMs: options.shownMs ?? 5_000,
  });
  return {
    ...{ certificates, told, asked },
    pass: (ms) => void (offset += ms),
    until: async (isReached) => {
      for (let tries = 0; tries < 1_500; tries += 1) {
        if (isReached(certificates.status())) return;
        await new Promise((resolve) => void setTimeout(resolve, 10));
      }
      throw new Error(`not reached: ${JSON.stringify([certificates.status(), told, asked.slice(-5)])}`);
    },
    close: async () => {
      await certificates.close();
      await net.close();
    },
  };
}

const DAY_MS = 86_400_000;
const json = (body: object): NetReply => ({ status: 200, headers: {}, bytes: Buffer.from(JSON.stringify(body)) });

/**
 * Replies of an authority that advises when to renew, which this version of pebble does not: the window is over as soon
 * as it is due, and ahead before.
 */
export const adviceOn =
  (isDue: () => boolean): NonNullable<InstanceOptions['instead']> =>
  (url) => {
    const { origin, pathname } = new URL(url);
    if (pathname === '/dir') return json({ ...pebblePaths(origin), renewalInfo: `${origin}/renewal-info` });
    if (!/^\/renewal-info\/[\w-]+\.[\w-]+$/.test(pathname)) return undefined;
    const start = Date.now() + (isDue() ? -3 : 3) * DAY_MS;
    const [from, to] = [start, start + DAY_MS].map((at) => new Date(at).toISOString());
    return json({ suggestedWindow: { start: from, end: to } });
  };

/** A directory with the addresses of pebble at an origin. */
export const pebblePaths = (origin: string) => ({
  newNonce: `${origin}/nonce-plz`,
  newAccount: `${origin}/sign-me-up`,
  newOrder: `${origin}/order-plz`,
});

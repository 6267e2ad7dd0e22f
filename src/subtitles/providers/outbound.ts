/**
 * One provider's way out: every call it makes goes through here, on top of `lib/net`.
 *
 * Promises: 15 seconds and 2 MiB of JSON at most, the provider's pace, no host but the
 * provider's own (redirects and addresses inside answers included), and no failure but a `ProviderFault` whose
 * message holds nothing of the answer. A cancelled signal is thrown as its own reason.
 */
import { type Net, NetFailure, type NetReply } from '../../lib/net.ts';
import { CALL_TIMEOUT, MOST_JSON, ProviderFault } from './provider.ts';
import type { Answered, Pace } from './pace.ts';

export interface OutboundNeeds {
  net: Pick<Net, 'request'>;
  /** The address from the configuration. */
  base: URL;
  /** Milliseconds for one call; tests shorten it. */
  timeoutMs?: number;
}

export interface Call {
  method?: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: Readonly<Record<string, unknown>>;
  maxBytes?: number;
  /** Redirects to the provider's own hosts that may be followed; only for GET. */
  redirects?: number;
  paces?: readonly Pace[];
}

export interface Answer {
  status: number;
  header(name: string): string | undefined;
  bytes: Uint8Array;
  /** The body, when it is one JSON object. */
  json: Json | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

/** Whether an answer is a file, and not a message in place of one. Half a message is no file either. */
export const isFile = (answer: Answer): boolean =>
  answer.status === 200 && answer.json === undefined && !/\bjson\b/i.test(answer.header('content-type') ?? '');

export interface Outbound {
  send(call: Call, signal: AbortSignal): Promise<Answer>;
  /** An address from an answer, when it is on one of the provider's own hosts and not less safe than the base. */
  own(address: string): URL | undefined;
}

export function createOutbound({ net, base, timeoutMs = CALL_TIMEOUT }: OutboundNeeds): Outbound {
  const own = (address: string): URL | undefined => {
    const url = URL.parse(address, base);
    return url && url.username === '' && url.password === '' && isOwn(url, base) ? url : undefined;
  };

  const once = async (call: Call, url: URL, signal: AbortSignal): Promise<NetReply> => {
    const answered: Answered[] = [];
    try {
      for (const pace of call.paces ?? []) answered.push(await pace.turn(signal));
      return await net.request(
        {
          url,
          method: call.method ?? 'GET',
          headers: {
            accept: 'application/json, */*;q=0.5',
            ...(call.json ? { 'content-type': 'application/json' } : {}),
            ...call.headers,
          },
          ...(call.json ? { body: JSON.stringify(call.json) } : {}),
          allowLoopback: isLoopback(base.hostname),
          allowedHosts: [url.hostname],
          maxBytes: call.maxBytes ?? MOST_JSON,
          timeoutMs,
          redirects: 0,
        },
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw asFault(error);
    } finally {
      for (const done of answered) done();
    }
  };

  const send = async (call: Call, signal: AbortSignal): Promise<Answer> => {
    let url = call.url;
    for (let left = call.redirects ?? 0; ; left--) {
      if (!isOwn(url, base)) throw new ProviderFault('hostile', 'the provider pointed to a host that is not its own');
      const reply = await once(call, url, signal);
      if (reply.status < 300 || reply.status >= 400) return answer(reply);
      const next = redirected(reply, url, base);
      if (left <= 0) throw new ProviderFault('unavailable', 'the provider redirected where it should answer');
      url = next;
    }
  };

  return { send, own };
}

function answer(reply: NetReply): Answer {
  let json: Json | undefined;
  let isRead = false;
  return {
    status: reply.status,
    header: (name) => reply.headers[name],
    bytes: reply.bytes,
    get json() {
      if (!isRead) json = readJson(reply.bytes);
      isRead = true;
      return json;
    },
  };
}

function redirected(reply: NetReply, from: URL, base: URL): URL {
  const next = URL.parse(reply.headers['location'] ?? '', from);
  if (!next || reply.headers['location'] === undefined)
    throw new ProviderFault('unavailable', 'the provider redirected to nowhere');
  if (next.username !== '' || next.password !== '' || !isOwn(next, base)) {
    throw new ProviderFault('hostile', 'the provider redirected to a host that is not its own');
  }
  return next;
}

/**
 * A host is the provider's own when it is the base's, or stands under the same domain: `api.example.org` in the
 * configuration owns `vip-api.example.org` and `www.example.org`, but `example.org` owns only itself, so that nobody
 * who shares a public suffix is ever included. Ports and scheme are the base's; on loopback only the host counts.
 */
export function isOwn(url: URL, base: URL): boolean {
  if (url.protocol !== base.protocol) return false;
  if (isLoopback(base.hostname)) return url.hostname === base.hostname;
  if (url.port !== base.port) return false;
  if (url.hostname === base.hostname) return true;
  const domain = /^(?:[a-z0-9-]+-)?api\.([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.exec(base.hostname)?.[1];
  return domain !== undefined && (url.hostname === domain || url.hostname.endsWith(`.${domain}`));
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

/**
 * What `lib/net` says, in the words of a provider. A reply that was cut for being too large is an attack or as good as
 * one.
 */
function asFault(error: unknown): unknown {
  if (!(error instanceof NetFailure)) return error;
  const { fault } = error;
  if (fault === 'too-large') return new ProviderFault('hostile', 'the answer of the provider is too large');
  if (fault === 'redirect' || fault === 'address')
    return new ProviderFault('hostile', 'the provider pointed to a host that is not its own');
  if (fault === 'timeout') return new ProviderFault('unavailable', 'the provider did not answer in time');
  if (fault === 'broken') return new ProviderFault('unavailable', 'the answer of the provider is broken');
  return new ProviderFault('unavailable', 'the provider cannot be reached');
}

function readJson(bytes: Uint8Array): Json | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Makes all calls of one provider, on top of `lib/net`.
 *
 * Each call takes at most 15 seconds and 2 MiB of JSON, keeps the provider's pace, and reaches only the provider's own
 * hosts (including redirects and addresses in replies). It fails only with a `ProviderFault` whose message contains
 * nothing of the reply. A cancelled signal is thrown with its own reason.
 */
import { type Net, NetFailure, type NetReply } from '../../lib/net.ts';
import { CALL_TIMEOUT_MS, MAX_REPLY_BYTES, ProviderFault } from './provider.ts';
import type { EndOfCall, Pace } from './pace.ts';

export interface OutboundNeeds {
  net: Pick<Net, 'request'>;
  /** The configured address. */
  base: URL;
  /** Time limit of one call in milliseconds; shortened by tests. */
  timeoutMs?: number;
}

export interface ProviderCall {
  method?: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: Readonly<Record<string, unknown>>;
  maxBytes?: number;
  /** Number of redirects to the provider's own hosts that are followed; only for GET. */
  redirects?: number;
  paces?: readonly Pace[];
}

export interface ProviderReply {
  status: number;
  header(name: string): string | undefined;
  bytes: Uint8Array;
  /** The body, if it is a JSON object. */
  json: Json | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

/** Whether a reply is a file, and not a message or a part of one. */
export const isFile = (answer: ProviderReply): boolean =>
  answer.status === 200 && answer.json === undefined && !/\bjson\b/i.test(answer.header('content-type') ?? '');

export interface Outbound {
  send(call: ProviderCall, signal: AbortSignal): Promise<ProviderReply>;
  /** Returns an address from a reply, if it is on one of the provider's own hosts and as secure as the base. */
  own(address: string): URL | undefined;
}

export function createOutbound({ net, base, timeoutMs = CALL_TIMEOUT_MS }: OutboundNeeds): Outbound {
  const own = (address: string): URL | undefined => {
    const url = URL.parse(address, base);
    return url && url.username === '' && url.password === '' && isProviderHost(url, base) ? url : undefined;
  };

  const request = async (call: ProviderCall, url: URL, signal: AbortSignal): Promise<NetReply> => {
    const pending: EndOfCall[] = [];
    try {
      for (const pace of call.paces ?? []) pending.push(await pace.turn(signal));
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
          allowLoopback: isLoopbackName(base.hostname),
          allowedHosts: [url.hostname],
          maxBytes: call.maxBytes ?? MAX_REPLY_BYTES,
          timeoutMs,
          redirects: 0,
        },
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw asFault(error);
    } finally {
      for (const done of pending) done();
    }
  };

  const send = async (call: ProviderCall, signal: AbortSignal): Promise<ProviderReply> => {
    let url = call.url;
    for (let left = call.redirects ?? 0; ; left--) {
      if (!isProviderHost(url, base))
        throw new ProviderFault('hostile', 'the provider pointed to a host that is not its own');
      const reply = await request(call, url, signal);
      if (reply.status < 300 || reply.status >= 400) return readReply(reply);
      const next = redirected(reply, url, base);
      if (left <= 0) throw new ProviderFault('unavailable', 'the provider redirected where it should answer');
      url = next;
    }
  };

  return { send, own };
}

function readReply(reply: NetReply): ProviderReply {
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
  if (next.username !== '' || next.password !== '' || !isProviderHost(next, base)) {
    throw new ProviderFault('hostile', 'the provider redirected to a host that is not its own');
  }
  return next;
}

/**
 * Whether a host belongs to the provider: it is the base's host or under the same domain. `api.example.org` in the
 * configuration includes `vip-api.example.org` and `www.example.org`. `example.org` includes only itself, so that no
 * other owner under a public suffix is included. Scheme and port must be those of the base; on loopback only the host
 * counts.
 */
export function isProviderHost(url: URL, base: URL): boolean {
  if (url.protocol !== base.protocol) return false;
  if (isLoopbackName(base.hostname)) return url.hostname === base.hostname;
  if (url.port !== base.port) return false;
  if (url.hostname === base.hostname) return true;
  const domain = /^(?:[a-z0-9-]+-)?api\.([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.exec(base.hostname)?.[1];
  return domain !== undefined && (url.hostname === domain || url.hostname.endsWith(`.${domain}`));
}

export const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

/** Converts a failure of `lib/net` to a fault. A reply that exceeds the limit is treated as hostile. */
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

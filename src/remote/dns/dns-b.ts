/**
 * The second DNS provider, deSEC: record sets by JSON, with the token in a header.
 *
 * Its limits are kept here, so that it seldom has to refuse: a short wait is waited for, and a longer one fails with
 * the time at which to ask again. Only the record sets that a request names are changed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { retryAfterMs, type NetReply } from '../../lib/net.ts';
import { jsonOf, RemoteFault } from '../fault.ts';
import { createRequestBudget } from './request-budget.ts';
import type { DnsProvider, DnsProviderNeeds } from './types.ts';

const API = 'https://desec.io/api/v1';
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Limits of the service for changes of records. */
const LIMITS = [
  { most: 2, withinMs: SECOND },
  { most: 15, withinMs: 60 * SECOND },
  { most: 100, withinMs: HOUR },
  { most: 300, withinMs: 24 * HOUR },
];
const MAX_WAIT_MS = 60 * SECOND;
const MAX_TRIES = 3;
const DEFAULT_TTL = 3_600;

const Zones = z
  .array(z.object({ name: z.string().max(253), minimum_ttl: z.int().min(1).max(604_800).optional() }))
  .max(100);
type Zone = z.output<typeof Zones>[number];
type Request = { path: string; body?: unknown; signal: AbortSignal | undefined };

const wait = (ms: number, signal?: AbortSignal): Promise<void> => delay(ms, undefined, signal && { signal });

export function createDnsB(needs: DnsProviderNeeds): DnsProvider {
  const { domain: name, token, net, clock, api = API, pause = wait } = needs;
  const budget = createRequestBudget(LIMITS, clock);
  let kept: Zone | undefined;

  const send = async ({ path, body, signal }: Request): Promise<NetReply> => {
    const request = {
      url: `${api.replace(/\/$/, '')}${path}`,
      allowLoopback: api !== API,
      headers: {
        authorization: `Token ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'PUT' as const, body: JSON.stringify(body) }),
      maxBytes: 256 * 1024,
      timeoutMs: 20_000,
    };
    try {
      return await net.request(request, signal);
    } catch {
      signal?.throwIfAborted();
      throw new RemoteFault('dns-unreachable');
    }
  };
  const ask = async (request: Request): Promise<NetReply> => {
    for (let tries = 1; ; tries += 1) {
      const early = budget.waitMs();
      if (early > MAX_WAIT_MS) throw new RemoteFault('dns-limited', early);
      if (early > 0) await pause(early, request.signal);
      budget.count();
      const reply = await send(request);
      if (reply.status !== 429) return reply;
      const later = retryAfterMs(reply.headers['retry-after'], clock.now(), 24 * HOUR) ?? MAX_WAIT_MS;
      if (later > MAX_WAIT_MS || tries === MAX_TRIES) throw new RemoteFault('dns-limited', later);
      await pause(later, request.signal);
    }
  };
  const read = async (request: Request): Promise<unknown> => {
    const { status, bytes } = await ask(request);
    if (status === 401 || status === 403 || status === 404) throw new RemoteFault('dns-refused');
    if (status >= 500) throw new RemoteFault('dns-unreachable');
    const body = jsonOf(bytes.toString('utf8'));
    if (status !== 200 || body === undefined) throw new RemoteFault('dns-broken');
    return body;
  };
  const zone = async (signal: AbortSignal | undefined): Promise<Zone> => {
    if (kept) return kept;
    const found = Zones.safeParse(await read({ path: `/domains/?owns_qname=${encodeURIComponent(name)}`, signal }));
    if (!found.success) throw new RemoteFault('dns-broken');
    // The account has no zone of this name.
    const [first] = found.data.filter((one) => name === one.name || name.endsWith(`.${one.name}`));
    if (!first) throw new RemoteFault('dns-refused');
    return (kept = first);
  };
  const put = async (label: string, type: 'A' | 'TXT', records: string[], signal?: AbortSignal): Promise<void> => {
    const own = await zone(signal);
    const full = label === '' ? name : `${label}.${name}`;
    const subname = full === own.name ? '' : full.slice(0, -own.name.length - 1);
    const body = [{ subname, type, ttl: own.minimum_ttl ?? DEFAULT_TTL, records }];
    try {
      await read({ path: `/domains/${encodeURIComponent(own.name)}/rrsets/`, body, signal });
    } catch (error) {
      // The zone may have been removed or changed in the meantime; it is looked up again next time.
      kept = undefined;
      throw error;
    }
  };
  return {
    name,
    setTxt: (text, signal) => put('_acme-challenge', 'TXT', [`"${text}"`], signal),
    clearTxt: (signal) => put('_acme-challenge', 'TXT', [], signal),
    setAddress: async (address, signal) => {
      if (address === undefined) throw new TypeError('this provider does not find the address by itself');
      await put('', 'A', [address], signal);
    },
  };
}

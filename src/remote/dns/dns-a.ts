/**
 * The first DNS provider, DuckDNS: one GET for everything, with the token in the address, and a refusal with status
 * 200. A request with `clear` and no `txt` would remove the addresses, so `clear` is sent with a text only.
 */
import { isIPv4 } from 'node:net';
import type { NetReply } from '../../lib/net.ts';
import { RemoteFault } from '../fault.ts';
import type { DnsProvider, DnsProviderNeeds } from './types.ts';

const API = 'https://www.duckdns.org';
const ZONE = 'duckdns.org';

export function createDnsA({ domain, token, net, api = API }: DnsProviderNeeds): DnsProvider {
  const update = async (fields: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<string[]> => {
    const url = new URL('/update', api);
    url.search = new URLSearchParams({ domains: domain, token, ...fields, verbose: 'true' }).toString();
    let reply: NetReply;
    try {
      reply = await net.request({ url, allowLoopback: api !== API, maxBytes: 4_096, timeoutMs: 20_000 }, signal);
    } catch {
      signal?.throwIfAborted();
      // The error is dropped: it could quote the address, and with it the token.
      throw new RemoteFault('dns-unreachable');
    }
    if (reply.status === 429) throw new RemoteFault('dns-limited');
    if (reply.status !== 200) throw new RemoteFault(reply.status >= 500 ? 'dns-unreachable' : 'dns-broken');
    const lines = reply.bytes
      .toString('latin1')
      .split('\n')
      .map((line) => line.trim());
    if (lines[0] === 'KO') throw new RemoteFault('dns-refused');
    if (lines[0] !== 'OK') throw new RemoteFault('dns-broken');
    return lines;
  };
  return {
    name: `${domain}.${ZONE}`,
    setTxt: async (text, signal) => void (await update({ txt: text }, signal)),
    clearTxt: async (signal) => void (await update({ txt: '', clear: 'true' }, signal)),
    setAddress: async (address = '', signal) => {
      const [, shown = ''] = await update({ ip: address }, signal);
      if (address === '' ? !isIPv4(shown) : shown !== address) throw new RemoteFault('dns-broken');
    },
  };
}

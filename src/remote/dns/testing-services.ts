/**
 * Stand-ins of both DNS services, over one table of records. They check what the services check, and misbehave on
 * request. `published` is called after every change, so that a real name server can follow.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const DNS_TOKENS = { dns_a: 'tokenofa'.repeat(4), dns_b: 'tokenofb'.repeat(3) } as const;
const ZONES = { dns_a: 'duckdns.org', dns_b: 'example.dedyn.io' } as const;

export type RecordTable = Map<string, readonly string[]>;

export interface DnsServices {
  url: string;
  /** Records by `TYPE name`. */
  records: RecordTable;
  /** Path and query of every request. */
  asked: string[];
  /** Replies to be sent in place of the service's own, the first one first. */
  instead: { status: number; headers?: Record<string, string>; body?: string }[];
  close(): Promise<void>;
}

/** `callerAddress` is the address that its requests come from, as the services see it. */
export async function startDnsServices(
  published: (type: 'A' | 'TXT', name: string, values: readonly string[]) => Promise<void> = async () => {},
  callerAddress = '203.0.113.7',
): Promise<DnsServices> {
  const records: RecordTable = new Map();
  const asked: string[] = [];
  const instead: DnsServices['instead'] = [];
  const set = async (type: 'A' | 'TXT', name: string, values: readonly string[]): Promise<void> => {
    if (values.length === 0) records.delete(`${type} ${name}`);
    else records.set(`${type} ${name}`, values);
    await published(type, name, values);
  };
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const planned = instead.shift();
    if (planned) return void response.writeHead(planned.status, planned.headers).end(planned.body ?? '');
    const url = new URL(request.url ?? '', 'http://service');
    const reply = url.pathname === '/update' ? updateOfA(url, set, callerAddress) : requestOfB(request, url, set);
    void reply.then(([status, body]) => send(response, status, body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    records,
    asked,
    instead,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type SetRecords = (type: 'A' | 'TXT', name: string, values: readonly string[]) => Promise<void>;
type ServiceReply = [status: number, body: string];

const send = (response: ServerResponse, status: number, body: string): void =>
  void response.writeHead(status).end(body);

/** `clear` without `txt` removes the addresses; a blank `ip` is that of the caller. */
async function updateOfA({ searchParams: given }: URL, set: SetRecords, callerAddress: string): Promise<ServiceReply> {
  const name = `${given.get('domains')}.${ZONES.dns_a}`;
  if (given.get('token') !== DNS_TOKENS.dns_a) return [200, 'KO'];
  const text = given.get('txt');
  if (text !== null) {
    await set('TXT', `_acme-challenge.${name}`, given.get('clear') === 'true' ? [] : [text]);
    return [200, `OK\n${text}\nUPDATED`];
  }
  if (given.get('clear') === 'true') {
    await set('A', name, []);
    return [200, 'OK\n\n\nUPDATED'];
  }
  const address = given.get('ip') === '' ? callerAddress : (given.get('ip') ?? '');
  await set('A', name, [address]);
  return [200, `OK\n${address}\n\nUPDATED`];
}

async function requestOfB(request: IncomingMessage, url: URL, set: SetRecords): Promise<ServiceReply> {
  if (request.headers.authorization !== `Token ${DNS_TOKENS.dns_b}`) return [401, '{"detail":"Invalid token."}'];
  const zone = ZONES.dns_b;
  if (url.pathname === '/domains/') {
    const isOwn = url.searchParams.get('owns_qname')?.endsWith(zone) === true;
    return [200, JSON.stringify(isOwn ? [{ name: zone, minimum_ttl: 3600 }] : [])];
  }
  if (url.pathname !== `/domains/${zone}/rrsets/` || request.method !== 'PUT') return [404, '{}'];
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const sets = JSON.parse(text) as { subname: string; type: 'A' | 'TXT'; ttl: number; records: string[] }[];
  for (const { ttl, type, records } of sets)
    if (ttl < 3600 || (type === 'TXT' && records.some((one) => !/^".*"$/.test(one)))) return [400, '[{}]'];
  for (const { subname, type, records } of sets)
    await set(
      type,
      subname === '' ? zone : `${subname}.${zone}`,
      records.map((one) => one.replaceAll('"', '')),
    );
  return [200, JSON.stringify(sets)];
}

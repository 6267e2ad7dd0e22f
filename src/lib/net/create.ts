/** Puts the outbound client together: connections only to checked addresses, hops, deadline, errors in our words. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Agent } from 'undici';
import { isHomeAddress, isLoopback, isPublic } from './address.ts';
import { readBody, decompressBody } from './body.ts';
import { NetFailure } from './failure.ts';
import { firstHop, nextHop } from './rules.ts';
import type { Hop } from './rules.ts';
import type { Net, NetNeeds, NetReply, NetRequest, Resolve } from './types.ts';

const CONNECT_MS = 10_000;
const MAX_REDIRECTS = 3;
const MIB = 1024 ** 2;

const system: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

type Undici = typeof import('undici');
interface Agents {
  ask: Undici['request'];
  /** Only public addresses. */
  strict: Agent;
  /** This machine as well. */
  loose: Agent;
  /** The home network as well. */
  home: Agent;
  /** Both as well. */
  open: Agent;
}

/** One client for the whole server; it keeps connections for reuse, each to an address that was checked. */
export function createNet(needs: NetNeeds): Net {
  const userAgent = `Matinee v${needs.version}`;
  let opened: Promise<Agents> | undefined;
  /** Loaded with the first request: a server without outbound requests does not need it. */
  const agents = (): Promise<Agents> =>
    (opened ??= import('undici').then((undici) => ({
      ask: undici.request,
      strict: agent(undici, needs, () => isPublic),
      // Plain http never leaves this machine, whatever a name resolves to.
      loose: agent(undici, needs, (isTls) => (address) => isLoopback(address) || (isTls && isPublic(address))),
      home: agent(undici, needs, (isTls) => (address) => isTls && isHomeOrPublic(address)),
      open: agent(undici, needs, (isTls) => (address) => isLoopback(address) || (isTls && isHomeOrPublic(address))),
    })));

  const once = async (
    hop: Hop,
    mostBytes: number,
    signal: AbortSignal,
    isFinal: (status: number, location: string | undefined) => boolean,
  ): Promise<NetReply> => {
    const { ask, ...by } = await agents();
    const [closed, wide] = hop.isLoopbackAllowed ? [by.loose, by.open] : [by.strict, by.home];
    const {
      statusCode: status,
      headers: raw,
      body,
    } = await ask(hop.url, {
      dispatcher: hop.isHomeAllowed ? wide : closed,
      method: hop.method as 'GET',
      headers: hop.headers,
      body: hop.body,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const headers = Object.fromEntries(
      Object.entries(raw).flatMap(([name, value]) =>
        value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
      ),
    );
    if (!isFinal(status, headers['location'])) {
      body.on('error', () => {});
      body.destroy();
      return { status, headers, bytes: Buffer.alloc(0) };
    }
    const isEmpty = hop.method === 'HEAD' || status === 204 || status === 304;
    const packed = await readBody(body, isEmpty ? undefined : headers['content-length'], mostBytes);
    const bytes = await decompressBody(packed, headers['content-encoding'], mostBytes);
    if (!isEmpty) delete headers['content-length'];
    delete headers['content-encoding'];
    return { status, headers, bytes };
  };

  const follow = async (request: NetRequest, signal: AbortSignal): Promise<NetReply> => {
    const { redirects = 0, maxBytes = 2 * MIB } = request;
    let hop = firstHop(request, userAgent);
    for (let left = redirects; ; left -= 1) {
      const here = hop;
      let next: Hop | null = null;
      const reply = await once(here, maxBytes, signal, (status, location) => {
        next = redirects === 0 ? null : nextHop(request, here, status, location);
        return next === null;
      });
      if (next === null) return reply;
      if (left === 0) throw new NetFailure('redirect', 'too many');
      hop = next;
    }
  };

  return {
    async request(request, signal) {
      const { redirects = 0 } = request;
      if (redirects < 0 || redirects > MAX_REDIRECTS) throw new TypeError('at most three redirects');
      const deadline = AbortSignal.timeout(request.timeoutMs ?? 30_000);
      const both = signal ? AbortSignal.any([signal, deadline]) : deadline;
      try {
        both.throwIfAborted();
        return await follow(request, both);
      } catch (error) {
        throw failureOf(error, signal?.aborted === true, deadline.aborted);
      }
    },
    async close() {
      const { strict, loose, home, open } = (await opened) ?? {};
      await Promise.all([strict, loose, home, open].map((one) => one?.destroy()));
    },
  };
}

const isHomeOrPublic = (address: string): boolean => isHomeAddress(address) || isPublic(address);

/** An agent whose every connection goes to an address that was found and checked in the same step. */
function agent(
  { Agent: Client, buildConnector }: Undici,
  { resolve = system, ca }: NetNeeds,
  rule: (isTls: boolean) => (address: string) => boolean,
): Agent {
  const base = buildConnector({ timeout: CONNECT_MS, allowH2: false, ...(ca === undefined ? {} : { ca }) });
  return new Client({
    connections: 8,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 32 * 1024,
    connect: (options, callback) => {
      const name = options.hostname.replace(/^\[|\]$/g, '');
      const isTls = options.protocol === 'https:';
      addressesOf(name, resolve, rule(isTls)).then(
        ([address]) => {
          const servername = isIP(name) ? '' : name;
          base(
            { ...options, hostname: address ?? '', host: address ?? '', ...(isTls ? { servername } : {}) },
            callback,
          );
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error('not resolved'), null),
      );
    },
  });
}

/** The addresses of a host, IPv4 first; refused when any of them is not allowed. */
async function addressesOf(name: string, resolve: Resolve, isAllowed: (address: string) => boolean): Promise<string[]> {
  let found: readonly { address: string; family: number }[];
  let late: NodeJS.Timeout | undefined;
  try {
    const slow = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new NetFailure('timeout', 'resolving')), CONNECT_MS);
    });
    const family = isIP(name);
    found = family === 0 ? await Promise.race([resolve(name), slow]) : [{ address: name, family }];
  } catch (error) {
    throw error instanceof NetFailure ? error : new NetFailure('unresolved', '', error);
  } finally {
    clearTimeout(late);
  }
  if (found.length === 0) throw new NetFailure('unresolved');
  for (const { address } of found) if (!isAllowed(address)) throw new NetFailure('address', 'not a public address');
  return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address);
}

/** Any error as ours. The codes are those of Node, OpenSSL and the HTTP client. */
function failureOf(error: unknown, isAborted: boolean, isLate: boolean): unknown {
  if (error instanceof NetFailure) return error;
  if (isAborted) return new NetFailure('aborted', '', error);
  if (isLate) return new NetFailure('timeout', '', error);
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return new NetFailure('timeout', code, error);
  if (/^(ECONN|EHOST|ENET|EPIPE|EADDR)/.test(code)) return new NetFailure('unreachable', code, error);
  if (/CERT|SSL|TLS|SELF_SIGNED|VERIFY|ERR_OSSL|EPROTO/.test(code)) return new NetFailure('tls', code, error);
  if (/^(UND_ERR|HPE_)/.test(code))
    return new NetFailure(code === 'UND_ERR_SOCKET' ? 'unreachable' : 'broken', code, error);
  return error;
}

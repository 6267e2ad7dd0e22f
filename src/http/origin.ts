/**
 * The origin of a request: the listener that it came in at decides whether it is from the home network.
 *
 * Whatever comes in at the public listener or by the gateway is public, whatever its address. At home, a request is
 * public if its address is neither private nor of a network that this machine is on, or if its Host is a public address
 * or the public name, because a router that forwards the port may hide the address.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Failure } from '../lib/failure.ts';

export type RequestNetwork = 'local' | 'public';

/** A listener, with what its requests are judged by. */
export type Listener = HomeListener | OutsideListener;
interface HomeListener extends OutsideNotice {
  kind: 'home';
  /** Host of the public address; undefined as long as there is no remote access. */
  publicHost?: string | undefined;
}
/** One for remote access: of this server, or behind a gateway that proves itself by a token. */
export type OutsideListener = OutsideNotice & { host: string } & (
    | { kind: 'public' }
    | { kind: 'gateway'; token: string }
  );
interface OutsideNotice {
  /** Called for each request from outside the home. At home only a forwarded port can bring one. */
  noteOutside?: (() => void) | undefined;
}

export interface RequestOrigin {
  network: RequestNetwork;
  address: string;
}

export interface Origins {
  /** Returns the origin of a request. Throws for one that the listener does not take. */
  of(request: IncomingMessage): RequestOrigin;
}

const GATEWAY_HEADER = 'x-matinee-gateway';
const FORWARDED_HEADER = 'x-forwarded-for';

export function createOrigins(listener: Listener): Origins {
  const judge = judgeOf(listener);
  const known = new WeakMap<IncomingMessage, RequestOrigin>();
  return {
    of: (request) => {
      const origin = known.get(request) ?? judge(request);
      known.set(request, origin);
      return origin;
    },
  };
}

function judgeOf(listener: Listener): (request: IncomingMessage) => RequestOrigin {
  if (listener.kind === 'home') return (request) => originAtHome(request, listener);
  const addressOf =
    listener.kind === 'gateway'
      ? forwardedAddress(listener.token)
      : ({ socket }: IncomingMessage) => socket.remoteAddress ?? '';
  return (request) => {
    const address = addressOf(request);
    requireHost(request, listener.host);
    if (!isFromHome(address)) listener.noteOutside?.();
    return { network: 'public', address };
  };
}

function originAtHome({ socket, headers }: IncomingMessage, { publicHost, noteOutside }: HomeListener): RequestOrigin {
  const address = socket.remoteAddress ?? '';
  if (isFromHome(address) && !isPublicHost(headers.host ?? '', publicHost)) return { network: 'local', address };
  // A client that has left has no address.
  if (address !== '') noteOutside?.();
  return { network: 'public', address };
}

/** The host of a Host header in lower case, without its port, and without the brackets of an IPv6 address. */
const hostOf = (header: string): string =>
  header
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

function isPublicHost(header: string, publicHost: string | undefined): boolean {
  const host = hostOf(header);
  return isIP(host) === 0 ? host === publicHost : !isFromHome(host);
}

/** Refuses a request for another host. The public address has no port, which stands for that of https. */
function requireHost({ headers }: IncomingMessage, host: string): void {
  const asked = (headers.host ?? '').toLowerCase();
  if (asked !== host && asked !== `${host}:443`)
    throw new Failure('misdirected', 'this server has another host name', { reason: 'host-misdirected' });
}

/** Returns the values of a header as they came, however often it was sent. */
const valuesOf = ({ rawHeaders }: IncomingMessage, name: string): string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Makes the check of the gateway: its token once, equal in constant time, and one address. */
function forwardedAddress(token: string): (request: IncomingMessage) => string {
  const expected = digestOf(token);
  return (request) => {
    const [tokens, addresses] = [valuesOf(request, GATEWAY_HEADER), valuesOf(request, FORWARDED_HEADER)];
    const [address = ''] = addresses;
    const isRight = tokens.length === 1 && timingSafeEqual(digestOf(tokens[0] ?? ''), expected);
    if (isRight && addresses.length === 1 && isIP(address) !== 0) return address;
    throw new Failure('forbidden', 'this request did not come through the gateway', { reason: 'gateway-only' });
  };
}

const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

/** Networks of this machine are read again after this long: a provider may give the home another prefix. */
const OWN_NETWORKS_MS = 10_000;
let own = { list: new BlockList(), readAt: Number.NEGATIVE_INFINITY };

function ownNetworks(): BlockList {
  const now = performance.now();
  if (now - own.readAt < OWN_NETWORKS_MS) return own.list;
  const list = new BlockList();
  for (const one of Object.values(networkInterfaces()).flat())
    if (one && !one.internal && one.cidr !== null)
      list.addSubnet(one.address, Number(one.cidr.split('/')[1]), one.family === 'IPv6' ? 'ipv6' : 'ipv4');
  own = { list, readAt: now };
  return list;
}

/** Whether an address is private (RFC 1918, 4193, 3927, 4291, 6598), or of a network that this machine is on. */
function isFromHome(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  const family = plain.includes(':') ? 'ipv6' : 'ipv4';
  return PRIVATE.check(plain, family) || ownNetworks().check(plain, family);
}

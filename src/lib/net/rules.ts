/** Which URLs may be asked for, where redirects may lead, and what goes along. Pure. */
import { NetFailure } from './failure.ts';
import type { NetRequest } from './types.ts';

/** A request's next hop: the URL, and whether it may end on this machine. */
export interface Hop {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  isLoopbackAllowed: boolean;
  /** Whether it may end at a private address of the home network. */
  isHomeAllowed: boolean;
}

const MAX_URL = 4096;
/** Headers that are the client's own, or that change how the connection is used. */
const OURS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
  'accept-encoding',
  'user-agent',
]);
/** Headers that are sent on after a redirect to another origin: none that could hold a secret. */
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent', 'accept-encoding']);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const hostOf = (url: URL): string => url.hostname.replace(/\.$/, '');

/** Checks the address as written; what its name resolves to is checked when it is connected to. */
function checkUrl(url: URL, isLoopbackAllowed: boolean, hosts: readonly string[]): void {
  const refuse = (detail: string): never => {
    throw new NetFailure('address', detail);
  };
  if (url.username !== '' || url.password !== '') refuse('user or password in the address');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackAllowed)) refuse('not https');
  if (url.href.length > MAX_URL) refuse('too long');
  const port = url.port === '' ? 443 : Number(url.port);
  if (!isLoopbackAllowed && port !== 443 && port < 1024) refuse('a port of another service');
  if (!hosts.includes(hostOf(url))) refuse('not one of the allowed hosts');
}

const hostsOf = (request: NetRequest, url: URL): readonly string[] =>
  request.allowedHosts?.map((host) => host.toLowerCase().replace(/\.$/, '')) ?? [hostOf(url)];

/** The first hop of a request, or a NetFailure. */
export function firstHop(request: NetRequest, userAgent: string): Hop {
  const url = parse(request.url);
  url.hash = '';
  const isLoopbackAllowed = request.allowLoopback === true;
  checkUrl(url, isLoopbackAllowed, hostsOf(request, url));
  const headers: Record<string, string> = { 'user-agent': userAgent, 'accept-encoding': 'gzip, deflate, br' };
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (OURS.has(name.toLowerCase())) throw new TypeError(`the header ${name} is the client's own`);
    headers[name.toLowerCase()] = value;
  }
  const isHomeAllowed = request.allowHome === true;
  return {
    url,
    method: request.method ?? 'GET',
    headers,
    body: request.body ?? null,
    isLoopbackAllowed,
    isHomeAllowed,
  };
}

/**
 * Returns the target of a redirect, or null for a final reply. Only the origin that a setting named may be on this
 * machine.
 */
export function nextHop(request: NetRequest, hop: Hop, status: number, location: string | undefined): Hop | null {
  if (!REDIRECTS.has(status) || location === undefined) return null;
  const url = parse(location, hop.url);
  url.hash = '';
  const isSameOrigin = url.origin === hop.url.origin;
  try {
    checkUrl(url, hop.isLoopbackAllowed && isSameOrigin, hostsOf(request, parse(request.url)));
  } catch (error) {
    throw new NetFailure('redirect', error instanceof NetFailure ? error.detail : '');
  }
  const isBodyDropped = status === 303 || ((status === 301 || status === 302) && hop.method === 'POST');
  const method = isBodyDropped && hop.method !== 'HEAD' ? 'GET' : hop.method;
  const body = isBodyDropped ? null : hop.body;
  // A body may hold a secret as well as a header.
  if (!isSameOrigin && body !== null) throw new NetFailure('redirect', 'a body for another origin');
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(
      ([name]) => (isSameOrigin || HARMLESS.has(name)) && (body !== null || name !== 'content-type'),
    ),
  );
  const isLoopbackAllowed = hop.isLoopbackAllowed && isSameOrigin;
  return { url, method, headers, body, isLoopbackAllowed, isHomeAllowed: false };
}

function parse(text: string | URL, base?: URL): URL {
  try {
    return new URL(text, base);
  } catch {
    throw new NetFailure('address', 'not an address');
  }
}

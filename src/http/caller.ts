/** The caller of a request, before anyone believes it: credentials, where they came from, and what a link is for. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { type Access, type Endpoint, isForProfiles, type Purpose, type Service } from '../contract/kernel/endpoint.ts';
import type { Principal, ServiceCaller } from '../contract/kernel/principal.ts';
import type { Log } from '../lib/log.ts';
import { cookie, cookieNames } from './admit.ts';
import type { From } from './handle.ts';
import { rawQueryOf } from './input.ts';
import type { RequestOrigin } from './origin.ts';

/** The session's cookie. A plain name only where TLS is off, which is on loopback. */
export const SESSION_COOKIE = { secure: '__Host-matinee', plain: 'matinee' } as const;
/** Binds a sign-in at another server to the browser that began it. */
export const FLOW_COOKIE = { secure: '__Host-matinee-flow', plain: 'matinee-flow' } as const;
export const HOUSEHOLD_COOKIE = { secure: '__Host-matinee-household', plain: 'matinee-household' } as const;
export const DEVICE_COOKIE = { secure: '__Host-matinee-device', plain: 'matinee-device' } as const;
/** Names of every cookie that this server sets, those that are added later among them. */
const OWN_COOKIES = { secure: /^__Host-matinee(?:-|$)/, plain: /^matinee(?:-|$)/ } as const;

/** Whether a cookie of this server speaks for a request. Next to a Bearer, and at a form for any origin, none does. */
export const isByCookie = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  isSecure: boolean,
  { anyOrigin }: Pick<Endpoint, 'anyOrigin'>,
): boolean =>
  !anyOrigin &&
  headers.authorization === undefined &&
  cookieNames(headers.cookie).some((name) => OWN_COOKIES[isSecure ? 'secure' : 'plain'].test(name));

/** A credential as it came, before it is verified. */
export interface RequestCredentials {
  bearer: string | undefined;
  cookie: string | undefined;
  ticket: string | undefined;
  /** The service whose endpoint is called: only its token is looked for. Undefined for every other endpoint. */
  service?: Service | undefined;
  from: From;
}

export interface Doors {
  /**
   * Returns the owner of a credential; undefined if there is none. Throws for a wrong Bearer or link; a stale cookie
   * counts as none. For the endpoint of a service it returns that service, and throws for any other credential.
   */
  identify(asked: RequestCredentials): Promise<Principal | ServiceCaller | undefined>;
  /**
   * The caller of an open reply as they are now, or undefined if it has to end: asked after a change and every half
   * minute.
   */
  current(by: Principal, access: Access): Principal | undefined;
  /** Number of the newest event for the caller; undefined for callers that read no events at present. */
  newestEvent?: (by: Principal) => number | undefined;
  log: Log;
}

/** Returns the value of the parameter that a signed link to this endpoint has to be made for. */
export function linkScopeOf({ access, params }: Endpoint, request: FastifyRequest): string | undefined {
  if (!isForProfiles(access) || access.link === undefined) return undefined;
  const name = access.linkBy ?? 'id';
  return name in params.shape
    ? (request.params as Record<string, string>)[name]
    : (new URLSearchParams(rawQueryOf(request.url)).get(name) ?? undefined);
}

export function fromOf(
  request: FastifyRequest,
  { network, address, isSecure }: RequestOrigin & Pick<From, 'isSecure'>,
): From {
  const form = isSecure ? 'secure' : 'plain';
  return {
    id: request.id,
    address,
    network,
    isSecure,
    host: request.headers.host ?? '',
    userAgent: request.headers['user-agent']?.slice(0, 256),
    device: cookie(request.headers.cookie, DEVICE_COOKIE[form]),
    flow: cookie(request.headers.cookie, FLOW_COOKIE[form]),
    household: cookie(request.headers.cookie, HOUSEHOLD_COOKIE[form]),
  };
}

/** Returns the credentials of a request to an endpoint. */
export function askedOf(
  request: FastifyRequest,
  from: From,
  { access, anyOrigin }: Pick<Endpoint, 'access' | 'anyOrigin'>,
): RequestCredentials {
  // The browser brings the cookies of the session if the other site is a neighbour, and still they mean nothing.
  if (anyOrigin) return { bearer: undefined, ticket: undefined, cookie: undefined, from };
  const purpose: Purpose | undefined = isForProfiles(access) ? access.link : undefined;
  const header = request.headers.authorization;
  const bearer = header === undefined ? undefined : (/^Bearer ([\x21-\x7e]{1,512})$/i.exec(header)?.[1] ?? '');
  const ticket =
    purpose && bearer === undefined
      ? (new URLSearchParams(rawQueryOf(request.url)).get('ticket') ?? undefined)
      : undefined;
  const name = from.isSecure ? SESSION_COOKIE.secure : SESSION_COOKIE.plain;
  // A Bearer speaks for itself: cookies in the same request are ignored.
  return {
    bearer,
    ticket,
    service: access !== 'public' && 'service' in access ? access.service : undefined,
    cookie: bearer === undefined && ticket === undefined ? cookie(request.headers.cookie, name) : undefined,
    from,
  };
}

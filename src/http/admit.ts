/**
 * Checks the caller before a body is read.
 *
 * In this order: a credential at all, the same-origin rule, enrolment, viewing windows, role and
 * scope, recent authentication. A caller who may not call learns nothing about the body or the item.
 */
import type { IncomingMessage } from 'node:http';
import type { ProfileAccess, Service } from '../contract/kernel/endpoint.ts';
import { denialFor, type Principal, type ServiceCaller } from '../contract/kernel/principal.ts';
import { Failure } from '../lib/failure.ts';

/**
 * Lets a principal in to an endpoint of Profiles, or says why not. `scope` is the value of the parameter that a link
 * must be made for.
 */
export function admit(access: ProfileAccess, by: Principal | undefined, scope: string | undefined): void {
  if (!by) throw new Failure('unauthenticated', 'sign in first', { reason: 'sign-in-required' });
  if (by.enrolling && !access.enrolling)
    throw new Failure('forbidden', 'a second factor must be enrolled first', {
      reason: 'mfa-enrolment-required',
      mfaEnrollmentRequired: true,
    });
  const denied = denialFor(by, access);
  if (denied) throw new Failure('forbidden', denied.message, { reason: denied.reason });
  if (access.role === 'owner' && by.role !== 'owner')
    throw new Failure('forbidden', 'only an owner may do this', { reason: 'owner-only' });
  if (by.via === 'session') {
    if (access.recent && !by.recent)
      throw new Failure('forbidden', 'confirm your identity first', {
        reason: 'step-up-required',
        stepUpRequired: true,
      });
  } else if (by.via instanceof Set) {
    if (by.household && (access.via === 'session' || !by.via.has(access.via)))
      throw new Failure('forbidden', 'a profile opened on a household device can only watch', {
        reason: 'household-watch-only',
      });
    if (access.via === 'session')
      throw new Failure('forbidden', 'an API key may not do this', { reason: 'key-not-allowed' });
    if (!by.via.has(access.via))
      throw new Failure('forbidden', `this key lacks the ${access.via} scope`, { reason: 'scope-missing' });
  } else if (!('purpose' in by.via) || by.via.purpose !== access.link || scope === undefined || by.via.item !== scope) {
    throw new Failure('unauthenticated', 'this link is for another purpose', { reason: 'link-invalid' });
  }
}

/** Returns the service that an endpoint is for. Throws for every other caller. */
export function admitService(service: Service, by: Principal | ServiceCaller | undefined): ServiceCaller {
  if (by && 'service' in by && by.service === service) return by;
  throw new Failure('unauthenticated', 'the token of the service is needed', { reason: 'sign-in-required' });
}

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Refuses requests with a cookie of ours that another site may have made. Browsers send the origin of a request as
 * Fetch Metadata, older ones as Origin. A request with neither is not one of our pages. A GET may come from anywhere,
 * unless its endpoint says that it `mustBeOwn`.
 */
export function refuseForeignOrigin(request: IncomingMessage, isSecure: boolean, mustBeOwn = false): void {
  if (SAFE.has(request.method ?? '') && !mustBeOwn) return;
  const site = request.headers['sec-fetch-site'];
  const own = originOf(request, isSecure);
  if (site === 'same-origin') return;
  if ((site === undefined || site === 'none') && request.headers.origin === own) return;
  throw new Failure('forbidden', 'this request came from another site', { reason: 'foreign-origin' });
}

/**
 * The same-origin rule for a WebSocket that a cookie speaks for. Any page may open one to any server, and the browser
 * does not ask first; but it always sends Origin.
 */
export function refuseForeignSocket(request: IncomingMessage, isSecure: boolean): void {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  if (origin === originOf(request, isSecure) && site === 'same-origin') return;
  throw new Failure('forbidden', 'this request came from another site', { reason: 'foreign-origin' });
}

const originOf = ({ headers }: IncomingMessage, isSecure: boolean): string =>
  `${isSecure ? 'https' : 'http'}://${headers.host ?? ''}`;

/** Refuses request targets and headers that two servers in a row could read in two ways. */
export function refuseTricks(request: IncomingMessage, mayUpgrade: boolean): void {
  const hosts = times(request, 'host');
  if (hosts > 1) throw new Failure('invalid', 'more than one host header', { reason: 'request-malformed' });
  // The parser keeps the first of two; a server in front may have judged the other.
  for (const name of ['authorization', 'content-type'])
    if (times(request, name) > 1)
      throw new Failure('invalid', `more than one ${name} header`, { reason: 'request-malformed' });
  const host = request.headers.host ?? '';
  if (hosts === 0 || !/^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:\d{1,5})?$/.test(host))
    throw new Failure('invalid', 'no valid host header', { reason: 'request-malformed' });
  const target = request.url ?? '';
  if (!target.startsWith('/'))
    throw new Failure('invalid', 'the request target is not a path', { reason: 'request-malformed' });
  if (request.headers.upgrade !== undefined && !mayUpgrade)
    throw new Failure('invalid', 'upgrades are not offered here', { reason: 'request-malformed' });
  if (
    SAFE.has(request.method ?? '') &&
    (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0)
  )
    throw new Failure('invalid', 'a body is not expected here', { reason: 'body-unexpected' });
}

function times(request: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < request.rawHeaders.length; i += 2) if (request.rawHeaders[i]?.toLowerCase() === name) count++;
  return count;
}

/** Returns the names of the cookies of a header as it came. */
export const cookieNames = (header: string | undefined): string[] =>
  (header ?? '').split(';').flatMap((part) => (part.includes('=') ? part.slice(0, part.indexOf('=')).trim() : []));

/** The value of a cookie, from the header as it came. */
export function cookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** The caller of an endpoint, as its handler sees it. */
import type { ProfileAccess, Purpose, Role, Scope, Service } from './endpoint.ts';
import type { Policy } from '../identity/profiles.ts';

export interface Principal {
  /** The id of the Profile. A key acts as the Owner who made it. */
  profile: string;
  name: string;
  role: Role;
  /** The scopes of an API key, a session, or a signed link for one purpose and item. */
  via: 'session' | ReadonlySet<Scope> | { purpose: Purpose; item: string };
  /** The id of the session, key or link's session, by which it is revoked. */
  credential: string;
  /** Whether a session has proved its owner within the last minutes. */
  recent: boolean;
  /** Whether the Profile still has to enrol a second factor before it may do anything else. */
  enrolling: boolean;
  /** Whether the request came with a cookie, so that the same-origin rule applies. */
  cookie: boolean;
  /** Why this Profile may do nothing at present: outside its viewing windows, or away from home. */
  denied?: { reason: 'outside-viewing-window' | 'away-from-home'; message: string } | undefined;
  /** Whether a picker opened the Profile, on a household device: it may watch, and change nothing about its account. */
  household?: boolean | undefined;
  /** Evaluated on every request: libraries, rating ceiling, viewing windows, remote, transcode, download. */
  policy: Policy;
}

/** Returns why a Profile may not use an endpoint at present; undefined if it may. */
export const denialFor = ({ denied }: Pick<Principal, 'denied'>, access: ProfileAccess): Principal['denied'] =>
  access.enrolling || (access.anyHour && denied?.reason === 'outside-viewing-window') ? undefined : denied;

/** A service that calls one of its own routes. It acts for no Profile. */
export interface ServiceCaller {
  service: Service;
  /** Hash of its token, by which it is known whether that is still the one in force. */
  credential: string;
}

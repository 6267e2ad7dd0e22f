/**
 * Surfaces: what the endpoints for one sort of client have in common.
 *
 * A surface is a value with the paths of its endpoints, its content types, its rules for bodies and queries, its
 * headers, and the wording of its failures. The server reads it wherever clients differ, so a protocol with its own
 * error format needs a surface and no change to the server. Statuses and the order of checks are the same for all.
 */
import type { z } from 'zod';
import { FailureBody, type FailureMembers, type FailureReason } from '../failures.ts';
import type { FailureKind } from './failure.ts';

/** A failure, before a surface words it. */
export interface UnwordedFailure {
  kind: FailureKind;
  status: number;
  /** A lower-case sentence fragment for a person. */
  message: string;
  reason: FailureReason;
  members: FailureMembers;
}

/** How a surface words its failures. */
export interface FailureWording {
  /** Content type of the body. */
  type: string;
  /** Schema of the body, for the API document. */
  shape: z.ZodType;
  /** Returns the body; undefined for a reply without one. */
  body(failure: UnwordedFailure): string | undefined;
  /** Returns headers in addition to those of every failure (`retry-after`, `www-authenticate`), or in place of them. */
  headers?(failure: UnwordedFailure): Readonly<Record<string, string>>;
}

export interface Surface {
  /** Name in the access matrix. */
  readonly name: string;
  /**
   * Each endpoint has one of these paths, or one below it. The surface with the longest prefix that fits also words the
   * 404 and 405 there.
   */
  readonly prefixes: readonly [string, ...string[]];
  /** Whether the API document has its endpoints. */
  readonly isDocumented: boolean;
  readonly failure: FailureWording;
  /** Content types of JSON: those of a body, without parameters, and the one of a reply. */
  readonly json: { readonly accepts: readonly [string, ...string[]]; readonly returns: string };
  /** Largest body in bytes, where an endpoint declares no other limit. */
  readonly maxBodyBytes: number;
  /**
   * Treatment of fields of a query or body that an endpoint does not declare, and of a field that a query or form has
   * twice: its values may be joined by commas.
   */
  readonly fields: { readonly unknown: 'refused' | 'ignored'; readonly repeated: 'refused' | 'joined' };
  /** Whether its replies are pages of the dashboard, or data, which may do nothing when a browser opens it. */
  readonly content: 'page' | 'data';
  /** Headers of every reply in addition to the security headers, or in place of them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Cache-Control of replies whose handler sets no other. Failures are never stored. */
  readonly cacheControl: string;
  /** Form of the ETag of conditional endpoints. With weak ones, If-Match is compared weakly too, as SCIM requires. */
  readonly validators: 'strong' | 'weak';
}

/** Largest JSON body in bytes, where neither a surface nor an endpoint declares another limit. */
export const MAX_JSON_BYTES = 1024 * 1024;

/** The wording of our own surfaces: `{ error, reason }` and documented members. */
export const OUR_WORDING: FailureWording = {
  type: 'application/json; charset=utf-8',
  shape: FailureBody,
  body: ({ message, reason, members }) => JSON.stringify({ error: message, reason, ...members }),
};

const OURS = {
  isDocumented: false,
  failure: OUR_WORDING,
  json: { accepts: ['application/json'], returns: 'application/json; charset=utf-8' },
  maxBodyBytes: MAX_JSON_BYTES,
  fields: { unknown: 'refused', repeated: 'refused' },
  content: 'data',
  headers: {},
  cacheControl: 'no-store',
  validators: 'strong',
} as const satisfies Partial<Surface>;

/** Makes a surface. What is left out is as on our own surfaces. Throws for prefixes that are not paths. */
export function surface(
  one: Pick<Surface, 'name' | 'prefixes'> & Partial<Omit<Surface, 'name' | 'prefixes'>>,
): Surface {
  for (const prefix of one.prefixes)
    if (!/^\/$|^(\/[^/{}?#]+)+$/.test(prefix)) throw new Error(`${one.name}: ${prefix} is not the prefix of a path`);
  return { ...OURS, ...one };
}

/** The API of the dashboard and of other programs. */
export const API = surface({ name: 'api', prefixes: ['/api/v1'], isDocumented: true });
/** Files for media elements and players, which cannot set headers and use signed links. */
export const MEDIA = surface({
  name: 'media',
  prefixes: ['/media', '/hls', '/subtitle', '/font', '/trickplay', '/download', '/read'],
});
/** For service managers and load balancers. */
export const HEALTH = surface({ name: 'health', prefixes: ['/healthz', '/readyz'] });
/** The dashboard: addresses that people type. It reads their queries itself, so the server takes any. */
export const PAGE = surface({
  name: 'page',
  prefixes: ['/'],
  content: 'page',
  fields: { unknown: 'ignored', repeated: 'refused' },
});

/** Returns the length of the longest prefix of a surface that a path is at or below; -1 if it has none. */
export function prefixLengthOf({ prefixes }: Surface, path: string): number {
  const fitting = prefixes.filter((one) => one === '/' || path === one || path.startsWith(`${one}/`));
  return Math.max(-1, ...fitting.map(({ length }) => length));
}

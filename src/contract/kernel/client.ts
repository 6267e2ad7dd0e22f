/**
 * The typed client. It needs of an endpoint only where it is and which fields go where, so the dashboard
 * carries a small table made from the contract at build time, and no schema at all; the types come from
 * the contract itself, so a call that the server would refuse for its shape does not compile.
 */
import type { z } from 'zod';
import type { FailureMembers, FailureReason } from '../failures.ts';
import type { Asks, Bytes, Conditions, Endpoint, Events, Group, Method, Nothing, RedirectResult } from './endpoint.ts';

/** The facts of an endpoint that a call needs. */
export interface Route {
  method: Method;
  path: string;
  query: readonly string[];
  body: readonly string[];
  /** The form of a body that is not JSON. */
  form?: 'urlencoded' | 'bytes';
  /** Content types of JSON that are not those of the API: the one to send, and the one that a reply has. */
  json?: { sends: string; returns: string };
  isConditional?: true;
  isRedirect?: true;
}
export type Routes<G extends Record<string, Group>> = { [A in keyof G]: { [B in keyof G[A]]: Route } };

const JSON_TYPE = 'application/json';

/** Reads the routes out of a contract: what the build writes into the dashboard. */
export const routesOf = <G extends Record<string, Group>>(contract: G): Routes<G> =>
  Object.fromEntries(
    Object.entries(contract).map(([name, group]) => [
      name,
      Object.fromEntries(
        Object.entries(group).map(([key, { method, path, query, body, takes, ...e }]) => [
          key,
          {
            method,
            path,
            query: Object.keys(query.shape),
            body: Object.keys(body.shape),
            ...(takes.form !== 'json' && { form: takes.form }),
            ...(e.surface.json.accepts[0] !== JSON_TYPE && {
              json: { sends: e.surface.json.accepts[0], returns: e.surface.json.returns },
            }),
            ...(e.conditional && { isConditional: true }),
            ...('redirect' in e.result && { isRedirect: true }),
          },
        ]),
      ),
    ]),
  ) as unknown as Routes<G>;

/** A reply of a conditional endpoint. A read with `ifNoneMatch` of the version that there is has no value: 304. */
export type VersionReply<T> = { isChanged: true; etag: string; value: T } | { isChanged: false; etag: string };

export type Gets<E extends Endpoint> = true extends E['conditional'] ? VersionReply<GetsValue<E>> : GetsValue<E>;

type GetsValue<E extends Endpoint> = E['result'] extends z.ZodType
  ? z.output<E['result']>
  : E['result'] extends Bytes
    ? Blob
    : E['result'] extends Events
      ? never
      : E['result'] extends Nothing
        ? void
        : E['result'] extends RedirectResult
          ? // The address of the page, from the root of this server.
            string
          : never;

/**
 * A reply that is not success: its status, sentence, reason and documented members. Status 0 means that no reply came.
 */
export class CallFailed extends Error {
  readonly status: number;
  /** Code of the failure. A server newer than this client may send one that is not declared here. */
  readonly reason: FailureReason | undefined;
  readonly members: FailureMembers;
  constructor(
    status: number,
    message: string,
    { reason, ...members }: FailureMembers & { reason?: FailureReason } = {},
  ) {
    super(message);
    this.name = 'CallFailed';
    this.status = status;
    this.reason = reason;
    this.members = members;
  }
}

/** Reads the body of an error reply. `otherwise` is the message if the body has none. */
export function failedReply(status: number, body: unknown, otherwise = ''): CallFailed {
  const { error, ...members } = (typeof body === 'object' && body !== null ? body : {}) as FailureMembers & {
    error?: unknown;
    reason?: FailureReason;
  };
  return new CallFailed(status, typeof error === 'string' ? error : otherwise, members);
}

const filled = (given: Record<string, unknown>, names: readonly string[]) =>
  names.filter((name) => given[name] !== undefined).map((name): [string, unknown] => [name, given[name]]);

/** The address of a call, for a link or a media element. */
export function address(route: Route, given: Record<string, unknown>): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
  const query = new URLSearchParams(
    filled(given, route.query).map(([name, value]) => [name, String(value)]),
  ).toString();
  return query ? `${path}?${query}` : path;
}

export type Caller<G extends Record<string, Group>> = {
  [A in keyof G]: { [B in keyof G[A]]: (asks: Asks<G[A][B]>, signal?: AbortSignal) => Promise<Gets<G[A][B]>> };
};

/** The body of a call and its content type; nothing for a call without one. */
function bodyOf(
  { method, body: names, form, json }: Route,
  asks: Record<string, unknown>,
): { headers?: Record<string, string>; body?: NonNullable<RequestInit['body']> } {
  if (form === 'bytes')
    return {
      headers: { 'content-type': String(asks['contentType']) },
      body: asks['bytes'] as Blob | Uint8Array<ArrayBuffer>,
    };
  if (method === 'GET' || (method === 'DELETE' && names.length === 0)) return {};
  const fields = filled(asks, names);
  return form === 'urlencoded'
    ? {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString(),
      }
    : {
        headers: { 'content-type': json?.sends ?? JSON_TYPE },
        body: JSON.stringify(Object.fromEntries(fields)),
      };
}

function conditionsOf({ isConditional }: Route, { ifNoneMatch, ifMatch }: Conditions): Record<string, string> {
  if (!isConditional) return {};
  return {
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
  };
}

/** Returns the address that a redirect leads to, from the root; undefined for a reply that is none. */
function pageOf({ redirected, url, status, headers }: Response): string | undefined {
  const location = status === 302 || status === 303 ? headers.get('location') : redirected ? url : null;
  if (location === null) return undefined;
  const { pathname, search, hash } = new URL(location, 'http://here');
  return pathname + search + hash;
}

/** Reads the value of a reply: JSON, bytes, or nothing. */
function valueOf({ json }: Route, reply: Response): Promise<unknown> | undefined {
  if (reply.status === 204) return undefined;
  return reply.headers.get('content-type')?.startsWith(json?.returns ?? JSON_TYPE) ? reply.json() : reply.blob();
}

/** Makes the client: `call.catalog.item({ id })`. `send` adds credentials where the caller has any. */
export function createClient<G extends Record<string, Group>>(
  routes: Routes<G>,
  send: (path: string, init: RequestInit) => Promise<Response> = fetch,
): Caller<G> {
  const one = (route: Route) => async (asks: Record<string, unknown>, signal?: AbortSignal) => {
    const { headers, body } = bodyOf(route, asks);
    const reply = await send(address(route, asks), {
      method: route.method,
      credentials: 'same-origin',
      ...(signal && { signal }),
      headers: { ...headers, ...conditionsOf(route, asks) },
      ...(body !== undefined && { body }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new CallFailed(0, 'the server does not answer');
    });
    const etag = reply.headers.get('etag') ?? '';
    if (route.isConditional && reply.status === 304) return { isChanged: false, etag };
    const to = route.isRedirect ? pageOf(reply) : undefined;
    if (to !== undefined) {
      // A browser has followed the redirect. The page is not needed, only its address.
      await reply.body?.cancel();
      return to;
    }
    if (!reply.ok) {
      throw failedReply(reply.status, await reply.json().catch(() => ({})), reply.statusText);
    }
    const value = await valueOf(route, reply);
    return route.isConditional ? { isChanged: true, etag, value } : value;
  };
  return Object.fromEntries(
    Object.entries(routes).map(([name, group]) => [
      name,
      Object.fromEntries(Object.entries(group).map(([key, route]) => [key, one(route as Route)])),
    ]),
  ) as unknown as Caller<G>;
}

/**
 * The typed client. It needs of an endpoint only where it is and which fields go where, so the dashboard
 * carries a small table made from the contract at build time, and no schema at all; the types come from
 * the contract itself, so a call that the server would refuse for its shape does not compile.
 */
import type { z } from 'zod';
import type { FailureMembers, FailureReason } from '../failures.ts';
import type { Asks, Bytes, Endpoint, Events, Group, Method, Nothing, RedirectResult } from './endpoint.ts';

/** The facts of an endpoint that a call needs. */
export interface Route {
  method: Method;
  path: string;
  query: readonly string[];
  body: readonly string[];
}
export type Routes<G extends Record<string, Group>> = { [A in keyof G]: { [B in keyof G[A]]: Route } };

/** Reads the routes out of a contract: what the build writes into the dashboard. */
export const routesOf = <G extends Record<string, Group>>(contract: G): Routes<G> =>
  Object.fromEntries(
    Object.entries(contract).map(([name, group]) => [
      name,
      Object.fromEntries(
        Object.entries(group).map(([key, { method, path, query, body }]) => [
          key,
          { method, path, query: Object.keys(query.shape), body: Object.keys(body.shape) },
        ]),
      ),
    ]),
  ) as unknown as Routes<G>;

export type Gets<E extends Endpoint> = E['result'] extends z.ZodType
  ? z.output<E['result']>
  : E['result'] extends Bytes
    ? Blob
    : E['result'] extends Events
      ? never
      : E['result'] extends Nothing | RedirectResult
        ? void
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

/** Makes the client: `call.catalog.item({ id })`. `send` adds credentials where the caller has any. */
export function createClient<G extends Record<string, Group>>(
  routes: Routes<G>,
  send: (path: string, init: RequestInit) => Promise<Response> = fetch,
): Caller<G> {
  const one = (route: Route) => async (asks: Record<string, unknown>, signal?: AbortSignal) => {
    const body = Object.fromEntries(filled(asks, route.body));
    const bare = route.method === 'GET' || (route.method === 'DELETE' && route.body.length === 0);
    const reply = await send(address(route, asks), {
      method: route.method,
      credentials: 'same-origin',
      ...(signal && { signal }),
      ...(!bare && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new CallFailed(0, 'the server does not answer');
    });
    if (!reply.ok) {
      const { error, ...members } = (await reply.json().catch(() => ({}))) as FailureMembers & {
        error?: string;
        reason?: FailureReason;
      };
      throw new CallFailed(reply.status, error ?? reply.statusText, members);
    }
    if (reply.status === 204) return undefined;
    return reply.headers.get('content-type')?.startsWith('application/json') ? reply.json() : reply.blob();
  };
  return Object.fromEntries(
    Object.entries(routes).map(([name, group]) => [
      name,
      Object.fromEntries(Object.entries(group).map(([key, route]) => [key, one(route as Route)])),
    ]),
  ) as unknown as Caller<G>;
}

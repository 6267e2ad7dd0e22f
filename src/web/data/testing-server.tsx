/**
 * A server for tests of components: replies by endpoint, in the shapes of the contract. A call that the test did not
 * expect fails the test.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentChild } from 'preact';
import type { Api } from '../../contract/api.ts';
import type { Route } from '../../contract/kernel/client.ts';
import { openPage, type Page } from '../lib/testing-page.ts';
import type { SpokenLanguage } from '../messages/catalogue.ts';
import { CallFailed, routes } from './client.ts';
import { queries, type Reply, type RequestOf } from './query.ts';

type Group = keyof Api & string;
type Name<G extends Group> = keyof Api[G] & string;
type Handler = (asks: Record<string, unknown>) => unknown;

export interface FakeServer {
  /** Has an endpoint reply from now on. A handler that throws `CallFailed` refuses. */
  on<G extends Group, N extends Name<G>>(
    group: G,
    name: N,
    reply: Reply<G, N> | ((asks: RequestOf<G, N>) => Reply<G, N> | Promise<Reply<G, N>>),
  ): void;
  /** Returns the requests to an endpoint so far. */
  asked<G extends Group, N extends Name<G>>(group: G, name: N): RequestOf<G, N>[];
  /** Returns the calls that no endpoint replied to. */
  unexpected(): readonly string[];
  fetch: typeof fetch;
}

const ROUTES = Object.entries(routes).flatMap(([group, named]) =>
  Object.entries(named as Record<string, Route>).map(([name, route]) => ({
    endpoint: `${group}.${name}`,
    method: route.method,
    names: [...route.path.matchAll(/\{(\w+)\}/g)].map(([, own = '']) => own),
    pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  })),
);

/** Returns the endpoint of a request, and what it asks for. A path without parameters goes before one with some. */
function requestIn(address: string, { method, body }: RequestInit) {
  const { pathname, searchParams } = new URL(address, location.href);
  const [route] = ROUTES.filter((one) => one.method === method && one.pattern.test(pathname)).toSorted(
    (one, other) => one.names.length - other.names.length,
  );
  const [, ...values] = route?.pattern.exec(pathname) ?? [];
  return {
    endpoint: route?.endpoint ?? `${method} ${pathname}`,
    asks: {
      ...Object.fromEntries(searchParams),
      ...(typeof body === 'string' && (JSON.parse(body) as object)),
      ...Object.fromEntries((route?.names ?? []).map((name, n) => [name, decodeURIComponent(values[n] ?? '')])),
    } as Record<string, unknown>,
  };
}

export function fakeServer(): FakeServer {
  const handlers = new Map<string, Handler>();
  const asked: { endpoint: string; asks: Record<string, unknown> }[] = [];
  const unexpected: string[] = [];
  const reply = async (address: string, init: RequestInit): Promise<Response> => {
    const request = requestIn(address, init);
    const handler = handlers.get(request.endpoint);
    if (!handler) {
      unexpected.push(request.endpoint);
      return Response.json({ error: 'not expected' }, { status: 404 });
    }
    asked.push(request);
    try {
      const body = await handler(request.asks);
      return body === undefined ? new Response(null, { status: 204 }) : Response.json(body);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      const { status, message, reason, members } = error;
      return Response.json({ error: message, ...(reason && { reason }), ...members }, { status });
    }
  };
  return {
    on: (group, name, given) =>
      void handlers.set(`${group}.${name}`, typeof given === 'function' ? (given as unknown as Handler) : () => given),
    asked: (group, name) =>
      asked.filter(({ endpoint }) => endpoint === `${group}.${name}`).map(({ asks }) => asks as never),
    unexpected: () => unexpected,
    fetch: (address, init = {}) => reply(address as string, init),
  };
}

/**
 * Draws components that ask this server, and waits for its first replies. What they have read is forgotten after the
 * test.
 */
export async function openServed(
  t: TestContext,
  { server, language = 'en' }: { server: FakeServer; language?: SpokenLanguage },
  what: ComponentChild,
): Promise<Page> {
  const real = globalThis.fetch;
  globalThis.fetch = server.fetch;
  const page = await openPage(t, <QueryClientProvider client={queries}>{what as never}</QueryClientProvider>, {
    language,
  });
  // After the page is gone: what is on show would be asked for again.
  t.after(() => {
    globalThis.fetch = real;
    queries.clear();
    assert.deepEqual(server.unexpected(), [], 'calls that the test did not expect');
  });
  await page.passes(() => assert.equal(queries.isFetching(), 0));
  return page;
}

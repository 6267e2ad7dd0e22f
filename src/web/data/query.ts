/**
 * Cache of the server's replies. The key of a query is its endpoint and its parameters, so that an event can
 * invalidate replies by the name of an endpoint.
 */
import { QueryClient, useQuery } from '@tanstack/react-query';
import type { Api } from '../../contract/api.ts';
import type { Gets } from '../../contract/kernel/client.ts';
import type { Asks, Endpoint } from '../../contract/kernel/endpoint.ts';
import { call, CallFailed } from './client.ts';

type Groups = keyof Api & string;
type Names<G extends Groups> = keyof Api[G] & string;
type One<G extends Groups, N extends Names<G>> = Api[G][N] extends infer E extends Endpoint ? E : never;
export type RequestOf<G extends Groups, N extends Names<G>> = Asks<One<G, N>>;
export type Reply<G extends Groups, N extends Names<G>> = Gets<One<G, N>>;

/** Refusals that stay the same for a while. Repeating the request would cost a provider's allowance. */
const LASTING = new Set<string | undefined>([
  'none-configured',
  'waits-for-restart',
  'none-offered',
  'none-trusted',
  'providers-failing',
]);
const worthRetrying = (error: unknown) =>
  error instanceof CallFailed && (error.status === 0 || (error.status >= 500 && !LASTING.has(error.reason)));

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 20_000,
      gcTime: 30 * 60_000,
      retry: (count, error) => count < 2 && worthRetrying(error),
      networkMode: 'always',
    },
  },
});

/** A query of one endpoint, for useQuery, useQueries and prefetching. */
export const ask = <G extends Groups, N extends Names<G>>(group: G, name: N, asks: RequestOf<G, N>) => ({
  queryKey: [group, name, asks] as const,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Reply<G, N>> =>
    (call[group][name] as unknown as (asks: unknown, signal: AbortSignal) => Promise<Reply<G, N>>)(asks, signal),
});

export interface AskOptions {
  /** False waits: nothing is asked. */
  enabled?: boolean;
  /** Shows the reply to the question before while this one is on its way. */
  keep?: boolean;
  /** Milliseconds between asking again by itself. */
  every?: number | false;
}

/** Asks an endpoint and stays current. */
export const useAsk = <G extends Groups, N extends Names<G>>(
  group: G,
  name: N,
  asks: RequestOf<G, N>,
  { enabled = true, keep = false, every = false }: AskOptions = {},
) =>
  useQuery<Reply<G, N>>({
    ...ask(group, name, asks),
    enabled,
    refetchInterval: every,
    ...(keep && { placeholderData: (before: unknown) => before as never }),
  } as never);

type PagedReply = { items: readonly unknown[]; total: number; nextCursor?: string | undefined };
type AllOf<R> = R extends { items: infer I; total: number } ? { items: I; total: number } : never;
/** Rows of one request, and the maximum number of requests for one list. Each list has fewer rows than that. */
const ROWS_AT_ONCE = 200;
const MAX_PAGES = 100;

/** A query of all pages of a list: for menus and searches in it. */
const askAll = <G extends Groups, N extends Names<G>>(group: G, name: N, asks: RequestOf<G, N>) => ({
  queryKey: [group, name, asks, 'all'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<AllOf<Reply<G, N>>> => {
    const read = call[group][name] as unknown as (asks: unknown, signal: AbortSignal) => Promise<PagedReply>;
    const items: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const reply = await read(
        { ...(asks as object), limit: ROWS_AT_ONCE, ...(cursor !== undefined && { cursor }) },
        signal,
      );
      items.push(...reply.items);
      cursor = reply.nextCursor;
      if (cursor === undefined) break;
    }
    return { items, total: items.length } as AllOf<Reply<G, N>>;
  },
});

/** Asks for all pages of a list, and stays current. */
export const useAll = <G extends Groups, N extends Names<G>>(
  group: G,
  name: N,
  asks: RequestOf<G, N>,
  { enabled = true, keep = false, every = false }: AskOptions = {},
) =>
  useQuery<AllOf<Reply<G, N>>>({
    ...askAll(group, name, asks),
    enabled,
    refetchInterval: every,
    ...(keep && { placeholderData: (before: unknown) => before as never }),
  } as never);

/** Has a reply, or every reply of an endpoint or group, read again. */
export const readAgain = <G extends Groups>(group: G, name?: Names<G>, asks?: unknown): void => {
  void queries.invalidateQueries({ queryKey: [group, ...(name ? [name] : []), ...(asks ? [asks] : [])] });
};

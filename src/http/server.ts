/**
 * The HTTP server: listens, reviews open replies, and stops.
 *
 * The README has the path of a request. A URL can be reached only through a mounted endpoint; a route that is added
 * in another way stops the server from starting. Open replies are kept, so that a revoked credential or a stop ends
 * them within a second.
 */
import { createServer as createPlain, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { MAX_JSON_BYTES } from '../contract/kernel/surface.ts';
import { newId } from '../lib/ids.ts';
import type { Doors } from './caller.ts';
import { createConnections } from './connections.ts';
import type { MountedEndpoint, Page } from './handle.ts';
import { createOfferedMethods, MAX_SEGMENT } from './methods.ts';
import { isStream, mayContinue, type OpenReply } from './open-replies.ts';
import { createOrigins, type Listener } from './origin.ts';
import { answerFailure, surfaceAt } from './refusals.ts';
import { createRoutes } from './router.ts';
import { createSockets, isSocketEndpoint, STOPPING } from './sockets.ts';
import { secureOptions, type ServerCertificates } from './tls.ts';

export interface HttpServer {
  server: FastifyInstance;
  listen(address: { host: string; port: number } | { path: string }): Promise<AddressInfo | string | null>;
  /** Ends open replies whose credential no longer holds, or whose caller may no longer have what they show. */
  review(): void;
  /**
   * Stops within `graceMs`: no new requests, event streams end at once, the rest may finish until then. A second call
   * may give less time, never more.
   */
  close(graceMs?: number): Promise<void>;
}

export interface ServerNeeds {
  mounted: readonly MountedEndpoint[];
  doors: Doors;
  tls?: ServerCertificates | undefined;
  /** The listener that this server is. Left out: that of the home network. Others have what is declared for them. */
  listener?: Listener | undefined;
  /** How long a client may take, in milliseconds; what is left out has its default. */
  patience?: Partial<typeof PATIENCE> | undefined;
  /** How much one may hold open; what is left out has its default. */
  room?: Partial<Room> | undefined;
  /**
   * Page for a browser that opens an address that does not exist; programs, and servers without this page, reply with a
   * 404 in JSON.
   */
  lost?: (() => Promise<Page>) | undefined;
}

/**
 * Limits of what may be open at a time: event streams and files of a Profile, on all its devices together, and the
 * connections of one address. A file whose client stops reading keeps two megabytes.
 */
const ROOM = {
  events: 32,
  bytes: 64,
  sockets: 32,
  connections: 500,
  allConnections: 2_000,
  silent: 250,
  allSilent: 750,
};
type Room = typeof ROOM;

/**
 * Milliseconds for the head of a request, for all of it, between two requests, for a TLS handshake, and without write
 * progress in a reply; and how often the last three are looked at.
 */
const PATIENCE = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  handshakeTimeout: 10_000,
  anonymousStallTimeout: 15_000,
  stallTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  socketPingInterval: 20_000,
};

export function createServer({
  mounted,
  doors,
  tls,
  patience,
  room: given,
  lost,
  listener: kind = { kind: 'home' },
}: ServerNeeds): HttpServer {
  // Clients speak TLS with the gateway.
  const isSecure = tls !== undefined || kind.kind === 'gateway';
  const surfaces = [...new Set(mounted.map(({ endpoint }) => endpoint.surface))];
  const room = { ...ROOM, ...given };
  const opened = new Set<OpenReply>();
  const listener: { raw?: Server } = {};
  // A request without a host is refused in our own words.
  const limits = {
    ...PATIENCE,
    ...patience,
    maxHeaderSize: 16_384,
    requireHostHeader: false,
    // Elsewhere a request for another protocol is read like any other, and refused.
    shouldUpgradeCallback: ({ method, url = '' }: IncomingMessage) =>
      method === 'GET' && socketPaths.at(url) !== undefined,
  };
  const connections = createConnections(room, limits);
  const sockets = createSockets({ log: doors.log, patience: limits });
  const socketPaths = createOfferedMethods();
  const server = fastify({
    bodyLimit: MAX_JSON_BYTES,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_SEGMENT, caseSensitive: true },
    genReqId: newId,
    return503OnClosing: false,
    clientErrorHandler: connections.refuse,
    frameworkErrors: (error, request, reply) =>
      void answerFailure(error, { surface: surfaceAt(surfaces, request.url), isSecure }, reply as FastifyReply),
    serverFactory: (handler) => {
      listener.raw = tls ? createSecure({ ...limits, ...secureOptions(tls) }) : createPlain(limits);
      connections.guard(listener.raw, handler, sockets.responseTo);
      return listener.raw;
    },
  });

  const state: { isClosing: boolean; closed?: Promise<void> } = { isClosing: false };
  const routes = createRoutes({
    server,
    surfaces,
    doors,
    opened,
    isSecure,
    origins: createOrigins(kind),
    isPublic: kind.kind !== 'home',
    state,
    room,
    connections,
    sockets,
    lost,
  });
  for (const one of mounted) {
    routes.mount(one);
    if (isSocketEndpoint(one.endpoint)) socketPaths.add(one.endpoint.path, ['GET']);
  }
  routes.closeMethods();

  const timer = setInterval(() => review(), 30_000);
  timer.unref();
  const review = () => {
    for (const open of opened) if (!mayContinue(doors, open)) open.gone.abort();
  };

  return {
    server,
    review,
    listen: async (address) => {
      await server.ready();
      await server.listen(address);
      return listener.raw?.address() ?? null;
    },
    close: async (graceMs = 3_000) => {
      clearInterval(timer);
      state.isClosing = true;
      for (const open of opened) if (isStream(open)) open.gone.abort(STOPPING);
      const done = (state.closed ??= server.close());
      // A connection whose last reply has just ended is kept for the next request, which will not come.
      connections.closeUnused();
      const sweep = setInterval(() => connections.closeUnused(), 50);
      const cut = () => {
        for (const { gone } of opened) gone.abort();
        listener.raw?.closeAllConnections();
        sockets.cutAll();
      };
      const late = graceMs > 0 ? setTimeout(cut, graceMs) : undefined;
      if (!late) cut();
      await done.finally(() => {
        clearInterval(sweep);
        clearTimeout(late);
      });
    },
  };
}

/**
 * The HTTP server: listens, reviews open replies, and stops.
 *
 * The README has the path of a request. A URL can be reached only through a mounted endpoint; a route that is added
 * in another way stops the server from starting. Open replies are kept, so that a revoked credential or a stop ends
 * them within a second.
 */
import { constants } from 'node:crypto';
import { createServer as createPlain, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { EndpointReach } from '../contract/kernel/endpoint.ts';
import { MAX_JSON_BYTES } from '../contract/kernel/surface.ts';
import { newId } from '../lib/ids.ts';
import type { Doors } from './caller.ts';
import { createConnections } from './connections.ts';
import type { MountedEndpoint, Page } from './handle.ts';
import { createOfferedMethods, MAX_SEGMENT } from './methods.ts';
import { isStream, mayContinue, type OpenReply } from './open-replies.ts';
import { answerFailure, surfaceAt } from './refusals.ts';
import { createRoutes } from './router.ts';
import { createSockets, isSocketEndpoint, STOPPING } from './sockets.ts';

export interface HttpServer {
  server: FastifyInstance;
  listen(address: { host: string; port: number } | { path: string }): Promise<AddressInfo | string | null>;
  /** Ends open replies whose credential no longer holds, or whose caller may no longer have what they show. */
  review(): void;
  /** Stops within `graceMs`: no new requests, event streams end at once, the rest may finish until then. */
  close(graceMs?: number): Promise<void>;
}

export interface ServerNeeds {
  mounted: readonly MountedEndpoint[];
  doors: Doors;
  tls?: { key: string; cert: string } | undefined;
  /**
   * The listener that this server is: of the home network, or the public one, which has only what is declared for it.
   */
  reach?: EndpointReach | undefined;
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

/**
 * TLS 1.3 as it is; of TLS 1.2 only ephemeral key exchange with authenticated encryption. A client cannot ask for a
 * second handshake.
 */
const CIPHERS = [
  ...['AES_128_GCM_SHA256', 'AES_256_GCM_SHA384', 'CHACHA20_POLY1305_SHA256'].map((name) => `TLS_${name}`),
  ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].flatMap((name) => [
    `ECDHE-ECDSA-${name}`,
    `ECDHE-RSA-${name}`,
  ]),
].join(':');

export function createServer({
  mounted,
  doors,
  tls,
  patience,
  room: given,
  lost,
  reach = 'home',
}: ServerNeeds): HttpServer {
  const isSecure = tls !== undefined;
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
      void answerFailure(error, surfaceAt(surfaces, request.url), reply as FastifyReply),
    serverFactory: (handler) => {
      listener.raw = tls
        ? createSecure({
            ...limits,
            ...tls,
            minVersion: 'TLSv1.2',
            ciphers: CIPHERS,
            secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
            ALPNProtocols: ['http/1.1'],
          })
        : createPlain(limits);
      connections.guard(listener.raw, handler, sockets.responseTo);
      return listener.raw;
    },
  });

  const state = { isClosing: false };
  const routes = createRoutes({
    server,
    surfaces,
    doors,
    opened,
    isSecure,
    state,
    room,
    connections,
    sockets,
    lost,
  });
  // On the public listener whatever is for the home network does not exist: 404 before any other check.
  for (const one of mounted.filter(({ endpoint }) => reach === 'home' || endpoint.reach === 'everywhere')) {
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
      const raw = listener.raw;
      for (const open of opened) if (isStream(open)) open.gone.abort(STOPPING);
      const done = server.close();
      // A connection whose last reply has just ended is kept for the next request, which will not come.
      connections.closeUnused();
      const sweep = setInterval(() => connections.closeUnused(), 50);
      const late = setTimeout(() => {
        for (const { gone } of opened) gone.abort();
        raw?.closeAllConnections();
        sockets.cutAll();
      }, graceMs);
      await done.finally(() => {
        clearInterval(sweep);
        clearTimeout(late);
      });
    },
  };
}

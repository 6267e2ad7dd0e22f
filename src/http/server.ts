/**
 * The HTTP server: the only file that knows the web framework.
 *
 * Every request takes the same road: is it a request at all, who, may they, size, shape,
 * handler, is the output right, failure to status. A URL can be reached only through a
 * mounted endpoint; a route added behind this file's back stops the server from starting.
 * Open replies are kept, so that a revoked credential or a stop ends them within a second.
 */
import { constants } from 'node:crypto';
import { createServer as createPlain, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify';
import {
  type Access,
  type Endpoint,
  ENDPOINT_METHODS,
  MAX_JSON_BYTES,
  type Purpose,
  type EndpointReach,
  type Surface,
} from '../contract/kernel/endpoint.ts';
import { STATUS } from '../contract/kernel/failure.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { Failure } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { createSlots, type Slots } from '../lib/limit.ts';
import type { Log } from '../lib/log.ts';
import { admit, cookie, networkOf, refuseForeignOrigin, refuseTricks } from './admit.ts';
import { type Connections, createConnections } from './connections.ts';
import { asFailure, errorBody } from './failures.ts';
import type { Call, From, Mounted, Page } from './handle.ts';
import { securityHeaders } from './headers.ts';
import { accept, acceptQuery, bodyOf, queryOf, rawQueryOf } from './input.ts';
import { createOfferedMethods, MAX_SEGMENT } from './methods.ts';
import { firstByteOf } from './ranges.ts';
import { isDeclared } from './reasons.ts';
import { answer, answerLost, dropResult, hasUnreadBody, isVisit, stayOf } from './reply.ts';

/** The session's cookie. A plain name only where TLS is off, which is on loopback. */
export const SESSION_COOKIE = { secure: '__Host-matinee', plain: 'matinee' } as const;
export const DEVICE_COOKIE = { secure: '__Host-matinee-device', plain: 'matinee-device' } as const;

/** A credential as it came, before anybody believed it. */
export interface Asked {
  bearer: string | undefined;
  cookie: string | undefined;
  ticket: string | undefined;
  from: From;
}

export interface Doors {
  /** Who a credential belongs to; undefined when there is none. A wrong Bearer or link fails; a stale cookie is nobody. */
  identify(asked: Asked): Promise<Principal | undefined>;
  /** The caller of an open reply as they are now, or undefined if it has to end: asked after a change and every half minute. */
  current(by: Principal, access: Access): Principal | undefined;
  /** How a surface words a failure, where it is not `{ error }`. The status is not its to choose. */
  word?: { [S in Surface]?: (failure: Failure) => unknown };
  log: Log;
}

interface Open {
  by: Principal | undefined;
  access: Access;
  gone: AbortController;
  /** Conditions under which the reply continues (`Call.onlyWhile`). */
  checks: ((by: Principal) => boolean)[];
}

export interface HttpServer {
  server: FastifyInstance;
  listen(address: { host: string; port: number } | { path: string }): Promise<AddressInfo | string | null>;
  /** Ends open replies whose credential no longer holds, or whose caller may no longer have what they show. */
  review(): void;
  /** Stops within `graceMs`: no new requests, event streams end at once, the rest may finish until then. */
  close(graceMs?: number): Promise<void>;
}

export interface ServerNeeds {
  mounted: readonly Mounted[];
  doors: Doors;
  tls?: { key: string; cert: string } | undefined;
  /** The listener that this server is: of the home network, or the public one, which has only what is declared for it. */
  reach?: EndpointReach | undefined;
  /** How long a client may take, in milliseconds; what is left out has its default. */
  patience?: Partial<typeof PATIENCE> | undefined;
  /** How much one may hold open; what is left out has its default. */
  room?: Partial<Room> | undefined;
  /** What a person gets who goes to an address that leads nowhere; without it, and for programs, a 404 in JSON. */
  lost?: (() => Promise<Page>) | undefined;
}

/**
 * What one may hold open at a time: event streams and files of a Profile, on all its devices together, and the
 * connections of one address. A file whose client stops reading keeps two megabytes.
 */
const ROOM = { events: 32, bytes: 64, connections: 500, allConnections: 2_000, silent: 250, allSilent: 750 };
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
};

/** TLS 1.3 as it is; of TLS 1.2 only ephemeral key exchange with authenticated encryption. A client cannot ask for a second handshake. */
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
  const room = { ...ROOM, ...given };
  const opened = new Set<Open>();
  const listener: { raw?: Server } = {};
  // A request without a host is refused in our own words.
  const limits = { ...PATIENCE, ...patience, maxHeaderSize: 16_384, requireHostHeader: false };
  const connections = createConnections(room, limits);
  const server = fastify({
    bodyLimit: MAX_JSON_BYTES,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_SEGMENT, caseSensitive: true },
    genReqId: newId,
    return503OnClosing: false,
    clientErrorHandler: connections.refuse,
    frameworkErrors: (error, _request, reply) => void answerFailure(error, 'api', reply as FastifyReply),
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
      connections.guard(listener.raw, handler);
      return listener.raw;
    },
  });

  const state = { isClosing: false };
  const routes = createRoutes({
    server,
    doors,
    opened,
    isSecure,
    state,
    room,
    connections,
    slots: createSlots(),
    lost,
  });
  // On the public listener whatever is for the home network does not exist: 404 before any other check.
  for (const one of mounted) if (reach === 'home' || one.endpoint.reach === 'everywhere') routes.mount(one);
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
      for (const open of opened) if (isStream(open)) open.gone.abort();
      const done = server.close();
      // A connection whose last reply has just ended is kept for the next request, which will not come.
      connections.closeUnused();
      const sweep = setInterval(() => connections.closeUnused(), 50);
      const late = setTimeout(() => {
        for (const { gone } of opened) gone.abort();
        raw?.closeAllConnections();
      }, graceMs);
      await done.finally(() => {
        clearInterval(sweep);
        clearTimeout(late);
      });
    },
  };
}

function mayContinue(doors: Pick<Doors, 'current'>, { by, access, checks }: Open): boolean {
  if (!by) return true;
  const current = doors.current(by, access);
  return current !== undefined && checks.every((check) => check(current));
}

const streams = new WeakSet<Open>();
const isStream = (open: Open) => streams.has(open);

interface RouteNeeds {
  server: FastifyInstance;
  doors: Doors;
  opened: Set<Open>;
  isSecure: boolean;
  state: { isClosing: boolean };
  room: Room;
  connections: Connections;
  slots: Slots;
  lost: ServerNeeds['lost'];
}

/** Puts endpoints on the router: the only way a URL comes to life. */
function createRoutes({ server, doors, opened, isSecure, state, room, connections, slots, lost }: RouteNeeds) {
  const declared = new Set<unknown>();
  const passed = new WeakMap<FastifyRequest, { by: Principal | undefined; from: From }>();
  const offered = createOfferedMethods();

  // Bodies arrive as bytes; an endpoint's own schema is the only thing that reads them.
  for (const method of ENDPOINT_METHODS)
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method, { hasBody: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  server.addHook('onRoute', (route) => {
    if (!declared.has(route.handler)) throw new Error(`undeclared route ${String(route.method)} ${route.url}`);
  });
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    refuseTricks(request.raw);
    // A kept connection may still bring a request while the server stops.
    if (state.isClosing) throw new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });
    // Answered here, before a body is read.
    if (request.is404) return refuseUnrouted(request, reply);
    return undefined;
  });
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (awaitsContinue(request.raw, request.routeOptions.bodyLimit)) reply.raw.writeContinue();
    done(null, payload);
  });
  server.addHook('onResponse', async (request, reply) => {
    doors.log.info('request', {
      id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? '-',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  });

  /** An address that leads nowhere. */
  const nowhere = async (request: FastifyRequest, reply: FastifyReply, failure: Failure): Promise<FastifyReply> => {
    if (!lost || !isVisit(request.raw)) return answerFailure(failure, 'api', reply);
    const page = await lost().catch((error: unknown) => doors.log.fault('page.not-read', error, { id: request.id }));
    if (!page)
      return answerFailure(
        new Failure('internal', 'something went wrong here', { reason: 'server-fault' }),
        'api',
        reply,
      );
    for (const [name, value] of Object.entries({ ...securityHeaders('page', isSecure), 'cache-control': 'no-store' }))
      reply.header(name, value);
    return answerLost(page, request, reply);
  };

  /** Answers a request that no route takes: another method of a declared path is 405 with `Allow`, any other path is 404. */
  const refuseUnrouted = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | FastifyReply => {
    const methods = offered.at(request.raw.url ?? '');
    return methods
      ? refuseMethod(methods, reply)
      : nowhere(request, reply, new Failure('missing', 'no such resource', { reason: 'no-such-route' }));
  };

  const fail =
    (endpoint: Endpoint) =>
    (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
      const failure = asFailure(error);
      if (failure.kind === 'internal')
        doors.log.fault('handler.failed', error, { id: request.id, route: `${endpoint.method} ${endpoint.path}` });
      else if (endpoint.surface === 'api' && !isDeclared(endpoint, failure.kind, failure.reason))
        doors.log.warn('failure.undeclared', {
          id: request.id,
          route: `${endpoint.method} ${endpoint.path}`,
          kind: failure.kind,
          reason: failure.reason,
        });
      if (reply.raw.headersSent) reply.raw.destroy();
      else if (endpoint.surface === 'page' && failure.kind === 'invalid') void nowhere(request, reply, failure);
      else void answerFailure(failure, endpoint.surface, reply, doors.word?.[endpoint.surface]?.(failure));
    };

  const admitOne = (endpoint: Endpoint) => async (request: FastifyRequest, reply: FastifyReply) => {
    for (const [name, value] of Object.entries(securityHeaders(endpoint.surface, isSecure, endpoint.frames)))
      reply.header(name, value);
    reply.header('cache-control', 'no-store');
    const from = fromOf(request, isSecure);
    const purpose = endpoint.access === 'public' ? undefined : endpoint.access.link;
    const asked = askedOf(request, from, purpose);
    const by = await doors.identify(asked);
    if (by?.cookie || (asked.cookie !== undefined && asked.bearer === undefined))
      refuseForeignOrigin(request.raw, isSecure);
    admit(endpoint.access, by, linkScopeOf(endpoint, request));
    if (endpoint.access !== 'public') connections.setReader(request.raw, 'known');
    passed.set(request, { by, from });
  };

  const serveOne =
    ({ endpoint, handler }: Mounted) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { by, from } = passed.get(request) ?? { by: undefined, from: fromOf(request, isSecure) };
      const [query, body] = [queryOf(request.url), bodyOf(endpoint, request)];
      const given = {
        ...accept(endpoint.params, request.params),
        ...acceptQuery(endpoint.query, query),
        ...(endpoint.method !== 'GET' && accept(endpoint.body, body.fields)),
      };
      const open: Open = { by, access: endpoint.access, gone: new AbortController(), checks: [] };
      opened.add(open);
      const left = () => {
        opened.delete(open);
        if (!reply.raw.writableFinished) open.gone.abort();
      };
      reply.raw.once('close', left);
      // While the body was read the client may have left, or its credential been revoked.
      if (reply.raw.closed || reply.raw.destroyed) left();
      if (!mayContinue(doors, open)) throw new Failure('unauthenticated', 'sign in again', { reason: 'session-ended' });
      if ('events' in endpoint.result) streams.add(open);
      const last = Number(request.headers['last-event-id']);
      // A public endpoint's handler knows that nobody may be there; every other one was admitted.
      let succeeded: number | undefined;
      const call: Call = {
        by: by as Principal,
        from,
        firstByte: request.method === 'GET' ? firstByteOf(request.headers.range) : undefined,
        signal: open.gone.signal,
        bytes: body.bytes,
        header: (name, value) => void reply.header(name, value),
        succeedAs: (status) => void (succeeded = status),
        onlyWhile: (check) => void open.checks.push(check),
        lastEvent: Number.isSafeInteger(last) && last > 0 ? last : undefined,
      };
      const result = await handler(given as never, call);
      const stay = by && stayOf(endpoint, result);
      if (by && stay) {
        // The permission may have been taken while the handler looked for the file.
        if (!mayContinue(doors, open)) {
          await dropResult(result);
          throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
        }
        const leave = slots.take(`${stay} ${by.profile}`, room[stay]);
        if (!leave) {
          await dropResult(result);
          throw new Failure('throttled', 'this profile has too many streams open', {
            reason: 'too-many-streams',
            retryAfterSeconds: 10,
          });
        }
        if (reply.raw.closed) leave();
        else reply.raw.once('close', leave);
        if (endpoint.access !== 'public') connections.setReader(request.raw, 'stream');
      }
      return answer(result, { endpoint, request, reply, log: doors.log, signal: open.gone.signal, status: succeeded });
    };

  return {
    mount(one: Mounted) {
      const { endpoint } = one;
      const method = endpoint.method === 'GET' && !('events' in endpoint.result) ? ['GET', 'HEAD'] : [endpoint.method];
      offered.add(endpoint.path, method);
      const serve = serveOne(one);
      declared.add(serve);
      server.route({
        method,
        url: urlOf(endpoint.path),
        bodyLimit: endpoint.takes.maxBytes,
        onRequest: admitOne(endpoint),
        errorHandler: fail(endpoint),
        handler: serve,
      });
    },
    /** Refuses what no route takes, and on a path next to a more general one what only that one offers. */
    closeMethods() {
      for (const { path, methods } of offered.hidden()) {
        const refuse = (request: FastifyRequest, reply: FastifyReply) =>
          refuseMethod(offered.at(request.raw.url ?? '') ?? [], reply);
        declared.add(refuse);
        server.route({
          method: methods as HTTPMethods[],
          url: urlOf(path),
          onRequest: async (request, reply) => refuse(request, reply),
          handler: refuse,
        });
      }
      server.setErrorHandler((error, request, reply) => {
        const failure = asFailure(error);
        if (failure.kind === 'internal') doors.log.fault('request.failed', error, { id: request.id });
        return answerFailure(failure, 'api', reply);
      });
    },
  };
}

/** Whether a client waits for permission to send its body, which is neither too large nor on its way. */
function awaitsContinue(request: IncomingMessage, maxBytes = MAX_JSON_BYTES): boolean {
  return (
    request.headers.expect !== undefined &&
    request.httpVersion === '1.1' &&
    hasUnreadBody(request) &&
    Number(request.headers['content-length'] ?? 0) <= maxBytes
  );
}

/** Returns the value of the parameter that a signed link to this endpoint has to be made for. */
function linkScopeOf({ access, params }: Endpoint, request: FastifyRequest): string | undefined {
  if (access === 'public' || access.link === undefined) return undefined;
  const name = access.linkBy ?? 'id';
  return name in params.shape
    ? (request.params as Record<string, string>)[name]
    : (new URLSearchParams(rawQueryOf(request.url)).get(name) ?? undefined);
}

/** Writes a declared path as the router has it. */
const urlOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

function refuseMethod(methods: readonly string[], reply: FastifyReply): FastifyReply {
  reply.header('allow', methods.join(', '));
  return answerFailure(
    new Failure('method', 'this method is not offered here', { reason: 'method-not-allowed' }),
    'api',
    reply,
  );
}

function fromOf(request: FastifyRequest, isSecure: boolean): From {
  const address = request.raw.socket.remoteAddress ?? '';
  const names = isSecure ? DEVICE_COOKIE.secure : DEVICE_COOKIE.plain;
  return {
    id: request.id,
    address,
    network: networkOf(address),
    isSecure,
    host: request.headers.host ?? '',
    userAgent: request.headers['user-agent']?.slice(0, 256),
    device: cookie(request.headers.cookie, names),
  };
}

function askedOf(request: FastifyRequest, from: From, purpose: Purpose | undefined): Asked {
  const header = request.headers.authorization;
  const bearer = header === undefined ? undefined : (/^Bearer ([\w.~+/=-]{1,512})$/i.exec(header)?.[1] ?? '');
  const ticket =
    purpose && bearer === undefined
      ? (new URLSearchParams(rawQueryOf(request.url)).get('ticket') ?? undefined)
      : undefined;
  const name = from.isSecure ? SESSION_COOKIE.secure : SESSION_COOKIE.plain;
  // A Bearer speaks for itself: cookies beside it are ignored.
  return {
    bearer,
    ticket,
    cookie: bearer === undefined && ticket === undefined ? cookie(request.headers.cookie, name) : undefined,
    from,
  };
}

function answerFailure(error: unknown, surface: Surface, reply: FastifyReply, worded?: unknown): FastifyReply {
  const failure = asFailure(error);
  if (hasUnreadBody(reply.request.raw)) reply.header('connection', 'close');
  if (failure.members.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(failure.members.retryAfterSeconds));
  if (failure.kind === 'unauthenticated') reply.header('www-authenticate', 'Bearer');
  const isSecure = 'encrypted' in reply.request.raw.socket;
  for (const [name, value] of Object.entries({
    ...securityHeaders(surface, isSecure),
    'x-request-id': reply.request.id,
  }))
    if (!reply.hasHeader(name)) reply.header(name, value);
  reply
    .removeHeader('content-disposition')
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8');
  return reply.code(STATUS[failure.kind]).send(JSON.stringify(worded ?? errorBody(failure)));
}

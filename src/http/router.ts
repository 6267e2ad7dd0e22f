/** Puts endpoints on the router: the only way a URL comes to life. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type Endpoint, ENDPOINT_METHODS } from '../contract/kernel/endpoint.ts';
import { MAX_JSON_BYTES, prefixLengthOf, type Surface } from '../contract/kernel/surface.ts';
import { Failure } from '../lib/failure.ts';
import { refuseTricks } from './admit.ts';
import { asFailure } from './failures.ts';
import type { MountedEndpoint, Page } from './handle.ts';
import { createOfferedMethods, hasHead } from './methods.ts';
import type { RequestNetwork } from './origin.ts';
import { createRefusals } from './refusals.ts';
import { hasUnreadBody } from './reply.ts';
import { createService, type ServiceNeeds } from './serve.ts';
import { isSocketEndpoint } from './sockets.ts';

interface RouteNeeds extends ServiceNeeds {
  server: FastifyInstance;
  /** Surfaces of all endpoints, those of the other listener included. */
  surfaces: readonly Surface[];
  /** Whether this is a listener for remote access: what is for the home network alone is not mounted there. */
  isPublic: boolean;
  state: { isClosing: boolean };
  lost: (() => Promise<Page>) | undefined;
}

export function createRoutes({ server, surfaces, isPublic, state, lost, ...needs }: RouteNeeds) {
  const { doors, isSecure, origins } = needs;
  const declared = new Set<unknown>();
  /** Routes of the endpoints that open a WebSocket. */
  const socketUrls = new Set<string | undefined>();
  const offered = { local: createOfferedMethods(), public: createOfferedMethods() };
  const offeredTo = ({ raw }: FastifyRequest) => {
    const methods = offered[origins.of(raw).network].at(raw.url ?? '') ?? [];
    return methods.length === 0 ? undefined : methods;
  };
  const { refuseUnrouted, refuseAt, fail } = createRefusals({ surfaces, doors, isSecure, offeredTo, lost });
  const { admitOne, serveOne } = createService(needs);
  const refuse = (request: FastifyRequest, reply: FastifyReply) => refuseUnrouted(request, reply);
  declared.add(refuse);

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
    refuseTricks(request.raw, request.method === 'GET' && socketUrls.has(request.routeOptions.url));
    // A kept connection may still bring a request while the server stops.
    if (state.isClosing) throw new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });
    origins.of(request.raw);
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

  return {
    mount(one: MountedEndpoint) {
      const { endpoint } = one;
      refuseOtherSurfaces(endpoint, surfaces);
      const method = hasHead(endpoint) ? ['GET', 'HEAD'] : [endpoint.method];
      offered.local.add(endpoint.path, method);
      // A path of the home network alone is nowhere outside, also where a more general one would take it.
      offered.public.add(endpoint.path, isOffered(endpoint, 'public') ? method : []);
      const admitted = admitOne(endpoint);
      const serve = isPublic && !isOffered(endpoint, 'public') ? refuse : serveOne(one);
      declared.add(serve);
      if (isSocketEndpoint(endpoint)) socketUrls.add(urlOf(endpoint.path));
      server.route({
        method,
        url: urlOf(endpoint.path),
        bodyLimit: endpoint.takes.maxBytes,
        onRequest: async (request, reply) =>
          isOffered(endpoint, origins.of(request.raw).network)
            ? admitted(request, reply)
            : refuseUnrouted(request, reply),
        errorHandler: fail(endpoint),
        handler: serve,
      });
    },
    /** Refuses what no route takes, and on a path next to a more general one what only that one offers. */
    closeMethods() {
      for (const { path, methods } of offered.local.hidden()) {
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
        return refuseAt(failure, request, reply);
      });
    },
  };
}

/** Whether an endpoint exists for callers from a network. */
const isOffered = ({ reach }: Endpoint, network: RequestNetwork): boolean =>
  network === 'local' || reach === 'everywhere';

/** Throws for an endpoint whose path belongs to another surface: the one with the longest prefix that fits. */
function refuseOtherSurfaces({ path, surface }: Endpoint, surfaces: readonly Surface[]): void {
  const own = prefixLengthOf(surface, path);
  const other = surfaces.find((one) => one !== surface && prefixLengthOf(one, path) >= own);
  if (other) throw new Error(`${path}: this is a path of the ${other.name} surface, not of ${surface.name}`);
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

/** Writes a declared path as the router has it. */
const urlOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

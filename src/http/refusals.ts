/** Replies to failures: of an endpoint, of an address that leads nowhere, and of a method that is not offered. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/kernel/endpoint.ts';
import { API, PAGE, prefixLengthOf, type Surface } from '../contract/kernel/surface.ts';
import { Failure } from '../lib/failure.ts';
import type { Doors } from './caller.ts';
import { asFailure, wordFailure } from './failures.ts';
import type { Page } from './handle.ts';
import { securityHeaders } from './headers.ts';
import { isDeclared } from './reasons.ts';
import { NotModified } from './versions.ts';
import { answerLost, hasUnreadBody, isVisit, sendText } from './reply.ts';

interface RefusalNeeds {
  surfaces: readonly Surface[];
  doors: Doors;
  isSecure: boolean;
  /** Returns the methods that the caller of a request is offered at its address. */
  offeredTo(request: FastifyRequest): string[] | undefined;
  lost: (() => Promise<Page>) | undefined;
}

export function createRefusals({ surfaces, doors, isSecure, offeredTo, lost }: RefusalNeeds) {
  const refuseAt = (failure: Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    answerFailure(failure, { surface: surfaceAt(surfaces, request.raw.url ?? ''), isSecure }, reply);

  /** An address that leads nowhere. */
  const nowhere = async (request: FastifyRequest, reply: FastifyReply, failure: Failure): Promise<FastifyReply> => {
    if (!lost || !isVisit(request.raw)) return refuseAt(failure, request, reply);
    const page = await lost().catch((error: unknown) => doors.log.fault('page.not-read', error, { id: request.id }));
    if (!page)
      return answerFailure(
        new Failure('internal', 'something went wrong here', { reason: 'server-fault' }),
        { surface: API, isSecure },
        reply,
      );
    for (const [name, value] of Object.entries({ ...securityHeaders(PAGE, isSecure), 'cache-control': 'no-store' }))
      reply.header(name, value);
    return answerLost(page, request, reply);
  };

  /**
   * Answers a request that no route takes: another method of a path that the caller is offered is 405 with `Allow`, any
   * other path is 404.
   */
  const refuseUnrouted = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | FastifyReply => {
    const methods = offeredTo(request);
    if (!methods)
      return nowhere(request, reply, new Failure('missing', 'no such resource', { reason: 'no-such-route' }));
    reply.header('allow', methods.join(', '));
    const failure = new Failure('method', 'this method is not offered here', { reason: 'method-not-allowed' });
    return refuseAt(failure, request, reply);
  };

  const fail =
    (endpoint: Endpoint) =>
    (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
      if (error instanceof NotModified) return void reply.code(304).send();
      const failure = asFailure(error);
      if (failure.kind === 'internal')
        doors.log.fault('handler.failed', error, { id: request.id, route: `${endpoint.method} ${endpoint.path}` });
      else if (endpoint.surface.isDocumented && !isDeclared(endpoint, failure.reason))
        doors.log.warn('failure.undeclared', {
          id: request.id,
          route: `${endpoint.method} ${endpoint.path}`,
          kind: failure.kind,
          reason: failure.reason,
        });
      if (reply.raw.headersSent) reply.raw.destroy();
      else if (endpoint.surface.content === 'page' && failure.kind === 'invalid') void nowhere(request, reply, failure);
      else void answerFailure(failure, { surface: endpoint.surface, isSecure }, reply);
    };

  return { refuseUnrouted, refuseAt, fail };
}

/** Returns the surface that words failures at an address of no endpoint. Those of pages are worded as in the API. */
export function surfaceAt(surfaces: readonly Surface[], target: string): Surface {
  const path = target.split(/[?#]/, 1)[0] ?? '';
  const fitting = surfaces.filter((one) => one.content === 'data' && prefixLengthOf(one, path) >= 0);
  return fitting.toSorted((a, b) => prefixLengthOf(b, path) - prefixLengthOf(a, path))[0] ?? API;
}

export function answerFailure(
  error: unknown,
  { surface, isSecure }: { surface: Surface; isSecure: boolean },
  reply: FastifyReply,
): FastifyReply {
  const { status, headers, body } = wordFailure(surface, asFailure(error));
  if (hasUnreadBody(reply.request.raw)) reply.header('connection', 'close');
  for (const [name, value] of Object.entries({
    ...securityHeaders(surface, isSecure),
    'x-request-id': reply.request.id,
  }))
    if (!reply.hasHeader(name)) reply.header(name, value);
  reply.removeHeader('content-disposition').removeHeader('content-type');
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  reply.code(status);
  return body === undefined ? reply.send() : sendText(reply, headers['content-type'] ?? surface.failure.type, body);
}

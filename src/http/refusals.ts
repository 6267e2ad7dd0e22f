/** Replies to failures: of an endpoint, of an address that leads nowhere, and of a method that is not offered. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint, Surface } from '../contract/kernel/endpoint.ts';
import { STATUS } from '../contract/kernel/failure.ts';
import { Failure } from '../lib/failure.ts';
import type { Doors } from './caller.ts';
import { asFailure, errorBody } from './failures.ts';
import type { Page } from './handle.ts';
import { securityHeaders } from './headers.ts';
import type { OfferedMethods } from './methods.ts';
import { isDeclared } from './reasons.ts';
import { answerLost, hasUnreadBody, isVisit } from './reply.ts';

interface RefusalNeeds {
  doors: Doors;
  isSecure: boolean;
  offered: OfferedMethods;
  lost: (() => Promise<Page>) | undefined;
}

export function createRefusals({ doors, isSecure, offered, lost }: RefusalNeeds) {
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

  /**
   * Answers a request that no route takes: another method of a declared path is 405 with `Allow`, any other path is
   * 404.
   */
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

  return { refuseUnrouted, fail };
}

export function refuseMethod(methods: readonly string[], reply: FastifyReply): FastifyReply {
  reply.header('allow', methods.join(', '));
  return answerFailure(
    new Failure('method', 'this method is not offered here', { reason: 'method-not-allowed' }),
    'api',
    reply,
  );
}

export function answerFailure(error: unknown, surface: Surface, reply: FastifyReply, worded?: unknown): FastifyReply {
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

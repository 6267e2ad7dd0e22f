/** From an admitted request to its reply: who is calling, shape, handler, limits of open streams, result. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Endpoint, isForProfiles, namesNewestEvent } from '../contract/kernel/endpoint.ts';
import type { Principal, ServiceCaller } from '../contract/kernel/principal.ts';
import { Failure } from '../lib/failure.ts';
import { createSlots } from '../lib/limit.ts';
import { admit, admitService, refuseForeignOrigin, refuseForeignSocket } from './admit.ts';
import { askedOf, type Doors, fromOf, isByCookie, linkScopeOf } from './caller.ts';
import type { Connections } from './connections.ts';
import type { Call, From, MountedEndpoint, OpenSocket } from './handle.ts';
import { securityHeaders } from './headers.ts';
import { accept, acceptQuery, bodyOf, queryOf } from './input.ts';
import { mayContinue, noteStream, type OpenReply } from './open-replies.ts';
import type { Origins } from './origin.ts';
import { firstByteOf } from './ranges.ts';
import { answer, dropResult, stayOf } from './reply.ts';
import { isSocketEndpoint, type Sockets } from './sockets.ts';
import { createVersioning } from './versions.ts';

export interface ServiceNeeds {
  doors: Doors;
  opened: Set<OpenReply>;
  isSecure: boolean;
  origins: Origins;
  /** Largest numbers of open event streams, files and sockets of a Profile. */
  room: { events: number; bytes: number; sockets: number };
  sockets: Sockets;
  connections: Connections;
}

export function createService({ doors, opened, isSecure, origins, room, connections, sockets }: ServiceNeeds) {
  const slots = createSlots();
  const passed = new WeakMap<FastifyRequest, { by: Principal | undefined; service?: ServiceCaller; from: From }>();

  const admitOne = (endpoint: Endpoint) => async (request: FastifyRequest, reply: FastifyReply) => {
    for (const [name, value] of Object.entries(securityHeaders(endpoint.surface, isSecure, endpoint.frames)))
      reply.header(name, value);
    reply.header('cache-control', endpoint.surface.cacheControl);
    const from = fromOf(request, { ...origins.of(request.raw), isSecure });
    const { access } = endpoint;
    const asked = askedOf(request, from, endpoint);
    const caller = await doors.identify(asked);
    if (access !== 'public' && 'service' in access) {
      const service = admitService(access.service, caller);
      connections.setReader(request.raw, 'known');
      passed.set(request, { by: undefined, service, from });
      return;
    }
    const by = caller && 'service' in caller ? undefined : caller;
    if (by?.cookie || isByCookie(request.raw, isSecure, endpoint)) {
      if (isSocketEndpoint(endpoint)) refuseForeignSocket(request.raw, isSecure);
      else refuseForeignOrigin(request.raw, isSecure, endpoint.sameOrigin);
    }
    if (isForProfiles(access)) {
      admit(access, by, linkScopeOf(endpoint, request));
      connections.setReader(request.raw, 'known');
    }
    passed.set(request, { by, from });
  };

  const serveOne =
    ({ endpoint, handler }: MountedEndpoint) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { by, service, from } = passed.get(request) ?? {
        by: undefined,
        from: fromOf(request, { ...origins.of(request.raw), isSecure }),
      };
      const [query, body] = [queryOf(request.url, endpoint.surface.fields.repeated), bodyOf(endpoint, request)];
      const [inPath, inQuery] = [accept(endpoint.params, request.params), acceptQuery(endpoint.query, query)];
      // A body that may have any field does not replace what the address says.
      const given = { ...(endpoint.method !== 'GET' && accept(endpoint.body, body.fields)), ...inQuery, ...inPath };
      if (isSocketEndpoint(endpoint)) sockets.requireHandshake(request, reply);
      const open: OpenReply = { by, access: endpoint.access, gone: new AbortController(), checks: [] };
      opened.add(open);
      const left = () => {
        opened.delete(open);
        if (!reply.raw.writableFinished) open.gone.abort();
      };
      reply.raw.once('close', left);
      // While the body was read the client may have left, or its credential been revoked.
      if (reply.raw.closed || reply.raw.destroyed) left();
      if (!mayContinue(doors, open)) throw new Failure('unauthenticated', 'sign in again', { reason: 'session-ended' });
      if ('events' in endpoint.result || isSocketEndpoint(endpoint)) noteStream(open);
      const last = Number(request.headers['last-event-id']);
      // A public endpoint's handler knows that there may be no caller; every other caller was admitted.
      let succeeded: number | undefined;
      const versioning = createVersioning(endpoint, request, reply);
      const call: Call = {
        by: by as Principal,
        service: service as ServiceCaller,
        from,
        firstByte: request.method === 'GET' ? firstByteOf(request.headers.range) : undefined,
        signal: open.gone.signal,
        bytes: body.bytes,
        header: (name, value) => void reply.header(name, value),
        version: versioning.version,
        madeVersion: versioning.madeVersion,
        succeedAs: (status) => void (succeeded = status),
        onlyWhile: (check) => void open.checks.push(check),
        lastEvent: Number.isSafeInteger(last) && last > 0 ? last : undefined,
      };
      const result = await handler(given as never, call);
      versioning.requireVersion();
      // Listeners of announcements run before the handler is continued here, so its events have been published.
      const newest = by && namesNewestEvent(endpoint) ? doors.newestEvent?.(by) : undefined;
      if (newest !== undefined) reply.header('last-event-id', newest);
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
      const { signal } = open.gone;
      if (isSocketEndpoint(endpoint))
        return sockets.open({ endpoint, opener: result as OpenSocket, request, reply, signal });
      return answer(result, { endpoint, request, reply, log: doors.log, signal, status: succeeded });
    };

  return { admitOne, serveOne };
}

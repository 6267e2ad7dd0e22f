/**
 * WebSockets (RFC 6455): the handshake of an admitted request, and the life of an open socket.
 *
 * The request that opens a socket takes the path of every other one, so whatever refuses it is an ordinary reply.
 * After the handshake a socket is bounded in the size, number and backlog of its messages. It is pinged, and it is
 * closed when its caller may no longer have it. Nothing is compressed: compression costs memory for each socket, and
 * shows the length of secrets that are sent next to a client's own text.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket as TcpSocket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Endpoint } from '../contract/kernel/endpoint.ts';
import { STATUS } from '../contract/kernel/failure.ts';
import { SOCKET_CLOSE, SOCKET_LIMITS, type SocketResult } from '../contract/kernel/socket.ts';
import { Failure } from '../lib/failure.ts';
import type { Log } from '../lib/log.ts';
import type { OpenSocket } from './handle.ts';
import { accept } from './input.ts';
import { readObject } from './json.ts';

/** Milliseconds between two pings; a socket that answered none in between is cut. */
export interface SocketPatience {
  socketPingInterval: number;
}

export interface Sockets {
  /** Makes the response to a request for another protocol. A refusal on it ends the connection. */
  responseTo(request: IncomingMessage, stream: TcpSocket, head: Buffer): ServerResponse;
  /** Throws `Failure('invalid')` unless a request is a correct handshake. */
  requireHandshake(request: FastifyRequest, reply: FastifyReply): void;
  /** Completes the handshake and runs the socket until it is closed. */
  open(to: OpeningSocket): Promise<FastifyReply>;
  /** Cuts every socket that is open still. */
  cutAll(): void;
}

/** An endpoint that opens a WebSocket. */
type SocketEndpoint = Endpoint & { result: SocketResult };

export const isSocketEndpoint = (endpoint: Endpoint): endpoint is SocketEndpoint => 'socket' in endpoint.result;

interface OpeningSocket {
  endpoint: SocketEndpoint;
  opener: OpenSocket;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborts when the caller may no longer have the socket, or with `STOPPING` when the server stops. */
  signal: AbortSignal;
}

/** Reason of an abort because the server stops. */
export const STOPPING = 'stopping';

/** Bytes that may wait for a client that does not read. */
const MAX_WAITING_BYTES = 256 * 1024;
/** Milliseconds for the other side to close its end, after which the connection is cut. */
const CLOSE_TIMEOUT_MS = 2_000;
const MAX_FRAGMENTS = 64;
const KEY = /^[+/0-9A-Za-z]{22}==$/;

export function createSockets({ log, patience }: { log: Log; patience: SocketPatience }): Sockets {
  const waiting = new WeakMap<IncomingMessage, { stream: TcpSocket; head: Buffer }>();
  const headers = new WeakMap<IncomingMessage, readonly string[]>();
  const servers = new Map<Endpoint, WebSocketServer>();
  const opened = new Set<WebSocket>();

  /** Returns what completes handshakes of an endpoint: the size of a message is a limit of the library's server. */
  const serverOf = async (endpoint: SocketEndpoint): Promise<WebSocketServer> => {
    const known = servers.get(endpoint);
    if (known) return known;
    // Most servers open no socket, and load no library for it.
    const library = await import('ws');
    const made = new library.WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: endpoint.result.socket.maxBytes ?? SOCKET_LIMITS.maxBytes,
      maxFragments: MAX_FRAGMENTS,
      handleProtocols: () => false,
    });
    made.on('headers', (lines: string[], request: IncomingMessage) => void lines.push(...(headers.get(request) ?? [])));
    servers.set(endpoint, made);
    return made;
  };

  return {
    responseTo(request, stream, head) {
      waiting.set(request, { stream, head });
      const response = new ServerResponse(request);
      // The server no longer listens to this connection. A client that leaves closes it.
      stream.on('error', () => stream.destroy());
      response.shouldKeepAlive = false;
      response.assignSocket(stream);
      response.once('finish', () => stream.destroySoon());
      return response;
    },

    requireHandshake({ raw }, reply) {
      if (!waiting.has(raw))
        throw new Failure('invalid', 'this address is for WebSockets', { reason: 'upgrade-expected' });
      if (raw.headers['sec-websocket-version'] !== '13') reply.header('sec-websocket-version', '13');
      else if (raw.headers.upgrade?.toLowerCase() === 'websocket' && KEY.test(raw.headers['sec-websocket-key'] ?? ''))
        return;
      throw new Failure('invalid', 'the handshake cannot be read', { reason: 'request-malformed' });
    },

    async open({ endpoint, opener, request, reply, signal }) {
      const { raw } = request;
      const at = waiting.get(raw);
      if (!at) throw new Error('a socket is opened without its handshake');
      const common = Object.entries(reply.getHeaders()).filter(([name]) => name !== 'cache-control');
      headers.set(
        raw,
        common.map(([name, value]) => `${name}: ${String(value)}`),
      );
      // None is offered, and one that cannot be read would be refused in the library's words.
      delete raw.headers['sec-websocket-protocol'];
      // A client that leaves meanwhile is dropped by the library.
      const server = await serverOf(endpoint);
      const sent = reply.hijack();
      const begun = performance.now();
      server.handleUpgrade(raw, at.stream, at.head, (ws) => {
        opened.add(ws);
        ws.once('close', (code: number) => {
          opened.delete(ws);
          log.info('socket', {
            id: request.id,
            route: endpoint.path,
            code,
            ms: Math.round(performance.now() - begun),
          });
        });
        run(ws, {
          endpoint,
          opener,
          signal,
          patience,
          fault: (error) => log.fault('socket.failed', error, { id: request.id, route: endpoint.path }),
        });
      });
      return sent;
    },

    cutAll: () => {
      for (const ws of opened) ws.terminate();
    },
  };
}

interface Running extends Pick<OpeningSocket, 'endpoint' | 'opener' | 'signal'> {
  patience: SocketPatience;
  fault(error: unknown): void;
}

/** Ties an open socket to its handler: messages in both directions, limits, and its end. */
function run(ws: WebSocket, { endpoint, opener, signal, patience, fault }: Running): void {
  const { receives, sends, maxPerSecond = SOCKET_LIMITS.maxPerSecond } = endpoint.result.socket;
  const isOpen = () => ws.readyState === ws.OPEN;
  const end = (code: number, reason: string) => {
    if (!isOpen()) return;
    ws.close(code, reason);
    // A paused socket would not see the other side close it.
    ws.resume();
    const late = setTimeout(() => ws.terminate(), CLOSE_TIMEOUT_MS);
    ws.once('close', () => clearTimeout(late));
  };
  const fail = (error: unknown) => {
    if (error instanceof Failure && error.kind !== 'internal')
      return end(4000 + STATUS[error.kind], error.reason ?? error.kind);
    fault(error);
    return end(SOCKET_CLOSE.fault, 'server-fault');
  };
  const cutIfBehind = () => {
    if (ws.bufferedAmount > MAX_WAITING_BYTES) ws.terminate();
  };
  const ended = () =>
    signal.reason === STOPPING ? end(SOCKET_CLOSE.stopping, 'stopping') : end(SOCKET_CLOSE.ended, 'session-ended');

  const queue: unknown[] = [];
  let isBusy = false;
  const isTooMany = createRate(maxPerSecond);
  let isAlive = true;
  const ping = setInterval(() => {
    // While a message is handled nothing is read, pongs included.
    if (!isAlive && !isBusy) return ws.terminate();
    isAlive = false;
    ws.ping();
    return cutIfBehind();
  }, patience.socketPingInterval);
  ping.unref();

  const session = attempt(
    () =>
      opener({
        // A wrong shape is a bug of the server: it closes this socket, and does not throw into the sender.
        send: (message) =>
          attempt(() => {
            if (!isOpen()) return;
            ws.send(JSON.stringify(sends.parse(message)));
            cutIfBehind();
          }, fail),
        close: () => end(SOCKET_CLOSE.done, ''),
      }),
    fail,
  );

  /** Hands the messages on, one at a time. The client's next ones stay in its own buffers meanwhile. */
  const handle = async () => {
    if (isBusy) return;
    isBusy = true;
    ws.pause();
    while (queue.length > 0 && isOpen()) await session?.receive(queue.shift() as never);
    isBusy = false;
    ws.resume();
  };

  ws.on('message', (data: Buffer, isBinary: boolean) => {
    isAlive = true;
    if (!isOpen()) return;
    if (isBinary) return end(SOCKET_CLOSE.notText, 'not-text');
    if (isTooMany()) return end(SOCKET_CLOSE.tooMany, 'too-many-messages');
    try {
      queue.push(accept(receives, readObject(data)));
    } catch (error) {
      return fail(error);
    }
    handle().catch(fail);
  });
  ws.on('ping', () => {
    if (isTooMany()) end(SOCKET_CLOSE.tooMany, 'too-many-messages');
    cutIfBehind();
  });
  ws.on('pong', () => {
    isAlive = true;
    if (isTooMany()) end(SOCKET_CLOSE.tooMany, 'too-many-messages');
  });
  // The library closes the socket itself: with 1009 where a message is too large, 1002 or 1007 where it cannot be read.
  ws.on('error', () => {});
  ws.once('close', () => {
    clearInterval(ping);
    signal.removeEventListener('abort', ended);
    attempt(() => session?.closed?.(), fault);
  });
  signal.addEventListener('abort', ended);
  if (signal.aborted) ended();
}

/** Runs something, and returns undefined after a failure, which is reported. */
function attempt<T>(work: () => T, report: (error: unknown) => void): T | undefined {
  try {
    return work();
  } catch (error) {
    report(error);
    return undefined;
  }
}

/** Counts calls, and returns whether there have been more than `most` in the current second. */
function createRate(most: number): () => boolean {
  let since = performance.now();
  let count = 0;
  return () => {
    const now = performance.now();
    if (now - since >= 1000) [since, count] = [now, 0];
    return ++count > most;
  };
}

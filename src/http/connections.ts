/**
 * Connection limits: bounds what a client holds without using it, from accept to close.
 *
 * A connection is silent until its first request has arrived, busy while a request is unanswered, and idle between
 * two requests. Silent connections are bounded for each address and in total, and the oldest makes room: a client
 * that completes its handshake and asks for something gets in, however many others say nothing. A handshake has a
 * deadline, whatever arrives meanwhile. One request may wait behind the one that is answered, untouched; a third ends
 * the connection. A reply that its client does not read ends it too.
 *
 * Only this file and the framework write to sockets. A socket whose TLS handshake has not finished is never written
 * to: the write would wait forever, and so would the socket.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, type ConnectionRoom, createConnectionTable, type Reader } from './connection-table.ts';
import { writtenRefusal, refuseExpectation } from './unreadable.ts';

/** Milliseconds that a client may take. */
export interface ConnectionPatience {
  headersTimeout: number;
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
  handshakeTimeout: number;
  /** Limits without write progress: in a reply to a caller who has not signed in, and in any other. */
  anonymousStallTimeout: number;
  stallTimeout: number;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;
/** Makes the response to a request for another protocol on a connection. */
type Upgrade = (request: IncomingMessage, stream: Socket, head: Buffer) => ServerResponse;

export interface Connections {
  /**
   * Passes the requests that arrive at a server to `serve`, one at a time for each connection. Called before it
   * listens.
   */
  guard(server: Server, serve: Serve, upgrade: Upgrade): void;
  /** Sets what is known of the client whose request is being answered. */
  setReader(request: IncomingMessage, reader: Reader): void;
  /** Replies to bytes that could not be read as a request, if that is possible, and ends the connection. */
  refuse(error: { code?: string }, socket: Socket): void;
  /** Ends every connection on which no request is unanswered, unfinished handshakes included. */
  closeUnused(): void;
}

/** Share of `allConnections` that the system accepts: the ones that make room take a moment to close. */
const SLACK = 1.1;

export function createConnections(room: ConnectionRoom, patience: ConnectionPatience): Connections {
  const table = createConnectionTable(room);

  const answer = (one: Connection, { request, response }: NonNullable<Connection['waiting']>, serve: Serve) => {
    table.use(one);
    one.answering = response;
    one.reader = 'anonymous';
    response.once('close', () => {
      const next = one.waiting;
      one.answering = one.waiting = undefined;
      one.reader = 'anonymous';
      table.rest(one);
      if (next && !one.tcp.destroyed) answer(one, next, serve);
    });
    serve(request, response);
  };

  /** Checks every connection now and then. Returns a function that ends that. */
  const watch = () => {
    let last = performance.now();
    const sweep = setInterval(() => {
      const now = performance.now();
      // While this process was held up it wrote nothing either.
      const sinceLastMs = Math.min(now - last, 2 * patience.connectionsCheckingInterval);
      last = now;
      for (const one of table.open) if (isOverdue(one, { now, sinceLastMs, patience })) table.cut(one);
    }, patience.connectionsCheckingInterval);
    sweep.unref();
    return () => clearInterval(sweep);
  };

  return {
    guard(server, serve, upgrade) {
      const isSecure = 'setSecureContext' in server;
      server.maxConnections = Math.ceil(room.allConnections * SLACK);
      const take = (handler: Serve) => (request: IncomingMessage, response: ServerResponse) => {
        const one = table.of(request.socket);
        // The rest of what came together with the request that ended the connection.
        if (!one || one.tcp.destroyed) return void request.socket.destroy();
        if (!one.answering) answer(one, { request, response }, handler);
        else if (!one.waiting) one.waiting = { request, response };
        else table.cut(one);
      };
      server.on('connection', (tcp: Socket) => table.accept(tcp, isSecure));
      if (isSecure) server.on('secureConnection', table.secure);
      server.on('request', take(serve));
      // `serve` says when a body may come: not before its sender is known.
      server.on('checkContinue', take(serve));
      server.on('checkExpectation', take(refuseExpectation));
      // From here on the connection is not the server's: it stays busy until it is closed.
      server.on('upgrade', (request: IncomingMessage, stream: Socket, head: Buffer) => {
        const one = table.of(stream);
        if (!one || one.answering) return one ? table.cut(one) : void stream.destroy();
        return answer(one, { request, response: upgrade(request, stream, head) }, serve);
      });
      // A tunnel is not offered.
      server.on('connect', (_request, socket: Socket) => void socket.destroy());
      server.on('close', watch());
    },
    setReader(request, reader) {
      const one = table.of(request.socket);
      if (one) one.reader = reader;
    },
    refuse(error, socket) {
      const one = table.of(socket);
      // Before the end of a handshake, or in place of the reply to an earlier request, nothing can be written.
      if (
        !one ||
        error.code === 'ECONNRESET' ||
        one.answering?.headersSent ||
        one.answering?.req.complete ||
        !socket.writable
      )
        return void socket.destroy();
      socket.write(writtenRefusal(error.code));
      // Should the client not read it, the connection is ended like one whose reply is not read.
      socket.destroySoon();
    },
    closeUnused() {
      for (const one of table.open) if (!one.answering) table.cut(one);
    },
  };
}

/** Whether a handshake or a pause between requests has lasted too long, or a reply is not read. */
function isOverdue(
  one: Connection,
  { now, sinceLastMs, patience }: { now: number; sinceLastMs: number; patience: ConnectionPatience },
): boolean {
  if (!one.stream) return now - one.openedAt >= patience.handshakeTimeout;
  const pending = one.stream.writableLength;
  const written = one.stream.bytesWritten - pending;
  one.stalledMs = pending === 0 || written !== one.written ? 0 : one.stalledMs + sinceLastMs;
  one.written = written;
  const mayStall = {
    anonymous: patience.anonymousStallTimeout,
    known: patience.stallTimeout,
    stream: Number.POSITIVE_INFINITY,
  }[one.reader];
  if (one.stalledMs >= mayStall) return true;
  // Empty lines between two requests start the timeouts of Node over and over.
  return (
    !one.answering &&
    now - one.idleSince >= patience.handshakeTimeout + patience.keepAliveTimeout + patience.headersTimeout
  );
}

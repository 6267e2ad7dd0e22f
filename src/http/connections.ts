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
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { Failure } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { createSlots } from '../lib/limit.ts';
import { API } from '../contract/kernel/surface.ts';
import { wordFailure } from './failures.ts';
import { securityHeaders } from './headers.ts';

/** Maximum numbers of connections: those of one address and all, and of these the ones without a request yet. */
export interface ConnectionRoom {
  connections: number;
  allConnections: number;
  silent: number;
  allSilent: number;
}

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

/**
 * How long a reply may be left unread: of a caller who is unknown or known, and of one whose open stream the session
 * bounds.
 */
export type Reader = 'anonymous' | 'known' | 'stream';

export interface Connections {
  /**
   * Passes the requests that arrive at a server to `serve`, one at a time for each connection. Called before it
   * listens.
   */
  guard(server: Server, serve: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Sets what is known of the client whose request is being answered. */
  setReader(request: IncomingMessage, reader: Reader): void;
  /** Replies to bytes that could not be read as a request, if that is possible, and ends the connection. */
  refuse(error: { code?: string }, socket: Socket): void;
  /** Ends every connection on which no request is unanswered, unfinished handshakes included. */
  closeUnused(): void;
}

interface Connection {
  tcp: Socket;
  /** Socket that replies are written to; undefined until a TLS handshake is done. */
  stream: Socket | undefined;
  key: string;
  openedAt: number;
  idleSince: number;
  answering: ServerResponse | undefined;
  waiting: { request: IncomingMessage; response: ServerResponse } | undefined;
  reader: Reader;
  /** Bytes that have been handed to the operating system, and for how long there have been no more. */
  written: number;
  stalledMs: number;
}

/** Share of `allConnections` that the system accepts: the ones that make room take a moment to close. */
const SLACK = 1.1;

/** Connections grouped by their key. A group without members is not kept. */
function createGroups() {
  const groups = new Map<string, Set<Connection>>();
  return {
    of: (key: string): ReadonlySet<Connection> => groups.get(key) ?? new Set(),
    add: (one: Connection) => void groups.set(one.key, (groups.get(one.key) ?? new Set()).add(one)),
    delete: (one: Connection) => {
      const group = groups.get(one.key);
      group?.delete(one);
      if (group?.size === 0) groups.delete(one.key);
    },
  };
}

export function createConnections(room: ConnectionRoom, patience: ConnectionPatience): Connections {
  const slots = createSlots();
  const open = new Set<Connection>();
  /**
   * In the order in which they came, and in the order of their last replies: the first of either is the first to go.
   */
  const silent = new Set<Connection>();
  const silentBy = createGroups();
  const idle = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  const byPeer = new Map<string, Connection>();

  const forget = (one: Connection) => {
    open.delete(one);
    idle.delete(one);
    speak(one);
  };
  /** Notes that a connection is silent no longer. */
  const speak = (one: Connection) => {
    silent.delete(one);
    silentBy.delete(one);
  };
  const cut = (one: Connection | undefined) => {
    if (!one) return;
    forget(one);
    one.tcp.destroy();
  };
  const first = (of: ReadonlySet<Connection>): Connection | undefined => of.values().next().value;

  /** Takes a connection in, and ends the oldest unused one where there would be too many. */
  const accept = (tcp: Socket, isSecure: boolean) => {
    const key = networkKey(tcp.remoteAddress ?? '');
    const leave = slots.take(key, room.connections);
    if (!leave) return void tcp.destroy();
    if (silentBy.of(key).size >= room.silent) cut(first(silentBy.of(key)));
    if (silent.size >= room.allSilent) cut(first(silent));
    if (open.size >= room.allConnections) {
      const oldest = first(idle) ?? first(silent);
      if (!oldest) return void (leave(), tcp.destroy());
      cut(oldest);
    }
    const now = performance.now();
    const one: Connection = {
      tcp,
      stream: isSecure ? undefined : tcp,
      key,
      openedAt: now,
      idleSince: now,
      answering: undefined,
      waiting: undefined,
      reader: 'anonymous',
      written: 0,
      stalledMs: 0,
    };
    open.add(one);
    silent.add(one);
    silentBy.add(one);
    const peer = peerOf(tcp);
    if (isSecure) byPeer.set(peer, one);
    else bySocket.set(tcp, one);
    tcp.once('close', () => {
      leave();
      forget(one);
      if (byPeer.get(peer) === one) byPeer.delete(peer);
    });
  };

  /**
   * Notes that a handshake is done. Node does not say which connection a TLS socket is on, so the two are matched by
   * their peer.
   */
  const secure = (stream: Socket) => {
    const one = byPeer.get(peerOf(stream));
    if (!one) return void stream.destroy();
    one.stream = stream;
    bySocket.set(stream, one);
  };

  const answer = (
    one: Connection,
    { request, response }: NonNullable<Connection['waiting']>,
    serve: (request: IncomingMessage, response: ServerResponse) => void,
  ) => {
    speak(one);
    idle.delete(one);
    one.answering = response;
    one.reader = 'anonymous';
    response.once('close', () => {
      const next = one.waiting;
      one.answering = one.waiting = undefined;
      one.reader = 'anonymous';
      one.idleSince = performance.now();
      if (one.tcp.destroyed) return;
      if (next) answer(one, next, serve);
      else idle.add(one);
    });
    serve(request, response);
  };

  /** Whether a handshake or a pause between requests has lasted too long, or a reply is not read. */
  const isOverdue = (one: Connection, now: number, sinceLastMs: number): boolean => {
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
  };

  return {
    guard(server, serve) {
      const isSecure = 'setSecureContext' in server;
      server.maxConnections = Math.ceil(room.allConnections * SLACK);
      const take = (handler: typeof serve) => (request: IncomingMessage, response: ServerResponse) => {
        const one = bySocket.get(request.socket);
        // The rest of what came together with the request that ended the connection.
        if (!one || one.tcp.destroyed) return void request.socket.destroy();
        if (!one.answering) answer(one, { request, response }, handler);
        else if (!one.waiting) one.waiting = { request, response };
        else cut(one);
      };
      let last = performance.now();
      const sweep = setInterval(() => {
        const now = performance.now();
        // While this process was held up it wrote nothing either.
        const sinceLastMs = Math.min(now - last, 2 * patience.connectionsCheckingInterval);
        last = now;
        for (const one of open) if (isOverdue(one, now, sinceLastMs)) cut(one);
      }, patience.connectionsCheckingInterval);
      sweep.unref();
      server.on('connection', (tcp: Socket) => accept(tcp, isSecure));
      if (isSecure) server.on('secureConnection', secure);
      server.on('request', take(serve));
      // `serve` says when a body may come: not before its sender is known.
      server.on('checkContinue', take(serve));
      server.on('checkExpectation', take(refuseExpectation));
      // A tunnel or another protocol is not offered.
      server.on('connect', (_request, socket: Socket) => void socket.destroy());
      server.on('close', () => clearInterval(sweep));
    },
    setReader(request, reader) {
      const one = bySocket.get(request.socket);
      if (one) one.reader = reader;
    },
    refuse(error, socket) {
      const one = bySocket.get(socket);
      // Before the end of a handshake, or in place of the reply to an earlier request, nothing can be written.
      if (
        !one ||
        error.code === 'ECONNRESET' ||
        one.answering?.headersSent ||
        one.answering?.req.complete ||
        !socket.writable
      )
        return void socket.destroy();
      socket.write(refusal(error.code));
      // Should the client not read it, the connection is ended like one whose reply is not read.
      socket.destroySoon();
    },
    closeUnused() {
      for (const one of open) if (!one.answering) cut(one);
    },
  };
}

/**
 * Returns the household or machine behind an address: an IPv4 address as it is; of IPv6 the /64, of which one
 * connection may use any address.
 */
export function networkKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length - (right.at(-1)?.includes('.') ? 1 : 0));
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).join(':');
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress ?? ''} ${remotePort ?? ''}`;

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const failure = new Failure('expectation', 'nothing but 100-continue can be expected', {
    reason: 'expectation-unknown',
  });
  const { status, headers, body } = unframed(failure);
  response.writeHead(status, { ...headers, connection: 'close' });
  response.end(body);
}

/** A reply that the framework takes no part in. No surface is known, so it is worded as in the API. */
function unframed(failure: Failure) {
  const { status, headers, body = '' } = wordFailure(API, failure);
  return { status, headers: { ...securityHeaders(API, false), 'x-request-id': newId(), ...headers }, body };
}

function unreadable(code: string | undefined): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Failure('timeout', 'the request took too long', { reason: 'request-timeout' });
  return code === 'HPE_HEADER_OVERFLOW'
    ? new Failure('head', 'the head of the request is too large', { reason: 'head-too-large' })
    : new Failure('invalid', 'the request cannot be read', { reason: 'request-malformed' });
}

/**
 * The reply to what could not be read as a request, or did not arrive in time. There is no response to set headers on,
 * so they are written out.
 */
function refusal(code: string | undefined): string {
  const { status, headers: own, body } = unframed(unreadable(code));
  const headers = { ...own, 'content-length': String(body.length), connection: 'close' };
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
}

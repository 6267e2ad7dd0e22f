/** Table of open connections: who has how many, and which make room for the next. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { createSlots } from '../lib/limit.ts';

/** Maximum numbers of connections: those of one address and all, and of these the ones without a request yet. */
export interface ConnectionRoom {
  connections: number;
  allConnections: number;
  silent: number;
  allSilent: number;
}

/**
 * How long a reply may be left unread: of a caller who is unknown or known, and of one whose open stream the session
 * bounds.
 */
export type Reader = 'anonymous' | 'known' | 'stream';

export interface Connection {
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

export interface ConnectionTable {
  /** Every connection. */
  readonly open: ReadonlySet<Connection>;
  /** Adds a connection, and ends the oldest unused one where there would be too many. */
  accept(tcp: Socket, isSecure: boolean): void;
  /** Notes that a handshake is done, whose socket replies are written to. */
  secure(stream: Socket): void;
  /** Returns the connection whose replies are written to a socket. */
  of(stream: Socket): Connection | undefined;
  /** Notes that a request has arrived on a connection: it is neither silent nor idle. */
  use(one: Connection): void;
  /** Notes that the last reply on a connection has ended. */
  rest(one: Connection): void;
  /** Ends a connection. */
  cut(one: Connection): void;
}

export function createConnectionTable(room: ConnectionRoom): ConnectionTable {
  const slots = createSlots();
  const open = new Set<Connection>();
  /** In the order in which they came; idle ones in the order of their last replies. The first of either goes first. */
  const silent = new Set<Connection>();
  const silentBy = createGroups();
  const idle = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  const byPeer = new Map<string, Connection>();

  const use = (one: Connection) => {
    silent.delete(one);
    silentBy.delete(one);
    idle.delete(one);
  };
  const forget = (one: Connection) => {
    open.delete(one);
    use(one);
  };
  const cut = (one: Connection | undefined) => {
    if (!one) return;
    forget(one);
    one.tcp.destroy();
  };
  const first = (of: ReadonlySet<Connection>): Connection | undefined => of.values().next().value;

  /** Ends the oldest unused connections until there is room for one more. Returns whether there is. */
  const makeRoom = (key: string): boolean => {
    if (silentBy.of(key).size >= room.silent) cut(first(silentBy.of(key)));
    if (silent.size >= room.allSilent) cut(first(silent));
    if (open.size < room.allConnections) return true;
    const oldest = first(idle) ?? first(silent);
    cut(oldest);
    return oldest !== undefined;
  };

  return {
    open,
    use,
    cut,
    accept(tcp, isSecure) {
      const key = networkKey(tcp.remoteAddress ?? '');
      const leave = slots.take(key, room.connections);
      if (!leave) return void tcp.destroy();
      if (!makeRoom(key)) return void (leave(), tcp.destroy());
      const one = newConnection(tcp, { key, isSecure });
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
    },
    // Node does not say which connection a TLS socket is on, so the two are matched by their peer.
    secure(stream) {
      const one = byPeer.get(peerOf(stream));
      if (!one) return void stream.destroy();
      one.stream = stream;
      bySocket.set(stream, one);
    },
    of: (stream) => bySocket.get(stream),
    rest(one) {
      one.idleSince = performance.now();
      if (!one.tcp.destroyed) idle.add(one);
    },
  };
}

function newConnection(tcp: Socket, { key, isSecure }: { key: string; isSecure: boolean }): Connection {
  const now = performance.now();
  return {
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

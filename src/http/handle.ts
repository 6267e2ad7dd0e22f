/** Ties handlers to endpoints. A group with a handler missing, or one too many, does not compile. */
import type { z } from 'zod';
import type {
  Bytes,
  DepartureResult,
  Endpoint,
  Events,
  ParsedInput,
  Group,
  Nothing,
  RedirectResult,
} from '../contract/kernel/endpoint.ts';
import type { SocketResult } from '../contract/kernel/socket.ts';
import type { Page as PageName } from '../contract/dashboard/pages.ts';
import type { Principal, ServiceCaller } from '../contract/kernel/principal.ts';
import type { RequestNetwork } from './origin.ts';

/** Origin of a request. Forwarded headers are trusted only from the gateway. */
export interface From {
  id: string;
  address: string;
  network: RequestNetwork;
  isSecure: boolean;
  host: string;
  userAgent: string | undefined;
  /** The cookie of the device, where the browser has one. */
  device: string | undefined;
  /** The cookie of a sign-in at another server that this browser has begun. */
  flow: string | undefined;
  /** The cookie of a household device, where the browser is one. */
  household?: string | undefined;
}

export interface Call {
  /** The caller. On public endpoints, set only if the request has a credential. */
  by: Principal;
  /** The service that calls. Set only on endpoints of a service. */
  service: ServiceCaller;
  from: From;
  /** Number of the last event that the caller received. */
  lastEvent: number | undefined;
  /** First byte that the Range header probably asks for: a hint for reading ahead. Undefined when no bytes are sent. */
  firstByte: number | undefined;
  /** The body of an endpoint that takes bytes; empty for every other. */
  bytes: Uint8Array;
  /**
   * Says which version a conditional endpoint shows, or is about to change: a short text, or undefined if there is
   * nothing yet. Ends the request where its conditions ask for that: 304 for a read that the caller has already, 412
   * for a version that is not the one the caller means. A change calls it under its lock.
   */
  version(tag: string | undefined): void;
  /** Sets the ETag of the reply to a change: the version that it made. */
  madeVersion(tag: string): void;
  /** Sets a header of the reply. */
  header(name: string, value: string): void;
  /** Replies with the endpoint's other status of success. */
  succeedAs(status: NonNullable<Endpoint['orElse']>): void;
  /**
   * Ends the reply once `check` no longer holds for the caller as they are then. It is asked again after each change of
   * a Profile or of the catalogue, so that an open stream ends with the permission that opened it.
   */
  onlyWhile(check: (by: Principal) => boolean): void;
  /** Aborts when the client goes away, its credential is revoked, `onlyWhile` no longer holds, or the server stops. */
  signal: AbortSignal;
}

/** Bytes that are at hand, or a stream of them. */
export interface Body {
  type: string;
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
  /** How many bytes a stream will bring, where that is known: then it can be requested in ranges. */
  size?: number;
  filename?: string;
  /** A strong validator, without quotes. */
  etag?: string;
  cache?: string;
  /** The same bytes packed beforehand, for those who accept it. */
  packed?: { br?: Uint8Array; gzip?: Uint8Array };
}

/** Bytes that are all at hand. */
export type Page = Body & { bytes: Uint8Array };

/** A file that is open: it is read in ranges, and closed whatever happens. */
export interface RangedFile {
  type: string;
  size: number;
  modified: number;
  etag: string;
  filename?: string;
  /** Fills `into` with the bytes from `position` on, and returns how many it read. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** One server-sent event. */
export interface ServerSentEvent {
  id?: number;
  data: unknown;
}

/** One end of an open WebSocket, as its handler has it. */
export interface SocketPeer<Out = unknown> {
  /** Sends a message. Does nothing once the socket is closed. */
  send(message: Out): void;
  /** Closes the socket after what was sent. */
  close(): void;
}

/** The handler of an open WebSocket. */
export interface SocketSession<In = never> {
  /**
   * Called with one message at a time; the next is read when the returned promise has resolved. A failure closes the
   * socket with 4000 and its status.
   */
  receive(message: In): Promise<void> | void;
  /** Called once, when the socket is closed for whatever reason. */
  closed?(): void;
}

/** The result of a socket's handler, called when the handshake is done. What may fail comes before it. */
export type OpenSocket<In = never, Out = unknown> = (peer: SocketPeer<Out>) => SocketSession<In>;

/** A page to go to, with its path parameters and a query. */
export interface RedirectTarget<P extends PageName = PageName> {
  page: P;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
}

/** An address of another server that a setting names. */
export interface Departure {
  address: URL;
}

/** Makes the result of a redirect. */
export const toPage = <P extends PageName>(page: P, more: Omit<RedirectTarget<P>, 'page'> = {}): RedirectTarget<P> => ({
  page,
  ...more,
});

type Gives<E extends Endpoint> = E['result'] extends z.ZodType
  ? z.input<E['result']>
  : E['result'] extends Bytes
    ? Body | RangedFile
    : E['result'] extends Events
      ? AsyncIterable<ServerSentEvent>
      : E['result'] extends Nothing
        ? void
        : E['result'] extends RedirectResult
          ? RedirectTarget<E['result']['redirect'][number]>
          : E['result'] extends DepartureResult
            ? Departure
            : E['result'] extends SocketResult<infer In, infer Out>
              ? OpenSocket<z.output<In>, z.input<Out>>
              : never;
export type Handler<E extends Endpoint> = (given: ParsedInput<E>, call: Call) => Promise<Gives<E>> | Gives<E>;

export interface MountedEndpoint {
  endpoint: Endpoint;
  /** The name of the endpoint in its group. */
  name: string;
  handler: (given: never, call: Call) => unknown;
}

export function implement<G extends Group>(group: G, handlers: { [K in keyof G]: Handler<G[K]> }): MountedEndpoint[] {
  return Object.entries(group).map(([name, endpoint]) => ({
    endpoint,
    name,
    handler: handlers[name] as MountedEndpoint['handler'],
  }));
}

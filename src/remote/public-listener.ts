/**
 * The listener for remote access: opened and closed while the server runs, as the terms, the certificate and the
 * switch of the Owners ask for.
 *
 * It is open only with accepted terms, a certificate that is valid now, and without a cut. If it cannot listen it says
 * why and tries again every ten seconds; the server at home does not depend on it. A renewed certificate is
 * in use from the next handshake on.
 */
import { coalesce } from '../lib/coalesce.ts';
import type { Clock } from '../lib/clock.ts';
import { ensurePrivateFolder, makePrivate, removeFile, writeWhole } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import { createServedTls } from './served-tls.ts';
import type { PublicServer, PublicServerNeeds, ServedCertificate, TlsCertificate } from './types.ts';

/** Place to listen at: an address of this machine, or for the gateway a socket in a private folder. */
export type PublicPlace =
  | { kind: 'public'; host: string; address: { host: string; port: number } }
  | { kind: 'gateway'; host: string; token: string; folder: string };

type ListenerFault =
  | 'port-taken'
  | 'port-forbidden'
  | 'listen-address-unknown'
  | 'gateway-path-too-long'
  | 'listener-failed';

export interface PublicListenerState {
  isOpen: boolean;
  /** The port that it listens at. */
  port?: number | undefined;
  /** Why it could not be opened. */
  fault?: ListenerFault | undefined;
  /** When this began, in milliseconds since the epoch. */
  at: number;
}

export interface PublicListener {
  state(): PublicListenerState;
  /** Opens or closes it as is asked for now. Resolves when that is done. */
  update(): Promise<void>;
  start(): Promise<void>;
  /** Closes it for good. Replies may finish within `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

interface PublicListenerNeeds {
  place: PublicPlace;
  clock: Clock;
  log: Log;
  makeServer(needs: PublicServerNeeds): PublicServer;
  certificate(): ServedCertificate | undefined;
  isAllowed(): boolean;
  noteOutside(): void;
  /** Returns the certificate of a challenge that waits. */
  challengeOf(host: string): TlsCertificate | undefined;
  /** Milliseconds between two looks at the clock. */
  tickMs?: number;
}

const TICK_MS = 10_000;
/** Longest path of a socket, in bytes: what Linux has room for. */
const MAX_SOCKET_PATH = 107;

export function createPublicListener(needs: PublicListenerNeeds): PublicListener {
  const { place, clock, log, certificate, isAllowed, tickMs = TICK_MS } = needs;
  const way = place.kind === 'gateway' ? gatewaySocket(place.folder) : ownPort(place.address);
  let server: PublicServer | undefined;
  let shown: PublicListenerState = { isOpen: false, at: clock.now() };
  let phase: 'new' | 'started' | 'closed' = 'new';
  let timer: NodeJS.Timeout | undefined;

  const open = async (served: ServedCertificate): Promise<void> => {
    await way.prepare(served);
    if (server) return;
    const next = needs.makeServer(serverNeeds(needs));
    try {
      shown = { isOpen: true, port: await way.listen(next), at: clock.now() };
      server = next;
      log.info('remote.listener.open', { port: shown.port });
    } catch (error) {
      await next.close(0);
      throw error;
    }
  };
  const noteFault = (error: unknown): void => {
    const fault = faultOf(error);
    if (shown.fault === fault) return;
    log.warn('remote.listener.failed', { reason: fault });
    if (!server) shown = { isOpen: false, fault, at: clock.now() };
  };
  const shut = async (): Promise<void> => {
    const last = server;
    server = undefined;
    if (shown.isOpen || shown.fault !== undefined) shown = { isOpen: false, at: clock.now() };
    if (!last) return;
    await last.close(0);
    await way.forget();
    log.info('remote.listener.closed');
  };
  const update = coalesce(async () => {
    if (phase !== 'started') return;
    const served = isAllowed() ? certificate() : undefined;
    await (served ? open(served).catch(noteFault) : shut());
  });

  return {
    state: () => shown,
    update,
    start: async () => {
      if (phase !== 'new') return;
      phase = 'started';
      timer = setInterval(() => {
        update().catch((error: unknown) => log.fault('remote.listener.broken', error));
      }, tickMs).unref();
      await update();
    },
    close: async (graceMs) => {
      phase = 'closed';
      clearInterval(timer);
      // It waits for an update that is under way, which may have opened it just now.
      await update();
      await server?.close(graceMs);
      server = undefined;
    },
  };
}

/** Returns what the server of a place needs. Its certificate is looked up at each handshake. */
function serverNeeds({ place, certificate, noteOutside, challengeOf }: PublicListenerNeeds): PublicServerNeeds {
  const { host } = place;
  if (place.kind === 'gateway') return { listener: { kind: 'gateway', host, token: place.token, noteOutside } };
  const served = createServedTls(certificate);
  return {
    listener: { kind: 'public', host, noteOutside },
    tls: { of: (asked) => (asked === host ? served() : undefined), challengeOf },
  };
}

/** How requests from outside come in. */
interface Way {
  /** Called with the certificate before it listens, and when there is another one. */
  prepare(served: ServedCertificate): Promise<void>;
  /** Returns the port, where there is one. */
  listen(server: PublicServer): Promise<number | undefined>;
  /** Called when it no longer listens. */
  forget(): Promise<void>;
}

const ownPort = (address: { host: string; port: number }): Way => ({
  prepare: async () => {},
  listen: async (server) => {
    const at = await server.listen(address);
    return typeof at === 'object' && at !== null ? at.port : undefined;
  },
  forget: async () => {},
});

/** The folder of the gateway: the socket, and key and certificate in one file for the program that speaks TLS. */
function gatewaySocket(folder: string): Way {
  const [socket, pem] = [`${folder}/public.sock`, `${folder}/public.pem`];
  let kept: ServedCertificate | undefined;
  return {
    prepare: async (served) => {
      if (kept === served) return;
      await ensurePrivateFolder(folder);
      await writeWhole(pem, Buffer.from(`${served.key.trim()}\n${served.chain.trim()}\n`), { mode: 0o600 });
      kept = served;
    },
    listen: async (server) => {
      if (Buffer.byteLength(socket) > MAX_SOCKET_PATH) throw Object.assign(new Error(), { code: 'ENAMETOOLONG' });
      // A server that was killed left its socket.
      await removeFile(socket);
      await server.listen({ path: socket });
      await makePrivate(socket);
      return undefined;
    },
    forget: async () => {
      kept = undefined;
      await removeFile(pem);
    },
  };
}

function faultOf(error: unknown): ListenerFault {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') return 'port-taken';
  if (code === 'EACCES' || code === 'EPERM') return 'port-forbidden';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'listen-address-unknown';
  return code === 'ENAMETOOLONG' ? 'gateway-path-too-long' : 'listener-failed';
}

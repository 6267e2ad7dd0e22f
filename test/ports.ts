/**
 * A port for a server that must be at the same address again after a restart, or whose address others must know before
 * it starts. Every other server binds port 0 and says which port it got.
 *
 * The system chooses the port and keeps it: a connection of this process comes from it. Linux lets a server listen at
 * the port of a connection (both have SO_REUSEADDR, as every server of Node, Go and nginx has), and assigns it to
 * nothing else until that connection is closed. Without it, the system may assign the port to any other program between
 * two starts.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

const HOST = '127.0.0.1';

export interface HeldPort {
  port: number;
  /** Lets the system assign the port again. */
  release(): void;
}

/** Holds a port of the loopback address until it is released, or this process ends. */
export async function openPort(): Promise<HeldPort> {
  const near = createServer((socket) => void socket.unref().on('error', () => {}));
  near.listen(0, HOST);
  await once(near, 'listening');
  const held = connect({ host: HOST, port: (near.address() as AddressInfo).port, localAddress: HOST });
  await once(held, 'connect');
  // The connection stays; no other is accepted.
  near.close();
  near.unref();
  held.unref();
  const { localPort } = held;
  if (localPort === undefined) throw new Error('the connection that holds a port has ended');
  return { port: localPort, release: () => void held.resetAndDestroy() };
}

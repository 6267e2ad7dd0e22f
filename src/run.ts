/** Runs the server: opens it, listens, and on a signal stops it within five seconds with every write whole. */
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createApp, type App } from './app.ts';
import type { Boot } from './config/index.ts';
import type { Clock } from './lib/clock.ts';
import { DatabaseUnusable } from './lib/db/index.ts';
import { Failure } from './lib/failure.ts';
import { isWritableFolder } from './lib/files.ts';
import { createLog } from './lib/log.ts';
import { watchIdleHeap } from './idle-heap.ts';
import { noteFaults } from './uncaught.ts';
import manifest from '../package.json' with { type: 'json' };

const LATE_MS = 30_000;

export interface RunServerNeeds {
  boot: Boot;
  clock: Clock;
  threads: number;
  stopMs: number;
  /** Says what is wrong, a line a fault, and lets the program end with status 2. */
  refuse(lines: readonly string[]): void;
}

export async function runServer({ boot, clock, threads, stopMs, refuse }: RunServerNeeds): Promise<void> {
  const log = createLog({ level: boot.get('logging.level') });
  noteFaults(process, { log, end: () => process.exit(1) });
  const began = clock.monotonic();
  if (threads < 12) log.warn('start.few-threads', { threads });
  const dashboard = fileURLToPath(new URL('../dist/web', import.meta.url));
  const opening = createApp({ boot, clock, log, version: manifest.version, threads, dashboard });
  // From here on a signal closes what was opened, however far the start has come.
  const { isStopping } = stopOnSignals({
    opening,
    stopMs,
    begun: (signal) => log.info('stop.begun', { signal }),
    done: () => log.info('stop.done'),
  });
  let app: App;
  try {
    app = await opening;
  } catch (error) {
    const line = await explained(error, boot);
    if (isStopping()) return;
    if (line === undefined) throw error;
    return refuse([line]);
  }
  if (isStopping()) return;
  const { host, port } = app.config.get('listen');
  let at: AddressInfo | string | null;
  try {
    at = await app.http.listen({ host, port });
  } catch (error) {
    if (isStopping()) return;
    await app.close();
    return refuse([listening(error, `${host}:${port}`)]);
  }
  try {
    await app.start();
  } catch (error) {
    if (isStopping()) return;
    // Listening would keep a server alive that is never ready.
    await app.close();
    throw error;
  }
  watchIdleHeap();
  // Later: whoever starts a server wants to see it first, and its libraries are read now.
  setTimeout(() => void app.startLate(), LATE_MS).unref();
  log.info('start.ready', { ms: Math.round(clock.monotonic() - began), port, tls: app.config.get('tls.enabled') });
  const open = typeof at === 'object' && at !== null ? at.port : port;
  process.stdout.write(`Matinee is at ${addressFor({ host, port: open, isSecure: app.config.get('tls.enabled') })}\n`);
}

/** Returns the address of a listener for a browser on this machine. */
function addressFor({ host, port, isSecure }: { host: string; port: number; isSecure: boolean }): string {
  const name = ['', '0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${isSecure ? 'https' : 'http'}://${name}:${port}`;
}

/** The faults of a start that a person can mend, in a sentence with the setting. */
async function explained(error: unknown, boot: Boot): Promise<string | undefined> {
  if (error instanceof DatabaseUnusable) {
    const isSqlite = boot.get('database.url') === undefined;
    return `${isSqlite ? 'paths.data (SERVICE_DATA_DIR)' : 'database.url (SERVICE_DATABASE_URL)'}: ${error.message}`;
  }
  if (!(error instanceof Failure)) return undefined;
  for (const [key, variable] of [
    ['paths.data', 'SERVICE_DATA_DIR'],
    ['paths.cache', 'SERVICE_CACHE_DIR'],
  ] as const) {
    if (!(await isWritableFolder(boot.get(key))))
      return `${key} (${variable}): this folder is missing or cannot be written to`;
  }
  return error.message;
}

function listening(error: unknown, at: string): string {
  const { code } = error as { code?: string };
  const why =
    code === 'EADDRINUSE'
      ? 'is taken by another program'
      : code === 'EACCES'
        ? 'may not be used by this user'
        : code === 'EADDRNOTAVAIL'
          ? 'is not an address of this machine'
          : 'cannot be listened on';
  return `listen (SERVICE_LISTEN): ${at} ${why}`;
}

function stopOnSignals({
  opening,
  stopMs,
  begun,
  done,
}: {
  opening: Promise<App>;
  stopMs: number;
  begun(signal: string): void;
  done(): void;
}): { isStopping(): boolean } {
  let isStopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    begun(signal);
    // Work that hangs is cut off after that time: every write is whole or not there.
    setTimeout(() => process.exit(1), stopMs).unref();
    // A start that fails has closed what it opened.
    const app = await opening.catch(() => undefined);
    await app?.close();
    done();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
  return { isStopping: () => isStopping };
}

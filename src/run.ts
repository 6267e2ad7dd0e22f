/** Runs the server: opens it, listens, restarts it, and on a signal stops it within five seconds. */
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { ConfigurationRefused, type Boot } from './config/index.ts';
import type { Clock } from './lib/clock.ts';
import { DatabaseUnusable } from './lib/db/index.ts';
import { Failure } from './lib/failure.ts';
import { isWritableFolder } from './lib/files.ts';
import { createLog, type RootLog } from './lib/log.ts';
import { watchIdleHeap } from './idle-heap.ts';
import { createRestarts, RunRefused, type Run, type RunOptions } from './restarts.ts';
import { noteFaults } from './uncaught.ts';
import manifest from '../package.json' with { type: 'json' };

const LATE_MS = 30_000;

export interface RunServerNeeds {
  boot: Boot;
  /** Reads the environment and the YAML file again. */
  load(): Promise<Boot>;
  clock: Clock;
  threads: number;
  stopMs: number;
  /** Says what is wrong, a line a fault, and lets the program end with status 2. */
  refuse(lines: readonly string[]): void;
}

export async function runServer({ boot, load, clock, threads, stopMs, refuse }: RunServerNeeds): Promise<void> {
  const log = createLog({ level: boot.get('logging.level') });
  noteFaults(process, { log, end: () => process.exit(1) });
  if (threads < 12) log.warn('start.few-threads', { threads });
  const restarts = createRestarts({
    boot,
    load,
    open: (options) => openRun({ ...options, clock, log, threads }),
    clock,
    log,
    // It keeps the process alive, which has nothing else open between two runs.
    pause: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    fail: (lines) => {
      for (const line of lines) process.stderr.write(`${line}\n`);
      // The status of a crash, after which a service manager starts the server again.
      process.exit(1);
    },
  });
  // From here on a signal closes what was opened, however far the start has come.
  stopOnSignals({
    stop: restarts.stop,
    stopMs,
    begun: (signal) => log.info('stop.begun', { signal }),
    done: () => log.info('stop.done'),
  });
  try {
    await restarts.begin();
  } catch (error) {
    if (restarts.isStopping()) return;
    if (!(error instanceof RunRefused)) throw error;
    return refuse(error.lines);
  }
  if (!restarts.isStopping()) watchIdleHeap();
}

/** Returns the address of a listener for a browser on this machine. */
function addressFor({ host, port, isSecure }: { host: string; port: number; isSecure: boolean }): string {
  const name = ['', '0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${isSecure ? 'https' : 'http'}://${name}:${port}`;
}

/** Opens a server. Throws `RunRefused` for faults that a person can mend, as its `start` does. */
async function openRun({
  boot,
  putBack,
  restarter,
  clock,
  log,
  threads,
}: RunOptions & Pick<RunServerNeeds, 'clock' | 'threads'> & { log: RootLog }): Promise<Run> {
  const began = clock.monotonic();
  const dashboard = fileURLToPath(new URL('../dist/web', import.meta.url));
  const app = await createApp({
    boot,
    putBack,
    restarter,
    clock,
    log,
    version: manifest.version,
    threads,
    dashboard,
  }).catch(async (error: unknown) => {
    throw (await explained(error, boot)) ?? error;
  });
  let late: NodeJS.Timeout | undefined;
  let isClosed = false;
  const startLate = () => app.startLate().catch((error: unknown) => log.fault('start.late-failed', error));
  const start = async (): Promise<void> => {
    const { host, port } = app.config.get('listen');
    const isSecure = app.config.get('tls.enabled');
    let at: AddressInfo | string | null;
    try {
      at = await app.http.listen({ host, port });
    } catch (error) {
      throw new RunRefused([listening(error, `${host}:${port}`)], { keys: ['listen'] });
    }
    await app.start();
    // Later: whoever starts a server wants to see it first, and its libraries are read now.
    if (!isClosed) late = setTimeout(() => void startLate(), LATE_MS).unref();
    const open = typeof at === 'object' && at !== null ? at.port : port;
    log.info('start.ready', { ms: Math.round(clock.monotonic() - began), port: open, tls: isSecure });
    process.stdout.write(`Matinee is at ${addressFor({ host, port: open, isSecure })}\n`);
  };
  return {
    inForce: app.config.inForce,
    start,
    close: (graceMs) => {
      isClosed = true;
      clearTimeout(late);
      return app.close(graceMs);
    },
  };
}

/** Returns the faults of a start that a person can mend, each in a sentence with the setting. */
async function explained(error: unknown, boot: Boot): Promise<RunRefused | undefined> {
  if (error instanceof ConfigurationRefused)
    return new RunRefused(error.lines, { keys: error.faults.flatMap(({ broken }) => broken ?? []) });
  if (error instanceof DatabaseUnusable) {
    const isSqlite = boot.get('database.url') === undefined;
    const where = isSqlite ? 'paths.data (SERVICE_DATA_DIR)' : 'database.url (SERVICE_DATABASE_URL)';
    return new RunRefused([`${where}: ${error.message}`], { isHeld: error.reason === 'in-use' });
  }
  if (!(error instanceof Failure)) return undefined;
  for (const [key, variable] of [
    ['paths.data', 'SERVICE_DATA_DIR'],
    ['paths.cache', 'SERVICE_CACHE_DIR'],
  ] as const) {
    if (!(await isWritableFolder(boot.get(key))))
      return new RunRefused([`${key} (${variable}): this folder is missing or cannot be written to`], { keys: [key] });
  }
  const { message } = error;
  return new RunRefused([message]);
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

/** Stops once on a signal, and cuts off what hangs after `stopMs`: every write is whole or not there. */
function stopOnSignals({
  stop,
  stopMs,
  begun,
  done,
}: {
  stop(): Promise<void>;
  stopMs: number;
  begun(signal: string): void;
  done(): void;
}): void {
  let isStopping = false;
  const onSignal = async (signal: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    begun(signal);
    setTimeout(() => process.exit(1), stopMs).unref();
    await stop();
    done();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void onSignal(signal));
}

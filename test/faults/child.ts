/**
 * The real server as a child: started on separate folders, driven over HTTP, ended by its id.
 *
 * It is returned before it is ready, so that a test may kill it on the way. TLS is off and the address is loopback, at
 * a port that the system chooses and the server says when it is ready. Everything else is as a household has it, with
 * its settings from the environment.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CrashPoint } from '../../src/lib/crash.ts';
import { WAIT_LIMIT_MS } from '../until.ts';
import { CHEAP_MEMORY, CHEAP_START } from './bare.ts';
import { programFile } from './programs.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
/** As `npm start` has it: little memory is kept. */
const LEAN_MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
/** Compiled code of all children: of the whole run where there is such a folder, or else of this file. */
let compiled: string | undefined;

export interface Folders {
  data: string;
  cache: string;
  media: string;
}

export interface ChildNeeds extends Folders {
  env?: Record<string, string>;
  /** Point at which it kills itself. */
  crash?: { at: CrashPoint; nth?: number; path?: string };
  /** A planted fault of `broken.ts`. */
  fault?: string;
  /** Loaded before the program, below `test/`. It then runs from its sources, without `crash` and `fault`. */
  load?: readonly string[];
  /** Whether it lives for seconds or a few minutes, and neither its memory nor its speed is what is tested. */
  isShortLived?: boolean;
  /** For Node itself. */
  flags?: readonly string[];
  /** One that is held (`openPort`), if its address is needed earlier than it is ready, or after a restart. */
  port?: number;
  /** In place of the server that is built for tests: the main file of another one. */
  program?: string;
}

export interface Child {
  /** Throws while the port is not known. */
  readonly url: string;
  readonly port: number;
  pid: number;
  /** True once it answers; false if it ended before that, or does not answer within the limit of a wait. */
  ready: Promise<boolean>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Output of the server. */
  output(): string;
  /** As a power cut would end it. */
  kill(): Promise<void>;
  /** Stops it as its Owner would. Returns the exit status. */
  stop(): Promise<number | null>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  if (compiled !== undefined) rmSync(compiled, { recursive: true, force: true });
});

export async function startServerProcess({
  data,
  cache,
  media,
  env = {},
  crash,
  fault,
  load = [],
  isShortLived = false,
  flags = [],
  port,
  program,
}: ChildNeeds): Promise<Child> {
  const main = program ?? (load.length === 0 ? await programFile('main', fault) : join(top, 'src/main.ts'));
  const shared = process.env['NODE_COMPILE_CACHE'] ?? (compiled ??= mkdtempSync(join(tmpdir(), 'matinee-compiled-')));
  const child = spawn(
    process.execPath,
    [
      ...(isShortLived ? CHEAP_START : []),
      ...flags,
      ...load.flatMap((name) => ['--import', join(top, 'test', name)]),
      main,
    ],
    {
      cwd: top,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: shared,
        // As `npm start` has them.
        UV_THREADPOOL_SIZE: '24',
        ...(isShortLived ? CHEAP_MEMORY : LEAN_MEMORY),
        NODE_OPTIONS: '--max-semi-space-size=4 --expose-gc',
        SERVICE_LISTEN: `127.0.0.1:${port ?? 0}`,
        SERVICE_TLS_ENABLED: 'false',
        SERVICE_DATA_DIR: data,
        SERVICE_CACHE_DIR: cache,
        SERVICE_MEDIA_DIR: media,
        ...(crash ? { CRASH_AT: crash.at, CRASH_NTH: String(crash.nth ?? 1) } : {}),
        ...(crash?.path === undefined ? {} : { CRASH_PATH: crash.path }),
        ...(fault === undefined ? {} : { FAULT: fault }),
        ...env,
      },
    },
  );
  running.add(child);
  let output = '';
  let at: number | undefined;
  let isReady: ((is: boolean) => void) | undefined;
  const ready = new Promise<boolean>((resolve) => void (isReady = resolve));
  const late = setTimeout(() => isReady?.(false), WAIT_LIMIT_MS).unref();
  const hear = (bytes: Buffer) => {
    output = (output + bytes.toString()).slice(-200_000);
    if (at !== undefined) return;
    const said = /^\{.*"event":"start\.ready".*\}$/m.exec(output)?.[0];
    if (said === undefined) return;
    at = (JSON.parse(said) as { port: number }).port;
    isReady?.(true);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      clearTimeout(late);
      isReady?.(false);
      resolve({ code, signal });
    });
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  const portNow = (): number => {
    const known = port ?? at;
    if (known === undefined) throw new Error(`the server has not said its port:\n${output.slice(-4_000)}`);
    return known;
  };
  return {
    get url() {
      return `http://127.0.0.1:${portNow()}`;
    },
    get port() {
      return portNow();
    },
    pid: child.pid ?? 0,
    ready,
    ended,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    stop: async () => (await end('SIGTERM')).code,
  };
}

export interface Answer<T = Record<string, unknown>> {
  status: number;
  body: T;
  bytes: Buffer;
}

export interface Asking {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** One request. Throws when the server goes away before its answer is whole. */
export async function ask<T = Record<string, unknown>>(
  child: Pick<Child, 'url'>,
  method: string,
  path: string,
  { token, body, headers = {} }: Asking = {},
): Promise<Answer<T>> {
  const reply = await fetch(`${child.url}${path}`, {
    method,
    signal: AbortSignal.timeout(WAIT_LIMIT_MS),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const isJson = (reply.headers.get('content-type') ?? '').startsWith('application/json');
  return { status: reply.status, body: (isJson ? JSON.parse(bytes.toString()) : {}) as T, bytes };
}

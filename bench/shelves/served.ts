/** The built server as a process, and timed requests to it as its Owner on one kept connection. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import type { Policy } from '../../src/contract/identity/profiles.ts';
import { ask, type Child, type Folders, startServerProcess } from '../../test/faults/child.ts';
import { buildServer } from '../../tools/server.ts';
import { indexesBehind } from './indexes.ts';

const PASSWORD = 'four warm brown bread rolls';
/** How long a server must be quiet, and the CPU time that it may take in that time. */
const QUIET_MS = 6_000;
const QUIET_CPU_MS = 300;
const MAX_WAIT_MS = 60 * 60_000;
const TICK_MS = 10;
const RESIDENT = /VmRSS:\s+(\d+)/;

export interface TimedReply {
  ms: number;
  bytes: Buffer;
}
export interface BenchServer {
  child: Child;
  /** Milliseconds from the start of the program to the first `readyz` that is 200. */
  startMs: number;
  /** Asks as the Owner, or with the token of another Profile. Throws if the status is not 200. */
  get(path: string, token?: string): Promise<TimedReply>;
  json<T>(path: string): Promise<T>;
  post(path: string, body: unknown): Promise<void>;
  /** Makes a Viewer with this policy. Returns a token. */
  viewer(name: string, policy: Policy): Promise<string>;
  /** Resident memory of the server without its helpers, in MiB. */
  memory(): number;
  /** Waits until the server has built its indexes, and then uses less than a twentieth of a core. */
  quiet(): Promise<void>;
  /** Processor seconds of the server without its helpers. */
  processor(): number;
  stop(): Promise<void>;
}

export function serverFolders(home: string): Folders {
  const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'media') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folders;
}

let built: Promise<string> | undefined;

/** Starts the server on these folders and signs in, as a new Owner if there is none. `flags` are those of Node. */
export async function startServed(
  folders: Folders,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<BenchServer> {
  // Built once: a second build would take away the files of a server that is running.
  const program = await (built ??= buildServer());
  const began = performance.now();
  const child = await startServerProcess({
    ...folders,
    program,
    flags,
    env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s', ...env },
  });
  assert.ok(await child.ready, child.output());
  const startMs = performance.now() - began;
  const { required } = (await ask<{ required: boolean }>(child, 'GET', '/api/v1/setup')).body;
  const { token } = (
    await ask<{ token: string }>(child, 'POST', required ? '/api/v1/setup' : '/api/v1/session', {
      body: { name: 'Owner', password: PASSWORD },
    })
  ).body;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = (path: string, as = token): Promise<TimedReply> =>
    new Promise((resolve, reject) => {
      const since = performance.now();
      const asked = request(`${child.url}${path}`, { agent, headers: { authorization: `Bearer ${as}` } }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => {
          const bytes = Buffer.concat(chunks);
          if (reply.statusCode === 200) resolve({ ms: performance.now() - since, bytes });
          else reject(new Error(`${path} replied ${reply.statusCode}: ${bytes.toString().slice(0, 300)}`));
        });
      });
      asked.on('error', (error: NodeJS.ErrnoException) => {
        // The server had just closed the kept connection, because another server was asked for a while.
        if (asked.reusedSocket && error.code === 'ECONNRESET') get(path, as).then(resolve, reject);
        else reject(error);
      });
      asked.end();
    });
  return {
    child,
    startMs,
    get,
    json: async <T>(path: string) => JSON.parse((await get(path)).bytes.toString()) as T,
    post: async (path, body) => {
      const { status, body: reply } = await ask(child, 'POST', path, { token, body });
      assert.ok(status < 300, `${path} replied ${status}: ${JSON.stringify(reply)}`);
    },
    viewer: async (name, policy) => {
      const body = { name, role: 'viewer', password: PASSWORD, policy };
      const made = await ask(child, 'POST', '/api/v1/profiles', { token, body });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const session = { name, password: PASSWORD };
      return (await ask<{ token: string }>(child, 'POST', '/api/v1/session', { body: session })).body.token;
    },
    memory: () =>
      Math.round(Number(RESIDENT.exec(readFileSync(`/proc/${child.pid}/status`, 'latin1'))?.[1] ?? 0) / 1024),
    quiet: async () => {
      const end = performance.now() + MAX_WAIT_MS;
      for (let before = -Infinity; ;) {
        const now = cpuMs(child.pid);
        const behind = indexesBehind(join(folders.data, 'matinee.db'));
        if (behind.length === 0 && now - before < QUIET_CPU_MS) return;
        assert.ok(performance.now() < end, `the server was never quiet, or has not indexed ${behind.join()}`);
        before = now;
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      }
    },
    processor: () => cpuMs(child.pid) / 1000,
    stop: async () => {
      agent.destroy();
      await child.stop();
    },
  };
}

/** Returns the CPU time that a process has taken. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

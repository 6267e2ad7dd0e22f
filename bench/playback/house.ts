/** Starts the built server on separate folders with the films of this bench, and measures it from outside. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { ask, type Child, startServerProcess } from '../../test/faults/child.ts';
import { type RunningProcess, videoEncodersOf } from '../../test/processes.ts';
import { buildServer } from '../../tools/server.ts';

const TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString());
export const OWNER = { name: 'Bench', password: 'four warm brown bread rolls' };
/** Codecs that a browser plays. */
export const BROWSER = 'containers=mp4,webm&videoCodecs=h264&audioCodecs=aac';

export interface House {
  server: Child;
  token: string;
  /** Ids of the films, by the names that they were given. */
  films: ReadonlyMap<string, string>;
  /** Another server on the same folders. */
  restart(): Promise<void>;
  /** Adds a profile that sees everything; returns a token for each of its devices. */
  viewer(name: string, devices?: number): Promise<string[]>;
  close(): Promise<void>;
}

let program: Promise<string> | undefined;

/**
 * Opens a server with these films, as names and paths. They have to be on the disk of the temporary folder or of the
 * project.
 */
export async function openHouse(paths: Readonly<Record<string, string>>): Promise<House> {
  program ??= buildServer();
  // Next to the films, because no link leads to another disk.
  const base = join(import.meta.dirname, '../data/playback');
  mkdirSync(base, { recursive: true });
  const home = mkdtempSync(join(base, 'house-'));
  const folders = {
    data: mkdtempSync(join(tmpdir(), 'matinee-bench-')),
    cache: join(home, 'cache'),
    media: join(home, 'media'),
  };
  for (const [name, path] of Object.entries(paths)) {
    const folder = join(folders.media, `${name} (2020)`);
    mkdirSync(folder, { recursive: true });
    linkSync(path, join(folder, `${name} (2020)${extname(basename(path))}`));
  }
  const open = async (): Promise<Child> => {
    const server = await startServerProcess({
      ...folders,
      program: await (program ??= buildServer()),
      load: ['../bench/held.ts'],
      env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s' },
    });
    assert.ok(await server.ready, server.output());
    return server;
  };
  const house = { server: await open(), films: new Map<string, string>() };
  const made = await ask<{ token: string }>(house.server, 'POST', '/api/v1/setup', { body: OWNER });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { token } = made.body;
  while (house.films.size < Object.keys(paths).length) {
    const { body } = await ask<{ items: { id: string; title: string }[] }>(
      house.server,
      'GET',
      '/api/v1/library?limit=100',
      { token },
    );
    for (const { id, title } of body.items) house.films.set(title, id);
    await pause(100);
  }
  await quiet(house.server, token);
  return Object.assign(house, {
    token,
    restart: async () => {
      await house.server.stop();
      house.server = await open();
    },
    viewer: async (name: string, devices = 1) => {
      const body = {
        name,
        password: OWNER.password,
        policy: { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true },
      };
      const profile = await ask(house.server, 'POST', '/api/v1/profiles', { token, body });
      assert.equal(profile.status, 201, JSON.stringify(profile.body));
      return Promise.all(
        Array.from({ length: devices }, async () => {
          const session = await ask<{ token: string }>(house.server, 'POST', '/api/v1/session', {
            body: { name, password: OWNER.password },
          });
          assert.equal(session.status, 201, JSON.stringify(session.body));
          return session.body.token;
        }),
      );
    },
    close: async () => {
      await house.server.stop();
      rmSync(home, { recursive: true, force: true });
      rmSync(folders.data, { recursive: true, force: true });
    },
  });
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until no task runs. */
async function quiet(server: Child, token: string): Promise<void> {
  for (;;) {
    const { body } = await ask<{ items: { state: string }[] }>(server, 'GET', '/api/v1/tasks', { token });
    if (body.items.every(({ state }) => state !== 'queued' && state !== 'running')) return;
    await pause(200);
  }
}

interface Held {
  p99: number;
  max: number;
  /** Processor time of the main thread. All are milliseconds. */
  used: number;
}
/** Returns how long the main thread did not answer since the last call. */
export async function heldBy(child: Child): Promise<Held> {
  const before = child.output().split('@held ').length;
  process.kill(child.pid, 'SIGUSR2');
  for (;;) {
    const parts = child.output().split('@held ');
    if (parts.length > before && parts.at(-1)?.includes('\n'))
      return JSON.parse(parts.at(-1)?.split('\n')[0] ?? '{}') as Held;
    await pause(5);
  }
}

/** Processor milliseconds of a process with all its threads so far (proc(5), fields 14 and 15). */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 1000) / TICKS;
}
export const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;

/** Returns the conversions of video that a server runs. */
export const encodersOf = (server: Child): RunningProcess[] => videoEncodersOf(server.pid);

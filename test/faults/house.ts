/** A server in this process that plays films over real sockets, for tests that remove files or shares meanwhile. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { get as openReply, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { until, WAIT_LIMIT_MS } from '../until.ts';
import { PASSWORD, type World, startWorld, type WorldOptions } from '../world.ts';
import { type Get, Refused } from './viewer.ts';

export interface Viewer {
  token: string;
  get: Get;
  /** Opens a reply, reads its first bytes, and pauses. */
  open(path: string, headers?: Record<string, string>): Promise<HalfRead>;
}

export interface HalfRead {
  /** Reads the rest. `isWhole`: the reply had its announced length. */
  rest(): Promise<{ bytes: Buffer; isWhole: boolean }>;
  /** Closes the connection. */
  leave(): void;
}

export interface PlayingHouse extends World {
  origin: string;
  /** Ids of the films by their titles. */
  ids: ReadonlyMap<string, string>;
  owner: string;
  /** Signs the same Profile in on another device. */
  device(): Promise<Viewer>;
  findings(): Promise<{ subject: string; level: string; sentence: string }[]>;
}

/** Path of a film in a library. */
export const filmPath = (library: string, title: string, extension = 'mkv'): string =>
  join(library, `${title} (2001)`, `${title} (2001).${extension}`);

/** Opens a server whose libraries are the folders of `media` that `fill` makes. */
export async function openHouse(
  t: Pick<TestContext, 'after'>,
  libraries: readonly string[],
  films: number,
  options: WorldOptions,
): Promise<PlayingHouse> {
  const house = await startWorld(t, { ...options, env: { SERVICE_REQUIRE_MFA: 'false', ...options.env } });
  const setup = await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  const owner = String(setup.body['token']);
  await house.start();
  const value = JSON.stringify(libraries.map((name) => ({ name, path: join(house.media, name), kind: 'movies' })));
  for (const name of libraries) mkdirSync(dirname(join(house.media, name, 'x')), { recursive: true });
  assert.equal((await house.call({ token: owner }, 'PUT', '/api/v1/configuration/libraries', { value })).status, 202);
  const { port } = (await house.http.listen({ host: '127.0.0.1', port: 0 })) as AddressInfo;
  const ids = new Map<string, string>();
  await until('the films', async () => {
    const { items } = (await house.call({ token: owner }, 'GET', '/api/v1/library?limit=100')).body as unknown as {
      items: { id: string; title: string }[];
    };
    for (const { id, title } of items) ids.set(title, id);
    return ids.size === films;
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    ...house,
    origin,
    ids,
    owner,
    device: async () => {
      const reply = await house.call(undefined, 'POST', '/api/v1/session', { name: 'Ada', password: PASSWORD });
      return viewerOf(origin, String(reply.body['token']));
    },
    findings: async () =>
      (await house.call({ token: owner }, 'GET', '/api/v1/diagnostics')).body['findings'] as {
        subject: string;
        level: string;
        sentence: string;
      }[],
  };
}

function viewerOf(origin: string, token: string): Viewer {
  const headers = { authorization: `Bearer ${token}` };
  return {
    token,
    get: async (path) => {
      const reply = await fetch(new URL(path, origin), { headers, signal: AbortSignal.timeout(WAIT_LIMIT_MS) });
      return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
    },
    open: (path, more = {}) => halfRead(new URL(path, origin), { ...headers, ...more }),
  };
}

async function halfRead(url: URL, headers: Record<string, string>): Promise<HalfRead> {
  const reply = await new Promise<IncomingMessage>(
    (resolve, reject) => void openReply(url, { headers, agent: false }, resolve).on('error', reject),
  );
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve) => void reply.once('close', resolve));
  reply.on('error', () => {});
  await new Promise<void>((resolve) => void reply.once('readable', resolve));
  const first = reply.read(1) as Buffer | null;
  if (first) chunks.push(first);
  if (reply.statusCode !== 200 && reply.statusCode !== 206)
    throw new Refused(url.pathname, { status: reply.statusCode ?? 0, bytes: Buffer.alloc(0) });
  return {
    rest: async () => {
      reply.on('data', (chunk: Buffer) => void chunks.push(chunk));
      await closed;
      return { bytes: Buffer.concat(chunks), isWhole: reply.complete };
    },
    leave: () => void reply.destroy(),
  };
}

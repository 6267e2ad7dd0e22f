/** A player without a screen: plans, reads the playlists of a session and takes its segments over kept connections. */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { ask, type Child } from '../../test/faults/child.ts';
import { BROWSER } from './house.ts';

export interface Stream {
  init: string;
  segments: readonly { url: string; start: number; duration: number }[];
}
export interface Reply {
  status: number;
  bytes: Buffer;
}
export interface Playing {
  mode: string;
  session: string;
  /** Video first, then the audio that is heard. */
  streams: readonly Stream[];
  get(path: string): Promise<Reply>;
  /** Ends the session and its connections. */
  stop(): Promise<void>;
}

interface Planned {
  mode: string;
  session: string;
  urls: { hls?: string };
  /** Reason of a refusal. */
  error?: string;
  reason?: string;
}
export interface PlannedFilm {
  token: string;
  /** Added to what a browser says of itself. */
  query?: string;
}
/** A plan that was refused. */
export class Refused extends Error {
  readonly status: number;
  readonly reason: string | undefined;
  constructor(status: number, { error, reason }: Pick<Planned, 'error' | 'reason'>) {
    super(error ?? 'without a word');
    this.status = status;
    this.reason = reason;
  }
}

/** Plans an item and reads master and media playlists. Throws `Refused` when there is no plan. */
export async function beginPlaying(
  server: Pick<Child, 'url'>,
  id: string,
  { token, query = '' }: PlannedFilm,
): Promise<Playing> {
  const agent = new Agent({ keepAlive: true });
  const get = (path: string): Promise<Reply> => fetched(agent, new URL(path, server.url));
  const plan = await ask<Planned>(server, 'GET', `/api/v1/items/${id}/playback?${BROWSER}&${query}`, { token });
  if (plan.status !== 200) throw new Refused(plan.status, plan.body);
  const { mode, session, urls } = plan.body;
  assert.ok(urls.hls, `${mode} is a stream`);
  const master = String((await get(urls.hls)).bytes);
  const [folder = ''] = urls.hls.split('master.m3u8');
  const names = [/^(v\d+\.m3u8.*)$/m, /TYPE=AUDIO.*URI="([^"]+)"/].flatMap((one) => one.exec(master)?.[1] ?? []);
  assert.ok(names.length > 0, master);
  return {
    mode,
    session,
    get,
    streams: await Promise.all(names.map(async (name) => streamIn(String((await get(folder + name)).bytes), folder))),
    stop: async () => {
      agent.destroy();
      await ask(server, 'DELETE', `/api/v1/playback-sessions/${session}`, { token });
    },
  };
}

function streamIn(text: string, folder: string): Stream {
  let start = 0;
  const segments = [...text.matchAll(/#EXTINF:([\d.]+),[^\n]*\n([^#\n]+)/g)].map(([, length = '', url = '']) => {
    const one = { url: folder + url, start, duration: Number(length) };
    start += one.duration;
    return one;
  });
  return { init: folder + (/URI="([^"]+)"/.exec(text)?.[1] ?? ''), segments };
}

export function fetched(agent: Agent, url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, bytes: Buffer.concat(parts) }));
      reply.once('error', reject);
    });
    asking.once('error', reject);
    asking.end();
  });
}

/**
 * Playing over real sockets: one server for a test file, with libraries of films, viewers, and readers that read no
 * further than the test asks.
 */
import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { until } from './until.ts';
import { makeClip, PASSWORD, type Reply, type World, startWorld } from './world.ts';

/** A policy that forbids nothing. */
export const FREE = {
  libraries: 'all',
  rating: 'all',
  windows: [],
  remote: true,
  transcode: true,
  download: true,
} as const;
/** A viewing window that is closed while tests run. */
export const CLOSED_WINDOWS = [{ days: ['monday'], start: '03:00', end: '04:00', timeZone: 'Etc/UTC' }];
/** Says that a client plays as little as a browser does. */
export const BROWSER = 'containers=mp4,webm&videoCodecs=h264,vp9,av1&audioCodecs=aac,mp3,opus,flac';
/** More than sockets and buffers hold, so that a stream without a reader stays open. */
const LONG_BYTES = 48 * 1024 * 1024;
/** Far above the time in which a stream ends, and below the half minute after which everything is checked again. */
export const SOON_MS = 20_000;

export interface Viewer {
  id: string;
  token: string;
}
export interface PlannedStream {
  session: string;
  mode: string;
  urls: { hls: string; media: string; download: string };
  parts: { start: number; duration: number }[];
  subtitles: { key: string; language?: string; url?: string }[];
}
/** A reply of which the first byte was read. */
export interface Stream {
  reply: IncomingMessage;
  closed: Promise<void>;
  /** The reader's side of the connection. */
  port: number;
}

interface StreamingOptions {
  /** Puts films into the media folder. */
  fill(media: string): Promise<void>;
  /** Number of films that the scan has to find. */
  count: number;
  /** Called before the server listens for the first time. */
  opened?(house: World): void;
  /** Names of libraries, each of which is a folder. */
  libraries?: readonly string[];
}
export interface Streaming {
  readonly house: World;
  readonly origin: string;
  readonly owner: string;
  /** Ids by title. */
  readonly films: ReadonlyMap<string, string>;
  /** Id of the only film. */
  readonly film: string;
  /** Calls the API, as the Owner unless a token is given. */
  ask(method: string, path: string, body?: unknown, token?: string): Promise<Reply>;
  /** Signs in a new Profile that may do everything. */
  viewer(name: string): Promise<Viewer>;
  allow(viewer: Viewer, policy: object): Promise<unknown>;
  /** Plans a film by its id. */
  plan(film: string, query?: string, token?: string): Promise<PlannedStream>;
  /** Stops every session: a Profile plays a few streams at a time. */
  stopAll(): Promise<void>;
  open(path: string, token?: string): Promise<Stream>;
  /** Stops the server and starts another one on the same folders. */
  restart(): Promise<void>;
}

/** Returns the body of a reply that is no refusal. */
export async function done(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body, text } = await reply;
  assert.ok(status < 300, `${status} ${text}`);
  return body;
}

/** Opens the server before the first test of a file and closes it after the last. */
export function fakeStreaming({ fill, count, opened, libraries = ['Films'] }: StreamingOptions): Streaming {
  const closing: (() => unknown)[] = [];
  const together = { after: (close?: () => unknown) => void (close && closing.push(close)) } as Parameters<
    typeof startWorld
  >[0];
  const films = new Map<string, string>();
  const env = { SERVICE_REQUIRE_MFA: 'false' };
  let [house, origin, owner]: [World | undefined, string, string] = [undefined, '', ''];
  const running = (): World => house ?? assert.fail('the server is not open yet');
  const listen = async (): Promise<void> => {
    await running().start();
    origin = `http://127.0.0.1:${((await running().http.listen({ host: '127.0.0.1', port: 0 })) as AddressInfo).port}`;
  };
  const ask: Streaming['ask'] = (method, path, body, token = owner) =>
    running().call({ token }, method, `/api/v1${path}`, body);

  before(async () => {
    house = await startWorld(together, { env, fill });
    opened?.(house);
    owner = String(
      (await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token'],
    );
    await listen();
    await done(
      ask('PUT', '/configuration/libraries', {
        value: JSON.stringify(libraries.map((name) => ({ name, path: join(running().media, name), kind: 'movies' }))),
      }),
    );
    await until('the films', async () => {
      for (const { id, title } of (await done(ask('GET', '/library')))['items'] as { id: string; title: string }[])
        films.set(title, id);
      return films.size === count;
    });
  });
  after(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  return {
    get house() {
      return running();
    },
    get origin() {
      return origin;
    },
    get owner() {
      return owner;
    },
    get film() {
      const [film, ...others] = films.values();
      return others.length === 0 && film !== undefined ? film : assert.fail('there is not one film');
    },
    films,
    ask,
    viewer: async (name) => {
      const { id } = (await done(ask('POST', '/profiles', { name, password: PASSWORD, policy: FREE }))) as {
        id: string;
      };
      const { body } = await running().call(undefined, 'POST', '/api/v1/session', {
        name,
        password: PASSWORD,
        device: `${name}'s tablet`,
      });
      return { id, token: String(body['token']) };
    },
    allow: ({ id }, policy) => done(ask('PUT', `/profiles/${id}`, { policy: { ...FREE, ...policy } })),
    plan: async (film, query = '', token = owner) =>
      (await done(ask('GET', `/items/${film}/playback?${query}`, undefined, token))) as unknown as PlannedStream,
    stopAll: async () => {
      const { items } = (await done(ask('GET', '/playback-sessions'))) as unknown as { items: { id: string }[] };
      for (const { id } of items) await done(ask('DELETE', `/playback-sessions/${id}`));
    },
    open: (path, token) => openStream(`${origin}${path}`, token),
    restart: async () => {
      await running().close();
      house = await startWorld(together, { env, after: running() });
      await listen();
    },
  };
}

/** Opens a reply and reads its first byte, and no more until something else here is called. */
export async function openStream(url: string, token?: string): Promise<Stream> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const reply = await new Promise<IncomingMessage>(
    (resolve, reject) => void get(url, { agent: false, headers }, resolve).on('error', reject),
  );
  assert.equal(reply.statusCode, 200, url);
  const closed = new Promise<void>((resolve) => reply.once('close', () => resolve()));
  reply.on('error', () => {});
  await new Promise<void>((resolve) => reply.once('readable', () => (reply.read(1), resolve())));
  return { reply, closed, port: reply.socket.localPort ?? 0 };
}

/** Reads to the end, and returns whether that is the end of the file. */
export async function isWhole({ reply, closed }: Stream): Promise<boolean> {
  reply.resume();
  await closed;
  return reply.complete;
}

/** Whether the server cuts a stream soon. What is buffered is read, because a reader learns of the end behind it. */
export async function isCut(stream: Stream): Promise<boolean> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), SOON_MS);
  const end = await Promise.race([isWhole(stream), late.promise]);
  clearTimeout(timer);
  return end === false;
}

/** A film that is played as it is, and longer than can be sent to a reader that does not read. */
export async function makeLongFilm(media: string, library: string, title: string): Promise<void> {
  const path = join(media, library, title, `${title}.mp4`);
  await makeClip(path);
  await truncate(path, LONG_BYTES);
}

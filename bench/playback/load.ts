/**
 * Many viewers at once: twenty on one film, repacked and then converted; six films that would all have to be
 * converted; and 200 that are played as they are. Each viewer takes 8 Mbit/s as a player does, no faster, and counts
 * the time in which it had nothing left to show.
 *
 * Not a part of the usual run, because two cores are busy with it for minutes: `node bench/playback/index.ts
 * --only=load`. `--load-seconds=30` is how long each part plays.
 */
import { connect } from 'node:net';
import { ask } from '../../test/faults/child.ts';
import { quantile, report } from '../report.ts';
import { film } from './films.ts';
import { copies } from './first.ts';
import { cpuOf, encodersOf, heldBy, type House, memoryOf, openHouse, pause } from './house.ts';
import { beginPlaying, type Playing, Refused } from './player.ts';

const PLAY_S = Number(process.argv.find((one) => one.startsWith('--load-seconds='))?.split('=')[1] ?? 30);
/** Seconds that a player buffers ahead. */
const AHEAD_S = 10;
const VIEWERS = 20;
const FILMS = 6;
const READERS = 200;
/** Streams of a profile at a time. */
const CONVERTED_OF_A_PROFILE = 3;
const DIRECT_OF_A_PROFILE = 6;
const STALL_S = 1;
const QUALITY = 'quality=480p-1.5';

export async function benchLoad(): Promise<void> {
  const paths = [film('mkv'), ...copies(film('mkv'))];
  const house = await openHouse(Object.fromEntries(paths.map((path, n) => [`Film ${n}`, path])));
  try {
    const devices = await signedIn(house, 'Viewer', VIEWERS, CONVERTED_OF_A_PROFILE);
    await oneFilm(house, devices, { what: 'repacked', query: '' });
    await oneFilm(house, devices, { what: 'converted', query: QUALITY });
    await manyFilms(house, devices);
    await readers(house);
  } finally {
    await house.close();
  }
}

async function signedIn(house: House, name: string, count: number, each: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 0; tokens.length < count; n++)
    tokens.push(...(await house.viewer(`${name} ${n}`, Math.min(each, count - tokens.length))));
  return tokens;
}

/** Figures of the server during a phase. */
async function watched<T>(
  { server }: House,
  work: () => Promise<T>,
): Promise<{ result: T; note: string; encoders: number }> {
  const before = { cpu: cpuOf(server.pid), at: performance.now(), memory: memoryOf(server.pid) };
  await heldBy(server);
  let [memory, encoders, isOver] = [0, 0, false];
  const look = (async () => {
    while (!isOver) {
      memory = Math.max(memory, memoryOf(server.pid));
      encoders = Math.max(encoders, encodersOf(server).length);
      await pause(250);
    }
  })();
  const result = await work();
  isOver = true;
  await look;
  const { p99, max } = await heldBy(server);
  const share = (cpuOf(server.pid) - before.cpu) / (performance.now() - before.at);
  return {
    result,
    encoders,
    note:
      `main thread held up p99 ${p99.toFixed(0)}, longest ${max.toFixed(0)} ms; memory ${before.memory.toFixed(0)} ` +
      `to ${memory.toFixed(0)} MiB; ${(share * 100).toFixed(0)} % of a processor besides encoders`,
  };
}

interface Watched {
  /** Seconds without a picture after the first one. */
  stalled: number;
  /** Seconds from asking to the first segment. */
  first: number;
  /** Seconds of film that each second of waiting for segments gave. */
  speed: number;
}

/** Plays some seconds in real time, holding as much ahead as a player does. */
async function play({ streams: [video], get }: Playing): Promise<Watched> {
  const seconds = (): number => performance.now() / 1000;
  const began = seconds();
  let [here, stalled, shown, at, waited, first] = [0, 0, 0, 0, 0, 0];
  const advance = (): void => {
    const now = seconds();
    const due = at === 0 ? 0 : now - at;
    const able = Math.min(due, here - shown);
    shown += able;
    stalled += due - able;
    at = now;
  };
  for (const { url, duration } of video?.segments ?? []) {
    while (at > 0 && here - shown > AHEAD_S) {
      await pause(100);
      advance();
    }
    if (shown >= PLAY_S) break;
    const asked = seconds();
    const { status, bytes } = await get(url);
    if (status !== 200) throw new Refused(status, JSON.parse(String(bytes)) as object);
    waited += seconds() - asked;
    advance();
    here += duration;
    if (first === 0) first = seconds() - began;
  }
  return { stalled, first, speed: here / waited };
}

const seconds = (all: readonly number[]): string =>
  `median ${quantile(all, 0.5).toFixed(2)}, longest ${Math.max(...all).toFixed(2)} s`;

async function oneFilm(
  house: House,
  devices: readonly string[],
  { what, query }: { what: string; query: string },
): Promise<void> {
  const { result, note, encoders } = await watched(house, () =>
    Promise.all(
      devices.map(async (token) => {
        const playing = await beginPlaying(house.server, house.films.get('Film 0') ?? '', { token, query });
        const seen = await play(playing);
        await playing.stop();
        return seen;
      }),
    ),
  );
  const stalls = result.filter(({ stalled }) => stalled > STALL_S).length;
  const most = query === '' ? 0 : 1;
  report({
    what: `${VIEWERS} viewers of one film, ${what}`,
    figure: `${stalls} stalled, ${encoders} encoders`,
    aim: `0 stalled, ${most} encoders`,
    met: stalls === 0 && encoders === most,
    note: `first segment ${seconds(result.map(({ first }) => first))}; ${note}`,
  });
}

async function manyFilms(house: House, devices: readonly string[]): Promise<void> {
  const { result, note, encoders } = await watched(house, () =>
    Promise.all(
      Array.from({ length: FILMS }, async (_, n): Promise<Watched | Refused> => {
        try {
          const playing = await beginPlaying(house.server, house.films.get(`Film ${n}`) ?? '', {
            token: devices[n * CONVERTED_OF_A_PROFILE] ?? devices[n] ?? '',
            query: 'quality=360p-0.8',
          });
          return await play(playing).finally(playing.stop);
        } catch (error) {
          if (error instanceof Refused) return error;
          throw error;
        }
      }),
    ),
  );
  const refused = result.filter((one) => one instanceof Refused);
  const playing = result.filter((one): one is Watched => !(one instanceof Refused));
  const stalls = playing.filter(({ stalled }) => stalled > STALL_S).length;
  const isHonest = refused.every(({ status, reason }) => (status === 503 || status === 409) && reason === 'busy');
  const slowest = Math.min(...playing.map(({ speed }) => speed));
  report({
    what: `${FILMS} films that have to be converted, at once`,
    figure:
      `${playing.length} play, ${refused.length} refused, ${stalls} stalled, segments at ${slowest.toFixed(1)} × ` +
      'real time',
    aim: 'refused as busy, 0 stalled, more than 1 ×',
    met: isHonest && playing.length > 0 && stalls === 0 && slowest > 1,
    note:
      `${encoders} encoders; refused with ` +
      `${[...new Set(refused.map(({ status, message }) => `${status} "${message}"`))].join(', ')}; ${note}`,
  });
}

const RATE = 1_000_000;
/** Seconds that a reader buffers ahead, and before it starts. */
const AHEAD_BYTES = 4 * RATE;

async function readers(house: House): Promise<void> {
  const devices = await signedIn(house, 'Reader', READERS, DIRECT_OF_A_PROFILE);
  const addresses = await Promise.all(
    devices.map(async (token, n) => {
      const { body } = await ask<{ urls: { media: string } }>(
        house.server,
        'GET',
        `/api/v1/items/${house.films.get(`Film ${n % FILMS}`)}/playback`,
        { token },
      );
      return body.urls.media;
    }),
  );
  const { result, note } = await watched(house, () => Promise.all(addresses.map((address) => read(house, address))));
  const stalls = result.filter(({ stalled }) => stalled > STALL_S).length;
  report({
    what: `${READERS} films as they are at 8 Mbit/s`,
    figure: `${stalls} stalled`,
    aim: '0',
    met: stalls === 0,
    note:
      `longest without bytes ${Math.max(...result.map(({ stalled }) => stalled)).toFixed(2)} s; first bytes ` +
      `${seconds(result.map(({ first }) => first))}; ${note}`,
  });
}

/** Reads bytes no faster than they are shown, with a few seconds ahead. */
function read({ server }: House, address: string): Promise<Pick<Watched, 'stalled' | 'first'>> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write(`GET ${address} HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nrange: bytes=0-\r\n\r\n`),
    );
    let [here, shown, stalled, first, at] = [0, 0, 0, 0, 0];
    socket.on('data', (part: Buffer) => {
      if (here === 0 && !String(part.subarray(0, 16)).startsWith('HTTP/1.1 206'))
        return void socket.destroy(new Error(String(part.subarray(0, 400))));
      if (first === 0) first = performance.now() - began;
      here += part.length;
      if (here - shown > AHEAD_BYTES) socket.pause();
    });
    const timer = setInterval(() => {
      const now = performance.now();
      // It begins to show when it has a second.
      if (at === 0 && here < RATE) return;
      const due = at === 0 ? 0 : ((now - at) / 1000) * RATE;
      const able = Math.min(due, here - shown);
      shown += able;
      stalled += due - able;
      at = now;
      if (here - shown < AHEAD_BYTES / 2) socket.resume();
      if (shown < PLAY_S * RATE) return;
      clearInterval(timer);
      socket.destroy();
      resolve({ stalled: stalled / RATE, first: first / 1000 });
    }, 100);
    socket.once('error', (error) => {
      clearInterval(timer);
      reject(error);
    });
  });
}

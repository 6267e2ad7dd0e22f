/** A server of preview pictures for tests, over a film whose frames carry their numbers as black and white bars. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext } from 'node:test';
import sharp from 'sharp';
import { until } from '../../../test/until.ts';
import { startTestServer } from '../../http/testing.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { trickplayRoutes } from '../routes.ts';
import { ID, openTestMedia, type Media, makeStream } from '../testing.ts';
import { createTrickplay, type TrickplayNeeds } from './index.ts';

const [WIDTH, HEIGHT, BITS] = [160, 96, 10];
/** Frames in a second. */
export const RATE = 2;
const SECONDS = 130;
export const folder = join(tmpdir(), `trickplay-${process.pid}`);
export const FILM = join(folder, 'film.mkv');

/** Draws a frame with its number as ten bars, the lowest bit on the left. */
function frame(number: number): Buffer {
  const pixels = Buffer.alloc(WIDTH * HEIGHT);
  for (let x = 0; x < WIDTH; x++) {
    const isOn = ((number >> Math.floor(x / (WIDTH / BITS))) & 1) === 1;
    for (let y = 0; y < HEIGHT; y++) pixels[y * WIDTH + x] = isOn ? 220 : 40;
  }
  return pixels;
}
/** The number in a picture, or in a part of it. */
export async function numberInPicture(
  jpeg: Buffer,
  { left = 0, top = 0, width = 320, height = 192 } = {},
): Promise<number> {
  const { data } = await sharp(jpeg)
    .extract({ left, top, width, height })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Array.from({ length: BITS }, (_, bit) =>
    (data[Math.floor(height / 2) * width + Math.floor(((bit + 0.5) * width) / BITS)] ?? 0) > 130 ? 1 << bit : 0,
  ).reduce((sum, one) => sum + one, 0);
}

/** Makes the film in its folder. */
export function makeFilm(): void {
  mkdirSync(folder, { recursive: true });
  const raw = Buffer.concat(
    Array.from({ length: SECONDS * RATE }, (_, n) => (n >= 60 && n < 64 ? Buffer.alloc(WIDTH * HEIGHT) : frame(n))),
  );
  const input = `-f rawvideo -pix_fmt gray -s ${WIDTH}x${HEIGHT} -r ${RATE} -i pipe:0`;
  const output = '-c:v libx264 -preset ultrafast -g 4 -bf 2 -pix_fmt yuv420p';
  execFileSync('ffmpeg', [...`-v error -y ${input} ${output}`.split(' '), FILM], { input: raw });
}
export const removeFilm = (): void => rmSync(folder, { recursive: true, force: true });

/** A server of preview pictures over one film. */
export interface PictureServer extends Media {
  ask(file: string, headers?: Record<string, string>): Promise<Response>;
  /** The reply once it is ready. */
  ready(file: string): Promise<Response>;
  runs: () => number;
  cached: () => string[];
  again(needs?: Partial<TrickplayNeeds>): Promise<void>;
}
export async function startPictures(
  t: TestContext,
  {
    needs = {},
    bytes = readFileSync(FILM),
    duration = SECONDS,
    keyPictures,
  }: {
    needs?: Partial<TrickplayNeeds>;
    bytes?: Buffer;
    duration?: number;
    keyPictures?: (real: Ffmpeg['keyPictures']) => Ffmpeg['keyPictures'];
  } = {},
): Promise<PictureServer> {
  const chapters = [
    { start: 0, end: 30, title: 'One' },
    { start: 30, end: 61, title: 'Black' },
    { start: 61.2, end: 130, title: 'Three' },
  ];
  const m = await openTestMedia(t, {
    info: { duration, chapters, streams: [makeStream(0, 'video', 'h264', { width: WIDTH, height: HEIGHT })] },
  });
  m.write('Film.mkv', bytes);
  let runs = 0;
  const real = keyPictures?.(m.ffmpeg.keyPictures) ?? m.ffmpeg.keyPictures;
  const ffmpeg = { keyPictures: (...args: Parameters<Ffmpeg['keyPictures']>) => (runs++, real(...args)) };
  const clock = { monotonic: () => performance.now() };
  const open = () =>
    createTrickplay({
      catalog: m.catalog,
      ffmpeg,
      clock,
      log: quietLog,
      cache: join(m.base, 'cache'),
      isConverting: () => false,
      copiedVideo: async () => undefined,
      ...needs,
    });
  let trickplay = open();
  const ways = await startTestServer(
    t,
    trickplayRoutes({
      trickplay: {
        read: (...args) => trickplay.read(...args),
        make: (...args) => trickplay.make(...args),
        trouble: () => undefined,
        hasRoom: () => trickplay.hasRoom(),
        close: () => trickplay.close(),
      },
    }),
  );
  ways.tokens.set('viewer', { ...(ways.tokens.get('viewer') ?? assert.fail()) });
  t.after(() => trickplay.close());
  const ask: PictureServer['ask'] = (file, headers = {}) =>
    fetch(`http://127.0.0.1:${ways.port}/trickplay/${file.includes('/') ? file : `${ID}/${file}`}`, {
      headers: { authorization: 'Bearer owner', ...headers },
    });
  const cache = join(m.base, 'cache', 'trickplay');
  return Object.assign(m, {
    ask,
    runs: () => runs,
    cached: () => (existsSync(cache) ? readdirSync(cache) : []),
    ready: async (file: string) =>
      until(`${file} to be ready`, async () => {
        const reply = await ask(file);
        if (reply.status === 202) return void (await reply.arrayBuffer());
        return reply;
      }),
    again: async () => {
      await trickplay.close();
      trickplay = open();
    },
  });
}
/** A picture of the index. */
export interface PictureCue {
  from: number;
  sheet: string;
  left: number;
  top: number;
  width: number;
  height: number;
}
export function pictureCues(vtt: string): PictureCue[] {
  return [...vtt.matchAll(/^(\d\d):(\d\d):(\d\d\.\d{3}) --> .*\n(\S+?)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm)].map(
    ([, h, m, s, sheet = '', left, top, width, height]) => ({
      from: Number(h) * 3600 + Number(m) * 60 + Number(s),
      sheet,
      left: Number(left),
      top: Number(top),
      width: Number(width),
      height: Number(height),
    }),
  );
}

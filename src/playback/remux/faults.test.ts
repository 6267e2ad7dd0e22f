/**
 * A file that is replaced, cut or stops answering while its copied streams are played: the segments that follow fail
 * with the status and sentence that players act on, and the next plan plays what is there.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { openRoot } from '../../lib/files.ts';
import type { LibraryIo } from '../../lib/io-pool.ts';
import { createIoPool } from '../../lib/io-pool.ts';
import { until } from '../../../test/until.ts';
import { ID, openTestMedia, type Media, makeStream } from '../testing.ts';
import { ffmpeg } from './testing/compare.ts';

const folder = mkdtempSync(join(tmpdir(), 'copied-faults-'));
const film = join(folder, 'film.mkv');
const other = join(folder, 'other.mkv');
const BROWSER = 'containers=mp4,webm&videoCodecs=h264&audioCodecs=aac';
const INFO = {
  container: 'matroska',
  duration: 12,
  streams: [
    makeStream(0, 'video', 'h264', { width: 480, height: 270, frameRate: 10 }),
    makeStream(1, 'audio', 'aac', { channels: 1, sampleRate: 44_100 }),
  ],
};

before(async () => {
  const make = (source: string, to: string): Promise<void> =>
    ffmpeg(
      '-f',
      'lavfi',
      '-i',
      `${source}=s=480x270:r=10:d=12,noise=alls=60:allf=t`,
      '-f',
      'lavfi',
      '-i',
      'sine=d=12',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-qp',
      '16',
      '-g',
      '10',
      '-c:a',
      'aac',
      to,
    );
  await make('testsrc2', film);
  await make('testsrc', other);
});
after(() => rmSync(folder, { recursive: true, force: true }));

interface Played {
  master: string;
  /** Addresses of the video's segments. */
  segments: string[];
}

async function plan(house: Media): Promise<Played> {
  const reply = await house.get(`/api/v1/items/${ID}/playback?${BROWSER}`);
  const text = await reply.text();
  assert.equal(reply.status, 200, text);
  const { mode, urls } = JSON.parse(text) as { mode: string; urls: { hls: string } };
  assert.equal(mode, 'remux');
  const lines = async (path: string): Promise<string[]> =>
    (await (await house.get(path)).text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const beside = (path: string, child: string): string => {
    const { pathname, search } = new URL(child, `http://host${path}`);
    return pathname + search;
  };
  const [video = ''] = await lines(urls.hls);
  const playlist = beside(urls.hls, video);
  return { master: urls.hls, segments: (await lines(playlist)).map((segment) => beside(playlist, segment)) };
}

async function opened(t: TestContext): Promise<Media> {
  const house = await openTestMedia(t, { info: INFO, name: 'Film.mkv' });
  house.write('Film.mkv', readFileSync(film));
  return house;
}
const fails = async (reply: Response, status: number, words: RegExp): Promise<void> => {
  const text = await reply.text();
  assert.deepEqual([reply.status, words.test(text)], [status, true], `${reply.status} ${text}`);
};

test('a file that is replaced', async (t) => {
  const house = await opened(t);
  const { segments } = await plan(house);
  assert.equal(segments.length, 3);
  const first = await house.get(segments[0] ?? '');
  assert.equal(first.status, 200);
  const before = Buffer.from(await first.arrayBuffer());
  copyFileSync(other, join(house.folder, 'new'));
  renameSync(join(house.folder, 'new'), join(house.folder, 'Film.mkv'));
  await fails(await house.get(segments[1] ?? ''), 409, /the file was replaced or changed; play it again/);
  const again = await house.get((await plan(house)).segments[0] ?? '');
  assert.equal(again.status, 200);
  assert.notDeepEqual(Buffer.from(await again.arrayBuffer()), before);
});

test('a file that is cut, and whole again', async (t) => {
  const house = await opened(t);
  const path = join(house.folder, 'Film.mkv');
  const { segments } = await plan(house);
  assert.equal((await house.get(segments[0] ?? '')).status, 200);
  truncateSync(path, 50_000);
  await fails(await house.get(segments[2] ?? ''), 409, /the file was replaced or changed; play it again/);
  house.write('Film.mkv', readFileSync(film));
  for (const segment of (await plan(house)).segments) assert.equal((await house.get(segment)).status, 200);
});

/** Library access that hangs after `left` calls, until `heal` is called. */
function failingIo(real: LibraryIo): LibraryIo & { left: number; heal(): void } {
  const hung = new Set<() => void>();
  const io = {
    ...real,
    left: Infinity,
    run: <T>(work: () => Promise<T>, late?: (value: T) => void): Promise<T> =>
      real.run(async () => {
        io.left -= 1;
        if (io.left < 0) await new Promise<void>((resolve) => hung.add(resolve));
        return work();
      }, late),
    heal: () => {
      io.left = Infinity;
      for (const resume of hung) resume();
      hung.clear();
    },
  };
  return io;
}

test('a share that hangs before a segment and in the middle of one, and comes back', async (t) => {
  const house = await opened(t);
  const ioPool = createIoPool({ threads: 4, deadlineMs: 400 });
  const io = failingIo(ioPool.forLibrary(house.folder));
  t.after(() => {
    io.heal();
    ioPool.close();
  });
  Object.assign(house.catalog, { root: (path: string) => openRoot(path, io) });
  const { segments } = await plan(house);
  const [one = '', two = '', three = ''] = segments;
  const whole = await house.get(one);
  assert.equal(whole.status, 200);
  assert.ok((await whole.arrayBuffer()).byteLength > 1024 ** 2, 'it takes several reads');

  io.left = 0;
  await fails(await house.get(two), 503, /cannot be reached|not responding|cannot be read/);
  io.heal();
  // Until a late call has come back, a reply may still be refused or cut.
  const healed = async (path: string): Promise<ArrayBuffer> =>
    until('the share', async () => {
      const reply = await house.get(path);
      const body = await reply.arrayBuffer().catch(() => undefined);
      return reply.status === 503 ? undefined : body;
    });
  const size = (await healed(two)).byteLength;

  // The reads that open the file are made, and some of its bytes.
  let cut: { status: number; bytes: number } | undefined;
  for (let calls = 1; cut === undefined && calls < 30; calls += 1) {
    io.left = calls;
    const reply = await house.get(three);
    const body = await reply.arrayBuffer().then(
      ({ byteLength }) => byteLength,
      () => -1,
    );
    if (reply.status === 200 && body < 0) cut = { status: reply.status, bytes: body };
    else if (reply.status === 200) break;
    io.heal();
    await healed(one);
  }
  assert.deepEqual(cut, { status: 200, bytes: -1 }, 'the connection ends where the bytes do');
  const again = await plan(house);
  assert.equal((await healed(again.segments[1] ?? '')).byteLength, size);
});

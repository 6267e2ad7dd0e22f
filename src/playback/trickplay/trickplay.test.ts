/** Preview pictures over the startTestServer, of real videos: each frame carries its number as black and white bars. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { until } from '../../../test/until.ts';
import { Failure } from '../../lib/failure.ts';
import { createKeptFiles, openForReading } from '../../lib/files.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { HIDDEN, ID, makeStream } from '../testing.ts';
import type { Rendition } from '../rendition.ts';
import { createRemux } from '../remux/index.ts';
import { createSources } from '../sources.ts';
import { createTrickplay } from './index.ts';

import {
  FILM,
  RATE,
  folder,
  makeFilm,
  numberInPicture,
  pictureCues,
  type PictureServer,
  removeFilm,
  startPictures,
} from './testing.ts';

before(makeFilm);
after(removeFilm);

test('each picture shows the frame of its time, and each chapter its first one that is not black', async (t) => {
  const s = await startPictures(t);
  const first = await s.ask('index.vtt');
  assert.deepEqual(
    [first.status, first.headers.get('retry-after'), await first.json()],
    [202, '2', { state: 'making', progress: 0 }],
  );
  const index = await s.ready('index.vtt');
  assert.deepEqual(
    [index.status, index.headers.get('content-type'), index.headers.get('cache-control')],
    [200, 'text/vtt', 'private, no-cache'],
  );
  const cues = pictureCues(await index.text());
  assert.deepEqual(
    cues.map(({ from }) => from),
    Array.from({ length: 13 }, (_, n) => n * 10),
  );
  const sheet = await s.ask('0.jpg');
  assert.deepEqual([sheet.status, sheet.headers.get('content-type')], [200, 'image/jpeg']);
  const jpeg = Buffer.from(await sheet.arrayBuffer());
  assert.deepEqual([(await sharp(jpeg).metadata()).width, (await sharp(jpeg).metadata()).height], [3200, 384]);
  for (const { from, left, top, width, height } of cues)
    if (from !== 30)
      assert.equal(await numberInPicture(jpeg, { left, top, width, height }), from * RATE, `the picture at ${from} s`);
  const chapters = await Promise.all(
    [0, 1, 2].map(async (n) => numberInPicture(Buffer.from(await (await s.ask(`chapter-${n}.jpg`)).arrayBuffer()))),
  );
  assert.deepEqual(chapters, [0, 64, 124], 'the second begins black at frame 60, the third between two keyframes');
  for (const missing of ['1.jpg', 'chapter-3.jpg']) assert.equal((await s.ask(missing)).status, 404, missing);
  assert.equal((await s.ask('index.vtt', { 'if-none-match': index.headers.get('etag') ?? '' })).status, 304);
  assert.equal(s.runs(), 1);
});

test('with an index only the needed keyframes are decoded, and the pictures are the same', async (t) => {
  for (const [name, container] of [
    ['film.mkv', 'matroska'],
    ['film.mp4', 'mp4'],
  ] as const) {
    const path = join(folder, name);
    if (name !== 'film.mkv') execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', FILM, '-c', 'copy', path]);
    let decoded = 0;
    const s: PictureServer = await startPictures(t, {
      bytes: readFileSync(path),
      needs: {
        copiedVideo: async (file, signal) =>
          remux.rendition(await sources.of(file), 0, { isOpenGopAllowed: true }, signal),
      },
      keyPictures: (real) =>
        async function* (...args) {
          assert.ok('fragments' in args[0]);
          for await (const picture of real(...args)) {
            decoded++;
            yield picture;
          }
        },
    });
    const remux = createRemux({ processes: s.processes, log: quietLog });
    // Each look at this clock is a second later, so that the name of the file is checked each time.
    let time = 0;
    const kept = createKeptFiles({ clock: { monotonic: () => (time += 1_000) } });
    const sources = createSources({ catalog: s.catalog, kept, cuts: {} as never });
    t.after(() => kept.close());
    if (s.file.info) s.file.info.container = container;
    const cues = pictureCues(await (await s.ready('index.vtt')).text());
    assert.deepEqual(
      cues.map(({ from }) => from),
      Array.from({ length: 13 }, (_, n) => n * 10),
      name,
    );
    const jpeg = Buffer.from(await (await s.ask('0.jpg')).arrayBuffer());
    for (const cue of cues)
      if (cue.from !== 30)
        assert.equal(await numberInPicture(jpeg, cue), cue.from * RATE, `the picture at ${cue.from} s of ${name}`);
    const chapters = await Promise.all(
      [0, 1, 2].map(async (n) => numberInPicture(Buffer.from(await (await s.ask(`chapter-${n}.jpg`)).arrayBuffer()))),
    );
    assert.deepEqual(chapters, [0, 64, 124], name);
    assert.equal(decoded, 23, 'of 65 keyframes');
    // More pictures than one run decodes: the times of the second run are those of the file, too.
    if (s.file.info)
      s.file.info.chapters = Array.from({ length: 65 }, (_, n) => ({ start: n * 2, end: n * 2 + 2, title: String(n) }));
    utimesSync(join(s.folder, 'Film.mkv'), 3, 3);
    await s.ready('index.vtt');
    for (const n of [1, 59, 60, 64])
      assert.equal((await s.ask(`chapter-${n}.jpg`)).status, 200, `chapter ${n} of ${name}`);
    for (const n of [1, 59, 60, 64])
      assert.equal(
        await numberInPicture(Buffer.from(await (await s.ask(`chapter-${n}.jpg`)).arrayBuffer())),
        n * 4,
        `chapter ${n} of ${name}`,
      );
    assert.equal(s.runs(), 3);
    await remux.close();
  }
});

test('they are kept over a restart and a rename, and made again of other bytes', async (t) => {
  const s = await startPictures(t);
  await s.ready('index.vtt');
  await s.again();
  renameSync(join(s.folder, 'Film.mkv'), join(s.folder, 'Renamed.mkv'));
  s.file.relative = 'Renamed.mkv';
  assert.equal((await s.ask('0.jpg')).status, 200);
  assert.equal(s.runs(), 1);
  utimesSync(join(s.folder, 'Renamed.mkv'), 1, 1);
  assert.equal((await s.ask('0.jpg')).status, 202);
  await s.ready('0.jpg');
  assert.equal(s.runs(), 2);
});

test('a damaged pack is made again', async (t) => {
  const s = await startPictures(t);
  await s.ready('index.vtt');
  const [name = ''] = s.cached();
  const path = join(s.base, 'cache', 'trickplay', name);
  writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size - 100));
  await s.again();
  assert.equal((await s.ask('index.vtt')).status, 202);
  assert.equal((await s.ready('0.jpg')).status, 200);
});

test('the links of the index are those that its caller can open', async (t) => {
  const s = await startPictures(t);
  await s.ready('index.vtt');
  const [cue] = pictureCues(await (await s.ask('index.vtt?ticket=abc%2B1&part=1')).text());
  assert.equal(cue?.sheet, '0.jpg?part=1&ticket=abc%2B1');
});

test('what may not be seen, has no video or is no picture name is not there', async (t) => {
  const s = await startPictures(t);
  for (const path of [`${HIDDEN}/index.vtt`, `${HIDDEN}/0.jpg`, `${ID}/index.vtt?part=2`]) {
    const reply = await s.ask(path);
    assert.deepEqual(
      [reply.status, await reply.json()],
      [404, { error: 'no such item', reason: 'no-such-item' }],
      path,
    );
  }
  assert.equal((await s.ask(`${ID}/index.vtt`, { authorization: 'Bearer nobody' })).status, 401);
  for (const name of ['index.vtt2', '..%2F..%2Fetc%2Fpasswd', '0.png', '-1.jpg', '0000.jpg', 'chapter-.jpg'])
    assert.equal((await s.ask(name)).status, 400, name);
  s.file.info = {
    container: 'mp3',
    size: 1,
    duration: 10,
    streams: [makeStream(0, 'audio', 'mp3')],
    chapters: [],
    tags: {},
  };
  assert.equal((await s.ask('index.vtt')).status, 404);
  assert.equal(s.runs(), 0);
});

test('a video that cannot be decoded is a sentence, and is not tried again at once', async (t) => {
  const whole = readFileSync(FILM);
  const s = await startPictures(t, { bytes: Buffer.concat([whole.subarray(0, 600), Buffer.alloc(20_000, 0x55)]) });
  const reply = await s.ready('index.vtt');
  assert.deepEqual(
    [reply.status, await reply.json()],
    [409, { error: 'no pictures can be made of this video', reason: 'undecodable' }],
  );
  const { status } = await s.ask('0.jpg');
  assert.deepEqual([status, s.runs(), s.cached()], [409, 1, []]);
});

test('a file that cannot be cut is decoded as it is, and one that cannot be read now is no damaged one', async (t) => {
  const broken = new Failure('unavailable', 'this library cannot be reached', { reason: 'library-offline' });
  let isAway = true;
  const keyframes = [{ start: 0, duration: 10 }];
  const away = {
    keyframes,
    init: () => Promise.reject(broken),
    keyframe: () => Promise.reject(broken),
  } as unknown as Rendition;
  const s = await startPictures(t, { needs: { copiedVideo: async () => (isAway ? away : undefined) } });
  const { signal } = new AbortController();
  const other = createTrickplay({
    catalog: s.catalog,
    ffmpeg: s.ffmpeg,
    clock: { monotonic: () => 0 },
    log: quietLog,
    cache: join(s.base, 'other'),
    isConverting: () => false,
    copiedVideo: async () => (isAway ? away : undefined),
  });
  t.after(() => other.close());
  await assert.rejects(other.make(s.file, {}, signal), /this library cannot be reached/);
  isAway = false;
  assert.equal((await s.ready('index.vtt')).status, 200);
});

test('the pictures of a file that is damaged in the middle are those that can be read', async (t) => {
  const bytes = readFileSync(FILM);
  bytes.fill(0, Math.floor(bytes.length * 0.4), Math.floor(bytes.length * 0.5));
  const s = await startPictures(t, { bytes });
  const cues = pictureCues(await (await s.ready('index.vtt')).text());
  assert.ok(cues.length >= 8 && cues.length <= 13, String(cues.length));
  const jpeg = Buffer.from(await (await s.ask('0.jpg')).arrayBuffer());
  const last = cues.at(-1) ?? assert.fail();
  assert.equal(await numberInPicture(jpeg, last), last.from * RATE);
});

test('a file that is replaced while its keyframes are read is no damaged one', async (t) => {
  const changed = new Failure('conflict', 'the file was replaced or changed; play it again', { reason: 'changed' });
  const video = {
    keyframes: [{ start: 0, duration: 10 }],
    init: () => Promise.reject(changed),
  } as unknown as Rendition;
  let isChanged = true;
  let now = 0;
  const s = await startPictures(t, {
    needs: { clock: { monotonic: () => now }, copiedVideo: async () => (isChanged ? video : undefined) },
  });
  const reply = await s.ready('index.vtt');
  assert.deepEqual([reply.status, await reply.json()], [409, { error: changed.message, reason: 'changed' }]);
  isChanged = false;
  assert.equal((await s.ask('index.vtt')).status, 409, 'not at once');
  now = 60_000;
  assert.equal((await s.ready('index.vtt')).status, 200);
});

test('nothing is kept of a file that changes while its pictures are made', async (t) => {
  const s = await startPictures(t, {
    keyPictures: (real) =>
      async function* (...args) {
        yield* real(...args);
        s.write('Film.mkv', readFileSync(FILM).subarray(1));
      },
  });
  await s.ask('index.vtt');
  await until(
    'the end of the run',
    () => s.runs() === 1 && statSync(join(s.folder, 'Film.mkv')).size !== statSync(FILM).size,
  );
  await s.again();
  assert.deepEqual(s.cached(), []);
});

test('a stop in the middle leaves nothing half made, and what a killed server left is removed', async (t) => {
  const begun = Promise.withResolvers<void>();
  const s = await startPictures(t, {
    keyPictures: (real) =>
      async function* (...args) {
        for await (const picture of real(...args)) {
          yield picture;
          if (picture.time < 40) continue;
          begun.resolve();
          if (s.runs() === 1) await new Promise<void>((resolve) => args[1]?.addEventListener('abort', () => resolve()));
          args[1]?.throwIfAborted();
        }
      },
  });
  await s.ask('index.vtt');
  await begun.promise;
  await s.again();
  mkdirSync(join(s.base, 'cache', 'trickplay'), { recursive: true });
  writeFileSync(join(s.base, 'cache', 'trickplay', '.matinee-0123456789abcdef.part'), 'half');
  assert.equal((await s.ask('index.vtt')).status, 202);
  await s.ready('index.vtt');
  assert.equal(s.cached().length, 1);
  assert.equal(s.runs(), 2);
});

test('the cache keeps to its bound, and drops what was not used for longest', async (t) => {
  const s = await startPictures(t);
  await s.ready('index.vtt');
  const [first = ''] = s.cached();
  const size = statSync(join(s.base, 'cache', 'trickplay', first)).size;
  const bounded = createTrickplay({
    catalog: s.catalog,
    ffmpeg: s.ffmpeg,
    clock: { monotonic: () => 0 },
    log: quietLog,
    cache: join(s.base, 'cache'),
    isConverting: () => false,
    copiedVideo: async () => undefined,
    maxBytes: Math.round(size * 1.5),
  });
  t.after(() => bounded.close());
  const { signal } = new AbortController();
  assert.equal(await bounded.make(s.file, {}, signal), 'there');
  assert.equal(await bounded.hasRoom(), true);
  utimesSync(join(s.folder, 'Film.mkv'), 2, 2);
  const heard: number[] = [];
  assert.equal(await bounded.make(s.file, { progress: (part) => void heard.push(part) }, signal), 'made');
  assert.deepEqual([s.cached().length, s.cached().includes(first), heard.at(-1)], [1, false, 1]);
  const tiny = createTrickplay({
    catalog: s.catalog,
    ffmpeg: s.ffmpeg,
    clock: { monotonic: () => 0 },
    log: quietLog,
    cache: join(s.base, 'tiny'),
    isConverting: () => false,
    copiedVideo: async () => undefined,
    maxBytes: 100,
  });
  t.after(() => tiny.close());
  await assert.rejects(tiny.make(s.file, {}, signal), /no room/);
});

test('nothing is made while video is converted', async (t) => {
  let isConverting = true;
  let looks = 0;
  const s = await startPictures(t, { needs: { isConverting: () => (looks++, isConverting) } });
  await s.ask('index.vtt');
  await until('two looks', () => looks >= 2);
  assert.equal(s.runs(), 0);
  isConverting = false;
  await s.ready('index.vtt');
  assert.equal(s.runs(), 1);
  const open = await openForReading(join(s.folder, 'Film.mkv'));
  await open.close();
});

/** Walks of files without an index: started once, stored whole, slow during playback, ended on demand. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { systemClock } from '../../../lib/clock.ts';
import { Failure } from '../../../lib/failure.ts';
import { openForReading } from '../../../lib/files.ts';
import { createProcesses, type Processes } from '../../../lib/process.ts';
import { quietLog } from '../../../lib/process/testing.ts';
import { until } from '../../../../test/until.ts';
import type { MediaSource } from '../../rendition.ts';
import { ffmpeg, sourceOf } from '../../remux/testing/compare.ts';
import { createIndexStore } from './store.ts';
import { createWalks, type Walks, type WalksNeeds } from './walks.ts';
import { builtHelper } from '../../../../test/built-helpers.ts';

const folder = mkdtempSync(join(tmpdir(), 'walks-'));
const film = join(folder, 'film.ts');
const never = new AbortController().signal;
let processes: Processes;
let cache = '';
let count = 0;
const opened: Walks[] = [];

before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=160x90:r=25:d=10',
    '-f',
    'lavfi',
    '-i',
    'sine=d=10',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '25',
    '-c:a',
    'aac',
    film,
  );
});
beforeEach(() => {
  cache = join(folder, `cache-${(count += 1)}`);
  mkdirSync(cache);
});
after(async () => {
  for (const walks of opened) await walks.close();
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

function walksWith(changes: Partial<WalksNeeds> = {}): Walks {
  const walks = createWalks({
    processes,
    log: quietLog,
    clock: systemClock,
    cache,
    isPlaying: () => false,
    stepBytes: 64 * 1024,
    restMs: 1,
    ...changes,
  });
  opened.push(walks);
  return walks;
}
const stored = (): string[] => (existsSync(join(cache, 'indexes')) ? readdirSync(join(cache, 'indexes')) : []);
const refusing = (source: MediaSource, open: MediaSource['open']): MediaSource => ({ ...source, open });

test('the first question begins a walk, whose result is there after a restart', async () => {
  const walks = walksWith();
  assert.equal(await walks.stored(sourceOf(film)), undefined);
  await until('the walk is done', async () => (await walks.stored(sourceOf(film))) !== undefined);
  const index = await walks.stored(sourceOf(film));
  assert.deepEqual(
    index?.tracks.map(({ codec, stream, obstacles }) => ({ codec, stream, obstacles })),
    [
      { codec: 'h264', stream: 0, obstacles: [] },
      { codec: 'aac', stream: 1, obstacles: [] },
    ],
  );
  assert.equal(index?.keyframes.times.length, 10);
  assert.deepEqual(await walksWith().stored(sourceOf(film)), index);
});

test('a walk says how far it is, and is done once', async () => {
  const walks = walksWith();
  const seen: number[] = [];
  assert.equal(await walks.walk(sourceOf(film), { progress: (part) => seen.push(part) }, never), 'walked');
  assert.ok(seen.length > 1 && seen.every((part, i) => part > (seen[i - 1] ?? 0) && part <= 1), JSON.stringify(seen));
  assert.equal(await walks.walk(sourceOf(film), {}, never), 'there');
});

test('the walk ends when the last caller leaves, and nothing is stored', async () => {
  let isPlaying = true;
  const walks = walksWith({ isPlaying: () => isPlaying, restMs: 60_000 });
  const controller = new AbortController();
  await assert.rejects(
    walks.walk(
      sourceOf(film),
      { progress: () => controller.abort(new Failure('gone', 'enough', { reason: 'playback-ended' })) },
      controller.signal,
    ),
    { message: 'enough' },
  );
  await until('the walk has ended', () => walks.progressOf(film) === undefined);
  assert.deepEqual(stored(), []);
  isPlaying = false;
  assert.equal(await walks.walk(sourceOf(film), {}, never), 'walked');
});

test('while something is played, a walk rests between its steps', async () => {
  let asked = 0;
  const walks = walksWith({ restMs: 60_000, isPlaying: () => (asked += 1) > 0 });
  let steps = 0;
  const walking = walks.walk(sourceOf(film), { progress: () => (steps += 1) }, never);
  walking.catch(() => {});
  await until('the first rest', () => asked === 1);
  await walks.close();
  assert.equal(steps, 1, 'the second step would come a minute later');
  await assert.rejects(walking);
});

test('a file that is not understood is walked once and stays refused', async () => {
  const text = join(folder, 'text.ts');
  writeFileSync(text, '#EXTM3U\n'.repeat(1000));
  const walks = walksWith();
  assert.equal(await walks.walk(sourceOf(text), {}, never), 'refused');
  let opens = 0;
  const counted = refusing(sourceOf(text), () => {
    opens += 1;
    return openForReading(text);
  });
  assert.equal(await walks.stored(counted), undefined);
  assert.equal(await walks.walk(counted, {}, never), 'refused');
  assert.equal(opens, 0);
});

test('a file that was replaced in the middle of its walk is not stored', async () => {
  const copy = join(folder, 'copy.ts');
  writeFileSync(copy, readFileSync(film));
  const walks = walksWith();
  const { mtimeMs } = statSync(copy);
  const original = refusing(sourceOf(copy), async () => {
    const file = await openForReading(copy);
    if (file.mtimeMs === mtimeMs) return file;
    await file.close();
    throw new Failure('conflict', 'the file was replaced', { reason: 'changed' });
  });
  await assert.rejects(walks.walk(original, { progress: () => utimesSync(copy, 1, 1) }, never), { kind: 'conflict' });
  assert.deepEqual(stored(), []);
});

test('a file that cannot be read is left alone for a while', async () => {
  const walks = walksWith();
  let opens = 0;
  const away = refusing(sourceOf(film), () => {
    opens += 1;
    return Promise.reject(new Failure('unavailable', 'the share is away', { reason: 'library-offline' }));
  });
  await assert.rejects(walks.walk(away, {}, never), { kind: 'unavailable' });
  assert.equal(await walks.stored(away), undefined);
  await assert.rejects(walks.walk(away, {}, never), { kind: 'unavailable' });
  assert.equal(opens, 1);
});

test('damaged and unfinished files of the cache are removed, and a walk is done again', async () => {
  await walksWith().walk(sourceOf(film), {}, never);
  const [name = ''] = stored();
  const path = join(cache, 'indexes', name);
  const bytes = readFileSync(path);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(path, bytes);
  writeFileSync(join(cache, 'indexes', '.matinee-0123456789abcdef.part'), 'x');
  assert.equal(await walksWith().walk(sourceOf(film), {}, never), 'walked');
  assert.deepEqual(stored(), [name]);
});

test('the cache stays below its limit, the index used longest ago going first', async () => {
  const store = createIndexStore({ folder: join(cache, 'indexes'), log: quietLog, maxBytes: 1000 });
  const large = { refused: 'x'.repeat(300) };
  for (const name of ['a', 'b', 'c']) {
    await store.put(name, large);
    await store.get('a');
  }
  assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(async (name) => (await store.get(name)) !== undefined)), [
    true,
    false,
    true,
  ]);
  assert.equal(await store.hasRoom(), true);
  await store.put('d', { refused: 'x'.repeat(2000) });
  assert.deepEqual(await store.get('d'), { refused: 'its index is too large' });
});

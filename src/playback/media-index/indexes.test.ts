/** Indexes are read once, shared, kept up to a limit, and never of another file than the one that was meant. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { Failure } from '../../lib/failure.ts';
import { inRoot, openForReading, openRoot, type FileLocation } from '../../lib/files.ts';
import { unlimitedIo } from '../../lib/io-pool.ts';
import type { Helper, HelperNeeds } from '../../lib/process.ts';
import { until } from '../../../test/until.ts';
import { createProcesses, HelperFailure, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createRemux } from '../remux/index.ts';
import type { MediaSource } from '../rendition.ts';
import { createMediaIndexes, type MediaIndexesNeeds } from './indexes.ts';
import type { MediaAnswer, MediaQuestion } from './messages.ts';
import type { IndexData } from './types.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const folder = mkdtempSync(join(tmpdir(), 'indexes-'));
const never = new AbortController().signal;
let processes: Processes;

before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  execFileSync('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc=s=64x48:r=10:d=9',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '20',
    '-threads',
    '1',
    join(folder, 'film.mkv'),
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '20',
    '-threads',
    '1',
    join(folder, 'film.mp4'),
  ]);
});
after(async () => {
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

const sourceOf = (media: FileLocation, identity: string): MediaSource => ({
  identity,
  media,
  info: { container: '', size: 0, streams: [], chapters: [], tags: {} },
  open: () => openForReading(media),
});
const failing = (kind: string) => (error: unknown) => error instanceof Failure && error.kind === kind;

const DATA: IndexData = {
  duration: 10,
  tracks: [],
  main: 0,
  obstacles: [],
  layout: { kind: 'tables', tables: [] },
  keyframes: { times: new Float64Array(1000), places: new Float64Array(1000), isIdr: new Uint8Array(1000) },
};

/** Indexes over a helper with scripted replies; `asked` counts the requests. */
function standIn(
  reply: (question: MediaQuestion, signal: AbortSignal | undefined) => MediaAnswer | Promise<MediaAnswer>,
  more: Partial<MediaIndexesNeeds> = {},
) {
  const asked: string[] = [];
  const ask = async (question: MediaQuestion, signal?: AbortSignal): Promise<MediaAnswer> => {
    asked.push(question.file.path);
    return reply(question, signal);
  };
  const helper = {
    ask,
    stats: () => ({ children: 0, waiting: 0, answered: 0, replaced: 0 }),
    close: () => Promise.resolve(),
  } as Helper;
  return {
    asked,
    indexes: createMediaIndexes({
      processes: { startHelper: (_needs: HelperNeeds) => helper },
      log: quietLog,
      ...more,
    }),
  };
}
const film = (n: number): MediaSource => sourceOf(join(folder, 'film.mp4'), `film ${n}`);

test('viewers share one reading, also while it is under way', async () => {
  const { asked, indexes } = standIn(() => ({ index: DATA }));
  const [one, other] = await Promise.all([indexes.open(film(1), never), indexes.open(film(1), never)]);
  assert.equal(one, other);
  assert.equal(await indexes.open(film(1), never), one);
  assert.equal(asked.length, 1);
});

test('the least recently used go first when there are too many', async () => {
  const { asked, indexes } = standIn(() => ({ index: DATA }), { maxBytes: 50_000 });
  for (const n of [1, 2, 1, 3, 1]) await indexes.open(film(n), never);
  assert.equal(asked.length, 3, 'each was read once');
  await indexes.open(film(2), never);
  assert.equal(asked.length, 4, 'the second had gone');
  await indexes.open(film(1), never);
  assert.equal(asked.length, 4, 'the first was used since');
});

test('one who leaves does not take the index from the others', async () => {
  const gate = Promise.withResolvers<MediaAnswer>();
  const { asked, indexes } = standIn(() => gate.promise);
  const leaving = new AbortController();
  const left = indexes.open(film(1), leaving.signal);
  const stays = indexes.open(film(1), never);
  leaving.abort();
  await assert.rejects(left, { name: 'AbortError' });
  gate.resolve({ index: DATA });
  assert.equal((await stays).duration, 10);
  assert.equal(asked.length, 1);
});

test('the reading ends when the last caller has left, and the next one begins it again', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const { indexes } = standIn((_, signal) => {
    signals.push(signal);
    return signals.length > 1
      ? { index: DATA }
      : new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new HelperFailure('media-index', 'aborted'))),
        );
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [first, second].map((one) =>
    assert.rejects(indexes.open(film(1), one.signal), { name: 'AbortError' }),
  );
  await until('the reading', () => signals.length === 1);
  first.abort();
  await waiting[0];
  assert.equal(signals[0]?.aborted, false, 'the second waits for it');
  second.abort();
  await waiting[1];
  assert.equal(signals[0]?.aborted, true);
  assert.equal((await indexes.open(film(1), never)).duration, 10);
  assert.equal(signals.length, 2);
});

test('an unreadable file has the obstacle no-index; a file that ends the helper is not read again', async () => {
  const { asked, indexes } = standIn(({ file }) => {
    if (file.path.endsWith('mkv')) throw new HelperFailure('media-index', 'crashed');
    return { refused: 'because' };
  });
  assert.deepEqual((await indexes.open(film(1), never)).obstacles, ['no-index']);
  for (let i = 0; i < 3; i += 1)
    assert.deepEqual((await indexes.open(sourceOf(join(folder, 'film.mkv'), 'bad'), never)).obstacles, ['no-index']);
  assert.equal(asked.length, 2);
});

test('a stored index is found once it is there', async () => {
  let isMade = false;
  const { asked, indexes } = standIn(() => ({ refused: 'another container' }), {
    stored: () => Promise.resolve(isMade ? DATA : undefined),
  });
  assert.deepEqual((await indexes.open(film(1), never)).obstacles, ['no-index']);
  isMade = true;
  assert.deepEqual((await indexes.open(film(1), never)).obstacles, []);
  assert.deepEqual((await indexes.open(film(1), never)).obstacles, []);
  assert.equal(asked.length, 2, 'from then on it is kept');
});

test('what hangs or is away is unavailable, and asked again the next time', async () => {
  const { asked, indexes } = standIn(() => {
    throw new HelperFailure('media-index', 'hung');
  });
  await assert.rejects(indexes.open(film(1), never), failing('unavailable'));
  await assert.rejects(indexes.open(film(1), never), failing('unavailable'));
  assert.equal(asked.length, 2);
});

/** A copy of a film that may be changed, and a remux over the real helper. */
function copied(t: TestContext, name: string): { path: string; remux: ReturnType<typeof createRemux> } {
  const path = join(folder, `changed-${name}`);
  copyFileSync(join(folder, name), path);
  const remux = createRemux({ processes, log: quietLog });
  t.after(() => remux.close());
  return { path, remux };
}

test('a file that was replaced in the middle of the film is a conflict', async (t) => {
  for (const name of ['film.mkv', 'film.mp4']) {
    const { path, remux } = copied(t, name);
    const planned = await openForReading(path);
    await planned.close();
    // As the source of a session does: a file of another size or time is not the one that was planned.
    const source: MediaSource = {
      ...sourceOf(path, name),
      open: async () => {
        const file = await openForReading(path);
        if (file.size === planned.size && file.mtimeMs === planned.mtimeMs) return file;
        await file.close();
        throw new Failure('conflict', 'the file has changed', { reason: 'changed' });
      },
    };
    const video = await remux.rendition(source, 0, {}, never);
    await video.segment(0, 'who', never);
    appendFileSync(path, 'more');
    await assert.rejects(video.segment(1, 'who', never), failing('conflict'));
  }
});

test('the helper refuses a file that is another one by the time it opens it', async () => {
  const real = processes.startHelper({
    name: 'media-index',
    module: new URL('./index-helper.ts', import.meta.url),
    deadlineMs: 10_000,
    isBinary: true,
  });
  const path = join(folder, 'film.mp4');
  const { size, mtimeMs, ino } = await openForReading(path).then(async (file) => {
    await file.close();
    return file;
  });
  const ask = (file: object): Promise<MediaAnswer> =>
    real.ask({ is: 'index', file: { path, size, mtimeMs, ino, ...file } });
  assert.ok('index' in (await ask({})));
  for (const other of [{ size: size + 1 }, { mtimeMs: mtimeMs + 1 }, { ino: ino + 1 }])
    assert.deepEqual(await ask(other), { failed: 'changed' });
  assert.deepEqual(await ask({ path: join(folder, 'gone.mp4') }), { failed: 'unreadable' });
  await real.close();
});

test('a file of a library is read below its folder, and segments beyond the end are missing', async (t) => {
  const root = await openRoot(folder, unlimitedIo);
  t.after(() => root.close());
  const remux = createRemux({ processes, log: quietLog });
  t.after(() => remux.close());
  const source = sourceOf(inRoot(root, 'film.mkv'), 'inside');
  const video = await remux.rendition(source, 0, {}, never);
  assert.equal(video.segments.length, 3);
  await assert.rejects(video.segment(3, 'who', never), failing('missing'));
  await assert.rejects(video.keyframe?.(99, never) ?? Promise.resolve(), failing('missing'));
  await assert.rejects(remux.rendition(source, 7, {}, never), failing('conflict'));
  writeFileSync(join(folder, 'text.mkv'), 'not a film at all');
  assert.deepEqual((await remux.facts(sourceOf(join(folder, 'text.mkv'), 'text'), never)).obstacles, ['no-index']);
});

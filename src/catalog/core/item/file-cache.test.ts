/** Files of items come from memory until a write of files, and never as they were before it. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { openTemporaryDatabase, openTemporaryPostgres } from '../../../lib/db/testing.ts';
import { grow, openWorld, worldMigrations } from '../../testing/world.ts';
import { createItemFiles } from './file-cache.ts';
import type { MediaInfo } from '../../probe/types.ts';
import type { FileRecord } from '../../store/records.ts';

const row = (id: string): FileRecord => ({ id, missing: null }) as FileRecord;

test('an item is read once, and again after a write', async () => {
  const reads: string[] = [];
  const files = createItemFiles({
    files: async (item) => (reads.push(item), [row(`${item}-file`), { ...row('gone'), missing: 1 }]),
    info: async (id) => (id === 'b-file' ? undefined : ({ container: 'matroska' } as MediaInfo)),
  });
  assert.deepEqual(
    (await files.of('a')).map((one) => [one.row.id, one.info?.container]),
    [['a-file', 'matroska']],
  );
  await files.of('a');
  assert.equal((await files.of('b'))[0]?.info, undefined);
  assert.deepEqual(reads, ['a', 'b']);
  files.forget();
  await files.of('a');
  assert.deepEqual(reads, ['a', 'b', 'a']);
});

test('background work that reads every item drops none of those in use', async () => {
  const reads: string[] = [];
  const files = createItemFiles({ files: async (item) => (reads.push(item), []), info: async () => undefined });
  await files.of('played');
  for (let i = 0; i < 100; i++) await files.once(`${i}`);
  await files.once('played');
  await files.of('played');
  assert.deepEqual(reads, ['played', ...Array.from({ length: 100 }, (_, i) => `${i}`)]);
});

test('files that were read during a write are not cached', async () => {
  const reading = Promise.withResolvers<void>();
  let now = 'before';
  const files = createItemFiles({
    files: async () => {
      const read = row(now);
      await reading.promise;
      return [read];
    },
    info: async () => undefined,
  });
  const asked = files.of('a');
  now = 'after';
  files.forget();
  reading.resolve();
  await asked;
  assert.equal((await files.of('a'))[0]?.row.id, 'after');
});

test('the 32 items that were used last are cached', async () => {
  const reads: string[] = [];
  const files = createItemFiles({ files: async (item) => (reads.push(item), []), info: async () => undefined });
  for (let i = 0; i < 32; i++) await files.of(`${i}`);
  await files.of('0');
  await files.of('one more');
  await files.of('0');
  assert.equal(reads.length, 33);
  await files.of('1');
  assert.equal(reads.length, 34);
});

for (const [engine, open] of [
  ['sqlite', openTemporaryDatabase],
  ['postgres', openTemporaryPostgres],
] as const) {
  test(`a scan that moves, replaces or loses a file is followed (${engine})`, async (t) => {
    const w = await openWorld(t, { films: 'movies' }, await open(t, worldMigrations));
    grow(w.at('films'), { 'Alpha (2001)/Alpha (2001).mp4': true });
    await w.scan();
    const id = await w.id('Alpha');
    const placeOf = async () => (await w.seen().file(id))?.relative;
    assert.equal(await placeOf(), 'Alpha (2001)/Alpha (2001).mp4');
    const to = `${w.at('films')}/New/Alpha (2001)/Alpha (2001).mp4`;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(`${w.at('films')}/Alpha (2001)/Alpha (2001).mp4`, to);
    await w.scan();
    assert.equal(await placeOf(), 'New/Alpha (2001)/Alpha (2001).mp4');
    rmSync(to);
    grow(w.at('films'), { 'Alpha (2001)/Alpha (2001).mkv': true });
    await w.scan();
    const [now] = await w.files();
    assert.ok(now);
    assert.equal((await w.seen().file(await w.id('Alpha')))?.relative, 'Alpha (2001)/Alpha (2001).mkv');
  });
}

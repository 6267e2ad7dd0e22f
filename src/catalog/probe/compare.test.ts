/** Every field of the header reader equals that of ffprobe, for files of many kinds. */

import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { test } from 'node:test';
import { fromFfprobe } from './from-ffprobe.ts';
import type { HeaderReading } from './read.ts';
import { createHead, readHeader } from './read.ts';
import { makeCorpus } from './testing/corpus.ts';
import { differences } from './testing/differences.ts';

const head = createHead();

const look = (path: string): { reading: HeaderReading; size: number } => {
  const fd = openSync(path, 'r');
  const { size } = fstatSync(fd);
  try {
    return { size, reading: readHeader(size, (into, offset) => readSync(fd, into, 0, into.length, offset), head) };
  } finally {
    closeSync(fd);
  }
};

test('the header reader agrees with ffprobe on every field of every kind of file', async (t) => {
  const { made, missing } = await makeCorpus();
  assert.deepEqual(missing, []);
  assert.ok(made.length > 150, 'the corpus is complete');
  for (const { name, path, reply, isRead } of made) {
    await t.test(name, () => {
      const { reading, size } = look(path);
      const container = 'info' in reading ? reading.info.container : reading.container;
      const expected = fromFfprobe(reply, { size, container });
      assert.ok(expected !== undefined && expected.streams.length > 0);
      if ('info' in reading) assert.deepEqual(differences(reading.info, expected), []);
      // Kinds that the reader promises to read must not be left to ffprobe unnoticed.
      else assert.equal(isRead, false, reading.uncertain);
    });
  }
});

test('a wrong field is noticed', async () => {
  const { made } = await makeCorpus();
  const film = made.find(({ name }) => name === 'film-ass.mkv');
  assert.ok(film !== undefined);
  const { reading, size } = look(film.path);
  assert.ok('info' in reading);
  const [first] = reading.info.streams;
  assert.ok(first !== undefined);
  first.level = 99;
  reading.info.chapters.pop();
  const expected = fromFfprobe(film.reply, { size, container: 'matroska' });
  assert.ok(expected !== undefined);
  const found = differences(reading.info, expected);
  assert.equal(found.length, 2);
  assert.match(found[0] ?? '', /^streams\.0\.level: 99 is not/);
});

test('profile and compatibility of Dolby Vision are read out of its record', async () => {
  const { made } = await makeCorpus();
  const found = made.flatMap(({ name, path }) => {
    const { reading } = look(path);
    const [video] = 'info' in reading ? reading.info.streams : [];
    return video?.dolbyVision ? [[name, video.hdr, video.dolbyVision.profile, video.dolbyVision.compatibility]] : [];
  });
  assert.deepEqual(found, [
    ['dolby-8-1.mp4', 'dolby-vision', 8, 1],
    ['dolby-8-4.mp4', 'dolby-vision', 8, 4],
    ['dolby-5.mp4', 'dolby-vision', 5, 0],
    ['dolby-7.mkv', 'dolby-vision', 7, 6],
    ['dolby-8-4.mkv', 'dolby-vision', 8, 4],
  ]);
});

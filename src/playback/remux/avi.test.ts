/**
 * The truth about AVI files: their copied streams decode to the pictures and samples of the file, at the times at which
 * ffmpeg shows them, whether an index was read or the file was walked.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '../../lib/clock.ts';
import { createProcesses, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createWalks, type Walks } from '../media-index/walk/walks.ts';
import { createRemux, type Remux } from './index.ts';
import { makeAviClips } from './testing/avi-clips.ts';
import {
  compare,
  decodeAll,
  missingPictures,
  sourceOf,
  writeAll,
  writeKeyframes,
  type WrittenSegment,
} from './testing/compare.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const folder = mkdtempSync(join(tmpdir(), 'avi-'));
const signal = new AbortController().signal;
let processes: Processes;
let walks: Walks;
let indexed: Remux;
let walked: Remux;
let clip: (name: string) => string;

before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  walks = createWalks({
    processes,
    log: quietLog,
    clock: systemClock,
    cache: join(folder, 'cache'),
    isPlaying: () => false,
    stepBytes: 64 * 1024,
  });
  indexed = createRemux({ processes, log: quietLog });
  walked = createRemux({ processes, log: quietLog, stored: walks.stored });
  clip = await makeAviClips(folder);
});
after(async () => {
  await walks.close();
  await indexed.close();
  await walked.close();
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Files whose own index is used, with the number of streams that are copied. */
const INDEXED: Readonly<Record<string, number>> = {
  'mp3.avi': 2,
  'vbr.avi': 2,
  'aac.avi': 3,
  'plain.avi': 1,
  'rate44.avi': 2,
  'xvid.avi': 1,
  'pcm.avi': 1,
  'late-video.avi': 2,
  'late-sound.avi': 2,
  'absolute.avi': 2,
  'records.avi': 2,
  'bytes.avi': 2,
  'bytes44.avi': 2,
  'empty.avi': 2,
  'apart.avi': 2,
  'large.avi': 2,
  'hole.avi': 2,
};
const WALKED: Readonly<Record<string, number>> = {
  'none.avi': 2,
  'wrong.avi': 2,
  'half.avi': 2,
  'unmarked.avi': 2,
  'parts.avi': 2,
  'cut.avi': 2,
};
const OPEN: Readonly<Record<string, number>> = { 'open.avi': 1, 'open-none.avi': 1 };

test('every copied stream of an AVI file decodes to its pictures and samples, at their times', async () => {
  const written: WrittenSegment[] = [];
  const counts: Record<string, number> = {};
  for (const name of [...Object.keys(INDEXED), ...Object.keys(WALKED), ...Object.keys(OPEN)]) {
    const remux = name in INDEXED ? indexed : walked;
    if (name in WALKED || name === 'open-none.avi') await walks.walk(sourceOf(clip(name)), {}, signal);
    const some = await writeAll(remux, clip(name), folder, { isOpenGopAllowed: name in OPEN });
    counts[name] = some.length;
    // ffmpeg reads all of a hole that it could step over, so these are compared with the file that they were made from.
    written.push(...some.map((one) => (/hole|parts/.test(name) ? { ...one, source: clip('mp3.avi') } : one)));
  }
  assert.deepEqual(counts, { ...INDEXED, ...WALKED, ...OPEN });
  await decodeAll(written);
  const results = written.map((one) => compare(one, one.source.includes('44') ? 44_100 : 48_000));
  assert.deepEqual(
    results.filter(({ problem }) => problem !== undefined),
    [],
  );
});

test('what the index does not tell is refused until the file was walked', async () => {
  for (const name of [...Object.keys(WALKED), 'open-none.avi'])
    assert.deepEqual((await indexed.facts(sourceOf(clip(name)), signal)).obstacles, ['no-index'], name);
});

test('each keyframe of an I-frame playlist is the picture of its time', async () => {
  const written = [
    await writeKeyframes(indexed, clip('mp3.avi'), folder),
    await writeKeyframes(indexed, clip('rate44.avi'), folder),
  ];
  await decodeAll(written);
  assert.deepEqual(
    written.map((one) => missingPictures(one)),
    [[], []],
  );
});

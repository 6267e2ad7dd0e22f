/**
 * Files without an index, compared with the original: after a walk, their copied streams decode to the
 * pictures and samples of the file, at the same times.
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
import {
  beginOf,
  compare,
  decodeAll,
  missingPictures,
  sourceOf,
  writeAll,
  type WrittenSegment,
} from './testing/compare.ts';
import { makeWalkedClips } from './testing/walked-clips.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const folder = mkdtempSync(join(tmpdir(), 'walked-'));
const signal = new AbortController().signal;
let processes: Processes;
let walks: Walks;
let remux: Remux;
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
  remux = createRemux({ processes, log: quietLog, stored: walks.stored });
  clip = await makeWalkedClips(folder);
});
after(async () => {
  await walks.close();
  await remux.close();
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

const COPIED: Readonly<Record<string, number>> = {
  'aac.flv': 2,
  'aac.ts': 2,
  'ac3.ts': 3,
  'hevc.ts': 2,
  'open.ts': 1,
  'ac3.m2ts': 3,
  'fec.ts': 2,
  'wrap.ts': 2,
  'late.ts': 2,
  'rate44.ts': 2,
  'mpeg2.ts': 1,
  'programs.ts': 2,
  'one-program.ts': 2,
  'fields.ts': 1,
  'field-pairs.ts': 1,
  'ahead.ts': 3,
  'back.ts': 3,
  'unaligned.ts': 2,
  'unaligned.m2ts': 2,
  'no-cues.mkv': 2,
  'wrong-cues.mkv': 2,
  'no-cues.webm': 2,
  'live.mkv': 2,
};

/**
 * Recordings whose clock jumps are compared with what ffmpeg makes of them, and streams that were cut anywhere with
 * those that they were cut from.
 */
const COMPARED: Readonly<Record<string, string>> = {
  'ahead.ts': 'ahead.nut',
  'back.ts': 'back.nut',
  'unaligned.ts': 'single.ts',
  'unaligned.m2ts': 'single-hevc.ts',
};

test('every copied stream of a walked file decodes to the pictures and samples of the file', async () => {
  const written: WrittenSegment[] = [];
  const counts: Record<string, number> = {};
  for (const name of Object.keys(COPIED)) {
    await walks.walk(sourceOf(clip(name)), {}, signal);
    const compared = clip(COMPARED[name] ?? name);
    const begin = name.endsWith('ts') ? await beginOf(compared) : 0;
    const some = await writeAll(remux, clip(name), folder, { isOpenGopAllowed: name === 'open.ts' });
    counts[name] = some.length;
    written.push(...some.map((one) => ({ ...one, source: compared, begin })));
  }
  assert.deepEqual(counts, COPIED);
  await decodeAll(written);
  const results = written.map((one) => compare(one, one.source.includes('44') ? 44_100 : 48_000));
  assert.deepEqual(
    results.filter(({ problem }) => problem !== undefined),
    [],
  );
});

test('two fields are one sample', async () => {
  for (const name of ['fields.ts', 'field-pairs.ts']) {
    await walks.walk(sourceOf(clip(name)), {}, signal);
    const index = await remux.facts(sourceOf(clip(name)), signal);
    const plan = index.plan(false);
    const counts = await Promise.all(plan.segments.map(async (_, n) => (await index.samples(0, plan, n)).times.length));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      225,
      name,
    );
    assert.equal(index.tracks[0]?.frameRate, 25, name);
  }
});

test('a damaged Matroska file without cues plays on at the next whole cluster, at the times that it had', async () => {
  const whole = clip('no-cues.mkv');
  await walks.walk(sourceOf(whole), {}, signal);
  const {
    keyframes: { times },
  } = await remux.facts(sourceOf(whole), signal);
  const written: WrittenSegment[] = [];
  for (const name of ['noise.mkv', 'zeros.mkv', 'lies.mkv']) {
    assert.equal(await walks.walk(sourceOf(clip(name)), {}, signal), 'walked', name);
    const found = await remux.facts(sourceOf(clip(name)), signal);
    assert.deepEqual(
      found.keyframes.times,
      times.filter((time) => Math.abs(time - (times[1] ?? 0)) > 0.001),
      `${name}: all keyframes but that of the damaged cluster`,
    );
    written.push(...(await writeAll(remux, clip(name), folder)));
  }
  assert.deepEqual(
    written.flatMap(({ problems }) => problems.filter((problem) => !problem.includes('frames of sound'))),
    [],
  );
  await decodeAll(written.map((one) => ({ ...one, source: whole })));
  // Each picture that is shown is that of its time, and the second half of the film is complete.
  for (const one of written.filter(({ kind }) => kind === 'video'))
    assert.deepEqual(missingPictures({ ...one, source: whole, problems: [] }), [], one.path);
});

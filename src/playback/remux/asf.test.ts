/**
 * The truth about ASF files (Windows Media): once they were walked, their copied streams decode to the pictures and
 * samples of the file, at the times at which ffmpeg shows them.
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
  compare,
  decodeAll,
  ffmpeg,
  missingPictures,
  sourceOf,
  writeAll,
  writeKeyframes,
  type WrittenSegment,
} from './testing/compare.ts';
import { rewriteAsf } from './testing/rewrite-asf.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const folder = mkdtempSync(join(tmpdir(), 'asf-'));
const signal = new AbortController().signal;
const at = (name: string): string => join(folder, name);
let processes: Processes;
let walks: Walks;
let remux: Remux;

before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: at('tmp'), helperModule: builtHelper });
  walks = createWalks({
    processes,
    log: quietLog,
    clock: systemClock,
    cache: at('cache'),
    isPlaying: () => false,
    stepBytes: 64 * 1024,
  });
  remux = createRemux({ processes, log: quietLog, stored: walks.stored });
  const tone = (layout: string): string[] => [
    '-f',
    'lavfi',
    '-i',
    `sine=f=330:beep_factor=3:r=48000:d=9,aformat=channel_layouts=${layout}`,
  ];
  const x264 = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '48',
    '-bf',
    '3',
    '-threads',
    '1',
  ];
  const video = ['-map', '0', ...x264];
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=160x90:r=24000/1001:d=9',
    ...tone('stereo'),
    ...tone('5.1'),
    ...video,
    '-map',
    '1',
    '-c:a',
    'libmp3lame',
    '-b:a',
    '64k',
    at('mp3.wmv'),
    ...video,
    '-map',
    '1',
    '-map',
    '2',
    '-c:a:0',
    'aac',
    '-c:a:1',
    'ac3',
    at('aac.asf'),
    ...video,
    '-x264-params',
    'open-gop=1:scenecut=0:b-adapt=0',
    at('open.asf'),
    '-map',
    '0',
    '-map',
    '1',
    '-c:v',
    'wmv2',
    '-g',
    '48',
    '-c:a',
    'libmp3lame',
    at('wmv2.wmv'),
    '-map',
    '0',
    '-map',
    '1',
    '-c:v',
    'wmv2',
    '-c:a',
    'wmav2',
    at('windows.wmv'),
    ...video,
    '-map',
    '1',
    '-c:a',
    'aac',
    at('aac.mp4'),
  );
  await ffmpeg('-i', at('aac.mp4'), '-c', 'copy', at('lengths.asf'));
  rewriteAsf(at('mp3.wmv'), at('groups.wmv'), { group: 5 });
  rewriteAsf(at('mp3.wmv'), at('single.wmv'), { isSingle: true });
  rewriteAsf(at('aac.asf'), at('extended.asf'), { isExtended: true });
  rewriteAsf(at('mp3.wmv'), at('damaged.wmv'), { damaged: [40] });
});
after(async () => {
  await walks.close();
  await remux.close();
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

const COPIED: Readonly<Record<string, number>> = {
  'mp3.wmv': 2,
  'aac.asf': 3,
  'open.asf': 1,
  'wmv2.wmv': 1,
  'lengths.asf': 2,
  'groups.wmv': 2,
  'single.wmv': 2,
  'extended.asf': 3,
};

test('every copied stream of a walked ASF file decodes to its pictures and samples, at their times', async () => {
  const written: WrittenSegment[] = [];
  const counts: Record<string, number> = {};
  for (const name of Object.keys(COPIED)) {
    await walks.walk(sourceOf(at(name)), {}, signal);
    const some = await writeAll(remux, at(name), folder, { isOpenGopAllowed: name === 'open.asf' });
    counts[name] = some.length;
    written.push(...some);
  }
  assert.deepEqual(counts, COPIED);
  await decodeAll(written);
  const results = written.map((one) => compare(one, 48_000));
  assert.deepEqual(
    results.filter(({ problem }) => problem !== undefined),
    [],
  );
});

test('each keyframe of an I-frame playlist is the picture of its time', async () => {
  await walks.walk(sourceOf(at('mp3.wmv')), {}, signal);
  const written = await writeKeyframes(remux, at('mp3.wmv'), folder);
  await decodeAll([written]);
  assert.deepEqual(missingPictures(written), []);
});

test('a film continues after a damaged packet, at the same times', async () => {
  for (const name of ['single.wmv', 'damaged.wmv']) await walks.walk(sourceOf(at(name)), {}, signal);
  const [whole, damaged] = [
    await remux.facts(sourceOf(at('mp3.wmv')), signal),
    await remux.facts(sourceOf(at('damaged.wmv')), signal),
  ];
  const times = [...whole.keyframes.times];
  assert.ok(damaged.keyframes.times.length >= times.length - 1);
  assert.deepEqual(
    [...damaged.keyframes.times].filter((time) => !times.includes(time)),
    [],
  );
  const some = await writeAll(remux, at('damaged.wmv'), folder);
  // One frame of sound does not follow the one before it: what the packet had is missing.
  assert.deepEqual(
    some.map(({ problems }) => problems.filter((problem) => !problem.startsWith('1 frames of sound'))),
    [[], []],
  );
});

test('a file with nothing to copy is refused', async () => {
  assert.equal(await walks.walk(sourceOf(at('windows.wmv')), {}, signal), 'refused');
});

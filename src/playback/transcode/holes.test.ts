/**
 * Files whose pictures come seldom, begin late or end early have every segment all the same, and time never goes back.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { until } from '../../../test/until.ts';
import { createEncoder } from '../../lib/ffmpeg/encode/index.ts';
import type { VideoRecipe } from '../plan/types.ts';
import type { Rendition } from '../rendition.ts';
import { bufferOf, makeClips, type Clips, never, NUMBERED, numbersIn, samplesOf } from './testing.ts';

let clip: Clips;
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '48'];

before(async () => {
  clip = await makeClips();
});
after(() => clip.close());

const recipe: VideoRecipe = {
  kind: 'video',
  stream: 0,
  codec: 'h264',
  width: 320,
  height: 180,
  bitrate: 800_000,
  deinterlace: false,
  rotate: 0,
};
const SOFTWARE = { preset: 'ultrafast' } as const;

/** All segments in order of one run, checked to begin with a keyframe in their span and to follow each other. */
async function wholeOf(video: Rendition): Promise<Buffer[]> {
  const init = await video.init(never);
  const segments: Buffer[] = [];
  let last = -1;
  for (const [k, span] of video.segments.entries()) {
    const bytes = await bufferOf(await video.segment(k, 'viewer', never));
    const samples = samplesOf(init, bytes);
    assert.ok(samples[0]?.isKey, `segment ${k} begins with a keyframe`);
    for (const { dts } of samples) {
      assert.ok(dts > last, `segment ${k}: ${dts} after ${last}`);
      assert.ok(
        dts / 90_000 >= span.start - 0.05 &&
          dts / 90_000 < span.start + span.duration + (k === video.segments.length - 1 ? 30 : 0.05),
        `segment ${k} has a picture of ${dts / 90_000}`,
      );
      last = dts;
    }
    segments.push(bytes);
  }
  return segments;
}

test('pictures that come seldom, and then often', async () => {
  // One picture in five seconds for twenty seconds, then all of them.
  await clip.make(
    '-f',
    'lavfi',
    '-i',
    `color=black:s=320x180:r=25:d=30,${NUMBERED},select='if(lt(t,20),not(mod(n,125)),1)'`,
    '-vsync',
    'passthrough',
    '-enc_time_base',
    '1/1000',
    ...X264,
    clip.path('seldom.mkv'),
  );
  const source = await clip.source('seldom.mkv');
  const real = createEncoder({ processes: clip.processes });
  let runs = 0;
  const transcode = clip.transcode({ encoders: { ...real, video: (...args) => (runs++, real.video(...args)) } });
  const video = await transcode.video(source, recipe, SOFTWARE);
  const numbers = await numbersIn(clip, video, await wholeOf(video));
  // A segment without a picture shows the next one.
  assert.deepEqual(
    [...new Set(numbers)].filter((n) => n >= 500),
    Array.from({ length: 250 }, (_, i) => 500 + i),
  );
  assert.equal(runs, 1, 'no run failed');
  // A position between two pictures, by a separate run.
  const other = clip.transcode();
  const sought = await other.video(source, recipe, SOFTWARE);
  assert.equal(samplesOf(await sought.init(never), await bufferOf(await sought.segment(3, 'viewer', never))).length, 1);
});

test('a recording that begins between two keyframes', async () => {
  await clip.make(
    '-f',
    'lavfi',
    '-i',
    `color=black:s=320x180:r=25:d=12,${NUMBERED}`,
    '-f',
    'lavfi',
    '-i',
    'sine=d=12',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '75',
    '-c:a',
    'aac',
    clip.path('whole.ts'),
  );
  const bytes = readFileSync(clip.path('whole.ts'));
  writeFileSync(clip.path('cut.ts'), bytes.subarray(188 * Math.floor(bytes.length / 188 / 20)));
  const video = await clip.transcode().video(await clip.source('cut.ts'), recipe, SOFTWARE);
  const numbers = await numbersIn(clip, video, await wholeOf(video));
  assert.equal(numbers.at(-1), 299);
  assert.deepEqual(
    [...new Set(numbers)].filter((n) => n >= 75),
    Array.from({ length: 225 }, (_, i) => 75 + i),
  );
});

test('pictures that end before the file does', async () => {
  // Written to a pipe, so that nothing in the file says how long its streams are.
  await clip.make(
    '-f',
    'lavfi',
    '-i',
    `color=black:s=320x180:r=25:d=5.4,${NUMBERED}`,
    '-f',
    'lavfi',
    '-i',
    'sine=d=15',
    ...X264,
    '-c:a',
    'aac',
    '-live',
    '1',
    clip.path('short.mkv'),
  );
  const source = await clip.source('short.mkv', { duration: 15 });
  const video = await clip.transcode().video(source, recipe, SOFTWARE);
  assert.equal(video.segments.length, 8);
  const numbers = await numbersIn(clip, video, await wholeOf(video));
  assert.deepEqual(
    numbers.slice(0, 135),
    Array.from({ length: 135 }, (_, i) => i),
  );
  assert.ok(
    numbers.length === 140 && numbers.slice(135).every((n) => n === 100),
    `the last keyframe stays: ${numbers.slice(135).join()}`,
  );
  // A position without a picture, by a separate run.
  const late = await clip.transcode().video(source, recipe, SOFTWARE);
  const last = await bufferOf(await late.segment(6, 'viewer', never));
  assert.deepEqual(await numbersIn(clip, late, [last]), [100]);
});

test('a run follows the one whose list of keyframes ended, before it is asked for', async () => {
  await clip.make('-f', 'lavfi', '-i', `color=black:s=320x180:r=25:d=20,${NUMBERED}`, ...X264, clip.path('long.mkv'));
  const real = createEncoder({ processes: clip.processes });
  let runs = 0;
  const transcode = clip.transcode({
    limits: { runSegments: 3 },
    encoders: { ...real, video: (...args) => (runs++, real.video(...args)) },
  });
  const video = await transcode.video(await clip.source('long.mkv'), recipe, SOFTWARE);
  const first = await bufferOf(await video.segment(0, 'viewer', never));
  await until('all four runs', () => runs === 4);
  const rest: Buffer[] = [];
  for (let k = 1; k < video.segments.length; k++) rest.push(await bufferOf(await video.segment(k, 'viewer', never)));
  assert.deepEqual(
    await numbersIn(clip, video, [first, ...rest]),
    Array.from({ length: 500 }, (_, i) => i),
  );
});

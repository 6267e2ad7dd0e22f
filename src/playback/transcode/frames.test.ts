/**
 * Every picture of the source is in exactly one segment and at its time, wherever runs begin and whatever the
 * container.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { VideoRecipe } from '../plan/types.ts';
import { bufferOf, makeClips, type Clips, FILM_RATE, never, NUMBERED, numbersIn, samplesOf } from './testing.ts';

let clip: Clips;
const VIDEO = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '60'];

before(async () => {
  clip = await makeClips();
  const pictures = `color=black:s=320x180:r=24000/1001:d=30,${NUMBERED}`;
  await clip.make(
    '-f',
    'lavfi',
    '-i',
    pictures,
    '-f',
    'lavfi',
    '-i',
    'sine=f=440:r=48000:d=30',
    ...VIDEO,
    '-c:a',
    'aac',
    clip.path('film.mkv'),
  );
  await clip.make('-i', clip.path('film.mkv'), '-c', 'copy', clip.path('film.mp4'));
  await clip.make('-i', clip.path('film.mkv'), '-c', 'copy', clip.path('film.ts'));
  // Every fifth picture is missing, and times move by up to 12 ms.
  await clip.make(
    '-i',
    clip.path('film.mkv'),
    '-an',
    '-vf',
    "select='mod(n,5)',setpts='PTS+0.012*mod(N*7,5)/5/TB'",
    '-vsync',
    'passthrough',
    '-enc_time_base',
    '1/1000',
    ...VIDEO,
    clip.path('varied.mkv'),
  );
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

/** The same numbers in every run of the test. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 16_807) % 2_147_483_647) % below;
}

for (const { name, zero } of [
  { name: 'film.mkv', zero: 0 },
  { name: 'film.mp4', zero: 0 },
  { name: 'film.ts', zero: undefined },
  { name: 'varied.mkv', zero: 0 },
]) {
  test(`${name}: each segment has the pictures of its time, from one run and from runs at random places`, async () => {
    const times = await clip.times(name, 'v:0');
    const source = await clip.source(name);
    const origin = zero ?? Math.min(times[0] ?? 0, ...(await clip.times(name, 'a:0')));
    const draw = drawing(7);
    // One run from the beginning, then each segment from a separate run, in an order that no run serves.
    for (const isRandom of [false, true]) {
      const transcode = clip.transcode({ limits: { nearSegments: isRandom ? 0 : 8 } });
      const video = await transcode.video(source, recipe, { preset: 'ultrafast' });
      const init = await video.init(never);
      const count = video.segments.length;
      const order = isRandom
        ? Array.from({ length: 5 }, () => draw(count))
        : Array.from({ length: count }, (_, i) => i);
      const rate = name === 'varied.mkv' ? 0 : FILM_RATE;
      for (const k of order) {
        const bytes = await bufferOf(await video.segment(k, `viewer-${isRandom ? k : 0}`, never));
        const span = video.segments[k] ?? assert.fail();
        const found = samplesOf(init, bytes).map(({ dts }) => dts / 90_000 + origin);
        const end = k === count - 1 ? Infinity : span.start + span.duration + origin;
        const half = rate === 0 ? 0 : 0.5 / rate;
        const wanted = times.filter(
          (time) => time >= span.start + origin - (half || 0.0265) && time < end - (half || 0.0265),
        );
        if (rate !== 0)
          assert.deepEqual(
            found.map((time) => time.toFixed(2)),
            wanted.map((time) => time.toFixed(2)),
            `${name} ${isRandom ? 'a run at' : 'one run,'} segment ${k}`,
          );
        assert.ok(
          found.every((time, i) => Math.abs(time - (wanted[i] ?? Infinity)) < 0.001),
          `times of segment ${k}: ${found.join()} and ${wanted.join()}`,
        );
        assert.ok(samplesOf(init, bytes).every(({ isKey }, i) => isKey === (i === 0)));
      }
      transcode.close();
    }
  });
}

test('the numbers in the pictures count on over all joins', async () => {
  const transcode = clip.transcode({ limits: { nearSegments: 0 } });
  const video = await transcode.video(await clip.source('film.mkv'), recipe, { preset: 'ultrafast' });
  const segments: Buffer[] = [];
  // Every second segment first, by runs of another preset than those between them.
  for (const k of [1, 3, 5, 7, 9, 11, 13]) segments[k] = await bufferOf(await video.segment(k, `odd-${k}`, never));
  const other = await transcode.video(await clip.source('film.mkv'), recipe, { preset: 'veryfast' });
  for (let k = 0; k < video.segments.length; k++)
    segments[k] ??= await bufferOf(await other.segment(k, `even-${k}`, never));
  const numbers = await numbersIn(clip, video, segments);
  assert.deepEqual(
    numbers,
    Array.from({ length: 720 }, (_, i) => i),
  );
});

/**
 * Converted sound is on its grid, joins without a click wherever runs meet, lasts as long as the film, and keeps its
 * loudness.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { SAMPLE_RATE } from '../../lib/ffmpeg/encode/index.ts';
import type { AudioRecipe } from '../plan/types.ts';
import type { Rendition } from '../rendition.ts';
import { bufferOf, makeClips, type Clips, never, samplesOf } from './testing.ts';

let clip: Clips;
const SECONDS = 12;

before(async () => {
  clip = await makeClips();
  // Two tones and a sweep: any slip of a sample is seen.
  const tones = `aevalsrc='0.3*sin(2*PI*440*t)+0.2*sin(2*PI*(200+40*t)*t)':s=48000:d=${SECONDS}`;
  await clip.make('-f', 'lavfi', '-i', tones, '-c:a', 'flac', clip.path('sound.flac'));
  const picture = ['-f', 'lavfi', '-i', `color=black:s=64x36:r=24:d=${SECONDS}`];
  const film = ['-map', '0', '-map', '1', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '48'];
  await clip.make(...picture, '-i', clip.path('sound.flac'), ...film, '-c:a', 'copy', clip.path('flac.mkv'));
  await clip.make(
    ...picture,
    '-i',
    clip.path('sound.flac'),
    ...film,
    '-c:a',
    'aac',
    '-b:a',
    '256k',
    clip.path('aac.mkv'),
  );
  await clip.make(
    ...picture,
    '-i',
    clip.path('sound.flac'),
    ...film,
    '-c:a',
    'ac3',
    '-b:a',
    '256k',
    clip.path('ac3.ts'),
  );
  await clip.make(
    ...picture,
    '-i',
    clip.path('sound.flac'),
    ...film,
    '-c:a',
    'mp3',
    '-ar',
    '44100',
    '-b:a',
    '256k',
    clip.path('mp3.mkv'),
  );
});
after(() => clip.close());

const recipe = (more: Partial<AudioRecipe> = {}): AudioRecipe => ({
  kind: 'audio',
  stream: 1,
  codec: 'aac',
  channels: 1,
  bitrate: 192_000,
  downmix: false,
  ...more,
});

/** Samples of one channel in segments that follow each other. */
async function heard(rendition: Rendition, segments: readonly Uint8Array[], channels = 1): Promise<Float32Array> {
  writeFileSync(clip.path('heard.mp4'), Buffer.concat([await rendition.init(never), ...segments]));
  const bytes = await clip.output('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-i',
    clip.path('heard.mp4'),
    '-ac',
    String(channels),
    '-f',
    'f32le',
    'pipe:1',
  ]);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
/** Samples by which `b` is later than `a`, found in the middle. */
function lagOf(a: Float32Array, b: Float32Array): number {
  let best = { lag: 0, sum: Infinity };
  for (let lag = -2500; lag <= 2500; lag++) {
    let sum = 0;
    for (let i = 5 * SAMPLE_RATE; i < 5 * SAMPLE_RATE + 3000; i += 7) sum += Math.abs((a[i] ?? 0) - (b[i + lag] ?? 0));
    if (sum < best.sum) best = { lag, sum };
  }
  return best.lag;
}
/** The largest difference between two pieces of sound. */
function difference(a: Float32Array, b: Float32Array, from: number, to: number): number {
  let most = 0;
  for (let i = from; i < to; i++) most = Math.max(most, Math.abs((a[i] ?? 0) - (b[i] ?? 0)));
  return most;
}

for (const [name, codec] of [
  ['flac.mkv', 'aac'],
  ['flac.mkv', 'eac3'],
  ['aac.mkv', 'aac'],
  ['ac3.ts', 'aac'],
  ['mp3.mkv', 'eac3'],
] as const) {
  test(`${name} as ${codec}: runs that join differ from one run no more than the coding does`, async () => {
    const source = await clip.source(name);
    const whole = clip.transcode();
    const one = await whole.audio(source, recipe({ codec }));
    const count = one.segments.length;
    const inOneRun: Buffer[] = [];
    for (let k = 0; k < count; k++) inOneRun.push(await bufferOf(await one.segment(k, 'listener', never)));
    const parts = clip.transcode({ limits: { nearSegments: 0 } });
    const many = await parts.audio(source, recipe({ codec }));
    const inMany: Buffer[] = [];
    for (const k of [1, 2, 0]) inMany[k] = await bufferOf(await many.segment(k, `listener-${k}`, never));
    const init = await one.init(never);
    const frame = codec === 'aac' ? 1024 : 1536;
    for (const [k, bytes] of inMany.entries()) {
      const found = samplesOf(init, bytes);
      const span = one.segments[k] ?? assert.fail();
      assert.equal(found[0]?.dts, Math.round(span.start * SAMPLE_RATE), `segment ${k} begins on its frame`);
      assert.equal(found.length * frame, Math.round(span.duration * SAMPLE_RATE), `segment ${k} has all its frames`);
      assert.deepEqual(
        found.map(({ dts }) => dts),
        samplesOf(init, inOneRun[k] ?? Buffer.alloc(0)).map(({ dts }) => dts),
      );
    }
    const [a, b] = [await heard(one, inOneRun), await heard(many, inMany)];
    const original = await clip.output('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-i',
      clip.path('sound.flac'),
      '-f',
      'f32le',
      'pipe:1',
    ]);
    const exact = new Float32Array(original.buffer.slice(original.byteOffset, original.byteOffset + original.length));
    // The codec of the file moves it by what its encoder puts in front.
    const lag = lagOf(a, exact);
    assert.ok(Math.abs(lag) < 1300, `the sound is ${lag} samples late`);
    const wanted = a.map((_, i) => exact[i + lag] ?? 0);
    // The coding error inside one run is the limit for the error at a join.
    const inside = difference(a, wanted, SAMPLE_RATE, (SECONDS - 1) * SAMPLE_RATE);
    assert.ok(inside < 0.1, `sound is what it was: ${inside}`);
    for (let k = 1; k < count; k++) {
      const at = Math.round((one.segments[k]?.start ?? 0) * SAMPLE_RATE);
      const joined = difference(b, wanted, at - 4 * frame, at + 4 * frame);
      assert.ok(
        joined <= 1.2 * inside,
        `${name} at segment ${k}: ${joined.toFixed(4)}, and ${inside.toFixed(4)} inside one run`,
      );
    }
  });
}

/** After any fault of an accelerator, software continues at the same segment with the same pictures. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type AcceleratedFfmpeg, installFfmpeg } from '../../../test/stand-ins/ffmpeg.ts';
import { createEncoder } from '../../lib/ffmpeg/encode/index.ts';
import type { Processes } from '../../lib/process.ts';
import { hardwareFault } from '../hardware/reasons.ts';
import type { VideoRecipe } from '../plan/types.ts';
import { bufferOf, makeClips, type Clips, never, NUMBERED, numbersIn } from './testing.ts';

let clip: Clips;
let standIn: AcceleratedFfmpeg;
const PICTURES = 144;
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

before(async () => {
  clip = await makeClips();
  standIn = await installFfmpeg(join(clip.base, 'stand-in'));
  await clip.make(
    '-f',
    'lavfi',
    '-i',
    `color=black:s=320x180:r=24:d=6,${NUMBERED}`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-bf',
    '2',
    '-g',
    '60',
    clip.path('film.mkv'),
  );
});
after(() => clip.close());

interface Result {
  numbers: number[];
  failures: string[];
  trouble: readonly string[];
  /** Milliseconds between the starts of programs. */
  gaps: number[];
}
async function played(mode: Parameters<AcceleratedFfmpeg['behave']>[0]['vaapi'], quietMs?: number): Promise<Result> {
  await standIn.behave(mode ? { vaapi: mode } : {});
  const failures: string[] = [];
  const starts: number[] = [];
  const processes: Pick<Processes, 'run' | 'start'> = {
    run: (command, signal) => clip.processes.run(command, signal),
    start: (command, signal) => {
      starts.push(performance.now());
      return clip.processes.start(command, signal);
    },
  };
  const encoders = createEncoder({
    processes,
    program: standIn.program,
    ...(quietMs !== undefined && { acceleratorQuietMs: quietMs }),
  });
  const transcode = clip.transcode({
    encoders,
    onHardwareFailure: (name, error) => void failures.push(`${name}: ${hardwareFault(error)}`),
  });
  const source = await clip.source('film.mkv');
  const video = await transcode.video(source, recipe, {
    preset: 'ultrafast',
    accelerator: { name: 'vaapi', device: join(standIn.devices, 'dri/renderD128') },
  });
  const segments: Buffer[] = [];
  for (let k = 0; k < video.segments.length; k++)
    segments.push(await bufferOf(await video.segment(k, 'viewer', never)));
  const { hardwareFailed } = transcode.trouble(source.identity);
  transcode.close();
  return {
    numbers: await numbersIn(clip, video, segments),
    failures,
    trouble: hardwareFailed,
    gaps: starts.slice(1).map((at, i) => at - (starts[i] ?? at)),
  };
}
const ALL = Array.from({ length: PICTURES }, (_, i) => i);

test('an accelerator that works makes every segment', async () => {
  assert.deepEqual(await played({ mode: 'ok' }), { numbers: ALL, failures: [], trouble: [], gaps: [] });
});

for (const [mode, why] of [
  ['absent', 'graphics-driver-failed'],
  ['dies', 'stopped-with-error'],
  ['crashes', 'crashed'],
  ['garbage', 'output-unusable'],
  ['wrong-size', 'output-unusable'],
  ['no-idr', 'output-unusable'],
] as const) {
  test(`software continues after one that is ${mode}`, async () => {
    const { gaps: _, ...result } = await played({ mode, frames: 60 });
    assert.deepEqual(result, { numbers: ALL, failures: [`vaapi: ${why}`], trouble: ['vaapi'] });
  });
}

const QUIET_MS = 1_000;
/** Software alone may say nothing for 20 seconds. */
const LIMIT_MS = 10_000;
for (const mode of ['hangs', 'stalls'] as const) {
  test(`software continues soon after one that ${mode}`, async () => {
    const { gaps, ...result } = await played({ mode, frames: 60 }, QUIET_MS);
    assert.deepEqual(result, { numbers: ALL, failures: ['vaapi: silent'], trouble: ['vaapi'] });
    assert.ok(gaps.length === 1 && gaps.every((gap) => gap < LIMIT_MS), `software began ${gaps.join()} ms later`);
  });
}

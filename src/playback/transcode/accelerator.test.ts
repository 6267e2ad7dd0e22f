/** Whatever an accelerator does wrong, software goes on at the same segment with the same pictures. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type AcceleratedFfmpeg, installFfmpeg } from '../../../test/stand-ins/ffmpeg.ts';
import { createEncoder } from '../../lib/ffmpeg/encode/index.ts';
import { plainReason } from '../hardware/reasons.ts';
import type { VideoRecipe } from '../plan/types.ts';
import { bufferOf, clips, type Clips, never, NUMBERED, numbersIn } from './testing.ts';

let clip: Clips;
let standIn: AcceleratedFfmpeg;
const PICTURES = 144;
const recipe: VideoRecipe = { kind: 'video', stream: 0, codec: 'h264', width: 320, height: 180, bitrate: 800_000, deinterlace: false, rotate: 0 };

before(async () => {
  clip = await clips();
  standIn = await installFfmpeg(join(clip.base, 'stand-in'));
  await clip.make('-f', 'lavfi', '-i', `color=black:s=320x180:r=24:d=6,${NUMBERED}`, '-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '60', clip.path('film.mkv'));
});
after(() => clip.close());

async function played(mode: Parameters<AcceleratedFfmpeg['behave']>[0]['vaapi']): Promise<{ numbers: number[]; failures: string[]; trouble: readonly string[] }> {
  await standIn.behave(mode ? { vaapi: mode } : {});
  const failures: string[] = [];
  const transcode = clip.transcode({ encoders: createEncoder({ processes: clip.processes, program: standIn.program }), onHardwareFailure: (name, error) => void failures.push(`${name}: ${plainReason(error)}`) });
  const source = await clip.source('film.mkv');
  const video = await transcode.video(source, recipe, { preset: 'ultrafast', accelerator: { name: 'vaapi', device: join(standIn.devices, 'dri/renderD128') } });
  const segments: Buffer[] = [];
  for (let k = 0; k < video.segments.length; k++) segments.push(await bufferOf(await video.segment(k, 'viewer', never)));
  const { hardwareFailed } = transcode.trouble(source.identity);
  transcode.close();
  return { numbers: await numbersIn(clip, video, segments), failures, trouble: hardwareFailed };
}
const ALL = Array.from({ length: PICTURES }, (_, i) => i);

test('an accelerator that works makes every segment', async () => {
  assert.deepEqual(await played({ mode: 'ok' }), { numbers: ALL, failures: [], trouble: [] });
});

for (const [mode, why] of [
  ['absent', 'the driver of the graphics device could not be started'], ['dies', 'it stopped with an error'], ['crashes', 'ffmpeg crashed'], ['hangs', 'it stopped answering'],
  ['garbage', 'what it wrote cannot be used'], ['wrong-size', 'what it wrote cannot be used'], ['no-idr', 'what it wrote cannot be used'],
] as const) {
  test(`software goes on after one that is ${mode}`, async () => {
    assert.deepEqual(await played({ mode, frames: 60 }), { numbers: ALL, failures: [`vaapi: ${why}`], trouble: ['vaapi'] });
  });
}

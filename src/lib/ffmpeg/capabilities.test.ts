/** Lists of ffmpeg are read once, and again after a failure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProcessFailure } from '../process.ts';
import { createCapabilities, ffmpegVersionOf, listedNames } from './capabilities.ts';

const PROGRAMS = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };
const REPLIES: Record<string, string> = {
  '-version': 'ffmpeg version 7.1 Copyright',
  '-encoders': ' ------\n V....D libx264   x\n',
  '-decoders': ' ------\n V....D h264   x\n',
  '-hwaccels': 'Hardware acceleration methods:\nvaapi\ncuda\n',
};

function fakeProcesses() {
  const runs: string[] = [];
  const faults: { of: string; error: Error }[] = [];
  const run: Parameters<typeof createCapabilities>[0]['run'] = ({ program, args }) => {
    const [, option = ''] = args;
    runs.push(`${program} ${option}`);
    const fault = faults.find(({ of }) => of === program);
    return fault
      ? Promise.reject(fault.error)
      : Promise.resolve({ stdout: Buffer.from(REPLIES[option] ?? ''), stderr: '', code: 0 });
  };
  return { run, runs, faults };
}

test('they are read once, however many ask', async () => {
  const processes = fakeProcesses();
  const capabilities = createCapabilities(processes, PROGRAMS);
  const [first, second] = await Promise.all([capabilities(), capabilities()]);
  assert.deepEqual(first, {
    ffmpeg: '7.1',
    ffprobe: '7.1',
    encoders: ['libx264'],
    decoders: ['h264'],
    accelerators: ['vaapi', 'cuda'],
  });
  assert.deepEqual([second, await capabilities(), processes.runs.length], [first, first, 5]);
});

test('a failed reading is forgotten, and a missing program has no capabilities', async () => {
  const processes = fakeProcesses();
  const capabilities = createCapabilities(processes, PROGRAMS);
  processes.faults.push({ of: 'ffmpeg', error: new ProcessFailure('ffmpeg', 'timeout') });
  await assert.rejects(capabilities(), ProcessFailure);
  processes.faults.splice(0, 1, { of: 'ffmpeg', error: new ProcessFailure('ffmpeg', 'missing') });
  const { ffmpeg, ffprobe, encoders } = await capabilities();
  assert.deepEqual([ffmpeg, ffprobe, encoders], [null, '7.1', []]);
});

test('versions and lists are read from their lines', () => {
  assert.equal(ffmpegVersionOf('ffmpeg version n7.1 Copyright'), 'n7.1');
  assert.equal(ffmpegVersionOf(''), null);
  assert.deepEqual(listedNames('Encoders:\n V..... = Video\n ------\n V....D libx264   x\n A....D aac       y\n'), [
    'libx264',
    'aac',
  ]);
});

/** Every accelerator is tried for real, and each way of failing is noticed and said in plain words. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type AcceleratedFfmpeg, installFfmpeg } from '../../../test/stand-ins/ffmpeg.ts';
import { until } from '../../../test/until.ts';
import { systemClock } from '../../lib/clock.ts';
import { createFfmpeg, type Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { createProcesses, ProcessFailure, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { Failure } from '../../lib/failure.ts';
import { createTrials, MAX_CLIP_BYTES } from '../../lib/ffmpeg/encode/trial.ts';
import { keepClip } from './clips.ts';
import { createKeptFacts } from './kept.ts';
import { failedTrial } from './reasons.ts';
import { createHardware, type PlaybackHardware, type HardwareNeeds } from './index.ts';
import { CLIP_SIZES, type ClipSizes } from './types.ts';
import { startsDecoding } from './verify.ts';

const SIZES: ClipSizes = { trial: { width: 320, height: 180 }, speed: { width: 480, height: 270, frames: 48 } };

let base: string;
let processes: Processes;
let standIn: AcceleratedFfmpeg;
/** Shared, because what it is able to do is asked of the program once. */
let ffmpeg: Ffmpeg;
let folders = 0;
const settings: Record<string, unknown> = {};

before(async () => {
  base = mkdtempSync(join(tmpdir(), 'hardware-'));
  processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp') });
  standIn = await installFfmpeg(join(base, 'stand-in'));
  ffmpeg = createFfmpeg({ processes, programs: { ffmpeg: standIn.program, ffprobe: 'ffprobe' } });
});
after(async () => {
  await processes.close();
  rmSync(base, { recursive: true, force: true });
});

function hardware(needs: Partial<HardwareNeeds> = {}): PlaybackHardware {
  return createHardware({
    processes,
    program: standIn.program,
    ffmpeg,
    config: { get: (key) => settings[key] as never },
    log: quietLog,
    clock: systemClock,
    cache: join(base, `cache-${folders++}`),
    place: { platform: 'linux', devices: standIn.devices },
    sizes: SIZES,
    trialMs: 60_000,
    cores: 2,
    ...needs,
  });
}
/** One that takes over what the first test found out, so that only what is asked for is tried. */
async function tested(needs: Partial<HardwareNeeds> = {}): Promise<PlaybackHardware> {
  const one = hardware({ cache: join(base, 'cache-known'), ...needs });
  await one.start();
  assert.equal((await one.view()).state, 'tested');
  return one;
}
const rowOf = async (one: PlaybackHardware, name: string) => {
  const row = (await one.view()).accelerators.find((each) => each.name === name);
  assert.ok(row);
  return row;
};

test('what passes its test is used in the order of auto, and the settings choose live', async () => {
  await standIn.behave({ vaapi: { mode: 'ok' }, qsv: { mode: 'ok' }, v4l2m2m: { mode: 'ok' } });
  const one = hardware({ cache: join(base, 'cache-known') });
  assert.equal((await one.view()).state, 'untested');
  assert.deepEqual(one.machine().accelerators, []);
  await one.start();
  const view = await one.view();
  assert.deepEqual(
    view.accelerators.map(({ name, encode, codecs }) => [name, encode.passed || encode.reason, ...codecs]),
    [
      ['cuda', 'no such device was found'],
      ['qsv', true, 'h264'],
      ['vaapi', true, 'h264', 'hevc'],
      ['videotoolbox', 'only available on macOS'],
      ['rkmpp', 'this ffmpeg was built without its encoder'],
      ['amf', 'no such device was found'],
      ['mf', 'only available on Windows'],
      ['v4l2m2m', true, 'h264'],
    ],
  );
  assert.deepEqual(
    [view.effective, view.codec, view.state, view.why],
    ['qsv', 'hevc', 'tested', 'Video is converted by qsv, which passed its test.'],
  );
  const vaapi = await rowOf(one, 'vaapi');
  assert.equal(vaapi.device, join(standIn.devices, 'dri/renderD128'));
  assert.deepEqual(
    [vaapi.decode, vaapi.toneMap, vaapi.decodes],
    [{ passed: true }, { passed: true }, ['h264', 'hevc', 'av1', 'vp9']],
  );
  assert.ok((vaapi.encode.speed ?? 0) > 0);
  assert.deepEqual((await rowOf(one, 'v4l2m2m')).decode, failedTrial({ reason: 'encodes-only', values: {} }));
  assert.deepEqual((await rowOf(one, 'v4l2m2m')).decodes, []);
  assert.ok(view.filters.includes('tonemap') && view.filters.includes('scale'));
  const machine = one.machine();
  assert.deepEqual(
    machine.accelerators.map(({ name, codecs }) => [name, ...codecs]),
    [
      ['qsv', 'h264'],
      ['vaapi', 'h264', 'hevc'],
      ['v4l2m2m', 'h264'],
    ],
  );
  assert.ok(machine.accelerators.every(({ rate, toneMapRate = 0 }) => rate > 1e5 && toneMapRate > 0));
  const { rates, decodeRate, toneMapRate } = machine.software;
  assert.ok(rates.ultrafast > rates.fast, JSON.stringify(rates));
  assert.ok([decodeRate, toneMapRate, ...Object.values(rates)].every((rate) => rate > 1e5 && rate < 1e11));
  assert.ok(view.software.speed > 0);
  assert.ok(machine.eac3 && machine.toneMaps.includes('hdr10') && machine.software.codecs.includes('h264'));

  const chosen = async (accelerator: string | undefined) => {
    settings['transcoding.accelerator'] = accelerator;
    return [
      (await one.view()).effective,
      one
        .findings()
        .map(({ level }) => level)
        .join(),
    ];
  };
  assert.deepEqual(await chosen('vaapi'), ['vaapi', 'ok']);
  assert.deepEqual(await chosen('none'), ['none', '']);
  assert.equal((await one.view()).why, 'Video is converted by the processor, because the settings say so.');
  assert.deepEqual(await chosen('cuda'), ['none', 'error']);
  assert.match(
    one.findings()[0]?.sentence ?? '',
    /^cuda is chosen and did not pass its test: no such device was found\. Video is converted by the processor instead\. In a container, pass the device/,
  );
  assert.deepEqual(await chosen(undefined), ['qsv', 'ok']);
});

test('a restart takes over what is known, unless ffmpeg or a device changed', async () => {
  await standIn.behave({});
  const [first, second] = [await tested(), await tested()];
  assert.deepEqual(await first.view(), await second.view());
  assert.deepEqual(second.machine(), first.machine());
  assert.equal((await second.view()).effective, 'qsv');
  assert.equal(
    await createKeptFacts({ folder: join(base, 'cache-known', 'hardware'), log: quietLog }).load({
      ffmpeg: '5',
      program: standIn.program,
      candidates: [],
      cores: 2,
    }),
    undefined,
  );
});

/** By how it misbehaves: what is said. */
const FAULTS = {
  absent: 'the driver of the graphics device could not be started',
  denied: 'the server may not use the device: add its user to the group that owns it (usually render)',
  'no-driver': 'the NVIDIA driver was not found',
  dies: 'it stopped with an error',
  crashes: 'ffmpeg crashed',
  'no-idr': 'it puts no keyframe where one is asked for',
  green: 'its pictures are wrong',
  'no-headers': 'its keyframes cannot be decoded on their own',
  hangs: 'it stopped answering',
  garbage: 'its output cannot be used',
  'wrong-size': 'its pictures have the wrong size',
  'no-encoder': 'this ffmpeg was built without its encoder',
} as const;

test('each way of failing is noticed and said', async () => {
  const [patient, quick] = [await tested(), await tested({ trialMs: 2_000 })];
  const found: Record<string, string | undefined> = {};
  for (const mode of Object.keys(FAULTS) as (keyof typeof FAULTS)[]) {
    await standIn.behave({ vaapi: { mode, frames: 30 } });
    const one = mode === 'hangs' ? quick : patient;
    const { isPassed } = await one.test('vaapi');
    assert.equal(isPassed, false, mode);
    found[mode] = (await rowOf(one, 'vaapi')).encode.reason;
  }
  assert.deepEqual(found, FAULTS);
  assert.ok(!patient.machine().accelerators.some(({ name }) => name === 'vaapi'));
});

test('decoding and mapping fail on their own', async () => {
  const one = await tested();
  await standIn.behave({ vaapi: { mode: 'no-decoder' } });
  assert.ok((await one.test('vaapi')).isPassed);
  const { decode, decodes } = await rowOf(one, 'vaapi');
  assert.deepEqual([decode, decodes], [failedTrial({ reason: 'pictures-refused', values: {} }), []]);
  await standIn.behave({ vaapi: { mode: 'no-tone-map' } });
  assert.ok((await one.test('vaapi')).isPassed);
  assert.equal((await rowOf(one, 'vaapi')).toneMap.passed, false);
  const vaapi = one.machine().accelerators.find(({ name }) => name === 'vaapi');
  assert.ok(vaapi && vaapi.toneMapRate === undefined);
});

test('a keyframe counts only when decoding can begin at it', () => {
  const entry = Buffer.concat([Buffer.alloc(86), Buffer.from('....avcC\x01\x64\x00\x1e\xff', 'latin1')]);
  const unit = (...types: number[]): Buffer =>
    Buffer.concat(types.map((type) => Buffer.from([0, 0, 0, 2, type, 0x80])));
  assert.deepEqual(
    [unit(9, 7, 8, 5), unit(9, 7, 8, 6, 1)].map((data) => startsDecoding('h264', entry, data)),
    [true, false],
  );
  assert.deepEqual(
    [0x26, 0x28, 0x2a, 0x02].map((head) => startsDecoding('hevc', entry, unit(head))),
    [true, true, false, false],
  );
});

test('a machine without devices is known to have none before anything is tried', async () => {
  const bare = hardware({ place: { platform: 'linux', devices: join(base, 'nowhere') } });
  assert.equal((await rowOf(bare, 'vaapi')).encode.reason, 'no graphics device was found under /dev/dri');
  assert.deepEqual((await bare.view()).state, 'untested');
  assert.deepEqual(bare.findings(), []);
});

test('a device that failed on a film is not used until it has passed a new test, and diagnostics say so', async () => {
  await standIn.behave({ v4l2m2m: { mode: 'ok' } });
  let wall = Date.parse('2026-11-20T12:00:00Z');
  const one = await tested({ clock: { now: () => wall, monotonic: () => performance.now() } });
  const isUsed = (): boolean => one.machine().accelerators.some(({ name }) => name === 'v4l2m2m');
  const warnings = (): string[] =>
    one
      .findings()
      .filter(({ level }) => level !== 'ok')
      .map(({ sentence }) => sentence);
  settings['transcoding.accelerator'] = 'v4l2m2m';
  assert.ok(isUsed());
  assert.deepEqual(warnings(), []);
  await standIn.behave({ v4l2m2m: { mode: 'no-idr' } });
  one.noteFailure('v4l2m2m', new ProcessFailure('ffmpeg', 'quiet'));
  assert.ok(!isUsed());
  assert.match((await rowOf(one, 'v4l2m2m')).encode.reason ?? '', /^it failed on a film \(it stopped answering\)/);
  const FAILED =
    'v4l2m2m failed while a film was played (it stopped answering) at 2026-11-20T12:00:00.000Z, and the ' +
    'processor took over.';
  assert.equal(warnings()[1], FAILED);
  await until('the end of the test', async () => (await one.view()).state === 'tested');
  assert.deepEqual(
    [(await one.view()).effective, (await rowOf(one, 'v4l2m2m')).encode.reason],
    ['none', 'it puts no keyframe where one is asked for'],
  );
  // A film that it cannot convert is no reason against a device that passes.
  await standIn.behave({ v4l2m2m: { mode: 'ok' } });
  one.noteFailure('v4l2m2m', new ProcessFailure('ffmpeg', 'quiet'));
  assert.ok(!isUsed());
  await until('the end of the test', async () => (await one.view()).state === 'tested');
  assert.equal((await one.view()).effective, 'v4l2m2m');
  assert.deepEqual(warnings(), [`${FAILED} It has passed its test since and is used for other films.`]);
  assert.deepEqual((await rowOf(one, 'v4l2m2m')).lastFailure, {
    at: '2026-11-20T12:00:00.000Z',
    reason: 'it stopped answering',
    why: { reason: 'silent', values: {} },
  });
  wall += 25 * 3_600_000;
  assert.deepEqual(warnings(), [], 'what was a day ago is no finding');
  settings['transcoding.accelerator'] = undefined;
});

test('a second test is refused while one runs, which says how far it is', async () => {
  await standIn.behave({});
  const one = await tested();
  const first = one.test('vaapi');
  const { progress } = await until('progress', async () => {
    const view = await one.view();
    return view.progress ? view : undefined;
  });
  assert.deepEqual(progress, { name: 'vaapi', number: 1, of: 1 });
  await assert.rejects(
    one.test(undefined),
    (error) => error instanceof Failure && error.kind === 'conflict' && error.reason === 'testing',
  );
  assert.equal((await first).isPassed, false);
  const { state, progress: none } = await one.view();
  assert.deepEqual([state, none], ['tested', undefined]);
});

test('the clip that rates are measured with is of an ordinary size', async () => {
  const { frames, ...size } = CLIP_SIZES.speed;
  const trials = createTrials({ processes, program: 'ffmpeg' });
  const part = await trials.clip('noisy', { ...size, frameRate: 24, frames: frames / 12 });
  assert.ok(part.length * 12 < MAX_CLIP_BYTES / 2, `${part.length} bytes for a twelfth`);
});

test('a clip that was damaged is generated again', async () => {
  const folder = mkdtempSync(join(base, 'clips-'));
  let generated = 0;
  const keep = async () =>
    String(
      await (await keepClip(folder, 'plain-2x2x1', () => Promise.resolve(Buffer.from(`clip ${++generated}`)))).read(),
    );
  const names = () => readdirSync(folder).length;
  assert.deepEqual([await keep(), await keep(), generated, names()], ['clip 1', 'clip 1', 1, 1]);
  writeFileSync(join(folder, String(readdirSync(folder)[0])), 'clip');
  assert.deepEqual([await keep(), generated, names()], ['clip 2', 2, 1]);
  await keepClip(folder, 'plain-2x2x12', () => Promise.resolve(Buffer.from('another')));
  assert.deepEqual([await keep(), names()], ['clip 2', 2]);
});

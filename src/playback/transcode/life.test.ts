/**
 * Runs are shared, held, ended and begun again: playback continues exactly after any fault of an encoder or the disk.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { until } from '../../../test/until.ts';
import {
  createEncoder,
  type EncodedStream,
  type MediaEncoder,
  type VideoRequest,
} from '../../lib/ffmpeg/encode/index.ts';
import { Failure } from '../../lib/failure.ts';
import { planFaults } from '../../lib/files/calls.ts';
import { ProcessFailure } from '../../lib/process.ts';
import type { VideoRecipe } from '../plan/types.ts';
import type { Rendition } from '../rendition.ts';
import {
  bufferOf,
  makeClips,
  type Clips,
  isRunning,
  killed,
  never,
  NUMBERED,
  numbersIn,
  samplesOf,
  tuned,
} from './testing.ts';

let clip: Clips;
const PICTURES = 480;
const SEGMENTS = 10;

before(async () => {
  clip = await makeClips();
  const black = '-f lavfi -i color=black:s=320x180:r=24000/1001:d=20.02';
  const make = (words: string): Promise<void> => clip.make(...words.split(' '));
  await make(`${black},${NUMBERED} -c:v libx264 -preset ultrafast -bf 2 -g 60 ${clip.path('film.mkv')}`);
  // Noise, of which a segment is more than the pipes take: what reads it is never far ahead.
  await make(`${black},noise=alls=80:allf=t,${NUMBERED} -c:v mpeg4 -q:v 5 ${clip.path('noise.mkv')}`);
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
const NOISE: VideoRecipe = { ...recipe, bitrate: 50_000_000 };
const SOFTWARE = { preset: 'ultrafast' } as const;

/** Encoders that record what they start, and can be scripted. */
function watched(
  instead?: (request: VideoRequest, real: MediaEncoder, signal?: AbortSignal) => Promise<EncodedStream> | undefined,
): { encoders: MediaEncoder; started: { request: VideoRequest; pid: number }[] } {
  const real = createEncoder({ processes: clip.processes });
  const started: { request: VideoRequest; pid: number }[] = [];
  const video: MediaEncoder['video'] = async (request, signal) => {
    const stream = await (instead?.(request, real, signal) ?? real.video(request, signal));
    started.push({ request, pid: stream.pid });
    return stream;
  };
  return { encoders: { ...real, video }, started };
}
const take = async (video: Rendition, k: number, who = 'viewer'): Promise<Buffer> =>
  bufferOf(await video.segment(k, who, never));
async function all(video: Rendition, who = 'viewer'): Promise<Buffer[]> {
  const segments: Buffer[] = [];
  for (let k = 0; k < video.segments.length; k++) segments.push(await take(video, k, who));
  return segments;
}
const isWhole = async (video: Rendition, segments: readonly Buffer[]): Promise<void> =>
  assert.deepEqual(
    await numbersIn(clip, video, segments),
    Array.from({ length: PICTURES }, (_, i) => i),
  );
const because =
  (kind: string, reason?: string) =>
  (error: unknown): boolean =>
    error instanceof Failure && error.kind === kind && error.reason === reason;
test('two sessions share one run, and what one made is there for the other', async () => {
  const { encoders, started } = watched();
  const transcode = clip.transcode({ encoders });
  const [one, two] = await Promise.all(
    [0, 1].map(async () => transcode.video(await clip.source('film.mkv'), recipe, SOFTWARE)),
  );
  assert.ok(one && two);
  assert.equal(one.segments.length, SEGMENTS);
  const [a, b] = await Promise.all([all(one, 'first'), all(two, 'second')]);
  assert.deepEqual(a, b);
  assert.equal(started.length, 1);
  await isWhole(one, a);
});

test('a session has its place wherever it seeks, and another has to wait for one', async () => {
  const { encoders, started } = watched();
  const { clock, needs } = tuned({ encoders, mostSoftware: 1, limits: { aheadSegments: 0, nearSegments: 1 } });
  const transcode = clip.transcode(needs);
  const film = await transcode.video(await clip.source('noise.mkv'), NOISE, SOFTWARE);
  const other = await transcode.video(await clip.source('film.mkv'), recipe, SOFTWARE);
  await take(film, 0, 'first');
  await assert.rejects(take(other, 0, 'second'), because('unavailable', 'too-busy'));
  await take(film, 0, 'third');
  await assert.rejects(take(film, 6, 'third'), because('unavailable', 'too-busy'), 'watching along is no place');
  // The run is of both now, and stays where the third session is.
  await take(film, 6, 'first');
  await take(film, 1, 'third');
  assert.equal(started.length, 2);
  const { identity } = await clip.source('noise.mkv');
  assert.deepEqual(
    [transcode.isRunning({ identity }, NOISE), transcode.isRunning({ identity }, recipe)],
    [true, false],
  );
  transcode.leave('first');
  transcode.leave('third');
  await take(other, 0, 'second');
  // A place that was not used for a while is another's, and not refused to one who comes back in time.
  clock.at += 60_000;
  await take(other, 0, 'second');
  clock.at += 60_000;
  await take(other, 6, 'second');
  clock.at += 100_000;
  await killed(started.at(-1)?.pid ?? 0);
  await take(film, 6, 'first');
});

test('a killed encoder is followed by another at the segment that it was at', async () => {
  for (const after of [0, 1, 3]) {
    const { encoders, started } = watched();
    // Held after each segment, so that it lives until it is killed.
    const transcode = clip.transcode({ encoders, limits: { aheadSegments: 0 } });
    const video = await transcode.video(await clip.source('noise.mkv'), NOISE, SOFTWARE);
    const segments: Buffer[] = [];
    for (let k = 0; k < SEGMENTS; k++) {
      const asked = take(video, k);
      if (k === after) await killed(await until('the encoder', () => started[0]?.pid));
      segments.push(await asked);
    }
    await isWhole(video, segments);
    assert.deepEqual(transcode.trouble((await clip.source('noise.mkv')).identity), {
      hardwareFailed: [],
      cannotDecode: false,
    });
    assert.equal(started.length, 2, `killed at segment ${after}`);
    transcode.close();
  }
});

test('after three failures in a minute the stream is refused, and tried again a minute later', async () => {
  let isBroken = true;
  const { encoders, started } = watched(() =>
    isBroken ? Promise.reject(new ProcessFailure('ffmpeg', 'exit', { code: 1 })) : undefined,
  );
  const { clock, needs } = tuned({ encoders });
  const transcode = clip.transcode(needs);
  const source = await clip.source('film.mkv');
  const video = await transcode.video(source, recipe, SOFTWARE);
  await assert.rejects(take(video, 4), because('unavailable', 'cannot-decode'));
  await assert.rejects(take(video, 5), because('unavailable', 'cannot-decode'));
  assert.ok(transcode.trouble(source.identity).cannotDecode);
  isBroken = false;
  clock.at += 61_000;
  assert.equal(samplesOf(await video.init(never), await take(video, 4)).length, 48);
  assert.equal(started.length, 1);
});

test('an accelerator that fails is followed by software at the failed segment, on the same grid', async () => {
  const { encoders, started } = watched((request, real, signal) => {
    if (!request.accelerator) return undefined;
    const { accelerator: _, ...rest } = request;
    return real.video(rest, signal).then((stream) => ({
      ...stream,
      bytes: (async function* () {
        // A byte at a time would take too long; a few hundred at a time end it within the second segment.
        let sent = 0;
        for await (const piece of stream.bytes) {
          for (let at = 0; at < piece.length; at += 500, sent++) {
            if (sent === 24) throw new ProcessFailure('ffmpeg', 'signal');
            yield piece.subarray(at, at + 500);
          }
        }
      })(),
    }));
  });
  const transcode = clip.transcode({ encoders });
  const source = await clip.source('film.mkv');
  const video = await transcode.video(source, recipe, {
    ...SOFTWARE,
    accelerator: { name: 'vaapi', device: '/dev/dri/renderD128' },
  });
  const segments = [await take(video, 0)];
  assert.equal(transcode.live()[0]?.accelerator ?? 'vaapi', 'vaapi');
  for (let k = 1; k < SEGMENTS; k++) segments.push(await take(video, k));
  await isWhole(video, segments);
  assert.deepEqual(
    started.map(({ request }) => request.accelerator?.name ?? 'none'),
    ['vaapi', 'none'],
  );
  assert.deepEqual(transcode.trouble(source.identity), { hardwareFailed: ['vaapi'], cannotDecode: false });
});

test('what a run made last before its file could not be read on is made again', async () => {
  let isFirst = true;
  const { encoders, started } = watched((request, real, signal) => {
    if (!isFirst) return undefined;
    isFirst = false;
    return real.video(request, signal).then((stream) => ({
      ...stream,
      hasLostInput: () => true,
      bytes: (async function* () {
        yield* stream.bytes;
        throw new ProcessFailure('ffmpeg', 'aborted');
      })(),
    }));
  });
  const transcode = clip.transcode({ encoders });
  const video = await transcode.video(await clip.source('film.mkv'), recipe, SOFTWARE);
  await take(video, 0);
  await until('the end of the run', () => transcode.live().length === 0);
  await isWhole(video, await all(video));
  assert.equal(started.length, 2);
  // The tenth segment is finished with the run; the last eight of the others are made again.
  assert.ok(Math.abs((started[1]?.request.from ?? 0) - 2) < 0.1, `again from ${started[1]?.request.from}`);
});

test('a run far ahead pauses without using the CPU, continues on request, and ends without requests', async () => {
  const { encoders, started } = watched();
  const transcode = clip.transcode({ encoders, limits: { aheadSegments: 2, heldMs: 2_000 } });
  const video = await transcode.video(await clip.source('noise.mkv'), NOISE, SOFTWARE);
  await take(video, 0);
  await until('a held run', () => transcode.live()[0]?.isHeld);
  const pid = started[0]?.pid ?? 0;
  const ticks = (): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  let last = -1;
  await until('two equal looks', () => last === (last = ticks()), { everyMs: 100 });
  assert.ok(isRunning(pid));
  await take(video, 1);
  await take(video, 4);
  assert.equal(started.length, 1, 'the same run went on');
  await until('its end', () => !isRunning(pid));
  assert.deepEqual(transcode.live(), []);
  await take(video, SEGMENTS - 1);
  assert.equal(started.length, 2);
});

test('a session that leaves takes its run along, unless another has asked it', async () => {
  const { encoders, started } = watched();
  const transcode = clip.transcode({ encoders, mostSoftware: 1, limits: { aheadSegments: 0 } });
  // The rest of a plain film fits into the pipe, so its run may have ended by now.
  const video = await transcode.video(await clip.source('noise.mkv'), NOISE, SOFTWARE);
  await Promise.all([take(video, 0, 'first'), take(video, 0, 'second')]);
  const pid = started[0]?.pid ?? 0;
  transcode.leave('first');
  assert.deepEqual(
    transcode.live().map(({ session }) => session),
    ['second'],
  );
  assert.ok(isRunning(pid));
  assert.deepEqual([transcode.isBusy(), transcode.isBusy('second'), transcode.isBusy('first')], [true, false, true]);
  transcode.leave('second');
  await until('the end of the run', () => !isRunning(pid));
  assert.equal(transcode.isBusy(), false);
});

test('a seek ends the run that only its session had, and two places at once do not chase each other', async () => {
  const { encoders, started } = watched();
  const transcode = clip.transcode({ encoders, limits: { aheadSegments: 0, nearSegments: 1 } });
  const video = await transcode.video(await clip.source('noise.mkv'), NOISE, SOFTWARE);
  await take(video, 0);
  await take(video, 6);
  await until('the end of the first run', () => !isRunning(started[0]?.pid ?? 0));
  const [early, late] = await Promise.allSettled([take(video, 2), take(video, 9)]);
  assert.equal(late.status, 'fulfilled');
  assert.ok(early.status === 'rejected' && because('unavailable', 'superseded')(early.reason));
  assert.ok(started.length <= 4, `${started.length} runs`);
});

test('a request that takes too long is told to come again, and one beyond the end is not', async () => {
  const { encoders } = watched(() => new Promise(() => {}));
  const transcode = clip.transcode({ encoders, limits: { waitMs: 50 } });
  const video = await transcode.video(await clip.source('film.mkv'), recipe, SOFTWARE);
  await assert.rejects(
    take(video, 0),
    (error: unknown) =>
      error instanceof Failure && error.kind === 'unavailable' && error.members.retryAfterSeconds === 2,
  );
  await assert.rejects(take(video, SEGMENTS), because('missing', 'no-such-segment'));
  await assert.rejects(take(video, -1), because('missing', 'no-such-segment'));
  const leaving = AbortSignal.abort(new Error('gone'));
  await assert.rejects(video.segment(0, 'viewer', leaving), /gone/);
});

test('a file that was replaced is refused as changed, and its segments go', async () => {
  await clip.make('-i', clip.path('film.mkv'), '-c', 'copy', clip.path('changing.mkv'));
  const { clock, needs } = tuned({ cache: clip.path('cache-changing'), limits: { aheadSegments: 0 } });
  const transcode = clip.transcode(needs);
  const video = await transcode.video(await clip.source('changing.mkv'), recipe, SOFTWARE);
  await take(video, 0);
  await until('a written segment', () => readdirSync(clip.path('cache-changing/streams')).length === 1);
  utimesSync(clip.path('changing.mkv'), 1, 1);
  clock.at += 10_000;
  // The segment that is there does not wait for the look at the file; the next one knows.
  await take(video, 0).catch(() => {});
  await until('the refusal', () => take(video, 0).then(() => false, because('conflict', 'changed')));
  await assert.rejects(take(video, 5), because('conflict', 'changed'));
  await until('an empty folder', () => readdirSync(clip.path('cache-changing/streams')).length === 0);
});

for (const call of ['mkdir', 'open', 'write', 'rename'] as const) {
  test(`a disk that is full at each ${call} stops nothing, and is used again when it has room`, async (t) => {
    t.after(() => planFaults(null));
    const { encoders, started } = watched();
    const { clock, needs } = tuned({ cache: clip.path(`cache-full-${call}`), encoders });
    const transcode = clip.transcode(needs);
    const video = await transcode.video(await clip.source('film.mkv'), recipe, SOFTWARE);
    await until('the folder', () => existsSync(clip.path(`cache-full-${call}/streams`)));
    planFaults((name) => (name === call ? Object.assign(new Error('no space left'), { code: 'ENOSPC' }) : undefined));
    const segments = await all(video);
    await isWhole(video, segments);
    assert.deepEqual(await all(video, 'other'), segments);
    assert.equal(started.length, 1, 'they are kept in memory');
    assert.equal(transcode.findings()[0]?.code, 'streams-not-kept');
    const left = (): string[] =>
      readdirSync(clip.path(`cache-full-${call}/streams`), { recursive: true })
        .map(String)
        .filter((name) => name.includes('.'));
    assert.deepEqual(
      left().filter((name) => name.endsWith('.part')),
      [],
    );
    assert.ok(left().length === 0, left().join());
    planFaults(null);
    clock.at += 60_000;
    const other = await transcode.video(await clip.source('film.mkv'), { ...recipe, bitrate: 700_000 }, SOFTWARE);
    await isWhole(other, await all(other));
    await until('written segments', () => left().length === SEGMENTS);
    assert.deepEqual(transcode.findings(), []);
  });
}

test('a restart finds the segments and leaves no stray file', async () => {
  const cache = clip.path('cache-restart');
  const first = clip.transcode({ cache });
  const video = await first.video(await clip.source('film.mkv'), recipe, SOFTWARE);
  const segments = await all(video);
  const folder = `${cache}/streams/${readdirSync(`${cache}/streams`)[0]}`;
  await until('written segments', () => readdirSync(folder).length === SEGMENTS);
  first.close();
  writeFileSync(`${folder}/.matinee-0123456789abcdef.part`, 'half');
  writeFileSync(`${folder}/3.m4s`, '');
  mkdirSync(`${cache}/streams/${'0'.repeat(40)}`);
  const { encoders, started } = watched();
  const second = clip.transcode({ cache, encoders });
  const again = await second.video(await clip.source('film.mkv'), recipe, SOFTWARE);
  assert.deepEqual(await take(again, 2), segments[2]);
  assert.equal(started.length, 0);
  assert.deepEqual(
    readdirSync(folder).sort(),
    Array.from({ length: SEGMENTS }, (_, k) => `${k}.m4s`).filter((name) => name !== '3.m4s'),
  );
  assert.deepEqual(readdirSync(`${cache}/streams`), [folder.slice(folder.lastIndexOf('/') + 1)]);
  await isWhole(again, await all(again));
  assert.equal(started.length, 1, 'the empty one was made again');
});

test('beyond the budget the segments used longest ago go, and none near a place that is watched', async () => {
  const { clock, needs } = tuned({
    cache: clip.path('cache-budget'),
    room: { budget: 60_000, measure: () => Promise.resolve({ free: 2 ** 40 }) },
  });
  const transcode = clip.transcode(needs);
  const folders = (): string[] => readdirSync(clip.path('cache-budget/streams'));
  const countOf = (folder: string | undefined): number =>
    folders().includes(folder ?? '') ? readdirSync(clip.path(`cache-budget/streams/${folder}`)).length : 0;
  const old = await transcode.video(await clip.source('film.mkv'), recipe, SOFTWARE);
  await all(old, 'first');
  const [first] = folders();
  await until('segments above the budget, all near the place that is watched', () => countOf(first) === SEGMENTS);
  transcode.leave('first');
  clock.at += 100_000;
  const fresh = await transcode.video(await clip.source('film.mkv'), { ...recipe, bitrate: 700_000 }, SOFTWARE);
  await all(fresh, 'second');
  const second = folders().find((name) => name !== first);
  await until(
    'all of the second stream, and none of the first',
    () => countOf(second) === SEGMENTS && countOf(first) === 0,
  );
});

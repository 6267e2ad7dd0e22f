/** Real speech is heard at its time, once for everybody, in a process that may die; and cues come to it. */
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { until } from '../../test/until.ts';
import type { PlayableFile } from '../catalog/index.ts';
import { Failure } from '../lib/failure.ts';
import { createFfmpeg, type Ffmpeg } from '../lib/ffmpeg/index.ts';
import { openRoot, type Root } from '../lib/files.ts';
import { createProcesses, type Processes } from '../lib/process.ts';
import { quietLog } from '../lib/process/testing.ts';
import { spansOf } from '../cues/index.ts';
import { createSpeech, type Speech, type SpeechNeeds, type SpeechSource } from './speech.ts';
import { type Clip, makeClip } from './testing/clip.ts';
import { builtHelper } from '../../test/built-helpers.ts';

let folder = '';
let processes: Processes;
let ffmpeg: Ffmpeg;
let root: Root;
let clip: Clip;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matinee-speech-'));
  clip = await makeClip(join(folder, 'media', 'film.mkv'));
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'work'), helperModule: builtHelper });
  ffmpeg = createFfmpeg({ processes });
  root = await openRoot(join(folder, 'media'));
});
after(async () => {
  await root.close();
  await processes.close();
  await rm(folder, { recursive: true });
});

const AUDIO = {
  index: 1,
  type: 'audio',
  codec: 'flac',
  default: true,
  forced: false,
  hearingImpaired: false,
  commentary: false,
  original: false,
  cover: false,
} as const;
const spoken = (relative: string, info: Partial<NonNullable<PlayableFile['info']>> | null = {}): SpeechSource => ({
  root,
  file: {
    id: 'f',
    item: 'i',
    library: 'l',
    root: root.path,
    relative,
    size: 1,
    modifiedMs: 1,
    part: 1,
    available: true,
    info:
      info === null
        ? undefined
        : { container: 'matroska', duration: clip.seconds, size: 1, streams: [AUDIO], chapters: [], tags: {}, ...info },
  },
});
const never = (): AbortSignal => new AbortController().signal;

async function open(
  t: TestContext,
  more: Partial<SpeechNeeds> = {},
): Promise<{ speech: Speech; cache: string; heard: () => number }> {
  const cache = await mkdtemp(join(folder, 'cache-'));
  let count = 0;
  const counting: SpeechNeeds['ffmpeg'] = {
    probe: ffmpeg.probe,
    extractAudio: (...asked) => {
      count++;
      return ffmpeg.extractAudio(...asked);
    },
  };
  const speech = createSpeech({
    processes,
    ffmpeg: counting,
    cache,
    clock: { now: Date.now, monotonic: () => performance.now() },
    log: quietLog,
    ...more,
  });
  t.after(() => speech.close());
  return { speech, cache, heard: () => count };
}

const isFailure =
  (kind: string, words: RegExp) =>
  (error: unknown): boolean =>
    error instanceof Failure && error.kind === kind && words.test(error.message);

/** The mean of the curve within the sentences and outside of them. */
function means(speech: Uint8Array, times: Clip['spoken']): { inside: number; outside: number } {
  const isIn = new Uint8Array(speech.length);
  for (const { start, end } of times) isIn.fill(1, Math.round(start / 10), Math.round(end / 10));
  const mean = (of: number): number => {
    const values = speech.filter((_, at) => isIn[at] === of);
    return values.reduce((all, one) => all + one, 0) / values.length / 255;
  };
  return { inside: mean(1), outside: mean(0) };
}

test('speech is heard where it is, and loudness is seen', async (t) => {
  const { speech } = await open(t);
  const parts: number[] = [];
  const curve = await speech.curve(spoken('film.mkv'), { progress: (part) => parts.push(part), signal: never() });
  assert.ok(Math.abs(curve.duration - clip.seconds) < 0.1 && curve.speech.length === curve.level.length);
  const { inside, outside } = means(curve.speech, clip.spoken);
  assert.ok(inside > 0.75 && outside < 0.25, `${inside} inside, ${outside} outside`);
  const levels = means(curve.level, clip.spoken);
  assert.ok(levels.inside > 5 * levels.outside, `${levels.inside}, ${levels.outside}`);
  assert.ok(parts.at(-1) === 1 && parts.every((part, n) => part >= (parts[n - 1] ?? 0) && part <= 1));
});

test('a track that begins later than the picture is heard at its time', async (t) => {
  const late = await makeClip(join(root.path, 'late.mkv'), { seconds: 20, late: 3 });
  const { speech } = await open(t);
  const curve = await speech.curve(spoken('late.mkv'), { signal: never() });
  const { inside, outside } = means(curve.speech, late.spoken);
  assert.ok(inside > 0.7 && outside < 0.25, `${inside} inside, ${outside} outside`);
});

test('speech is detected once per content, whatever its names, and again when its result is damaged', async (t) => {
  const { speech, cache, heard } = await open(t);
  const first = await speech.curve(spoken('film.mkv'), { signal: never() });
  await copyFile(join(root.path, 'film.mkv'), join(root.path, 'renamed.mkv'));
  for (const name of ['film.mkv', 'renamed.mkv'])
    assert.deepEqual(await speech.curve(spoken(name), { signal: never() }), first);
  assert.equal(heard(), 1);
  const [name = ''] = await readdir(join(cache, 'speech'));
  const path = join(cache, 'speech', name);
  const whole = await readFile(path);
  const flipped = Buffer.from(whole);
  flipped[500] = (flipped[500] ?? 0) ^ 1;
  let times = 1;
  for (const broken of [whole.subarray(0, -1), flipped, Buffer.alloc(0), Buffer.concat([whole, whole])]) {
    await writeFile(path, broken);
    assert.deepEqual(await speech.curve(spoken('film.mkv'), { signal: never() }), first);
    assert.equal(heard(), ++times);
    assert.deepEqual(await readFile(path), whole);
  }
});

test('two askers share one listening, and one who goes does not take it from the other', async (t) => {
  const { speech, heard } = await open(t);
  const gone = new AbortController();
  const [first, second] = [
    speech.curve(spoken('film.mkv'), { signal: gone.signal }),
    speech.curve(spoken('film.mkv'), { signal: never() }),
  ];
  gone.abort(new Error('changed my mind'));
  await assert.rejects(first, /changed my mind/);
  assert.ok((await second).speech.length > 0);
  assert.equal(heard(), 1);
});

test('a cancelled listening ends both processes, and the next one works', async (t) => {
  const { speech, cache } = await open(t);
  const gone = new AbortController();
  const asked = speech.curve(spoken('film.mkv'), {
    signal: gone.signal,
    progress: () => gone.abort(new Error('cancelled')),
  });
  await assert.rejects(asked, /cancelled/);
  await until('the end of both processes', () => processes.stats().running === 0);
  assert.deepEqual(await readdir(join(cache, 'speech')).catch(() => []), [], 'nothing was kept');
  assert.ok((await speech.curve(spoken('film.mkv'), { signal: never() })).speech.length > 0);
});

test('a helper that dies or hangs is said so, and costs no more than the request', { timeout: 300_000 }, async (t) => {
  const dying = await open(t, { modules: { listen: new URL('./testing/dying-helper.ts', import.meta.url) } });
  await assert.rejects(
    dying.speech.curve(spoken('film.mkv'), { signal: never() }),
    isFailure('unavailable', /interrupted/),
  );
  await assert.rejects(
    dying.speech.curve(spoken('film.mkv'), { signal: never() }),
    isFailure('unavailable', /interrupted/),
  );
  const hanging = await open(t, {
    modules: { listen: new URL('./testing/hanging-helper.ts', import.meta.url) },
    deadlineMs: 300,
  });
  await assert.rejects(
    hanging.speech.curve(spoken('film.mkv'), { signal: never() }),
    isFailure('unavailable', /too long/),
  );
  assert.equal(dying.heard(), 2);
});

test('a machine without the detector says so, and starts no decoder', async (t) => {
  const { speech, heard } = await open(t, {
    modules: { listen: new URL('./testing/lacking-helper.ts', import.meta.url) },
  });
  await assert.rejects(
    speech.curve(spoken('film.mkv'), { signal: never() }),
    isFailure('unavailable', /cannot run the speech detectors/),
  );
  assert.equal(heard(), 0);
});

test('a machine without the neural detector hears with the light one, and says so', async (t) => {
  const { speech } = await open(t, { modules: { listen: new URL('./testing/light-helper.ts', import.meta.url) } });
  const cues = clip.spoken.map(({ start, end }) => ({
    start,
    end: end + 200,
    spans: spansOf('Somebody says something.'),
  }));
  assert.equal((await speech.curve(spoken('film.mkv'), { signal: never() })).detector, 'light');
  const alignment = await speech.align(spoken('film.mkv'), cues, { signal: never() });
  assert.ok(alignment.evidence.some(({ kind }) => kind === 'detector'));
  assert.notEqual(alignment.outcome, 'moved');
});

test('no audio, audio that cannot be read, and no file', async (t) => {
  await writeFile(join(root.path, 'junk.mkv'), Buffer.alloc(200_000, 7));
  const { speech, heard } = await open(t);
  await assert.rejects(
    speech.curve(spoken('film.mkv', { streams: [] }), { signal: never() }),
    isFailure('conflict', /^this video has no audio$/),
  );
  assert.equal(heard(), 0);
  await assert.rejects(speech.curve(spoken('junk.mkv'), { signal: never() }), isFailure('conflict', /cannot be read/));
  await assert.rejects(
    speech.curve(spoken('film.mkv', { streams: [{ ...AUDIO, index: 7 }] }), { signal: never() }),
    isFailure('conflict', /cannot be read/),
  );
  await assert.rejects(speech.curve(spoken('gone.mkv'), { signal: never() }), Failure);
});

test('audio gives at most 1,024 places of the part that was asked for', async (t) => {
  const { speech } = await open(t);
  const all = await speech.audio(spoken('film.mkv'), {}, { signal: never() });
  assert.deepEqual([all.from, all.waveform.length, all.speech.length], [0, 1024, 1024]);
  assert.equal(all.to, all.duration);
  const [one = { start: 0, end: 0 }] = clip.spoken;
  const part = await speech.audio(
    spoken('film.mkv'),
    { from: one.start / 1000, to: one.end / 1000 },
    { signal: never() },
  );
  assert.equal(part.waveform.length, Math.round((one.end - one.start) / 10));
  assert.ok(part.waveform.every((value) => value >= 0 && value <= 1) && Math.max(...part.waveform) > 0.1);
});

test('cues come to the speech, and those of another film do not', async (t) => {
  const { speech } = await open(t);
  const cues = clip.spoken.map(({ start, end }) => ({
    start: start - 40,
    end: end + 200,
    spans: spansOf('Somebody says something.'),
  }));
  const late = cues.map((cue) => ({ ...cue, start: cue.start + 4_321, end: cue.end + 4_321 }));
  const alignment = await speech.align(spoken('film.mkv'), late, { signal: never() });
  assert.ok(alignment.outcome === 'moved', JSON.stringify(alignment.evidence));
  alignment.cues.forEach((cue, n) =>
    assert.ok(Math.abs(cue.start - (cues[n]?.start ?? 0)) <= 100, `cue ${n}: ${cue.start}`),
  );
  assert.equal((await speech.align(spoken('film.mkv'), cues, { signal: never() })).outcome, 'fits');
  const other = Array.from({ length: 20 }, (_, n) => ({
    start: 1_000 + n * 2_900,
    end: 2_600 + n * 2_900,
    spans: spansOf('Something else.'),
  }));
  assert.equal((await speech.align(spoken('film.mkv'), other, { signal: never() })).outcome, 'refused');
  assert.equal((await speech.alignToCues(late, cues, { signal: never() })).outcome, 'moved');
  const gone = new AbortController();
  gone.abort(new Error('cancelled'));
  await assert.rejects(speech.align(spoken('film.mkv'), late, { signal: gone.signal }), /cancelled/);
});

test('comparing that dies or hangs is said so, and an abort ends it', { timeout: 300_000 }, async (t) => {
  const cues = clip.spoken.map(({ start, end }) => ({ start, end, spans: spansOf('Somebody says something.') }));
  const dying = await open(t, { modules: { align: new URL('./testing/dying-helper.ts', import.meta.url) } });
  await assert.rejects(
    dying.speech.alignToCues(cues, cues, { signal: never() }),
    isFailure('unavailable', /interrupted/),
  );
  const hanging = new URL('./testing/hanging-helper.ts', import.meta.url);
  const late = await open(t, { modules: { align: hanging }, deadlineMs: 300 });
  await assert.rejects(late.speech.alignToCues(cues, cues, { signal: never() }), isFailure('unavailable', /too long/));
  const patient = await open(t, { modules: { align: hanging } });
  const gone = new AbortController();
  const asked = [
    patient.speech.alignToCues(cues, cues, { signal: gone.signal }),
    patient.speech.alignToCues(cues, cues, { signal: gone.signal }),
  ];
  gone.abort(new Error('cancelled'));
  for (const one of asked) await assert.rejects(one, /cancelled/);
});

/**
 * Drafts from the outside: what cannot work is refused before anything starts, one is made at a time, each belongs to
 * the bytes of its video, and nothing of the media folder is touched.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { type Behaviour, installWhisper, type WhisperStandIn } from '../../../test/stand-ins/whisper.ts';
import { openWorld, temporaryFolder, type World } from '../../../test/subtitles/world.ts';
import { systemClock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { silentLog } from '../../lib/log.ts';
import { draftStore } from '../store/drafts.ts';
import { createDrafts } from './drafts.ts';
import type { Drafts, DraftContent, DraftWork } from './types.ts';
import { replaced } from '../../../test/faults/replaced.ts';

const run = promisify(execFile);
const isFailure = (kind: string, words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.kind === kind && words.test(error.message);
const SEGMENTS = [
  { from: 1000, to: 4000, text: 'Good evening, everybody.', p: [0.9, 0.4, 0.8] },
  { from: 6000, to: 9000, text: 'The café is closed.' },
];

/** A film of half a minute with a tone in each of these languages; `und` says none. */
async function film(path: string, languages: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const tones = languages.flatMap((_, n) => ['-f', 'lavfi', '-i', `sine=frequency=${300 + n * 100}:duration=30`]);
  const maps = languages.flatMap((language, n) => ['-map', `${n + 1}:a`, `-metadata:s:a:${n}`, `language=${language}`]);
  await run('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'color=c=black:s=64x36:r=2:d=30',
    ...tones,
    '-map',
    '0:v',
    ...maps,
    '-c:v',
    'rawvideo',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-t',
    '30',
    path,
  ]);
}

interface House extends World {
  id: string;
  video: string;
  whisper: WhisperStandIn;
  /** Waits for a state that is bound to come. */
  until(
    language: string,
    holds: (state: Awaited<ReturnType<Drafts['read']>>) => boolean,
  ): Promise<Awaited<ReturnType<Drafts['read']>>>;
  again(): Promise<World>;
  environment: Record<string, string>;
}

async function house(
  t: TestContext,
  {
    languages = ['eng'],
    behaviour,
    env = {},
  }: { languages?: readonly string[]; behaviour?: Partial<Behaviour>; env?: Record<string, string> } = {},
): Promise<House> {
  const folder = await temporaryFolder(t);
  const video = join(folder, 'media/Film (2001)/Film (2001).mkv');
  await film(video, languages);
  const whisper = await installWhisper(join(folder, 'tools'));
  const model = await whisper.model({ segments: SEGMENTS, ...behaviour });
  const all = {
    SERVICE_SUBTITLE_LANGUAGE: 'en',
    SERVICE_WHISPER: whisper.program,
    SERVICE_TRANSCRIPTION_MODEL: model,
    ...env,
  };
  const open: World[] = [];
  const again = async (): Promise<World> => {
    const next = await openWorld({ folder, env: all });
    open.push(next);
    return next;
  };
  t.after(() => Promise.all(open.map((one) => one.close())));
  const world = await again();
  await world.scan();
  const id = await world.idOf('Film');
  const until: House['until'] = async (language, holds) => {
    for (;;) {
      const state = await world.subtitles.drafts.read({ id, language });
      if (holds(state)) return state;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { ...world, id, video, whisper, until, again, environment: all };
}

const isEnded = ({ state }: { state: string }): boolean => state !== 'running';
const begin = (w: House, more: object = {}) =>
  w.subtitles.drafts.start({ id: w.id, language: 'en', method: 'transcription', ...more });

test('speech is written down in the background, with how sure each word is, and nothing is installed', async (t) => {
  const w = await house(t);
  await w.whisper.detector();
  assert.deepEqual(await w.subtitles.drafts.read({ id: w.id }), { state: 'none' });
  const started = await begin(w);
  assert.deepEqual([started.state, started.method, started.language], ['running', 'transcription', 'en']);
  const ready = await w.until('en', isEnded);
  assert.deepEqual([ready.state, ready.draftId, ready.message], ['ready', started.draftId, undefined]);
  assert.deepEqual(
    ready.cues?.map(({ start, text, confidence }) => [start, text, confidence]),
    [
      [1, 'Good evening, everybody.', 0.4],
      [6, 'The café is closed.', 0.9],
    ],
  );
  assert.deepEqual(ready.words?.slice(0, 3), [
    { cue: 0, text: 'Good', confidence: 0.9 },
    { cue: 0, text: 'evening,', confidence: 0.4 },
    { cue: 0, text: 'everybody.', confidence: 0.8 },
  ]);
  assert.deepEqual(await readdir(dirname(w.video)), ['Film (2001).mkv']);
  assert.deepEqual(await readdir(join(w.folder, 'cache/drafts')), [], 'nothing is left in between');
  // The same after a restart.
  await w.close();
  const next = await w.again();
  assert.deepEqual(await next.subtitles.drafts.read({ id: w.id }), ready);
});

test('what cannot work is refused before anything starts', async (t) => {
  const w = await house(t, { languages: ['fra', 'deu'] });
  const refused = (more: object, words: RegExp) =>
    assert.rejects(begin(w, more), isFailure('conflict', words), String(words));
  await refused({}, /none of the audio/);
  await refused({ method: 'ocr' }, /no picture subtitles/);
  await refused({ method: 'alignment' }, /no subtitle in this language/);
  await refused({ method: 'translation-free' }, /no picture subtitles in this language; none of the audio/);
  await refused({ language: 'aa' }, /does not know Afar/);
  await assert.rejects(w.subtitles.drafts.start({ id: w.id, language: 'fr' }), isFailure('invalid', /method/));
  await assert.rejects(begin(w, { id: 'f'.repeat(16) }), isFailure('missing', /no such film/));
  await assert.rejects(w.subtitles.drafts.read({ id: 'f'.repeat(16) }), isFailure('missing', /no such film/));
  assert.equal(await draftStore(w.db).count(), 0, 'nothing was begun');
  assert.equal(
    (await begin(w, { language: 'fr-ca', method: 'translation-free' })).state,
    'running',
    'French is French',
  );
  assert.equal((await w.until('fr-ca', isEnded)).state, 'ready');
});

test('a missing program, model or room is told in a sentence', async (t) => {
  const without = async (env: Record<string, string>, words: RegExp, finding?: RegExp) => {
    const w = await house(t, { env });
    await assert.rejects(begin(w), isFailure('conflict', words), String(words));
    const found = (await w.subtitles.drafts.findings()).map(({ sentence }) => sentence);
    if (finding) assert.match(found.join(), finding);
    else assert.deepEqual(found, []);
    await w.close();
  };
  await without({ SERVICE_WHISPER: 'no-such-program' }, /not installed/);
  await without({ SERVICE_TRANSCRIPTION_MODEL: '' }, /no transcription model is configured/);
  await without({ SERVICE_TRANSCRIPTION_MODEL: 'small' }, /absolute path/, /absolute path/);
  await without({ SERVICE_TRANSCRIPTION_MODEL: '/nowhere/ggml-small.bin' }, /is not there/, /is not there/);
  await without({ SERVICE_TRANSCRIPTION_MODEL: '/etc/passwd' }, /not a model/, /not a model/);
});

test('a model of English alone, and one that is not what the setting says', async (t) => {
  const w = await house(t, { languages: ['eng', 'deu'], behaviour: { type: 'small.en' } });
  await assert.rejects(begin(w, { language: 'de' }), isFailure('conflict', /English alone/));
  assert.deepEqual(
    (await w.subtitles.drafts.findings()).map(({ setting, sentence }) => [setting, sentence]),
    [['subtitles.transcription_architecture', 'The model is small.en, and the setting says small.']],
  );
  await begin(w);
  assert.match((await w.until('en', isEnded)).message ?? '', /The model is small\.en, and the settings say small\./);
});

test('one at a time: of two that come together one begins, and the other is told so', async (t) => {
  const w = await house(t, { behaviour: { mode: 'hang' } });
  const both = await Promise.allSettled([begin(w), begin(w)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await assert.rejects(begin(w, { method: 'alignment' }), isFailure('conflict', /another draft is being made/));
  await assert.rejects(w.subtitles.drafts.cancel({ id: w.id, language: 'de' }), isFailure('conflict', /no such draft/));
  await assert.rejects(
    w.subtitles.drafts.cancel({ id: w.id, language: 'en', draftId: 'f'.repeat(16) }),
    isFailure('conflict', /no such draft/),
  );
  const heard = await w.until('en', ({ progress = 0 }) => progress > 0.3);
  assert.equal(heard.state, 'running');
  const cancelled = await w.subtitles.drafts.cancel({ id: w.id, language: 'en' });
  assert.deepEqual([cancelled.state, cancelled.message, cancelled.cues], ['stopped', 'It was cancelled.', undefined]);
  assert.deepEqual(await readdir(join(w.folder, 'cache/drafts')), []);
  await w.whisper.model({ segments: SEGMENTS });
  await begin(w);
  assert.equal((await w.until('en', isEnded)).state, 'ready', 'the next one goes on');
});

for (const [mode, words] of [
  ['crash', /The program for transcription failed\./],
  ['refuse', /The program for transcription failed\./],
  ['no-file', /ended without a result/],
  ['broken', /result of the transcription cannot be read/],
  ['other', /result of the transcription cannot be read/],
] as const) {
  test(`a program that misbehaves (${mode}) fails the draft with a sentence`, async (t) => {
    const w = await house(t, { behaviour: { mode } });
    await begin(w);
    const failed = await w.until('en', isEnded);
    assert.equal(failed.state, 'failed');
    assert.match(failed.message ?? '', words);
    assert.doesNotMatch(failed.message ?? '', /\//, 'no path');
    assert.deepEqual(await readdir(join(w.folder, 'cache/drafts')), []);
    await assert.rejects(
      w.subtitles.drafts.finished(w.id, failed.draftId ?? '', 'en'),
      isFailure('conflict', /not finished/),
    );
  });
}

test('silence is a sentence, too', async (t) => {
  const w = await house(t, { behaviour: { segments: [] } });
  await begin(w);
  assert.match((await w.until('en', isEnded)).message ?? '', /nothing was heard|Nothing was heard/);
});

test('a draft belongs to the bytes of its video', async (t) => {
  const w = await house(t);
  const { draftId = '' } = await begin(w);
  assert.equal((await w.until('en', isEnded)).state, 'ready');
  const finished = await w.subtitles.drafts.finished(w.id, draftId, 'en');
  assert.deepEqual(
    [finished.method, finished.document.cues.length, finished.confidence],
    ['transcription', 2, [0.4, 0.9]],
  );
  await assert.rejects(w.subtitles.drafts.finished(w.id, draftId, 'de'), isFailure('missing', /no such draft/));
  await assert.rejects(
    w.subtitles.drafts.finished('f'.repeat(16), draftId, 'en'),
    isFailure('missing', /no such draft/),
  );
  const { atime, mtime } = await stat(w.video);
  await utimes(w.video, atime, new Date(mtime.getTime() + 5000));
  await assert.rejects(
    w.subtitles.drafts.finished(w.id, draftId, 'en'),
    isFailure('conflict', /video changed/),
    'another time',
  );
  await utimes(w.video, atime, mtime);
  await appendFile(w.video, 'more');
  await utimes(w.video, atime, mtime);
  await assert.rejects(
    w.subtitles.drafts.finished(w.id, draftId, 'en'),
    isFailure('conflict', /video changed/),
    'other bytes',
  );
  await w.scan();
  assert.deepEqual(
    [(await w.subtitles.drafts.read({ id: w.id })).state, (await w.subtitles.drafts.read({ id: w.id })).message],
    ['failed', 'The video changed since this draft was made.'],
  );
});

test('a video that changes while its draft is made fails it', async (t) => {
  const w = await house(t, { behaviour: { mode: 'wait' } });
  await begin(w);
  await w.until('en', ({ progress = 0 }) => progress > 0.3);
  await appendFile(w.video, 'more');
  await writeFile(join(w.folder, 'tools/bin/go'), '');
  const failed = await w.until('en', isEnded);
  assert.deepEqual([failed.state, failed.message], ['failed', 'The video changed while the draft was made.']);
});

test('what a stop or a kill cut off is stopped, and not made again by itself', async (t) => {
  const w = await house(t, { behaviour: { mode: 'hang' } });
  await begin(w);
  await w.until('en', ({ progress = 0 }) => progress > 0.3);
  await w.close();
  const next = await w.again();
  const stopped = await next.subtitles.drafts.read({ id: w.id, language: 'en' });
  assert.deepEqual([stopped.state, stopped.message], ['stopped', 'The server was stopped while it was made.']);
  // As a kill leaves it.
  await draftStore(next.db).begin({
    id: 'a'.repeat(16),
    item: w.id,
    language: 'en',
    method: 'ocr',
    video: { key: '', size: 0, modifiedMs: 0 },
    started: 1,
  });
  await mkdir(join(w.folder, 'cache/drafts/abc'), { recursive: true });
  await next.close();
  const last = await w.again();
  assert.equal((await last.subtitles.drafts.read({ id: w.id, language: 'en' })).state, 'stopped');
  await assert.rejects(readdir(join(w.folder, 'cache/drafts')));
});

test('killed while a draft is made, the next start has it as stopped, and nothing of it lies about', async (t) => {
  const w = await house(t, { behaviour: { mode: 'hang' } });
  await w.close();
  const program = new URL('../../../test/subtitles/drafter.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, w.folder, w.id, JSON.stringify(w.environment)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)));
  child.stdout.on('data', (said: Buffer) => void (said.includes('heard') && child.kill('SIGKILL')));
  assert.equal(await gone, 'SIGKILL');
  assert.equal((await readdir(join(w.folder, 'cache/drafts'))).length, 1, 'the sound was left lying');
  const next = await w.again();
  const stopped = await next.subtitles.drafts.read({ id: w.id, language: 'en' });
  assert.deepEqual(
    [stopped.state, stopped.message, stopped.cues],
    ['stopped', 'The server was stopped while it was made.', undefined],
  );
  await assert.rejects(readdir(join(w.folder, 'cache/drafts')));
  assert.deepEqual(await readdir(dirname(w.video)), ['Film (2001).mkv']);
});

/** A step that waits until it is let go, and whether it was reached. */
function gate(): { reached: Promise<void>; pass(): Promise<void>; open(): void } {
  let [reach, open] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => void (reach = resolve));
  const opened = new Promise<void>((resolve) => void (open = resolve));
  return { reached, pass: () => (reach(), opened), open: () => open() };
}

test('a draft is cancelled while it is prepared, at every step, also one that never ends', async (t) => {
  const w = await house(t);
  const asked = { id: w.id, language: 'en', method: 'ocr' as const };
  const never: DraftWork = () => assert.fail('the work was begun');
  for (const step of ['library', 'method', 'row'] as const) {
    const held = gate();
    const at = async (name: typeof step): Promise<void> => (name === step ? held.pass() : undefined);
    const store = draftStore(w.db);
    const way = async () => (await at('method'), never);
    const drafts = createDrafts({
      catalog: { ...w.catalog, root: async (path) => (await at('library'), w.catalog.root(path)) },
      store: { ...store, begin: async (row) => (await at('row'), store.begin(row)) },
      methods: { ocr: way, transcription: way, alignment: way, 'translation-free': way },
      clock: systemClock,
      log: silentLog,
      waitsFor: () => undefined,
      changed: () => {},
      transcriber: { findings: async () => [], sweep: async () => {} },
    });
    const begun = drafts.start(asked);
    const refused = assert.rejects(begun, isFailure('conflict', /^it was cancelled$/), step);
    await held.reached;
    const { draftId = '', ...seen } = await drafts.read({ id: w.id });
    assert.deepEqual(
      seen,
      { state: 'running', language: 'en', method: 'ocr', progress: 0, message: 'It is being prepared.' },
      step,
    );
    await assert.rejects(drafts.finished(w.id, draftId, 'en'), isFailure('conflict', /still being made/));
    await assert.rejects(drafts.start(asked), isFailure('conflict', /another draft/));
    await assert.rejects(drafts.cancel({ ...asked, language: 'de' }), isFailure('conflict', /no such draft/));
    const cancelled = drafts.cancel({ ...asked, draftId });
    // A row that is being written is waited for; nothing else is.
    if (step === 'row') held.open();
    assert.deepEqual(
      await cancelled,
      { state: 'stopped', draftId, language: 'en', method: 'ocr', message: 'It was cancelled.' },
      step,
    );
    await refused;
    assert.equal((await store.one(draftId))?.state, step === 'row' ? 'stopped' : undefined, step);
    await drafts.close();
  }
});

test('a stop of the server does not wait for what is prepared', async (t) => {
  const w = await house(t);
  const held = gate();
  const way = async () => (await held.pass(), async () => NOTHING);
  const drafts = createDrafts({
    catalog: w.catalog,
    store: draftStore(w.db),
    methods: { ocr: way, transcription: way, alignment: way, 'translation-free': way },
    clock: systemClock,
    log: silentLog,
    waitsFor: () => undefined,
    changed: () => {},
    transcriber: { findings: async () => [], sweep: async () => {} },
  });
  const refused = assert.rejects(
    drafts.start({ id: w.id, language: 'en', method: 'ocr' }),
    isFailure('unavailable', /stopping/),
  );
  await held.reached;
  await drafts.close();
  await refused;
  assert.equal(await draftStore(w.db).count(), 0);
});

/** The manager with one guard taken out, over the same house. */
async function without(
  t: TestContext,
  w: House,
  { guard, fault }: { guard: string; fault: string },
  work: DraftWork,
): Promise<Drafts> {
  const folder = await temporaryFolder(t);
  const source = await readFile(new URL('drafts.ts', import.meta.url), 'utf8');
  await writeFile(
    join(folder, 'drafts.ts'),
    replaced(source, { file: 'drafts.ts', from: guard, to: fault }).replaceAll(
      /(?<= from ')\.[^']+/g,
      (to) => new URL(to, import.meta.url).href,
    ),
  );
  const { createDrafts: make } = (await import(join(folder, 'drafts.ts'))) as { createDrafts: typeof createDrafts };
  const way = async () => work;
  const methods = { ocr: way, transcription: way, alignment: way, 'translation-free': way };
  const drafts = make({
    catalog: w.catalog,
    store: draftStore(w.db),
    methods,
    clock: systemClock,
    log: silentLog,
    waitsFor: () => undefined,
    changed: () => {},
    transcriber: { findings: async () => [], sweep: async () => {} },
  });
  t.after(() => drafts.close());
  return drafts;
}
const NOTHING: DraftContent = {
  document: {
    format: 'srt',
    cues: [{ start: 1000, end: 2000, spans: [{ kind: 'text', text: 'Hello.' }] }],
    warnings: [],
  },
  notes: [],
};

test('planted: without its guards, two are made at once, and a draft of another video is taken up', async (t) => {
  const w = await house(t);
  const asked = { id: w.id, language: 'en', method: 'transcription' as const };
  const ended = async (drafts: Drafts) => {
    for (;;) {
      const state = await drafts.read({ id: w.id, language: 'en' });
      if (state.state !== 'running') return state;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const rash = await without(
    t,
    w,
    { guard: 'if (refusal) throw refusal;', fault: '' },
    ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  );
  assert.deepEqual(
    (await Promise.allSettled([rash.start(asked), rash.start(asked)])).map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  );

  const blind = await without(
    t,
    w,
    {
      guard:
        "if (!(await isSame(catalog, own.item, video))) throw new Failure('conflict', 'the video changed while " +
        "the draft was made', { reason: 'video-changed' });",
      fault: '',
    },
    async () => (await appendFile(w.video, 'more'), NOTHING),
  );
  await blind.start(asked);
  assert.equal((await draftStore(w.db).one((await ended(blind)).draftId ?? ''))?.state, 'ready');

  await w.scan();
  const loose = await without(
    t,
    w,
    {
      guard:
        "if (!(await isSame(catalog, id, row.video))) throw new Failure('conflict', CHANGED, { reason: " +
        "'video-changed' });",
      fault: '',
    },
    async () => NOTHING,
  );
  await loose.start(asked);
  const { draftId = '' } = await ended(loose);
  await appendFile(w.video, 'more');
  assert.equal((await loose.finished(w.id, draftId, 'en')).document.cues.length, 1);
});

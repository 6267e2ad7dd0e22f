/** Running drafts: what a stop, a kill or a cancel leaves, and planted faults that show that the tests see. */
import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { replaced } from '../../../test/faults/replaced.ts';
import { openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { draftStore } from '../store/drafts.ts';
import { createDrafts } from './drafts.ts';
import type { Drafts, DraftContent, DraftWork } from './types.ts';
import { begin, type DraftWorld, isFailure, openDrafts } from './testing.ts';
import { until } from '../../../test/until.ts';

test('a draft ended by a stop or a kill is stopped, and not started again', async (t) => {
  const w = await openDrafts(t, { behaviour: { mode: 'hang' } });
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

test('after a kill, the next start records the draft as stopped and removes its files', async (t) => {
  const w = await openDrafts(t, { behaviour: { mode: 'hang' } });
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
  const w = await openDrafts(t);
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
      isWaiting: () => false,
      changed: () => {},
      transcriber: { findings: async () => [], sweep: async () => {} },
    });
    const begun = drafts.start(asked);
    const refused = assert.rejects(begun, isFailure('conflict', /^it was cancelled$/), step);
    await held.reached;
    const { draftId = '', ...seen } = await drafts.read({ id: w.id });
    assert.deepEqual(
      seen,
      {
        state: 'running',
        language: 'en',
        method: 'ocr',
        progress: 0,
        message: 'It is being prepared.',
        notes: [{ reason: 'preparing', values: {} }],
      },
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
      {
        state: 'stopped',
        draftId,
        language: 'en',
        method: 'ocr',
        message: 'It was cancelled.',
        notes: [{ reason: 'cancelled', values: {} }],
      },
      step,
    );
    await refused;
    assert.equal((await store.one(draftId))?.state, step === 'row' ? 'stopped' : undefined, step);
    await drafts.close();
  }
});

test('stopping the server does not wait for a draft that is being prepared', async (t) => {
  const w = await openDrafts(t);
  const held = gate();
  const way = async () => (await held.pass(), async () => NOTHING);
  const drafts = createDrafts({
    catalog: w.catalog,
    store: draftStore(w.db),
    methods: { ocr: way, transcription: way, alignment: way, 'translation-free': way },
    clock: systemClock,
    log: silentLog,
    isWaiting: () => false,
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

const PLANTED = ['drafts.ts', 'draft-runner.ts'] as const;

/** Returns drafts with one guard removed from their source, for the same film. */
async function without(
  t: TestContext,
  w: DraftWorld,
  { file, guard, fault }: { file: (typeof PLANTED)[number]; guard: string; fault: string },
  work: DraftWork,
): Promise<Drafts> {
  const folder = await openTemporaryFolder(t);
  for (const name of PLANTED) {
    const source = await readFile(new URL(name, import.meta.url), 'utf8');
    const text = name === file ? replaced(source, { file, from: guard, to: fault }) : source;
    const absolute = (path: string) =>
      PLANTED.some((one) => path === `./${one}`) ? path : new URL(path, import.meta.url).href;
    await writeFile(join(folder, name), text.replaceAll(/(?<= from ')\.[^']+/g, absolute));
  }
  const { createDrafts: make } = (await import(join(folder, 'drafts.ts'))) as { createDrafts: typeof createDrafts };
  const way = async () => work;
  const methods = { ocr: way, transcription: way, alignment: way, 'translation-free': way };
  const drafts = make({
    catalog: w.catalog,
    store: draftStore(w.db),
    methods,
    clock: systemClock,
    log: silentLog,
    isWaiting: () => false,
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

test('planted: without the guards, two run at once, and a draft of another video is accepted', async (t) => {
  const w = await openDrafts(t);
  const asked = { id: w.id, language: 'en', method: 'transcription' as const };
  const ended = async (drafts: Drafts) => {
    return until('the end of the draft', async () => {
      const state = await drafts.read({ id: w.id, language: 'en' });
      return state.state === 'running' ? undefined : state;
    });
  };
  const rash = await without(
    t,
    w,
    { file: 'draft-runner.ts', guard: 'if (refusal) throw refusal;', fault: '' },
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
      file: 'draft-runner.ts',
      guard:
        "if (!(await hasSameBytes(catalog, own.item, video))) throw new Failure('conflict', 'the video changed while " +
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
      file: 'drafts.ts',
      guard:
        "if (!(await hasSameBytes(catalog, id, row.video))) throw new Failure('conflict', CHANGED, { reason: " +
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

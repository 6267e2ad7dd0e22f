/**
 * A large subtitle is processed in another process with the same result, and its failures are reported and affect no
 * other request.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { SubtitleInspection, SubtitlePreview } from '../../../contract/subtitles/views.ts';
import { Failure } from '../../../lib/failure.ts';
import { createProcesses, type Helper, type Processes } from '../../../lib/process.ts';
import { quietLog } from '../../../lib/process/testing.ts';
import { writtenIn } from '../../../lib/json/written.ts';
import type { SubtitleSummary } from '../inspect.ts';
import type { ChangeRequest } from '../propose.ts';
import type { CurrentSubtitleData } from '../current-subtitle.ts';
import type { WorkerNeeds } from '../../worker/worker.ts';
import { createEditWorker, type EditWorker } from './edit-worker.ts';
import type { InspectJob } from './operations.ts';
import { builtHelper } from '../../../../test/built-helpers.ts';

let folder = '';
let processes: Processes;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matinee-edit-worker-'));
  processes = await createProcesses({ log: quietLog, temporary: folder, helperModule: builtHelper });
});
after(async () => {
  await processes.close();
  await rm(folder, { recursive: true });
});

/** `helpers`: those that were started and are not closed. */
function open(t: TestContext, more: Partial<WorkerNeeds> = {}): { editWorker: EditWorker; helpers: Set<Helper> } {
  const helpers = new Set<Helper>();
  const startHelper: Processes['startHelper'] = (needs) => {
    const helper = processes.startHelper(needs);
    helpers.add(helper);
    return {
      ...helper,
      close: async () => {
        await helper.close();
        helpers.delete(helper);
      },
    };
  };
  const editWorker = createEditWorker({ processes: { startHelper }, log: quietLog, ...more });
  t.after(() => editWorker.close());
  return { editWorker, helpers };
}
const ODD = { largeBytes: 0, module: new URL('./testing/faulty-helper.ts', import.meta.url) };

const stamp = (ms: number): string => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
const LINES = [
  'I was there.',
  '(door opens)',
  '- No.\n- Yes.',
  '<i>Long ago</i>',
  'JOHN: Come in.',
  'lt is late.',
  'lt is late.',
];
const srt = (cues: number): string =>
  Array.from(
    { length: cues },
    (_, n) =>
      `${n + 1}\n${stamp(n * 2000)} --> ${stamp(n * 2000 + (n % 5 === 0 ? 2400 : 1900))}\n${LINES[n % LINES.length]}\n`,
  ).join('\n');

const SIGNAL = new AbortController().signal;
const subtitle: CurrentSubtitleData = {
  language: 'en',
  tag: 'en',
  role: 'normal',
  file: {
    id: 'f',
    item: 'i',
    library: 'l',
    root: '/media',
    relative: 'Film/Film.mkv',
    size: 1,
    modifiedMs: 1,
    part: 1,
    available: true,
    info: { container: 'matroska', duration: 6000, size: 1, streams: [], chapters: [], tags: {} },
  },
  track: { source: 'sidecar', language: 'en', role: 'normal', format: 'srt', relative: 'Film/Film.en.srt' },
  installed: { relative: 'Film/Film.en.srt', content: 'a'.repeat(64) },
};
const summary = (title = 'Film'): SubtitleSummary => ({
  id: '0123456789abcdef',
  title,
  language: 'en',
  fingerprint: 'a'.repeat(64),
  role: 'normal',
  source: 'sidecar',
  evidence: [],
  originalAvailable: false,
  restorable: false,
  replaceable: true,
  duration: 6000,
});
const looking = (title?: string, cues = 30): InspectJob => ({
  summary: summary(title),
  subtitle,
  text: { bytes: Buffer.from(srt(cues)), extension: 'srt' },
});
const trying = (asked: Partial<ChangeRequest['asked']>): ChangeRequest => ({
  subtitle,
  text: { bytes: Buffer.from(srt(300)), extension: 'srt' },
  asked: { language: 'en', ...asked },
  isAsDelivered: false,
});
const CLEAN = {
  removeCredits: true,
  mergeRepeated: true,
  removeHearingImpaired: true,
  fixCommonErrors: true,
  fixOverlaps: true,
};
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const unavailable =
  (words: RegExp) =>
  (error: unknown): boolean =>
    error instanceof Failure && error.kind === 'unavailable' && words.test(error.message);

test('both processes return the same results', async (t) => {
  const [here, there] = [open(t), open(t, { largeBytes: 0 })];
  const both = async <T>(ask: (editWorker: EditWorker) => Promise<T>): Promise<[T, T]> => [
    await ask(here.editWorker),
    await ask(there.editWorker),
  ];
  for (const asked of [
    { offsetMilliseconds: 700 },
    CLEAN,
    { data: Buffer.from(srt(40)).toString('base64') },
    { text: srt(299) },
    { encoding: 'windows-1251' as const },
  ]) {
    const [a, b] = await both((editWorker) => editWorker.preview({ ...trying(asked), summary: summary() }, SIGNAL));
    assert.ok(writtenIn(b) && !writtenIn(a), 'one is written out already');
    assert.deepEqual(SubtitlePreview.parse({ ...b }), plain(SubtitlePreview.parse(a)));
    const [one, other] = await both((editWorker) => editWorker.propose(trying(asked), SIGNAL));
    assert.ok(one.cues > 0 && Buffer.isBuffer(other.bytes));
    assert.deepEqual(
      { ...other, source: { ...other.source, delivered: String(other.source.delivered) } },
      { ...one, source: { ...one.source, delivered: String(one.source.delivered) } },
    );
  }
  const [seen, told] = await both((editWorker) => editWorker.inspect(looking(), SIGNAL));
  assert.deepEqual(SubtitleInspection.parse({ ...told }), plain(seen));
  const [vtt, other] = await both((editWorker) =>
    editWorker.write({ subtitle, text: looking().text ?? assert.fail(), format: 'vtt' }, SIGNAL),
  );
  assert.deepEqual(Buffer.from(other), Buffer.from(vtt));
  const [cues, numbered] = await both((editWorker) => editWorker.compare(trying({ automaticSync: true }), SIGNAL));
  assert.deepEqual(
    numbered.cues.map(({ start, end }) => [start, end]),
    cues.cues.map(({ start, end }) => [start, end]),
  );
  assert.deepEqual([numbered.isOwn, cues.isOwn, numbered.prepared], [true, true, undefined]);
  assert.equal(here.helpers.size, 0, 'an ordinary one needs no other process');
  assert.equal(there.helpers.size, 1);
});

test('the size that counts is the sum of everything that is read', async (t) => {
  const { editWorker, helpers } = open(t, { largeBytes: 20_000 });
  await editWorker.inspect(looking('Film', 200), SIGNAL);
  await editWorker.propose({ ...trying({ offsetMilliseconds: 5 }), text: looking().text }, SIGNAL);
  assert.equal(helpers.size, 0);
  await editWorker.propose({ ...trying({ text: srt(600) }), text: looking().text }, SIGNAL);
  assert.equal(helpers.size, 1);
});

test('both processes refuse in the same way', async (t) => {
  const { editWorker } = open(t, { largeBytes: 0 });
  const conflict =
    (words: RegExp) =>
    (error: unknown): boolean =>
      error instanceof Failure && error.kind === 'conflict' && words.test(error.message);
  await assert.rejects(
    editWorker.inspect({ ...looking(), text: { bytes: Buffer.alloc(40), extension: 'srt' } }, SIGNAL),
    conflict(/cannot be read/),
  );
  await assert.rejects(
    editWorker.propose({ ...trying({}), text: undefined }, SIGNAL),
    conflict(/no subtitle in this language/),
  );
  await assert.rejects(editWorker.propose({ ...trying({}), isAsDelivered: true }, SIGNAL), {
    kind: 'forbidden',
    reason: 'change-not-permitted',
  });
});

test('a worker that crashes, hangs, grows or fails is reported, and the next request works', async (t) => {
  const [{ editWorker }, { editWorker: hasty }] = [
    open(t, { ...ODD, deadlineMs: 600_000 }),
    open(t, { ...ODD, deadlineMs: 3_000 }),
  ];
  await assert.rejects(editWorker.inspect(looking('dies'), SIGNAL), unavailable(/broke off/));
  await assert.rejects(hasty.inspect(looking('hangs'), SIGNAL), unavailable(/too long/));
  await assert.rejects(editWorker.inspect(looking('fails'), SIGNAL), unavailable(/cannot be worked on/));
  assert.equal((await editWorker.inspect(looking(), SIGNAL)).title, 'Film');
});

test('a worker that needs too much memory is ended', async (t) => {
  const { editWorker } = open(t, { ...ODD, deadlineMs: 600_000, memoryLimit: 256 * 1024 ** 2 });
  await assert.rejects(editWorker.inspect(looking('grows'), SIGNAL), unavailable(/broke off|too much memory/));
});

test('an aborted request ends its work, and the next in the queue is handled', async (t) => {
  const { editWorker, helpers } = open(t, { ...ODD, deadlineMs: 600_000 });
  const leaving = new AbortController();
  const [first] = [editWorker.inspect(looking('hangs'), leaving.signal)];
  const waiting = new AbortController();
  const second = editWorker.inspect(looking(), waiting.signal);
  const third = editWorker.inspect(looking(), SIGNAL);
  waiting.abort(new Error('left while waiting'));
  await assert.rejects(second, /left while waiting/);
  const [helper] = helpers;
  leaving.abort(new Error('left'));
  await assert.rejects(first, /left/);
  assert.ok(helper && !helpers.has(helper), 'its process is gone');
  assert.equal((await third).title, 'Film');
});

test('closed while requests wait: no process starts for them, nor for later ones', async (t) => {
  const { editWorker, helpers } = open(t, { ...ODD, deadlineMs: 600_000 });
  const all = [editWorker.inspect(looking('hangs'), SIGNAL), editWorker.inspect(looking(), SIGNAL)].map((one) =>
    assert.rejects(one, unavailable(/is stopping/)),
  );
  // The first one has its process by the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(helpers.size, 1);
  await editWorker.close();
  await Promise.all(all);
  await assert.rejects(editWorker.inspect(looking(), SIGNAL), unavailable(/is stopping/));
  assert.equal(helpers.size, 0);
});

test('the queue of the worker is limited', async (t) => {
  const { editWorker } = open(t, { ...ODD, deadlineMs: 600_000 });
  const leaving = new AbortController();
  const all = Array.from({ length: 8 }, () => editWorker.inspect(looking('hangs'), leaving.signal));
  await assert.rejects(editWorker.inspect(looking(), SIGNAL), unavailable(/try again in a moment/));
  leaving.abort(new Error('left'));
  assert.deepEqual(
    (await Promise.allSettled(all)).map(({ status }) => status),
    Array.from({ length: 8 }, () => 'rejected'),
  );
  assert.equal((await editWorker.inspect(looking(), SIGNAL)).title, 'Film');
});

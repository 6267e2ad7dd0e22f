/** Recovery of a film whose stream fails, whose link has expired, or that the browser cannot decode. */
import assert from 'node:assert/strict';
import { before, test, type TestContext } from 'node:test';
import { speak } from '../../../messages/catalogue.ts';
import type { Change, PlanReply } from '../../../parts/playback/plan.ts';
import type { StreamFailure, StreamFault } from './judge.ts';
import { createRecovery, newMemory } from './recovery.ts';

before(() => speak(['en']));

const PLAN = {
  mode: 'remux',
  container: 'matroska',
  video: { codec: 'hevc' },
  audio: [{ codec: 'ac3' }, { codec: 'dts', selected: true }],
} as PlanReply;

function film(t: TestContext, plan = PLAN) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const memory = newMemory(12);
  const asked: Change[] = [];
  const shown: (StreamFault['kind'] | undefined)[] = [];
  const state = {
    resumed: 0,
    paused: 0,
    isStalled: true,
    canResume: true,
    refusal: undefined as StreamFailure | undefined,
  };
  const recovery = createRecovery({
    memory,
    plan: () => plan,
    again: (change) => {
      asked.push(change);
      return Promise.resolve(state.refusal);
    },
    resume: () => (state.canResume ? () => void (state.resumed += 1) : undefined),
    isStalled: () => state.isStalled,
    pause: () => void (state.paused += 1),
    show: (fault) => shown.push(fault?.kind),
  });
  return { memory, asked, shown, state, recovery };
}
const LOST = { status: 0, says: '' };

test('a lost connection is waited out, and the stream continues', (t) => {
  const { memory, asked, shown, state, recovery } = film(t);
  recovery.failed(LOST);
  t.mock.timers.tick(999);
  assert.equal(state.resumed, 0);
  t.mock.timers.tick(1);
  recovery.failed(LOST);
  t.mock.timers.tick(1_999);
  assert.deepEqual([state.resumed, memory.tries, shown], [1, 2, ['lost', 'lost']]);
  recovery.online();
  assert.equal(state.resumed, 2, 'at once when the network is back');
  t.mock.timers.tick(60_000);
  assert.equal(state.resumed, 2);
  recovery.loaded();
  recovery.online();
  assert.deepEqual([state.resumed, memory.tries, asked], [2, 0, []]);
});

test('a fault that came during a jump goes when the picture is there, and comes back when it is missing', (t) => {
  const { shown, state, recovery } = film(t);
  recovery.failed(LOST);
  recovery.ready();
  assert.deepEqual(shown, ['lost'], 'it still stands still');
  state.isStalled = false;
  recovery.ready();
  assert.deepEqual(shown, ['lost', undefined]);
  recovery.waiting();
  assert.deepEqual(shown, ['lost', undefined, 'lost']);
  recovery.loaded();
  recovery.ready();
  assert.deepEqual(shown.length, 3, 'nothing is waited out any more');
});

test('the viewer sees a fault only when the picture stands still', (t) => {
  const { shown, state, recovery } = film(t);
  state.isStalled = false;
  recovery.waiting();
  recovery.failed(LOST);
  assert.deepEqual(shown, []);
  recovery.waiting();
  recovery.playing();
  recovery.waiting();
  assert.deepEqual(shown, ['lost', undefined]);
});

test('a link that has expired is replaced once from the same place, and a second refusal is shown', (t) => {
  const { memory, asked, shown, state, recovery } = film(t);
  recovery.failed({ status: 403, says: '' });
  memory.place = 40;
  recovery.failed({ status: 403, says: '' });
  assert.deepEqual([asked, shown, state.paused], [[{ at: 12 }], ['refused'], 1]);
  recovery.playing();
  recovery.failed({ status: 409, says: '' });
  assert.deepEqual(asked.at(-1), { at: 40 });
});

test('a film without a stream asks for a new plan, and waits when that fails, too', async (t) => {
  const { memory, asked, state, recovery } = film(t);
  state.canResume = false;
  state.refusal = LOST;
  recovery.failed(LOST);
  t.mock.timers.tick(1_000);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual([asked, memory.tries], [[{ at: 12 }], 2]);
});

test('what cannot be decoded is left out of the next plan, three times at most', (t) => {
  const { asked, shown, recovery } = film(t);
  for (const stream of ['audio', 'video', undefined, 'video'] as const) recovery.undecodable(stream);
  assert.deepEqual(asked, [
    { at: 12, avoid: { audio: 'dts' } },
    { at: 12, avoid: { copied: 'hevc' } },
    { at: 12, avoid: { copied: 'hevc' } },
  ]);
  assert.deepEqual(shown, ['undecodable']);
});

test('a file that cannot be decoded as it is becomes another container', (t) => {
  const { asked, recovery } = film(t, { ...PLAN, mode: 'direct' });
  recovery.undecodable('video');
  assert.deepEqual(asked, [{ at: 12, avoid: { container: 'matroska' } }]);
});

test('what the server converted to a codec is doubted with the codec, until no other is left', async (t) => {
  const { asked, shown, state, recovery } = film(t, { ...PLAN, mode: 'transcode' });
  recovery.undecodable('video');
  assert.deepEqual(asked, [{ at: 12, avoid: { video: 'hevc' } }]);
  state.refusal = { status: 403, says: '' };
  recovery.undecodable('video');
  await Promise.resolve();
  assert.deepEqual(shown, ['undecodable']);
});

test('nothing happens once the stream is closed', (t) => {
  const { asked, shown, state, recovery } = film(t);
  recovery.failed(LOST);
  recovery.close();
  t.mock.timers.tick(60_000);
  recovery.failed({ status: 403, says: '' });
  recovery.undecodable('audio');
  assert.deepEqual([state.resumed, asked, shown], [0, [], ['lost']]);
});

test('a stream that waits for what is not loaded is opened again three times, and again after it played', async (t) => {
  const { memory, asked, shown, state, recovery } = film(t);
  const stuck = async () => {
    recovery.stuck();
    await Promise.resolve();
  };
  for (let n = 0; n < 3; n++) await stuck();
  assert.deepEqual(asked, [{ at: 12 }, { at: 12 }, { at: 12 }]);
  assert.deepEqual([shown, state.paused], [[], 0]);
  for (let n = 0; n < 2; n++) await stuck();
  assert.equal(asked.length, 3);
  assert.deepEqual([shown, state.paused], [['refused'], 1]);
  recovery.playing();
  memory.place = 40;
  await stuck();
  assert.deepEqual(asked.at(-1), { at: 40 });
  recovery.close();
  recovery.playing();
  await stuck();
  assert.equal(asked.length, 4);
});

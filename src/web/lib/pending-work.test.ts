/** The mark of a page that is done: never while something is left, and not before the last change is drawn. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import {
  afterNextFrame,
  beginPending,
  createPendingState,
  repeat,
  later,
  onNextFrame,
  pendingUntil,
  soon,
  whilePersonDecides,
} from './pending-work.ts';

const frames = new Map<number, () => void>();
let count = 0;
const root = { dataset: {} as Record<string, string> };
Object.assign(globalThis, {
  document: { documentElement: root },
  requestAnimationFrame: (callback: () => void) => (frames.set(++count, callback), count),
  cancelAnimationFrame: (id: number) => frames.delete(id),
  // The one of Node keeps the process alive.
  MessageChannel: class {
    port1 = { onmessage: () => {} };
    port2 = { postMessage: () => void setImmediate(() => this.port1.onmessage()) };
  },
});
const draw = (): void => {
  const due = [...frames.values()];
  frames.clear();
  for (const callback of due) callback();
};
/** Lets tasks of message channels run. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const marked = (): string | undefined => root.dataset['pending'];
const settle = async (): Promise<void> => {
  for (let n = 0; n < 3; n++) {
    draw();
    await turn();
  }
};

beforeEach(async () => {
  beginPending('task')();
  await settle();
  assert.equal(marked(), '');
});

test('the mark names what is left, and comes two frames and a task after the last of it', async () => {
  const [call, other, load] = [beginPending('call'), beginPending('call'), beginPending('import')];
  assert.equal(marked(), 'call import');
  call();
  call();
  assert.equal(marked(), 'call import', 'a piece of work that ends twice ends another one');
  load();
  assert.equal(marked(), 'call');
  other();
  assert.equal(marked(), 'frame');
  draw();
  await turn();
  assert.equal(marked(), 'frame', 'what observes the first frame has not been notified');
  draw();
  assert.equal(marked(), 'frame');
  await turn();
  assert.equal(marked(), '');
});

test('work that begins while the last change is drawn takes the mark back', async () => {
  beginPending('call')();
  draw();
  draw();
  const end = beginPending('timer');
  await settle();
  assert.equal(marked(), 'timer');
  end();
  await settle();
  assert.equal(marked(), '');
});

test('a timer counts until its function has run or it is cancelled, one in the background never', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const seen: (string | undefined)[] = [];
  later(300, () => seen.push(marked()));
  const cancel = later(300, () => seen.push('cancelled'));
  assert.equal(marked(), 'timer');
  cancel();
  t.mock.timers.tick(299);
  assert.deepEqual([marked(), seen], ['timer', []]);
  t.mock.timers.tick(1);
  assert.deepEqual([marked(), seen], ['frame', ['timer']]);
  await settle();
  let ticks = 0;
  const stop = repeat(100, () => (ticks += 1));
  const cancelLast = later(1000, () => assert.fail('cancelled'), { isBackground: true });
  assert.equal(marked(), '');
  t.mock.timers.tick(250);
  stop();
  cancelLast();
  t.mock.timers.tick(1000);
  assert.deepEqual([marked(), ticks], ['', 2]);
});

test('a promise counts until it is settled, also when it is rejected', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const other = Promise.withResolvers<number>();
  const [one, two] = [pendingUntil('call', promise), pendingUntil('import', other.promise)];
  assert.equal(marked(), 'call import');
  reject(new Error('lost'));
  await assert.rejects(one, /lost/);
  assert.equal(marked(), 'import');
  other.resolve(7);
  assert.equal(await two, 7);
  assert.equal(marked(), 'frame');
  resolve(1);
});

test('a call is not counted while a person is asked', async () => {
  const given = Promise.withResolvers<boolean>();
  const reply = Promise.withResolvers<void>();
  const send = async (): Promise<void> => {
    await Promise.resolve();
    await whilePersonDecides(given.promise);
    return reply.promise;
  };
  const call = pendingUntil('call', send());
  assert.equal(marked(), 'call');
  await settle();
  assert.equal(marked(), '');
  given.resolve(true);
  await turn();
  assert.equal(marked(), 'call');
  reply.resolve();
  await call;
  assert.equal(marked(), 'frame');
  assert.equal(await whilePersonDecides(Promise.resolve('free')), 'free');
  assert.equal(marked(), 'frame', 'a call that nothing counts changes the count');
});

test('effects and tasks count until they have run, also when they throw', async () => {
  const ran: string[] = [];
  afterNextFrame(() => ran.push(`effect ${marked()}`));
  const cancel = onNextFrame(() => ran.push('cancelled'));
  onNextFrame(() => ran.push(`frame ${marked()}`));
  cancel();
  draw();
  assert.deepEqual([ran, marked()], [['frame frame'], 'frame']);
  await turn();
  assert.deepEqual(ran, ['frame frame', 'effect frame']);
  soon(() => ran.push(`task ${marked()}`));
  assert.equal(marked(), 'task');
  await settle();
  assert.deepEqual([ran.at(-1), marked()], ['task task', '']);
});

test('a state counts once', async () => {
  const set = createPendingState('query');
  for (const is of [true, true]) set(is);
  assert.equal(marked(), 'query');
  for (const is of [false, false]) set(is);
  await settle();
  assert.equal(marked(), '');
});

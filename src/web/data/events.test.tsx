/** The page is not done while the server has named an event that the stream has not brought. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { followEvents } from './events.ts';
import { queries } from './query.ts';
import { newestEvent, send } from './send.ts';

type Listener = (event: { data?: string; lastEventId?: string }) => void;
/** The stream of a browser, of which the test says what happens. */
class FakeSource {
  static CLOSED = 2;
  static OPEN = 1;
  static last: FakeSource;
  readyState = 0;
  listeners = new Map<string, Listener>();
  constructor() {
    FakeSource.last = this;
  }
  addEventListener(kind: string, listener: Listener): void {
    this.listeners.set(kind, listener);
  }
  close(): void {
    this.readyState = FakeSource.CLOSED;
  }
  bring(id: number, kind = 'task'): void {
    this.listeners.get(kind)?.({ data: JSON.stringify({ kind }), lastEventId: String(id) });
  }
  open(newest: number): void {
    this.readyState = FakeSource.OPEN;
    this.listeners.get('open')?.({});
    this.bring(newest, 'hello');
  }
  fail(): void {
    this.readyState = 0;
    this.listeners.get('error')?.({});
  }
}
const isAwaited = (): boolean => /\bevent\b/.test(document.documentElement.dataset['pending'] ?? '');
/** A call of the page, whose reply names an event. */
async function change(t: TestContext, named?: number): Promise<void> {
  const headers: HeadersInit = named === undefined ? {} : { 'last-event-id': String(named) };
  t.mock.method(globalThis, 'fetch', () => Promise.resolve(Response.json({}, { headers })));
  await send('/api/v1/playlists', { method: 'POST' });
}

/** Follows the stream until the test ends. */
function follow(t: TestContext): FakeSource {
  const { EventSource: real } = globalThis;
  Object.assign(globalThis, { EventSource: FakeSource });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  newestEvent.set(0);
  const unfollow = followEvents();
  t.after(() => {
    unfollow();
    queries.clear();
    // Runs the timer that gathers events.
    t.mock.timers.tick(5_000);
    Object.assign(globalThis, { EventSource: real });
  });
  return FakeSource.last;
}

test('a stream that is being opened is waited for', (t) => {
  const stream = follow(t);
  assert.ok(isAwaited());
  stream.open(4);
  assert.ok(!isAwaited());
});

test('a stream that is being opened is waited for after a reply that names an event', async (t) => {
  const stream = follow(t);
  await change(t, 6);
  assert.ok(isAwaited());
  stream.open(6);
  assert.ok(!isAwaited());
});

test('a reply that names a newer event is waited for until the stream brings it', async (t) => {
  const stream = follow(t);
  stream.open(4);
  await change(t, 6);
  assert.ok(isAwaited());
  stream.bring(5);
  assert.ok(isAwaited());
  stream.bring(6);
  assert.ok(!isAwaited());
});

test('a reply that names an older event, or none, is not', async (t) => {
  const stream = follow(t);
  stream.open(4);
  await change(t, 4);
  await change(t);
  assert.ok(!isAwaited());
});

test('what was read by an event is read again before the page is done', async (t) => {
  const stream = follow(t);
  stream.open(4);
  await change(t, 5);
  stream.bring(5);
  assert.match(document.documentElement.dataset['pending'] ?? '', /\btimer\b/);
});

test('a stream that breaks is not waited for: all is read again once it is open', async (t) => {
  const stream = follow(t);
  stream.open(4);
  await change(t, 6);
  stream.fail();
  assert.ok(!isAwaited());
});

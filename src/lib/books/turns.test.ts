/** Questions about books take turns: one Profile does not stop the others, and pages that hung are not tried again. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from '../../../test/until.ts';
import { createProcesses, type Helper, HelperFailure, type HelperFault } from '../process.ts';
import { quietLog } from '../process/testing.ts';
import { createHungPages, HUNG_MS, MAX_HUNG } from './hung.ts';
import { createBookReader } from './reader.ts';
import { createBookTurns, MAX_WAITING, PLACES } from './turns.ts';

const BUSY = { kind: 'throttled', reason: 'too-many-book-questions' };
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (error: unknown) => error,
  );

test('thirty searches of one Profile leave a place for the pages of others, and most are refused', async () => {
  const turns = createBookTurns();
  const taken: string[] = [];
  const leaves: (() => void)[] = [];
  const take = (profile: string, kind: 'page' | 'search') =>
    turns.take({ profile, kind }).then((leave) => (taken.push(`${profile} ${kind}`), void leaves.push(leave)));
  const searches = Array.from({ length: 30 }, () => failureOf(take('ada', 'search')));
  await take('vic', 'page');
  assert.deepEqual(taken, ['ada search', 'vic page']);
  const refused = await Promise.all(searches.slice(1 + MAX_WAITING.search));
  for (const failure of refused) {
    assert.ok(failure instanceof Error);
    assert.deepEqual({ ...BUSY, ...failure }, { ...failure, ...BUSY, members: { retryAfterSeconds: 5 } });
  }
  // Pages go before searches that wait longer.
  const page = take('vic', 'page');
  leaves[1]?.();
  await page;
  assert.deepEqual(taken.slice(2), ['vic page']);
  // One search after the other; the last two of them waited.
  leaves[0]?.();
  leaves[0]?.();
  await searches[1];
  leaves[2]?.();
  leaves[3]?.();
  await searches[2];
  assert.deepEqual(taken.slice(3), ['ada search', 'ada search']);
});

test('a place goes to the Profile with the fewest questions', async () => {
  const turns = createBookTurns();
  const taken: string[] = [];
  const leaves: (() => void)[] = [];
  const all = ['ada', 'ada', 'ada', 'ada', 'vic'].map((profile) =>
    turns.take({ profile, kind: 'page' }).then((leave) => (taken.push(profile), void leaves.push(leave))),
  );
  await Promise.all(all.slice(0, PLACES));
  assert.deepEqual(taken, ['ada', 'ada']);
  leaves[0]?.();
  await all[4];
  assert.deepEqual(taken, ['ada', 'ada', 'vic']);
});

test('an abort leaves the queue; work of the server waits without a bound', async () => {
  const turns = createBookTurns();
  const first = await turns.take({ profile: 'ada', kind: 'page' });
  await turns.take({ profile: 'ada', kind: 'page' });
  const stop = new AbortController();
  const left = turns.take({ profile: 'vic', kind: 'page' }, stop.signal);
  const many = Array.from({ length: 2 * MAX_WAITING.page }, () => turns.take({ profile: undefined, kind: 'page' }));
  stop.abort(new Error('left'));
  await assert.rejects(left, /left/);
  first();
  for (const one of many) (await one)();
  await assert.rejects(turns.take({ profile: 'vic', kind: 'page' }, stop.signal), /left/);
});

test('pages that hung are refused for a while, after two of them the book, and few are remembered', () => {
  let now = 0;
  const hung = createHungPages({ clock: { monotonic: () => now } });
  hung.add('a', 'page 1');
  assert.deepEqual([hung.has('a', 'page 1'), hung.has('a', 'page 2'), hung.has('b', 'page 1')], [true, false, false]);
  now += HUNG_MS / 2;
  hung.add('a', 'page 7');
  assert.ok(hung.has('a', 'page 2'));
  now += HUNG_MS / 2;
  assert.deepEqual([hung.has('a', 'page 1'), hung.has('a', 'page 7')], [false, true]);
  for (let n = 0; n < MAX_HUNG; n++) hung.add(`other ${n}`, 'page 1');
  assert.ok(!hung.has('a', 'page 7'));
});

/** Opens a reader whose helper answers about a page by its number: 0 at once, others never. */
async function openReader(t: TestContext, deadlineMs: number) {
  const root = await mkdtemp(join(tmpdir(), 'turns-'));
  t.after(() => rm(root, { recursive: true }));
  const module = join(root, 'helper.mjs');
  const serve = new URL('../process/serve.ts', import.meta.url).href;
  await writeFile(
    module,
    `import { serveHelper } from ${JSON.stringify(serve)};
serveHelper(async ({ do: asked, page }) => {
  if (asked === 'search' || page > 0) await new Promise((resolve) => setTimeout(resolve, 600_000));
  return { found: { type: 'image/png', bytes: new Uint8Array(1) } };
});`,
  );
  const processes = await createProcesses({ log: quietLog, temporary: join(root, 'work') });
  t.after(() => processes.close());
  const books = createBookReader({ processes, module: new URL(`file://${module}`), deadlineMs });
  t.after(() => books.close());
  return { books, file: { root, relative: 'a.pdf', modifiedMs: 1 } };
}

test('a page that hung is not asked for again, and another one is', async (t) => {
  const { books, file } = await openReader(t, 400);
  const unreadable = { reason: 'book-unreadable' };
  await assert.rejects(books.page(file, { page: 1 }), unreadable);
  await books.page(file, { page: 0 });
  const again = (await failureOf(books.page(file, { page: 1, width: 9 }))) as Error;
  assert.equal(again.cause, undefined, 'no helper was asked');
  await assert.rejects(books.page(file, { page: 2 }), unreadable);
  await assert.rejects(books.page(file, { page: 0 }), unreadable);
  await books.page({ ...file, modifiedMs: 2 }, { page: 0 });
});

test('thirty searches that hang leave the pages of others', async (t) => {
  const { books, file } = await openReader(t, 600_000);
  const stop = new AbortController();
  const searches = Array.from({ length: 30 }, () =>
    failureOf(books.search(file, { text: 'a', limit: 1 }, { profile: 'ada', signal: stop.signal })),
  );
  await books.page(file, { page: 0 }, { profile: 'vic' });
  stop.abort(new Error('left'));
  await Promise.all(searches);
});

test('a caller who leaves does not free the place while a process is still at the question', async () => {
  const asked: { what: unknown; settled: (fault: HelperFault | undefined) => void }[] = [];
  const ask: Helper['ask'] = (request, signal, settled = () => {}) => {
    asked.push({ what: (request as { do: string }).do, settled });
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new HelperFailure('books', 'aborted')));
    });
  };
  const helper = { ask, warm: () => {}, stats: () => assert.fail(), close: async () => {} };
  let now = 0;
  const books = createBookReader({ processes: { startHelper: () => helper }, clock: { monotonic: () => now } });
  const file = { root: '/', relative: 'a.pdf' };
  const search = (signal: AbortSignal) => failureOf(books.search(file, { text: 'a', limit: 1 }, { signal }));
  const [stop, stopToo] = [new AbortController(), new AbortController()];
  const first = search(stop.signal);
  await until('the first question', () => asked.length === 1);
  stop.abort(new Error('left'));
  assert.match(String(await first), /left/);
  const second = search(stopToo.signal);
  const page = failureOf(books.page(file, { page: 0 }, { signal: stopToo.signal }));
  await until('the page', () => asked.length === 2);
  assert.equal(asked[1]?.what, 'page');
  asked[0]?.settled('hung');
  await until('the second search', () => asked.length === 3);
  // One that was stopped long after it began hung, although its caller left.
  now += 15_000;
  stopToo.abort(new Error('left'));
  await Promise.all([second, page]);
  asked[1]?.settled('hung');
  asked[2]?.settled(undefined);
  await assert.rejects(books.page(file, { page: 0 }), { reason: 'book-unreadable' });
  assert.equal(asked.length, 3);
});

/** Segments of a stream that are on their way into the cache, and runs of which nothing comes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { Failure } from '../../lib/failure.ts';
import { quietLog } from '../../lib/process/testing.ts';
import type { SegmentCache } from './cache.ts';
import { createStream } from './stream.ts';
import { never } from './testing.ts';
import { type Cutter, type EncoderRun, type StreamPlan, TRANSCODE_LIMITS } from './types.ts';

/** A stream of one segment, whose cache is empty. Its runs emit one chunk. */
function openStream(needs: { check?: StreamPlan['check']; put?: () => Promise<void>; cutter?: Cutter } = {}) {
  const { check = () => Promise.resolve(), put = () => Promise.resolve() } = needs;
  const { cutter = { push: (bytes) => [{ index: 0, bytes: Buffer.from(bytes) }], end: () => [] } } = needs;
  const counts = { runs: 0, dropped: 0 };
  const run: EncoderRun = {
    first: 0,
    start: () =>
      Promise.resolve({
        pid: 0,
        bytes: (async function* () {
          yield Buffer.from('made');
        })(),
        done: Promise.resolve(),
        hasLostInput: () => false,
        stop: () => {},
      }),
    cutter,
  };
  const stream = createStream({
    plan: { id: 'film', kind: 'video', count: 1, segmentSeconds: 2, check, runAt: () => ((counts.runs += 1), run) },
    cache: {
      get: () => Promise.resolve(undefined),
      has: () => false,
      put,
      drop: () => Promise.resolve(void (counts.dropped += 1)),
    } as unknown as SegmentCache,
    limits: TRANSCODE_LIMITS,
    log: quietLog,
    now: () => 0,
    admit: () => {},
    onStart: () => {},
  });
  return { stream, counts };
}
const reasonOf = (request: Promise<unknown>): Promise<unknown> =>
  request.catch((error: unknown) => (error instanceof Failure ? error.reason : error));

test('a segment that is still being written is there for the next session', async () => {
  const written = Promise.withResolvers<void>();
  const { stream, counts } = openStream({ put: () => written.promise });
  assert.equal(String(await stream.segment(0, 'first', never)), 'made');
  assert.equal(String(await stream.segment(0, 'second', never)), 'made');
  assert.equal(counts.runs, 1);
  written.resolve();
});

test('a segment whose file is being checked is waited for, and no other run begins', async () => {
  const [checking, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { stream, counts } = openStream({
    check: () => (counts.runs === 0 ? Promise.resolve() : (checking.resolve(), checked.promise)),
  });
  const first = stream.segment(0, 'first', never);
  await checking.promise;
  const second = stream.segment(0, 'second', never);
  await new Promise((resolve) => setImmediate(resolve));
  checked.resolve();
  assert.deepEqual((await Promise.all([first, second])).map(String), ['made', 'made']);
  assert.equal(counts.runs, 1);
});

test('a file that changes during a run is refused from then on, and its segments are removed', async () => {
  const { stream, counts } = openStream({
    check: () =>
      counts.runs === 0
        ? Promise.resolve()
        : Promise.reject(new Failure('conflict', 'the file changed', { reason: 'changed' })),
  });
  assert.equal(await reasonOf(stream.segment(0, 'first', never)), 'changed');
  assert.equal(await reasonOf(stream.segment(0, 'first', never)), 'changed');
  await until('the removal', () => counts.dropped > 0);
  assert.equal(counts.runs, 1);
});

test('a stream of whose first run nothing comes is refused', async () => {
  const { stream, counts } = openStream({ cutter: { push: () => [], end: () => [] } });
  assert.equal(await reasonOf(stream.segment(0, 'first', never)), 'cannot-decode');
  assert.equal(await reasonOf(stream.segment(0, 'first', never)), 'cannot-decode');
  assert.deepEqual([counts.runs, stream.trouble().cannotDecode], [1, true]);
});

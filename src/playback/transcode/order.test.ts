/** Requests of a session are decided about in the order in which they came, however long the cache takes for each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietLog } from '../../lib/process/testing.ts';
import type { SegmentCache } from './cache.ts';
import { createStream } from './stream.ts';
import { never } from './testing.ts';
import { TRANSCODE_LIMITS, type EncoderRun } from './types.ts';

test('of two requests of a session the later one counts, also when it is looked up in the cache first', async (t) => {
  const starts: number[] = [];
  const made = Promise.withResolvers<void>();
  const run = (first: number): EncoderRun => ({
    first,
    start: (signal) =>
      Promise.resolve({
        pid: 0,
        bytes: (async function* () {
          const aborted = new Promise((resolve) => signal?.addEventListener('abort', resolve));
          await Promise.race([aborted, ...(first === 9 ? [made.promise] : [])]);
          yield Buffer.from(`made ${first}`);
        })(),
        done: Promise.resolve(),
        hasLostInput: () => false,
        stop: () => {},
      }),
    cutter: { push: (bytes) => [{ index: first, bytes: Buffer.from(bytes) }], end: () => [] },
  });
  const plan = {
    id: 'film',
    kind: 'video',
    count: 10,
    segmentSeconds: 2,
    check: () => Promise.resolve(),
    runAt: (first: number) => (starts.push(first), run(first)),
  } as const;
  const looked = Promise.withResolvers<undefined>();
  const cache = {
    get: (_: string, index: number) => (index === 2 ? looked.promise : Promise.resolve(undefined)),
    has: () => false,
    put: () => Promise.resolve(),
  } as unknown as SegmentCache;
  const stream = createStream({
    plan,
    cache,
    limits: { ...TRANSCODE_LIMITS, nearSegments: 1, aheadSegments: 0 },
    log: quietLog,
    now: () => 0,
    admit: () => {},
    onStart: (who, head) => stream.leave(who, head),
  });
  t.after(stream.close);
  const both = Promise.allSettled([stream.segment(2, 'viewer', never), stream.segment(9, 'viewer', never)]);
  // The second has been looked up by now.
  await new Promise((resolve) => setImmediate(resolve));
  looked.resolve(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  made.resolve();
  const [early, late] = await both;
  assert.deepEqual(
    [late.status === 'fulfilled' ? String(late.value) : String(late.reason), early.status, starts],
    ['made 9', 'rejected', [2, 9]],
  );
});

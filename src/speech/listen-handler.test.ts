/** Background work detects speech on one processor; a person who waits is given two. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createListenHandler } from './listen-handler.ts';

test('the detector of background work has one thread, and each is loaded once', async () => {
  const loads: number[] = [];
  const handle = createListenHandler([
    {
      name: 'light',
      load: async (threads) => {
        loads.push(threads);
        return { detect: async (_samples, frames) => new Float32Array(frames) };
      },
    },
  ]);
  for (const isAwaited of [false, true, false, true])
    assert.equal((await handle({ do: 'begin', isAwaited })).is, 'ready');
  assert.deepEqual(loads, [1, 2]);
});

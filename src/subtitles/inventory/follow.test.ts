/** Following: batches until nothing is new, a failed batch is done again, and a storm of nudges is one call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Subject } from '../../catalog/index.ts';
import { openTemporaryDatabase } from '../../lib/db/testing.ts';
import { createFollower } from './follow.ts';
import { inventoryStore } from '../store/inventory.ts';
import { subtitleMigrations } from '../store/migrations.ts';

const film = (change: number, isGone = false): Subject => ({
  id: change.toString(16).padStart(16, '0'),
  library: 'a'.repeat(16),
  kind: 'movie',
  title: `Film ${change}`,
  year: 2001,
  show: undefined,
  season: undefined,
  episode: undefined,
  episodeEnd: undefined,
  ids: {},
  added: 1,
  available: true,
  files: isGone
    ? []
    : [
        {
          id: 'v',
          item: 'i',
          library: 'a'.repeat(16),
          root: '/media',
          relative: `Film ${change}.mkv`,
          size: 1,
          modifiedMs: 1,
          part: 1,
          info: undefined,
          available: true,
        },
      ],
  sidecars: [],
  editLists: [],
  change,
  gone: isGone,
});

test('changes are followed in order, again after a failure, and removed items are deleted', async (t) => {
  const store = inventoryStore(await openTemporaryDatabase(t, subtitleMigrations));
  const changes = Array.from({ length: 450 }, (_, n) => film(n + 1));
  let gone: { id: string; change: number }[] = [];
  const asked: number[] = [];
  let isBroken = true;
  const catchUp = createFollower({
    catalog: {
      changedSince: async (since, most) => (
        asked.push(since),
        changes.filter(({ change }) => change > since).slice(0, most)
      ),
      goneSince: async (since, most) => gone.filter(({ change }) => change > since).slice(0, most),
    },
    store: {
      cursor: () => store.cursor(),
      tracks: (items) => store.tracks(items),
      follow: async (...given) => {
        if (isBroken && given[2].change === 240) throw new Error('the disk is full');
        return store.follow(...given);
      },
    },
    changed: () => {},
    signal: new AbortController().signal,
  });
  await assert.rejects(catchUp(), /full/);
  assert.deepEqual(await store.cursor(), { change: 220, gone: 0 }, 'the cursor stands where the rows do');
  isBroken = false;
  await catchUp();
  const steps = (from: number, to: number) => Array.from({ length: (to - from) / 10 }, (_, n) => from + n * 10);
  assert.deepEqual(asked, [...steps(0, 240), ...steps(220, 460), 450]);
  assert.equal((await store.shapes())[0]?.items, 450);
  gone = [{ id: film(1).id, change: 451 }];
  changes.push({ ...film(2, true), change: 452 });
  await catchUp();
  assert.equal((await store.shapes())[0]?.items, 448);
  assert.deepEqual(await store.cursor(), { change: 452, gone: 451 });
});

test('after each batch there is a pause as long as the batch took', async () => {
  const BATCHES = 20;
  let busy = 0;
  const catchUp = createFollower({
    catalog: {
      changedSince: async (since, most) =>
        since < BATCHES * 20 ? Array.from({ length: most }, (_, n) => film(since + n + 1)) : [],
      goneSince: async () => [],
    },
    store: {
      tracks: async () => new Map(),
      cursor: async () => ({ change: 0, gone: 0 }),
      follow: async () => {
        const since = performance.now();
        while (performance.now() - since < 5);
        busy += performance.now() - since;
      },
    },
    changed: () => {},
    signal: new AbortController().signal,
  });
  const began = performance.now();
  await catchUp();
  const took = performance.now() - began;
  assert.ok(busy > BATCHES * 5 - 1);
  assert.ok(took > 1.6 * busy, `${Math.round(took)} ms for ${Math.round(busy)} ms of writing`);
});

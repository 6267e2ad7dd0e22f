/**
 * The task that looks through new recordings: each once, others not at all, and those of a library that is away again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEFORE_ALL, type FollowedPosition, type PlayableFile, type Subject } from '../../../catalog/index.ts';
import { Failure } from '../../../lib/failure.ts';
import { quietLog } from '../../../lib/process/testing.ts';
import { runTask } from '../../../lib/tasks/testing.ts';
import { createWalkBackground } from './background.ts';

const fileOf = (relative: string, container: string, available = true): PlayableFile =>
  ({
    relative,
    available,
    info: { container, size: 1, streams: [], chapters: [], tags: {} },
  }) as unknown as PlayableFile;
const SUBJECTS = [
  { id: 'a', change: 1, files: [fileOf('a.ts', 'mpegts')] },
  { id: 'b', change: 2, files: [fileOf('b.mkv', 'matroska')] },
  { id: 'c', change: 3, files: [fileOf('c.ts', 'mpegts'), fileOf('unreadable.ts', 'mpegts', false)] },
].map((one) => ({ ...one, library: 'l', available: true, gone: false })) as unknown as Subject[];

function background({ refused, hasRoom = true }: { refused?: Failure; hasRoom?: boolean } = {}) {
  let at: FollowedPosition & { gone: number } = { ...BEFORE_ALL, gone: 0 };
  const walked: string[] = [];
  const made = createWalkBackground({
    catalog: {
      changedSince: async (change, most) => SUBJECTS.filter((one) => one.change > change).slice(0, most),
      isOnline: () => true,
    },
    store: { cursor: async () => at, follow: async (_, next) => void (at = { gone: 0, ...next }) },
    log: quietLog,
    hasRoom: async () => hasRoom,
    walk: async ({ relative }) => {
      walked.push(relative);
      if (refused && relative === 'a.ts') throw refused;
    },
  });
  return { ...made, walked, run: async () => runTask(made.task, {}) };
}

test('recordings are looked through once', async () => {
  const { run, isDue, walked } = background();
  assert.equal(await isDue(), true);
  await run();
  await run();
  assert.deepEqual([walked, await isDue()], [['a.ts', 'c.ts'], false]);
});

test('a library that is away is tried again, a file that changed is not', async () => {
  const away = background({
    refused: new Failure('unavailable', 'this library cannot be reached', { reason: 'library-offline' }),
  });
  await away.run();
  assert.deepEqual([away.walked, await away.isDue()], [['a.ts', 'c.ts'], true]);
  const changed = background({ refused: new Failure('conflict', 'the file was replaced', { reason: 'changed' }) });
  await changed.run();
  assert.equal(await changed.isDue(), false);
});

test('a full cache ends the run', async () => {
  const full = background({ hasRoom: false });
  await full.run();
  assert.deepEqual([full.walked, await full.isDue()], [[], true]);
});

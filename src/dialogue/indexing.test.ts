/** Indexing waits while something is played. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { BEFORE_ALL } from '../catalog/index.ts';
import { Failure } from '../lib/failure.ts';
import { runTask } from '../lib/tasks/testing.ts';
import { createDialogueIndexing, type IndexingNeeds } from './indexing.ts';

const file = { id: 'v', part: 0, root: '/films', relative: 'a.mp4', size: 1, modifiedMs: 1 };
const sidecar = { version: 'v', part: 0, format: 'srt', role: 'normal', relative: 'a.srt', name: 'a.srt', size: 1 };
const film = { id: 'f', library: 'l', change: 1, gone: false, available: true, files: [file], sidecars: [sidecar] };

test('no subtitle is read while something is played, and it is read after that', async () => {
  let isPlaying = true;
  let asked = 0;
  const opened: string[] = [];
  const none = async (): Promise<[]> => [];
  const needs = {
    catalog: {
      changedSince: async (cursor: number) => (cursor < 1 ? [film] : []),
      goneSince: none,
      isOnline: () => true,
      subject: async () => film,
      lyrics: { changedSince: none },
      root: async (path: string) => {
        opened.push(path);
        throw new Failure('unavailable', 'the library is away', { reason: 'library-offline' });
      },
    },
    index: {
      items: () => new Map(),
      cursor: () => ({ films: BEFORE_ALL, tracks: BEFORE_ALL, gone: 0 }),
      follow: async () => {},
    },
    log: { warn: () => {} },
    isOn: () => true,
    open: async () => {},
    isPlaying: () => {
      asked += 1;
      return isPlaying;
    },
  } as unknown as IndexingNeeds;
  const { task } = createDialogueIndexing(needs);
  const run = runTask(task, {}).catch((error: unknown) => error);
  await until('the question whether something is played', () => asked > 0 || opened.length > 0);
  assert.deepEqual(opened, []);
  isPlaying = false;
  await until('the film to be opened', () => opened.length > 0);
  await run;
  assert.deepEqual(opened, ['/films']);
});

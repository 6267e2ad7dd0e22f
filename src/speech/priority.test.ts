/** Order of analysis: a person's request runs before the server's own. */
import assert from 'node:assert/strict';
import { appendFile, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { createFfmpeg } from '../lib/ffmpeg/index.ts';
import { openRoot } from '../lib/files.ts';
import { createProcesses } from '../lib/process.ts';
import { quietLog } from '../lib/process/testing.ts';
import { createSpeech, type SpeechSource } from './speech.ts';
import { makeClip } from './testing/clip.ts';
import { builtHelper } from '../../test/built-helpers.ts';

const never = (): AbortSignal => new AbortController().signal;
const turnsOfOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('requests of people go before background work, say whom they wait for, and the rest continues', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-turns-'));
  t.after(() => rm(folder, { recursive: true }));
  const clip = await makeClip(join(folder, 'media', 'batch.mkv'), { seconds: 20 });
  for (const name of ['later', 'shared', 'mine']) {
    await copyFile(join(folder, 'media', 'batch.mkv'), join(folder, 'media', `${name}.mkv`));
    // Another video for the cache.
    await appendFile(join(folder, 'media', `${name}.mkv`), name);
  }
  const processes = await createProcesses({
    log: quietLog,
    temporary: join(folder, 'work'),
    helperModule: builtHelper,
  });
  const root = await openRoot(join(folder, 'media'));
  const real = createFfmpeg({ processes });
  const order: string[] = [];
  let open = (): void => {};
  const held = new Promise<void>((resolve) => void (open = resolve));
  const ffmpeg: Pick<Ffmpeg, 'extractAudio' | 'probe'> = {
    probe: real.probe,
    extractAudio: async (asked, signal) => {
      order.push(/(\w+)\.mkv$/.exec(typeof asked.media === 'string' ? asked.media : asked.media.relative)?.[1] ?? '');
      if (order.length === 1) await held;
      return real.extractAudio(asked, signal);
    },
  };
  const speech = createSpeech({
    processes,
    ffmpeg,
    cache: join(folder, 'cache'),
    clock: { now: Date.now, monotonic: () => performance.now() },
    log: quietLog,
  });
  t.after(async () => {
    await speech.close();
    await processes.close();
    await root.close();
  });
  const spoken = (name: string): SpeechSource => ({
    root,
    file: {
      id: 'f',
      item: name,
      library: 'l',
      root: root.path,
      relative: `${name}.mkv`,
      size: 1,
      modifiedMs: 1,
      part: 1,
      available: true,
      info: {
        container: 'matroska',
        duration: clip.seconds,
        size: 1,
        streams: [
          {
            index: 1,
            type: 'audio',
            codec: 'flac',
            default: true,
            forced: false,
            hearingImpaired: false,
            commentary: false,
            original: false,
            cover: false,
          },
        ],
        chapters: [],
        tags: {},
      },
    },
  });
  const heard: Promise<unknown>[] = [];
  const ask = async (name: string, isBackground: boolean): Promise<void> => {
    heard.push(speech.curve(spoken(name), { isBackground, signal: never() }));
    while (speech.stateOf(name) === undefined) await turnsOfOthers();
  };
  await ask('batch', true);
  await ask('later', true);
  await ask('shared', true);
  assert.equal(speech.isAwaited(), false, 'no person waits for it');
  await ask('mine', false);
  assert.equal(speech.isAwaited(), true);
  assert.deepEqual(
    ['batch', 'later', 'mine'].map((name) => speech.stateOf(name)),
    [
      { state: 'listening', progress: 0 },
      { state: 'waiting', behind: 'batch' },
      { state: 'waiting', behind: 'batch' },
    ],
  );
  // A person opens what the batch waits for: it is listened to once, and now for a person.
  await ask('shared', false);
  open();
  await Promise.all(heard);
  assert.deepEqual(order, ['batch', 'shared', 'mine', 'later']);
  assert.equal(speech.stateOf('mine'), undefined);
  assert.equal(speech.isAwaited(), false);
});

/** An fpcalc that misbehaves, in each way that a program can, and audio that cannot be read. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createFfmpeg, type Ffmpeg } from '../../../lib/ffmpeg/index.ts';
import { createProcesses, ProcessFailure, type Processes } from '../../../lib/process.ts';
import { quietLog } from '../../../lib/process/testing.ts';
import { makeFingerprint } from './fingerprint.ts';
import { ITEM_S } from './match.ts';
import { makeMusic, makeVideo } from './testing-season.ts';
import { builtHelper } from '../../../../test/built-helpers.ts';

const never = new AbortController().signal;

async function lab(
  t: TestContext,
): Promise<{ folder: string; processes: Processes; ffmpeg: Ffmpeg; film: string; standIn(script: string): string }> {
  const folder = mkdtempSync(join(tmpdir(), 'fpcalc-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  t.after(async () => {
    await processes.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const film = join(folder, 'film.mkv');
  makeVideo(film, { key: 'fpcalc', sound: () => makeMusic(30, 4) });
  let count = 0;
  const standIn = (script: string): string => {
    const path = join(folder, `stand-in-${count++}`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  return { folder, processes, ffmpeg: createFfmpeg({ processes }), film, standIn };
}
const part = { stream: 1, from: 5, length: 60 };

test('the real one describes what there is of the part, and nothing of what is added behind it', async (t) => {
  const { processes, ffmpeg, film } = await lab(t);
  const print = await makeFingerprint({ ffmpeg, processes, program: 'fpcalc' }, { media: film, ...part }, never);
  assert.ok(Math.abs(print.length - 25) < 0.5, String(print.length));
  assert.ok(Math.abs(print.items.length - 25 / ITEM_S) < 5, String(print.items.length));
  assert.ok(new Set(print.items).size > 100);
});

test('one that says garbage, too much, nothing, or crashes is a failure in words', async (t) => {
  const { processes, ffmpeg, film, standIn } = await lab(t);
  for (const [script, reason] of [
    ['cat >/dev/null; echo hello', /returned no fingerprint/],
    ['cat >/dev/null; echo FINGERPRINT=1,2,x', /returned no fingerprint/],
    ['cat >/dev/null', /returned no fingerprint/],
    ['head -c 3000000 /dev/urandom', /too much output/],
    ['yes FINGERPRINT=1,2,3', /too much output/],
    ['cat >/dev/null; kill -SEGV $$', /was ended/],
    ['exit 1', /failed/],
  ] as const)
    await assert.rejects(
      makeFingerprint({ ffmpeg, processes, program: standIn(script) }, { media: film, ...part }, never),
      reason,
      script,
    );
  assert.deepEqual(processes.stats().waiting, 0);
});

test('one that hangs ends with the task, and so does the decoder that waits for it', async (t) => {
  const { processes, ffmpeg, film, standIn } = await lab(t);
  const cancel = new AbortController();
  const waiting = makeFingerprint(
    { ffmpeg, processes, program: standIn('sleep 1000') },
    { media: film, ...part },
    cancel.signal,
  );
  setTimeout(() => cancel.abort(new Error('cancelled')), 200);
  await assert.rejects(waiting, /cancelled/);
  // Both places in the queue are free again: an orphan would hold one.
  const print = await makeFingerprint({ ffmpeg, processes, program: 'fpcalc' }, { media: film, ...part }, never);
  assert.ok(print.items.length > 100);
});

test('a file without readable audio is a sentence, and a missing program is no fault of it', async (t) => {
  const { folder, processes, ffmpeg, film } = await lab(t);
  const garbage = join(folder, 'garbage.mkv');
  writeFileSync(garbage, Buffer.alloc(100_000, 0x42));
  await assert.rejects(
    makeFingerprint({ ffmpeg, processes, program: 'fpcalc' }, { media: garbage, ...part }, never),
    /the audio of this video cannot be read/,
  );
  await assert.rejects(
    makeFingerprint({ ffmpeg, processes, program: 'fpcalc' }, { media: film, ...part, from: 500 }, never),
    /audio/,
  );
  await assert.rejects(
    makeFingerprint({ ffmpeg, processes, program: 'no-such-fpcalc' }, { media: film, ...part }, never),
    (error: unknown) => error instanceof ProcessFailure && error.fault === 'missing',
  );
});

test('fpcalc is given samples and never a name', async (t) => {
  const { processes, ffmpeg, film } = await lab(t);
  const asked: string[][] = [];
  const watching: Pick<Processes, 'run'> = {
    run: (command, signal) => (asked.push([...command.args]), processes.run(command, signal)),
  };
  await makeFingerprint({ ffmpeg, processes: watching, program: 'fpcalc' }, { media: film, ...part }, never);
  assert.deepEqual(asked, [['-raw', '-length', '60', '-format', 's16le', '-rate', '16000', '-channels', '1', '-']]);
});

/**
 * The truth about copied streams: all segments of a file, one after the other, decode to the same pictures and samples
 * as the file, at the same times.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createProcesses, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createRemux, type Remux } from './index.ts';
import { makeClips } from './testing/clips.ts';
import { compare, decodeAll, sourceOf, writeAll } from './testing/compare.ts';

const folder = mkdtempSync(join(tmpdir(), 'truth-'));
const signal = new AbortController().signal;
let processes: Processes;
let remux: Remux;
let clip: (name: string) => string;

before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp') });
  remux = createRemux({ processes, log: quietLog });
  clip = await makeClips(folder);
});
after(async () => {
  await remux.close();
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every copied stream decodes to the pictures and samples of its file', async () => {
  const closed = ['h264.mp4', 'h264.mkv', 'hvc1.mp4', 'hev1.mp4', 'hevc.mkv'];
  const written = [];
  for (const name of closed) written.push(...(await writeAll(remux, clip(name), folder)));
  for (const name of ['open.mp4', 'open.mkv']) written.push(...(await writeAll(remux, clip(name), folder, { isOpenGopAllowed: true })));
  await decodeAll(written);
  const results = written.map((one) => compare(one, 48_000));
  assert.equal(results.length, 9);
  assert.deepEqual(results.filter(({ problem }) => problem !== undefined), []);
});

test('an open GOP is offered only to clients that can start there', async () => {
  for (const name of ['open.mp4', 'open.mkv']) {
    const index = await remux.facts(sourceOf(clip(name)), signal);
    assert.equal(index.plan(true).obstacle, undefined);
    assert.equal(index.plan(true).segments.length, 3);
    assert.equal(index.plan(false).segments.length, 1, 'no segment begins at a recovery point');
  }
});

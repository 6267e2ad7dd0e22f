/** MP4 files that are encrypted, as shops sell them: the index says so of each track. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createProcesses } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createRemux } from './index.ts';
import { clipFolder, PICTURES, tone, X264 } from './testing/command-lines.ts';
import { sourceOf } from './testing/compare.ts';

const KEY = '76a6c65c5ea762046bd749a2e632ccbb';

test('an encrypted track is protected, and cannot be copied', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'protected-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp') });
  const remux = createRemux({ processes, log: quietLog });
  t.after(async () => {
    await remux.close();
    await processes.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { at, make } = clipFolder(folder);
  await make(`${PICTURES} ${tone('stereo')} -map 0 -map 1 ${X264} -c:a aac
    -encryption_scheme cenc-aes-ctr -encryption_key ${KEY} -encryption_kid ${KEY} @sold.mp4`);
  const { signal } = new AbortController();
  const { tracks } = await remux.facts(sourceOf(at('sold.mp4')), signal);
  assert.deepEqual(
    tracks.map(({ obstacles }) => obstacles.join()),
    ['protected', 'protected'],
  );
  await assert.rejects(remux.rendition(sourceOf(at('sold.mp4')), 0, {}, signal), {
    message: 'this stream cannot be copied',
  });
});

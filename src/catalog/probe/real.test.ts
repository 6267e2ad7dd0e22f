/** The door with the real ffprobe: whoever answers, the answer is the same. */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFfmpeg } from '../../lib/ffmpeg/index.ts';
import { createProcesses } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createProbe, fromFfprobe } from './index.ts';
import { makeCorpus } from './testing/corpus.ts';
import { differences } from './testing/differences.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

test('files left to ffprobe are read within its limits, and damaged ones are recognised', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  const ffmpeg = createFfmpeg({ processes });
  const probe = createProbe({ processes, ffprobe: (path, signal) => ffmpeg.probe(path, signal), log: quietLog });
  t.after(async () => {
    await probe.close();
    await processes.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { made } = await makeCorpus();
  const rows = made.filter(({ isRead, name }) => !isRead || name.startsWith('film'));
  const whole = made.find(({ name }) => name === 'film.mp4') ?? assert.fail('no film');
  const bytes = readFileSync(whole.path);
  const damaged = {
    'cut.mp4': bytes.subarray(0, 6000),
    'noise.mkv': Buffer.alloc(9000, 0x55),
    'head.mkv': Buffer.from('1a45dfa3844282816d18538067', 'hex'),
  };
  for (const [name, content] of Object.entries(damaged)) writeFileSync(join(folder, name), content);
  const paths = [...rows.map(({ path }) => path), ...Object.keys(damaged).map((name) => join(folder, name))];
  const results = await probe.probe(
    paths.map((path) => ({ path, size: readFileSync(path).length, mtimeMs: 0 })),
    new AbortController().signal,
  );
  rows.forEach(({ name, reply, path }, place) => {
    const result = results[place];
    assert.ok(result?.ok === true, name);
    const expected = fromFfprobe(reply, { size: readFileSync(path).length, container: result.info.container });
    assert.ok(expected !== undefined);
    assert.deepEqual(differences(result.info, expected), [], name);
  });
  assert.ok(results.some((result) => result.ok && result.by === 'ffprobe'));
  assert.deepEqual(
    results.slice(rows.length).map((result) => (result.ok ? 'ok' : result.reason)),
    ['broken', 'not-media', 'broken'],
  );
});

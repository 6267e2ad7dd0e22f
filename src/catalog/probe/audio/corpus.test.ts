/** Tags of files in twelve formats, compared with ffprobe. `npm run bench -- shelves` compares 500, also with MPD. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFfmpeg } from '../../../lib/ffmpeg/index.ts';
import { createProcesses } from '../../../lib/process.ts';
import { quietLog } from '../../../lib/process/testing.ts';
import { createProbe } from '../index.ts';
import { makeTagged, probedTags } from '../testing/tagged.ts';
import { builtHelper } from '../../../../test/built-helpers.ts';

const FILES = 36;

test('tags in twelve formats are those that ffprobe reads', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tagged-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  const ffmpeg = createFfmpeg({ processes });
  const probe = createProbe({ processes, ffprobe: (path, signal) => ffmpeg.probe(path, signal), log: quietLog });
  t.after(async () => {
    await probe.close();
    await processes.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const files = await makeTagged(folder, FILES);
  const results = await probe.probe(
    files.map(({ path }) => ({ path, size: statSync(path).size, mtimeMs: 0 })),
    new AbortController().signal,
  );
  for (const [i, { path, format }] of files.entries()) {
    const result = results[i];
    assert.ok(result?.ok, path);
    const own = result.info.audio;
    const { title, artist, album, track, date, genre } = await probedTags(path);
    assert.deepEqual(
      [own?.title, own?.artists.join('; '), own?.album, own?.track.number, own?.date?.slice(0, 4), own?.genres[0]],
      [title, artist, album, track === undefined ? undefined : Number.parseInt(track, 10), date?.slice(0, 4), genre],
      `${format}: ${path}`,
    );
    assert.ok(title !== undefined || format === 'tta', `${format} has tags`);
  }
});

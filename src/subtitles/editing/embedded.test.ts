/**
 * Text tracks inside a video: one pass for all waiting callers, cached across restarts, repeated for a changed video.
 */
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openTemporaryFolder } from '../../../test/subtitles/world.ts';
import type { PlayableFile } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { openRoot } from '../../lib/files.ts';
import { silentLog } from '../../lib/log.ts';
import { ProcessFailure } from '../../lib/process.ts';
import type { InventoryTrack } from '../store/rows.ts';
import { createEmbeddedTexts } from './embedded.ts';

const SIGNAL = new AbortController().signal;
const track: InventoryTrack = { source: 'embedded', role: 'normal', format: 'subrip', stream: 2 };

test('one pass, cached on disk, repeated for another video; large and broken tracks are refused', async (t) => {
  const folder = await openTemporaryFolder(t);
  await writeFile(join(folder, 'Film.mkv'), 'x');
  const root = await openRoot(folder);
  t.after(() => root.close());
  let passes = 0;
  let text = 'a text';
  let fails = false;
  const ffmpeg = {
    extractText: async () => {
      passes++;
      return {
        tracks: [Readable.from([Buffer.from(text)])],
        done: fails ? Promise.reject(new ProcessFailure('ffmpeg', 'exit', { code: 1, stderr: '' })) : Promise.resolve(),
        stop: () => {},
      };
    },
  };
  const file = (size: number): PlayableFile => ({
    id: 'v',
    item: 'i',
    library: 'l',
    root: folder,
    relative: 'Film.mkv',
    size,
    modifiedMs: 1,
    part: 1,
    info: undefined,
    available: true,
  });
  const make = () => createEmbeddedTexts({ ffmpeg, cache: join(folder, 'cache'), log: silentLog });
  const one = make();
  const gone = new AbortController();
  const leaving = one.read({ file: file(1), root, track }, gone.signal);
  const staying = one.read({ file: file(1), root, track }, SIGNAL);
  gone.abort(new Error('left'));
  await assert.rejects(leaving, /left/);
  assert.deepEqual([(await staying).bytes.toString(), (await staying).extension, passes], ['a text', 'srt', 1]);
  assert.equal((await make().read({ file: file(1), root, track }, SIGNAL)).bytes.toString(), 'a text');
  assert.equal(passes, 1);
  text = 'another text';
  assert.equal((await one.read({ file: file(2), root, track }, SIGNAL)).bytes.toString(), 'another text');
  assert.equal(passes, 2);
  text = 'x'.repeat(4 * 1024 * 1024 + 1);
  const isConflict = (words: RegExp) => (error: unknown) =>
    error instanceof Failure && error.kind === 'conflict' && words.test(error.message);
  await assert.rejects(one.read({ file: file(3), root, track }, SIGNAL), isConflict(/larger than 4 MiB/));
  text = 'half a te';
  fails = true;
  await assert.rejects(one.read({ file: file(4), root, track }, SIGNAL), isConflict(/cannot be read/));
  assert.equal((await readdir(join(folder, 'cache/tracks'))).length, 2, 'only what is whole is kept');
});

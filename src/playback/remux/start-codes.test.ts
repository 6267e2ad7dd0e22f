/**
 * H.264 in Matroska with start codes, which old programs write: it is not copied, although the file may say that its
 * pictures have lengths, and what converts it shows every picture.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createProcesses, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createRemux, type Remux } from './index.ts';
import { clipFolder, PICTURES, tone, X264 } from './testing/command-lines.ts';
import { ffmpeg, shownIn, sourceOf } from './testing/compare.ts';
import { rewriteMatroska } from './testing/rewrite.ts';

const folder = mkdtempSync(join(tmpdir(), 'start-codes-'));
const signal = new AbortController().signal;
const { at, make } = clipFolder(folder);
let processes: Processes;
let remux: Remux;

before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp') });
  remux = createRemux({ processes, log: quietLog });
  await make(`${PICTURES} ${tone('stereo')} -map 0 -map 1 ${X264} -c:a aac @lengths.mkv`);
});
after(async () => {
  await remux.close();
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const annexB of ['record', 'nothing', 'sets'] as const)
  test(`pictures with start codes and ${annexB} in front are converted`, async () => {
    const path = at(`${annexB}.mkv`);
    rewriteMatroska(at('lengths.mkv'), path, { annexB });
    const { tracks, obstacles } = await remux.facts(sourceOf(path), signal);
    assert.deepEqual(obstacles, [], 'its sound can be copied');
    assert.deepEqual(
      tracks.map(({ kind, obstacles: own }) => [kind, own.join()]),
      [
        ['video', 'codec'],
        ['audio', ''],
      ],
    );
    await assert.rejects(remux.rendition(sourceOf(path), 0, {}, signal), { message: 'this stream cannot be copied' });
    const audio = await remux.rendition(sourceOf(path), 1, {}, signal);
    assert.ok(audio.segments.length > 1);
    await ffmpeg('-i', path, '-map', '0:v', '-f', 'framemd5', `${path}.md5`);
    assert.ok(shownIn(`${path}.md5`).length > 200, 'the writer makes a file that plays');
  });

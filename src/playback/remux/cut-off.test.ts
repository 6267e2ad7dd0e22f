/** Matroska files that were not copied to their end: they last as long as what is there, with cues and without. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '../../lib/clock.ts';
import { createProcesses, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createWalks, type Walks } from '../media-index/walk/walks.ts';
import { createRemux, type Remux } from './index.ts';
import { clipFolder, PICTURES, SECONDS, tone, X264 } from './testing/command-lines.ts';
import { ffmpeg, shownIn, sourceOf } from './testing/compare.ts';

const folder = mkdtempSync(join(tmpdir(), 'cut-off-'));
const signal = new AbortController().signal;
const { at, make } = clipFolder(folder);
let processes: Processes;
let walks: Walks;
let remux: Remux;

before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp') });
  walks = createWalks({ processes, log: quietLog, clock: systemClock, cache: folder, isPlaying: () => false });
  remux = createRemux({ processes, log: quietLog, stored: walks.stored });
  await make(`${PICTURES} ${tone('stereo')} -map 0 -map 1 ${X264} -c:a aac @behind.mkv
    -map 0 -map 1 ${X264} -c:a aac -cues_to_front 1 @front.mkv`);
});
after(async () => {
  await walks.close();
  await remux.close();
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const name of ['front', 'behind'])
  test(`a file that was cut off, cues: ${name}, ends where it ends`, async () => {
    const path = at(`${name}.mkv`);
    const whole = await remux.facts(sourceOf(path), signal);
    assert.ok(Math.abs(whole.duration - SECONDS) < 0.1);
    truncateSync(path, Math.round(statSync(path).size * 0.7));
    const source = { ...sourceOf(path), identity: `${name} cut off` };
    await walks.walk(source, {}, signal);
    const { duration, obstacles } = await remux.facts(source, signal);
    assert.deepEqual(obstacles, []);
    await ffmpeg('-i', path, '-map', '0:v', '-enc_time_base', '-1', '-f', 'framemd5', `${path}.md5`);
    const last = shownIn(`${path}.md5`).at(-1)?.time ?? 0;
    assert.ok(last < SECONDS - 1 && Math.abs(duration - last) < 0.3, `${duration} s instead of ${last} s`);
    const { segments } = await remux.rendition(source, 0, {}, signal);
    const end = segments.at(-1);
    assert.equal((end?.start ?? 0) + (end?.duration ?? 0), duration);
  });

/** A picture that is stored turned is turned by the player of the copied stream as it is in the file. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { fromFfprobe } from '../../catalog/probe/from-ffprobe.ts';
import { createProcesses } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createRemux } from './index.ts';
import { ffmpeg, sourceOf } from './testing/compare.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const run = promisify(execFile);
const signal = new AbortController().signal;

test('the turn of a file is the turn of its segments', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'turned-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  const remux = createRemux({ processes, log: quietLog });
  t.after(async () => {
    await remux.close();
    await processes.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const probe = async (path: string) =>
    fromFfprobe(
      JSON.parse((await run('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', path])).stdout),
      { size: 1 },
    );
  /** Width and height of a picture as it is seen. */
  const seen = async (path: string) =>
    (await run('ffmpeg', ['-v', 'info', '-nostdin', '-i', path, '-frames:v', '1', '-f', 'null', '-'])).stderr.match(
      /wrapped_avframe.*?(\d+x\d+)/,
    )?.[1];
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=160x90:r=25:d=1',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    join(folder, '0.mp4'),
  );
  for (const degrees of [0, 90, 180, 270]) {
    const path = join(folder, `turned-${degrees}.mp4`);
    // This option of ffmpeg turns the other way round.
    await ffmpeg('-i', join(folder, '0.mp4'), '-c', 'copy', '-metadata:s:v', `rotate=${(360 - degrees) % 360}`, path);
    const info = await probe(path);
    assert.equal(info?.streams[0]?.rotation, degrees === 0 ? undefined : degrees);
    const rendition = await remux.rendition({ ...sourceOf(path), ...(info && { info }) }, 0, {}, signal);
    const { bytes } = await rendition.segment(0, 'test', signal);
    const pieces: Uint8Array[] = [await rendition.init(signal)];
    for await (const piece of bytes as AsyncIterable<Uint8Array>) pieces.push(Buffer.from(piece));
    const copied = join(folder, `copied-${degrees}.mp4`);
    writeFileSync(copied, Buffer.concat(pieces));
    assert.equal((await probe(copied))?.streams[0]?.rotation, degrees === 0 ? undefined : degrees);
    assert.deepEqual(
      [await seen(copied), await seen(copied)],
      [await seen(path), degrees % 180 === 0 ? '160x90' : '90x160'],
    );
  }
});

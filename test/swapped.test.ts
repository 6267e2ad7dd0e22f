/**
 * A file that is swapped for a link out of the library, after it was opened and before the program reads it, is read
 * as it was opened. The programs are scripts that swap it at that very moment and then become the real ones.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { createArt } from '../src/catalog/core/art.ts';
import { Failure } from '../src/lib/failure.ts';
import { inRoot, openRoot, removeFolder, type Root } from '../src/lib/files.ts';
import { createProcesses, type Processes } from '../src/lib/process.ts';
import { quietLog } from '../src/lib/process/testing.ts';
import { createFfmpeg, type Ffmpeg, type Media } from '../src/lib/ffmpeg/index.ts';
import { builtHelper } from './built-helpers.ts';

/** Seconds of the film in the library, and of the one outside. */
const [INSIDE, OUTSIDE] = [2, 5];
const RELATIVE = 'Film (2001)/Film (2001).mkv';
let base = '';
let library = '';
let processes: Processes;
let ffmpeg: Ffmpeg;
let root: Root;

before(async () => {
  base = mkdtempSync(join(tmpdir(), 'swapped-'));
  library = join(base, 'media');
  for (const folder of ['media/Film (2001)', 'outside', 'bin', 'kept'])
    mkdirSync(join(base, folder), { recursive: true });
  const make = (path: string, seconds: number, color: string): void => {
    writeFileSync(join(base, 'a.srt'), `1\n00:00:00,100 --> 00:00:00,900\n${seconds} seconds\n`);
    const inputs = [
      '-f',
      'lavfi',
      '-i',
      `color=c=${color}:s=64x36:r=5:d=${seconds}`,
      '-f',
      'lavfi',
      '-i',
      `sine=d=${seconds}`,
      '-i',
      join(base, 'a.srt'),
    ];
    execFileSync('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-y',
      ...inputs,
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-c:v',
      'mpeg4',
      '-c:a',
      'flac',
      '-c:s',
      'srt',
      path,
    ]);
  };
  make(join(base, 'kept/film.mkv'), INSIDE, 'black');
  make(join(base, 'outside/film.mkv'), OUTSIDE, 'white');
  for (const name of ['ffmpeg', 'ffprobe']) {
    const film = join(library, RELATIVE);
    writeFileSync(
      join(base, 'bin', name),
      `#!/bin/sh\nln -s '${join(base, 'outside/film.mkv')}' '${base}/link' && mv -T '${base}/link' '${film}'\n` +
        `exec ${name} "$@"\n`,
    );
    chmodSync(join(base, 'bin', name), 0o755);
  }
  processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp'), helperModule: builtHelper });
  ffmpeg = createFfmpeg({
    processes,
    programs: { ffmpeg: join(base, 'bin/ffmpeg'), ffprobe: join(base, 'bin/ffprobe') },
  });
  root = await openRoot(library);
});
beforeEach(() => execFileSync('cp', ['--remove-destination', join(base, 'kept/film.mkv'), join(library, RELATIVE)]));
after(async () => {
  await root.close();
  await processes.close();
  rmSync(base, { recursive: true, force: true });
});

const bytesOf = async (stream: AsyncIterable<unknown>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};
const isWhite = async (picture: Uint8Array): Promise<boolean> => {
  const { default: sharp } = await import('sharp');
  const { channels } = await sharp(picture).stats();
  return (channels[0]?.mean ?? 0) > 128;
};

test('every use of ffmpeg reads the file that was opened', async () => {
  const media: Media = inRoot(root, RELATIVE);
  const uses: Record<string, () => Promise<unknown>> = {
    probe: async () => Math.round(Number((await ffmpeg.probe(media)).format.duration)),
    text: async () => {
      const {
        tracks: [track],
        done,
      } = await ffmpeg.extractText({ media, tracks: [{ stream: 2, format: 'srt', codec: 'subrip' }] });
      const text = (await bytesOf(track as AsyncIterable<unknown>)).toString();
      await done;
      return Number(/(\d) seconds/.exec(text)?.[1]);
    },
    picture: async () => ((await isWhite(await ffmpeg.extractFrame({ media, at: 1, width: 64 }))) ? OUTSIDE : INSIDE),
    audio: async () => {
      const { samples, rate, done } = await ffmpeg.extractAudio({ media, stream: 1 });
      const { length } = await bytesOf(samples);
      await done;
      return Math.round(length / 2 / rate);
    },
    wave: async () => {
      const to = join(base, 'tmp/sound.wav');
      await ffmpeg.writeAudio({ media, to, mostBytes: 1024 ** 2 });
      return Math.round(lstatSync(to).size / 32_000);
    },
  };
  for (const [name, use] of Object.entries(uses)) {
    execFileSync('cp', ['--remove-destination', join(base, 'kept/film.mkv'), join(library, RELATIVE)]);
    assert.equal(await use(), INSIDE, name);
    // In the full sandbox the script cannot reach the library.
    if (processes.sandbox() === 'full') continue;
    assert.ok(lstatSync(join(library, RELATIVE)).isSymbolicLink(), `${name}: it was swapped`);
    await assert.rejects(use(), Failure, `${name}: the link is not opened`);
  }
});

test('artwork of a film that is swapped shows the film that was opened', async () => {
  const art = createArt({
    photos: { make: () => Promise.reject(new Error('no photos')) },
    embedded: () => Promise.reject(new Error('no book is opened here')),
    cache: join(base, 'cache'),
    ffmpeg,
    log: quietLog,
    rootFor: () => Promise.resolve(root),
    clearFolder: removeFolder,
  });
  const { bytes } = await art.make(
    { root: library, relative: RELATIVE, size: 1, modifiedMs: 1, version: '1', frameAt: 1 },
    320,
    new AbortController().signal,
  );
  assert.equal(await isWhite(bytes), false);
});

test('a folder on the way that becomes a link is not followed either', async () => {
  renameSync(join(library, 'Film (2001)'), join(base, 'parked'));
  execFileSync('ln', ['-s', join(base, 'parked'), join(library, 'Film (2001)')]);
  await assert.rejects(ffmpeg.probe(inRoot(root, RELATIVE)), Failure);
  rmSync(join(library, 'Film (2001)'));
  renameSync(join(base, 'parked'), join(library, 'Film (2001)'));
});

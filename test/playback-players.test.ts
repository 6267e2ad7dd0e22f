/**
 * Plays ten kinds of files as HLS in two independent players: ffmpeg reads every picture and every sample, and mpv
 * plays from start to end. Neither reports a wrong time, and each stream is copied or converted as planned.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { promisify } from 'node:util';
import { done, fakeStreaming } from './streaming.ts';

const run = promisify(execFile);
const SECONDS = 5;
const FPS = 10;

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '10', '-pix_fmt', 'yuv420p'];
/** A client of HLS that opens no file as it is. */
const CLIENT = 'containers=none&videoCodecs=h264,hevc,vp9&audioCodecs=aac,ac3,mp3,flac,opus';

interface Kind {
  extension: string;
  video: string[];
  audio: string[];
  way: 'remux' | 'remux-audio' | 'transcode';
  /** Pictures that a player shows; every one of the source. */
  pictures?: number;
}
const KINDS: Readonly<Record<string, Kind>> = {
  Plain: { extension: 'mkv', video: H264, audio: ['-c:a', 'aac'], way: 'remux' },
  Hevc: {
    extension: 'mkv',
    video: [
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      'keyint=10:log-level=error',
      '-pix_fmt',
      'yuv420p',
    ],
    audio: ['-c:a', 'ac3'],
    way: 'remux',
  },
  Mpfour: { extension: 'mp4', video: H264, audio: ['-c:a', 'aac'], way: 'remux' },
  Quicktime: { extension: 'mov', video: H264, audio: ['-c:a', 'pcm_s16le'], way: 'remux-audio' },
  Webm: {
    extension: 'webm',
    video: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '10', '-pix_fmt', 'yuv420p'],
    audio: ['-c:a', 'libopus'],
    way: 'remux',
  },
  Lossless: { extension: 'mkv', video: H264, audio: ['-c:a', 'flac'], way: 'remux' },
  Theatre: { extension: 'mkv', video: H264, audio: ['-c:a', 'dca', '-strict', '-2', '-ac', '2'], way: 'remux-audio' },
  Variable: {
    extension: 'mkv',
    video: ['-vf', "select='not(mod(n,3))+lt(n,20)'", '-vsync', 'vfr', ...H264],
    audio: ['-c:a', 'libmp3lame'],
    way: 'remux',
    pictures: 30,
  },
  Avi: { extension: 'avi', video: ['-c:v', 'mpeg4', '-g', '10'], audio: ['-c:a', 'libmp3lame'], way: 'transcode' },
  Broadcast: {
    extension: 'ts',
    video: ['-r', '25', '-c:v', 'mpeg2video', '-g', '10'],
    audio: ['-c:a', 'mp2'],
    way: 'transcode',
  },
};

const server = fakeStreaming({
  count: Object.keys(KINDS).length,
  fill: async (media) => {
    for (const [name, { extension, video, audio }] of Object.entries(KINDS)) {
      const folder = join(media, 'Films', `${name} (2020)`);
      await mkdir(folder, { recursive: true });
      await run('ffmpeg', [
        '-nostdin',
        '-v',
        'error',
        '-y',
        '-f',
        'lavfi',
        '-i',
        `testsrc2=s=160x90:r=${FPS}:d=${SECONDS}`,
        '-f',
        'lavfi',
        '-i',
        `sine=d=${SECONDS}:r=48000`,
        ...video,
        ...audio,
        join(folder, `${name} (2020).${extension}`),
      ]);
    }
  },
});
afterEach(server.stopAll);

for (const [name, { way, pictures = SECONDS * FPS }] of Object.entries(KINDS)) {
  test(`${name} plays from start to end in ffmpeg and mpv`, async () => {
    const { urls, session } = await server.plan(server.films.get(name) ?? '', CLIENT);
    const url = `${server.origin}${urls.hls}`;
    const { stdout, stderr } = await run(
      'ffmpeg',
      ['-nostdin', '-v', 'warning', '-i', url, '-map', '0:v:0', '-map', '0:a:0', '-f', 'framecrc', '-'],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    assert.equal(stderr, '');
    const rows = stdout
      .split('\n')
      .filter((line) => /^\d, /.test(line))
      .map((line) => line.split(',').map(Number));
    const times = (stream: number) => rows.filter(([of]) => of === stream).map(([, , at = 0]) => at);
    assert.equal(times(0).length, pictures);
    for (const stream of [0, 1])
      assert.deepEqual(
        times(stream),
        [...new Set(times(stream))].toSorted((a, b) => a - b),
        'times increase',
      );
    // Its messages are on its output; the end of the file is its end.
    const mpv = await run('mpv', [
      '--no-config',
      '--vo=null',
      '--ao=null',
      '--ao-null-untimed',
      '--untimed',
      '--no-terminal',
      '--msg-level=all=warn',
      '--log-file=/dev/stderr',
      '--audio-display=no',
      url,
    ]);
    assert.deepEqual(
      mpv.stderr.split('\n').filter((line) => /\]\[(w|e|f)\]/.test(line)),
      [],
    );
    const { items } = (await done(server.ask('GET', '/playback-sessions'))) as unknown as {
      items: { id: string; way: string }[];
    };
    assert.equal(items.find(({ id }) => id === session)?.way, way);
  });
}

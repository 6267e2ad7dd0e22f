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
import type { Rendition } from '../rendition.ts';
import { createRemux, type Remux } from './index.ts';
import { makeClips } from './testing/clips.ts';
import {
  compare,
  decodeAll,
  missingPictures,
  sourceOf,
  writeAll,
  writeKeyframes,
  type WrittenSegment,
} from './testing/compare.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const folder = mkdtempSync(join(tmpdir(), 'truth-'));
const signal = new AbortController().signal;
let processes: Processes;
let remux: Remux;
let clip: (name: string) => string;

before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  remux = createRemux({ processes, log: quietLog });
  clip = await makeClips(folder);
});
after(async () => {
  await remux.close();
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Files whose streams are all copied, and how many there are. */
const COPIED: Readonly<Record<string, number>> = {
  'h264.mp4': 2,
  'h264.mkv': 2,
  'h264.mov': 2,
  'merged.mkv': 2,
  'hvc1.mp4': 1,
  'hev1.mp4': 1,
  'hevc.mkv': 1,
  'vp9.webm': 2,
  'vp9.mp4': 2,
  'av1.mkv': 1,
  'av1.mp4': 1,
  'mpeg4.mp4': 1,
  'mpeg4.mkv': 1,
  'sound.mkv': 10,
  'sound.mp4': 9,
  'sound.mov': 4,
  'sound.m4a': 1,
  'sound.mka': 1,
  'rate44.mkv': 2,
  'gap.m4a': 1,
  'gap.mkv': 2,
  'vfr.mp4': 1,
  'vfr.mkv': 1,
  'fragments.mp4': 2,
  'hybrid.mp4': 2,
  'dash.mp4': 2,
  'late-video.mp4': 2,
  'late-video.mkv': 2,
  'late-sound.mp4': 2,
  'late-sound.mkv': 2,
  'lacing-1.mkv': 2,
  'lacing-2.mkv': 2,
  'lacing-3.mkv': 2,
  'stripped.mkv': 2,
  'unknown.mkv': 2,
  'hole.mkv': 2,
  'hole.mp4': 2,
  'sound-late.mkv': 2,
  'sound-early.mkv': 2,
  'one-wrong-cue.mkv': 2,
  'zlib.mkv': 1,
};

test('every copied stream decodes to the pictures and samples of its file', async () => {
  const written: WrittenSegment[] = [];
  const counts: Record<string, number> = {};
  for (const name of Object.keys(COPIED)) {
    const some = await writeAll(remux, clip(name), folder);
    counts[name] = some.length;
    written.push(...some);
  }
  assert.deepEqual(counts, COPIED);
  for (const name of ['open.mp4', 'open.mkv'])
    written.push(...(await writeAll(remux, clip(name), folder, { isOpenGopAllowed: true })));
  // ffmpeg reads all of a hole that it could step over, so these are compared with the file that they were made from.
  for (const one of written) one.source = one.source.replace('hole.', 'h264.');
  await decodeAll(written);
  const results = written.map((one) => compare(one, rateOf(one)));
  assert.deepEqual(
    results.filter(({ problem }) => problem !== undefined),
    [],
  );
});

test('names and sample entries come from the configuration bytes', async () => {
  const codecs = async (name: string): Promise<unknown> => {
    const { tracks } = await remux.facts(sourceOf(clip(name)), signal);
    return tracks.map((track) => track.codecs ?? track.obstacles.join());
  };
  assert.deepEqual(await codecs('sound.mkv'), [
    'avc1.64000a',
    'mp4a.40.2',
    'ac-3',
    'ec-3',
    'fLaC',
    'fLaC',
    'Opus',
    'mp4a.6B',
    'alac',
    'dtsc',
  ]);
  assert.deepEqual(await codecs('hev1.mp4'), ['hvc1.1.6.L30.90']);
  assert.deepEqual(
    [await codecs('vp9.webm'), await codecs('vp9.mp4')],
    [
      ['vp09.00.10.08.01.02.02.02.00', 'Opus'],
      ['vp09.00.10.08.01.02.02.02.00', 'Opus'],
    ],
  );
  assert.deepEqual([await codecs('av1.mkv'), await codecs('av1.mp4')], [['av01.0.00M.08'], ['av01.0.00M.08']]);
  // Chromium refuses FLAC whose sample entry has another size than STREAMINFO.
  for (const name of ['sound.mkv', 'sound.mp4']) {
    const { tracks } = await remux.facts(sourceOf(clip(name)), signal);
    const bits = tracks
      .filter(({ codec }) => codec === 'flac')
      .map(({ entry }) => Buffer.from(entry ?? []).readUInt16BE(26));
    assert.deepEqual(bits, [16, 24], name);
  }
});

test('boxes made for Matroska are those that ffmpeg writes into MP4', async () => {
  const boxes = async (name: string) => {
    const { tracks } = await remux.facts(sourceOf(clip(name)), signal);
    return tracks.flatMap(({ codec, entry }) => {
      const bytes = Buffer.from(entry ?? []);
      const at = bytes.indexOf(CONFIGURATION[codec] ?? 'none') - 4;
      return at < 0 ? [] : [[codec, bytes.toString('hex', at, at + bytes.readUInt32BE(at))]];
    });
  };
  assert.deepEqual(await boxes('sound.mkv'), await boxes('sound.mp4'));
  for (const name of ['vp9', 'av1'])
    assert.deepEqual(await boxes(`${name}.${name === 'vp9' ? 'webm' : 'mkv'}`), await boxes(`${name}.mp4`));
  assert.deepEqual(await boxes('hevc.mkv'), await boxes('hvc1.mp4'));
});

const CONFIGURATION: Readonly<Record<string, string>> = {
  h264: 'avcC',
  hevc: 'hvcC',
  av1: 'av1C',
  vp9: 'vpcC',
  ac3: 'dac3',
  eac3: 'dec3',
  flac: 'dfLa',
  opus: 'dOps',
};

/** Samples a second of the sound that ffmpeg decoded. */
const rateOf = ({ source }: WrittenSegment): number => (/sound\.m[4k]a|rate44/.test(source) ? 44_100 : 48_000);

test('what cannot be copied is refused with its reason', async () => {
  const obstacles = async (name: string): Promise<unknown> => {
    const index = await remux.facts(sourceOf(clip(name)), signal);
    return [index.obstacles, index.tracks.map((track) => track.obstacles), index.plan(false).obstacle];
  };
  assert.deepEqual(await obstacles('vp8.webm'), [[], [['codec']], undefined]);
  assert.deepEqual(await obstacles('zlib.mkv'), [[], [['encoded'], []], undefined]);
  assert.deepEqual(await obstacles('cut.mp4'), [[], [['edit-list'], []], undefined]);
  assert.deepEqual(await obstacles('sparse.mp4'), [[], [[]], 'sparse-keyframes']);
  assert.deepEqual(await obstacles('wrong-cues.mkv'), [['no-index'], [], undefined]);
});

test('each keyframe of an I-frame playlist is the picture of its time', async () => {
  const names = ['h264.mp4', 'h264.mkv', 'stripped.mkv', 'hevc.mkv', 'vp9.webm', 'late-video.mp4'];
  const written = [];
  for (const name of names) written.push(await writeKeyframes(remux, clip(name), folder));
  await decodeAll(written);
  assert.deepEqual(
    written.map((one) => missingPictures(one)),
    names.map(() => []),
  );
  // Keyframes that are no IDR can be shown alone, too.
  const video = await remux.rendition(sourceOf(clip('open.mkv')), 0, { isOpenGopAllowed: true }, signal);
  assert.equal(video.keyframes?.length, 5);
});

test('peak and average rates are those of the segments', async () => {
  for (const [name, most] of [
    ['h264.mp4', 1.001],
    ['hvc1.mp4', 1.001],
    ['h264.mkv', 2.5],
    ['sound.mkv', 2.5],
  ] as const) {
    const source = sourceOf(clip(name));
    for (const { stream } of (await remux.facts(source, signal)).tracks) {
      const one = await remux.rendition(source, stream, {}, signal);
      const sizes = await Promise.all(
        one.segments.map(async (_, n) => (await one.segment(n, 'test', signal)).size ?? 0),
      );
      const peak = Math.max(...one.segments.map(({ duration }, n) => ((sizes[n] ?? 0) * 8) / duration));
      const average = (sizes.reduce((sum, size) => sum + size, 0) * 8) / 9.03;
      // Audio with an unusual rate may be estimated from its first frames; too low an estimate stalls playback.
      assert.ok(
        one.bandwidth.peak >= peak * 0.99 && one.bandwidth.peak <= peak * most + 300_000 * (most - 1),
        `${name} ${stream}: peak ${one.bandwidth.peak} for ${peak}`,
      );
      if (most < 2)
        assert.ok(
          Math.abs(one.bandwidth.average / average - 1) < 0.01,
          `${name} ${stream}: average ${one.bandwidth.average} for ${average}`,
        );
    }
  }
});

test('a film continues after a damaged place', async () => {
  const video = await remux.rendition(sourceOf(clip('damaged.mkv')), 0, {}, signal);
  const whole = await remux.rendition(sourceOf(clip('h264.mkv')), 0, {}, signal);
  const sizes = async (one: Rendition): Promise<(number | undefined)[]> =>
    Promise.all(one.segments.map(async (_, n) => (await one.segment(n, 'test', signal)).size));
  const [found, expected] = [await sizes(video), await sizes(whole)];
  assert.deepEqual([found[0], found[2]], [expected[0], expected[2]]);
  assert.ok((found[1] ?? 0) > 1000 && (found[1] ?? 0) < (expected[1] ?? 0), 'what comes before the damage is shown');
  const [written] = await writeAll(remux, clip('damaged.mkv'), folder);
  assert.deepEqual(written?.problems, [], 'and lasts until the film goes on');
});

test('an open GOP is offered only to clients that can start there', async () => {
  for (const name of ['open.mp4', 'open.mkv']) {
    const index = await remux.facts(sourceOf(clip(name)), signal);
    assert.equal(index.plan(true).obstacle, undefined);
    assert.equal(index.plan(true).segments.length, 3);
    assert.equal(index.plan(false).obstacle, 'open-gop');
    await assert.rejects(remux.rendition(sourceOf(clip(name)), 0, {}, signal), { reason: 'cannot-copy' });
  }
});

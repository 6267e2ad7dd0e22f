/** Picture subtitles over the route: PGS unchanged, DVD pictures converted, each read once. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { draw, type ShownPicture, type Size, sup, vobSub } from '../../../test/subtitles/picture-writers.ts';
import { until } from '../../../test/until.ts';
import { readPgs } from '../../cues/index.ts';
import { ID, type Media, openTestMedia, makeSidecar, makeStream } from '../testing.ts';

const VIDEO = makeStream(0, 'video', 'mpeg4', { frameRate: 25 });
const SIZE: Size = { width: 720, height: 576 };
const url = (query: string) => `/subtitle/${ID}?${query}`;
const shown = async (): Promise<ShownPicture[]> => {
  const drawing = await draw('A line', { size: 30 });
  return [
    { start: 500, end: 1_500, drawing, x: 100, y: 400 },
    { start: 2_000, end: 2_800, drawing, x: 120, y: 40, forced: true },
  ];
};
const timesOf = (bytes: ArrayBuffer): number[][] =>
  readPgs(new Uint8Array(bytes)).pictures.map(({ start, end, x, y }) => [start, end, x, y]);
const TIMES = [
  [500, 1_500, 100, 400],
  [2_000, 2_800, 120, 40],
];

/** A Matroska file with a PGS track (s1) and one of DVD pictures (s2). */
async function film(t: TestContext): Promise<Media> {
  const m = await openTestMedia(t, {
    info: {
      streams: [
        VIDEO,
        makeStream(1, 'subtitle', 'hdmv_pgs_subtitle', { language: 'eng' }),
        makeStream(2, 'subtitle', 'dvd_subtitle', { language: 'ger' }),
        makeStream(3, 'subtitle', 'arib_caption'),
      ],
    },
  });
  const all = await shown();
  const { idx, sub } = vobSub([{ language: 'de', shown: all }], SIZE);
  m.write('one.sup', sup(all, SIZE));
  m.write('two.idx', idx);
  m.write('two.sub', sub);
  const at = (name: string) => join(m.folder, name);
  await m.processes.run({
    program: 'ffmpeg',
    args: [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-copyts',
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=64x36:rate=5:duration=4',
      '-i',
      at('one.sup'),
      '-i',
      at('two.idx'),
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-c:v',
      'mpeg4',
      '-c:s',
      'copy',
      at('Film.mkv'),
    ],
    timeoutMs: 60_000,
    reads: [m.folder],
    writes: [m.folder],
  });
  return m;
}
const isKept = (m: Media): boolean =>
  existsSync(join(m.base, 'cache', 'subtitles')) &&
  readdirSync(join(m.base, 'cache', 'subtitles')).some((name) => name.endsWith('.sup'));

test('a PGS track comes while the file is read, once for all who ask, and is kept', async (t) => {
  const m = await film(t);
  const replies = await Promise.all(
    ['sup', 'original', 'sup'].map((format) => m.get(url(`track=s1&format=${format}`))),
  );
  assert.deepEqual(
    replies.map(({ status, headers }) => [status, headers.get('content-type'), headers.get('etag')]),
    replies.map(() => [200, 'application/octet-stream', null]),
  );
  for (const reply of replies) assert.deepEqual(timesOf(await reply.arrayBuffer()), TIMES);
  assert.equal(m.passes(), 1);
  await until('the track to be kept', () => isKept(m));
  const kept = await m.get(url('track=s1&format=sup'));
  assert.notEqual(kept.headers.get('etag'), null);
  assert.deepEqual(timesOf(await kept.arrayBuffer()), TIMES);
  assert.equal(m.passes(), 1, 'the file was read once');
});

test('pictures of a DVD, in the video and in a sidecar, come as PGS', async (t) => {
  const m = await film(t);
  m.sidecars = [
    makeSidecar('two.idx', { language: 'de', format: 'vobsub' }),
    makeSidecar('one.sup', { language: 'en', format: 'sup' }),
    makeSidecar('two.idx', { format: 'vobsub' }),
  ];
  for (const track of ['s2', 'f0', 'f1', 'f2']) {
    const reply = await m.get(url(`track=${track}&format=sup`));
    assert.equal(reply.status, 200, track);
    const times = timesOf(await reply.arrayBuffer());
    // Ends of DVD pictures count in steps of 11 ms.
    assert.ok(
      times.flat().every((value, at) => Math.abs(value - (TIMES.flat()[at] ?? Infinity)) < 12) &&
        times.length === TIMES.length,
      `${track}: ${JSON.stringify(times)}`,
    );
  }
  assert.match(await (await m.get(url('track=f0&format=original'))).text(), /^# VobSub index/, 'the file as it is');
  const refused = await m.get(url('track=s2&format=original'));
  assert.equal(refused.status, 409);
  assert.deepEqual(
    [(await m.get(url('track=s3&format=sup'))).status, (await m.get(url('track=s2&format=vtt'))).status],
    [409, 409],
  );
});

// Debian's ffmpeg writes no PGS into a transport stream; a file whose clock begins at ten minutes stands for one.
test('a transport stream counts from its first picture', async (t) => {
  const m = await openTestMedia(t, {
    name: 'Film.ts',
    info: {
      container: 'mpegts',
      streams: [VIDEO, makeStream(1, 'subtitle', 'dvb_subtitle'), makeStream(2, 'subtitle', 'hdmv_pgs_subtitle')],
    },
  });
  m.write('one.sup', sup(await shown(), SIZE));
  const at = (name: string) => join(m.folder, name);
  await m.processes.run({
    program: 'ffmpeg',
    args: [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-copyts',
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=64x36:rate=5:duration=4',
      '-i',
      at('one.sup'),
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '1',
      '-c:v',
      'mpeg2video',
      '-c:s:0',
      'dvbsub',
      '-c:s:1',
      'copy',
      '-output_ts_offset',
      '600',
      '-f',
      'matroska',
      at('Film.ts'),
    ],
    timeoutMs: 60_000,
    reads: [m.folder],
    writes: [m.folder],
  });
  for (const track of ['s1', 's2']) {
    const times = timesOf(await (await m.get(url(`track=${track}&format=sup`))).arrayBuffer());
    // A multiplexer moves everything a little; the beginning of the file's clock would be ten minutes off.
    assert.ok(Math.abs((times[0]?.[0] ?? Infinity) - 500) < 1_500, `${track}: ${JSON.stringify(times)}`);
  }
});

test('a file without the track is refused in words, and nothing is kept of it', async (t) => {
  const m = await openTestMedia(t, { info: { streams: [VIDEO, makeStream(1, 'subtitle', 'hdmv_pgs_subtitle')] } });
  m.write('Film.mkv', 'not a film');
  const reply = await m.get(url('track=s1&format=sup'));
  assert.deepEqual(
    [reply.status, await reply.json()],
    [503, { error: 'the subtitle could not be read out of its file', reason: 'subtitle-unavailable' }],
  );
  assert.equal(isKept(m), false);
});

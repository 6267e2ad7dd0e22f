/**
 * Picture subtitles are in the video from where a run begins, also those that were shown before it, and gone when they
 * end.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type ShownPicture, sup, vobSub } from '../../../test/subtitles/picture-writers.ts';
import { createIoPool, type IoPool } from '../../lib/io-pool.ts';
import { inRoot, openRoot, type Root } from '../../lib/files.ts';
import type { VideoRecipe } from '../plan/types.ts';
import type { MediaSource } from '../rendition.ts';
import { bufferOf, makeClips, type Clips, never } from './testing.ts';

let clip: Clips;
let ioPool: IoPool;
let root: Root;
const SIZE = { width: 320, height: 180 };
const WIDE = { width: 320, height: 136 };
const block: ShownPicture['drawing'] = {
  width: 120,
  height: 30,
  cover: new Uint8Array(3600).fill(255),
  fill: new Uint8Array(3600).fill(255),
};
/** From 4 to 16 seconds, and from 44 seconds: further on than anything that is asked. */
const SHOWN: ShownPicture[] = [
  { start: 4_000, end: 16_000, drawing: block, x: 100, y: 140 },
  { start: 44_000, end: 46_000, drawing: block, x: 100, y: 140 },
];

before(async () => {
  clip = await makeClips();
  ioPool = createIoPool({ threads: 2 });
  root = await openRoot(clip.base, ioPool.forLibrary(clip.base));
  const { idx, sub } = vobSub([{ language: 'en', shown: SHOWN }], SIZE);
  writeFileSync(clip.path('one.sup'), sup(SHOWN, SIZE));
  writeFileSync(clip.path('two.idx'), idx);
  writeFileSync(clip.path('two.sub'), sub);
  const film = (size: typeof SIZE): string[] => [
    '-f',
    'lavfi',
    '-i',
    `color=black:s=${size.width}x${size.height}:r=24:d=48`,
    '-f',
    'lavfi',
    '-i',
    'sine=d=48',
  ];
  const coded = [
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '48',
    '-c:a',
    'aac',
  ];
  await clip.make('-copyts', ...film(SIZE), '-i', clip.path('one.sup'), ...coded, '-c:s', 'copy', clip.path('pgs.mkv'));
  await clip.make('-copyts', ...film(SIZE), '-i', clip.path('two.idx'), ...coded, '-c:s', 'copy', clip.path('dvd.mkv'));
  await clip.make(
    '-copyts',
    '-i',
    clip.path('dvd.mkv'),
    '-map',
    '0',
    '-c:v',
    'copy',
    '-c:a',
    'copy',
    '-c:s',
    'dvbsub',
    clip.path('dvb.ts'),
  );
  await clip.make(
    '-copyts',
    '-i',
    clip.path('pgs.mkv'),
    '-map',
    '0:v',
    '-map',
    '0:s',
    '-c',
    'copy',
    clip.path('mute.mkv'),
  );
  await clip.make(
    '-copyts',
    ...film(WIDE),
    '-i',
    clip.path('one.sup'),
    ...coded,
    '-c:s',
    'copy',
    clip.path('wide.mkv'),
  );
});
after(async () => {
  await clip.close();
  ioPool.close();
});

/** The brightness, in a segment's first picture, at the middle of where the block is drawn. */
async function brightness(
  source: MediaSource,
  burn: VideoRecipe['burn'],
  k: number,
  { size = SIZE, y = 155 } = {},
): Promise<number> {
  const recipe: VideoRecipe = {
    kind: 'video',
    stream: 0,
    codec: 'h264',
    ...size,
    bitrate: 800_000,
    deinterlace: false,
    rotate: 0,
    ...(burn && { burn }),
  };
  const transcode = clip.transcode({ limits: { aheadSegments: 0 } });
  const video = await transcode.video(source, recipe, { preset: 'ultrafast' });
  writeFileSync(
    clip.path('burnt.mp4'),
    Buffer.concat([await video.init(never), await bufferOf(await video.segment(k, 'viewer', never))]),
  );
  transcode.close();
  const grey = await clip.output('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-i',
    clip.path('burnt.mp4'),
    '-frames:v',
    '1',
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    'pipe:1',
  ]);
  return grey[y * size.width + 160] ?? -1;
}

for (const [name, stream, what] of [
  ['pgs.mkv', 2, 'PGS'],
  ['dvd.mkv', 2, 'DVD pictures'],
  ['dvb.ts', 2, 'DVB pictures'],
  ['mute.mkv', 1, 'PGS without any sound'],
] as const) {
  test(`${what}: shown in a run that begins after them, and not once they end`, async () => {
    const source = await clip.source(name);
    assert.ok((await brightness(source, { stream }, 5)) > 180, 'ten seconds: shown for six already');
    assert.ok((await brightness(source, { stream }, 10)) < 60, 'twenty seconds: gone for four');
  });
}

test('nothing is drawn before its time, and nothing that was not asked for', async () => {
  assert.ok((await brightness(await clip.source('pgs.mkv'), { stream: 2 }, 0)) < 60);
  assert.ok((await brightness(await clip.source('pgs.mkv'), undefined, 5)) < 60);
});

test('a separate file next to the video is drawn, at the time of the video', async () => {
  for (const name of ['mute.mkv', 'dvb.ts']) {
    const source = { ...(await clip.source(name)), media: inRoot(root, name) };
    assert.ok((await brightness(source, { sidecar: 'one.sup' }, 5)) > 180, name);
    assert.ok((await brightness(source, { sidecar: 'one.sup' }, 10)) < 60, name);
  }
});

test('a canvas that is taller than the pictures is aligned to their lower edge', async () => {
  // The block is at lines 140 to 170 of 180: ten lines above the edge.
  assert.ok((await brightness(await clip.source('wide.mkv'), { stream: 2 }, 5, { size: WIDE, y: 136 - 25 })) > 180);
});

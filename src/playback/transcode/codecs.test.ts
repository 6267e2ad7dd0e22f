/**
 * Conversion to each codec: segments on the grid that can be decoded by themselves and follow each
 * other whoever made them, and a header that says what CODECS says. The source has ten bits, the output eight.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createFragmentReader } from '../cmaf/reader.ts';
import { av1Name, avcName, hevcName, vp9Name } from '../media-index/codec/video.ts';
import { hasInlineParameterSets, startsDecoding } from '../hardware/verify.ts';
import type { VideoCodec, VideoRecipe } from '../plan/types.ts';
import type { Rendition } from '../rendition.ts';
import { bufferOf, makeClips, type Clips, FILM_RATE, never, NUMBERED, numbersIn, samplesOf } from './testing.ts';

let clip: Clips;
const PICTURES = 192;
const recipe: VideoRecipe = {
  kind: 'video',
  stream: 0,
  codec: 'hevc',
  width: 320,
  height: 180,
  bitrate: 800_000,
  deinterlace: false,
  rotate: 0,
};

before(async () => {
  clip = await makeClips();
  await clip.make(
    '-f',
    'lavfi',
    '-i',
    `color=black:s=320x180:r=24000/1001,${NUMBERED},format=yuv420p10le`,
    '-frames:v',
    String(PICTURES),
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=error:keyint=50',
    clip.path('film.mkv'),
  );
});
after(() => clip.close());

/** CODECS as the configuration of a header says. */
const NAMES: Record<VideoCodec, { box: string; name(record: Buffer): string }> = {
  h264: { box: 'avcC', name: (record) => avcName('avc1', record) },
  hevc: { box: 'hvcC', name: (record) => hevcName('hvc1', record) },
  av1: { box: 'av1C', name: (record) => av1Name(record, undefined) },
  // A full box: version and flags come first.
  vp9: { box: 'vpcC', name: (record) => vp9Name(record.subarray(4)) },
};
function entryOf(init: Uint8Array): Buffer {
  const [event] = createFragmentReader().push(Buffer.from(init));
  assert.ok(event?.type === 'init' && event.tracks[0]);
  return event.tracks[0].entry;
}
function namedIn(init: Uint8Array, codec: VideoCodec): string {
  const entry = entryOf(init);
  const { box, name } = NAMES[codec];
  const at = entry.indexOf(box);
  assert.ok(at > 0, `${box} is there`);
  return name(entry.subarray(at + 4, at - 4 + entry.readUInt32BE(at - 4)));
}
/** Profile and depth are as told, and the level is no higher: AV1 and VP9 encoders choose the lowest that fits. */
function isAllowed(made: string, told: string): void {
  const [[name, profile, level = '', depth], [toldName, toldProfile, toldLevel = '', toldDepth]] = [
    made.split('.'),
    told.split('.'),
  ] as [string[], string[]];
  if (name === 'hvc1' || name === 'avc1') return assert.equal(made, told);
  assert.deepEqual([name, profile, depth], [toldName, toldProfile, toldDepth], `${made} was made and ${told} told`);
  assert.ok(level <= toldLevel, `${made} is above ${told}`);
}
const formatOf = async (rendition: Rendition, segment: Buffer): Promise<string> => {
  const file = clip.path('format.mp4');
  writeFileSync(file, Buffer.concat([await rendition.init(never), segment]));
  return String(
    await clip.output('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_name,pix_fmt,width,height',
      '-of',
      'csv=p=0',
      file,
    ]),
  ).trim();
};

for (const codec of ['h264', 'hevc', 'av1', 'vp9'] as const) {
  test(`${codec}: every picture is in its segment, decoded alone and after those of another run`, async () => {
    const source = await clip.source('film.mkv');
    const times = await clip.times('film.mkv', 'v:0');
    const transcode = clip.transcode({ limits: { nearSegments: 0 } });
    const segments: Buffer[] = [];
    // Every second segment by a separate run with another preset.
    const odd = await transcode.video(source, { ...recipe, codec }, { preset: 'ultrafast' });
    for (const k of [3, 1]) segments[k] = await bufferOf(await odd.segment(k, `odd-${k}`, never));
    const video = await transcode.video(source, { ...recipe, codec }, { preset: 'superfast' });
    const count = video.segments.length;
    for (let k = 0; k < count; k++) segments[k] ??= await bufferOf(await video.segment(k, `even-${k}`, never));
    const init = await video.init(never);
    const entry = entryOf(init);
    let first = 0;
    for (const [k, segment] of segments.entries()) {
      const samples = samplesOf(init, segment);
      const { start, duration } = video.segments[k] ?? assert.fail();
      const half = 0.5 / FILM_RATE;
      const wanted = times.filter(
        (time) => time >= start - half && (k === count - 1 || time < start + duration - half),
      );
      assert.deepEqual(
        samples.map(({ dts, cts }) => ((dts + cts) / 90_000).toFixed(2)),
        wanted.map((time) => time.toFixed(2)),
        `times of segment ${k}`,
      );
      assert.ok(
        samples.every(({ isKey }, i) => isKey === (i === 0)),
        `one keyframe, at the beginning of segment ${k}`,
      );
      const key = samples[0]?.data ?? Buffer.alloc(0);
      assert.ok(
        startsDecoding(codec, entry, key) && hasInlineParameterSets(codec, 4, key),
        `decoding can begin at segment ${k}`,
      );
      assert.deepEqual(
        await numbersIn(clip, video, [segment]),
        Array.from(wanted, (_, i) => first + i),
        `segment ${k} alone`,
      );
      first += wanted.length;
    }
    assert.deepEqual(
      await numbersIn(clip, video, segments),
      Array.from({ length: PICTURES }, (_, i) => i),
    );
    assert.equal(
      await formatOf(video, segments[1] ?? Buffer.alloc(0)),
      `${codec},320,180,yuv420p`,
      'eight bits of ten',
    );
    isAllowed(namedIn(init, codec), video.codecs);
  });
}

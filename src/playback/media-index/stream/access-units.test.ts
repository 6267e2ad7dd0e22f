/**
 * Transport streams whose packets begin anywhere: the same elementary streams, cut into packets at random places, are
 * the same samples at the same times as those in which every packet is a picture or a frame.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chance, SEED } from '../../../../test/chance.ts';
import type { ReadAt } from '../../../lib/media/source.ts';
import { clipFolder, OPEN_GOP, PICTURES, tone, X264, x265 } from '../../remux/testing/command-lines.ts';
import { writeFields } from '../../remux/testing/fields.ts';
import { writeUnaligned } from '../../remux/testing/unaligned.ts';
import { createWalker } from '../answer.ts';
import { createMediaIndex } from '../live.ts';
import { streamFeed } from '../ts/feed.ts';
import type { SegmentSamples } from '../types.ts';
import { splitAccessUnits } from './access-units.ts';
import { packetSegment } from './segment.ts';
import type { PacketQuestion } from './types.ts';

const folder = mkdtempSync(join(tmpdir(), 'access-units-'));
const { at, make } = clipFolder(folder);
after(() => rmSync(folder, { recursive: true, force: true }));

/** Leaves out the delimiters that ffmpeg adds: pictures begin with their parameter sets, messages or slices. */
const BARE = '-bsf:v filter_units=remove_types=9';
before(async () => {
  const rest = '-pes_payload_size 0';
  await make(`${PICTURES} ${tone('stereo')} ${tone('5.1')}
    -map 0 -map 1 ${X264} -x264-params slices=3 -c:a aac ${rest} @h264.ts
    -map 0 -map 2 ${OPEN_GOP} -c:a ac3 ${rest} @open.ts
    -map 0 -map 1 ${x265()} -c:a libmp3lame ${rest} @hevc.ts`);
  await make(`-i @h264.ts -map 0 -c copy ${BARE} ${rest} @bare.ts`);
  writeFields(at('fields.ts'), 'together');
});

interface Sample {
  time: number;
  isKey: number;
  bytes: string;
}

/** All samples of a stream by segment, and which questions about it were asked. */
async function samplesOf(path: string, kind: 'video' | 'audio'): Promise<{ segments: Sample[][]; ends: number[] }> {
  const file = readFileSync(path);
  const readAt: ReadAt = (into, from) => file.copy(into, 0, from);
  const walker = createWalker(file.length, readAt);
  while (!walker.isDone()) walker.step(readAt, 1 << 16);
  const data = walker.result();
  const read = (question: PacketQuestion) => packetSegment({ size: file.length, readAt }, question, streamFeed);
  const never = () => assert.fail('no cluster');
  const index = createMediaIndex(data, {
    packets: (question) => Promise.resolve(read(question)),
    segment: never,
    keyframe: never,
  });
  const track = index.tracks.findIndex((one) => one.kind === kind);
  assert.deepEqual(index.tracks[track]?.obstacles, [], `${path} ${kind}`);
  // Open GOPs, too: more keyframes to begin at.
  const plan = index.plan(true);
  const segments: Sample[][] = [];
  const ends: number[] = [];
  for (const n of plan.segments.keys()) {
    const samples = await index.samples(track, plan, n);
    segments.push(divided(file, samples));
    ends.push(samples.end);
  }
  if (kind === 'video')
    for (const n of index.keyframes.times.keys()) {
      const one = divided(file, await index.keyframe(n));
      assert.equal(one.length, 1);
      segments.push(one);
    }
  return { segments, ends };
}

function divided(file: Buffer, { pieces, times, sizes, isKey }: SegmentSamples): Sample[] {
  const { positions, lengths, literals = new Uint8Array() } = pieces;
  const parts = Array.from(positions, (position, i) => {
    const from = position < 0 ? -1 - position : position;
    return (position < 0 ? literals : file).subarray(from, from + (lengths[i] ?? 0));
  });
  const all = Buffer.concat(parts);
  let from = 0;
  const samples = Array.from(times, (time, i) => {
    const bytes = all.subarray(from, (from += sizes[i] ?? 0));
    return { time, isKey: isKey[i] ?? 0, bytes: createHash('sha1').update(bytes).digest('hex') };
  });
  assert.equal(from, all.length);
  return samples;
}

/** Compares all but the rounding of times: a time that follows from others may be a tick off. */
function same(actual: Sample[][], expected: Sample[][], what: string): void {
  const bare = (all: Sample[][]) => all.map((one) => one.map(({ isKey, bytes }) => `${isKey} ${bytes}`));
  assert.deepEqual(bare(actual), bare(expected), what);
  const off = actual.flatMap((one, n) =>
    one.map(({ time }, i) => Math.abs(time - (expected[n]?.[i]?.time ?? Infinity))),
  );
  assert.ok(Math.max(...off) <= 1, `${what}: times are up to ${Math.max(...off)} ticks off`);
}

/** Bytes of a packet at most: parts of start codes, of pictures, and many pictures at once. */
const SIZES = [12, 150, 3000, 40_000];

for (const name of ['h264.ts', 'bare.ts', 'open.ts', 'hevc.ts', 'fields.ts'])
  test(`${name} has the same samples when it is cut into packets anywhere (seed ${SEED})`, async () => {
    const expected = { video: await samplesOf(at(name), 'video'), audio: undefined as Sample[][] | undefined };
    assert.ok(expected.video.segments.length > 3);
    const hasSound = name !== 'fields.ts';
    if (hasSound) expected.audio = (await samplesOf(at(name), 'audio')).segments;
    const random = chance();
    for (const most of SIZES) {
      const what = `${name} in packets of up to ${most} bytes`;
      const path = at(`cut-${name}`);
      writeUnaligned(at(name), path, {
        size: (kind) => 1 + Math.floor(random() * (kind === 'audio' ? Math.min(most, 3000) : most)),
      });
      const { segments, ends } = await samplesOf(path, 'video');
      same(segments, expected.video.segments, what);
      assert.ok(
        ends.every((end, n) => Math.abs(end - (expected.video.ends[n] ?? 0)) <= 1),
        `${what}: ends of segments ${ends.join()}, not ${expected.video.ends.join()}`,
      );
      if (expected.audio) same((await samplesOf(path, 'audio')).segments, expected.audio, `the sound of ${what}`);
    }
  });

test('a time belongs to the first picture that begins in the packet with the zero of its start code', () => {
  const found: [number | undefined, string][] = [];
  const split = splitAccessUnits('h264', {
    start: ({ bytes, from, to }, time) => {
      found.push([time, bytes.toString('hex', from, to)]);
      return true;
    },
    more: ({ bytes, from, to }) => {
      const last = found.at(-1);
      if (last) last[1] += bytes.toString('hex', from, to);
    },
  });
  let at = 0;
  const packet = (hex: string, time?: number): void => {
    const bytes = Buffer.from(hex, 'hex');
    split.start({ bytes, from: 0, to: bytes.length, at, count: 0, base: at }, time);
    at += bytes.length;
  };
  // The end of a picture that began before, a picture, and the zero of the next start code.
  packet('aabb00000001419affff00', 1);
  packet('000001419acc000001417acc', 2);
  // Two pictures begin here, of which the second has no time.
  packet('00000001419add00000001419aee', 3);
  packet('ff', 4);
  packet('0000', 5);
  packet('01', 6);
  packet('41', 7);
  packet('9a11', 8);
  packet('00000001419a22', 9);
  assert.deepEqual(found, [
    [1, '00000001419affff'],
    [undefined, '00000001419acc000001417acc'],
    [3, '00000001419add'],
    [undefined, '00000001419aeeff'],
    [5, '000001419a11'],
    [9, '00000001419a22'],
  ]);
});

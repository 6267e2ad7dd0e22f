/**
 * Transport streams whose packets begin in the middle of pictures, from the plan to the pictures of every segment: they
 * are copied, and show the pictures of the stream that they were cut from.
 */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { ffmpeg, shownIn } from '../src/playback/remux/testing/compare.ts';
import { writeUnaligned } from '../src/playback/remux/testing/unaligned.ts';
import { chance } from './chance.ts';
import { fakeStreaming, type PlannedStream } from './streaming.ts';
import { until } from './until.ts';

const SECONDS = 12;
const RATE = 24;
const X264 = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -threads 1 -bf 3 -g 48 -x264-params scenecut=0';
const X265 =
  '-c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params ' +
  'log-level=none:pools=none:frame-threads=1:keyint=48:min-keyint=48:open-gop=0:bframes=3:scenecut=0';

/** Films by title: arguments of the encoders, extension, and bytes of a packet. */
const FILMS: Readonly<Record<string, { encoder: string; sound: string; ending: string; size: () => number }>> = {
  'Fixed Transport': { encoder: X264, sound: 'aac', ending: 'ts', size: () => 2000 },
  'Large Transport': { encoder: X264, sound: 'ac3', ending: 'ts', size: () => 60_000 },
  'Small Transport': { encoder: X264, sound: 'libmp3lame', ending: 'ts', size: randomSize(chance(1), 170) },
  'Second Transport': { encoder: X265, sound: 'aac', ending: 'ts', size: randomSize(chance(2), 8000) },
  'Fixed Disc': { encoder: X264, sound: 'ac3', ending: 'm2ts', size: () => 3000 },
  'Second Disc': { encoder: X265, sound: 'ac3', ending: 'm2ts', size: randomSize(chance(3), 5000) },
};

function randomSize(random: () => number, most: number): () => number {
  return () => 1 + Math.floor(random() * most);
}

const TITLES = Object.keys(FILMS);
let media = '';
const fileOf = (title: string): string => {
  const name = `${title} (2020)`;
  return join(media, 'Films', name, `${name}.${FILMS[title]?.ending ?? ''}`);
};
/** The stream before it was cut, outside of the library. */
const sourceOf = (title: string): string => join(media, `${title}.source`);

const server = fakeStreaming({
  count: TITLES.length,
  fill: async (folder) => {
    media = folder;
    const args = Object.entries(FILMS).flatMap(([title, { encoder, sound }]) => [
      ...['-map', '0', '-map', '1', ...encoder.split(' '), '-c:a', sound],
      ...['-f', 'mpegts', '-pes_payload_size', '0', sourceOf(title)],
    ]);
    await ffmpeg(
      ...['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=${RATE}:d=${SECONDS}`, '-f', 'lavfi', '-i', `sine=d=${SECONDS}`],
      ...args,
    );
    for (const [title, { size, ending }] of Object.entries(FILMS)) {
      await mkdir(join(fileOf(title), '..'), { recursive: true });
      writeUnaligned(sourceOf(title), fileOf(title), { size, isDisc: ending === 'm2ts' });
    }
  },
});
afterEach(server.stopAll);

const CLIENT = 'containers=webm&videoCodecs=h264,hevc&audioCodecs=aac,ac3,mp3';
type Plan = PlannedStream & {
  reasons: { code: string; stream?: number }[];
  video: { action: string };
  audio: { action: string }[];
};

const planOf = (title: string): Promise<Plan> =>
  until(`the index of ${title}`, async () => {
    const plan = (await server.plan(server.films.get(title) ?? '', CLIENT)) as Plan;
    if (!plan.reasons.some(({ code }) => code === 'no-index')) return plan;
    await server.stopAll();
    return undefined;
  });

const bytesOf = async (plan: Plan, name: string): Promise<Buffer> => {
  const reply = await fetch(new URL(plan.urls.hls.replace('master.m3u8', name), server.origin));
  if (reply.status !== 200) assert.fail(`${name}: ${reply.status} ${await reply.text()}`);
  return Buffer.from(await reply.arrayBuffer());
};

/** Initialisation and segments of a playlist. */
async function segmentsOf(plan: Plan, name: string): Promise<{ init: Buffer; segments: Buffer[] }> {
  const playlist = (await bytesOf(plan, `${name}.m3u8`)).toString();
  const segments: Buffer[] = [];
  for (const [address = ''] of playlist.matchAll(/^[av]\d+-\d+\.m4s/gm)) segments.push(await bytesOf(plan, address));
  return { init: await bytesOf(plan, `${name}-init.mp4`), segments };
}

/** Decodes files in one run; returns the times and hashes of the pictures or blocks of sound that each one has. */
async function decoded(paths: readonly string[], kind: 'v' | 'a'): Promise<ReturnType<typeof shownIn>[]> {
  const output = (n: number): string => join(media, `${n}.times`);
  await ffmpeg(
    '-copyts',
    ...paths.flatMap((path) => ['-threads', '1', '-i', path]),
    ...paths.flatMap((_, n) => [
      ...['-map', `${n}:${kind}`, '-fps_mode', 'passthrough', '-enc_time_base', '-1', '-f', 'framemd5', output(n)],
    ]),
  );
  return paths.map((_, n) => shownIn(output(n)));
}

for (const title of TITLES)
  test(`${title} is copied, and each segment shows the pictures of the stream that it was cut from`, async () => {
    const plan = await planOf(title);
    assert.deepEqual(
      [plan.mode, plan.video.action, plan.audio.map(({ action }) => action)],
      ['remux', 'copy', ['copy']],
    );
    const { init, segments } = await segmentsOf(plan, 'v0');
    const sound = await segmentsOf(plan, 'a0');
    assert.equal(segments.length, SECONDS / 4);
    const files: string[] = [];
    for (const n of segments.keys()) {
      files.push(join(media, `from-${n}.mp4`));
      await writeFile(files[n] ?? '', Buffer.concat([init, ...segments.slice(n)]));
    }
    const [source = [], ...jumps] = await decoded([sourceOf(title), ...files], 'v');
    assert.equal(source.length, SECONDS * RATE);
    const begin = (source[0]?.time ?? 0) - (jumps[0]?.[0]?.time ?? 0);
    for (const [n, shown] of jumps.entries()) {
      const expected = source.slice(n * 4 * RATE);
      assert.deepEqual(
        shown.map(({ hash }) => hash),
        expected.map(({ hash }) => hash),
        `${title} from segment ${n}`,
      );
      const off = shown.map(({ time }, i) => Math.abs(time + begin - (expected[i]?.time ?? Infinity)));
      assert.ok(Math.max(...off) < 0.0005, `${title} from segment ${n}: times are up to ${Math.max(...off)} s off`);
    }
    const heard = join(media, 'sound.mp4');
    await writeFile(heard, Buffer.concat([sound.init, ...sound.segments]));
    const [original = [], copy = []] = await decoded([sourceOf(title), heard], 'a');
    const hashes = (blocks: typeof copy) => blocks.map(({ hash }) => hash);
    assert.deepEqual(hashes(copy), hashes(original), `the sound of ${title}`);
    await Promise.all([...files, heard].map((path) => rm(path)));
  });

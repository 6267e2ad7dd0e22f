/**
 * Films with few places at which a player can start, from the plan to the pictures of every segment: open GOPs, gradual
 * refresh and keyframes that are far apart, in each container.
 */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { ffmpeg, shownIn } from '../src/playback/remux/testing/compare.ts';
import { fakeStreaming, type PlannedStream } from './streaming.ts';
import { until } from './until.ts';

const SECONDS = 24;
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-threads', '1'];
/** The only IDR frame is the first one; a recovery point comes each two seconds. */
const OPEN = [...X264, '-bf', '3', '-g', '48', '-x264-params', 'open-gop=1:scenecut=0:b-adapt=0'];
/** Pictures are refreshed column by column: no picture but the first can be decoded alone. */
const GRADUAL = [...X264, '-bf', '0', '-g', '48', '-x264-params', 'intra-refresh=1:scenecut=0'];
/** 24 seconds without a second keyframe. */
const SPARSE = [...X264, '-x264-params', 'keyint=infinite:scenecut=0'];
const H265 =
  '-c:v libx265 -preset ultrafast -pix_fmt yuv420p -tag:v hvc1 -x265-params ' +
  'log-level=none:pools=none:frame-threads=1:keyint=48:min-keyint=48:open-gop=1:bframes=3:scenecut=0';

/** Films by title: arguments of the video, and the extension with further arguments of the container. */
const FILMS: Readonly<Record<string, readonly [readonly string[], string, ...string[]]>> = {
  'Open Matroska': [OPEN, 'mkv'],
  'Open MP4': [OPEN, 'mp4'],
  'Open Fragments': [OPEN, 'mp4', '-movflags', 'frag_keyframe+empty_moov'],
  'Open Transport': [OPEN, 'ts'],
  'Open Disc': [OPEN, 'm2ts'],
  'Open Avi': [OPEN, 'avi'],
  'Open Second': [H265.split(' '), 'mkv'],
  'Short Matroska': [OPEN, 'mkv', '-t', '16'],
  'Short MP4': [OPEN, 'mp4', '-t', '16'],
  'Short Transport': [OPEN, 'ts', '-t', '16'],
  'Gradual Matroska': [GRADUAL, 'mkv'],
  'Gradual MP4': [GRADUAL, 'mp4'],
  'Gradual Transport': [GRADUAL, 'ts'],
  'Sparse Matroska': [SPARSE, 'mkv'],
  'Sparse MP4': [SPARSE, 'mp4'],
  'Sparse Transport': [SPARSE, 'ts'],
};
const TITLES = Object.keys(FILMS);
let media = '';
const fileOf = (title: string): string => {
  const name = `${title} (2020)`;
  return join(media, 'Films', name, `${name}.${FILMS[title]?.[1] ?? ''}`);
};

const server = fakeStreaming({
  count: TITLES.length,
  fill: async (folder) => {
    media = folder;
    for (const title of TITLES) await mkdir(join(fileOf(title), '..'), { recursive: true });
    await Promise.all(
      [TITLES.filter((_, i) => i % 2 === 0), TITLES.filter((_, i) => i % 2 === 1)].map((titles) =>
        ffmpeg(
          ...['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=24:d=${SECONDS}`, '-f', 'lavfi', '-i', `sine=d=${SECONDS}`],
          ...titles.flatMap((title) => {
            const [video = [], , ...container] = FILMS[title] ?? [];
            return ['-map', '0', '-map', '1', ...video, '-c:a', 'aac', ...container, fileOf(title)];
          }),
        ),
      ),
    );
  },
});
afterEach(server.stopAll);

const CHROMIUM = 'containers=webm&videoCodecs=h264,hevc&audioCodecs=aac';
const APPLE = 'containers=webm&videoCodecs=h264,h264-opengop,hevc&audioCodecs=aac';
type Plan = PlannedStream & {
  reasons: { code: string; stream?: number }[];
  video: { action: string };
  audio: { action: string }[];
};

/** Plans once the file was read: files without an index are read through in the background. */
const planOf = (title: string, query: string): Promise<Plan> =>
  until(`the index of ${title}`, async () => {
    const plan = (await server.plan(server.films.get(title) ?? '', query)) as Plan;
    if (!plan.reasons.some(({ code, stream }) => code === 'no-index' && stream === 0)) return plan;
    await server.stopAll();
    return undefined;
  });
const ways = async (title: string, query: string): Promise<string[]> => {
  const { mode, reasons, video, audio } = await planOf(title, query);
  const codes = reasons.map(({ code }) => code).filter((code) => code !== 'container-not-supported');
  return [mode, video.action, ...audio.map(({ action }) => action), ...new Set(codes)];
};

test('an open GOP is copied for clients that start in it, and converted for the others', async () => {
  for (const title of TITLES.filter((one) => one.startsWith('Open') && one !== 'Open Second')) {
    // A disc has no name for AAC, so that the index does not have this sound.
    const sound = title === 'Open Disc' ? ['convert', 'open-gop', 'no-index'] : ['copy', 'open-gop'];
    assert.deepEqual(await ways(title, CHROMIUM), ['transcode', 'convert', ...sound], title);
    assert.deepEqual(await ways(title, APPLE), ['remux', 'copy', sound[0], ...sound.slice(2)], title);
  }
  // Recovery points fail inside a segment, too.
  for (const title of TITLES.filter((one) => one.startsWith('Short')))
    assert.deepEqual(await ways(title, CHROMIUM), ['transcode', 'convert', 'copy', 'open-gop'], title);
  // Every decoder of HEVC starts at a CRA picture and leaves the pictures out that it cannot decode then.
  assert.deepEqual(await ways('Open Second', CHROMIUM), ['remux', 'copy', 'copy']);
});

test('pictures that are far apart, or refreshed gradually, are converted with their sound', async () => {
  for (const title of TITLES.filter((one) => /^(Gradual|Sparse)/.test(one)))
    for (const query of [CHROMIUM, APPLE])
      assert.deepEqual(await ways(title, query), ['transcode', 'convert', 'convert', 'sparse-keyframes'], title);
});

const bytesOf = async (plan: Plan, name: string): Promise<Buffer> => {
  const reply = await fetch(new URL(plan.urls.hls.replace('master.m3u8', name), server.origin));
  if (reply.status !== 200) assert.fail(`${name}: ${reply.status} ${await reply.text()}`);
  return Buffer.from(await reply.arrayBuffer());
};
/** The segments of a playlist: initialisation and media. */
async function segmentsOf(plan: Plan, name: string): Promise<{ init: Buffer; segments: Buffer[]; longest: number }> {
  const playlist = (await bytesOf(plan, `${name}.m3u8`)).toString();
  const segments: Buffer[] = [];
  for (const [address = ''] of playlist.matchAll(/^[av]\d+-\d+\.m4s/gm)) segments.push(await bytesOf(plan, address));
  return {
    init: await bytesOf(plan, `${name}-init.mp4`),
    segments,
    longest: Math.max(...[...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, seconds]) => Number(seconds))),
  };
}

test('sound next to converted video is cut at every keyframe', async () => {
  const { longest, segments } = await segmentsOf(await planOf('Open Matroska', CHROMIUM), 'a0');
  assert.ok(longest < 4.5 && segments.length === 6, `${segments.length} segments of up to ${longest} s`);
});

/** Decodes files in one run; returns the times and hashes of the pictures that each one shows. */
async function picturesOf(paths: readonly string[]): Promise<ReturnType<typeof shownIn>[]> {
  const output = (n: number): string => join(media, `${n}.times`);
  await ffmpeg(
    '-copyts',
    ...paths.flatMap((path) => ['-threads', '1', '-i', path]),
    ...paths.flatMap((_, n) => [
      ...['-map', `${n}:v`, '-fps_mode', 'passthrough', '-enc_time_base', '-1', '-f', 'framemd5', output(n)],
    ]),
  );
  return paths.map((_, n) => shownIn(output(n)));
}

test('copied segments show the pictures of the source, from the start and behind every jump', async () => {
  for (const title of TITLES.filter((one) => one.startsWith('Open'))) {
    const plan = await planOf(title, APPLE);
    const { init, segments } = await segmentsOf(plan, 'v0');
    await server.stopAll();
    assert.equal(segments.length, 6, title);
    const files = await Promise.all(
      segments.map(async (_, n) => {
        const path = join(media, `from-${n}.mp4`);
        await writeFile(path, Buffer.concat([init, ...segments.slice(n)]));
        return path;
      }),
    );
    const [source = [], whole = [], ...jumps] = await picturesOf([fileOf(title), ...files]);
    const begin = (source[0]?.time ?? 0) - (whole[0]?.time ?? 0);
    const hashes = new Map(source.map(({ time, hash }) => [Math.round((time - begin) * 1000), hash]));
    assert.equal(source.length, SECONDS * 24, title);
    assert.deepEqual(
      whole.map(({ hash }) => hash),
      source.map(({ hash }) => hash),
      title,
    );
    for (const [n, shown] of [whole, ...jumps].entries()) {
      const wrong = shown.filter(({ time, hash }) => {
        const at = Math.round(time * 1000);
        return [at, at - 1, at + 1].every((one) => hashes.get(one) !== hash);
      });
      assert.deepEqual(wrong, [], `${title} from segment ${n}`);
      // Only the pictures that lead the first keyframe may be missing: three of them.
      assert.ok(shown.length >= SECONDS * 24 - n * 96 - 3, `${title} from segment ${n}: ${shown.length} pictures`);
    }
  }
});

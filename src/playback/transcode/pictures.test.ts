/**
 * Changes to pictures and loudness: tone mapping, burned subtitles, rotation, deinterlacing and mixing, from any start
 * of a run.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { AudioRecipe, VideoRecipe } from '../plan/types.ts';
import type { Rendition } from '../rendition.ts';
import { bufferOf, makeClips, type Clips, never } from './testing.ts';

let clip: Clips;
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '48'];

before(async () => {
  clip = await makeClips();
});
after(() => clip.close());

const recipe: VideoRecipe = {
  kind: 'video',
  stream: 0,
  codec: 'h264',
  width: 320,
  height: 180,
  bitrate: 2_000_000,
  deinterlace: false,
  rotate: 0,
};
const SOFTWARE = { preset: 'ultrafast' } as const;

/** The planes of the first picture of a segment, and what its header says of colours. */
async function picture(rendition: Rendition, k: number): Promise<{ y: Buffer; u: Buffer; v: Buffer; colours: string }> {
  const file = clip.path('picture.mp4');
  writeFileSync(
    file,
    Buffer.concat([await rendition.init(never), await bufferOf(await rendition.segment(k, 'viewer', never))]),
  );
  const { width = 0, height = 0 } = rendition;
  const bytes = await clip.output('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-i',
    file,
    '-frames:v',
    '1',
    '-pix_fmt',
    'yuv420p',
    '-f',
    'rawvideo',
    'pipe:1',
  ]);
  assert.equal(bytes.length, width * height * 1.5);
  const colours = String(
    await clip.output('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=color_range,color_space,color_transfer,color_primaries,sample_aspect_ratio',
      '-of',
      'csv=p=0',
      file,
    ]),
  ).trim();
  return {
    y: bytes.subarray(0, width * height),
    u: bytes.subarray(width * height, width * height * 1.25),
    v: bytes.subarray(width * height * 1.25),
    colours,
  };
}
const mean = (plane: Uint8Array): number => plane.reduce((sum, one) => sum + one, 0) / plane.length;
/** The mean of a rectangle of a picture 320 wide. */
function around(y: Uint8Array, x: number, top: number, width = 320): number {
  let sum = 0;
  for (let row = top - 3; row <= top + 3; row++)
    for (let column = x - 3; column <= x + 3; column++) sum += y[row * width + column] ?? 0;
  return sum / 49;
}

const MAPPED = [
  { kind: 'hdr10', transfer: 'smpte2084', tags: 'all', wanted: [16, 60, 148, 234] },
  { kind: 'hdr10', transfer: 'smpte2084', tags: 'transfer', wanted: [16, 60, 148, 234] },
  { kind: 'hlg', transfer: 'arib-std-b67', tags: 'all', wanted: [16, 72, 123, 181] },
  { kind: 'hlg', transfer: 'arib-std-b67', tags: 'transfer', wanted: [16, 72, 123, 181] },
] as const;
for (const { kind, transfer, tags, wanted } of MAPPED) {
  test(
    `${kind} with ${tags} tagged is mapped to BT.709: greys stay greys, in their order, and neither dark nor burnt ` +
      'out',
    async () => {
      const name = `${kind}-${tags}.mkv`;
      const [coded, listed] =
        tags === 'all'
          ? [
              `colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`,
              ['-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'],
            ]
          : [`transfer=${transfer}`, []];
      // Four fields of grey: 0, 25, 50 and 75 % of the signal. Half of PQ is about 100 cd/m2: paper white.
      const graph =
        `color=black:s=320x180:r=24:d=4,format=yuv420p10le,geq=lum='if(lt(X,80),64,if(lt(X,160),284,if(lt(X,240),502,` +
        `720)))':cb=512:cr=512`;
      await clip.make(
        '-f',
        'lavfi',
        '-i',
        graph,
        '-c:v',
        'libx265',
        '-preset',
        'ultrafast',
        '-x265-params',
        `log-level=error:${coded}`,
        ...listed,
        '-color_trc',
        transfer,
        clip.path(name),
      );
      const video = await clip.transcode().video(await clip.source(name), { ...recipe, toneMap: kind }, SOFTWARE);
      const { y, u, v, colours } = await picture(video, 1);
      assert.equal(colours.replace('1:1,', '').replace(',1:1', ''), 'tv,bt709,bt709,bt709');
      const fields = [40, 120, 200, 280].map((x) => around(y, x, 90));
      // Read as BT.709 they would be 16, 53, 89, 122.
      assert.ok(
        fields.every((value, i) => Math.abs(value - (wanted[i] ?? 0)) < 10),
        `${fields.map(Math.round).join()} instead of ${wanted.join()}`,
      );
      assert.ok(Math.abs(mean(u) - 128) < 3 && Math.abs(mean(v) - 128) < 3, `grey: ${mean(u)}, ${mean(v)}`);
      const plain = await clip.transcode().video(await clip.source(name), recipe, SOFTWARE);
      assert.notEqual((await picture(plain, 1)).colours, colours, 'mapping is what changes it');
    },
  );
}

test('pictures are turned as asked, once', async () => {
  // White in the upper left quarter, on black; the file says that it is to be turned by 90 degrees.
  await clip.make(
    '-f',
    'lavfi',
    '-i',
    'color=black:s=320x180:r=24:d=4,drawbox=x=0:y=0:w=160:h=90:color=white:t=fill',
    ...X264,
    clip.path('upright.mp4'),
  );
  await clip.make(
    '-i',
    clip.path('upright.mp4'),
    '-c',
    'copy',
    '-metadata:s:v:0',
    'rotate=270',
    clip.path('turned.mp4'),
  );
  const corners = async (rotate: VideoRecipe['rotate'], size: { width: number; height: number }): Promise<string> => {
    const video = await clip
      .transcode()
      .video(await clip.source('turned.mp4'), { ...recipe, ...size, rotate }, SOFTWARE);
    const { y } = await picture(video, 1);
    const { width, height } = size;
    return [
      [0.25, 0.25],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.75, 0.75],
    ]
      .map(([x = 0, top = 0]) => (around(y, Math.round(width * x), Math.round(height * top), width) > 128 ? 'W' : 'b'))
      .join('');
  };
  assert.equal(await corners(0, { width: 320, height: 180 }), 'Wbbb');
  assert.equal(await corners(90, { width: 180, height: 320 }), 'bWbb');
  assert.equal(await corners(180, { width: 320, height: 180 }), 'bbbW');
  assert.equal(await corners(270, { width: 180, height: 320 }), 'bbWb');
});

test('fields are put together: no combs are left, and each picture keeps its time', async () => {
  await clip.make(
    '-f',
    'lavfi',
    '-i',
    "testsrc2=s=320x180:r=50:d=6,drawbox=x='mod(t*200,300)':y=60:w=20:h=60:color=white:t=fill",
    '-vf',
    'tinterlace=interleave_top,fieldorder=tff',
    '-flags',
    '+ilme+ildct',
    '-c:v',
    'mpeg2video',
    '-q:v',
    '3',
    '-g',
    '12',
    clip.path('fields.ts'),
  );
  const combs = async (deinterlace: boolean): Promise<number> => {
    const video = await clip.transcode().video(await clip.source('fields.ts'), { ...recipe, deinterlace }, SOFTWARE);
    const { y } = await picture(video, 1);
    let sum = 0;
    for (let row = 61; row < 119; row++)
      for (let x = 0; x < 320; x++)
        sum += Math.max(
          0,
          Math.abs((y[row * 320 + x] ?? 0) - (y[(row - 1) * 320 + x] ?? 0)) -
            Math.abs((y[(row + 1) * 320 + x] ?? 0) - (y[(row - 1) * 320 + x] ?? 0)) -
            20,
        );
    return sum;
  };
  const [left, before] = [await combs(true), await combs(false)];
  assert.ok(left * 3 < before, `combs ${left} of ${before}`);
});

/** Integrated loudness in LUFS. */
async function loudness(args: readonly string[], filter = ''): Promise<number> {
  const { stderr } = await clip.processes.run({
    program: 'ffmpeg',
    args: ['-nostdin', '-hide_banner', ...args, '-af', `${filter}ebur128=framelog=verbose`, '-f', 'null', '-'],
    timeoutMs: 60_000,
    reads: [clip.base],
  });
  return Number(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/.exec(stderr)?.[1] ?? NaN);
}

test('six channels mixed to two keep their loudness within 2 LU, and nothing is cut off', async () => {
  const noise = (seed: number, gain: number): string => `anoisesrc=d=12:c=pink:r=48000:seed=${seed}:a=${gain}`;
  // Dialogue in the centre, music in front, ambience around; then dialogue alone; then all at full scale.
  const mixes: Record<string, number[]> = {
    film: [0.2, 0.2, 0.5, 0.3, 0.1, 0.1],
    dialogue: [0, 0, 0.3, 0, 0, 0],
    loud: [1, 1, 1, 1, 1, 1],
  };
  for (const [mix, gains] of Object.entries(mixes)) {
    const inputs = gains.flatMap((gain, i) => ['-f', 'lavfi', '-i', noise(i + 1, gain)]);
    await clip.make(
      '-f',
      'lavfi',
      '-i',
      'color=black:s=64x36:r=24:d=12',
      ...inputs,
      '-filter_complex',
      '[1][2][3][4][5][6]join=inputs=6:channel_layout=5.1[a]',
      '-map',
      '0:v',
      '-map',
      '[a]',
      ...X264,
      '-c:a',
      'flac',
      clip.path(`${mix}.mkv`),
    );
    const before = await loudness(['-i', clip.path(`${mix}.mkv`)]);
    const sound: AudioRecipe = { kind: 'audio', stream: 1, codec: 'aac', channels: 2, bitrate: 256_000, downmix: true };
    const audio = await clip.transcode().audio(await clip.source(`${mix}.mkv`), sound);
    const segments: Buffer[] = [];
    for (let k = 0; k < audio.segments.length; k++)
      segments.push(await bufferOf(await audio.segment(k, 'listener', never)));
    writeFileSync(clip.path('mixed.mp4'), Buffer.concat([await audio.init(never), ...segments]));
    const after = await loudness(['-i', clip.path('mixed.mp4')]);
    assert.ok(Math.abs(after - before) <= 2, `${mix}: ${after} of ${before} LUFS`);
  }
});

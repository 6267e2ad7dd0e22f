/**
 * Preview pictures of films with a high dynamic range: mapped to ordinary screens, whatever the file says about its
 * colours.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createFfmpeg } from '../../lib/ffmpeg/index.ts';
import { createProcesses, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'trickplay-hdr-'));
let processes: Processes;
before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp') });
});
after(async () => {
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

const [WIDTH, HEIGHT] = [64, 36];
/**
 * The red, green and blue of four fields of grey: 0, 25, 50 and 75 % of the signal. Half of PQ is about 100 cd/m2:
 * paper white.
 */
const SOURCES = [
  { hdr: 'hdr10', transfer: 'smpte2084', tags: 'all', wanted: [0, 51, 154, 254] },
  { hdr: 'hdr10', transfer: 'smpte2084', tags: 'transfer', wanted: [0, 51, 154, 254] },
  { hdr: 'hlg', transfer: 'arib-std-b67', tags: 'all', wanted: [0, 65, 125, 192] },
  { hdr: 'hlg', transfer: 'arib-std-b67', tags: 'none', wanted: [0, 65, 125, 192] },
] as const;

for (const { hdr, transfer, tags, wanted } of SOURCES) {
  test(`${hdr} with ${tags} of its tags: greys stay greys, neither dark nor burnt out`, async () => {
    const path = join(folder, `${hdr}-${tags}.mkv`);
    const coded = {
      all: `:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`,
      transfer: `:transfer=${transfer}`,
      none: '',
    }[tags];
    const listed = {
      all: ['-color_primaries', 'bt2020', '-colorspace', 'bt2020nc', '-color_trc', transfer],
      transfer: ['-color_trc', transfer],
      none: [],
    }[tags];
    const graph =
      "color=black:s=320x180:r=24:d=1,format=yuv420p10le,geq=lum='if(lt(X,80),64,if(lt(X,160),284,if(lt(X,240)," +
      "502,720)))':cb=512:cr=512";
    execFileSync('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      graph,
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      `log-level=error${coded}`,
      ...listed,
      path,
    ]);
    const pictures = [];
    for await (const picture of createFfmpeg({ processes }).keyPictures(
      { media: path, from: 0, length: 1, width: WIDTH, height: HEIGHT, hdr },
      new AbortController().signal,
    ))
      pictures.push(picture);
    assert.ok(pictures.length > 0, 'there is a picture');
    const { pixels } = pictures[0] ?? assert.fail();
    const fields = [8, 24, 40, 56].map((x) => [
      ...pixels.subarray(((HEIGHT / 2) * WIDTH + x) * 3, ((HEIGHT / 2) * WIDTH + x) * 3 + 3),
    ]);
    // Left as they are, the last would be 139.
    assert.ok(
      fields.every((rgb, i) => rgb.every((value) => Math.abs(value - (wanted[i] ?? 0)) < 14)),
      JSON.stringify({ fields, wanted }),
    );
  });
}

/**
 * Fonts in Matroska files over the road: their bytes, whole and in ranges, to those who may play the film; nothing that
 * is no font.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { makeBlockFont } from '../../../test/block-font.ts';
import { HIDDEN, ID, openTestMedia, type Media, makeStream } from '../testing.ts';
import { countFonts } from './fonts.ts';

const FONTS = [makeBlockFont('One Face'), makeBlockFont('Another, longer Face')] as const;
const TTF = 'application/x-truetype-font';
const attachment = (index: number, fileName: string, codec = 'ttf') =>
  makeStream(index, 'attachment', codec, { fileName });

async function film(t: TestContext): Promise<Media> {
  const m = await openTestMedia(t, {
    info: {
      streams: [
        makeStream(0, 'video', 'mpeg4'),
        makeStream(1, 'subtitle', 'ass', { language: 'eng' }),
        attachment(2, 'one.ttf'),
        attachment(3, 'notes.txt', 'unknown'),
        attachment(4, 'OTHER.TTF', 'unknown'),
      ],
    },
  });
  const at = (name: string) => join(m.base, name);
  writeFileSync(at('one.ttf'), FONTS[0]);
  writeFileSync(at('other.ttf'), FONTS[1]);
  writeFileSync(at('notes.txt'), 'no font at all');
  writeFileSync(
    at('lines.ass'),
    '[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\n' +
      'Style: Default,One Face,20\n\n[Events]\n' +
      'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n' +
      'Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,B\n',
  );
  const attached = [
    ['one.ttf', TTF],
    ['notes.txt', 'text/plain'],
    ['other.ttf', 'application/octet-stream'],
  ].flatMap(([name = '', type = ''], i) => ['-attach', at(name), `-metadata:s:t:${i}`, `mimetype=${type}`]);
  await m.processes.run({
    program: 'ffmpeg',
    args: [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=64x36:rate=5:duration=2',
      '-i',
      at('lines.ass'),
      '-map',
      '0',
      '-map',
      '1',
      '-c:v',
      'mpeg4',
      '-c:s',
      'ass',
      ...attached,
      join(m.folder, 'Film.mkv'),
    ],
    timeoutMs: 60_000,
    reads: [m.base],
    writes: [m.folder],
  });
  return m;
}

test('only fonts are sent, unchanged, whole and in ranges', async (t) => {
  const m = await film(t);
  for (const [number, font] of FONTS.entries()) {
    const reply = await m.get(`/font/${ID}/${number}`);
    assert.deepEqual(
      [
        reply.status,
        reply.headers.get('content-type'),
        reply.headers.get('cache-control'),
        Number(reply.headers.get('content-length')),
      ],
      [200, 'font/ttf', 'private, no-cache', font.length],
    );
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), font);
    assert.equal(
      (await m.get(`/font/${ID}/${number}`, { 'if-none-match': reply.headers.get('etag') ?? '' })).status,
      304,
    );
  }
  const part = await m.get(`/font/${ID}/1`, { range: 'bytes=100-' });
  assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, FONTS[1].subarray(100)]);
  assert.equal(
    (await m.get(`/font/${ID}/0`, { range: `bytes=${FONTS[0].length}-` })).status,
    416,
    'what follows it in the file is not its',
  );
  assert.equal((await m.get(`/font/${ID}/2`)).status, 404, 'a text is no font');
  assert.equal((await m.get(`/font/${ID}/64`)).status, 400);
  assert.equal(
    (await m.get(`/font/${HIDDEN}/0`)).status,
    404,
    'the fonts of a film that may not be seen are not there',
  );
});

test('the plan names the fonts to clients that draw styles, with their ticket', async (t) => {
  const m = await film(t);
  const plan = async (formats: string) =>
    (await (await m.get(`/api/v1/items/${ID}/playback?subtitleFormats=${formats}`)).json()) as { fonts?: string[] };
  assert.deepEqual((await plan('vtt,ass')).fonts, [
    `/font/${ID}/0?ticket=ticket-subtitle-aa`,
    `/font/${ID}/1?ticket=ticket-subtitle-aa`,
  ]);
  assert.equal((await plan('vtt')).fonts, undefined);
});

test('a file that is replaced has its own fonts, and one that is not Matroska has none', async (t) => {
  const m = await film(t);
  assert.equal((await m.get(`/font/${ID}/0`)).status, 200);
  m.write('Film.mkv', 'no longer a film');
  assert.equal((await m.get(`/font/${ID}/0`)).status, 404);
});

test('at most 64 streams count as fonts', () => {
  assert.equal(countFonts(Array.from({ length: 90 }, (_, n) => attachment(n, `${n}.otf`, 'otf'))), 64);
  assert.equal(countFonts([makeStream(0, 'video', 'h264'), attachment(1, 'cover.jpg', 'unknown')]), 0);
});

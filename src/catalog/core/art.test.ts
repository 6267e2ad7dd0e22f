/** Pictures from a media folder are treated as hostile by their bytes, under any name, until they are converted. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { planFaults, WRITING_CALLS } from '../../lib/files/calls.ts';
import { openRoot } from '../../lib/files.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createArt } from './art.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="red"/></svg>';

function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-art-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const art = createArt({
    photos: { make: () => Promise.reject(new Error('no photos')) },
    embedded: () => Promise.reject(new Error('no book is opened here')),
    cache: join(folder, 'cache'),
    ffmpeg: { extractFrame: () => Promise.reject(new Error('not asked for')) },
    log: quietLog,
    rootFor: openRoot,
    clearFolder: async () => {},
  });
  const make = (name: string, bytes: Uint8Array | string) => {
    writeFileSync(join(folder, name), bytes);
    return art.make(
      { root: folder, relative: name, size: bytes.length, modifiedMs: 0, frameAt: undefined, version: name },
      300,
      AbortSignal.timeout(20_000),
    );
  };
  return { make };
}
const unreadable = { kind: 'missing', message: 'this picture cannot be read' };

/** A PNG that declares this size and has almost no data. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crcOf(body));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, body, crc]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
function crcOf(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

test('a drawing, a document and a bomb are refused under any name', async (t) => {
  // Planted fault: before the first picture nothing is blocked, which shows that these bytes are readable.
  assert.equal((await sharp(Buffer.from(SVG)).metadata()).format, 'svg');
  const { make } = open(t);
  await assert.rejects(make('poster.jpg', SVG), unreadable);
  await assert.rejects(make('poster.png', `<?xml version="1.0"?>${SVG}`), unreadable);
  await assert.rejects(
    make('poster.webp', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n'),
    unreadable,
  );
  await assert.rejects(make('fanart.png', bomb(100_000, 100_000)), unreadable);
  await assert.rejects(make('logo.png', bomb(6_000, 7_000)), unreadable);
  await assert.rejects(make('thumb.jpg', ''), unreadable);
  await assert.rejects(sharp(Buffer.from(SVG)).metadata(), /unsupported|blocked/);
});

for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const) {
  test(`a picture in ${format} is converted to WebP`, async (t) => {
    const { make } = open(t);
    const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
      .toFormat(format)
      .toBuffer();
    const made = await make('poster.jpg', bytes);
    const { format: given, width } = await sharp(made.bytes).metadata();
    assert.deepEqual([made.type, given], ['image/webp', 'webp']);
    assert.ok((width ?? 0) < 900);
  });
}

test('with a cache on a full disk, pictures are made for each request', async (t) => {
  const { make } = open(t);
  const red = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  t.after(() => planFaults(null));
  for (const code of ['ENOSPC', 'EROFS']) {
    for (const call of WRITING_CALLS) {
      planFaults((made) => (made === call ? Object.assign(new Error('full'), { code }) : undefined));
      for (const name of [`${code} ${call} 1.png`, `${code} ${call} 2.png`])
        assert.equal((await sharp((await make(name, red)).bytes).metadata()).width, 320, name);
    }
  }
  planFaults(null);
  assert.equal((await make('later.png', red)).type, 'image/webp');
});

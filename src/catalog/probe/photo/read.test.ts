/** Headers of pictures: size, orientation, time, camera, place; and files that lie, which are read within limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ExifReader from 'exifreader';
import { fc } from '../../../../test/fast-check.ts';
import sharp from 'sharp';
import { assertLinear } from '../../../../test/linear.ts';
import { createHead, type HeaderReading, readHeader } from '../read.ts';
import {
  box,
  cr3File,
  exifOf,
  fujiFile,
  heicFile,
  jpegWith,
  motionXmp,
  quarters,
  rawFile,
  tiffBlock,
  withBox,
  type CameraFacts,
} from '../testing/pictures.ts';
import type { MediaInfo } from '../types.ts';
import { offsetByGps } from './read.ts';
import { xmpFacts } from './xmp.ts';

const head = createHead();

/** Reads a file in memory. Fails if the reading costs more than its limits. */
function read(bytes: Buffer, size: number): HeaderReading {
  let spent = 0;
  const found = readHeader(
    size,
    (into, offset) => {
      const length = Math.max(0, Math.min(into.length, size - offset));
      spent += length;
      into.fill(0, 0, length);
      bytes.copy(into, 0, Math.min(offset, bytes.length), Math.min(offset + length, bytes.length));
      return length;
    },
    head,
  );
  assert.ok(spent <= 4 * 1024 * 1024 + 64 * 1024, `read ${spent} bytes`);
  assert.ok(JSON.stringify(found).length < 64 * 1024);
  return found;
}
function reading(bytes: Buffer, size = bytes.length): MediaInfo | undefined {
  const found = read(bytes, size);
  return 'info' in found ? found.info : undefined;
}
/** Returns why a file is refused. */
function refusal(bytes: Buffer): string | undefined {
  const found = read(bytes, bytes.length);
  return 'info' in found ? undefined : found.uncertain;
}
const sizeOf = (info: MediaInfo | undefined) => [info?.container, info?.streams[0]?.width, info?.streams[0]?.height];

const TAKEN: CameraFacts = {
  orientation: 6,
  original: '2024:07:01 12:30:45',
  gps: { day: '2024:07:01', time: [10, 31, 2] },
  place: true,
  camera: 'Ricoh GR III',
};
const CODED = { width: 64, height: 36, hvcC: Buffer.alloc(23), sample: Buffer.alloc(40, 7) };

test('every format has its size, and the facts of its camera', async () => {
  const jpeg = await quarters(60, 40);
  const exif = exifOf(TAKEN);
  const facts = {
    takenAt: '2024-07-01T12:30:45',
    offset: '+02:00',
    camera: 'Ricoh GR III',
    exposure: 0.004,
    aperture: 2.8,
    place: { latitude: 48.135, longitude: -11.5 },
  };
  const tagged = reading(jpegWith(jpeg, { exif }));
  assert.deepEqual(sizeOf(tagged), ['jpeg', 60, 40]);
  assert.deepEqual(tagged?.capture, { ...facts, orientation: 6 });
  const opened = sharp(jpeg).withExif({ IFD0: { Model: 'Q' }, IFD2: { DateTimeOriginal: '2023:02:03 04:05:06' } });
  for (const format of ['png', 'webp', 'avif', 'tiff'] as const) {
    const info = reading(await opened.clone().toFormat(format).toBuffer());
    assert.deepEqual(sizeOf(info), [format, 60, 40], format);
    if (format !== 'tiff') assert.equal(info?.capture?.takenAt, '2023-02-03T04:05:06', format);
  }
  assert.deepEqual(sizeOf(reading(await sharp(jpeg).gif().toBuffer())), ['gif', 60, 40]);
  const heic = reading(heicFile(CODED, { exif, quarterTurns: 1 }));
  assert.deepEqual(sizeOf(heic), ['heic', 36, 64], 'turned by its container');
  assert.deepEqual(heic?.capture, facts, 'and so not by EXIF as well');
  const large = jpegWith(jpeg, { end: Buffer.alloc(9) });
  const raw = reading(rawFile(TAKEN, { small: await quarters(16, 8), large }));
  assert.deepEqual(sizeOf(raw), ['raw', 6000, 4000]);
  assert.equal(raw?.capture?.preview?.size, large.length, 'the largest preview');
  const cr3 = reading(cr3File(TAKEN, jpeg));
  assert.deepEqual(sizeOf(cr3), ['raw', 60, 40]);
  assert.equal(cr3?.capture?.preview?.size, jpeg.length);
  const fuji = reading(fujiFile(jpegWith(jpeg, { exif })));
  assert.deepEqual([sizeOf(fuji), fuji?.capture?.preview?.at], [['raw', 60, 40], 160]);
  assert.deepEqual(cr3?.capture?.place, facts.place);
  assert.equal(cr3?.capture?.offset, '+02:00');
});

test('EXIF is read as another reader reads it', async () => {
  const jpeg = await sharp(await quarters(60, 40))
    .withExif({
      IFD0: { Make: 'Canon', Model: 'Canon EOS R5' },
      IFD2: { DateTimeOriginal: '2019:12:31 23:59:58', OffsetTimeOriginal: '-03:30', ISOSpeedRatings: '640' },
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '33/1 51/1 2135/100',
        GPSLongitudeRef: 'E',
        GPSLongitude: '151/1 12/1 30/1',
      },
    })
    .jpeg()
    .toBuffer();
  const other = ExifReader.load(jpeg, { expanded: true });
  const own = reading(jpeg)?.capture;
  assert.equal(own?.takenAt, '2019-12-31T23:59:58');
  assert.equal(own.offset, other.exif?.OffsetTimeOriginal?.description);
  assert.equal(own.camera, other.exif?.Model?.description);
  assert.equal(own.iso, other.exif?.ISOSpeedRatings?.value);
  assert.ok(Math.abs((own.place?.latitude ?? 0) - (other.gps?.Latitude ?? 1)) < 1e-6);
  assert.ok(Math.abs((own.place?.longitude ?? 0) - (other.gps?.Longitude ?? 1)) < 1e-6);
});

test('a time has an offset only if something says so', async () => {
  const jpeg = await quarters(8, 8);
  const of = (taken: CameraFacts) => {
    const { takenAt, offset } = reading(jpegWith(jpeg, { exif: exifOf(taken) }))?.capture ?? {};
    return [takenAt, offset];
  };
  const original = '2024:07:01 12:30:45';
  assert.deepEqual(of({ original }), ['2024-07-01T12:30:45', undefined]);
  assert.deepEqual(of({ original, offset: '+05:45' }), ['2024-07-01T12:30:45', '+05:45']);
  assert.deepEqual(of({ original: '0000:00:00 00:00:00' }), [undefined, undefined]);
  assert.deepEqual(of({ original: '2023:02:30 10:00:00' }), [undefined, undefined]);
  assert.equal(offsetByGps('2024-07-01T01:00:00', '2024-07-01T06:29:10'), '-05:30');
  assert.equal(offsetByGps('2024-07-01T01:00:00', '2024-07-01T06:21:00'), undefined, 'an old fix');
  assert.equal(offsetByGps('2024-07-01T01:00:00', '2024-07-03T01:00:00'), undefined);
});

test('the video behind a picture, and an XMP packet that says when', async () => {
  const jpeg = await quarters(8, 8);
  const video = box('ftyp', Buffer.from('mp42'), Buffer.alloc(80));
  const motion = jpegWith(jpeg, { xmp: motionXmp(video.length), end: video });
  assert.deepEqual(reading(motion)?.capture?.motion, { at: motion.length - video.length, size: video.length });
  const lying = jpegWith(jpeg, { xmp: motionXmp(video.length + 3), end: video });
  assert.equal(reading(lying)?.capture?.motion, undefined);
  const old = `<rdf:Description GCamera:MicroVideo="1" GCamera:MicroVideoOffset="${video.length}"/>`;
  assert.equal(reading(jpegWith(jpeg, { xmp: old, end: video }))?.capture?.motion?.size, video.length);
  assert.deepEqual(
    xmpFacts(
      '<exif:DateTimeOriginal>2021-05-04T03:02:01-07:00</exif:DateTimeOriginal><tiff:Orientation>8</tiff:Orientation>',
    ),
    { takenAt: '2021-05-04T03:02:01', offset: '-07:00', orientation: 8 },
  );
});

test('a file cut or changed anywhere is read within limits', async () => {
  const jpeg = await quarters(24, 16);
  const exif = exifOf(TAKEN);
  const samples = [
    jpegWith(jpeg, { exif, xmp: motionXmp(40), end: box('ftyp', Buffer.alloc(32)) }),
    rawFile(TAKEN, { small: jpeg, large: jpeg }),
    heicFile(CODED, { exif }),
    cr3File(TAKEN, jpeg),
    fujiFile(jpegWith(jpeg, { exif })),
    await sharp(jpeg).avif().toBuffer(),
    await sharp(jpeg)
      .withExif({ IFD0: { Model: 'Q' } })
      .webp()
      .toBuffer(),
    await sharp(jpeg)
      .withExif({ IFD0: { Model: 'Q' } })
      .png()
      .toBuffer(),
    await sharp(jpeg).tiff().toBuffer(),
  ];
  for (const bytes of samples)
    for (let length = 0; length < bytes.length; length += length < 512 ? 3 : 97) {
      reading(bytes.subarray(0, length));
      reading(bytes.subarray(0, length), bytes.length);
    }
  // Sizes, counts and offsets that are enormous, in a file that is, too.
  for (const bytes of samples)
    for (let at = 0; at < Math.min(bytes.length - 4, 900); at += 2)
      for (const value of [0xff, 0]) {
        const changed = Buffer.from(bytes).fill(value, at, at + 4);
        reading(changed);
        reading(changed, 2 ** 50);
      }
  const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.nat(samples.length - 1), edits, (which, changes) => {
      const bytes = Buffer.from(samples[which] ?? []);
      // Most edits are in what the reader interprets.
      for (const [at, value] of changes) bytes[at % Math.min(bytes.length, 600)] = value;
      reading(bytes);
    }),
    { seed: 20240701, numRuns: 3000 },
  );
});

test('directories that point to themselves, and texts without an end, end', async () => {
  const loop = Buffer.alloc(64);
  loop.write('II*\0', 'latin1');
  loop.writeUInt32LE(8, 4);
  loop.writeUInt16LE(1, 8);
  loop.writeUInt16LE(0x14a, 10);
  loop.writeUInt16LE(4, 12);
  loop.writeUInt32LE(1, 14);
  loop.writeUInt32LE(8, 18);
  loop.writeUInt32LE(8, 22);
  assert.equal(reading(loop), undefined, 'a TIFF file without a size');
  const started = process.cpuUsage();
  for (const text of ['<Container:Item '.repeat(16_000), 'a:b="'.repeat(50_000), 'a:b>'.repeat(60_000)]) xmpFacts(text);
  assert.ok(process.cpuUsage(started).user < 2_000_000, 'linear in its length');
});

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);
const many = (count: number, make: (n: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, n) => make(n)));

test('tables of a HEIC file that are too long are refused, and parts of no bytes cost nothing', () => {
  const heic = heicFile(CODED, { exif: exifOf(TAKEN) });
  const infe = (id: number) => box('infe', Buffer.from([2, 0, 0, 0]), u16(id), u16(0), Buffer.from('hvc1\0'));
  const items = (count: number) => reading(withBox(heic, 'iinf', u32(0), u16(count), many(count, infe)));
  assert.ok(items(2_000));
  assert.equal(items(2_001), undefined, 'too many pictures');
  assert.equal(
    reading(
      withBox(
        heic,
        'ipco',
        many(4_200, () => box('free')),
      ),
    ),
    undefined,
    'too many properties',
  );
  const spread = many(300_000, () => Buffer.alloc(1));
  assert.equal(
    refusal(withBox(heic, 'iloc', Buffer.from([0, 0, 0, 0, 0x44, 0]), u16(1), spread)),
    'a box is too large',
  );
  // An item of 65,535 parts, each of which takes no bytes in the table.
  const parts = (id: number) => Buffer.concat([u16(id), u16(0), u16(0), u16(0xffff)]);
  const costly = withBox(heic, 'iloc', Buffer.from([1, 0, 0, 0, 0, 0]), u16(2_000), many(2_000, parts));
  const started = process.cpuUsage();
  for (let n = 0; n < 20; n++) assert.ok(reading(costly));
  assert.ok(process.cpuUsage(started).user < 2_000_000, 'linear in its length');
});

test('raw files offer a preview only if it is a picture within the file, and read few directories', async () => {
  const jpeg = await quarters(16, 8);
  const previewOf = (bytes: Buffer) => reading(bytes)?.capture?.preview;
  const raw = (from: number, size: number) =>
    Buffer.concat([tiffBlock([{ 0x100: 60, 0x101: 40, 0x201: from, 0x202: size, 0xc612: 1 }]), jpeg]);
  const at = raw(0, 0).length - jpeg.length;
  assert.deepEqual(previewOf(raw(at, jpeg.length)), { at, size: jpeg.length });
  for (const [from, size] of [
    [at, jpeg.length + 1],
    [at + 1, jpeg.length - 1],
    [at, 0],
    [0, jpeg.length],
    [0xffff_ffff, 0xffff_ffff],
  ] as const) {
    const info = reading(raw(from, size));
    assert.deepEqual([info?.capture?.isRaw, info?.capture?.preview], [true, undefined], `${from}, ${size}`);
  }
  // Each directory leads to the next one; the last has the preview.
  const chain = (length: number) => {
    const make = (from: number) =>
      tiffBlock(
        Array.from({ length }, (_, n) => ({
          ...(n === 0 && { 0x100: 60, 0x101: 40, 0xc612: 1 }),
          ...(n < length - 1 ? { 0x14a: (starts: readonly number[]) => starts[n + 1] ?? 0 } : {}),
          ...(n === length - 1 && { 0x201: from, 0x202: jpeg.length }),
        })),
      );
    return Buffer.concat([make(make(0).length), jpeg]);
  };
  assert.ok(previewOf(chain(24)));
  assert.equal(previewOf(chain(25)), undefined, 'a directory more than is read');
  const traks = many(5_000, () => box('trak'));
  const head = box('ftyp', Buffer.from('crx '), u32(1), Buffer.from('crx isom'));
  assert.equal(refusal(Buffer.concat([head, box('moov', traks)])), 'too many boxes');
  const fuji = fujiFile(jpeg);
  fuji.writeUInt32BE(jpeg.length + 1, 88);
  assert.equal(refusal(fuji), 'a raw file without a preview');
});

test('an XMP packet of any text has facts within their bounds', () => {
  const piece = fc.constantFrom(
    ...['exif:DateTimeOriginal="2024-05-02T10:00:00+01:00"', '<xmp:CreateDate>', '2023', 'tiff:Orientation="', '6"'],
    ...['tiff:Orientation="9"', 'tiff:Orientation="-1"', 'GCamera:MicroVideoOffset="0"', 'GCamera:MotionPhoto="1"'],
    ...['<Container:Item Item:Semantic="MotionPhoto" Item:Length="0"/>', '/>', '&', '=', ':'],
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 40 }),
      (pieces) => {
        const { takenAt, orientation = 1, motionBytes = 1 } = xmpFacts(pieces.join(''));
        assert.ok(takenAt === undefined || takenAt.length <= 32);
        assert.ok(orientation >= 1 && orientation <= 8 && motionBytes > 0 && motionBytes < 1e12);
      },
    ),
    { numRuns: 300 },
  );
  for (const part of ['exif:', 'a:b="', '<Container:Item ', 'a'.repeat(25), '>        '])
    assertLinear(part, part.repeat(MAX_XMP_BYTES / part.length), xmpFacts);
});
/** As much as is read of a file next to a photo. */
const MAX_XMP_BYTES = 256 * 1024;

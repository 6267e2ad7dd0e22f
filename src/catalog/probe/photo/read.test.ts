/** Headers of pictures: size, orientation, time, camera, place; and files that lie, which are read within limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ExifReader from 'exifreader';
import fc from 'fast-check';
import sharp from 'sharp';
import { createHead, readHeader } from '../read.ts';
import {
  box,
  cr3File,
  exifOf,
  heicFile,
  jpegWith,
  motionXmp,
  quarters,
  rawFile,
  type CameraFacts,
} from '../testing/pictures.ts';
import type { MediaInfo } from '../types.ts';
import { offsetByGps } from './read.ts';
import { xmpFacts } from './xmp.ts';

const head = createHead();

/** Reads a file in memory. Fails if the reading costs more than its limits. */
function reading(bytes: Buffer, size = bytes.length): MediaInfo | undefined {
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
  return 'info' in found ? found.info : undefined;
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

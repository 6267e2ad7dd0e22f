/**
 * Reads the header of a picture: its size, how it is turned, when and with what it was taken.
 *
 * Facts of the camera may be damaged or missing; a picture is read if its size is known.
 */
import type { ByteSource } from '../../../lib/media/source.ts';
import { uncertain } from '../../../lib/media/source.ts';
import { bareStream } from '../shape.ts';
import type { Capture, MediaInfo } from '../types.ts';
import { gif, png, webp } from './chunks.ts';
import { exifFacts } from './exif.ts';
import { cr3, heif } from './heif.ts';
import { jpeg } from './jpeg.ts';
import { tiff } from './tiff.ts';
import type { ExifFacts, PictureParts } from './types.ts';
import { xmpFacts, type XmpFacts } from './xmp.ts';

type Reader = (source: ByteSource) => PictureParts;

const FUJI = 'FUJIFILMCCD-RAW';
const FUJI_JPEG = 84;
const HEIC_BRANDS = /^(?:heic|heix|heim|heis|hevc|hevx)$/;
const AVIF_BRANDS = /^(?:avif|avis)$/;
const MAX_SIDE = 100_000;

/** Returns the reader of a picture, chosen by its first bytes; undefined for any other file. */
export function pictureReader(head: Buffer): Reader | undefined {
  if (head.length < 12) return undefined;
  const text = (from: number, to: number) => head.toString('latin1', from, to);
  if (text(0, 3) === '\xff\xd8\xff') return (source) => jpeg(source);
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return png;
  if (/^GIF8[79]a$/.test(text(0, 6))) return gif;
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return webp;
  if (text(0, FUJI.length) === FUJI) return fuji;
  if (/^(?:II\*\0|MM\0\*)$/s.test(text(0, 4))) return (source) => tiff(source, text(8, 10) === 'CR');
  // Olympus and Panasonic use other magic numbers.
  if (/^II(?:RO|RS|U\0)$/s.test(text(0, 4))) return (source) => tiff(source, true);
  return text(4, 8) === 'ftyp' ? boxReader(head) : undefined;
}

function boxReader(head: Buffer): Reader | undefined {
  const end = Math.min(head.readUInt32BE(0), head.length, 256);
  const brands = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  const [major] = brands;
  if (major === 'crx ') return cr3;
  const isPicture = major === 'mif1' || major === 'msf1';
  const has = (of: RegExp) => of.test(major ?? '') || (isPicture && brands.some((brand) => of.test(brand)));
  if (has(AVIF_BRANDS)) return (source) => heif(source, 'avif');
  return has(HEIC_BRANDS) ? (source) => heif(source, 'heic') : undefined;
}

/** Fujifilm's raw files have the address of a full JPEG file, with its EXIF, in their header. */
function fuji(source: ByteSource): PictureParts {
  const place = source.at(FUJI_JPEG, 8);
  const preview = { at: place.readUInt32BE(0), size: place.readUInt32BE(4) };
  if (preview.at + preview.size > source.size) uncertain('a raw file without a preview');
  return { ...jpeg(source, preview.at), container: 'raw', preview };
}

export function picture(source: ByteSource, reader: Reader): MediaInfo {
  const { container, width, height, exif, xmp, isTurned = false, preview } = reader(source);
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) uncertain('a picture without a size');
  const facts = exifFacts(source, exif);
  const more = xmp === undefined ? {} : xmpFacts(xmp);
  const motion = motionIn(source, more);
  const capture: Capture = {
    ...timeOf(facts, more),
    ...cameraOf(facts),
    ...(!isTurned && orientationOf(facts.orientation ?? more.orientation)),
    ...(motion && { motion }),
    ...(container === 'raw' && { isRaw: true as const }),
    ...(preview && { preview }),
  };
  const stream = { ...bareStream(0, 'video', container), width, height };
  return { container, size: source.size, streams: [stream], chapters: [], tags: {}, capture };
}

const orientationOf = (orientation: number | undefined): Pick<Capture, 'orientation'> =>
  orientation === undefined || orientation === 1 ? {} : { orientation };

function cameraOf({ make, model, lens, exposure, aperture, iso, focalLength, pair, place }: ExifFacts): Capture {
  const camera =
    make === undefined || model?.toLowerCase().startsWith(make.split(' ')[0]?.toLowerCase() ?? '')
      ? model
      : [make, model].filter((word) => word !== undefined).join(' ');
  const all = { camera, lens, exposure, aperture, iso, focalLength, pair, place };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The time of the shutter, then of writing; the packet of other programs comes last. */
function timeOf(facts: ExifFacts, xmp: XmpFacts): Pick<Capture, 'takenAt' | 'offset'> {
  const takenAt = facts.original ?? facts.created ?? xmp.takenAt;
  if (takenAt === undefined) return {};
  const isOwn = facts.original !== undefined || facts.created !== undefined;
  const offset =
    (facts.original === undefined ? undefined : facts.originalOffset) ??
    (isOwn ? offsetByGps(takenAt, facts.gpsTime) : xmp.offset);
  return { takenAt, ...(offset !== undefined && { offset }) };
}

const QUARTER_MS = 15 * 60_000;
/** The satellites' time may be that of the last fix, some minutes before the picture. */
const MAX_STALE_MS = 5 * 60_000;
const MAX_OFFSET_MS = 14 * 3_600_000;

/** Returns the offset of a local time from the UTC of the satellites, in quarters of an hour. */
export function offsetByGps(local: string, gpsTime: string | undefined): string | undefined {
  if (gpsTime === undefined) return undefined;
  const difference = Date.parse(`${local}Z`) - Date.parse(`${gpsTime}Z`);
  const rounded = Math.round(difference / QUARTER_MS) * QUARTER_MS;
  if (Math.abs(difference - rounded) > MAX_STALE_MS || Math.abs(rounded) > MAX_OFFSET_MS) return undefined;
  const minutes = Math.abs(rounded) / 60_000;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${rounded < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns the video at the end of the file, if there is one. */
function motionIn(source: ByteSource, { motionBytes }: XmpFacts): Capture['motion'] {
  if (motionBytes === undefined || motionBytes >= source.size) return undefined;
  const at = source.size - motionBytes;
  return source.upTo(at + 4, 4).toString('latin1') === 'ftyp' ? { at, size: motionBytes } : undefined;
}

/** Reads what a camera wrote about a picture: EXIF 2.32 (CIPA DC-008), and the identifier of Apple's live photos. */
import type { ByteSource } from '../../../lib/media/source.ts';
import { Uncertain } from '../../../lib/media/source.ts';
import { openTiff, type Tiff, type TiffDirectory } from './tiff.ts';
import type { ExifFacts, TiffBlock } from './types.ts';

const EXIF_DIRECTORY = 0x8769;
const GPS_DIRECTORY = 0x8825;
const NOTES = 0x927c;
const APPLE = 'Apple iOS\0';
/** Offset of the directory in Apple's notes. */
const APPLE_FIRST = 14;
const APPLE_PAIR = 0x11;
const MAX_BLOCKS = 8;

/** Returns the facts of all blocks. A block that cannot be read has none; the picture is still shown. */
export function exifFacts(source: ByteSource, blocks: readonly TiffBlock[]): ExifFacts {
  const facts: ExifFacts = {};
  for (const block of blocks.slice(0, MAX_BLOCKS)) {
    try {
      readBlock(source, block, facts);
    } catch (error) {
      if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
    }
  }
  return facts;
}

function readBlock(source: ByteSource, block: TiffBlock, facts: ExifFacts): void {
  const tiff = openTiff(source, block);
  const first = tiff.directory(tiff.first);
  if (!first) return;
  const { entries } = first;
  // The blocks of CR3 have the tags of each directory in their first one.
  fill(facts, { ...mainFacts(tiff, entries), ...photoFacts(tiff, entries), ...gpsFacts(tiff, entries) });
  const exif = tiff.directory(tiff.number(entries.get(EXIF_DIRECTORY)) ?? 0)?.entries;
  if (exif) {
    fill(facts, photoFacts(tiff, exif));
    const notes = exif.get(NOTES);
    if (notes) fill(facts, appleFacts(source, { at: notes.at, size: notes.count }));
  }
  const gps = tiff.directory(tiff.number(entries.get(GPS_DIRECTORY)) ?? 0)?.entries;
  if (gps) fill(facts, gpsFacts(tiff, gps));
}

/** Sets what is not known yet. */
function fill(facts: ExifFacts, found: ExifFacts): void {
  for (const [name, value] of Object.entries(found))
    if (value !== undefined) (facts as Record<string, unknown>)[name] ??= value;
}

type Found = { [K in keyof ExifFacts]: ExifFacts[K] | undefined };
const defined = (found: Found): ExifFacts => found as ExifFacts;

const mainFacts = (tiff: Tiff, tags: TiffDirectory): ExifFacts => {
  const orientation = tiff.number(tags.get(0x112));
  return defined({
    make: tiff.text(tags.get(0x10f)),
    model: tiff.text(tags.get(0x110)),
    orientation: orientation !== undefined && orientation >= 1 && orientation <= 8 ? orientation : undefined,
  });
};

const photoFacts = (tiff: Tiff, tags: TiffDirectory): ExifFacts =>
  defined({
    original: dateTime(tiff.text(tags.get(0x9003))),
    created: dateTime(tiff.text(tags.get(0x9004))),
    originalOffset: offsetText(tiff.text(tags.get(0x9011))),
    exposure: positive(tiff.number(tags.get(0x829a)), 100_000),
    aperture: positive(tiff.number(tags.get(0x829d)), 1_000),
    iso: positive(tiff.number(tags.get(0x8827)), 10_000_000),
    focalLength: positive(tiff.number(tags.get(0x920a)), 100_000),
    lens: tiff.text(tags.get(0xa434)),
  });

const positive = (value: number | undefined, most: number): number | undefined =>
  value !== undefined && value > 0 && value <= most ? Number(value.toPrecision(6)) : undefined;

function gpsFacts(tiff: Tiff, tags: TiffDirectory): ExifFacts {
  const latitude = degrees(tiff.numbers(tags.get(2)), tiff.text(tags.get(1)), 90);
  const longitude = degrees(tiff.numbers(tags.get(4)), tiff.text(tags.get(3)), 180);
  const [hours, minutes, seconds] = tiff.numbers(tags.get(7));
  const day = tiff.text(tags.get(0x1d));
  const time = [hours, minutes, seconds].map((part) => String(Math.floor(part ?? Number.NaN)).padStart(2, '0'));
  return defined({
    place: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    gpsTime: day === undefined ? undefined : dateTime(`${day} ${time.join(':')}`),
  });
}

/** Returns decimal degrees; undefined without a direction, as in a directory of other tags with these numbers. */
function degrees(parts: readonly number[], direction: string | undefined, most: number): number | undefined {
  const isNegative = direction === 'S' || direction === 'W';
  if (parts.length < 2 || (!isNegative && direction !== 'N' && direction !== 'E')) return undefined;
  const [whole = 0, minutes = 0, seconds = 0] = parts;
  const value = whole + minutes / 60 + (Number.isFinite(seconds) ? seconds : 0) / 3600;
  if (!Number.isFinite(value) || value < 0 || value > most) return undefined;
  return Number((isNegative ? -value : value).toFixed(6));
}

function appleFacts(source: ByteSource, notes: TiffBlock): ExifFacts {
  if (source.upTo(notes.at, APPLE.length).toString('latin1') !== APPLE) return {};
  const tiff = openTiff(source, notes, { first: APPLE_FIRST });
  return defined({ pair: tiff.text(tiff.directory(APPLE_FIRST)?.entries.get(APPLE_PAIR)) });
}

const DATE_TIME = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/;

/** Returns a local time that can be: `2024-07-01T12:30:45`. Cameras without a clock write zeros. */
export function dateTime(text: string | undefined): string | undefined {
  const found = DATE_TIME.exec(text ?? '');
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second] = found;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const at = new Date(`${iso}Z`);
  const isReal = Number(year) >= 1826 && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso);
  return isReal ? iso : undefined;
}

/** Returns an offset from UTC: `+02:00`. */
export function offsetText(text: string | undefined): string | undefined {
  if (text === 'Z') return '+00:00';
  const found = /^([+-])(\d\d):?(\d\d)$/.exec(text ?? '');
  if (!found || Number(found[2]) > 14 || Number(found[3]) > 59) return undefined;
  return `${found[1]}${found[2]}:${found[3]}`;
}

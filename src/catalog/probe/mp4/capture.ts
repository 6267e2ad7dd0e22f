/** Reads how a camera took a clip: the free names that Apple and others write, and Android's place. */
import { boxes, childrenOf, type Mp4Box, payload } from '../../../lib/media/boxes.ts';
import type { ByteSource } from '../../../lib/media/source.ts';
import { dateTime, offsetText } from '../photo/exif.ts';
import type { Capture, GeoPoint } from '../types.ts';

const PREFIX = 'com.apple.quicktime.';
/** Seconds from 1904, from which a movie counts, to 1970. */
const FROM_1904 = 2_082_844_800;
/** Before there were such files; programs without a clock write the year 1904 or 1970. */
const FIRST_RECORDED = Date.UTC(1990, 0, 1);
const LAST_RECORDED = Date.UTC(2100, 0, 1);
const MAX_NAMES = 64;
const MAX_TEXT = 256;

/** Reads a `meta` box with free names. */
export function readCapture(source: ByteSource, box: Mp4Box, capture: Capture): void {
  const skip = box.size >= 8 && source.at(box.at + 4, 4).toString('latin1') === 'hdlr' ? 0 : 4;
  const children = new Map([...boxes(source, box.at + skip, box.at + box.size)].map((child) => [child.type, child]));
  const [keys, list] = [children.get('keys'), children.get('ilst')];
  if (!keys || !list) return;
  const names = namesOf(payload(source, keys));
  const found = new Map<string, string>();
  for (const item of childrenOf(source, list)) {
    const name = names[Buffer.from(item.type, 'latin1').readUInt32BE(0) - 1];
    if (name?.startsWith(PREFIX) !== true) continue;
    const data = [...childrenOf(source, item)].find(({ type }) => type === 'data');
    if (!data || data.size < 9 || data.size > MAX_TEXT) continue;
    const bytes = source.at(data.at, data.size);
    if (bytes.readUInt32BE(0) === 1) found.set(name.slice(PREFIX.length), bytes.toString('utf8', 8));
  }
  Object.assign(capture, captureOf(found));
}

function namesOf(keys: Buffer): string[] {
  const names: string[] = [];
  for (let at = 8; at + 8 <= keys.length && names.length < MAX_NAMES;) {
    const size = keys.readUInt32BE(at);
    if (size < 8) break;
    names.push(keys.toString('utf8', at + 8, Math.min(at + size, keys.length)));
    at += size;
  }
  return names;
}

/** Returns a time that a clip may have been recorded at; undefined for one that says nothing. */
const plausible = (ms: number): number | undefined => (ms >= FIRST_RECORDED && ms < LAST_RECORDED ? ms : undefined);

/** Reads the time in the header of a movie. */
export function recordedIn(header: Buffer): number | undefined {
  const seconds = header[0] === 1 ? header.readUInt32BE(4) * 2 ** 32 + header.readUInt32BE(8) : header.readUInt32BE(4);
  return plausible((seconds - FROM_1904) * 1000);
}

/** Returns how a camera took a clip, by the tags of the file as ffprobe names them. */
export function captureFromTags(tags: ReadonlyMap<string, string>): Capture {
  const named = [...tags].filter(([name, text]) => name.startsWith(PREFIX) && text.length <= MAX_TEXT);
  const capture = captureOf(new Map(named.map(([name, text]) => [name.slice(PREFIX.length), text])));
  const place = placeOf(tags.get('location'));
  const recorded = plausible(Date.parse(tags.get('creation_time') ?? ''));
  return { ...(place && { place }), ...capture, ...(recorded !== undefined && { recorded }) };
}

function captureOf(found: ReadonlyMap<string, string>): Capture {
  const time = found.get('creationdate');
  const takenAt = dateTime(time);
  const offset = takenAt === undefined ? undefined : offsetText(/(?:Z|[+-]\d\d:?\d\d)$/.exec(time ?? '')?.[0]);
  const place = placeOf(found.get('location.ISO6709'));
  const pair = found.get('content.identifier');
  const camera = found.get('model');
  return {
    ...(takenAt !== undefined && { takenAt }),
    ...(offset !== undefined && { offset }),
    ...(place && { place }),
    ...(pair !== undefined && { pair }),
    ...(camera !== undefined && { camera }),
  };
}

/** Reads Android's `©xyz`: length, language, place. */
export function readPlace(source: ByteSource, box: Mp4Box, capture: Capture): void {
  if (box.size < 5 || box.size > MAX_TEXT) return;
  const place = placeOf(payload(source, box).toString('latin1', 4));
  if (place) capture.place ??= place;
}

/** Reads decimal degrees of ISO 6709: `+48.1333+011.5667+519.000/`. */
function placeOf(text: string | undefined): GeoPoint | undefined {
  const found = /^([+-]\d{2}(?:\.\d{1,8})?)([+-]\d{3}(?:\.\d{1,8})?)/.exec(text ?? '');
  const [latitude, longitude] = [Number(found?.[1]), Number(found?.[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

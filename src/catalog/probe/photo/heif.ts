/**
 * Reads pictures in boxes: HEIC and AVIF (ISO/IEC 23008-12), and Canon's CR3, a movie file that holds pictures.
 */
import { boxes, childrenOf, type Mp4Box, payload } from '../../../lib/media/boxes.ts';
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { largestOf } from './tiff.ts';
import { type PictureParts, type TiffBlock, xmpText } from './types.ts';

const MAX_ITEMS = 2_000;
const MAX_TABLE = 256 * 1024;

/** Reads the table of items. `container` is what the file's brands say. */
export function heif(source: ByteSource, container: 'heic' | 'avif'): PictureParts {
  const meta = [...boxes(source, 0, source.size)].find(({ type }) => type === 'meta');
  if (!meta) return uncertain('no table of pictures');
  const parts = new Map([...childrenOf(source, meta, 4)].map((box) => [box.type, box]));
  const of = (type: string): Mp4Box => parts.get(type) ?? uncertain(`no ${type} box`);
  const primary = idOf(payload(source, of('pitm')));
  const size = sizeOf(source, of('iprp'), primary);
  const items = itemsOf(source, of('iinf'));
  const iloc = parts.get('iloc');
  const places = iloc === undefined ? new Map<number, TiffBlock>() : placesOf(payload(source, iloc, MAX_TABLE));
  const exif: TiffBlock[] = [];
  let xmp: string | undefined;
  for (const { id, type } of items) {
    const place = places.get(id);
    if (!place || place.size < 8) continue;
    if (type === 'Exif') {
      const skip = 4 + source.at(place.at, 4).readUInt32BE(0);
      if (skip < place.size) exif.push({ at: place.at + skip, size: place.size - skip });
    } else if (type === 'mime') xmp ??= xmpText(source, place.at, place.size);
  }
  return { container, ...size, exif, xmp, isTurned: true };
}

const idOf = (pitm: Buffer): number => (pitm[0] === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4));

function itemsOf(source: ByteSource, iinf: Mp4Box): { id: number; type: string }[] {
  const isShort = source.at(iinf.at, 1)[0] === 0;
  const found: { id: number; type: string }[] = [];
  for (const infe of childrenOf(source, iinf, isShort ? 6 : 8)) {
    if (infe.type !== 'infe' || infe.size < 12) continue;
    if (found.length >= MAX_ITEMS) uncertain('too many pictures');
    const head = source.at(infe.at, Math.min(infe.size, 14));
    const version = head[0] ?? 0;
    if (version === 2) found.push({ id: head.readUInt16BE(4), type: head.toString('latin1', 8, 12) });
    else if (version === 3) found.push({ id: head.readUInt32BE(4), type: head.toString('latin1', 10, 14) });
  }
  return found;
}

/** Returns where each item is that lies in one piece in the file. */
function placesOf(iloc: Buffer): Map<number, TiffBlock> {
  const version = iloc[0] ?? 0;
  const [first, second] = [iloc[4] ?? 0, iloc[5] ?? 0];
  const [offsetSize, lengthSize, baseSize] = [first >> 4, first & 15, second >> 4];
  const indexSize = version === 0 ? 0 : second & 15;
  let at = 6;
  const take = (size: number): number => {
    if (size === 0) return 0;
    const value = size === 8 ? Number(iloc.readBigUInt64BE(at)) : iloc.readUIntBE(at, size);
    at += size;
    return value;
  };
  const idSize = version < 2 ? 2 : 4;
  const count = take(idSize);
  const places = new Map<number, TiffBlock>();
  for (let i = 0; i < Math.min(count, MAX_ITEMS); i++) {
    const id = take(idSize);
    const method = version === 0 ? 0 : take(2) & 15;
    take(2);
    const base = take(baseSize);
    const extents = take(2);
    if (extents !== 1) {
      // Passed over at once: parts of no bytes would cost time and no space.
      at += extents * (indexSize + offsetSize + lengthSize);
      continue;
    }
    take(indexSize);
    const [offset, size] = [take(offsetSize), take(lengthSize)];
    if (method === 0) places.set(id, { at: base + offset, size });
  }
  return places;
}

/** Returns the size of an item as it is shown: turned by its own properties. */
function sizeOf(source: ByteSource, iprp: Mp4Box, item: number): { width: number; height: number } {
  const children = [...childrenOf(source, iprp)];
  const ipco = children.find(({ type }) => type === 'ipco') ?? uncertain('no properties');
  const properties = [...childrenOf(source, ipco)];
  let size: { width: number; height: number } | undefined;
  let isSideways = false;
  for (const ipma of children.filter(({ type }) => type === 'ipma'))
    for (const index of propertiesOf(payload(source, ipma, MAX_TABLE), item)) {
      const property = properties[index - 1];
      if (property?.type === 'ispe') {
        const bytes = payload(source, property);
        size = { width: bytes.readUInt32BE(4), height: bytes.readUInt32BE(8) };
      } else if (property?.type === 'irot') isSideways = ((payload(source, property)[0] ?? 0) & 1) === 1;
    }
  if (!size) return uncertain('a picture without a size');
  return isSideways ? { width: size.height, height: size.width } : size;
}

/** Returns the numbers of an item's properties, from 1. */
function propertiesOf(ipma: Buffer, item: number): number[] {
  const isLong = (ipma[0] ?? 0) > 0;
  const isWide = ((ipma[3] ?? 0) & 1) === 1;
  const count = Math.min(ipma.readUInt32BE(4), MAX_ITEMS);
  let at = 8;
  for (let i = 0; i < count; i++) {
    const id = isLong ? ipma.readUInt32BE(at) : ipma.readUInt16BE(at);
    at += isLong ? 4 : 2;
    const own = ipma[at++] ?? 0;
    if (id === item)
      return Array.from({ length: own }, (_, j) =>
        isWide ? ipma.readUInt16BE(at + j * 2) & 0x7fff : (ipma[at + j] ?? 0) & 0x7f,
      );
    at += own * (isWide ? 2 : 1);
  }
  return [];
}

const CANON = '85c0b687820f11e08111f4ce462b6a48';
const CANON_PREVIEW = 'eaf42b5e1c984b88b9fbb7dc406e4d16';

/** Reads a CR3 file: EXIF in boxes of the movie, a preview next to it, the full picture as the first track's sample. */
export function cr3(source: ByteSource): PictureParts {
  const exif: TiffBlock[] = [];
  const previews: TiffBlock[] = [];
  for (const box of boxes(source, 0, source.size)) {
    if (box.type === 'moov') {
      for (const child of childrenOf(source, box)) {
        if (child.type === 'trak') previews.push(...firstSample(source, child));
        else if (child.type === 'uuid' && uuidOf(source, child) === CANON)
          for (const { type, at, size } of childrenOf(source, child, 16))
            if (/^CMT[124]$/.test(type)) exif.push({ at, size });
      }
    } else if (box.type === 'uuid' && uuidOf(source, box) === CANON_PREVIEW) {
      for (const { type, at, size } of childrenOf(source, box, 24))
        if (type === 'PRVW' && size > 16) previews.push({ at: at + 16, size: size - 16 });
    }
  }
  const best = largestOf(source, previews);
  if (!best) return uncertain('a raw file without a preview');
  const { place: preview, width, height } = best;
  return { container: 'raw', width, height, exif, preview };
}

const uuidOf = (source: ByteSource, { at }: Mp4Box): string => source.at(at, 16).toString('hex');

/** Returns where the first sample of a track is. */
function firstSample(source: ByteSource, trak: Mp4Box): TiffBlock[] {
  let within: Mp4Box | undefined = trak;
  for (const type of ['mdia', 'minf', 'stbl'])
    within = within && [...childrenOf(source, within)].find((box) => box.type === type);
  if (!within) return [];
  const tables = new Map([...childrenOf(source, within)].map((box) => [box.type, box]));
  const [sizes, short, long] = ['stsz', 'stco', 'co64'].map((type) => tables.get(type));
  if (!sizes || sizes.size < 12) return [];
  const head = source.at(sizes.at, Math.min(sizes.size, 16));
  const size = head.readUInt32BE(4) || (head.length >= 16 ? head.readUInt32BE(12) : 0);
  if (long && long.size >= 16) return [{ at: Number(source.at(long.at + 8, 8).readBigUInt64BE(0)), size }];
  return short && short.size >= 12 ? [{ at: source.at(short.at + 8, 4).readUInt32BE(0), size }] : [];
}

/**
 * Reads the tags of an MP4 file with one track of sound, without the pictures in them and the tables of samples, in a
 * fraction of the time that the tag library takes. The result has the members of the library's that are used here; what
 * the header of the file says is read elsewhere (`probe/mp4`).
 *
 * Promise: what it returns is what the library would return. It leaves to the library all files that are out of the
 * ordinary: chapters, several tracks, fragments, boxes or values of other forms.
 */
import type { IAudioMetadata } from 'music-metadata';
import { childrenOf, type Mp4Box } from '../../../lib/media/boxes.ts';
import { Uncertain } from '../../../lib/media/source.ts';
import type { FileBlocks } from './blocks.ts';
import { commonOf, type CommonNames, type Tag } from './common-tags.ts';
import type { QuickReading } from './flac.ts';

const MAX_TEXT_BYTES = 1024 * 1024;
/** Boxes by the one that contains them; the library reads files with others. Most of these say nothing that is used. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  file: ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide'],
  moov: ['mvhd', 'trak', 'udta', 'iods', 'free'],
  trak: ['tkhd', 'edts', 'mdia'],
  mdia: ['mdhd', 'hdlr', 'minf'],
  minf: ['smhd', 'dinf', 'stbl'],
  stbl: ['stsd', 'stts', 'stsc', 'stsz', 'stco', 'co64', 'sgpd', 'sbgp'],
  udta: ['meta', 'free', 'Xtra'],
  meta: ['hdlr', 'ilst', 'free'],
};
/** Tables of samples: bytes before the entries, of which the last four are their number, and bytes of an entry. */
const TABLES: Readonly<Record<string, readonly [head: number, entry: number]>> = {
  stts: [8, 8],
  stsc: [8, 12],
  stsz: [12, 4],
  stco: [8, 4],
  co64: [8, 8],
};
/** Bytes that other boxes have at least, as far as the library reads them. */
const MIN_BYTES: Readonly<Record<string, number>> = { mvhd: 100, tkhd: 84, mdhd: 24, stsd: 44 };
/** The library reads a name in the handler of a track, and in no other one. */
const MIN_HANDLER_BYTES = 28;
const UNKNOWN_DURATION = 0xffff_ffff;

/** Codes of four letters that the library accepts. */
const CODE = /^[\x21-\x7e©][\x20-\x7e\0]{3}$/;

/** Types of values (QuickTime File Format, "Well-known types"). 18 is a text in some audiobooks. */
const TYPE = { none: 0, text: 1, alsoText: 18, jpeg: 13, png: 14, signed: 21, unsigned: 22 } as const;
const FREE_NAME = '----';
const NUMBERS: readonly string[] = ['trkn', 'disk'];
/** Items whose values are one byte, 0 or 1, or a number that is not used. */
const INTEGERS: readonly string[] = ['cpil', 'pgap', 'tmpo', 'stik', 'hdvd', 'rtng', 'tves', 'tvsn'];
/** Items that only the library reads. */
const LEFT: readonly string[] = ['gnre', 'rate', '©mvn', '©mvi', '©mvc', 'shwm', 'pcst'];

/** Items by the names of the library. */
const NAMES: CommonNames = {
  single: {
    '©NAM': 'title',
    '©ALB': 'album',
    '©DAY': 'date',
    '----:COM.APPLE.ITUNES:RELEASEDATE': 'releasedate',
    '----:COM.APPLE.ITUNES:LANGUAGE': 'language',
    '----:COM.APPLE.ITUNES:DISCSUBTITLE': 'discsubtitle',
    '----:COM.APPLE.ITUNES:MUSICBRAINZ TRACK ID': 'musicbrainz_recordingid',
    '----:COM.APPLE.ITUNES:MUSICBRAINZ ALBUM ID': 'musicbrainz_albumid',
    '----:COM.APPLE.ITUNES:MUSICBRAINZ RELEASE GROUP ID': 'musicbrainz_releasegroupid',
  },
  several: {
    '©ART': 'artists',
    AART: 'albumartists',
    '----:COM.APPLE.ITUNES:BAND': 'albumartists',
    '©GEN': 'genre',
    '©WRT': 'composer',
    '----:COM.APPLE.ITUNES:LABEL': 'label',
  },
  numbers: { TRKN: 'track', DISK: 'disk' },
  compilation: 'CPIL',
  lyrics: ['©LYR'],
};

/** Facts of the track. */
interface Track {
  sampleRate: number;
  duration: number;
}

/** Returns undefined if the library has to read the file. */
export function readMp4(blocks: FileBlocks): QuickReading | undefined {
  if (blocks.upTo(4, 4).toString('latin1') !== 'ftyp') return undefined;
  try {
    const all = inside(blocks, 'file', { type: 'file', at: 0, size: blocks.size });
    const [moov, brand] = [only(all, 'moov'), only(all, 'ftyp')];
    const parts = moov && brand && brand.size >= 8 && brand.size % 4 === 0 ? inside(blocks, 'moov', moov) : undefined;
    const trak = only(parts, 'trak');
    const track = trak && readTrack(blocks, trak);
    const items = track && itemsOf(blocks, parts ?? []);
    if (!items) return undefined;
    const native = { ...(items.length > 0 && { iTunes: items }) };
    const format = { hasVideo: false, ...track } as unknown as IAudioMetadata['format'];
    return { metadata: { common: commonOf(items, NAMES), native, format } };
  } catch (error) {
    if (error instanceof Uncertain) return undefined;
    throw error;
  }
}

/** Returns the only box of a type; undefined if there is none or are several. */
function only(found: readonly Mp4Box[] | undefined, type: string): Mp4Box | undefined {
  const [first, ...others] = found?.filter((box) => box.type === type) ?? [];
  return others.length > 0 ? undefined : first;
}

/** Returns the boxes inside another one, from byte `skip`; undefined unless they fill it and are known and complete. */
function inside(blocks: FileBlocks, name: string, parent: Mp4Box, skip = 0): Mp4Box[] | undefined {
  const found = [...childrenOf(blocks, parent, skip)];
  const last = found.at(-1);
  if ((last ? last.at + last.size : parent.at + skip) !== parent.at + parent.size) return undefined;
  const isKnown = ({ type }: Mp4Box): boolean => KNOWN[name]?.includes(type) ?? true;
  return found.every((box) => isKnown(box) && isComplete(blocks, box)) ? found : undefined;
}

function isComplete(blocks: FileBlocks, { type, at, size }: Mp4Box): boolean {
  const table = TABLES[type];
  if (!table) return size >= (MIN_BYTES[type] ?? 0);
  const [head, entry] = table;
  const bytes = blocks.upTo(at, head);
  if (bytes.length < head) return false;
  const count = bytes.readUInt32BE(head - 4);
  // All samples of the same size have no table.
  const isUniform = type === 'stsz' && bytes.readUInt32BE(4) !== 0;
  return size === head + (isUniform ? 0 : count * entry);
}

function readTrack(blocks: FileBlocks, trak: Mp4Box): Track | undefined {
  const own = inside(blocks, 'trak', trak);
  const media = only(own, 'mdia');
  const within = media && inside(blocks, 'mdia', media);
  const [mdhd, hdlr, minf] = ['mdhd', 'hdlr', 'minf'].map((type) => only(within, type));
  const stbl = minf && only(inside(blocks, 'minf', minf), 'stbl');
  const stsd = stbl && only(inside(blocks, 'stbl', stbl), 'stsd');
  if (!only(own, 'tkhd') || !mdhd || !hdlr || hdlr.size < MIN_HANDLER_BYTES || !stsd) return undefined;
  const header = blocks.upTo(mdhd.at, 24);
  const entry = blocks.upTo(stsd.at, 44);
  const isSound = blocks.upTo(hdlr.at + 8, 4).toString('latin1') === 'soun';
  const [scale, length] = [header.readUInt32BE(12), header.readUInt32BE(16)];
  // One description, of version 0 or 1, that fits its box.
  const isPlain =
    entry.readUInt32BE(4) === 1 &&
    entry.readUInt32BE(8) === stsd.size - 8 &&
    CODE.test(entry.toString('latin1', 12, 16)) &&
    entry.readUInt16BE(24) <= 1;
  if (!isSound || header[0] !== 0 || scale === 0 || length === 0 || length === UNKNOWN_DURATION || !isPlain)
    return undefined;
  return { sampleRate: entry.readUInt16BE(40) + entry.readUInt16BE(42) / 10_000, duration: length / scale };
}

/** Returns the tags of the movie; undefined if the library has to read them. */
function itemsOf(blocks: FileBlocks, parts: readonly Mp4Box[]): Tag[] | undefined {
  const udta = parts.filter(({ type }) => type === 'udta');
  if (udta.length === 0) return [];
  const [first] = udta;
  const own = udta.length === 1 && first ? inside(blocks, 'udta', first) : undefined;
  const metas = own?.filter(({ type }) => type === 'meta');
  if (!metas || metas.length > 1) return undefined;
  const [meta] = metas;
  if (!meta) return [];
  // A version comes before the boxes.
  const start = blocks.upTo(meta.at, 12);
  if (start.length < 12 || start.readUInt32BE(0) !== 0 || start.toString('latin1', 8, 12) !== 'hdlr') return undefined;
  const lists = inside(blocks, 'meta', meta, 4)?.filter(({ type }) => type === 'ilst');
  if (!lists || lists.length > 1) return undefined;
  const [list] = lists;
  const items: Tag[] = [];
  for (const box of list ? (inside(blocks, 'ilst', list) ?? [undefined]) : [])
    if (!box || !readItem(blocks, box, items)) return undefined;
  return items;
}

/** Adds the values of an item. Returns false if the library has to read it. */
function readItem(blocks: FileBlocks, box: Mp4Box, items: Tag[]): boolean {
  if (LEFT.includes(box.type) || !CODE.test(box.type)) return false;
  const parts = inside(blocks, 'item', box);
  if (!parts) return false;
  let id = box.type;
  for (const { type, at, size } of parts) {
    if ((type === 'mean' || type === 'name') && box.type === FREE_NAME && size >= 4 && size <= MAX_TEXT_BYTES)
      id += `:${blocks.upTo(at + 4, size - 4).toString('utf8')}`;
    else if (type !== 'data' || size < 8 || id.includes('\uFEFF')) return false;
    else {
      const kind = blocks.upTo(at, 4).readUInt32BE(0);
      const value = valueOf(blocks, { id, kind, at: at + 8, size: size - 8 });
      if (value === undefined) return false;
      if (value !== null) items.push({ id, value });
    }
  }
  return true;
}

/** Returns null for a value that the library leaves out, and undefined for one that it has to read. */
function valueOf(
  blocks: FileBlocks,
  { id, kind, at, size }: { id: string; kind: number; at: number; size: number },
): Tag['value'] | null | undefined {
  if (id === 'covr') return ([TYPE.none, TYPE.jpeg, TYPE.png] as readonly number[]).includes(kind) ? null : undefined;
  if (NUMBERS.includes(id)) {
    if (kind !== TYPE.none || size < 6) return undefined;
    const bytes = blocks.upTo(at, 6);
    return `${bytes[3]}/${bytes[5]}`;
  }
  if (kind === TYPE.text || kind === TYPE.alsoText) {
    const text = size <= MAX_TEXT_BYTES ? blocks.upTo(at, size).toString('utf8') : '\uFEFF';
    return text.startsWith('\uFEFF') ? undefined : text;
  }
  if ((kind !== TYPE.signed && kind !== TYPE.unsigned) || !INTEGERS.includes(id) || size < 1 || size > 4)
    return undefined;
  const bytes = blocks.upTo(at, size);
  return kind === TYPE.signed ? bytes.readIntBE(0, size) : bytes.readUIntBE(0, size);
}

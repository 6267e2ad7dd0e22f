/**
 * Reads the comments and the stream of an Ogg file with one stream of Opus or Vorbis: its first pages and its last one,
 * which says where the sound ends. The result has the members of the tag library's that are used here.
 *
 * The library reads a file to its end to find its length, or does not find it; without the length a process of ffprobe
 * would have to be started for each track.
 *
 * Promise: what it returns is what the library returns after it has read the whole file, but for the bit rate of Opus,
 * which is that of the sound. It leaves to the library all files that are out of the ordinary: several streams, other
 * codecs, sound cut off at the end.
 */
import type { IAudioMetadata } from 'music-metadata';
import type { FileBlocks } from './blocks.ts';
import { type QuickReading, vorbisTags } from './flac.ts';

const HEADER_BYTES = 27;
const MAX_PAGE_BYTES = HEADER_BYTES + 255 + 255 * 255;
/** Bytes at the end of a file in which the last page is looked for first. Most pages have some kilobytes. */
const TAIL_BYTES = 16 * 1024;
/** Comments of a file without pictures in them have some kilobytes, or some hundred with lyrics or a small picture. */
const MAX_COMMENT_BYTES = 1024 * 1024;
const FLAG = { continued: 1, first: 2, last: 4 } as const;
/** A position that belongs to no packet. */
const NO_GRANULE = 0xffff_ffff_ffff_ffffn;
/** More samples are four hundred hours of sound, or a damaged number. */
const MAX_SAMPLES = 2 ** 36;
const OPUS_RATE = 48_000;

interface Page {
  flags: number;
  granule: bigint;
  serial: number;
  /** Offset and length of the content. */
  at: number;
  length: number;
}

/** Facts from the first packet, and the place of the comments in the second one. */
interface Codec {
  name: 'Opus' | 'Vorbis I';
  channels: number;
  sampleRate: number;
  /** Samples a second that positions count, and how many of them are before the music. */
  clock: number;
  preSkip: number;
  bitrate?: number;
  commentsAt: number;
  /** Text at the start of the second packet. */
  mark: string;
}

/** Returns undefined if the library has to read the file. */
export function readOgg(blocks: FileBlocks): QuickReading | undefined {
  const first = pageAt(blocks, 0);
  if (first?.flags !== FLAG.first) return undefined;
  const codec = codecOf(blocks.upTo(first.at, first.length));
  const second = codec && secondPacket(blocks, first);
  if (!second || second.bytes.toString('latin1', 0, codec.commentsAt) !== codec.mark) return undefined;
  const tags = vorbisTags(second.bytes.subarray(codec.commentsAt));
  const last = tags && lastPage(blocks, first.serial, second.end);
  if (!last) return undefined;
  const samples = Number(last.granule) - codec.preSkip;
  if (samples <= 0 || samples > MAX_SAMPLES) return undefined;
  const duration = samples / codec.clock;
  const { common, native, hasPicture } = tags;
  const format = {
    container: 'Ogg',
    codec: codec.name,
    numberOfChannels: codec.channels,
    sampleRate: codec.sampleRate,
    duration,
    bitrate: codec.bitrate ?? (8 * (blocks.size - second.end)) / duration,
  } as IAudioMetadata['format'];
  return { container: 'ogg', metadata: { common, native, format }, hasPicture };
}

/** Returns the page at an offset if the file has all of it; undefined if there is none. */
function pageAt(blocks: FileBlocks, offset: number): Page | undefined {
  const header = blocks.upTo(offset, HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, 4) !== 'OggS' || header[4] !== 0) return undefined;
  const segments = header[26] ?? 0;
  const [flags = 0, granule, serial] = [header[5], header.readBigUInt64LE(6), header.readUInt32LE(14)];
  const table = blocks.upTo(offset + HEADER_BYTES, segments);
  const length = table.reduce((sum, bytes) => sum + bytes, 0);
  const at = offset + HEADER_BYTES + segments;
  return table.length < segments || at + length > blocks.size ? undefined : { flags, granule, serial, at, length };
}

/** Reads the packet that the first page consists of; undefined for other codecs (RFC 7845, Vorbis I §4.2.2). */
function codecOf(bytes: Buffer): Codec | undefined {
  if (bytes.toString('latin1', 0, 8) === 'OpusHead') {
    if (bytes.length < 19 || ((bytes[8] ?? 0) & 0xf0) !== 0) return undefined;
    return {
      name: 'Opus',
      channels: bytes[9] ?? 0,
      sampleRate: bytes.readUInt32LE(12),
      clock: OPUS_RATE,
      preSkip: bytes.readUInt16LE(10),
      commentsAt: 8,
      mark: 'OpusTags',
    };
  }
  if (bytes.toString('latin1', 0, 7) !== '\x01vorbis' || bytes.length < 30 || bytes.readUInt32LE(7) !== 0)
    return undefined;
  const sampleRate = bytes.readUInt32LE(12);
  return sampleRate === 0
    ? undefined
    : {
        name: 'Vorbis I',
        channels: bytes[11] ?? 0,
        sampleRate,
        clock: sampleRate,
        preSkip: 0,
        bitrate: bytes.readInt32LE(20),
        commentsAt: 7,
        mark: '\x03vorbis',
      };
}

/** Returns the content of the second page and of those that continue it, and the offset behind them. */
function secondPacket(blocks: FileBlocks, first: Page): { bytes: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  let end = first.at + first.length;
  for (let total = 0; end < blocks.size;) {
    const page = pageAt(blocks, end);
    if (page?.serial !== first.serial) return undefined;
    if (parts.length > 0 && (page.flags & FLAG.continued) === 0) break;
    if (page.flags !== (parts.length > 0 ? FLAG.continued : 0)) return undefined;
    if ((total += page.length) > MAX_COMMENT_BYTES) return undefined;
    parts.push(blocks.upTo(page.at, page.length));
    end = page.at + page.length;
  }
  return parts.length === 0 ? undefined : { bytes: Buffer.concat(parts), end };
}

/** Returns the page that a file ends with; undefined unless it is the last one of this stream. */
function lastPage(blocks: FileBlocks, serial: number, from: number): Page | undefined {
  for (const length of [TAIL_BYTES, MAX_PAGE_BYTES]) {
    const start = Math.max(from, blocks.size - length);
    const tail = blocks.upTo(start, blocks.size - start);
    for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
      const page = pageAt(blocks, start + at);
      if (!page || page.at + page.length !== blocks.size) continue;
      const isLast = (page.flags & FLAG.last) !== 0 && page.serial === serial;
      return isLast && page.granule !== NO_GRANULE ? page : undefined;
    }
  }
  return undefined;
}

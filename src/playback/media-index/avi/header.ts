/**
 * The header of an AVI file: its streams, how their time passes, and where indexes lie (AVI RIFF reference; OpenDML
 * 1.02).
 */
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { pictureFormat, soundFormat, type StreamFormat } from '../codec/formats.ts';
import { CLOCK } from '../stream/payload.ts';
import type { StreamPace } from '../types.ts';
import { type Chunk, chunksIn, listType } from './chunks.ts';

export interface AviStream extends Pick<StreamFormat, 'codec' | 'private' | 'channels'> {
  kind: 'video' | 'audio' | 'other';
  pace: StreamPace;
  /** Body of its index of indexes (OpenDML), where it has one. */
  indx: Chunk | undefined;
}

export interface AviHeader {
  streams: readonly AviStream[];
  /** Position of the first chunk of pictures and sound, and of the end of the first list of them. */
  first: number;
  end: number;
  /** The index of AVI 1.0, where there is one. */
  idx1: Chunk | undefined;
  /** More parts follow the first one. */
  hasMore: boolean;
}

const MAX_CHUNKS = 2000;
const MAX_STREAMS = 32;
const MAX_FORMAT = 64 * 1024;
/** Seconds that a stream may begin late. Other values are those of writers that mean something else. */
const MAX_START = 5000;
const [MIN_RATE, MAX_RATE] = [0.1, 1000];

export const isAvi = (source: ByteSource): boolean => {
  const head = source.upTo(0, 12);
  return head.length === 12 && head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'AVI ';
};

export function readAviHeader(source: ByteSource): AviHeader {
  let streams: readonly AviStream[] = [];
  for (const chunk of chunksIn(source, 12, source.size, MAX_CHUNKS)) {
    const type = chunk.id === 'LIST' ? listType(source, chunk) : chunk.id;
    if (type === 'hdrl') streams = streamsOf(source, chunk);
    if (type !== 'movi') continue;
    if (streams.length === 0) break;
    const end = Math.min(source.size, chunk.body + chunk.size);
    // A recorder that was ended leaves the size of the list at 0.
    const isWhole = chunk.size > 4;
    const behind = isWhole ? [...chunksIn(source, end + (end & 1), source.size, MAX_CHUNKS)] : [];
    return {
      streams,
      first: chunk.body + 4,
      end: isWhole ? end : source.size,
      idx1: behind.find(({ id }) => id === 'idx1'),
      hasMore: behind.some(({ id }) => id === 'RIFF'),
    };
  }
  return uncertain('AVI without pictures or sound');
}

function streamsOf(source: ByteSource, { body, size }: Chunk): AviStream[] {
  const streams: AviStream[] = [];
  for (const chunk of chunksIn(source, body + 4, Math.min(source.size, body + size), MAX_CHUNKS)) {
    if (chunk.id !== 'LIST' || listType(source, chunk) !== 'strl') continue;
    if (streams.push(streamAt(source, chunk)) > MAX_STREAMS) uncertain('too many AVI streams');
  }
  return streams;
}

const OTHER: AviStream = {
  kind: 'other',
  codec: 'unknown',
  pace: { ticks: 0, start: 0, bytes: 0, most: 0 },
  private: Buffer.alloc(0),
  channels: 0,
  indx: undefined,
};

function streamAt(source: ByteSource, { body, size }: Chunk): AviStream {
  const parts = new Map<string, Chunk>();
  for (const chunk of chunksIn(source, body + 4, Math.min(source.size, body + size), MAX_CHUNKS))
    if (!parts.has(chunk.id)) parts.set(chunk.id, chunk);
  const [header, format] = [parts.get('strh'), parts.get('strf')];
  if (header === undefined || format === undefined) return OTHER;
  const strh = source.at(header.body, Math.min(header.size, 48));
  const strf = Buffer.from(source.at(format.body, Math.min(format.size, MAX_FORMAT)));
  if (strh.length < 48) return OTHER;
  const type = strh.toString('latin1', 0, 4);
  const indx = parts.get('indx');
  if (type === 'vids') return videoStream(strh, pictureFormat(strf), indx);
  return type === 'auds' ? audioStream(strh, soundFormat(strf), indx) : OTHER;
}

/** Seconds of a unit. */
function unitOf(strh: Buffer): number {
  const [scale, rate] = [strh.readUInt32LE(20), strh.readUInt32LE(24)];
  return scale > 0 && rate > 0 ? scale / rate : uncertain('AVI without a rate');
}

function startOf(strh: Buffer, unit: number): number {
  const start = strh.readUInt32LE(28) * unit;
  return start <= MAX_START ? start * CLOCK : 0;
}

function videoStream(strh: Buffer, format: StreamFormat | undefined, indx: Chunk | undefined): AviStream {
  if (format === undefined) return OTHER;
  const unit = unitOf(strh);
  if (unit < 1 / MAX_RATE || unit > 1 / MIN_RATE) return uncertain('AVI with an unlikely rate');
  return {
    ...format,
    kind: 'video',
    pace: { ticks: unit * CLOCK, start: startOf(strh, unit), bytes: 0, most: 0 },
    indx,
  };
}

function audioStream(strh: Buffer, format: StreamFormat | undefined, indx: Chunk | undefined): AviStream {
  if (format === undefined) return OTHER;
  const unit = unitOf(strh);
  const size = strh.readUInt32LE(44);
  // If both are present and differ, the format is right.
  const bytes = size > 0 && format.align > 0 ? format.align : size;
  return {
    ...format,
    kind: 'audio',
    pace: { ticks: unit * CLOCK, start: startOf(strh, unit), bytes, most: bytes > 0 ? 0 : format.align },
    indx,
  };
}

/** Units that a chunk of so many bytes counts. */
export const chunkUnits = ({ bytes, most }: StreamPace, size: number): number =>
  bytes > 0 ? size / bytes : most > 0 ? Math.ceil(size / most) : 1;

/** Ticks at a count of units. */
export const ticksAt = ({ ticks, start }: StreamPace, count: number): number => start + count * ticks;

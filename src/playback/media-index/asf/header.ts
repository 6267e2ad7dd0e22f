/**
 * The header of an ASF file (Windows Media): its streams, and how its packets lie (Advanced Systems Format
 * specification, 3).
 */
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { pictureFormat, soundFormat, type StreamFormat } from '../codec/formats.ts';

export interface AsfStream extends StreamFormat {
  /** As the packets name it. */
  number: number;
  kind: 'video' | 'audio' | 'other';
  isSealed: boolean;
}

export interface AsfHeader {
  /** In the order of the file. */
  streams: readonly AsfStream[];
  /** Position of the first packet, size of each, and end of the last. */
  origin: number;
  stride: number;
  end: number;
  /** Milliseconds that all times are too late. */
  preroll: number;
}

/** Identifiers as they lie in the file. */
const IDS = {
  header: '3026b2758e66cf11a6d900aa0062ce6c',
  file: 'a1dcab8c47a9cf118ee400c00c205365',
  stream: '9107dcb7b7a9cf118ee600c00c205365',
  extension: 'b503bf5f2ea9cf118ee300c00c205365',
  extended: 'cba5e61472c632438399a96952065b5a',
  data: '3626b2758e66cf11a6d900aa0062ce6c',
  video: 'c0ef19bc4d5bcf11a8fd00805f5c442b',
  audio: '409e69f84d5bcf11a8fd00805f5c442b',
} as const;
const OBJECT_HEAD = 24;
const HEADER_HEAD = 30;
const DATA_HEAD = 50;
const EXTENSION_HEAD = 22;
const EXTENDED_HEAD = 64;
const MAX_HEADER = 16 * 1024 * 1024;
const MAX_OBJECTS = 2000;
const MAX_STREAMS = 32;
const MAX_PACKET = 1024 * 1024;
const MIN_PACKET = 16;
const MAX_PREROLL = 600_000;
const NO_FORMAT: StreamFormat = { codec: 'unknown', private: Buffer.alloc(0), channels: 0, align: 0 };

export const isAsf = (source: ByteSource): boolean => source.upTo(0, 16).toString('hex') === IDS.header;

interface AsfObject {
  id: string;
  /** Size without its head. */
  body: Buffer;
}

function* objectsIn(bytes: Buffer): Generator<AsfObject> {
  let count = 0;
  for (let at = 0; at + OBJECT_HEAD <= bytes.length;) {
    const size = Number(bytes.readBigUInt64LE(at + 16));
    if (size < OBJECT_HEAD || (count += 1) > MAX_OBJECTS) return;
    yield { id: bytes.toString('hex', at, at + 16), body: bytes.subarray(at + OBJECT_HEAD, at + size) };
    at += size;
  }
}

export function readAsfHeader(source: ByteSource): AsfHeader {
  const size = Number(source.at(0, HEADER_HEAD).readBigUInt64LE(16));
  if (size < HEADER_HEAD || size > Math.min(MAX_HEADER, source.size))
    return uncertain('an ASF header that is too large');
  const streams: AsfStream[] = [];
  const add = (stream: AsfStream | undefined): void => {
    if (stream && !streams.some(({ number }) => number === stream.number) && streams.push(stream) > MAX_STREAMS)
      uncertain('too many ASF streams');
  };
  let file: Buffer | undefined;
  for (const { id, body } of objectsIn(Buffer.from(source.at(HEADER_HEAD, size - HEADER_HEAD)))) {
    if (id === IDS.file) file = body;
    if (id === IDS.stream) add(streamOf(body));
    if (id !== IDS.extension || body.length < EXTENSION_HEAD) continue;
    for (const inner of objectsIn(body.subarray(EXTENSION_HEAD)))
      if (inner.id === IDS.extended) add(extendedStream(inner.body));
  }
  if (file === undefined || file.length < 80) return uncertain('ASF without file properties');
  const [preroll, stride] = [Number(file.readBigUInt64LE(56)), file.readUInt32LE(72)];
  if (stride !== file.readUInt32LE(68) || stride < MIN_PACKET || stride > MAX_PACKET)
    return uncertain('ASF with packets of several sizes');
  const data = source.at(size, DATA_HEAD);
  if (data.toString('hex', 0, 16) !== IDS.data) return uncertain('ASF without data');
  const length = Number(data.readBigUInt64LE(16));
  const origin = size + DATA_HEAD;
  // A recorder that was ended leaves the size at 0.
  return {
    streams,
    origin,
    stride,
    end: length > DATA_HEAD ? Math.min(source.size, size + length) : source.size,
    preroll: preroll <= MAX_PREROLL ? preroll : 0,
  };
}

/** `body` is a stream properties object (3.3). */
function streamOf(body: Buffer): AsfStream | undefined {
  if (body.length < 54) return undefined;
  const type = body.toString('hex', 0, 16);
  const flags = body.readUInt16LE(48);
  const specific = body.subarray(54, 54 + body.readUInt32LE(40));
  const kind = type === IDS.video ? 'video' : type === IDS.audio ? 'audio' : 'other';
  const format =
    kind === 'video' && specific.length > 11
      ? pictureFormat(specific.subarray(11))
      : kind === 'audio'
        ? soundFormat(specific)
        : undefined;
  return {
    ...(format ?? NO_FORMAT),
    number: flags & 127,
    kind: format ? kind : 'other',
    isSealed: (flags & 0x8000) !== 0,
  };
}

/** Stream properties that lie within extended ones (4.1), behind names and extensions of variable size. */
function extendedStream(body: Buffer): AsfStream | undefined {
  if (body.length < EXTENDED_HEAD) return undefined;
  const [names, systems] = [body.readUInt16LE(60), body.readUInt16LE(62)];
  let at = EXTENDED_HEAD;
  for (let i = 0; i < names && at + 4 <= body.length; i += 1) at += 4 + body.readUInt16LE(at + 2);
  for (let i = 0; i < systems && at + 22 <= body.length; i += 1) at += 22 + body.readUInt32LE(at + 18);
  const [inner] = objectsIn(body.subarray(at));
  return inner?.id === IDS.stream ? streamOf(inner.body) : undefined;
}

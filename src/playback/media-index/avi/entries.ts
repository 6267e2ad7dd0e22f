/** Positions of the chunks of each stream of an AVI file: from its index of either version, or from a walk. */
import { type ByteSource, Uncertain, uncertain } from '../../../lib/media/source.ts';
import { type Chunk, chunkAt, HEAD, row, streamNumberOf } from './chunks.ts';
import type { AviHeader } from './header.ts';

/** Chunks of one stream in their order. */
export interface Entries {
  count: number;
  /** Positions of their heads. */
  places: Float64Array;
  sizes: Uint32Array;
  /** 1 for keyframes of video. */
  isKey: Uint8Array;
}

/** More than twelve hours of film with three tracks of sound have. */
const MAX_ENTRIES = 5_000_000;
const MAX_INDEX = 128 * 1024 * 1024;
const FIRST_ROOM = 1024;

export interface EntryList {
  add(stream: number, place: number, size: number, isKey: boolean): void;
  of(stream: number): Entries;
  /** Position behind the last chunk. */
  readonly end: number;
}

export function createEntries(streams: number): EntryList {
  const all = Array.from({ length: streams }, (): Entries => ({
    count: 0,
    places: new Float64Array(FIRST_ROOM),
    sizes: new Uint32Array(FIRST_ROOM),
    isKey: new Uint8Array(FIRST_ROOM),
  }));
  let total = 0;
  let end = 0;
  return {
    add: (stream, place, size, isKey) => {
      const own = all[stream];
      if (own === undefined) return;
      if ((total += 1) > MAX_ENTRIES) uncertain('too many AVI chunks');
      if (own.count === own.sizes.length) grow(own);
      own.places[own.count] = place;
      own.sizes[own.count] = size;
      own.isKey[own.count] = Number(isKey);
      own.count += 1;
      end = Math.max(end, place + HEAD + size);
    },
    of: (stream) => all[stream] ?? uncertain('an AVI stream without chunks'),
    get end() {
      return end;
    },
  };
}

function grow(own: Entries): void {
  const length = own.sizes.length * 2;
  const [places, sizes, isKey] = [new Float64Array(length), new Uint32Array(length), new Uint8Array(length)];
  places.set(own.places);
  sizes.set(own.sizes);
  isKey.set(own.isKey);
  Object.assign(own, { places, sizes, isKey });
}

/** Returns what the index of the file says. Throws `Uncertain` where there is none for the whole file. */
export function readEntries(source: ByteSource, header: AviHeader): EntryList {
  const isLarge = header.streams.some(({ indx }) => indx !== undefined);
  const entries = isLarge
    ? largeIndex(source, header)
    : header.hasMore || header.idx1 === undefined
      ? uncertain('AVI without an index')
      : oldIndex(source, header, header.idx1);
  if (hasChunks(source, entries.end + (entries.end & 1), isLarge ? source.size : header.end))
    return uncertain('an AVI index that ends early');
  return entries;
}

/** Whether pictures or sound follow behind the last chunk of an index. */
function hasChunks(source: ByteSource, from: number, end: number): boolean {
  try {
    const { value } = row(source, from).next();
    return value !== undefined && value.at < end;
  } catch (error) {
    // The bytes there are no chunk.
    if (!(error instanceof Uncertain)) throw error;
    return false;
  }
}

const ENTRY = 16;
const KEY = 0x10;
const LIST = 1;

/** `idx1`: one row for all streams, in the order of the file. */
function oldIndex(source: ByteSource, { streams, first }: AviHeader, { body, size }: Chunk): EntryList {
  const table = tableAt(source, body, Math.min(size, source.size - body));
  const entries = createEntries(streams.length);
  let base: number | undefined;
  for (let at = 0; at + ENTRY <= table.length; at += ENTRY) {
    const id = table.toString('latin1', at, at + 4);
    const stream = streamNumberOf(id);
    const flags = table.readUInt32LE(at + 4);
    if (stream === undefined || (flags & LIST) !== 0) continue;
    const offset = table.readUInt32LE(at + 8);
    base ??= baseOf(source, { id, offset, first });
    const length = table.readUInt32LE(at + 12);
    if (base + offset + HEAD + length > source.size) return uncertain('an AVI index beyond the file');
    entries.add(stream, base + offset, length, (flags & KEY) !== 0);
  }
  return entries;
}

/** Offsets count from the list's type, in files of some writers from the start of the file. */
function baseOf(source: ByteSource, { id, offset, first }: { id: string; offset: number; first: number }): number {
  const base = [first - 4, 0].find((from) => chunkAt(source, from + offset)?.id === id);
  return base ?? uncertain('an AVI index that leads nowhere');
}

function tableAt(source: ByteSource, at: number, size: number): Buffer {
  if (size > MAX_INDEX) uncertain('an AVI index that is too large');
  return Buffer.from(source.at(at, size));
}

const LARGE_HEAD = 24;
const OF_INDEXES = 0;
const OF_CHUNKS = 1;

/** OpenDML: each stream has its own index, in parts that another index lists. */
function largeIndex(source: ByteSource, { streams }: AviHeader): EntryList {
  const entries = createEntries(streams.length);
  streams.forEach(({ indx, kind }, stream) => {
    if (indx === undefined) return kind === 'other' ? undefined : uncertain('an AVI stream without an index');
    const table = tableAt(source, indx.body, Math.min(indx.size, source.size - indx.body));
    if (table.length < LARGE_HEAD) return uncertain('an AVI index cut short');
    if (table[3] === OF_CHUNKS) return addPart(source, table, stream, entries);
    const count = table.readUInt32LE(4);
    if (table[3] !== OF_INDEXES || table.readUInt16LE(0) !== 4 || LARGE_HEAD + count * ENTRY > table.length)
      return uncertain('an AVI index of an unknown kind');
    for (let n = 0, before = -1; n < count; n += 1) {
      const at = Number(table.readBigUInt64LE(LARGE_HEAD + n * ENTRY));
      // Parts lie one behind the other; one that is named again would be read again.
      if (at <= before) return uncertain('an AVI index with a loop');
      before = at;
      const part = chunkAt(source, at);
      if (part === undefined || !/^(?:ix\d\d|\d\dix)$/.test(part.id))
        return uncertain('an AVI index that leads nowhere');
      addPart(source, tableAt(source, part.body, Math.min(part.size, source.size - part.body)), stream, entries);
    }
    return undefined;
  });
  return entries;
}

const NOT_KEY = 0x8000_0000;

function addPart(source: ByteSource, table: Buffer, stream: number, entries: EntryList): void {
  const count = table.readUInt32LE(4);
  const isKnown = table.readUInt16LE(0) === 2 && table[2] === 0 && table[3] === OF_CHUNKS;
  if (!isKnown || LARGE_HEAD + count * 8 > table.length) return uncertain('an AVI index of an unknown kind');
  const base = Number(table.readBigUInt64LE(12));
  for (let n = 0; n < count; n += 1) {
    const at = base + table.readUInt32LE(LARGE_HEAD + n * 8) - HEAD;
    const size = table.readUInt32LE(LARGE_HEAD + n * 8 + 4);
    if (at < 0 || at + HEAD + (size & ~NOT_KEY) > source.size) return uncertain('an AVI index beyond the file');
    entries.add(stream, at, size & ~NOT_KEY, (size & NOT_KEY) === 0);
  }
  return undefined;
}

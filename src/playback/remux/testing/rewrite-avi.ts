/**
 * Writes AVI files again in ways that ffmpeg does not: with another index or none, in several parts (OpenDML), with
 * holes, lists of records, empty chunks, and sound that is cut anywhere.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

export interface AviOptions {
  /**
   * `old` counts from the list, `absolute` from the start of the file, `wrong` misses the chunks, `half` ends in the
   * middle.
   */
  index?: 'old' | 'absolute' | 'wrong' | 'half' | 'large' | 'none' | 'unmarked';
  /** Chunks of a part; with `large` each part but the first is a separate list. */
  part?: number;
  /** Bytes of nothing before the part in the last third of the file. */
  hole?: number;
  /** Chunks of a list of records. */
  records?: number;
  /** Sound is counted by bytes and cut into chunks of so many. */
  soundBytes?: number;
  /** After each so many pictures comes an empty chunk. */
  emptyEach?: number;
  /** All sound comes behind all pictures. */
  isApart?: boolean;
  /** Bytes that the file ends early. */
  cut?: number;
}

interface Part {
  id: string;
  body: Buffer;
  isKey: boolean;
}

const HEAD = 8;
const MAX_JUNK = 2 * 1024 ** 3;
const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32LE(value >>> 0, i * 4));
  return bytes;
};
const padded = (body: Uint8Array): Uint8Array[] => [body, Buffer.alloc(body.length & 1)];
const chunk = (id: string, body: Uint8Array, size = body.length): Buffer =>
  Buffer.concat([Buffer.from(id, 'latin1'), u32(size), ...padded(body)]);
const list = (type: string, body: Uint8Array, size = body.length + 4): Buffer =>
  Buffer.concat([Buffer.from('LIST'), u32(size), Buffer.from(type), body]);

interface Found {
  id: string;
  type: string;
  body: Buffer;
}

function* chunksIn(bytes: Buffer): Generator<Found> {
  for (let at = 0; at + HEAD <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    const id = bytes.toString('latin1', at, at + 4);
    const body = bytes.subarray(at + HEAD, at + HEAD + size);
    yield {
      id,
      type: id === 'LIST' ? body.toString('latin1', 0, 4) : id,
      body: id === 'LIST' ? body.subarray(4) : body,
    };
    at += HEAD + size + (size & 1);
  }
}

/** Rewrites a file that ffmpeg made: one part, with `idx1`. */
export function rewriteAvi(from: string, to: string, options: AviOptions): void {
  const file = readFileSync(from);
  const top = new Map([...chunksIn(file.subarray(12))].map((each) => [each.type, each.body]));
  const index = top.get('idx1') ?? Buffer.alloc(0);
  let parts = [...chunksIn(top.get('movi') ?? Buffer.alloc(0))].map(({ id, body }, n): Part => ({
    id,
    body,
    isKey: ((index[n * 16 + 4] ?? 0) & 0x10) !== 0,
  }));
  if (options.soundBytes !== undefined) parts = cutSound(parts, options.soundBytes);
  if (options.emptyEach !== undefined) parts = withEmpty(parts, options.emptyEach);
  if (options.isApart === true)
    parts = [...parts.filter(({ id }) => id.endsWith('dc')), ...parts.filter(({ id }) => !id.endsWith('dc'))];
  const header = top.get('hdrl') ?? Buffer.alloc(0);
  const names = [...new Set(parts.map(({ id }) => id))].toSorted();
  const large = options.index === 'large';
  const size = options.part ?? parts.length;
  const rooms = names.map(() => Math.ceil(parts.length / size));
  const headerOf = (tables: readonly Buffer[]): Buffer =>
    list('hdrl', rewriteHeader(header, { tables, soundBytes: options.soundBytes }));
  const empty = rooms.map((count, n) =>
    superIndex(
      names[n] ?? '',
      Array.from({ length: count }, () => ({ at: 0, size: 0, count: 0 })),
    ),
  );
  const front = Buffer.concat([Buffer.from('RIFF'), u32(0), Buffer.from('AVI '), headerOf(large ? empty : [])]);
  const out = openSync(to, 'w');
  let at = 0;
  const write = (bytes: Uint8Array): void => void (at += writeSync(out, bytes, 0, bytes.length, at));
  write(front);
  const entries: { part: Part; at: number }[] = [];
  const supers = names.map((): { at: number; size: number; count: number }[] => []);
  const lists: number[] = [];
  for (let first = 0; first < parts.length; first += size) {
    const own = parts.slice(first, first + size);
    if (first > 0) write(Buffer.concat([Buffer.from('RIFF'), u32(0), Buffer.from('AVIX')]));
    lists.push(at);
    write(list('movi', Buffer.alloc(0), 0));
    const began = at;
    own.forEach((part, n) => {
      if (options.hole !== undefined && first + n === Math.floor((parts.length * 2) / 3 / size) * size) {
        for (let left = options.hole; left > 0; left -= MAX_JUNK) {
          write(Buffer.concat([Buffer.from('JUNK'), u32(Math.min(left, MAX_JUNK))]));
          at += Math.min(left, MAX_JUNK);
        }
      }
      if (options.records !== undefined && n % options.records === 0)
        write(
          list(
            'rec ',
            Buffer.alloc(0),
            own
              .slice(n, n + options.records)
              .reduce((sum, each) => sum + HEAD + each.body.length + (each.body.length & 1), 4),
          ),
        );
      entries.push({ part, at });
      write(chunk(part.id, part.body));
    });
    if (large) {
      names.forEach((name, n) => {
        const table = largeIndex(
          name,
          entries.slice(first).filter(({ part }) => part.id === name),
          began,
        );
        supers[n]?.push({ at, size: table.length, count: (table.length - 32) / 8 });
        write(table);
      });
    }
    const end = at;
    at = (lists.at(-1) ?? 0) + 4;
    write(u32(Math.min(0xffff_fffe, end - (lists.at(-1) ?? 0) - HEAD)));
    at = end;
  }
  if (!large && options.index !== 'none')
    write(chunk('idx1', oldIndex(entries, (lists[0] ?? 0) + HEAD, options.index ?? 'old')));
  writeSync(out, headerOf(large ? supers.map((rows, n) => superIndex(names[n] ?? '', rows)) : []), 0, undefined, 12);
  closeSync(out);
  if (options.cut !== undefined) {
    const bytes = readFileSync(to);
    const again = openSync(to, 'w');
    writeSync(again, bytes.subarray(0, bytes.length - options.cut));
    closeSync(again);
  }
}

function cutSound(parts: readonly Part[], size: number): Part[] {
  const sound = Buffer.concat(parts.filter(({ id }) => id.endsWith('wb')).map(({ body }) => body));
  const id = parts.find((part) => part.id.endsWith('wb'))?.id ?? '01wb';
  let [at, seen] = [0, 0];
  const out: Part[] = [];
  for (const part of parts) {
    if (!part.id.endsWith('wb')) out.push(part);
    else
      for (seen += part.body.length; seen - at >= size; at += size)
        out.push({ id, body: sound.subarray(at, at + size), isKey: true });
  }
  return [...out, { id, body: sound.subarray(at), isKey: true }];
}

function withEmpty(parts: readonly Part[], each: number): Part[] {
  let count = 0;
  return parts.flatMap((part) =>
    part.id.endsWith('dc') && (count += 1) % each === 0
      ? [part, { ...part, body: Buffer.alloc(0), isKey: false }]
      : [part],
  );
}

function rewriteHeader(
  header: Buffer,
  { tables, soundBytes }: { tables: readonly Buffer[]; soundBytes: number | undefined },
): Buffer {
  let stream = -1;
  return Buffer.concat(
    [...chunksIn(header)].map(({ id, type, body }) => {
      if (type !== 'strl') return id === 'LIST' ? list(type, body) : chunk(id, body);
      stream += 1;
      const table = tables[stream];
      const kept = [...chunksIn(body)]
        .filter((each) => each.id !== 'JUNK' && each.id !== 'indx')
        .map((each) => chunk(each.id, soundBytes === undefined ? each.body : countedByBytes(each, body)));
      return list('strl', Buffer.concat([...kept, ...(table ? [table] : [])]));
    }),
  );
}

/** Sound whose unit is a byte. */
function countedByBytes({ id, body }: Found, stream: Buffer): Buffer {
  const bytes = Buffer.from(body);
  const format = [...chunksIn(stream)].find((each) => each.id === 'strf')?.body ?? Buffer.alloc(0);
  if (stream.toString('latin1', 8, 12) !== 'auds') return bytes;
  if (id === 'strf') bytes.writeUInt16LE(1, 12);
  if (id === 'strh') {
    bytes.writeUInt32LE(1, 20);
    bytes.writeUInt32LE(format.readUInt32LE(8), 24);
    bytes.writeUInt32LE(1, 44);
  }
  return bytes;
}

function oldIndex(
  entries: readonly { part: Part; at: number }[],
  base: number,
  kind: NonNullable<AviOptions['index']>,
): Buffer {
  const kept = kind === 'half' ? entries.slice(0, entries.length >> 1) : entries;
  return Buffer.concat(
    kept.map(({ part, at }, n) => {
      const isKey = kind === 'unmarked' ? n === 0 : part.isKey;
      const place = kind === 'absolute' ? at : at - base + (kind === 'wrong' && n > 3 ? 2 : 0);
      return Buffer.concat([Buffer.from(part.id), u32(isKey ? 0x10 : 0, place, part.body.length)]);
    }),
  );
}

function largeIndex(name: string, entries: readonly { part: Part; at: number }[], base: number): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt16LE(2, 0);
  head[3] = 1;
  head.writeUInt32LE(entries.length, 4);
  head.write(name, 8, 'latin1');
  // Positions far after the base need another one.
  const own = entries.some(({ at }) => at - base > 0xffff_ffff)
    ? (entries.find(({ at }) => at - base > 0xffff_ffff)?.at ?? base) - 0x7fff_ffff
    : base;
  head.writeBigUInt64LE(BigInt(own), 12);
  return chunk(
    `ix${name.slice(0, 2)}`,
    Buffer.concat([
      head,
      ...entries.map(({ part, at }) =>
        u32(at + HEAD - own, part.isKey ? part.body.length : part.body.length + 0x8000_0000),
      ),
    ]),
  );
}

function superIndex(name: string, rows: readonly { at: number; size: number; count: number }[]): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt16LE(4, 0);
  head.writeUInt32LE(rows.length, 4);
  head.write(name, 8, 'latin1');
  return chunk(
    'indx',
    Buffer.concat([
      head,
      ...rows.map(({ at, size, count }) => {
        const row = Buffer.alloc(16);
        row.writeBigUInt64LE(BigInt(at), 0);
        row.writeUInt32LE(size, 8);
        row.writeUInt32LE(count, 12);
        return row;
      }),
    ]),
  );
}

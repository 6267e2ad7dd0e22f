/**
 * Chunks of an AVI file (RIFF): where each lies, without reading its bytes. Lists of pictures and sound are walked as
 * one flat row, over all parts that a file of more than a gibibyte has (OpenDML).
 */
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';

interface ChunkName {
  /** Four letters. */
  id: string;
  /** Number of the stream that a chunk of pictures or sound belongs to; undefined for other chunks. */
  stream: number | undefined;
}
export interface Chunk extends ChunkName {
  /** Position of its head, of its body, and size of that. */
  at: number;
  body: number;
  size: number;
}

export const HEAD = 8;
/** Lists and parts whose chunks belong to the row. */
const ENTERED: ReadonlySet<string> = new Set(['AVIX', 'AVI ', 'movi', 'rec ']);
const NAME = /^[\x20-\x7e]{4}$/;
/** Chunks in a row that have neither pictures nor sound. */
const MAX_BARREN = 20_000;

/**
 * Names by their bytes as a number. A file has some hundred thousand chunks with a few names, and reading the same
 * letters again each time would take half of a walk.
 */
const names = new Map<number, ChunkName | undefined>();
const MAX_NAMES = 1_000;

function nameAt(head: Buffer): ChunkName | undefined {
  const code = head.readUInt32LE(0);
  if (names.has(code)) return names.get(code);
  const id = head.toString('latin1', 0, 4);
  const name = NAME.test(id) ? { id, stream: streamNumberOf(id) } : undefined;
  if (names.size >= MAX_NAMES) names.clear();
  names.set(code, name);
  return name;
}

/** Returns the chunk whose head is at a position; undefined where there is none. */
export function chunkAt(source: ByteSource, at: number): Chunk | undefined {
  const head = source.upTo(at, HEAD);
  const name = head.length < HEAD ? undefined : nameAt(head);
  return name && { id: name.id, stream: name.stream, at, body: at + HEAD, size: head.readUInt32LE(4) };
}

/** Type of a list, which is the beginning of its body. */
export const listType = (source: ByteSource, { body }: Chunk): string => source.upTo(body, 4).toString('latin1');

/** Yields the chunks from a position up to another one, without those in lists. */
export function* chunksIn(source: ByteSource, from: number, end: number, most: number): Generator<Chunk> {
  let count = 0;
  for (let at = from; at + HEAD <= end;) {
    const chunk = chunkAt(source, at);
    if (chunk === undefined) return;
    if ((count += 1) > most) uncertain('too many chunks');
    yield chunk;
    at = chunk.body + chunk.size + (chunk.size & 1);
  }
}

/** Returns the number of the stream whose chunks have a name; undefined for names of other chunks. */
export function streamNumberOf(id: string): number | undefined {
  const [tens, ones] = [id.charCodeAt(0) - 0x30, id.charCodeAt(1) - 0x30];
  const isNumber = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
  return isNumber && /^[a-zA-Z]{2}$/.test(id.slice(2)) ? tens * 10 + ones : undefined;
}

/**
 * Yields the chunks of pictures and sound from a position on. One that the end of the file cuts off is left out. Throws
 * `Uncertain` where there is no chunk.
 */
export function* row(source: ByteSource, from: number): Generator<Chunk> {
  let barren = 0;
  for (let at = from; at + HEAD <= source.size;) {
    const chunk = chunkAt(source, at) ?? uncertain('an AVI file with a damaged place');
    const { id, stream, body, size } = chunk;
    if ((id === 'RIFF' || id === 'LIST') && ENTERED.has(listType(source, chunk))) {
      if ((barren += 1) > MAX_BARREN) uncertain('too many chunks');
      at = body + 4;
      continue;
    }
    const next = body + size;
    if (stream === undefined) {
      if ((barren += 1) > MAX_BARREN) uncertain('too many chunks');
    } else {
      if (next > source.size) return;
      barren = 0;
      yield chunk;
    }
    // Some writers do not fill chunks up to an even size.
    at =
      (size & 1) === 1 && chunkAt(source, next + 1) === undefined && chunkAt(source, next) !== undefined
        ? next
        : next + (size & 1);
  }
}

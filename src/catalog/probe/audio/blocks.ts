/**
 * A file as blocks for the tag reader: bytes are read from the disk in blocks of 64 KiB, or of 4 KiB if few are asked
 * for, and a limited number of them.
 *
 * The tag reader seeks through a whole file. It skips large pictures, so few blocks are read; a file cut off at its
 * first blocks would lose the tags behind a large picture.
 */
import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from 'strtok3';
import { type ByteSource, type ReadAt, uncertain } from '../../../lib/media/source.ts';

const BLOCK_BYTES = 64 * 1024;
const KEPT_BLOCKS = 8;
const PAGE_BYTES = 4 * 1024;
/** Enough for a picture of 16 MiB inside the comments of an Ogg file, which cannot be skipped. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Requests for bytes of one file. A track has some hundred. */
const MAX_REQUESTS = 50_000;
const MAX_SLICE = 24 * 1024 * 1024;
const MAX_TIME_MS = 3_000;

/** Its functions throw `Uncertain` beyond the limits. */
export type FileBlocks = ByteSource;

/** `head` holds the first bytes of the file if they have been read already. */
export function createBlocks(size: number, readAt: ReadAt, head: Buffer = Buffer.alloc(0)): FileBlocks {
  const now = performance.now.bind(performance);
  const blocks = new Map<number, Buffer>();
  const end = now() + MAX_TIME_MS;
  let spent = 0;
  let requests = 0;
  let page = { at: 0, bytes: head.subarray(0, 0) };
  const load = (offset: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(Math.min(length, size - offset));
    if ((spent += bytes.length) > MAX_BYTES) uncertain('the tags are spread too widely');
    return bytes.subarray(0, readAt(bytes, offset));
  };
  const block = (number: number): Buffer => {
    const known = blocks.get(number);
    if (known) return known;
    const fresh = load(number * BLOCK_BYTES, BLOCK_BYTES);
    blocks.set(number, fresh);
    if (blocks.size > KEPT_BLOCKS) blocks.delete(blocks.keys().next().value ?? 0);
    return fresh;
  };
  /** Reads a few bytes without the block around them: headers of frames and blocks are far apart. */
  const few = (offset: number, length: number): Buffer => {
    if (offset < page.at || offset + length > page.at + page.bytes.length)
      page = { at: offset, bytes: load(offset, PAGE_BYTES) };
    return page.bytes.subarray(offset - page.at, offset - page.at + length);
  };
  const upTo = (offset: number, length: number): Buffer => {
    if (++requests > MAX_REQUESTS || now() > end) uncertain('reading the tags takes too long');
    if (!(offset >= 0) || !(length > 0) || offset >= size) return Buffer.alloc(0);
    const wanted = Math.min(length, size - offset);
    if (wanted > MAX_SLICE) uncertain('a tag is too long');
    if (offset + wanted <= head.length) return head.subarray(offset, offset + wanted);
    const first = Math.floor(offset / BLOCK_BYTES);
    const last = Math.floor((offset + wanted - 1) / BLOCK_BYTES);
    if (wanted <= PAGE_BYTES && !(first === last && blocks.has(first))) return few(offset, wanted);
    const start = offset - first * BLOCK_BYTES;
    if (first === last) return block(first).subarray(start, start + wanted);
    const parts: Buffer[] = [];
    for (let number = first; number <= last; number++) parts.push(block(number));
    return Buffer.concat(parts).subarray(start, start + wanted);
  };
  return {
    size,
    upTo,
    at(offset, length) {
      const bytes = upTo(offset, length);
      return bytes.length === length ? bytes : uncertain('the file ends within its tags');
    },
  };
}

/**
 * The blocks of a file in the form that the tag reader takes. As a `Blob` they would cost a buffer, and two copies, for
 * each of the some hundred small reads of a track.
 */
export class BlockTokenizer extends AbstractTokenizer {
  readonly fileInfo: { size: number; mimeType?: string };
  readonly #blocks: FileBlocks;

  /** `mimeType` spares the tag reader a look at the first bytes, by which it finds out what a file is. */
  constructor(blocks: FileBlocks, mimeType?: string) {
    super();
    this.#blocks = blocks;
    this.fileInfo = { size: blocks.size, ...(mimeType !== undefined && { mimeType }) };
  }

  override readBuffer(into: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    return this.#read(into, options, true);
  }

  override peekBuffer(into: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    return this.#read(into, options, false);
  }

  override supportsRandomAccess(): boolean {
    return true;
  }

  setPosition(position: number): void {
    this.position = position;
  }

  async #read(into: Uint8Array, options: IReadChunkOptions | undefined, isMoving: boolean): Promise<number> {
    const { length, position, mayBeLess } = this.normalizeOptions(into, options);
    const bytes = this.#blocks.upTo(position, length);
    if (bytes.length < length && mayBeLess !== true) throw new EndOfStreamError();
    into.set(bytes);
    if (isMoving) this.position = position + bytes.length;
    return bytes.length;
  }
}

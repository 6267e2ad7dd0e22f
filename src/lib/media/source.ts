/**
 * Byte source for the readers of headers and indexes: few reads, and a limit on their number and size.
 *
 * `at` returns exactly the requested bytes or throws `Uncertain`. The limits bound the reads of one file,
 * so that no forged header is slow.
 */

/** Thrown when the header reader does not fully understand the file, so that it returns no wrong facts. */
export class Uncertain extends Error {}

/** Leaves the decision to ffprobe. `why` is for the log and the parity bench. */
export const uncertain = (why: string): never => {
  throw new Uncertain(why);
};

/** Reads into `into` from `offset` of the file. Returns the number of bytes read. */
export type ReadAt = (into: Buffer, offset: number) => number;

export interface ByteSource {
  readonly size: number;
  /** Exactly `length` bytes from `offset`. They may be shared: never written to, never kept. */
  at(offset: number, length: number): Buffer;
  /** Up to `length` bytes, as far as the file has them. */
  upTo(offset: number, length: number): Buffer;
}

export const headLength = 64 * 1024;
export interface SourceLimits {
  bytes: number;
  reads: number;
}

/** Limits that are enough for a header. */
const HEADER_LIMITS: SourceLimits = { bytes: 4 * 1024 * 1024, reads: 512 };
const step = 4096;

/** Opens a source. `head` is a buffer, usually of `headLength`, that the caller lends for the life of the source. */
export const createSource = (
  size: number,
  readAt: ReadAt,
  head: Buffer,
  limits: SourceLimits = HEADER_LIMITS,
): ByteSource => {
  const headEnd = readAt(head, 0);
  let spent = headEnd;
  let reads = 1;
  let window: Buffer = head.subarray(0, 0);
  let windowAt = 0;

  const load = (offset: number, length: number): Buffer => {
    const wanted = Math.min(Math.max(length, step), size - offset);
    spent += wanted;
    reads += 1;
    if (spent > limits.bytes || reads > limits.reads) uncertain('the header is spread too widely');
    const fresh = Buffer.allocUnsafe(wanted);
    window = fresh.subarray(0, readAt(fresh, offset));
    windowAt = offset;
    return window;
  };

  const upTo = (offset: number, length: number): Buffer => {
    if (!(offset >= 0) || !(length >= 0) || offset >= size) return head.subarray(0, 0);
    const most = Math.min(length, size - offset);
    if (offset + most <= headEnd) return head.subarray(offset, offset + most);
    if (offset >= windowAt && offset + most <= windowAt + window.length) {
      return window.subarray(offset - windowAt, offset - windowAt + most);
    }
    return load(offset, most).subarray(0, most);
  };

  return {
    size,
    upTo,
    at(offset, length) {
      const got = upTo(offset, length);
      return got.length === length ? got : uncertain('the file ends within its header');
    },
  };
};

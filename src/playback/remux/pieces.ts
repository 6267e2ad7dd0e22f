/**
 * Streams ranges of a file through two buffers that are used again, in pieces of at most 512 KiB. Ranges that lie close
 * to each other are read at once.
 */
import { Failure } from '../../lib/failure.ts';
import type { OpenFile } from '../../lib/files.ts';
import type { Pieces } from '../media-index/types.ts';

const PIECE = 512 * 1024;
/** Bytes between two ranges that are read and dropped, because another read would cost more. */
const MAX_GAP = 64 * 1024;
/** A buffer with less room than this is sent as it is. */
const MIN_ROOM = 64 * 1024;
/** A last piece of at most this size may still wait in a socket when its buffer is used again, so it is a copy. */
const COPIED = 64 * 1024;
const MAX_IDLE_BUFFERS = 16;

/** Buffers that no stream uses. */
const idle: Buffer[] = [];
const takeBuffer = (): Buffer => idle.pop() ?? Buffer.allocUnsafeSlow(PIECE);
const returnBuffer = (buffer: Buffer): void => void (idle.length < MAX_IDLE_BUFFERS && idle.push(buffer));

/** Part of a range, at most what is left of a buffer. */
interface Part {
  position: number;
  length: number;
}

/**
 * Yields the bytes of all pieces in order. What is yielded stays valid until the one after the next is asked for: the
 * consumer writes it out before it asks on. Fails as `unavailable` when the file ends early.
 */
export async function* readPieces(
  file: Pick<OpenFile, 'read'>,
  pieces: Pieces,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const buffers = [takeBuffer(), takeBuffer()];
  try {
    const parts = partsOf(pieces);
    let part = parts.next();
    for (let turn = 0; !part.done; turn = 1 - turn) {
      const buffer = buffers[turn] ?? takeBuffer();
      let filled = 0;
      while (!part.done && filled <= PIECE - MIN_ROOM) {
        signal.throwIfAborted();
        if (part.value.position < 0) {
          const from = -1 - part.value.position;
          const length = Math.min(part.value.length, PIECE - filled);
          buffer.set(pieces.literals?.subarray(from, from + length) ?? new Uint8Array(length), filled);
          filled += length;
          part = advanced(parts, part.value, -length);
          continue;
        }
        const extent = extentOf(parts, part.value, PIECE - filled);
        await readWhole(file, buffer.subarray(filled, filled + extent.length), extent.position);
        filled = compact(buffer, filled, extent);
        part = extent.next;
      }
      const isLast = part.done === true;
      const bytes = buffer.subarray(0, filled);
      yield isLast && filled <= COPIED ? Buffer.from(bytes) : bytes;
    }
  } finally {
    buffers.forEach(returnBuffer);
  }
}

function* partsOf({ positions, lengths }: Pieces): Generator<Part, undefined> {
  for (let i = 0; i < lengths.length; i += 1) {
    const [position = 0, length = 0] = [positions[i], lengths[i]];
    if (length > 0) yield { position, length };
  }
}

type Parts = Generator<Part, undefined>;
type NextPart = IteratorResult<Part, undefined>;

/** Rest of a part after `taken` bytes; negative for literals, whose positions decrease. */
function advanced(parts: Parts, { position, length }: Part, taken: number): NextPart {
  const rest = length - Math.abs(taken);
  return rest > 0 ? { done: false, value: { position: position + taken, length: rest } } : parts.next();
}

interface Extent extends Part {
  /** Position of the wanted bytes in it. */
  wanted: { offset: number; length: number }[];
  next: NextPart;
}

/** Joins parts that follow each other closely in the file, as far as there is room. */
function extentOf(parts: Parts, first: Part, room: number): Extent {
  const wanted: Extent['wanted'] = [];
  let next: NextPart = { done: false, value: first };
  let end = first.position;
  while (!next.done) {
    const { position, length }: Part = next.value;
    const offset = position - first.position;
    if (position < end || position - end > MAX_GAP || offset >= room) break;
    const taken = Math.min(length, room - offset);
    wanted.push({ offset, length: taken });
    end = position + taken;
    next = advanced(parts, next.value, taken);
    if (taken < length) break;
  }
  return { position: first.position, length: end - first.position, wanted, next };
}

/** Moves the wanted bytes of an extent together; returns where they end. */
function compact(buffer: Buffer, from: number, { wanted }: Extent): number {
  let filled = from;
  for (const { offset, length } of wanted) {
    if (from + offset !== filled) buffer.copyWithin(filled, from + offset, from + offset + length);
    filled += length;
  }
  return filled;
}

async function readWhole(file: Pick<OpenFile, 'read'>, into: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < into.length;) {
    const got = await file.read(into.subarray(done), position + done);
    if (got === 0)
      throw new Failure('unavailable', 'the file is shorter than before', { reason: 'stream-ended-early' });
    done += got;
  }
}

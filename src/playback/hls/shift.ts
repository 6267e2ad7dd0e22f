/**
 * Moves the segments of a film's later parts to where the part begins on the timeline of the whole: decode times (tfdt)
 * continue from one part to the next, so that players that add nothing at a discontinuity stay in time.
 */
import type { RenditionBytes } from '../rendition.ts';

/** Our own header of a segment has some kilobytes; a longer one is an error of ours. */
const MAX_HEADER_BYTES = 16 * 1024 * 1024;

/** Returns the units in a second of a track, from its initialisation segment. */
export function timescaleOf(init: Uint8Array): number {
  const bytes = Buffer.from(init.buffer, init.byteOffset, init.byteLength);
  const mdhd = find(bytes, ['moov', 'trak', 'mdia', 'mdhd']);
  if (!mdhd) throw new Error('an initialisation segment has no media header');
  return bytes.readUInt32BE(mdhd.start + (bytes[mdhd.start] === 1 ? 20 : 12));
}

/** Adds `ticks` to the decode times of a segment. */
export function shifted({ size, bytes }: RenditionBytes, ticks: number): RenditionBytes {
  return {
    ...(size !== undefined && { size }),
    bytes: bytes instanceof Uint8Array ? moved(Buffer.from(bytes), ticks) : movedStream(bytes, ticks),
  };
}

async function* movedStream(
  pieces: AsyncIterable<Uint8Array>,
  ticks: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (!head) {
      yield piece;
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length > MAX_HEADER_BYTES) throw new Error('the header of a segment does not end');
    if (!hasHeader(head)) continue;
    yield moved(head, ticks);
    head = undefined;
  }
  if (head?.length) yield head;
}

/** Whether all boxes before the media data are there. */
function hasHeader(bytes: Buffer): boolean {
  for (let at = 0; at + 8 <= bytes.length; at += Math.max(8, bytes.readUInt32BE(at)))
    if (bytes.toString('latin1', at + 4, at + 8) === 'mdat') return true;
  return false;
}

/** Changes the bytes that it is given. */
function moved(bytes: Buffer, ticks: number): Buffer {
  const tfdt = find(bytes, ['moof', 'traf', 'tfdt']);
  if (!tfdt || bytes[tfdt.start] !== 1) throw new Error('a segment has no decode time of 64 bits');
  bytes.writeBigUInt64BE(bytes.readBigUInt64BE(tfdt.start + 4) + BigInt(ticks), tfdt.start + 4);
  return bytes;
}

/** Finds the body of a box by a path of names, the first of each. */
function find(bytes: Buffer, names: readonly string[]): { start: number; end: number } | undefined {
  let within = { start: 0, end: bytes.length };
  for (const name of names) {
    let next: typeof within | undefined;
    for (let at = within.start; !next && at + 8 <= within.end;) {
      const length = bytes.readUInt32BE(at);
      if (bytes.toString('latin1', at + 4, at + 8) === name)
        next = { start: at + 8, end: Math.min(within.end, at + length) };
      at += Math.max(8, length);
    }
    if (!next) return undefined;
    within = next;
  }
  return within;
}

/** Collects where the bytes of samples come from: ranges of the file, and bytes that are not in it as they are sent. */
import { uncertain } from '../../../lib/media/source.ts';
import type { Pieces } from '../types.ts';
import { createGrowingBuffer } from './growing-buffer.ts';

/** Bytes that may be sent to the server for one segment, which are not ranges. */
const MAX_LITERALS = 64 * 1024 * 1024;

export interface PieceList {
  range(position: number, length: number): void;
  literal(bytes: Buffer): void;
  pieces(): Pieces;
}

export function createPieces(): PieceList {
  const positions: number[] = [];
  const lengths: number[] = [];
  const literals = createGrowingBuffer(16 * 1024);
  const add = (position: number, length: number): void => {
    const last = positions.length - 1;
    const [before = 0, had = 0] = [positions[last], lengths[last]];
    const isNext =
      last >= 0 && (position < 0 ? before < 0 && before - had === position : before >= 0 && before + had === position);
    if (isNext) lengths[last] = had + length;
    else {
      positions.push(position);
      lengths.push(length);
    }
  };
  return {
    range: add,
    literal: (bytes) => {
      if (literals.length + bytes.length > MAX_LITERALS) uncertain('a segment with too many small parts');
      add(-1 - literals.length, bytes.length);
      literals.add(bytes, 0, bytes.length);
    },
    pieces: () => ({
      positions: Float64Array.from(positions),
      lengths: Uint32Array.from(lengths),
      literals: new Uint8Array(literals.bytes()),
    }),
  };
}

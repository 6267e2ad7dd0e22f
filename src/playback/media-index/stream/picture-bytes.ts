/** Bytes of the picture that is being read, and where in the file each part of them lies. */
import { uncertain } from '../../../lib/media/source.ts';
import type { Unit } from '../codec/annexb.ts';
import { createGrowingBuffer } from './growing-buffer.ts';
import type { Payload } from './payload.ts';
import type { PieceList } from './pieces.ts';

export interface PictureBytes {
  /** Begins the next picture. */
  clear(): void;
  add(payload: Payload): void;
  /** Returns a view of the picture, which is valid until the next change. */
  bytes(): Buffer;
  /** Adds units of the picture to a list, each behind its length in four bytes. Returns their size with the lengths. */
  copyUnits(units: readonly Unit[], list: PieceList): number;
}

/** A unit of at most this size is sent as it is, because a read of the file costs more. */
const MAX_LITERAL_UNIT = 4096;
const MAX_PICTURE = 32 * 1024 * 1024;
const LENGTH_SIZE = 4;
const FIRST_ROOM = 64 * 1024;

export function createPictureBytes(): PictureBytes {
  const buffer = createGrowingBuffer(FIRST_ROOM);
  /** Positions at which each part begins, in the picture and in the file. */
  const [starts, positions]: [number[], number[]] = [[], []];
  return {
    clear: () => {
      buffer.clear();
      starts.length = positions.length = 0;
    },
    add: ({ bytes, base, from, to }) => {
      if (buffer.length + to - from > MAX_PICTURE) uncertain('a picture that is too large');
      starts.push(buffer.length);
      positions.push(base + from);
      buffer.add(bytes, from, to);
    },
    bytes: () => buffer.bytes(),
    copyUnits: (units, list) => {
      const bytes = buffer.bytes();
      let part = 0;
      let size = 0;
      for (const { from, to } of units) {
        const length = Buffer.alloc(LENGTH_SIZE);
        length.writeUInt32BE(to - from);
        list.literal(length);
        size += LENGTH_SIZE + to - from;
        if (to - from <= MAX_LITERAL_UNIT) {
          list.literal(bytes.subarray(from, to));
          continue;
        }
        for (let at = from; at < to;) {
          while ((starts[part + 1] ?? Infinity) <= at) part += 1;
          const until = Math.min(to, starts[part + 1] ?? to);
          list.range((positions[part] ?? 0) + at - (starts[part] ?? 0), until - at);
          at = until;
        }
      }
      return size;
    },
  };
}

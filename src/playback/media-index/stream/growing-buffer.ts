/** Bytes that are added piece by piece. The memory is kept when they are cleared, for the next picture or segment. */

export interface GrowingBuffer {
  readonly length: number;
  /** Adds `bytes` from `from` to `to`. */
  add(bytes: Buffer, from: number, to: number): void;
  /** Returns a view of all bytes, which is valid until the next change. */
  bytes(): Buffer;
  clear(): void;
}

export function createGrowingBuffer(firstRoom: number): GrowingBuffer {
  let buffer = Buffer.allocUnsafe(firstRoom);
  let filled = 0;
  return {
    get length() {
      return filled;
    },
    add: (bytes, from, to) => {
      const length = to - from;
      if (filled + length > buffer.length) {
        const larger = Buffer.allocUnsafe(filled + Math.max(buffer.length, length));
        buffer.copy(larger, 0, 0, filled);
        buffer = larger;
      }
      filled += bytes.copy(buffer, filled, from, to);
    },
    bytes: () => buffer.subarray(0, filled),
    clear: () => void (filled = 0),
  };
}

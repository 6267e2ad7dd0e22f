/**
 * Decodes the run-length codes of both formats into one byte per pixel.
 *
 * Work and memory are bounded by the input and the given size: a run never leaves its row, and missing data leaves
 * pixels unchanged. Sources: US 2009/0185789 A1 (PGS), and the DVD sub-picture unit as published by mpucoder.
 */

export interface Target {
  into: Uint8Array;
  /** Bytes from one row of `into` to the next. */
  stride: number;
  /** Position of the upper left pixel. */
  offset: number;
  width: number;
  height: number;
}

/**
 * Decodes PGS: a byte is a pixel; after a zero byte come the length of a run and its colour, or the end of the row.
 * Returns false if data is missing.
 */
export function decodePgsRle(data: Uint8Array, { into, stride, offset, width, height }: Target): boolean {
  let at = 0;
  let x = 0;
  let y = 0;
  let row = offset;
  while (y < height && at < data.length) {
    const color = data[at++] ?? 0;
    if (color !== 0) {
      if (x < width) into[row + x] = color;
      x++;
      continue;
    }
    const flags = data[at++] ?? 0;
    if (flags === 0) {
      y++;
      x = 0;
      row += stride;
      continue;
    }
    let run = flags & 0x3f;
    if (flags & 0x40) run = (run << 8) | (data[at++] ?? 0);
    const filled = flags & 0x80 ? (data[at++] ?? 0) : 0;
    const end = Math.min(width, x + run);
    if (x < end) into.fill(filled, row + x, row + end);
    x += run;
  }
  // Writers may leave out the end mark of the last row.
  return y === height || (y === height - 1 && x >= width);
}

/**
 * Decodes one field of a DVD picture: runs of 2-bit pixels in codes of 4 to 16 bits; rows begin at a byte. `stride` is
 * the distance to the field's next row. Returns false if data is missing.
 */
export function decodeDvdRle(data: Uint8Array, from: number, { into, stride, offset, width, height }: Target): boolean {
  const most = data.length * 2;
  let nibble = from * 2;
  const next = (): number => {
    const byte = data[nibble >> 1] ?? 0;
    return nibble++ & 1 ? byte & 15 : byte >> 4;
  };
  for (let y = 0, row = offset; y < height; y++, row += stride) {
    for (let x = 0; x < width;) {
      if (nibble >= most) return false;
      let code = next();
      // The number of leading zeros determines the length of a code.
      for (let least = 0x4; code < least && least <= 0x40; least *= 4) code = (code << 4) | next();
      const run = code < 4 ? width - x : Math.min(code >> 2, width - x);
      into.fill(code & 3, row + x, row + x + run);
      x += run;
    }
    nibble += nibble & 1;
  }
  return true;
}

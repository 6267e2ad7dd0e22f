/** Converts colours between the video range of YCbCr and red, green and blue, according to ITU-R BT.601 and BT.709. */

/** Factors of red, green and blue for the two colour differences; luma counts 255/219. */
const BT601 = { red: 1.402, greenBlue: 0.344136, greenRed: 0.714136, blue: 1.772 };
const BT709 = { red: 1.5748, greenBlue: 0.187324, greenRed: 0.468124, blue: 1.8556 };

/** Returns the matrix of a picture: that of high definition above 576 lines. */
export const matrixOf = (height: number): typeof BT601 => (height > 576 ? BT709 : BT601);

/** Writes one colour into a palette of four bytes an entry. `y` is 16 to 235, `cb` and `cr` are 16 to 240. */
export function setColor(
  palette: Uint8Array,
  at: number,
  { y, cb, cr, alpha }: { y: number; cb: number; cr: number; alpha: number },
  matrix: typeof BT601,
): void {
  const luma = ((y - 16) * 255) / 219;
  const blue = ((cb - 128) * 255) / 224;
  const red = ((cr - 128) * 255) / 224;
  palette[at * 4] = byte(luma + matrix.red * red);
  palette[at * 4 + 1] = byte(luma - matrix.greenBlue * blue - matrix.greenRed * red);
  palette[at * 4 + 2] = byte(luma + matrix.blue * blue);
  palette[at * 4 + 3] = alpha;
}

/** Returns one colour of a palette in the video range, the inverse of `setColor`, for a frame of this height. */
export function yCbCrOf(
  palette: Uint8Array,
  at: number,
  height: number,
): { y: number; cb: number; cr: number; alpha: number } {
  const [red = 0, green = 0, blue = 0, alpha = 0] = palette.subarray(at * 4, at * 4 + 4);
  const matrix = matrixOf(height);
  const [kr, kb] = [1 - matrix.red / 2, 1 - matrix.blue / 2];
  const luma = kr * red + (1 - kr - kb) * green + kb * blue;
  const difference = (value: number, scale: number): number =>
    Math.max(16, Math.min(240, Math.round(128 + ((value - luma) / scale) * (224 / 255))));
  return {
    y: Math.round(16 + (luma * 219) / 255),
    cb: difference(blue, matrix.blue),
    cr: difference(red, matrix.red),
    alpha,
  };
}

const byte = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

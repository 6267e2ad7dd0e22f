/**
 * Splits a prepared picture into its lines. A recogniser that receives single lines does not analyse the layout, and so
 * overlooks no short line such as "I." Linear in the pixels.
 */
import { BORDER, type Grey, LETTER } from './prepare.ts';

/** Picture of one line, or of several that could not be separated. */
export interface Page extends Grey {
  isBlock: boolean;
}

/** Ink that makes a row visible. */
const INK = 96;
/** Minimum height of a line. A lower band consists of dots and accents, which belong to the nearest line. */
const LEAST = LETTER * 0.6;
/** Maximum height of a line, from the top of its capitals to the bottom of its commas. */
const MAX_LINE_HEIGHT = LETTER * 2.6;
const NEAR = LETTER * 0.6;

interface Band {
  top: number;
  /** Row after the last one. */
  end: number;
}

/** Returns the lines from top to bottom, each with paper around it. */
export function findLines(page: Grey): Page[] {
  const bands = joined(inked(page));
  if (bands.length === 1 && bands[0] && bands[0].end - bands[0].top > MAX_LINE_HEIGHT)
    return [{ ...page, isBlock: true }];
  return bands.map(({ top, end }) => {
    const height = end - top + 2 * BORDER;
    const pixels = new Uint8Array(page.width * height).fill(255);
    pixels.set(page.pixels.subarray(top * page.width, end * page.width), BORDER * page.width);
    return { width: page.width, height, pixels, isBlock: end - top > MAX_LINE_HEIGHT };
  });
}

/** Returns runs of rows with ink. */
function inked({ width, height, pixels }: Grey): Band[] {
  const bands: Band[] = [];
  for (let y = 0; y < height; y++) {
    if (!pixels.subarray(y * width, (y + 1) * width).some((value) => value < 255 - INK)) continue;
    const last = bands.at(-1);
    if (last?.end === y) last.end = y + 1;
    else bands.push({ top: y, end: y + 1 });
  }
  return bands;
}

/** Joins low bands with the nearer neighbour, unless they have none. */
function joined(bands: readonly Band[]): Band[] {
  const out: Band[] = [];
  let above: Band | undefined;
  for (const [n, { top, end }] of bands.entries()) {
    const next = bands[n + 1];
    const band = { top: above?.top ?? top, end };
    above = undefined;
    const last = out.at(-1);
    if (band.end - band.top < LEAST) {
      const up = last ? band.top - last.end : Infinity;
      const down = next ? next.top - band.end : Infinity;
      if (down <= up && down <= NEAR) {
        above = band;
        continue;
      }
      if (last && up <= NEAR) {
        last.end = band.end;
        continue;
      }
    }
    out.push(band);
  }
  return out;
}

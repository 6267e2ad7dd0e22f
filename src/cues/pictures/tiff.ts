/**
 * Writes grey pictures as the pages of one uncompressed TIFF 6.0 file, so that a recogniser starts once for many
 * pictures.
 */
import type { Grey } from './prepare.ts';

const ENTRIES = 9;
const DIRECTORY = 2 + ENTRIES * 12 + 4;
const [SHORT, LONG] = [3, 4];

/** Little-endian, one strip a page. At least one page. */
export function tiffOf(pages: readonly Grey[]): Uint8Array {
  const even = (size: number): number => size + (size & 1);
  const out = new Uint8Array(pages.reduce((size, { pixels }) => size + DIRECTORY + even(pixels.length), 8));
  const view = new DataView(out.buffer);
  out.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, 8, true);
  let at = 8;
  for (const [n, { width, height, pixels }] of pages.entries()) {
    const data = at + DIRECTORY;
    const next = data + even(pixels.length);
    const entries: [tag: number, type: number, value: number][] = [
      [256, LONG, width],
      [257, LONG, height],
      [258, SHORT, 8],
      [259, SHORT, 1],
      [262, SHORT, 1],
      [273, LONG, data],
      [277, SHORT, 1],
      [278, LONG, height],
      [279, LONG, pixels.length],
    ];
    view.setUint16(at, ENTRIES, true);
    for (const [i, [tag, type, value]] of entries.entries()) {
      const entry = at + 2 + i * 12;
      view.setUint16(entry, tag, true);
      view.setUint16(entry + 2, type, true);
      view.setUint32(entry + 4, 1, true);
      view.setUint32(entry + 8, value, true);
    }
    view.setUint32(data - 4, n === pages.length - 1 ? 0 : next, true);
    out.set(pixels, data);
    at = next;
  }
  return out;
}

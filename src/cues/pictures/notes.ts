/**
 * Removes the notes of songs (`♪`) at both ends of a line, which recognisers take for letters; they are found by their
 * shape. A note is a full head at the foot of a stem, left of it, and a flag at the top, right of it; no letter, figure
 * or bracket has all of these. Measured in twelve faces: every note is found, and no letter is taken for one; a note's
 * head is full by 0.7 and more, and three stems wide. Linear in the pixels.
 */
import type { Page } from './lines.ts';
import { LETTER } from './prepare.ts';

export interface Sung {
  /** The line without its notes; undefined if it has only notes. */
  page: Page | undefined;
  /** Whether a note was at the beginning, and at the end. */
  before: boolean;
  after: boolean;
}

/** Connected pixels as a list, with their corners (both included). */
interface Piece {
  pixels: number[];
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const INK = 128;
/** Maximum number of notes in a row. */
const MAX_NOTES = 3;

export function withoutNotes(page: Page): Sung {
  if (page.isBlock) return { page, before: false, after: false };
  const pieces = piecesOf(page).sort((a, b) => a.left - b.left);
  let [first, last] = [0, pieces.length];
  while (first < last && first < MAX_NOTES && isNote(pieces[first], page.width)) first++;
  while (last > first && pieces.length - last < MAX_NOTES && isNote(pieces[last - 1], page.width)) last--;
  const gone = [...pieces.slice(0, first), ...pieces.slice(last)];
  if (gone.length === 0) return { page, before: false, after: false };
  const flags = { before: first > 0, after: last < pieces.length };
  if (first === last) return { page: undefined, ...flags };
  const pixels = page.pixels.slice();
  for (const { left, right, top, bottom } of gone) {
    // The soft edge of a note is removed with it.
    for (let y = Math.max(0, top - 2); y <= Math.min(page.height - 1, bottom + 2); y++)
      pixels.fill(255, y * page.width + Math.max(0, left - 2), y * page.width + Math.min(page.width, right + 3));
  }
  return { page: { ...page, pixels }, ...flags };
}

function piecesOf({ width, height, pixels }: Page): Piece[] {
  const isDone = new Uint8Array(pixels.length);
  const out: Piece[] = [];
  for (let from = 0; from < pixels.length; from++) {
    if (isDone[from] || (pixels[from] ?? 255) >= INK) continue;
    const piece: Piece = { pixels: [from], left: width, right: 0, top: height, bottom: 0 };
    isDone[from] = 1;
    for (let n = 0; n < piece.pixels.length; n++) {
      const at = piece.pixels[n] ?? 0;
      const y = Math.floor(at / width);
      const x = at - y * width;
      piece.left = Math.min(piece.left, x);
      piece.right = Math.max(piece.right, x);
      piece.top = Math.min(piece.top, y);
      piece.bottom = Math.max(piece.bottom, y);
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx;
          if (isDone[next] || (pixels[next] ?? 255) >= INK) continue;
          isDone[next] = 1;
          piece.pixels.push(next);
        }
      }
    }
    out.push(piece);
  }
  return out;
}

function isNote(piece: Piece | undefined, stride: number): boolean {
  if (!piece) return false;
  const [width, height] = [piece.right - piece.left + 1, piece.bottom - piece.top + 1];
  if (height < LETTER * 0.9 || height > LETTER * 2.6 || width < height * 0.3 || width > height * 0.95) return false;
  const rows: boolean[][] = Array.from({ length: height }, () => Array.from({ length: width }, () => false));
  for (const at of piece.pixels) {
    const row = rows[Math.floor(at / stride) - piece.top];
    if (row) row[(at % stride) - piece.left] = true;
  }
  const part = (from: number, to: number): boolean[][] =>
    rows.slice(Math.round(height * from), Math.round(height * to));
  const stem = stemOf(part(0.45, 0.62));
  if (!stem || stem.to - stem.from > width * 0.36) return false;
  const head = part(0.78, 1);
  const widest = Math.max(...head.map((row) => row.filter(Boolean).length));
  const [headLeft, headRight] = [inkIn(head, 0, stem.to), inkIn(head, stem.to + 2, width)];
  if (headRight > headLeft * 0.1 || widest < (stem.to - stem.from) * 2.6 || headLeft < head.length * widest * 0.67)
    return false;
  const neck = part(0, 0.62);
  // A letter that leans has its top where a note has its flag, so the stem must be upright all the way.
  const upright = part(0.08, 0.45).every((row) => row.slice(stem.from, stem.to).includes(true));
  const flag = inkIn(neck, stem.to + 1, width);
  return upright && inkIn(neck, 0, stem.from - 1) <= flag * 0.1 && flag >= neck.length;
}

/** Finds the first stroke from the left that crosses all these rows. */
function stemOf(rows: readonly boolean[][]): { from: number; to: number } | undefined {
  let [from, to] = [Infinity, 0];
  for (const row of rows) {
    const first = row.indexOf(true);
    if (first < 0) return undefined;
    const end = row.indexOf(false, first);
    [from, to] = [Math.min(from, first), Math.max(to, end < 0 ? row.length : end)];
  }
  return rows.length > 0 ? { from, to } : undefined;
}

const inkIn = (rows: readonly boolean[][], from: number, to: number): number =>
  rows.reduce((sum, row) => sum + row.slice(Math.max(0, from), Math.max(0, to)).filter(Boolean).length, 0);

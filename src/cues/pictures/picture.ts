/**
 * Picture subtitles in the form that both readers return: time and position of each, and its pixels on demand.
 *
 * Promises: times are whole ms from zero to 36 hours and `start < end`; pictures are in order of time; a picture lies
 * inside its frame. Pixels are decoded at each call and never kept, so a long film takes only its bytes. Hostile bytes
 * result in notes and fewer pictures; nothing here throws, and work grows with the input.
 */
import type { PictureDefect } from '../../contract/subtitles/draft-notes.ts';

export const PICTURE_LIMITS = {
  /** Maximum bytes of one file or track. A long film on Blu-ray has up to 60 MB. */
  bytes: 128 * 1024 * 1024,
  pictures: 20_000,
  /**
   * Pixels of all pictures of a track together. A film with 3,000 pictures as large as the screen has six thousand
   * million, and a million of them takes about 10 ms to read.
   */
  pixels: 8_000_000_000,
  /** Pixels on a side of a frame. */
  side: 4096,
  /** 36 hours in ms. */
  time: 36 * 3_600_000,
  /** Duration of a picture without an end, in ms. */
  unended: 5_000,
} as const;

export interface PictureFrame {
  width: number;
  height: number;
}

/** Pixels as indexes, row by row, into a palette of 256 colours of four bytes: red, green, blue, alpha. */
export interface Pixels extends PictureFrame {
  indexes: Uint8Array;
  palette: Uint8Array;
}

export interface Picture extends PictureFrame {
  start: number;
  end: number;
  /** The upper left corner in the frame. */
  x: number;
  y: number;
  /** Size of the video that it was drawn for. */
  frame: PictureFrame;
  /** Shown even when subtitles are off. */
  forced: boolean;
  /** Whether it repeats the picture before in other colours and without a gap: a step of a fade, or a highlight. */
  isRecoloured: boolean;
  pixels(): Pixels;
}

/** Defect of a file, with its number of occurrences. */
export interface PictureNote {
  defect: PictureDefect;
  count: number;
}

export interface PictureDocument {
  format: 'pgs' | 'vobsub';
  pictures: readonly Picture[];
  /** Defects that were corrected or left out, each mentioned once. */
  notes: readonly PictureNote[];
  /** A BCP 47 tag or ISO 639 code, where the source names one. */
  language?: string;
}

/** Collects notes: each defect once, with its number of occurrences. */
export function noteList(): { note(defect: PictureDefect): void; notes(): PictureNote[] } {
  const counts = new Map<PictureDefect, number>();
  return {
    note: (defect) => void counts.set(defect, (counts.get(defect) ?? 0) + 1),
    notes: () => [...counts].map(([defect, count]) => ({ defect, count })),
  };
}

/** Returns pixels in the form in which they are painted: four bytes each, red, green, blue, alpha. */
export function rgbaOf({ indexes, palette }: Pixels): Uint8Array {
  const colors = new Uint32Array(palette.buffer, palette.byteOffset, 256);
  const out = new Uint32Array(indexes.length);
  for (let at = 0; at < indexes.length; at++) out[at] = colors[indexes[at] ?? 0] ?? 0;
  return new Uint8Array(out.buffer);
}

/**
 * Joins the steps of fades and highlights: one picture over all steps, with the pixels of the step that is shown
 * longest, because people read that one.
 */
export function withoutFades(pictures: readonly Picture[]): Picture[] {
  const out: Picture[] = [];
  let longest = 0;
  for (const picture of pictures) {
    const last = out.at(-1);
    const length = picture.end - picture.start;
    if (!last || !picture.isRecoloured || last.end !== picture.start) {
      out.push(picture);
      longest = length;
      continue;
    }
    const shown = length > longest ? picture : last;
    longest = Math.max(longest, length);
    out[out.length - 1] = {
      ...shown,
      start: last.start,
      end: picture.end,
      isRecoloured: false,
      forced: last.forced || picture.forced,
    };
  }
  return out;
}

/** Returns the pictures up to the limit of all pixels of a track, so that the time to read it is bounded as a whole. */
export function withinPixelLimit(pictures: readonly Picture[]): readonly Picture[] {
  let pixels = 0;
  const beyond = pictures.findIndex(({ width, height }) => (pixels += width * height) > PICTURE_LIMITS.pixels);
  return beyond < 0 ? pictures : pictures.slice(0, beyond);
}

export const isSize = (width: number, height: number): boolean =>
  width > 0 && height > 0 && width <= PICTURE_LIMITS.side && height <= PICTURE_LIMITS.side;

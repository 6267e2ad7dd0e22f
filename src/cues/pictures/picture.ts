/**
 * Subtitles that are pictures, as both readers give them: when and where each is shown, and its pixels when asked.
 *
 * Promises: times are whole ms from zero to 36 hours and `start < end`; pictures stand in order of time; a
 * picture lies inside its frame. Pixels are decoded at each call and never kept, so a long film costs its bytes.
 * Hostile bytes give notes and fewer pictures; nothing here throws, and work grows with the input.
 */

export const PICTURE_LIMITS = {
  /** Bytes of one file or track. A long film on Blu-ray has up to 60 MB. */
  bytes: 128 * 1024 * 1024,
  pictures: 20_000,
  /** Pixels on a side of a frame. */
  side: 4096,
  /** 36 hours in ms. */
  time: 36 * 3_600_000,
  /** How long a picture stands that nothing ends, in ms. */
  unended: 5_000,
} as const;

export interface PictureFrame {
  width: number;
  height: number;
}

/** One number a pixel, row by row, into a palette of 256 colours of four bytes: red, green, blue, alpha. */
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
  /** The size of the video that it was drawn for. */
  frame: PictureFrame;
  /** To be shown even when subtitles are off. */
  forced: boolean;
  /** The drawing of the picture before in other colours and without a gap: a step of a fade, or a highlight. */
  isRecoloured: boolean;
  pixels(): Pixels;
}

export interface PictureDocument {
  format: 'pgs' | 'vobsub';
  pictures: readonly Picture[];
  /** What was mended or left out, in words, each said once. */
  notes: readonly string[];
  /** A BCP 47 tag or ISO 639 code, where the source names one. */
  language?: string;
}

/** Says each thing once, with how often it was seen. */
export function noteList(): { note(words: string): void; notes(): string[] } {
  const counts = new Map<string, number>();
  return {
    note: (words) => void counts.set(words, (counts.get(words) ?? 0) + 1),
    notes: () => [...counts].map(([words, count]) => (count === 1 ? words : `${words} (${count} times)`)),
  };
}

/** Pixels as they would be painted: four bytes each, red, green, blue, alpha. */
export function rgbaOf({ indexes, palette }: Pixels): Uint8Array {
  const colors = new Uint32Array(palette.buffer, palette.byteOffset, 256);
  const out = new Uint32Array(indexes.length);
  for (let at = 0; at < indexes.length; at++) out[at] = colors[indexes[at] ?? 0] ?? 0;
  return new Uint8Array(out.buffer);
}

/**
 * Fades and highlights as one picture each: it spans all steps and has the pixels of the step that stands longest,
 * which is the one people read.
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

export const isSize = (width: number, height: number): boolean =>
  width > 0 && height > 0 && width <= PICTURE_LIMITS.side && height <= PICTURE_LIMITS.side;

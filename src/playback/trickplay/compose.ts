/**
 * Puts small pictures on sheets and encodes them as JPEG, as they come.
 *
 * One sheet of raw pictures is held at a time (17 MiB). The encoder works in the thread pool.
 */
import type { ChosenPicture } from './choose.ts';
import { SHEET } from './geometry.ts';

const QUALITY = 72;
const CHANNELS = 3;
const TILES = SHEET * SHEET;

export interface Composer {
  /** Takes a picture of packed RGB: it is put on the sheet and kept for chapters as it was chosen. */
  add(pixels: Buffer, time: number, chosen: ChosenPicture): Promise<void>;
  end(): Promise<{ sheets: Uint8Array[]; times: number[]; chapters: (Uint8Array | undefined)[] }>;
}

export function createComposer({
  width,
  height,
  chapters,
}: {
  width: number;
  height: number;
  chapters: number;
}): Composer {
  const sheets: Uint8Array[] = [];
  const times: number[] = [];
  const pictures: (Uint8Array | undefined)[] = Array.from({ length: chapters }, () => undefined);
  let sheet = Buffer.alloc(0);

  const encode = async (): Promise<void> => {
    const count = times.length - sheets.length * TILES;
    if (count === 0) return;
    const rows = Math.ceil(count / SHEET);
    sheets.push(
      await jpegOf(sheet.subarray(0, rows * SHEET * width * height * CHANNELS), width * SHEET, rows * height),
    );
  };
  const place = (pixels: Buffer): void => {
    const at = (times.length - 1) % TILES;
    if (at === 0) sheet = Buffer.alloc(TILES * width * height * CHANNELS);
    const [left, top] = [(at % SHEET) * width, Math.floor(at / SHEET) * height];
    const line = width * CHANNELS;
    for (let y = 0; y < height; y++)
      pixels.copy(sheet, ((top + y) * width * SHEET + left) * CHANNELS, y * line, (y + 1) * line);
  };

  return {
    add: async (pixels, time, chosen) => {
      if (chosen.chapters.length > 0) {
        const picture = await jpegOf(pixels, width, height);
        for (const number of chosen.chapters) pictures[number] = picture;
      }
      if (!chosen.isTile) return;
      times.push(time);
      place(pixels);
      if (times.length % TILES === 0) await encode();
    },
    end: async () => {
      if (times.length > sheets.length * TILES) await encode();
      sheet = Buffer.alloc(0);
      return { sheets, times, chapters: pictures };
    },
  };
}

type Sharp = typeof import('sharp').default;
let loading: Promise<Sharp> | undefined;
/** The picture library is loaded with the first sheet, and works on one core. */
async function jpegOf(raw: Buffer, width: number, height: number): Promise<Uint8Array> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  const sharp = await loading;
  return sharp(raw, { raw: { width, height, channels: CHANNELS } })
    .jpeg({ quality: QUALITY })
    .timeout({ seconds: 60 })
    .toBuffer();
}

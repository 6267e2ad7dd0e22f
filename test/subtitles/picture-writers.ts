/**
 * Writes picture subtitles for tests: text drawn in letters with an outline, as a PGS `.sup` or a VobSub pair.
 *
 * Written from the formats' descriptions and on its own, so that the readers are not tested against themselves;
 * the tests also let ffmpeg and mkvmerge read what is written here.
 */
import sharp from 'sharp';

/** A drawing: per pixel how much of it is there (0..15) and how much of that is letter rather than outline (0..15). */
export interface Drawing {
  width: number;
  height: number;
  cover: Uint8Array;
  fill: Uint8Array;
}
export interface ShownPicture {
  /** ms */
  start: number;
  end: number;
  drawing: Drawing;
  x: number;
  y: number;
  forced?: boolean;
}
export interface Size {
  width: number;
  height: number;
}
type Rgb = readonly [number, number, number];

/** Draws lines of text in a DejaVu face. `outline` is in pixels. */
export async function draw(
  text: string,
  {
    size = 48,
    outline = 3,
    face = 'DejaVu Sans',
    isBold = false,
    isItalic = false,
  }: { size?: number; outline?: number; face?: string; isBold?: boolean; isItalic?: boolean } = {},
): Promise<Drawing> {
  const lines = text.split('\n');
  const width = 2 * Math.ceil((Math.max(...lines.map((line) => line.length)) * size * 0.75 + 40) / 2);
  const height = 2 * Math.ceil((lines.length * size * 1.3 + 20) / 2);
  const escape = (line: string): string =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const layer = async (stroke: number): Promise<Buffer> => {
    const style =
      `font-family="${face}" font-size="${size}" ${isBold ? 'font-weight="bold"' : ''} ` +
      `${isItalic ? 'font-style="italic"' : ''} text-anchor="middle" fill="#fff" stroke="#fff" ` +
      `stroke-width="${stroke}" stroke-linejoin="round"`;
    const rows = lines
      .map((line, n) => `<text x="${width / 2}" y="${size * 1.1 + n * size * 1.3}" ${style}>${escape(line)}</text>`)
      .join('');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rows}</svg>`;
    return sharp(Buffer.from(svg)).ensureAlpha().extractChannel(3).raw().toBuffer();
  };
  const letters = await layer(0);
  const whole = outline > 0 ? await layer(outline * 2) : letters;
  const cover = Uint8Array.from(whole, (alpha) => Math.round(alpha / 17));
  const fill = Uint8Array.from(letters, (alpha, at) =>
    Math.min(15, Math.round((alpha / Math.max(1, whole[at] ?? 0)) * 15)),
  );
  return trimmed({ width, height, cover, fill });
}

/** Cut to what is drawn. */
function trimmed({ width, height, cover, fill }: Drawing): Drawing {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let at = 0; at < cover.length; at++) {
    if (!cover[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  const size = { width: right - left + 1, height: bottom - top + 1 };
  const cut = (from: Uint8Array): Uint8Array =>
    Uint8Array.from(
      { length: size.width * size.height },
      (_, at) => from[(top + Math.floor(at / size.width)) * width + left + (at % size.width)] ?? 0,
    );
  return { ...size, cover: cut(cover), fill: cut(fill) };
}

const u16 = (value: number): number[] => [value >> 8, value & 255];
const u24 = (value: number): number[] => [value >> 16, ...u16(value & 0xffff)];
const u32 = (value: number): number[] => [...u16(Math.floor(value / 65_536)), ...u16(value % 65_536)];

/** One PGS segment with its `PG` header. `at` is in ms. */
export function segment(type: number, at: number, body: ArrayLike<number>): Buffer {
  return Buffer.concat([
    Buffer.from([0x50, 0x47, ...u32(at * 90), ...u32(0), type, ...u16(body.length)]),
    Buffer.from(Uint8Array.from(body)),
  ]);
}

export interface PgsObject {
  id: number;
  x: number;
  y: number;
  forced?: boolean;
  crop?: { x: number; y: number; width: number; height: number };
}
export const composition = (
  size: Size,
  {
    number,
    state,
    palette = 0,
    isPaletteOnly = false,
    objects,
  }: {
    number: number;
    state: 0 | 0x40 | 0x80;
    palette?: number;
    isPaletteOnly?: boolean;
    objects: readonly PgsObject[];
  },
): number[] => [
  ...u16(size.width),
  ...u16(size.height),
  0x10,
  ...u16(number),
  state,
  isPaletteOnly ? 0x80 : 0,
  palette,
  objects.length,
  ...objects.flatMap(({ id, x, y, forced, crop }) => [
    ...u16(id),
    0,
    (forced === true ? 0x40 : 0) | (crop ? 0x80 : 0),
    ...u16(x),
    ...u16(y),
    ...(crop ? [crop.x, crop.y, crop.width, crop.height].flatMap(u16) : []),
  ]),
];

/**
 * 256 colours: sixteen steps of cover by sixteen from outline to letter; 0 is nothing. Video range, BT.709 or BT.601.
 */
export function palette(letter: Rgb, outline: Rgb, isHigh: boolean, id = 0): number[] {
  const [kr, kb] = isHigh ? [0.2126, 0.0722] : [0.299, 0.114];
  const out = [id, 0];
  for (let n = 1; n < 256; n++) {
    const mix = (n & 15) / 15;
    const [r = 0, g = 0, b = 0] = letter.map((value, at) => (value * mix + (outline[at] ?? 0) * (1 - mix)) / 255);
    const y = kr * r + (1 - kr - kb) * g + kb * b;
    out.push(
      n,
      Math.round(16 + 219 * y),
      Math.round(128 + (112 * (r - y)) / (1 - kr)),
      Math.round(128 + (112 * (b - y)) / (1 - kb)),
      (n >> 4) * 17,
    );
  }
  return out;
}

const colorOf = ({ cover, fill }: Drawing, at: number): number =>
  cover[at] ? ((cover[at] ?? 0) << 4) | (fill[at] ?? 0) : 0;

/** The run-length code of PGS. */
export function pgsRle(drawing: Drawing): number[] {
  const out: number[] = [];
  for (let y = 0; y < drawing.height; y++) {
    for (let x = 0; x < drawing.width;) {
      const color = colorOf(drawing, y * drawing.width + x);
      let run = 1;
      while (x + run < drawing.width && run < 16_383 && colorOf(drawing, y * drawing.width + x + run) === color) run++;
      x += run;
      if (color !== 0 && run < 3) out.push(...Array.from({ length: run }, () => color));
      else
        out.push(
          0,
          (run > 63 ? 0x40 | (run >> 8) : run) | (color ? 0x80 : 0),
          ...(run > 63 ? [run & 255] : []),
          ...(color ? [color] : []),
        );
    }
    out.push(0, 0);
  }
  return out;
}

/** The segments of an object, in as many pieces as `most` bytes ask for. */
export function objectSegments(id: number, at: number, drawing: Drawing, most = 65_000): Buffer[] {
  const data = [...u16(drawing.width), ...u16(drawing.height), ...pgsRle(drawing)];
  const out: Buffer[] = [];
  for (let from = 0; from < data.length; from += most) {
    const flags = (from === 0 ? 0x80 : 0) | (from + most >= data.length ? 0x40 : 0);
    out.push(
      segment(0x15, at, [
        ...u16(id),
        0,
        flags,
        ...(from === 0 ? u24(data.length) : []),
        ...data.slice(from, from + most),
      ]),
    );
  }
  return out;
}

const window = ({ x, y, drawing }: ShownPicture): number[] => [
  1,
  0,
  ...u16(x),
  ...u16(y),
  ...u16(drawing.width),
  ...u16(drawing.height),
];

/** A whole `.sup`: each picture a separate epoch, ended by an empty composition. */
export function sup(
  shown: readonly ShownPicture[],
  size: Size,
  {
    letter = [255, 255, 255],
    outline = [0, 0, 0],
    piece = 65_000,
  }: { letter?: Rgb; outline?: Rgb; piece?: number } = {},
): Buffer {
  const colors = palette(letter, outline, size.height > 576);
  return Buffer.concat(
    shown.flatMap((one, n) => [
      segment(
        0x16,
        one.start,
        composition(size, {
          number: n * 2,
          state: 0x80,
          objects: [{ id: 0, x: one.x, y: one.y, forced: one.forced === true }],
        }),
      ),
      segment(0x17, one.start, window(one)),
      segment(0x14, one.start, colors),
      ...objectSegments(0, one.start, one.drawing, piece),
      segment(0x80, one.start, []),
      segment(0x16, one.end, composition(size, { number: n * 2 + 1, state: 0, objects: [] })),
      segment(0x17, one.end, window(one)),
      segment(0x80, one.end, []),
    ]),
  );
}

/** The pixel of a DVD picture: nothing, letter, outline, or what is between them. */
const dvdColor = ({ cover, fill }: Drawing, at: number): number =>
  (cover[at] ?? 0) < 6 ? 0 : (fill[at] ?? 0) >= 11 ? 1 : (fill[at] ?? 0) <= 4 ? 2 : 3;

function dvdField(drawing: Drawing, first: number): number[] {
  const nibbles: number[] = [];
  for (let y = first; y < drawing.height; y += 2) {
    for (let x = 0; x < drawing.width;) {
      const color = dvdColor(drawing, y * drawing.width + x);
      let run = 1;
      while (x + run < drawing.width && dvdColor(drawing, y * drawing.width + x + run) === color) run++;
      const isRest = x + run === drawing.width && run > 63;
      if (!isRest) run = Math.min(255, run);
      const code = isRest ? color : (run << 2) | color;
      for (let digits = isRest || run > 63 ? 4 : run > 15 ? 3 : run > 3 ? 2 : 1; digits > 0; digits--)
        nibbles.push((code >> ((digits - 1) * 4)) & 15);
      x += run;
    }
    if (nibbles.length % 2) nibbles.push(0);
  }
  return Array.from({ length: nibbles.length / 2 }, (_, n) => ((nibbles[n * 2] ?? 0) << 4) | (nibbles[n * 2 + 1] ?? 0));
}

/**
 * One sub-picture unit, shown at once and, unless `isEndless`, for as long as it says. Colours 0 to 3 of the palette.
 */
export function subPicture({ start, end, drawing, x, y, forced }: ShownPicture, isEndless = false): number[] {
  const fields = [dvdField(drawing, 0), dvdField(drawing, 1)] as const;
  const control = 4 + fields[0].length + fields[1].length;
  const pair = (a: number, b: number): number[] => u24((a << 12) | b);
  const stop = Math.round(((end - start) * 90) / 1024);
  const first = [
    forced === true ? 0 : 1,
    3,
    0x32,
    0x10,
    4,
    0xff,
    0xf0,
    5,
    ...pair(x, x + drawing.width - 1),
    ...pair(y, y + drawing.height - 1),
    6,
    ...u16(4),
    ...u16(4 + fields[0].length),
    0xff,
  ];
  const last = control + 4 + first.length;
  const chain = isEndless
    ? [...u16(0), ...u16(control), ...first]
    : [...u16(0), ...u16(last), ...first, ...u16(stop), ...u16(last), 2, 0xff];
  return [...u16(control + chain.length), ...u16(control), ...fields[0], ...fields[1], ...chain];
}

/** A pack of 2,048 bytes with one packet of private stream 1, filled up with padding. */
function pack(stream: number, data: readonly number[], time: number | undefined): Buffer {
  const clock = (time ?? 0) * 90;
  const stamp =
    time === undefined
      ? []
      : [
          0x21 | (Math.floor(clock / 2 ** 30) << 1),
          ...u16((Math.floor(clock / 2 ** 15) % 2 ** 15) * 2 + 1),
          ...u16((clock % 2 ** 15) * 2 + 1),
        ];
  const head = [0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1, 0, 0, 3, 0xf8];
  const packet = [0x81, time === undefined ? 0 : 0x80, stamp.length, ...stamp, stream, ...data];
  const out = [...head, 0, 0, 1, 0xbd, ...u16(packet.length), ...packet];
  const left = 2048 - out.length;
  if (left >= 6) out.push(0, 0, 1, 0xbe, ...u16(left - 6));
  return Buffer.concat([Buffer.from(out), Buffer.alloc(Math.max(0, 2048 - out.length), 0xff)]);
}
const PACK_DATA = 2048 - 14 - 6 - 3 - 5 - 1 - 6;

export interface VobSubLanguage {
  language: string;
  shown: readonly ShownPicture[];
  /** Written before the first time, as `-00:00:01:500`. */
  delay?: string;
}

/** A VobSub pair. The pictures of all languages follow each other; `shuffle` mixes their packs. */
export function vobSub(
  languages: readonly VobSubLanguage[],
  size: Size,
  {
    letter = 'ffffff',
    outline = '000000',
    isEndless = false,
  }: { letter?: string; outline?: string; isEndless?: boolean } = {},
): { idx: string; sub: Buffer } {
  const packs: Buffer[] = [];
  const blocks = languages.map(({ language, shown, delay }, number) => {
    const times = shown.map((one) => {
      const position = packs.length * 2048;
      const unit = subPicture(one, isEndless);
      for (let from = 0; from < unit.length; from += PACK_DATA)
        packs.push(pack(0x20 + number, unit.slice(from, from + PACK_DATA), from === 0 ? one.start : undefined));
      return `timestamp: ${stamp(one.start)}, filepos: ${position.toString(16).padStart(9, '0')}`;
    });
    return [`id: ${language}, index: ${number}`, ...(delay === undefined ? [] : [`delay: ${delay}`]), ...times].join(
      '\n',
    );
  });
  const grey = Array.from({ length: 12 }, () => '808080').join(', ');
  const head = [
    '# VobSub index file, v7 (do not modify this line!)',
    `size: ${size.width}x${size.height}`,
    'org: 0, 0',
    'scale: 100%, 100%',
    'alpha: 100%',
    'forced subs: OFF',
    `palette: 000000, ${letter}, ${outline}, 808080, ${grey}`,
    'custom colors: OFF, tridx: 0000, colors: 000000, 000000, 000000, 000000',
    'langidx: 0',
    '',
  ];
  return { idx: `${[...head, ...blocks].join('\n')}\n`, sub: Buffer.concat(packs) };
}

function stamp(ms: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return (
    `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}:` +
    `${String(ms % 1000).padStart(3, '0')}`
  );
}

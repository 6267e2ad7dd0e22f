/** Pictures for tests, made byte by byte where no library writes them: raw files, HEIC, CR3, motion photos. */
import sharp from 'sharp';

/** Facts that a camera writes. */
export interface CameraFacts {
  orientation?: number;
  original?: string;
  offset?: string;
  /** UTC of the satellites. */
  gps?: { day: string; time: readonly [number, number, number] };
  place?: boolean;
  camera?: string;
  /** Identifier of a live photo, in the notes of an Apple camera. */
  pair?: string;
}

type Value = string | number | readonly (readonly [number, number])[];
type Tags = Readonly<Record<number, Value>>;
const SHORTS = new Set([0x112, 0x103, 0x106]);

/** Writes little-endian directories one after another. A function as a value receives where each directory begins. */
export function tiffBlock(
  directories: readonly Readonly<Record<number, Value | ((at: readonly number[]) => number)>>[],
): Buffer {
  const dataOf = (value: Value): Buffer => {
    if (typeof value === 'string') return Buffer.from(`${value}\0`);
    if (typeof value === 'number') return Buffer.alloc(0);
    const out = Buffer.alloc(value.length * 8);
    value.forEach(([over, under], i) => {
      out.writeUInt32LE(over, i * 8);
      out.writeUInt32LE(under, i * 8 + 4);
    });
    return out;
  };
  const sizes = directories.map((tags) => {
    const data = Object.values(tags).reduce((sum: number, value) => {
      const length = typeof value === 'function' ? 0 : dataOf(value).length;
      return sum + (length > 4 ? length : 0);
    }, 0);
    return 2 + Object.keys(tags).length * 12 + 4 + data;
  });
  const starts = sizes.map((_, i) => 8 + sizes.slice(0, i).reduce((a, b) => a + b, 0));
  const out = Buffer.alloc(8 + sizes.reduce((a, b) => a + b, 0));
  out.write('II*\0', 'latin1');
  out.writeUInt32LE(8, 4);
  directories.forEach((tags, n) => {
    const start = starts[n] ?? 0;
    const entries = Object.entries(tags);
    out.writeUInt16LE(entries.length, start);
    let data = start + 2 + entries.length * 12 + 4;
    entries.forEach(([tag, given], i) => {
      const value = typeof given === 'function' ? given(starts) : given;
      const at = start + 2 + i * 12;
      const bytes = dataOf(value);
      const isShort = SHORTS.has(Number(tag));
      out.writeUInt16LE(Number(tag), at);
      out.writeUInt16LE(typeof value === 'string' ? 2 : typeof value === 'number' ? (isShort ? 3 : 4) : 5, at + 2);
      out.writeUInt32LE(
        typeof value === 'string' ? bytes.length : typeof value === 'number' ? 1 : value.length,
        at + 4,
      );
      if (typeof value === 'number') {
        if (isShort) out.writeUInt16LE(value, at + 8);
        else out.writeUInt32LE(value, at + 8);
      } else if (bytes.length <= 4) bytes.copy(out, at + 8);
      else {
        out.writeUInt32LE(data, at + 8);
        bytes.copy(out, data);
        data += bytes.length;
      }
    });
  });
  return out;
}

const gpsTags = ({ gps, place }: CameraFacts): Tags => ({
  ...(place === true && {
    1: 'N',
    2: [
      [48, 1],
      [8, 1],
      [60, 10],
    ] as const,
    3: 'W',
    4: [
      [11, 1],
      [30, 1],
      [0, 1],
    ] as const,
  }),
  ...(gps && { 7: gps.time.map((part) => [part, 1] as const), 29: gps.day }),
});

/** Returns EXIF as cameras write it. */
/**
 * Notes of an Apple camera: a big-endian directory with one text of more than three characters, whose offsets count
 * from the notes.
 */
function appleNotes(pair: string): string {
  const numbers = Buffer.alloc(18);
  numbers.writeUInt16BE(1, 0);
  numbers.writeUInt16BE(0x11, 2);
  numbers.writeUInt16BE(2, 4);
  numbers.writeUInt32BE(pair.length + 1, 6);
  numbers.writeUInt32BE(32, 10);
  return `Apple iOS\0\0\u0001MM${numbers.toString('latin1')}${pair}`;
}

export function exifOf(taken: CameraFacts): Buffer {
  const { orientation, original, offset, camera, pair } = taken;
  return tiffBlock([
    {
      ...(camera !== undefined && { 0x10f: 'Ricoh', 0x110: camera }),
      ...(orientation !== undefined && { 0x112: orientation }),
      0x8769: (at) => at[1] ?? 0,
      0x8825: (at) => at[2] ?? 0,
    },
    {
      0x829a: [[1, 250]],
      0x829d: [[28, 10]],
      ...(original !== undefined && { 0x9003: original }),
      ...(offset !== undefined && { 0x9011: offset }),
      ...(pair !== undefined && { 0x927c: appleNotes(pair) }),
    },
    gpsTags(taken),
  ]);
}

const segment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

/** A picture of four quarters, red green over blue white, so that every turn of it is another one. */
export async function quarters(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [right, low] = [x * 2 >= width, y * 2 >= height];
      const colour = low ? (right ? [255, 255, 255] : [0, 0, 255]) : right ? [0, 255, 0] : [255, 0, 0];
      pixels.set(colour, (y * width + x) * 3);
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Puts EXIF, XMP and bytes at the end into a JPEG file. */
export function jpegWith(jpeg: Buffer, { exif, xmp, end }: { exif?: Buffer; xmp?: string; end?: Buffer }): Buffer {
  return Buffer.concat([
    jpeg.subarray(0, 2),
    ...(exif ? [segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif]))] : []),
    ...(xmp === undefined ? [] : [segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`))]),
    jpeg.subarray(2),
    ...(end ? [end] : []),
  ]);
}

export const motionXmp = (length: number): string =>
  `<x:xmpmeta><rdf:Description GCamera:MotionPhoto="1"><Container:Directory><rdf:Seq>` +
  `<Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary" Item:Length="0"/>` +
  `<Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" Item:Length="${length}" Item:Padding="0"/>` +
  `</rdf:Seq></Container:Directory></rdf:Description></x:xmpmeta>`;

/** A raw file: its first directory has a small preview, one below it the large one, another the raw data. */
export function rawFile(taken: CameraFacts, { small, large }: { small: Buffer; large: Buffer }): Buffer {
  const make = (from: number): Buffer =>
    tiffBlock([
      {
        ...(taken.camera !== undefined && { 0x10f: 'Ricoh', 0x110: taken.camera }),
        0x112: taken.orientation ?? 1,
        0x14a: (at) => at[1] ?? 0,
        0x201: from,
        0x202: small.length,
        0x8769: (at) => at[2] ?? 0,
        0xc612: 1,
      },
      { 0x100: 6000, 0x101: 4000, 0x106: 32803, 0x201: from + small.length, 0x202: large.length },
      { ...(taken.original !== undefined && { 0x9003: taken.original }) },
    ]);
  return Buffer.concat([make(make(0).length), small, large]);
}

export const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const u16 = (value: number): Buffer => bytes(value >> 8, value & 255);
const u32 = (value: number): Buffer => {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value);
  return out;
};

/** A HEIC file of one coded picture, with EXIF, a turn of so many quarters counterclockwise and a colour profile. */
export function heicFile(
  { width, height, hvcC, sample }: { width: number; height: number; hvcC: Buffer; sample: Buffer },
  { exif, quarterTurns = 0, profile }: { exif?: Buffer; quarterTurns?: number; profile?: Buffer } = {},
): Buffer {
  const block = exif ? Buffer.concat([u32(0), exif]) : Buffer.alloc(0);
  const make = (from: number): Buffer => {
    const infe = (id: number, type: string) =>
      box('infe', bytes(2, 0, 0, 0), u16(id), u16(0), Buffer.from(`${type}\0`));
    const place = (id: number, at: number, size: number) =>
      Buffer.concat([u16(id), u16(0), u16(1), u32(at), u32(size)]);
    const properties = [
      box('hvcC', hvcC),
      box('ispe', u32(0), u32(width), u32(height)),
      box('irot', bytes(quarterTurns)),
      ...(profile ? [box('colr', Buffer.from('prof'), profile)] : []),
    ];
    const own = properties.map((_, i) => (i + 1) | (i === 0 || i === 2 ? 0x80 : 0));
    return Buffer.concat([
      box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic')),
      box(
        'meta',
        u32(0),
        box('hdlr', u32(0), u32(0), Buffer.from('pict'), Buffer.alloc(13)),
        box('pitm', u32(0), u16(1)),
        box('iinf', u32(0), u16(exif ? 2 : 1), infe(1, 'hvc1'), ...(exif ? [infe(2, 'Exif')] : [])),
        box('iprp', box('ipco', ...properties), box('ipma', u32(0), u32(1), u16(1), bytes(own.length, ...own))),
        box(
          'iloc',
          bytes(0, 0, 0, 0, 0x44, 0),
          u16(exif ? 2 : 1),
          place(1, from, sample.length),
          ...(exif ? [place(2, from + sample.length, block.length)] : []),
        ),
      ),
    ]);
  };
  return Buffer.concat([make(make(0).length + 8), box('mdat', sample, block)]);
}

/** A CR3 file: EXIF in boxes, and a JPEG picture as the first sample of the first track. */
export function cr3File(taken: CameraFacts, jpeg: Buffer): Buffer {
  const uuid = Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex');
  const make = (from: number): Buffer =>
    Buffer.concat([
      box('ftyp', Buffer.from('crx '), u32(1), Buffer.from('crx isom')),
      box(
        'moov',
        box(
          'uuid',
          uuid,
          box('CMT1', tiffBlock([{ 0x10f: 'Ricoh', 0x110: taken.camera ?? 'R', 0x112: taken.orientation ?? 1 }])),
          box('CMT2', tiffBlock([{ ...(taken.original !== undefined && { 0x9003: taken.original }) }])),
          box('CMT4', tiffBlock([gpsTags(taken)])),
        ),
        box(
          'trak',
          box(
            'mdia',
            box(
              'minf',
              box(
                'stbl',
                box('stsz', u32(0), u32(jpeg.length), u32(1)),
                box('co64', u32(0), u32(1), u32(0), u32(from)),
              ),
            ),
          ),
        ),
      ),
    ]);
  return Buffer.concat([make(make(0).length + 8), box('mdat', jpeg)]);
}

/** A Fujifilm raw file: a header that has the place of a full JPEG file. */
export function fujiFile(jpeg: Buffer): Buffer {
  const head = Buffer.alloc(160);
  head.write('FUJIFILMCCD-RAW 0201', 'latin1');
  head.writeUInt32BE(head.length, 84);
  head.writeUInt32BE(jpeg.length, 88);
  return Buffer.concat([head, jpeg]);
}

/** Returns a HEIC file with another box in the place of the first one of its type, inside the table of pictures. */
export function withBox(heic: Buffer, type: string, ...parts: readonly Buffer[]): Buffer {
  const replacement = box(type, ...parts);
  const [at, meta] = [heic.indexOf(type) - 4, heic.indexOf('meta') - 4];
  const size = heic.readUInt32BE(at);
  const out = Buffer.concat([heic.subarray(0, at), replacement, heic.subarray(at + size)]);
  out.writeUInt32BE(heic.readUInt32BE(meta) + replacement.length - size, meta);
  return out;
}

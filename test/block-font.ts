/**
 * A TrueType font made from nothing, in which the letter B is a full square: what is drawn in it cannot be mistaken for
 * another face.
 */

const EM = 1000;
const LETTER = 0x42;

const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => bytes.writeUInt16BE(value & 0xffff, at * 2));
  return bytes;
};
const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeUInt32BE(value >>> 0, at * 4));
  return bytes;
};

/** Glyph 1: a square from the baseline to the top of the em, as one contour of four points. */
const SQUARE = Buffer.concat([
  u16(1, 0, 0, EM, EM, 3, 0),
  Buffer.from([1, 1, 1, 1]),
  u16(0, 0, EM, 0),
  u16(0, EM, 0, -EM),
]);

function names(family: string): Buffer {
  const records = [
    [1, family],
    [2, 'Regular'],
    [3, family],
    [4, family],
    [6, family.replaceAll(' ', '')],
  ] as const;
  const texts = records.map(([, text]) => Buffer.from(text, 'utf16le').swap16());
  let at = 0;
  const table = records.map(([id], i) => {
    const length = texts[i]?.length ?? 0;
    const record = u16(3, 1, 0x409, id, length, at);
    at += length;
    return record;
  });
  return Buffer.concat([u16(0, records.length, 6 + records.length * 12), ...table, ...texts]);
}

/** Returns the bytes of the font. */
export function makeBlockFont(family: string): Buffer {
  const tables: Record<string, Buffer> = {
    'OS/2': Buffer.concat([
      u16(4, EM, 400, 5, 0, 650, 700, 0, 140, 650, 700, 0, 480, 50, 250, 0),
      Buffer.alloc(10),
      u32(1, 0, 0, 0),
      Buffer.from('TEST'),
      u16(0x40, LETTER, LETTER, EM, 0, 0, EM, 0),
      u32(1, 0),
      u16(500, 700, 0, LETTER, 0),
    ]),
    cmap: Buffer.concat([
      u16(0, 1, 3, 1),
      u32(12),
      u16(4, 32, 0, 4, 4, 1, 0, LETTER, 0xffff, 0, LETTER, 0xffff, 1 - LETTER, 1, 0, 0),
    ]),
    glyf: SQUARE,
    head: Buffer.concat([
      u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
      u16(3, EM),
      u32(0, 0, 0, 0),
      u16(0, 0, EM, EM, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([u32(0x10000), u16(EM, 0, 0, EM, 0, 0, EM, 1, 0, 0, 0, 0, 0, 0, 0, 2)]),
    hmtx: u16(EM, 0, EM, 0),
    loca: u32(0, 0, SQUARE.length),
    maxp: Buffer.concat([u32(0x10000), u16(2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)]),
    name: names(family),
    post: u32(0x30000, 0, 0, 0, 0, 0, 0, 0),
  };
  const tags = Object.keys(tables);
  let at = 12 + tags.length * 16;
  const rows: Buffer[] = [];
  const bodies: Buffer[] = [];
  for (const tag of tags) {
    const table = tables[tag] ?? Buffer.alloc(0);
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    let sum = 0;
    for (let i = 0; i < padded.length; i += 4) sum = (sum + padded.readUInt32BE(i)) >>> 0;
    rows.push(Buffer.from(tag), u32(sum, at, table.length));
    bodies.push(padded);
    at += padded.length;
  }
  return Buffer.concat([u32(0x10000), u16(tags.length, 128, 3, tags.length * 16 - 128), ...rows, ...bodies]);
}

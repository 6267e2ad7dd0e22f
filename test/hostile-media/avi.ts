/** AVI: chunks and indexes without an end, and sizes that lie. */
import { FAR_BYTES, filesOf, type HostileFile, many } from './files.ts';

export function hostileAvi(clip: Buffer): HostileFile[] {
  const file = filesOf('avi');
  const withAll = (id: string, value: number, offset: number): Buffer => {
    const bytes = Buffer.from(clip);
    for (let at = bytes.indexOf(id); at >= 0 && at + offset + 4 <= bytes.length; at = bytes.indexOf(id, at + 4))
      bytes.writeUInt32LE(value >>> 0, at + offset);
    return bytes;
  };
  const table = Buffer.from(clip);
  const index = table.indexOf('idx1');
  if (index > 0) table.fill(0xff, index + 8);
  return [
    file('riff-size', withAll('RIFF', 0, 4)),
    file('riff-largest', withAll('RIFF', 0xffffffff, 4)),
    file('list-largest', withAll('LIST', 0xffffffff, 4)),
    file('list-zero', withAll('LIST', 0, 4)),
    file('format-largest', withAll('strf', 0xffffffff, 4)),
    file('index-largest', withAll('idx1', 0xffffffff, 4)),
    file('rate-zero', withAll('strh', 0, 8 + 20)),
    file('scale-zero', withAll('strh', 0, 8 + 24)),
    file('length-largest', withAll('strh', 0xffffffff, 8 + 32)),
    file('index-beyond', table),
    file('far', clip, FAR_BYTES),
    file('cut', clip.subarray(0, clip.length >> 1)),
    ...rows(clip).map(({ name, bytes, size }) => file(name, bytes, size)),
  ];
}

const u32le = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32LE(value >>> 0, i * 4));
  return bytes;
};
const riff = (id: string, body: Uint8Array, size = body.length): Buffer =>
  Buffer.concat([Buffer.from(id, 'latin1'), u32le(size), body]);

/** Rows of chunks and indexes without an end, behind the header of an ordinary file. */
function rows(clip: Buffer): { name: string; bytes: Buffer; size?: number }[] {
  const movi = clip.indexOf('movi');
  const head = Buffer.from(clip.subarray(0, movi + 4));
  // A list without a size, as recorders leave it.
  head.writeUInt32LE(0, movi - 4);
  const first = clip.subarray(movi + 4, movi + 4 + 8 + clip.readUInt32LE(movi + 8));
  const withIndex = (table: Buffer): Buffer => {
    const bytes = Buffer.from(clip);
    const place = bytes.indexOf('JUNK');
    bytes.write('indx', place, 'latin1');
    table.copy(bytes, place + 8, 0, Math.min(table.length, bytes.readUInt32LE(place + 4)));
    return bytes;
  };
  const parts = (count: number, at: number): Buffer =>
    Buffer.concat([
      Buffer.from([4, 0, 0, 0]),
      u32le(count, 0x63643030, 0, 0, 0),
      many(200, () => u32le(at, 0, 0xffff, 1)),
    ]);
  return [
    { name: 'chunks-empty', bytes: Buffer.concat([head, first, many(400_000, () => riff('00dc', Buffer.alloc(0)))]) },
    {
      name: 'chunks-tiny-sound',
      bytes: Buffer.concat([head, first, many(300_000, () => riff('01wb', Buffer.from([0xff, 0xfb])))]),
    },
    { name: 'chunks-junk', bytes: Buffer.concat([head, first, many(300_000, () => riff('JUNK', Buffer.alloc(0)))]) },
    {
      name: 'chunks-enormous',
      bytes: Buffer.concat([head, first, riff('00dc', Buffer.alloc(0), 0xffff_fffe)]),
      size: FAR_BYTES,
    },
    { name: 'chunks-all-keyframes', bytes: Buffer.concat([head, many(2000, () => first)]) },
    {
      name: 'lists-in-lists',
      bytes: Buffer.concat([head, many(200_000, () => riff('LIST', Buffer.from('rec '), 0xffff_ffff))]),
    },
    {
      name: 'parts-in-parts',
      bytes: Buffer.concat([head, first, many(200_000, () => riff('RIFF', Buffer.from('AVIX'), 4))]),
    },
    { name: 'large-index-loop', bytes: withIndex(parts(200, 12)) },
    { name: 'large-index-count', bytes: withIndex(parts(0xffff_ffff, 2 ** 31)) },
    {
      name: 'large-index-chunks',
      bytes: withIndex(Buffer.concat([Buffer.from([2, 0, 0, 1]), u32le(0x1000_0000, 0x63643030, 0, 0, 0)])),
    },
  ];
}

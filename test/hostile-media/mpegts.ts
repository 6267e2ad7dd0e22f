/** MPEG transport streams: packets without an end, clocks that jump, and tables that lead back. */
import { FAR_BYTES, filesOf, type HostileFile, many } from './files.ts';

const PACKET = 188;
const packet = (pid: number, isStart: boolean, payload: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(PACKET, 0xff);
  bytes.set([0x47, (isStart ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x10]);
  bytes.set(payload.subarray(0, PACKET - 4), 4);
  return bytes;
};
const section = (table: number, body: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([0, table, 0xb0 | ((body.length + 9) >> 8), (body.length + 9) & 0xff, 0, 1, 0xc1, 0, 0]),
    body,
    Buffer.alloc(4),
  ]);
const association = (...programs: readonly (readonly [number, number])[]): Buffer =>
  packet(
    0,
    true,
    section(
      0,
      Buffer.concat(
        programs.map(([program, pid]) => Buffer.from([program >> 8, program & 0xff, 0xe0 | (pid >> 8), pid & 0xff])),
      ),
    ),
  );
const program = (pid: number, ...streams: readonly (readonly [number, number])[]): Buffer =>
  packet(
    pid,
    true,
    section(
      2,
      Buffer.concat([
        Buffer.from([0xe1, 0, 0xf0, 0]),
        ...streams.map(([type, own]) => Buffer.from([type, 0xe0 | (own >> 8), own & 0xff, 0xf0, 0])),
      ]),
    ),
  );
const pes = (pid: number, pts: number, data: Uint8Array): Buffer =>
  packet(
    pid,
    true,
    Buffer.concat([
      Buffer.from([
        0,
        0,
        1,
        0xe0,
        0,
        0,
        0x80,
        0x80,
        5,
        0x21 | ((Math.floor(pts / 2 ** 30) & 7) << 1),
        Math.floor(pts / 2 ** 22) & 0xff,
        ((Math.floor(pts / 2 ** 15) & 0x7f) << 1) | 1,
        Math.floor(pts / 2 ** 7) & 0xff,
        ((pts & 0x7f) << 1) | 1,
      ]),
      data,
    ]),
  );

export function hostileTs(clip: Buffer): HostileFile[] {
  const file = filesOf('ts');
  const tables = Buffer.concat([association([1, 0x100]), program(0x100, [0x1b, 0x101], [0x0f, 0x102])]);
  const picture = Buffer.from([0, 0, 0, 1, 0x65, 0x88, 0x84, 0, 0x10]);
  const filled = packet(0x101, false, Buffer.alloc(184, 0x55));
  const scrambled = Buffer.from(clip);
  for (let at = 3; at < scrambled.length; at += PACKET) scrambled[at] = (scrambled[at] ?? 0) | 0xc0;
  const adaptive = Buffer.from(clip);
  for (let at = 0; at + 4 < adaptive.length; at += PACKET * 3) {
    adaptive[at + 3] = 0x30;
    adaptive[at + 4] = 255;
  }
  const starts = many(8000, () => pes(0x101, 90_000, picture));
  return [
    file('pes-without-end', Buffer.concat([tables, pes(0x101, 90_000, picture), many(30_000, () => filled)])),
    file('pes-only-starts', Buffer.concat([tables, starts])),
    file(
      'pes-codes',
      Buffer.concat([
        tables,
        pes(0x101, 90_000, picture),
        many(4000, () => packet(0x101, false, Buffer.alloc(184, Buffer.from([0, 0, 1, 0x61])))),
      ]),
    ),
    file('clock-jumps', Buffer.concat([tables, many(4000, (n) => pes(0x101, (n * 7_919_000_003) % 2 ** 33, picture))])),
    file('clock-back', Buffer.concat([tables, many(4000, (n) => pes(0x101, 2 ** 33 - 1 - n * 3600, picture))])),
    file('tables-loop', Buffer.concat([association([1, 0]), association([1, 0]), program(0, [0x1b, 0]), starts])),
    file(
      'tables-many',
      Buffer.concat([
        association(...Array.from({ length: 40 }, (_, n) => [n + 1, 0x100 + n] as const)),
        many(40, (n) => program(0x100 + n, [0x1b, 0x200])),
        starts,
      ]),
    ),
    file(
      'tables-same-pid',
      Buffer.concat([
        association([1, 0x100]),
        program(0x100, ...Array.from({ length: 30 }, () => [0x1b, 0x101] as const)),
        starts,
      ]),
    ),
    file(
      'tables-none',
      many(10_000, () => filled),
    ),
    file(
      'tables-cut',
      Buffer.concat([
        packet(0, true, Buffer.from([255, 0, 0xbf, 0xff])),
        many(20_000, () => packet(0, false, Buffer.alloc(184))),
      ]),
    ),
    file('scrambled', scrambled),
    file('adaptation-lies', adaptive),
    file(
      'holes',
      Buffer.concat(
        Array.from({ length: 60 }, (_, n) =>
          Buffer.concat([clip.subarray(0, PACKET * 40), Buffer.alloc(1000 + n, 0x46)]),
        ),
      ),
    ),
    file('far', Buffer.concat([tables, starts]), FAR_BYTES),
    file('sync-only', Buffer.alloc(4_000_000, 0x47)),
    file('cut', clip.subarray(0, (clip.length >> 1) + 11)),
  ];
}

/**
 * Tiny files of sound for tests. One FLAC file is made by ffmpeg and kept under node_modules/.cache; every other one is
 * its frames behind tags that are written here, so that a test needs no process for each track.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';

/** The folder in which files of sound are kept between runs. */
export const SOUND_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/catalog-clips', import.meta.url));
/** Types of FLAC metadata blocks. */
const [STREAM_INFO, COMMENTS, CUE_SHEET, PICTURE] = [0, 4, 5, 6];

/** Makes a file with ffmpeg once and returns its path. `name` has to say everything that the arguments do. */
export function madeOnce(name: string, args: readonly string[]): string {
  const path = join(SOUND_CACHE, name);
  if (existsSync(path)) return path;
  mkdirSync(SOUND_CACHE, { recursive: true });
  const part = join(SOUND_CACHE, `part-${process.pid}-${name}`);
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, part]);
  renameSync(part, path);
  return path;
}

let base: { info: Buffer; frames: Buffer } | undefined;
function baseFile(): { info: Buffer; frames: Buffer } {
  if (base) return base;
  const bytes = readFileSync(
    madeOnce('sound-1s.flac', ['-f', 'lavfi', '-i', 'sine=f=440:r=8000:d=1', '-map_metadata', '-1']),
  );
  let at = 4;
  for (;;) {
    const [type = 0, length] = [bytes[at], bytes.readUIntBE(at + 1, 3)];
    if ((type & 0x7f) === STREAM_INFO) base = { info: bytes.subarray(at + 4, at + 4 + length), frames: bytes };
    at += 4 + length;
    if (type >= 0x80) break;
  }
  return (base = { info: base?.info ?? Buffer.alloc(34), frames: bytes.subarray(at) });
}

const u32 = (value: number, isLittle = false): Buffer => {
  const bytes = Buffer.alloc(4);
  if (isLittle) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes;
};

/** A tag with several values is a list. */
export type FlacTags = Readonly<Record<string, string | readonly string[]>>;

export interface SheetTrackToMake {
  number: number;
  /** First sample of the track. */
  at: number;
  isrc?: string;
  isData?: boolean;
  /** Index points by their number, in samples from `at`. */
  indexes: readonly (readonly [number: number, at: number])[];
}
const SHEET_HEAD_BYTES = 396;

/** Returns the body of a cue sheet block, with the lead-out at `end` as its last track. */
export function cueSheetBlock(tracks: readonly SheetTrackToMake[], end: number): Buffer {
  const head = Buffer.alloc(SHEET_HEAD_BYTES);
  head[SHEET_HEAD_BYTES - 1] = tracks.length + 1;
  return Buffer.concat([
    head,
    ...[...tracks, { number: 255, at: end, indexes: [] }].map((track: SheetTrackToMake) => {
      const { number, at, isrc = '', isData = false, indexes } = track;
      const body = Buffer.alloc(36 + indexes.length * 12);
      body.writeBigUInt64BE(BigInt(at), 0);
      body[8] = number;
      body.write(isrc, 9, 'latin1');
      body[21] = isData ? 0x80 : 0;
      body[35] = indexes.length;
      indexes.forEach(([index, offset], i) => {
        body.writeBigUInt64BE(BigInt(offset), 36 + i * 12);
        body[36 + i * 12 + 8] = index;
      });
      return body;
    }),
  ]);
}

/**
 * Returns a FLAC file of one second with 8,000 samples. The tags are behind the picture, where a reader of the first
 * bytes loses them. `sheet` is the body of a cue sheet block.
 */
export function flac(tags: FlacTags, picture?: Uint8Array, sheet?: Buffer): Buffer {
  const { info, frames } = baseFile();
  const comments = Object.entries(tags)
    .flatMap(([name, value]) => (typeof value === 'string' ? [value] : value).map((one) => `${name}=${one}`))
    .map((text) => Buffer.from(text));
  const vendor = Buffer.from(createHash('sha256').update(JSON.stringify(tags)).digest('hex'));
  const body = Buffer.concat([
    u32(vendor.length, true),
    vendor,
    u32(comments.length, true),
    ...comments.flatMap((text) => [u32(text.length, true), text]),
  ]);
  const type = Buffer.from('image/png');
  const pictures = picture
    ? [
        Buffer.concat([
          u32(3),
          u32(type.length),
          type,
          ...[0, 1, 1, 24, 0, picture.length].map((value) => u32(value)),
          picture,
        ]),
      ]
    : [];
  const blocks: [number, Buffer][] = [
    [STREAM_INFO, info],
    ...pictures.map((bytes): [number, Buffer] => [PICTURE, bytes]),
    ...(sheet ? ([[CUE_SHEET, sheet]] satisfies [number, Buffer][]) : []),
    [COMMENTS, body],
  ];
  return Buffer.concat([
    Buffer.from('fLaC'),
    ...blocks.flatMap(([kind, bytes], i) => {
      const head = u32(bytes.length);
      head[0] = kind | (i === blocks.length - 1 ? 0x80 : 0);
      return [head, bytes];
    }),
    frames,
  ]);
}

/**
 * Tiny files of sound for tests. One FLAC file is made by ffmpeg and kept under node_modules/.cache; every other one is
 * its frames behind tags that are written here, so that a test needs no process for each track.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/catalog-clips', import.meta.url));
/** Types of FLAC metadata blocks. */
const [STREAM_INFO, COMMENTS, PICTURE] = [0, 4, 6];

/** Makes a file with ffmpeg once and returns its path. `name` has to say everything that the arguments do. */
export function madeOnce(name: string, args: readonly string[]): string {
  const path = join(CACHE, name);
  if (existsSync(path)) return path;
  mkdirSync(CACHE, { recursive: true });
  const part = join(CACHE, `part-${process.pid}-${name}`);
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

/** Returns a FLAC file of one second. The tags are behind the picture, where a reader of the first bytes loses them. */
export function flac(tags: FlacTags, picture?: Uint8Array): Buffer {
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

/**
 * Curves that were made once, kept on disk by the content of the video and the track.
 *
 * A file is `MATC`, the version and the detector (16 bits each, little-endian), the count of values (32 bits), the
 * speech, the levels, and a CRC-32 of all before. What does not fit that is as good as not there and is made again. Written whole; when all
 * together grow over the bound, the oldest go.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { PlayableFile } from '../../catalog/index.ts';
import { ensurePrivateFolder, inside, listFolder, openForReading, readBounded, removeFile, type Root, statFile, sweepStray, writeWhole } from '../../lib/files.ts';
import { moviehash } from '../providers/moviehash.ts';
import { type DetectorName, DETECTORS } from './messages.ts';

export interface KeptCurve {
  detector: DetectorName;
  speech: Uint8Array;
  level: Uint8Array;
}

export interface CurveCache {
  read(key: string): Promise<KeptCurve | undefined>;
  write(key: string, curve: KeptCurve): Promise<void>;
}

const MAGIC = 'MATC';
/** Grows when the detector or the curve changes: older files are made again. */
const VERSION = 2;
const HEAD = 12;
const TAIL = 4;
const MIB = 1024 ** 2;
const LARGEST = 32 * MIB;
const NAME = /^[0-9a-f]{64}\.curve$/;

export function createCurveCache({ folder, mostBytes = 512 * MIB }: { folder: string; mostBytes?: number }): CurveCache {
  const place = (key: string): string => `${folder}/${key}.curve`;
  let isReady: Promise<void> | undefined;
  const ready = (): Promise<void> =>
    (isReady ??= ensurePrivateFolder(folder).then(() => sweepStray(folder)).then(() => {}).catch((error: unknown) => {
      isReady = undefined;
      throw error;
    }));

  return {
    async read(key) {
      try {
        return unpack(await readBounded(place(key), LARGEST));
      } catch {
        // Not there, too large or not readable: made again.
        return undefined;
      }
    },
    async write(key, curve) {
      await ready();
      const bytes = pack(curve);
      await makeRoom(folder, mostBytes - bytes.length);
      await writeWhole(place(key), bytes);
    },
  };
}

export function pack({ speech, level, detector }: KeptCurve): Buffer {
  const bytes = Buffer.alloc(HEAD + 2 * speech.length + TAIL);
  bytes.write(MAGIC, 0, 'latin1');
  bytes.writeUInt16LE(VERSION, 4);
  bytes.writeUInt16LE(DETECTORS.indexOf(detector), 6);
  bytes.writeUInt32LE(speech.length, 8);
  bytes.set(speech, HEAD);
  bytes.set(level.subarray(0, speech.length), HEAD + speech.length);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -TAIL)), bytes.length - TAIL);
  return bytes;
}

/** Undefined for anything but what `pack` made whole. */
export function unpack(bytes: Buffer): KeptCurve | undefined {
  if (bytes.length < HEAD + TAIL || bytes.toString('latin1', 0, 4) !== MAGIC || bytes.readUInt16LE(4) !== VERSION) return undefined;
  const detector = DETECTORS[bytes.readUInt16LE(6)];
  const count = bytes.readUInt32LE(8);
  if (!detector || bytes.length !== HEAD + 2 * count + TAIL || crc32(bytes.subarray(0, -TAIL)) !== bytes.readUInt32LE(bytes.length - TAIL)) return undefined;
  return { detector, speech: new Uint8Array(bytes.subarray(HEAD, HEAD + count)), level: new Uint8Array(bytes.subarray(HEAD + count, HEAD + 2 * count)) };
}

async function makeRoom(folder: string, room: number): Promise<void> {
  const names = (await listFolder(folder)).filter(({ kind, name }) => kind === 'file' && NAME.test(name)).map(({ name }) => name);
  const files = (await Promise.all(names.map(async (name) => ({ name, stat: await statFile(`${folder}/${name}`).catch(() => undefined) })))).flatMap(({ name, stat }) => (stat ? [{ name, ...stat }] : []));
  let total = files.reduce((all, { size }) => all + size, 0);
  for (const { name, size } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= room) return;
    await removeFile(`${folder}/${name}`);
    total -= size;
  }
}

/** What a curve belongs to: changes with the bytes of the video, and stays when it is renamed. */
export interface Bound {
  key: string;
  size: number;
  modifiedMs: number;
}

/** `track` is the number of the stream, or `best`. Fails as the reading of the file does. */
export async function boundTo({ file, root, track }: { file: PlayableFile; root: Root; track: number | 'best' }): Promise<Bound> {
  const open = await openForReading(inside(root, file.relative));
  try {
    const { size, mtimeMs } = open;
    const hash = await moviehash(size, async (position, length) => {
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const got = await open.read(bytes.subarray(filled), position + filled);
        if (got === 0) break;
        filled += got;
      }
      return bytes.subarray(0, filled);
    });
    // A file too small for that hash is known by its place and time.
    const name = hash ?? `${file.library}\0${file.relative}\0${mtimeMs}`;
    const key = createHash('sha256').update(`${VERSION}\0${size}\0${name}\0${track}`).digest('hex');
    return { key, size, modifiedMs: mtimeMs };
  } finally {
    await open.close();
  }
}

/** Whether the file is still the one that was bound. */
export async function isSame(bound: Bound, { file, root }: { file: PlayableFile; root: Root }): Promise<boolean> {
  const { size, mtimeMs } = await statFile(inside(root, file.relative));
  return size === bound.size && mtimeMs === bound.modifiedMs;
}

/**
 * Curves that were made once, stored on disk by the content of the video and the track.
 *
 * A file is `MATC`, the version and the detector (16 bits each, little-endian), the count of values (32 bits), the
 * speech, the levels, and a CRC-32 of all before. Files of any other form are ignored, and the curve is computed again.
 */
import { crc32 } from 'node:zlib';
import { type CacheFolderNeeds, createCacheFolder } from '../lib/files.ts';
import { type DetectorName, DETECTORS } from './messages.ts';

export interface KeptCurve {
  detector: DetectorName;
  speech: Uint8Array;
  level: Uint8Array;
}

export interface CurveCache {
  read(key: string): Promise<KeptCurve | undefined>;
  /** Returns whether it is kept. */
  write(key: string, curve: KeptCurve): Promise<boolean>;
}

const MAGIC = 'MATC';
/** Increased when the form of the file changes: older files are rebuilt. */
const VERSION = 2;
const HEAD = 12;
const TAIL = 4;
const MIB = 1024 ** 2;

export function createCurveCache({
  maxBytes = 512 * MIB,
  ...needs
}: Pick<CacheFolderNeeds, 'folder' | 'log'> & { maxBytes?: number | undefined }): CurveCache {
  const files = createCacheFolder({ ...needs, names: /^[0-9a-f]{64}\.curve$/, maxBytes, maxFileBytes: 32 * MIB });
  const nameOf = (key: string): string => `${key}.curve`;
  return {
    read: async (key) => {
      const bytes = await files.get(nameOf(key));
      return bytes && unpack(bytes);
    },
    write: (key, curve) => files.put(nameOf(key), pack(curve)),
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
  if (bytes.length < HEAD + TAIL || bytes.toString('latin1', 0, 4) !== MAGIC || bytes.readUInt16LE(4) !== VERSION)
    return undefined;
  const detector = DETECTORS[bytes.readUInt16LE(6)];
  const count = bytes.readUInt32LE(8);
  if (
    !detector ||
    bytes.length !== HEAD + 2 * count + TAIL ||
    crc32(bytes.subarray(0, -TAIL)) !== bytes.readUInt32LE(bytes.length - TAIL)
  )
    return undefined;
  return {
    detector,
    speech: new Uint8Array(bytes.subarray(HEAD, HEAD + count)),
    level: new Uint8Array(bytes.subarray(HEAD + count, HEAD + 2 * count)),
  };
}

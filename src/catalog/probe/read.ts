/**
 * The header reader: detects the container of a file and reads its header.
 *
 * Promise: never throws because of the content of a file; anything not fully understood is `uncertain` with the reason,
 * so that ffprobe decides. Work is bounded by the limits of `source.ts`.
 */

import { docType, matroska } from './matroska/file.ts';
import { mp4 } from './mp4/file.ts';
import { picture, pictureReader } from './photo/read.ts';
import type { ReadAt, ByteSource } from '../../lib/media/source.ts';
import { createSource, headLength, Uncertain } from '../../lib/media/source.ts';
import { lengthWithJumps } from './mpeg-length.ts';
import { audioContainer } from './audio/container.ts';
import type { MediaInfo } from './types.ts';

export type HeaderReading =
  | { info: MediaInfo }
  /** `duration`: seconds of a stream whose clock jumps, which ffprobe cannot know. */
  | { uncertain: string; container?: string; duration?: number };

/** Creates the buffer that a reader uses for one file after another. */
export const createHead = (): Buffer => Buffer.allocUnsafeSlow(headLength);

export const readHeader = (size: number, readAt: ReadAt, head: Buffer): HeaderReading => {
  let container: string | undefined;
  try {
    const source = createSource(size, readAt, head);
    const reader = pictureReader(source.upTo(0, 1024));
    if (reader) {
      container = 'picture';
      return { info: picture(source, reader) };
    }
    container = containerOf(source) ?? audioContainer(source.upTo(0, head.length));
    if (container === 'matroska' || container === 'webm') return { info: matroska(source) };
    if (container === 'mp4' || container === 'mov') return { info: mp4(source) };
    const duration = container === undefined ? lengthWithJumps(size, readAt) : undefined;
    return {
      uncertain: 'container',
      ...(container === undefined ? {} : { container }),
      ...(duration === undefined ? {} : { duration }),
    };
  } catch (error) {
    // A range error is a field with a wrong length: Buffer refuses to read beyond its end.
    if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
    return { uncertain: error.message, ...(container === undefined ? {} : { container }) };
  }
};

const boxTypes: ReadonlySet<string> = new Set(['moov', 'mdat', 'free', 'skip', 'wide', 'pnot']);

const containerOf = (source: ByteSource): string | undefined => {
  const head = source.upTo(0, 1024);
  if (head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3) return docType(head) ?? 'matroska';
  if (head.length < 12) return undefined;
  const type = head.toString('latin1', 4, 8);
  if (type === 'ftyp') return head.toString('latin1', 8, 12) === 'qt  ' ? 'mov' : 'mp4';
  return boxTypes.has(type) ? 'mov' : undefined;
};

/** Containers that hold sound, and may hold video as well. */
const SOUND: ReadonlySet<string> = new Set(['mp4', 'mov', 'ogg', 'asf']);
const SOUND_ONLY: ReadonlySet<string> = new Set([
  'flac',
  'ape',
  'wv',
  'dsf',
  'iff',
  'mpc8',
  'mpc',
  'tta',
  'wav',
  'aiff',
  'mp3',
  'aac',
]);

/** Returns whether the reader of sound should look at a file: it is one without video, as far as is known. */
export const isSoundAlone = (reading: HeaderReading | { failed: string }): boolean => {
  if ('failed' in reading) return false;
  if ('info' in reading) {
    const { streams } = reading.info;
    return (
      streams.some(({ type }) => type === 'audio') && !streams.some(({ type, cover }) => type === 'video' && !cover)
    );
  }
  const { container } = reading;
  return container !== undefined && (SOUND_ONLY.has(container) || SOUND.has(container));
};

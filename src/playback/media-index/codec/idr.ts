/**
 * Says whether decoding may begin at a keyframe, from the types of its NAL units (ISO/IEC 14496-10, 7.4.1; H.265,
 * 7.4.2.2).
 */
import { hevcKind, isIntra, type PictureKind, SLICE_TYPE_BYTES } from './annexb.ts';

const MAX_UNITS = 64;

export interface NalFormat {
  codec: 'h264' | 'hevc';
  /** Bytes of the length in front of each unit. */
  lengthSize: number;
}

/** The beginning of the first picture of a track, and the number of all its bytes. */
export interface FirstPicture {
  bytes: Uint8Array;
  size: number;
}

/**
 * Returns how the pictures of a track are divided into units, or undefined if they are not as fMP4 demands: the
 * configuration record is missing or is none, or the first picture has start codes (Annex B). A track is described,
 * copied and searched for keyframes by this one answer.
 */
export function nalFormat(codec: NalFormat['codec'], record: Buffer, first?: FirstPicture): NalFormat | undefined {
  const [place, length] = codec === 'h264' ? [4, 7] : [21, 23];
  if (record.length < length || record[0] !== 1) return undefined;
  const format = { codec, lengthSize: ((record[place] ?? 0) & 3) + 1 };
  return hasLengths(format, first) ? format : undefined;
}

/** Whether a picture can be divided by lengths, as far as it was read: start codes lead beyond its end. */
export function hasLengths({ codec, lengthSize }: NalFormat, first: FirstPicture | undefined): boolean {
  const { bytes, size } = first ?? { bytes: new Uint8Array(0), size: 0 };
  let at = 0;
  for (let unit = 0; unit < MAX_UNITS && at + lengthSize < Math.min(size, bytes.length); unit += 1) {
    let length = 0;
    for (let i = 0; i < lengthSize; i += 1) length = length * 256 + (bytes[at + i] ?? 0);
    if (length > 0 && !isUnit(codec, bytes[at + lengthSize] ?? 0)) return false;
    // A unit of one byte has no contents: the length is a start code.
    if (length === 1 && lengthSize === 4 && at === 0) return false;
    at += lengthSize + length;
    if (at > size) return false;
  }
  return true;
}

/** Whether a byte can be the head of a unit: its first bit is 0, and H.264 has no type 0. */
const isUnit = (codec: NalFormat['codec'], head: number): boolean =>
  (head & 0x80) === 0 && (codec === 'hevc' || (head & 0x1f) !== 0);

/**
 * Reads the types of a frame's units up to its first picture, and the type of its first slice. `at` returns `length`
 * bytes from an offset in the frame, or fewer at its end. `other` when no picture is found.
 */
export function keyframeKind(
  { codec, lengthSize }: NalFormat,
  size: number,
  at: (offset: number, length: number) => Uint8Array,
): PictureKind {
  let offset = 0;
  for (let unit = 0; unit < MAX_UNITS && offset + lengthSize < size; unit += 1) {
    const head = at(offset, lengthSize + SLICE_TYPE_BYTES);
    if (head.length <= lengthSize) return 'other';
    let length = 0;
    for (let i = 0; i < lengthSize; i += 1) length = length * 256 + (head[i] ?? 0);
    const first = head[lengthSize] ?? 0;
    const type = codec === 'h264' ? first & 0x1f : (first >> 1) & 0x3f;
    if (codec === 'h264' && type === 5) return 'idr';
    if (codec === 'h264' && type >= 1 && type < 5) return isIntra(head.subarray(lengthSize)) ? 'recovery' : 'other';
    if (codec === 'hevc' && type < 32) return hevcKind(type);
    offset += lengthSize + length;
  }
  return 'other';
}

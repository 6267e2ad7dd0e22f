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

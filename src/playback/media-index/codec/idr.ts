/**
 * Says whether decoding may begin at a keyframe, from the types of its NAL units (ISO/IEC 14496-10, 7.4.1; H.265,
 * 7.4.2.2).
 */

const MAX_UNITS = 64;

export interface NalFormat {
  codec: 'h264' | 'hevc';
  /** Bytes of the length in front of each unit. */
  lengthSize: number;
}

/**
 * Reads the types of a frame's units up to its first picture. `at` returns `length` bytes from an offset in the frame,
 * or fewer at its end. False when the picture is a recovery point of an open GOP, or is not found.
 */
export function isIdrFrame(
  { codec, lengthSize }: NalFormat,
  size: number,
  at: (offset: number, length: number) => Uint8Array,
): boolean {
  let offset = 0;
  for (let unit = 0; unit < MAX_UNITS && offset + lengthSize < size; unit += 1) {
    const head = at(offset, lengthSize + 1);
    if (head.length <= lengthSize) return false;
    let length = 0;
    for (let i = 0; i < lengthSize; i += 1) length = length * 256 + (head[i] ?? 0);
    const first = head[lengthSize] ?? 0;
    const type = codec === 'h264' ? first & 0x1f : (first >> 1) & 0x3f;
    if (codec === 'h264' && type >= 1 && type <= 5) return type === 5;
    if (codec === 'hevc' && type < 32) return type >= 16 && type <= 20 && type !== 16;
    offset += lengthSize + length;
  }
  return false;
}

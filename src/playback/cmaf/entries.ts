/** Builds sample entries (ISO/IEC 14496-12, 8.5.2) and the boxes in them that several codecs share. Pure. */
import type { Colour } from '../../lib/media/codec/vui.ts';
import { box, fullBox, uint16s, uint32s } from './boxes.ts';

const DPI_72 = 0x480000;
const DEPTH_24 = 0x18;

/** Returns a visual sample entry. `width` and `height` are the coded size. */
export const visualEntry = (type: string, width: number, height: number, boxes: readonly Uint8Array[]): Buffer =>
  box(
    type,
    Buffer.alloc(6),
    uint16s(1),
    Buffer.alloc(16),
    uint16s(width, height),
    uint32s(DPI_72, DPI_72, 0),
    uint16s(1),
    Buffer.alloc(32),
    uint16s(DEPTH_24, 0xffff),
    ...boxes,
  );

export interface AudioShape {
  channels: number;
  /** Hertz. */
  rate: number;
  /** Bits of a sample; 16 unless the codec has its own. */
  bits?: number;
}

/** Returns an audio sample entry. A rate that does not fit its 16 bits is 0, as the codec's own box has it. */
export const audioSampleEntry = (
  type: string,
  { channels, rate, bits = 16 }: AudioShape,
  boxes: readonly Uint8Array[],
): Buffer =>
  box(
    type,
    Buffer.alloc(6),
    uint16s(1),
    uint32s(0, 0),
    uint16s(channels, bits, 0, 0),
    uint32s(rate > 0xffff ? 0 : rate * 0x10000),
    ...boxes,
  );

/** Object types of an elementary stream (ISO/IEC 14496-1, 7.2.6.6). */
export const OBJECT_TYPE = { mpeg4Video: 0x20, aac: 0x40, mp3: 0x6b } as const;

/** Returns an elementary stream descriptor. `config` is the decoder's own configuration. */
export function esdsBox(objectType: number, config: Uint8Array | undefined): Buffer {
  const streamType = objectType === OBJECT_TYPE.mpeg4Video ? 0x11 : 0x15;
  const decoder = descriptor(
    4,
    Buffer.from([objectType, streamType, 0, 0, 0]),
    uint32s(0, 0),
    ...(config ? [descriptor(5, config)] : []),
  );
  return fullBox('esds', 0, 0, descriptor(3, Buffer.from([0, 0, 0]), decoder, descriptor(6, Buffer.from([2]))));
}

function descriptor(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size = [21, 14, 7, 0].map((shift) => ((body.length >> shift) & 0x7f) | (shift > 0 ? 0x80 : 0));
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

export const colourBox = ({ primaries, transfer, matrix, isFullRange }: Colour): Buffer =>
  box('colr', Buffer.from('nclx'), uint16s(primaries, transfer, matrix), Buffer.from([isFullRange ? 0x80 : 0]));

/** Returns the shape of a pixel, as a box. */
export const pixelAspectBox = (width: number, height: number): Buffer => box('pasp', uint32s(width, height));

/**
 * Sequence parameter sets of H.264 and HEVC as one kind: the size of the pictures, and what is needed to read a slice
 * header. What is not understood throws `Uncertain`.
 */
import { readH264Sequence } from '../../../lib/media/codec/h264.ts';
import { readHevcSequence } from '../../../lib/media/codec/hevc.ts';

export interface Sequence {
  /** Size after cropping. */
  width: number;
  height: number;
  /** Width of a pixel to its height, where it is not square. */
  aspect?: readonly [number, number];
  chroma: number;
  depth: number;
  chromaDepth: number;
  /** H.264: pictures may be fields. */
  hasFields: boolean;
  /** Bits of frame_num (H.264), and of pic_order_cnt_lsb (0 where there is none). */
  frameBits: number;
  orderBits: number;
  /** H.264: 0 where heads of slices say the order of the pictures, 2 where it is that of decoding. */
  orderType: number;
  /** Pictures that may come between a picture and the place at which it is shown, where the stream says it. */
  reorder?: number;
  /** HEVC. */
  temporalLayers: number;
  isNested: boolean;
}

/** `nal` is the whole unit with its head. */
export function h264Sequence(nal: Buffer): Sequence {
  const {
    width,
    height,
    chroma,
    depth,
    chromaDepth,
    hasFields,
    frameBits,
    orderBits,
    orderType,
    reorder,
    usability: { aspect },
  } = readH264Sequence(nal);
  const shape = aspect && aspect[0] !== aspect[1] ? { aspect } : {};
  return {
    width,
    height,
    ...shape,
    chroma,
    depth,
    chromaDepth,
    hasFields,
    frameBits,
    orderBits,
    orderType,
    ...(reorder !== undefined && { reorder }),
    temporalLayers: 1,
    isNested: false,
  };
}

/** `nal` is the whole unit with its head of two bytes. */
export function hevcSequence(nal: Buffer): Sequence {
  const { width, height, chroma, depth, chromaDepth, orderBits, reorder, temporalLayers, isNested } =
    readHevcSequence(nal);
  return {
    width,
    height,
    chroma,
    depth,
    chromaDepth,
    hasFields: false,
    frameBits: 0,
    orderBits,
    orderType: 0,
    reorder,
    temporalLayers,
    isNested,
  };
}

/**
 * Sequence parameter sets of H.264 (ISO/IEC 14496-10, 7.3.2.1) and HEVC (H.265, 7.3.2.2): the size of the pictures, and
 * what is needed to read a slice header. What is not understood throws `Uncertain`.
 */
import { type Bits, createBits, unescaped } from '../../../lib/media/bits.ts';
import { Uncertain, uncertain } from '../../../lib/media/source.ts';

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

const HIGH: ReadonlySet<number> = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
const ASPECTS: readonly (readonly [number, number])[] = [
  [0, 0], [1, 1], [12, 11], [10, 11], [16, 11], [40, 33], [24, 11], [20, 11], [32, 11], [80, 33], [18, 11], [15, 11], [64, 33], [160, 99], [4, 3], [3, 2], [2, 1],
];
const EXTENDED_ASPECT = 255;
const MAX_SIDE = 16_384;

/** `nal` is the whole unit with its head. */
export function h264Sequence(nal: Buffer): Sequence {
  const bits = createBits(unescaped(nal.subarray(1)));
  const profile = bits.take(8);
  bits.skip(16);
  bits.unsigned();
  const format = HIGH.has(profile) ? samplingOf(bits) : { chroma: 1, depth: 8, chromaDepth: 8 };
  const frameBits = bits.unsigned() + 4;
  const order = orderOf(bits);
  bits.unsigned();
  bits.skip(1);
  const across = (bits.unsigned() + 1) * 16;
  const rows = (bits.unsigned() + 1) * 16;
  const isFrames = bits.flag();
  if (!isFrames) bits.skip(1);
  bits.skip(1);
  const [left, right, top, bottom] = bits.flag() ? [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()] : [0, 0, 0, 0];
  const stepX = format.chroma === 1 || format.chroma === 2 ? 2 : 1;
  const stepY = (format.chroma === 1 ? 2 : 1) * (isFrames ? 1 : 2);
  const size = sized(across - (left + right) * stepX, rows * (isFrames ? 1 : 2) - (top + bottom) * stepY);
  return { ...size, ...usabilityOf(bits), ...format, hasFields: !isFrames, frameBits, ...order, temporalLayers: 1, isNested: false };
}

function sized(width: number, height: number): { width: number; height: number } {
  return width > 0 && height > 0 && Math.max(width, height) <= MAX_SIDE ? { width, height } : uncertain('size of the pictures');
}

function samplingOf(bits: Bits): { chroma: number; depth: number; chromaDepth: number } {
  const chroma = bits.unsigned();
  if (chroma > 3 || (chroma === 3 && bits.flag())) uncertain('H.264 with separate planes');
  const [depth, chromaDepth] = [bits.unsigned() + 8, bits.unsigned() + 8];
  bits.skip(1);
  if (bits.flag()) for (let list = 0; list < (chroma === 3 ? 12 : 8); list += 1) if (bits.flag()) skipScaling(bits, list < 6 ? 16 : 64);
  return { chroma, depth, chromaDepth };
}

function skipScaling(bits: Bits, size: number): void {
  let [last, next] = [8, 8];
  for (let i = 0; i < size; i += 1) {
    if (next !== 0) next = (last + bits.signed() + 256) & 255;
    if (next !== 0) last = next;
  }
}

function orderOf(bits: Bits): { orderType: number; orderBits: number } {
  const type = bits.unsigned();
  if (type === 0) return { orderType: type, orderBits: bits.unsigned() + 4 };
  if (type > 2) uncertain('H.264 picture order');
  if (type === 1) {
    bits.skip(1);
    bits.signed();
    bits.signed();
    const cycle = bits.unsigned();
    if (cycle > 255) uncertain('H.264 picture order');
    for (let i = 0; i < cycle; i += 1) bits.signed();
  }
  return { orderType: type, orderBits: 0 };
}

/** Reads the video usability information (annex E) as far as it is needed. */
function usabilityOf(bits: Bits): { aspect?: readonly [number, number]; reorder?: number } {
  if (!bits.flag()) return {};
  const aspect = aspectOf(bits);
  try {
    const reorder = reorderOf(bits);
    return { ...aspect, ...(reorder !== undefined && { reorder }) };
  } catch (error) {
    // What is cut short there says nothing of the pictures.
    if (!(error instanceof Uncertain)) throw error;
    return aspect;
  }
}

function reorderOf(bits: Bits): number | undefined {
  if (bits.flag()) bits.skip(1);
  if (bits.flag()) {
    bits.skip(4);
    if (bits.flag()) bits.skip(24);
  }
  if (bits.flag()) {
    bits.unsigned();
    bits.unsigned();
  }
  if (bits.flag()) bits.skip(65);
  const hasBuffers = [bits.flag() && skipBuffer(bits), bits.flag() && skipBuffer(bits)].includes(true);
  if (hasBuffers) bits.skip(1);
  bits.skip(1);
  if (!bits.flag()) return undefined;
  bits.skip(1);
  for (let i = 0; i < 4; i += 1) bits.unsigned();
  return bits.unsigned();
}

/** Passes over the parameters of a hypothetical decoder (E.1.2). */
function skipBuffer(bits: Bits): true {
  const count = bits.unsigned() + 1;
  if (count > 32) uncertain('H.264 buffers');
  bits.skip(8);
  for (let i = 0; i < count; i += 1) {
    bits.unsigned();
    bits.unsigned();
    bits.skip(1);
  }
  bits.skip(20);
  return true;
}

function aspectOf(bits: Bits): { aspect?: readonly [number, number] } {
  if (!bits.flag()) return {};
  const code = bits.take(8);
  const aspect = code === EXTENDED_ASPECT ? [bits.take(16), bits.take(16)] as const : ASPECTS[code];
  return aspect && aspect[0] > 0 && aspect[1] > 0 && aspect[0] !== aspect[1] ? { aspect } : {};
}

/** `nal` is the whole unit with its head of two bytes. */
export function hevcSequence(nal: Buffer): Sequence {
  const bits = createBits(unescaped(nal.subarray(2)));
  bits.skip(4);
  const layers = bits.take(3);
  const isNested = bits.flag();
  bits.skip(96);
  const levels = Array.from({ length: layers }, () => [bits.flag(), bits.flag()] as const);
  if (layers > 0) bits.skip(2 * (8 - layers));
  for (const [hasProfile, hasLevel] of levels) bits.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0));
  bits.unsigned();
  const chroma = bits.unsigned();
  if (chroma > 3) uncertain('HEVC sampling');
  if (chroma === 3) bits.skip(1);
  const [across, rows] = [bits.unsigned(), bits.unsigned()];
  const [left, right, top, bottom] = bits.flag() ? [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()] : [0, 0, 0, 0];
  const [stepX, stepY] = [chroma === 1 || chroma === 2 ? 2 : 1, chroma === 1 ? 2 : 1];
  const size = sized(across - (left + right) * stepX, rows - (top + bottom) * stepY);
  const [depth, chromaDepth] = [bits.unsigned() + 8, bits.unsigned() + 8];
  const orderBits = bits.unsigned() + 4;
  let reorder = 0;
  for (let layer = bits.flag() ? 0 : layers; layer <= layers; layer += 1) {
    bits.unsigned();
    reorder = bits.unsigned();
    bits.unsigned();
  }
  return { ...size, chroma, depth, chromaDepth, hasFields: false, frameBits: 0, orderBits, orderType: 0, reorder, temporalLayers: layers + 1, isNested };
}

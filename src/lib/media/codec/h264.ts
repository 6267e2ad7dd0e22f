/** The sequence parameter set of H.264 (ISO/IEC 14496-10, 7.3.2.1.1). What is not understood throws `Uncertain`. */
import { type Bits, createBits, unescaped } from '../bits.ts';
import { uncertain } from '../source.ts';
import { type Cropping, croppedSize, readCropping, readUsability, unlessCut, type Usability } from './vui.ts';

export interface H264Sequence {
  profile: number;
  /** The byte of constraint_set flags. */
  constraints: number;
  level: number;
  chroma: number;
  depth: number;
  chromaDepth: number;
  /** Size before and after cropping, in pixels. */
  codedWidth: number;
  codedHeight: number;
  width: number;
  height: number;
  cropping: Cropping;
  /** Pictures may be fields. */
  hasFields: boolean;
  /** Bits of frame_num, and of pic_order_cnt_lsb (0 where there is none). */
  frameBits: number;
  orderBits: number;
  /** 0 where heads of slices say the order of the pictures, 2 where it is that of decoding. */
  orderType: number;
  /** Pictures that may come between a picture and the place at which it is shown; undefined where that is not said. */
  reorder: number | undefined;
  usability: Usability;
}

/** Profiles whose sequences say the sampling. */
const HIGH_PROFILES: ReadonlySet<number> = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
const MAX_ORDER_CYCLE = 255;
const MAX_BUFFERS = 32;

/** `nal` is the whole unit with its head. */
export function readH264Sequence(nal: Buffer): H264Sequence {
  const bits = createBits(unescaped(nal.subarray(1)));
  const [profile, constraints, level] = [bits.take(8), bits.take(8), bits.take(8)];
  bits.unsigned();
  const sampling = HIGH_PROFILES.has(profile) ? readSampling(bits) : { chroma: 1, depth: 8, chromaDepth: 8 };
  const frameBits = bits.unsigned() + 4;
  const order = readPictureOrder(bits);
  bits.unsigned();
  bits.skip(1);
  const codedWidth = (bits.unsigned() + 1) * 16;
  const rows = (bits.unsigned() + 1) * 16;
  const hasFields = !bits.flag();
  if (hasFields) bits.skip(1);
  bits.skip(1);
  const cropping = readCropping(bits);
  const rowStep = hasFields ? 2 : 1;
  const codedHeight = rows * rowStep;
  const size = croppedSize({ across: codedWidth, down: codedHeight, chroma: sampling.chroma, rowStep }, cropping);
  const hasUsability = bits.flag();
  const usability = hasUsability ? readUsability(bits) : {};
  // Data that is cut short there does not concern the pictures.
  const reorder = hasUsability && !usability.isCut ? unlessCut(() => readReorder(bits)) : undefined;
  return {
    profile,
    constraints,
    level,
    ...sampling,
    codedWidth,
    codedHeight,
    ...size,
    cropping,
    hasFields,
    frameBits,
    ...order,
    reorder,
    usability,
  };
}

function readSampling(bits: Bits): Pick<H264Sequence, 'chroma' | 'depth' | 'chromaDepth'> {
  const chroma = bits.unsigned();
  if (chroma > 3 || (chroma === 3 && bits.flag())) uncertain('H.264 with separate planes');
  const [depth, chromaDepth] = [bits.unsigned() + 8, bits.unsigned() + 8];
  bits.skip(1);
  if (bits.flag())
    for (let list = 0; list < (chroma === 3 ? 12 : 8); list += 1)
      if (bits.flag()) skipScalingList(bits, list < 6 ? 16 : 64);
  return { chroma, depth, chromaDepth };
}

function skipScalingList(bits: Bits, size: number): void {
  let [last, next] = [8, 8];
  for (let i = 0; i < size; i += 1) {
    if (next !== 0) next = (last + bits.signed() + 256) & 255;
    if (next !== 0) last = next;
  }
}

function readPictureOrder(bits: Bits): Pick<H264Sequence, 'orderType' | 'orderBits'> {
  const type = bits.unsigned();
  if (type === 0) return { orderType: type, orderBits: bits.unsigned() + 4 };
  if (type > 2) uncertain('H.264 picture order');
  if (type === 1) {
    bits.skip(1);
    bits.signed();
    bits.signed();
    const cycle = bits.unsigned();
    if (cycle > MAX_ORDER_CYCLE) uncertain('H.264 picture order');
    for (let i = 0; i < cycle; i += 1) bits.signed();
  }
  return { orderType: type, orderBits: 0 };
}

/** Reads the usability information behind the colours (E.1.1) up to the number of pictures that are reordered. */
function readReorder(bits: Bits): number | undefined {
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
  if (count > MAX_BUFFERS) uncertain('H.264 buffers');
  bits.skip(8);
  for (let i = 0; i < count; i += 1) {
    bits.unsigned();
    bits.unsigned();
    bits.skip(1);
  }
  bits.skip(20);
  return true;
}

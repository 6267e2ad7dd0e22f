/**
 * HEVC: the parameter sets of the record hvcC (ISO/IEC 14496-15, 8.3.3.1), and the sequence parameter set (ITU-T H.265,
 * 7.3.2.2). What is not understood throws `Uncertain`.
 */
import { type Bits, createBits, unescaped } from '../bits.ts';
import { uncertain } from '../source.ts';
import { croppedSize, readCropping, readUsability, type Usability } from './vui.ts';

export interface HevcSequence {
  profile: number;
  level: number;
  /** Layers in time, from 1. */
  temporalLayers: number;
  isNested: boolean;
  chroma: number;
  hasSeparatePlanes: boolean;
  depth: number;
  chromaDepth: number;
  /** Size after cropping, in pixels. */
  width: number;
  height: number;
  /** Bits of slice_pic_order_cnt_lsb. */
  orderBits: number;
  /** Pictures that may come between a picture and the place at which it is shown. */
  reorder: number;
}

/** Types of the units that hold parameter sets. */
export const HEVC_SETS = { video: 32, sequence: 33, picture: 34 } as const;
const RECORD_HEAD = 23;
const MAX_ORDER_BITS = 16;
const MAX_REFERENCE_SETS = 64;
const MAX_LONG_TERM = 32;
const MAX_REFERENCES = 16;

/** Returns the parameter sets of hvcC that are whole, in their order. */
export function readHevcSets(record: Buffer): { type: number; nal: Buffer }[] {
  const sets: { type: number; nal: Buffer }[] = [];
  let at = RECORD_HEAD;
  for (let array = 0; array < (record[RECORD_HEAD - 1] ?? 0) && at + 3 <= record.length; array += 1) {
    const type = (record[at] ?? 0) & 0x3f;
    const count = record.readUInt16BE(at + 1);
    at += 3;
    for (let i = 0; i < count && at + 2 <= record.length; i += 1) {
      const from = at + 2;
      at = from + record.readUInt16BE(at);
      if (at <= record.length) sets.push({ type, nal: record.subarray(from, at) });
    }
  }
  return sets;
}

/** `nal` is the whole unit with its head of two bytes. */
export const readHevcSequence = (nal: Buffer): HevcSequence => readSequence(createBits(unescaped(nal.subarray(2))));

/** Reads what a sequence says of the display, for which all of it has to be understood. Pictures in fields are not. */
export function readHevcUsability(nal: Buffer): Usability {
  const bits = createBits(unescaped(nal.subarray(2)));
  return readRest(bits, readSequence(bits));
}

function readSequence(bits: Bits): HevcSequence {
  bits.skip(4);
  const layers = bits.take(3);
  const isNested = bits.flag();
  const { profile, level } = readProfile(bits, layers);
  bits.unsigned();
  const chroma = bits.unsigned();
  if (chroma > 3) uncertain('HEVC sampling');
  const hasSeparatePlanes = chroma === 3 && bits.flag();
  const [across, down] = [bits.unsigned(), bits.unsigned()];
  const size = croppedSize({ across, down, chroma }, readCropping(bits));
  const [depth, chromaDepth] = [bits.unsigned() + 8, bits.unsigned() + 8];
  const orderBits = bits.unsigned() + 4;
  if (orderBits > MAX_ORDER_BITS) uncertain('HEVC picture order');
  let reorder = 0;
  for (let layer = bits.flag() ? 0 : layers; layer <= layers; layer += 1) {
    bits.unsigned();
    reorder = bits.unsigned();
    bits.unsigned();
  }
  return {
    profile,
    level,
    temporalLayers: layers + 1,
    isNested,
    chroma,
    hasSeparatePlanes,
    depth,
    chromaDepth,
    ...size,
    orderBits,
    reorder,
  };
}

function readProfile(bits: Bits, layers: number): { profile: number; level: number } {
  bits.skip(3);
  const profile = bits.take(5);
  bits.skip(32 + 48);
  const level = bits.take(8);
  const given = Array.from({ length: layers }, () => [bits.flag(), bits.flag()] as const);
  if (layers > 0) bits.skip((8 - layers) * 2);
  for (const [hasProfile, hasLevel] of given) bits.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0));
  return { profile, level };
}

function readRest(bits: Bits, { orderBits }: HevcSequence): Usability {
  for (let i = 0; i < 6; i += 1) bits.unsigned();
  if (bits.flag() && bits.flag()) skipScalingLists(bits);
  bits.skip(2);
  if (bits.flag()) {
    bits.skip(8);
    bits.unsigned();
    bits.unsigned();
    bits.skip(1);
  }
  const sets = bits.unsigned();
  if (sets > MAX_REFERENCE_SETS) uncertain('HEVC reference sets');
  const sizes: number[] = [];
  for (let i = 0; i < sets; i += 1) sizes.push(readReferenceSet(bits, i, sizes));
  if (bits.flag()) {
    const longTerm = bits.unsigned();
    if (longTerm > MAX_LONG_TERM) uncertain('HEVC reference sets');
    for (let i = 0; i < longTerm; i += 1) bits.skip(orderBits + 1);
  }
  bits.skip(2);
  if (!bits.flag()) return {};
  const usability = readUsability(bits);
  if (usability.isCut) uncertain('HEVC usability cut short');
  if (bits.flag()) {
    bits.unsigned();
    bits.unsigned();
  }
  bits.skip(1);
  if (bits.flag()) uncertain('HEVC in fields');
  bits.skip(1);
  if (bits.flag()) uncertain('HEVC with a default display window');
  return usability;
}

function skipScalingLists(bits: Bits): void {
  for (let size = 0; size < 4; size += 1) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!bits.flag()) bits.unsigned();
      else {
        if (size > 1) bits.signed();
        for (let i = Math.min(64, 1 << (4 + (size << 1))); i > 0; i -= 1) bits.signed();
      }
    }
  }
}

/** Reads st_ref_pic_set(index) and returns how many pictures it holds. */
function readReferenceSet(bits: Bits, index: number, sizes: readonly number[]): number {
  if (index > 0 && bits.flag()) {
    bits.skip(1);
    bits.unsigned();
    const from = sizes[index - 1] ?? 0;
    let kept = 0;
    for (let i = 0; i <= from; i += 1) if (bits.flag() || bits.flag()) kept += 1;
    return kept;
  }
  const [before, after] = [bits.unsigned(), bits.unsigned()];
  if (before + after > MAX_REFERENCES) uncertain('HEVC reference sets');
  for (let i = 0; i < before + after; i += 1) {
    bits.unsigned();
    bits.skip(1);
  }
  return before + after;
}

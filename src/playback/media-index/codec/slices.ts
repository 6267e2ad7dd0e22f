/**
 * Computes the display order of pictures from their slice headers (ISO/IEC 14496-10, 7.3.3 and 8.2.1; H.265, 7.3.6
 * and 8.3.1), for containers that only have the decoding order. The same headers show which fields form one
 * picture.
 */
import { createBits, unescaped } from '../../../lib/media/bits.ts';
import { type AnnexBCodec, type Unit, UNITS } from './annexb.ts';
import type { Sequence } from './sps.ts';

/** Facts of parameter sets that are needed to parse slice headers. */
export interface SliceFormat extends Pick<Sequence, 'hasFields' | 'frameBits' | 'orderBits' | 'orderType'> {
  /** HEVC: bits and a flag of the picture parameter set. */
  extraBits: number;
  hasOutputFlag: boolean;
}

export interface SliceHead {
  /** No later picture needs an earlier one. */
  isReset: boolean;
  /** Another picture's order may be counted from it. */
  isReference: boolean;
  field: 'none' | 'top' | 'bottom';
  /** frame_num of H.264. */
  frame: number;
  /** Last bits of the picture's place in the order. */
  order: number;
}

const HEAD = 48;
const PICTURE_SET = { h264: 8, hevc: 34 } as const;

/** `sets` has the parameter sets of the stream. */
export function sliceFormat(
  { hasFields, frameBits, orderBits, orderType }: Sequence,
  bytes: Buffer,
  units: readonly Unit[],
  codec: AnnexBCodec,
): SliceFormat {
  const format = { hasFields, frameBits, orderBits, orderType, extraBits: 0, hasOutputFlag: false };
  const set = units.find(({ type }) => type === PICTURE_SET[codec]);
  if (codec === 'h264' || set === undefined) return format;
  const bits = createBits(unescaped(bytes.subarray(set.from + 2, Math.min(set.to, set.from + HEAD))));
  bits.unsigned();
  bits.unsigned();
  bits.skip(1);
  return { ...format, hasOutputFlag: bits.flag(), extraBits: bits.take(3) };
}

/** Reads the first slice of a picture; undefined where there is none. */
export function sliceHead(
  bytes: Buffer,
  units: readonly Unit[],
  codec: AnnexBCodec,
  format: SliceFormat,
): SliceHead | undefined {
  const unit = units.find(({ type }) => UNITS[codec].isPicture(type));
  if (unit === undefined) return undefined;
  return unitHead(bytes, unit, codec, format);
}

export function unitHead(bytes: Buffer, unit: Unit, codec: AnnexBCodec, format: SliceFormat): SliceHead {
  const slice = bytes.subarray(unit.from, Math.min(unit.to, unit.from + HEAD));
  return codec === 'h264' ? h264Head(slice, format) : hevcHead(slice, unit.type, format);
}

function h264Head(slice: Buffer, { hasFields, frameBits, orderBits }: SliceFormat): SliceHead {
  const bits = createBits(unescaped(slice.subarray(1)));
  const isReset = ((slice[0] ?? 0) & 31) === 5;
  bits.unsigned();
  bits.unsigned();
  bits.unsigned();
  const frame = bits.take(frameBits);
  const isField = hasFields && bits.flag();
  const field = !isField ? 'none' : bits.flag() ? 'bottom' : 'top';
  if (isReset) bits.unsigned();
  return {
    isReset,
    isReference: ((slice[0] ?? 0) & 0x60) !== 0,
    field,
    frame,
    order: orderBits > 0 ? bits.take(orderBits) : 0,
  };
}

const [BLA_FIRST, IDR_LAST, FIRST_IRAP, LAST_IRAP] = [16, 20, 16, 23];
const IDR_FIRST = 19;
const SUB_LAYER = 16;
const LEADING = [6, 7, 8, 9];

function hevcHead(slice: Buffer, type: number, { orderBits, extraBits, hasOutputFlag }: SliceFormat): SliceHead {
  const bits = createBits(unescaped(slice.subarray(2)));
  const layer = ((slice[1] ?? 0) & 7) - 1;
  const isReset = type >= BLA_FIRST && type <= IDR_LAST;
  const isReference = layer === 0 && (type >= SUB_LAYER || type % 2 === 1) && !LEADING.includes(type);
  bits.skip(1);
  if (type >= FIRST_IRAP && type <= LAST_IRAP) bits.skip(1);
  bits.unsigned();
  bits.skip(extraBits);
  bits.unsigned();
  if (hasOutputFlag) bits.skip(1);
  return {
    isReset,
    isReference,
    field: 'none',
    frame: 0,
    order: type >= IDR_FIRST && type <= IDR_LAST ? 0 : bits.take(orderBits),
  };
}

/** Whether the second of two fields in a row completes the picture that the first one began. */
export const isSecondField = (first: SliceHead, second: SliceHead): boolean =>
  first.field !== 'none' &&
  second.field !== 'none' &&
  first.field !== second.field &&
  first.frame === second.frame &&
  !second.isReset &&
  first.isReference === second.isReference;

/** Pictures between two that reset the order are fewer. */
const EPOCH = 2 ** 33;

/** Returns a function that numbers each picture, called in decoding order. Numbers increase in display order. */
export function createOrder({ orderBits, orderType }: SliceFormat): (head: SliceHead) => number {
  const most = 2 ** orderBits;
  let epoch = 0;
  let count = 0;
  let last: { high: number; low: number } | undefined;
  return ({ isReset, isReference, order }) => {
    count += 1;
    if (isReset && last !== undefined) epoch += 1;
    // If display order equals decoding order, there is nothing to count.
    if (orderType !== 0) return count;
    const { high, low }: { high: number; low: number } = isReset || last === undefined ? { high: 0, low: order } : last;
    const own =
      order < low && low - order >= most / 2 ? high + most : order > low && order - low > most / 2 ? high - most : high;
    if (isReference || last === undefined) last = { high: own, low: order };
    return epoch * EPOCH + own + order;
  };
}

/**
 * Returns the largest delay in pictures between decoding and display; `ranks` are in decoding order, from
 * one that resets it on.
 */
export function delayOf(ranks: readonly number[]): number {
  const shown = ranks.map((_, i) => i).toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  return shown.reduce((most, decoded, place) => Math.max(most, decoded - place), 0);
}

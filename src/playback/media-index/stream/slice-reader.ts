/** Reads the parameter sets of a stream and the slices of its pictures, one picture after the other. */
import { type AnnexBCodec, isFirstSlice, type ParameterSets, privateSets, type Unit, UNITS } from '../codec/annexb.ts';
import {
  createOrder,
  isSecondField,
  type SliceFormat,
  sliceFormat,
  type SliceHead,
  unitHead,
} from '../codec/slices.ts';

export interface StreamSets extends ParameterSets {
  slices: SliceFormat;
  /** Returns a number of each picture that increases in display order. It is called in decoding order. */
  rankOf(head: SliceHead): number;
}

export interface SliceReader {
  readonly sets: StreamSets | undefined;
  /** Bytes in front of each unit that say its length; 0 if units begin with start codes. */
  readonly lengthSize: number;
  /** The stream is one that cannot be copied: pictures of two sizes. */
  readonly isUnfit: boolean;
  /** Some part had several pictures, other than two fields of one. */
  readonly hasSeveral: boolean;
  /** Fields without the second one of their picture. */
  readonly loneFields: number;
  /** Whether the last picture was a first field. */
  readonly hasOpenField: boolean;
  /** Takes parameter sets that a container has in front of the pictures. Throws if they are not understood. */
  takePrivate(config: Buffer): void;
  /** Takes the parameter sets of a keyframe. The first ones count for the whole stream. */
  take(found: ParameterSets, bytes: Buffer, units: readonly Unit[]): void;
  /** Returns the head of the picture's first slice, and whether it is the second field of the picture before it. */
  read(bytes: Buffer, units: readonly Unit[]): { head?: SliceHead; isSecond: boolean };
}

export function createSliceReader(codec: AnnexBCodec): SliceReader {
  let sets: StreamSets | undefined;
  let lengthSize = 0;
  let [isUnfit, hasSeveral] = [false, false];
  let loneFields = 0;
  let before: SliceHead | undefined;

  const take = (found: ParameterSets, bytes: Buffer, units: readonly Unit[]): void => {
    if (sets) {
      const { width, height } = sets.sequence;
      if (found.sequence.width !== width || found.sequence.height !== height) isUnfit = true;
      return;
    }
    const slices = sliceFormat(found.sequence, bytes, units, codec);
    sets = { ...found, slices, rankOf: createOrder(slices) };
  };
  return {
    get sets() {
      return sets;
    },
    get lengthSize() {
      return lengthSize;
    },
    get isUnfit() {
      return isUnfit;
    },
    get hasSeveral() {
      return hasSeveral;
    },
    get loneFields() {
      return loneFields;
    },
    get hasOpenField() {
      return before !== undefined;
    },
    take,
    takePrivate: (config) => {
      const found = privateSets(config, codec);
      if (found === undefined) return;
      take(found, found.bytes, found.units);
      ({ lengthSize } = found);
    },
    read: (bytes, units) => {
      if (sets === undefined) return { isSecond: false };
      const { slices } = sets;
      const heads = units
        .filter((unit) => UNITS[codec].isPicture(unit.type) && isFirstSlice(bytes, unit, codec))
        .map((unit) => unitHead(bytes, unit, codec, slices));
      const [head, second] = heads;
      if (head === undefined) return { isSecond: false };
      const isPair = second !== undefined && isSecondField(head, second);
      // Two fields are one sample, two pictures are not.
      if (heads.length > 2 || (second !== undefined && !isPair)) hasSeveral = true;
      const isSecond = before !== undefined && isSecondField(before, head);
      if (before !== undefined && !isSecond) loneFields += 1;
      before = head.field !== 'none' && !isPair && !isSecond ? head : undefined;
      return { head, isSecond };
    },
  };
}

/** Finds the keyframes and parameters of H.264 and HEVC streams with start codes. */
import { Uncertain } from '../../../lib/media/source.ts';
import { box } from '../../cmaf/boxes.ts';
import { pixelAspectBox, visualEntry } from '../../cmaf/entries.ts';
import {
  type AnnexBCodec,
  nalUnits,
  type ParameterSets,
  pictureKindOf,
  recordOf,
  type Unit,
  UNITS,
} from '../codec/annexb.ts';
import { delayOf } from '../codec/slices.ts';
import { avcName, hevcName } from '../codec/video.ts';
import { createGrowingBuffer } from './growing-buffer.ts';
import { createKeyframes } from './keyframes.ts';
import { CLOCK } from './payload.ts';
import { createSliceReader, type StreamSets } from './slice-reader.ts';
import { notCopied, type ElementaryStreamFacts, type StreamWalk, type WalkedStream } from './stream-walk.ts';

/** Bytes read of a picture: its parameter sets, its messages, and the header of its first slice. */
const HEAD = 16 * 1024;
/** Maximum bytes read of each of the first pictures, which are read whole. */
const WHOLE = 2 * 1024 * 1024;
const FIRST_ROOM = 64 * 1024;
export const WHOLE_PICTURES = 100;
/** Bytes of a start code, without the zeros in front of it. */
const START_CODE = 3;
/** Maximum share of packets that do not begin with a picture. */
const MAX_MISALIGNED = 0.01;
/** Maximum number of pictures that a decoder holds. */
const MAX_DELAY = 16;

export interface VideoWalk extends StreamWalk {
  /** For each keyframe, the number of pictures that are decoded after it and shown before it. */
  leading: number[];
  /** Whether too little of the stream was read to count the leading pictures of a keyframe. */
  isWaiting(): boolean;
}

export interface VideoWalkOptions {
  /** If false, times only show the decoding order, and the display order is read from the slices. */
  isTimed: boolean;
  /** Parameter sets that the container has in front of the pictures. */
  private?: Buffer;
}

/** Whether bytes were not understood; other errors are bugs. */
const isUncertain = (error: unknown): boolean => error instanceof Uncertain || error instanceof RangeError;

export function videoWalk(
  facts: ElementaryStreamFacts,
  codec: AnnexBCodec,
  { isTimed, private: config }: VideoWalkOptions,
): VideoWalk {
  const buffer = createGrowingBuffer(FIRST_ROOM);
  const slices = createSliceReader(codec);
  const keyframes = createKeyframes(WHOLE_PICTURES);
  const { times, places, isIdr, leading } = keyframes;
  let open: { at: number; time: number } | undefined;
  let [pictures, misaligned] = [0, 0];
  let [lowest, highest] = [Infinity, -Infinity];

  const add = (bytes: Buffer, from: number, to: number): void => {
    const length = Math.min(to - from, (pictures < WHOLE_PICTURES ? WHOLE : HEAD) - buffer.length);
    if (length > 0) buffer.add(bytes, from, from + length);
  };
  const readPicture = (at: number, time: number): void => {
    const bytes = buffer.bytes();
    const units = nalUnits(bytes, codec, slices.lengthSize);
    const isPicture = units.some(({ type }) => UNITS[codec].isPicture(type));
    const kind = pictureKindOf(bytes, units, codec);
    const found = kind === 'other' ? undefined : recordOf(bytes, units, codec);
    if (found) slices.take(found, bytes, units);
    const { head, isSecond } = slices.read(bytes, units);
    if (isSecond) return;
    pictures += 1;
    if (!isPicture || !beginsWithUnit(bytes, units, slices.lengthSize)) misaligned += 1;
    lowest = Math.min(lowest, time);
    highest = Math.max(highest, time);
    const { sets } = slices;
    const rank = isTimed || head === undefined ? 0 : (sets?.rankOf(head) ?? 0);
    if (!isTimed && head !== undefined) keyframes.noteRank(rank);
    if (kind === 'other' || sets === undefined || time <= (times.at(-1) ?? -Infinity)) return;
    keyframes.add({ at, time, isIdr: kind === 'idr', rank: isTimed ? undefined : rank });
  };
  const finish = (): void => {
    if (open === undefined) return;
    const { at, time } = open;
    open = undefined;
    try {
      readPicture(at, time);
    } catch (error) {
      if (!isUncertain(error)) throw error;
      // A picture that is not understood is none to begin with.
      misaligned += 1;
    }
  };
  let isFit = true;
  try {
    if (config && config.length > 0) slices.takePrivate(config);
  } catch (error) {
    if (!isUncertain(error)) throw error;
    isFit = false;
  }
  return {
    facts,
    marks: { times, places },
    isIdr,
    leading,
    isWaiting: () => {
      finish();
      return keyframes.isWaiting;
    },
    start: ({ bytes, from, to, at }, time) => {
      // A part without a time continues the picture before it.
      if (time !== undefined) {
        finish();
        buffer.clear();
        open = { at, time };
      }
      add(bytes, from, to);
      return true;
    },
    more: ({ bytes, from, to }) => {
      if (open !== undefined) add(bytes, from, to);
    },
    result: (zero) => {
      finish();
      const { sets, lengthSize, loneFields } = slices;
      const few = Math.max(2, pictures * MAX_MISALIGNED);
      if (facts.isSealed) return notCopied(facts, 'encoded');
      if (pictures === 0) return notCopied(facts, 'empty');
      const isUnfit = !isFit || slices.isUnfit || keyframes.isUnfit;
      if (sets === undefined || isUnfit || misaligned > few || loneFields > few) return notCopied(facts, 'codec');
      const delay = isTimed ? undefined : Math.min(sets.sequence.reorder ?? delayOf(keyframes.ranks), MAX_DELAY);
      // Fields that come as two parts have no separate times, and order type 1 is counted by rules that no encoder
      // uses.
      if (!isTimed && (loneFields > 0 || slices.hasOpenField || sets.slices.orderType === 1))
        return notCopied(facts, 'codec');
      const frameDuration = pictures > 1 ? Math.max(1, Math.round((highest - lowest) / (pictures - 1))) : CLOCK / 25;
      return { ...described({ codec, sets, lengthSize, delay, frameDuration, zero }), end: highest + frameDuration };
    },
  };
}

/**
 * Whether a part begins with a unit. Where packets begin in the middle of a picture, the bytes before their first unit
 * belong to the picture before, which would be copied without its end.
 */
function beginsWithUnit(bytes: Buffer, [first]: readonly Unit[], lengthSize: number): boolean {
  if (first === undefined) return false;
  return lengthSize > 0 || bytes.subarray(0, first.from - START_CODE).every((byte) => byte === 0);
}

interface VideoFacts {
  codec: AnnexBCodec;
  sets: StreamSets;
  lengthSize: number;
  /** How many pictures later than it is decoded a picture may be shown; undefined with presentation times. */
  delay: number | undefined;
  /** Ticks. */
  frameDuration: number;
  zero: number;
}

/** Describes a stream that can be copied. */
function described({ codec, sets, lengthSize, delay, frameDuration, zero }: VideoFacts): Omit<WalkedStream, 'end'> {
  const { record, sequence, slices } = sets;
  const shown = shapeOf(sequence);
  const name = codec === 'h264' ? avcName('avc1', record) : hevcName('hvc1', record);
  const entry = visualEntry(codec === 'h264' ? 'avc1' : 'hvc1', sequence.width, sequence.height, [
    box(codec === 'h264' ? 'avcC' : 'hvcC', record),
    ...shown.boxes,
  ]);
  return {
    data: {
      codec,
      codecs: name,
      timescale: CLOCK,
      priming: 0,
      frameSize: 0,
      entry: new Uint8Array(entry),
      width: shown.width,
      height: shown.height,
      frameRate: CLOCK / frameDuration,
      obstacles: [],
    },
    packets: {
      codec,
      timescale: CLOCK,
      frameSize: 0,
      first: zero,
      signature: 0,
      frameDuration,
      slices,
      ...(lengthSize > 0 && { lengthSize }),
      ...(delay !== undefined && { delay: slices.orderType === 0 ? delay : 0 }),
    },
  };
}

function shapeOf({ width, height, aspect }: ParameterSets['sequence']): {
  width: number;
  height: number;
  boxes: Buffer[];
} {
  if (aspect === undefined) return { width, height, boxes: [] };
  return {
    width: Math.min(0xffff, Math.round((width * aspect[0]) / aspect[1])),
    height,
    boxes: [pixelAspectBox(...aspect)],
  };
}

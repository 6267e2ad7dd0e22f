/** Finds the keyframes and parameters of H.264 and HEVC streams with start codes. */
import { Uncertain, uncertain } from '../../../lib/media/source.ts';
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
import { createKeyframes, type KeyframeList } from './keyframes.ts';
import { CLOCK } from './payload.ts';
import { filledTimes } from './shown.ts';
import { createSliceReader, type SliceReader, type StreamSets } from './slice-reader.ts';
import { notCopied, type ElementaryStreamFacts, type StreamWalk, type WalkedStream } from './stream-walk.ts';

/** Bytes read of a picture: its parameter sets, its messages, and the header of its first slice. */
const HEAD = 16 * 1024;
/** Maximum bytes read of each of the first pictures, which are read whole. */
const WHOLE = 2 * 1024 * 1024;
const FIRST_ROOM = 64 * 1024;
export const WHOLE_PICTURES = 100;
/** Bytes of a start code, without the zeros in front of it. */
const START_CODE = 3;
/** Pictures of a stream with presentation times. */
const MAX_PICTURES = 4_000_000;
/** Maximum share of parts that do not begin with a picture. */
const MAX_MISALIGNED = 0.01;
/** Maximum number of pictures that a decoder holds. */
const MAX_DELAY = 16;

export interface VideoWalk extends StreamWalk {
  /** For each keyframe, the number of pictures that are decoded after it and shown before it. */
  leading: number[];
  /** Whether too little of the stream was read to count the leading pictures of a keyframe. */
  isWaiting(): boolean;
  /** Some part had several pictures. */
  readonly hasSeveral: boolean;
}

export interface VideoWalkOptions {
  /**
   * If false, times only show the decoding order, and the display order is read from the slices. If true, they say when
   * pictures are shown, and where some are missing they follow from the display order.
   */
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
  const { times, places, counts, isIdr, leading } = keyframes;
  let open: OpenPart | undefined;
  let [pictures, misaligned] = [0, 0];
  const timed = createTimedPictures();
  let [lowest, highest] = [Infinity, -Infinity];

  const add = (bytes: Buffer, from: number, to: number): void => {
    const length = Math.min(to - from, (pictures < WHOLE_PICTURES ? WHOLE : HEAD) - buffer.length);
    if (length > 0) buffer.add(bytes, from, from + length);
  };
  const readPicture = ({ at, count, time }: OpenPart): void => {
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
    const { sets } = slices;
    const rank = head && sets?.rankOf(head);
    const key = kind === 'other' || sets === undefined ? undefined : { at, count, isIdr: kind === 'idr' };
    if (isTimed) {
      timed.add(time, rank, key);
      return;
    }
    if (time === undefined) return;
    lowest = Math.min(lowest, time);
    highest = Math.max(highest, time);
    if (rank !== undefined) keyframes.noteRank(rank);
    if (key && time > (times.at(-1) ?? -Infinity)) keyframes.add({ ...key, time, rank: rank ?? 0 });
  };
  const finish = (): void => {
    if (open === undefined) return;
    const part = open;
    open = undefined;
    try {
      readPicture(part);
    } catch (error) {
      if (!isUncertain(error)) throw error;
      // A picture that is not understood is none to begin with.
      misaligned += 1;
    }
  };
  const isFit = config === undefined || config.length === 0 || isTaken(slices, config);
  return {
    facts,
    marks: { times, places, ...(isTimed && { counts }) },
    isIdr,
    leading,
    get hasSeveral() {
      return slices.hasSeveral;
    },
    isWaiting: () => {
      finish();
      return keyframes.isWaiting;
    },
    start: ({ bytes, from, to, at, count }, time) => {
      finish();
      buffer.clear();
      open = { at, count, time };
      add(bytes, from, to);
      return true;
    },
    more: ({ bytes, from, to }) => {
      if (open !== undefined) add(bytes, from, to);
    },
    result: (zero) => {
      finish();
      if (isTimed) ({ lowest, highest } = timed.finish(keyframes));
      const { sets, lengthSize, loneFields } = slices;
      const few = Math.max(2, pictures * MAX_MISALIGNED);
      if (facts.isSealed) return notCopied(facts, 'encoded');
      if (pictures === 0) return notCopied(facts, 'empty');
      // Several pictures of a part can only be divided where the times of all of them are known or follow from others.
      const isUnfit =
        !isFit || slices.isUnfit || (isTimed ? timed.isUnfit(sets) : slices.hasSeveral) || keyframes.isUnfit;
      if (sets === undefined || isUnfit || misaligned > few || loneFields > few) return notCopied(facts, 'codec');
      const delay = isTimed ? undefined : Math.min(sets.sequence.reorder ?? delayOf(keyframes.ranks), MAX_DELAY);
      // Fields that come as two parts have no separate times, and order type 1 is counted by rules that no encoder
      // uses.
      if (!isTimed && (loneFields > 0 || slices.hasOpenField || sets.slices.orderType === 1))
        return notCopied(facts, 'codec');
      const average = pictures > 1 ? Math.max(1, (highest - lowest) / (pictures - 1)) : CLOCK / 25;
      // Times that are missing are counted with it, over many pictures.
      const frameDuration = isTimed ? average : Math.round(average);
      return {
        ...described({ codec, sets, lengthSize, delay, frameDuration, zero }),
        end: highest + Math.round(frameDuration),
      };
    },
  };
}

/** Whether parameter sets of a container are understood. */
function isTaken(slices: SliceReader, config: Buffer): boolean {
  try {
    slices.takePrivate(config);
    return true;
  } catch (error) {
    if (!isUncertain(error)) throw error;
    return false;
  }
}

interface OpenPart {
  at: number;
  count: number | undefined;
  time: number | undefined;
}

type TimedKey = Pick<OpenPart, 'at' | 'count'> & { isIdr: boolean };

/** Collects the times of a stream's pictures, some of which may be missing. */
function createTimedPictures(): {
  add(time: number | undefined, rank: number | undefined, key: TimedKey | undefined): void;
  /** Whether times are missing that do not follow from others, because the display order is not known. */
  isUnfit(sets: StreamSets | undefined): boolean;
  /** Fills the times that are missing, and adds the keyframes. */
  finish(keyframes: KeyframeList): { lowest: number; highest: number };
} {
  const times: (number | undefined)[] = [];
  const ranks: number[] = [];
  const keys: (TimedKey & { picture: number })[] = [];
  let missing = 0;
  return {
    add: (time, rank, key) => {
      if (time === undefined) missing += 1;
      if (key) keys.push({ ...key, picture: times.length });
      ranks.push(rank ?? ranks.at(-1) ?? 0);
      if (times.push(time) > MAX_PICTURES) uncertain('too many pictures');
    },
    isUnfit: (sets) => missing === times.length || (missing > 0 && sets?.slices.orderType === 1),
    finish: (keyframes) => {
      const filled = missing > 0 ? filledTimes(times, ranks, undefined) : times;
      let [lowest, highest] = [Infinity, -Infinity];
      for (const time of filled) {
        lowest = Math.min(lowest, time ?? Infinity);
        highest = Math.max(highest, time ?? -Infinity);
      }
      for (const { picture, ...key } of keys) {
        const time = filled[picture] ?? lowest;
        if (time > (keyframes.times.at(-1) ?? -Infinity)) keyframes.add({ ...key, time, rank: undefined });
      }
      return { lowest, highest };
    },
  };
}

/** Whether a part begins with a unit. Bytes before the first unit would be missing from the copy. */
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

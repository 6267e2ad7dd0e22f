/** Finds the keyframes of H.264 and HEVC with start codes, and what describes the stream. */
import { uncertain, Uncertain } from '../../../lib/media/source.ts';
import { box } from '../../cmaf/boxes.ts';
import { pixelAspectBox, visualEntry } from '../../cmaf/entries.ts';
import {
  type AnnexBCodec,
  isFirstSlice,
  pictureKindOf,
  type ParameterSets,
  privateSets,
  recordOf,
  type Unit,
  UNITS,
  nalUnits,
} from '../codec/annexb.ts';
import {
  createOrder,
  delayOf,
  isSecondField,
  type SliceFormat,
  sliceFormat,
  type SliceHead,
  unitHead,
} from '../codec/slices.ts';
import { avcName, hevcName } from '../codec/video.ts';
import { CLOCK } from './payload.ts';
import { notCopied, type ElementaryStreamFacts, type StreamWalk } from './stream-walk.ts';

/** Bytes of a picture that are looked at: its parameter sets and messages, and the head of its first slice. */
const HEAD = 16 * 1024;
/** The first pictures are looked at whole, each up to this size. */
const WHOLE = 2 * 1024 * 1024;
const FIRST_ROOM = 64 * 1024;
export const WHOLE_PICTURES = 100;
const MAX_KEYFRAMES = 500_000;
/** Share of packets that may begin elsewhere than with a picture. */
const MAX_MISALIGNED = 0.01;
/** Pictures that may be shown before a keyframe behind which they are decoded. */
const MAX_LEADING = 16;
/** Pictures that a decoder holds at most. */
const MAX_DELAY = 16;

/** A keyframe of a stream without presentation times, until a picture comes that is shown after it. */
interface OpenKeyframe {
  place: number;
  rank: number;
  leading: number;
}

export interface VideoWalk extends StreamWalk {
  /** For each keyframe, how many pictures that are decoded behind it are shown before it. */
  leading: number[];
  /** Too little is known of the stream so far to say how many pictures lead a keyframe. */
  isWaiting(): boolean;
}

export interface VideoWalkOptions {
  /** If false, times only show the decoding order, and the display order is read from the slices. */
  isTimed: boolean;
  /** Parameter sets that the container has in front of the pictures. */
  private?: Buffer;
}

export function videoWalk(
  facts: ElementaryStreamFacts,
  codec: AnnexBCodec,
  { isTimed, private: config }: VideoWalkOptions,
): VideoWalk {
  const [times, places, isIdr, leading, ranks]: [number[], number[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  let buffer = Buffer.allocUnsafe(FIRST_ROOM);
  let filled = 0;
  let open: { at: number; time: number } | undefined;
  let sets: (ParameterSets & { slices: SliceFormat; rankOf: (head: SliceHead) => number }) | undefined;
  let lengthSize = 0;
  let [pictures, misaligned, lone] = [0, 0, 0];
  let [lowest, highest] = [Infinity, -Infinity];
  let isUnfit = false;
  let before: SliceHead | undefined;
  let waiting: OpenKeyframe | undefined;

  const add = (bytes: Buffer, from: number, to: number): void => {
    const length = Math.min(to - from, (pictures < WHOLE_PICTURES ? WHOLE : HEAD) - filled);
    if (filled + length > buffer.length)
      buffer = Buffer.concat([buffer.subarray(0, filled), Buffer.allocUnsafe(Math.max(buffer.length, length))]);
    if (length > 0) filled += bytes.copy(buffer, filled, from, from + length);
  };
  const take = (found: ParameterSets, bytes: Buffer, units: readonly Unit[]): void => {
    const slices = sliceFormat(found.sequence, bytes, units, codec);
    sets = { ...found, slices, rankOf: createOrder(slices) };
  };
  const takePrivate = (bytes: Buffer): void => {
    const found = privateSets(bytes, codec);
    if (found === undefined) return;
    take(found, found.bytes, found.units);
    ({ lengthSize } = found);
  };
  /** Returns the head of the picture's first slice, and whether it is the second field of the picture before it. */
  const slicesOf = (bytes: Buffer, units: readonly Unit[]): { head?: SliceHead; isSecond: boolean } => {
    if (sets === undefined) return { isSecond: false };
    const { slices } = sets;
    const heads = units
      .filter((unit) => UNITS[codec].isPicture(unit.type) && isFirstSlice(bytes, unit, codec))
      .map((unit) => unitHead(bytes, unit, codec, slices));
    const [head, second] = heads;
    if (head === undefined) return { isSecond: false };
    const isPair = second !== undefined && isSecondField(head, second);
    // Two fields are one sample, two pictures are not.
    if (heads.length > 2 || (second !== undefined && !isPair)) isUnfit = true;
    const isSecond = before !== undefined && isSecondField(before, head);
    if (before !== undefined && !isSecond) lone += 1;
    before = head.field !== 'none' && !isPair && !isSecond ? head : undefined;
    return { head, isSecond };
  };
  const order = (head: SliceHead): number => {
    const rank = sets?.rankOf(head) ?? 0;
    if (ranks.length < WHOLE_PICTURES) ranks.push(rank);
    if (waiting === undefined) return rank;
    if (rank > waiting.rank) waiting = undefined;
    else {
      leading[waiting.place] = waiting.leading += 1;
      if (waiting.leading > MAX_LEADING) isUnfit = true;
    }
    return rank;
  };
  const look = (at: number, time: number): void => {
    const bytes = buffer.subarray(0, filled);
    const units = nalUnits(bytes, codec, lengthSize);
    const isPicture = units.some(({ type }) => UNITS[codec].isPicture(type));
    const kind = pictureKindOf(bytes, units, codec);
    const found = kind === 'other' ? undefined : recordOf(bytes, units, codec);
    if (
      sets &&
      found &&
      (found.sequence.width !== sets.sequence.width || found.sequence.height !== sets.sequence.height)
    )
      isUnfit = true;
    if (sets === undefined && found) take(found, bytes, units);
    const { head, isSecond } = slicesOf(bytes, units);
    if (isSecond) return;
    pictures += 1;
    if (!isPicture) misaligned += 1;
    lowest = Math.min(lowest, time);
    highest = Math.max(highest, time);
    const rank = isTimed || head === undefined ? 0 : order(head);
    if (kind === 'other' || sets === undefined || time <= (times.at(-1) ?? -Infinity)) return;
    times.push(time);
    isIdr.push(kind === 'idr' ? 1 : 0);
    leading.push(0);
    if (places.push(at) > MAX_KEYFRAMES) uncertain('too many keyframes');
    if (!isTimed) waiting = { place: places.length - 1, rank, leading: 0 };
  };
  const finish = (): void => {
    if (open === undefined) return;
    const { at, time } = open;
    open = undefined;
    try {
      look(at, time);
    } catch (error) {
      // A picture that is not understood is none to begin with.
      if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
      misaligned += 1;
    }
  };
  try {
    if (config && config.length > 0) takePrivate(config);
  } catch (error) {
    if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
    isUnfit = true;
  }
  return {
    facts,
    marks: { times, places },
    isIdr,
    leading,
    isWaiting: () => {
      finish();
      return waiting !== undefined;
    },
    start: ({ bytes, from, to, at }, time) => {
      // A part without a time continues the picture before it.
      if (time !== undefined) {
        finish();
        filled = 0;
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
      const few = Math.max(2, pictures * MAX_MISALIGNED);
      if (facts.isSealed) return notCopied(facts, 'encoded');
      if (pictures === 0) return notCopied(facts, 'empty');
      if (sets === undefined || isUnfit || misaligned > few || lone > few) return notCopied(facts, 'codec');
      const { record, sequence, slices } = sets;
      const delay = isTimed ? undefined : Math.min(sequence.reorder ?? delayOf(ranks), MAX_DELAY);
      // Fields that come as two parts have no separate times, and order type 1 is counted by rules that no encoder
      // uses.
      if (!isTimed && (lone > 0 || before !== undefined || slices.orderType === 1)) return notCopied(facts, 'codec');
      const frameDuration = pictures > 1 ? Math.max(1, Math.round((highest - lowest) / (pictures - 1))) : CLOCK / 25;
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
        end: highest + frameDuration,
      };
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

/** Pictures of a segment, of a container without a table of samples. */
import { Uncertain, uncertain } from '../../../lib/media/source.ts';
import {
  type AnnexBCodec,
  beginsAccessUnit,
  hasSeveralPictures,
  nalUnits,
  pictureKindOf,
  type Unit,
  UNITS,
} from '../codec/annexb.ts';
import { createOrder, isSecondField, type SliceHead, sliceHead } from '../codec/slices.ts';
import { CLOCK, type Payload } from './payload.ts';
import { createPictureBytes } from './picture-bytes.ts';
import { createPictureTimes, type TimedPicture } from './picture-times.ts';
import { createPieces } from './pieces.ts';
import type { PacketQuestion, SegmentWork } from './types.ts';

/**
 * `isDivided`: parts are access units, as `splitAccessUnits` hands them on. Without it, those of a transport stream are
 * its packets, and there is no result if one is not exactly a picture with a time.
 */
export function pictureSegment(question: PacketQuestion, codec: AnnexBCodec, isDivided: boolean): SegmentWork {
  const { container, track, from, to, start, isFirst, isSingle = false } = question;
  const { slices, delay, frameDuration, lengthSize = 0 } = track;
  const list = createPieces();
  const source = createPictureBytes();
  const [sizes, keys]: [number[], number[]] = [[], []];
  const clock = createPictureTimes(question, isDivided);
  const rankOf = slices && createOrder(slices);
  const keyTime = Math.round(start * CLOCK);
  let open: TimedPicture | undefined;
  let before: SliceHead | undefined;
  let isDone = false;
  const isChecked = container === 'ts' && !isDivided;
  let isUnfit = false;

  /** Whether a picture is the second field of the one before it. */
  const joins = (head: SliceHead | undefined): boolean => {
    const isJoined = before !== undefined && head !== undefined && isSecondField(before, head);
    before = isJoined ? undefined : head;
    return isJoined;
  };
  const headOf = (bytes: Buffer, units: readonly Unit[]): SliceHead | undefined => {
    if (!slices || (delay === undefined && !slices.hasFields && !isDivided)) return undefined;
    try {
      return sliceHead(bytes, units, codec, slices);
    } catch (error) {
      // A damaged picture is shown behind the one before it.
      if (!isDivided || !(error instanceof Uncertain)) throw error;
      return undefined;
    }
  };
  const finish = (): void => {
    if (open === undefined) return;
    const picture = open;
    open = undefined;
    const bytes = source.bytes();
    const units = nalUnits(bytes, codec, lengthSize);
    if (!units.some(({ type }) => UNITS[codec].isPicture(type))) return;
    if (isChecked && hasSeveralPictures(bytes, units, codec)) isUnfit = true;
    const head = headOf(bytes, units);
    const kept = units.filter(({ type }) => !UNITS[codec].dropped.has(type));
    if (joins(head)) {
      if (!picture.isBehind && sizes.length > 0)
        sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + source.copyUnits(kept, list);
      return;
    }
    if (isSingle && sizes.length > 0) {
      isDone = true;
      return;
    }
    if (!clock.add(picture, head && rankOf?.(head)) || picture.isBehind) return;
    keys.push(pictureKindOf(bytes, units, codec) === 'other' ? 0 : 1);
    sizes.push(source.copyUnits(kept, list));
  };
  let isBegun = false;
  /** Whether a packet begins with a picture that has a time, and the first one with the picture that is asked for. */
  const isPicture = ({ bytes, from: begin, to: stop, at }: Payload, time: number | undefined): boolean => {
    const isExpected = isBegun || at === from;
    isBegun = true;
    return isExpected && time !== undefined && beginsAccessUnit(bytes, begin, stop, codec);
  };
  return {
    start: (payload, time) => {
      if (isChecked && !isPicture(payload, time)) isUnfit = true;
      finish();
      if (isUnfit) return false;
      if (payload.at < from) return true;
      if (isDone || (isSingle && sizes.length > 0 && delay === undefined && slices?.hasFields !== true)) return false;
      const isBehind = to !== undefined && payload.at >= to;
      if (isBehind && clock.isEnough(time)) return false;
      if (isBehind && delay === undefined && !isDivided) return true;
      open = { time, isBehind };
      source.clear();
      source.add(payload);
      return true;
    },
    more: (payload) => {
      if (open) source.add(payload);
    },
    result: () => {
      finish();
      if (isUnfit || (isChecked && sizes.length === 0)) return undefined;
      const shown = clock.shown();
      const [first] = shown.times;
      if (first === undefined || (Math.abs(first - keyTime) > 1 && !isFirst))
        return uncertain('a keyframe is not where the index says');
      const latest = shown.times.reduce((most, time) => Math.max(most, time), 0);
      return {
        times: Float64Array.from(shown.times),
        sizes: Uint32Array.from(sizes),
        isKey: Uint8Array.from(keys),
        pieces: list.pieces(),
        end: Math.max(latest + 1, (isSingle ? undefined : shown.end) ?? latest + Math.round(frameDuration)),
      };
    },
  };
}

/** Pictures of a segment, of a container without a table of samples. */
import { uncertain } from '../../../lib/media/source.ts';
import { type AnnexBCodec, pictureKindOf, UNITS, nalUnits } from '../codec/annexb.ts';
import { createOrder, isSecondField, type SliceHead, sliceHead } from '../codec/slices.ts';
import { CLOCK } from './payload.ts';
import { createPictureBytes } from './picture-bytes.ts';
import { createPieces } from './pieces.ts';
import type { PacketQuestion, SegmentWork } from './types.ts';
import { shownTimes } from './shown.ts';

const MAX_PICTURES = 20_000;

interface OpenPicture {
  /** Ticks on the timeline. */
  time: number;
  /** It lies behind the segment: only its place in the order matters. */
  isBehind: boolean;
}

export function pictureSegment(
  { track, to, start, next, isFirst, isSingle = false }: PacketQuestion,
  codec: AnnexBCodec,
): SegmentWork {
  const { slices, delay, frameDuration, lengthSize = 0 } = track;
  const list = createPieces();
  const source = createPictureBytes();
  const [times, sizes, keys]: [number[], number[], number[]] = [[], [], []];
  /** Time and display rank of every picture, including those after the segment. */
  const [clock, ranks]: [number[], number[]] = [[], []];
  const rankOf = slices && createOrder(slices);
  const keyTime = Math.round(start * CLOCK);
  const nextTime = next === undefined ? undefined : Math.round(next * CLOCK);
  let open: OpenPicture | undefined;
  let before: SliceHead | undefined;
  /** Earliest time of the next segment: pictures may be shown before its keyframe. */
  let end: number | undefined;
  let isDone = false;

  /** Whether a picture is the second field of the one before it. */
  const joins = (head: SliceHead | undefined): boolean => {
    const isJoined = before !== undefined && head !== undefined && isSecondField(before, head);
    before = isJoined ? undefined : head;
    return isJoined;
  };
  const finish = (): void => {
    if (open === undefined) return;
    const picture = open;
    open = undefined;
    const bytes = source.bytes();
    const units = nalUnits(bytes, codec, lengthSize);
    if (!units.some(({ type }) => UNITS[codec].isPicture(type))) return;
    const head =
      slices && (delay !== undefined || slices.hasFields) ? sliceHead(bytes, units, codec, slices) : undefined;
    const kept = units.filter(({ type }) => !UNITS[codec].dropped.has(type));
    if (joins(head)) {
      if (!picture.isBehind && sizes.length > 0)
        sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + source.copyUnits(kept, list);
      return;
    }
    if (isSingle && times.length > 0) {
      isDone = true;
      return;
    }
    // Pictures before the first keyframe of the file need others that it does not have.
    if (isFirst && delay === undefined && times.length > 0 && picture.time < (times[0] ?? 0)) return;
    if (clock.push(picture.time) > MAX_PICTURES) uncertain('too many pictures in a segment');
    if (delay !== undefined && head) ranks.push(rankOf?.(head) ?? 0);
    if (picture.isBehind) return;
    times.push(picture.time);
    keys.push(pictureKindOf(bytes, units, codec) === 'other' ? 0 : 1);
    sizes.push(source.copyUnits(kept, list));
  };
  /** Whether pictures behind the segment say enough of its end. */
  const isEnough = (time: number): boolean => {
    if (delay !== undefined) return clock.length > times.length + delay;
    const isLate = end !== undefined && nextTime !== undefined && time >= nextTime;
    end = Math.min(end ?? time, time);
    return isLate;
  };
  return {
    start: (payload, time) => {
      if (time === undefined) {
        if (open) source.add(payload);
        return true;
      }
      finish();
      if (isDone || (isSingle && times.length > 0 && delay === undefined && slices?.hasFields !== true)) return false;
      const isBehind = to !== undefined && payload.at >= to;
      if (isBehind && isEnough(time)) return false;
      if (isBehind && delay === undefined) return true;
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
      const shown =
        delay === undefined
          ? { times, end }
          : shownTimes({ clock, ranks, count: times.length, delay, frameDuration, isSingle, start: keyTime });
      const [first] = shown.times;
      if (first === undefined || (Math.abs(first - keyTime) > 1 && !isFirst))
        return uncertain('a keyframe is not where the index says');
      const latest = shown.times.reduce((most, time) => Math.max(most, time), 0);
      return {
        times: Float64Array.from(shown.times),
        sizes: Uint32Array.from(sizes),
        isKey: Uint8Array.from(keys),
        pieces: list.pieces(),
        end: Math.max(latest + 1, (isSingle ? undefined : shown.end) ?? latest + frameDuration),
      };
    },
  };
}

/** Frames of audio of a segment. */
import { uncertain } from '../../../lib/media/source.ts';
import { type ElementaryAudioCodec, type StreamFrame, framesIn } from './frames.ts';
import { CLOCK } from './payload.ts';
import { createPieces } from './pieces.ts';
import type { PacketQuestion, SegmentWork } from './types.ts';

const MAX_BYTES = 48 * 1024 * 1024;
/** Seconds of audio behind the segment that are read, so that its last frame is whole. */
const BEHIND = 1;
/** How far a time may be from the grid that the frames lie on. */
const MAX_ROUNDING = 0.0016;

/** Place in the elementary stream at which a part begins, and its time in ticks on the timeline. */
interface Mark {
  place: number;
  time: number;
}

export function soundSegment(
  { track, start, next, isFirst }: PacketQuestion,
  codec: ElementaryAudioCodec,
): SegmentWork {
  const { timescale, frameSize, first, signature, isWhole = false, pace } = track;
  /** Ticks that a byte lasts, where sound is counted by bytes: a part may begin in the middle of a frame. */
  const byteTicks = pace && pace.bytes > 0 ? pace.ticks / pace.bytes : 0;
  const marks: Mark[] = [];
  const parts: Buffer[] = [];
  let length = 0;
  let isEnd = true;
  const onGrid = (time: number): number => {
    const grid = first + Math.round((time - first) / frameSize) * frameSize;
    return Math.round(Math.abs(grid - time) < MAX_ROUNDING * timescale ? grid : time);
  };
  const add = (bytes: Buffer, from: number, to: number): void => {
    if ((length += to - from) > MAX_BYTES) uncertain('a segment with too much sound');
    parts.push(Buffer.from(bytes.subarray(from, to)));
  };
  return {
    start: ({ bytes, from, to }, time) => {
      if (time !== undefined) {
        if (next !== undefined && time > (next + BEHIND) * CLOCK) {
          isEnd = false;
          return false;
        }
        if (isWhole || time > (marks.at(-1)?.time ?? -Infinity)) marks.push({ place: length, time });
      }
      if (marks.length > 0) add(bytes, from, to);
      return true;
    },
    more: ({ bytes, from, to }) => {
      if (marks.length > 0) add(bytes, from, to);
    },
    result: () => {
      const list = createPieces();
      const [times, sizes]: [number[], number[]] = [[], []];
      const bytes = Buffer.concat(parts);
      const bound = (seconds: number): number => seconds * timescale;
      let mark = -1;
      let time = 0;
      let end: number | undefined;
      for (const { from, to, at } of isWhole
        ? wholeFrames(marks, length)
        : framesIn(bytes, 0, { codec, signature, isEnd })) {
        const before = mark;
        while (mark + 1 < marks.length && (marks[mark + 1]?.place ?? Infinity) <= at) mark += 1;
        const { place = 0, time: ticks = 0 } = marks[mark] ?? {};
        const raw =
          mark === before && byteTicks === 0
            ? time + frameSize
            : ((ticks + (at - place) * byteTicks) * timescale) / CLOCK;
        time = Math.max(onGrid(raw), (times.at(-1) ?? -Infinity) + 1);
        if (next !== undefined && time >= bound(next)) {
          end = time;
          break;
        }
        if (!isFirst && time < bound(start)) continue;
        times.push(time);
        sizes.push(to - from);
        list.literal(bytes.subarray(from, to));
      }
      return {
        times: Float64Array.from(times),
        sizes: Uint32Array.from(sizes),
        isKey: new Uint8Array(times.length).fill(1),
        pieces: list.pieces(),
        end: end ?? (times.at(-1) ?? bound(start) - frameSize) + frameSize,
      };
    },
  };
}

/** Parts that are one frame each. */
function* wholeFrames(marks: readonly Mark[], length: number): Generator<StreamFrame> {
  for (const [i, { place }] of marks.entries()) {
    const to = marks[i + 1]?.place ?? length;
    if (to > place) yield { from: place, to, at: place };
  }
}

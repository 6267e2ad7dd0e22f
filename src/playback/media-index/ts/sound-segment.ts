/** Frames of audio of a segment of a transport stream. */
import { uncertain } from '../../../lib/media/source.ts';
import { type AudioCodec, framesIn } from './frames.ts';
import { CLOCK, pesHead, unwrapped } from './pes.ts';
import { createPieces } from './pieces.ts';
import type { SegmentWork } from './picture-segment.ts';
import type { PacketQuestion } from './segment.ts';

const MAX_BYTES = 48 * 1024 * 1024;
/** Seconds of audio behind the segment that are read, so that its last frame is whole. */
const BEHIND = 1;
/** How far a time may be from the grid that the frames lie on. */
const MAX_ROUNDING = 0.0016;

/** Place in the elementary stream at which a packet begins, and its time in ticks after the start of the timeline. */
interface Mark {
  place: number;
  time: number;
}

export function soundSegment({ zero, track, start, next, isFirst }: PacketQuestion, codec: AudioCodec): SegmentWork {
  const { timescale, frameSize, first, signature } = track;
  const marks: Mark[] = [];
  const parts: Buffer[] = [];
  let length = 0;
  let last = start * CLOCK;
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
    visit: (packet) => {
      const head = packet.isStart ? pesHead(packet) : undefined;
      if (head?.pts !== undefined) {
        const time = unwrapped(head.pts, zero + last) - zero;
        last = time;
        if (next !== undefined && time > (next + BEHIND) * CLOCK) {
          isEnd = false;
          return false;
        }
        if (time > (marks.at(-1)?.time ?? -Infinity)) marks.push({ place: length, time });
      }
      if (marks.length > 0 && (!packet.isStart || head !== undefined)) add(packet.bytes, head?.from ?? packet.from, packet.to);
      return true;
    },
    result: () => {
      const list = createPieces();
      const [times, sizes]: [number[], number[]] = [[], []];
      const bytes = Buffer.concat(parts);
      const bound = (seconds: number): number => seconds * timescale;
      let mark = -1;
      let time = 0;
      let end: number | undefined;
      for (const { from, to, at } of framesIn(bytes, 0, { codec, signature, isEnd })) {
        const before = mark;
        while (mark + 1 < marks.length && (marks[mark + 1]?.place ?? Infinity) <= at) mark += 1;
        const raw = mark === before ? time + frameSize : ((marks[mark]?.time ?? 0) * timescale) / CLOCK;
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
        times: Float64Array.from(times), sizes: Uint32Array.from(sizes), isKey: new Uint8Array(times.length).fill(1), pieces: list.pieces(),
        end: end ?? (times.at(-1) ?? bound(start) - frameSize) + frameSize,
      };
    },
  };
}

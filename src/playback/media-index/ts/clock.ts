/**
 * Lays the clock of a transport stream on one timeline. The clock has 33 bits and begins again at 0, and it jumps where
 * a recording was interrupted or two were joined. Behind a jump the timeline continues: the first stream that jumps
 * follows its last packet, and the others keep their distance from it.
 */
import { uncertain } from '../../../lib/media/source.ts';
import { CLOCK } from '../stream/payload.ts';
import { type PesHead, unwrapped } from './pes.ts';

/** Places of one stream from which on another time of the clock is 0, in order. */
export interface Jumps {
  places: Float64Array;
  zeros: Float64Array;
}

/**
 * Ticks by which times go back where pictures are reordered and only their presentation time is known, and otherwise.
 */
const MAX_REORDERED = 2 * CLOCK;
const MAX_BACK = CLOCK / 10;
/** Ticks by which they go forward where something is missing. */
const MAX_AHEAD = 10 * CLOCK;
/** Ticks by which streams that jump together may differ. */
const MAX_APART = 5 * CLOCK;
const MAX_JUMPS = 2000;

export function zeroAt(jumps: Jumps | undefined, place: number, zero: number): number {
  const n = jumps?.places.findLastIndex((from) => from <= place) ?? -1;
  return n < 0 ? zero : (jumps?.zeros[n] ?? zero);
}

/** The clock of one stream while a file is walked. */
export interface StreamClock {
  /** Returns the time without wraps and jumps at which the packet at a place is shown. */
  timeOf(head: { pts: number; dts: PesHead['dts'] }, place: number): number;
  /** `zero` is the time at which the timeline begins. */
  jumps(zero: number): Jumps | undefined;
}

/** Returns a maker of clocks for the streams of one program. */
export function createClocks(): (kind: 'video' | 'audio') => StreamClock {
  /** Offset to the clock of the file since the last jump of any stream. */
  let shared = 0;
  let latest: number | undefined;
  return (kind) => {
    const [places, shifts]: [number[], number[]] = [[], []];
    let [own, before] = [0, 0];
    let last: number | undefined;
    let step = Infinity;
    let isOrdered = kind === 'audio';
    const jump = (raw: number, place: number, from: number): number => {
      const joined = [shared, before].find(
        (shift) => shift !== own && isWithin(unwrapped(raw + shift, from) - from, MAX_APART),
      );
      if (joined === undefined) shared = from + (Number.isFinite(step) ? step : 0) - raw;
      [before, own] = [own, joined ?? shared];
      places.push(place);
      if (shifts.push(own) > MAX_JUMPS) uncertain('the clock of the stream jumps too often');
      return unwrapped(raw + own, from);
    };
    return {
      timeOf: ({ pts, dts }, place) => {
        isOrdered ||= dts !== undefined;
        const raw = dts ?? pts;
        if (last === undefined) {
          own = shared;
          before = shared;
        }
        const near = unwrapped(raw + own, last ?? latest ?? raw + own);
        const time =
          last === undefined || isWithin(near - last, isOrdered ? MAX_BACK : MAX_REORDERED)
            ? near
            : jump(raw, place, last);
        if (last !== undefined && time !== last) step = Math.min(step, Math.abs(time - last));
        last = time;
        latest = time;
        return time + unwrapped(pts - raw, 0);
      },
      jumps: (zero) =>
        places.length === 0
          ? undefined
          : { places: Float64Array.from(places), zeros: Float64Array.from(shifts, (shift) => zero - shift) },
    };
  };
}

const isWithin = (distance: number, back: number): boolean => distance >= -back && distance <= MAX_AHEAD;

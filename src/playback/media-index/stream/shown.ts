/** Times at which pictures are shown, where a container only says when they are decoded. Pure. */
import { uncertain } from '../../../lib/media/source.ts';
import { CLOCK } from './payload.ts';

export interface DecodedPictures {
  /** Decoding times of a segment's pictures, and of some behind it. */
  clock: readonly number[];
  /** Numbers that increase in the order of showing, of the same pictures. */
  ranks: readonly number[];
  /** How many of them belong to the segment. */
  count: number;
  /** How many pictures later than it is decoded a picture may be shown. */
  delay: number;
  frameDuration: number;
  /** Only the first picture is wanted, which is shown at `start`. */
  isSingle: boolean;
  start: number;
}

/**
 * Returns the times in decoding order, and the time of what follows. A decoder shows one picture for each that it gets,
 * once `delay` of them are waiting: the picture shown as number n is shown when number n + `delay` is decoded.
 */
export function shownTimes({ clock, ranks, count, delay, frameDuration, isSingle, start }: DecodedPictures): {
  times: number[];
  end: number;
} {
  if (isSingle) return { times: count > 0 ? [start] : [], end: start + frameDuration };
  const shown = Array.from({ length: count }, (_, i) => i).toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  const latest = ranks[shown.at(-1) ?? 0] ?? 0;
  // Were a picture behind the segment shown before one of it, all times would be those of their neighbours.
  if (ranks.slice(count).some((rank) => rank < latest))
    return uncertain('pictures are shown across the end of a segment');
  const timeOf = (place: number): number =>
    clock[place] ?? (clock.at(-1) ?? start) + (place - clock.length + 1) * frameDuration;
  const times = Array<number>(count);
  shown.forEach((decoded, place) => {
    times[decoded] = Math.round(timeOf(place + delay));
  });
  return { times, end: Math.round(timeOf(count + delay)) };
}

/**
 * Returns the times of pictures of which a container has only some, as a transport stream may (ISO/IEC 13818-1, 2.7.4):
 * the others lie evenly between their neighbours in the order of showing. `ranks` increase in that order.
 * Behind the last known time and before the first one, pictures are `frameDuration` apart, or as far as the others are.
 */
export function filledTimes(
  times: readonly (number | undefined)[],
  ranks: readonly number[],
  frameDuration: number | undefined,
): number[] {
  const shown = Array.from(times, (_, i) => i).toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  const known = shown.flatMap((picture, place) => {
    const time = times[picture];
    return time === undefined ? [] : [{ place, time }];
  });
  const [first = { place: 0, time: 0 }, last = first] = [known[0], known.at(-1)];
  const average = last.place > first.place ? (last.time - first.time) / (last.place - first.place) : CLOCK / 25;
  const step = frameDuration ?? average;
  const filled = Array<number>(times.length);
  let before = { place: -1, time: first.time - (first.place + 1) * step };
  for (const next of [...known, { place: shown.length, time: last.time + (shown.length - last.place) * step }]) {
    const pace = (next.time - before.time) / (next.place - before.place);
    for (let place = before.place + 1; place <= Math.min(next.place, shown.length - 1); place += 1)
      filled[shown[place] ?? 0] = Math.round(next.time - (next.place - place) * pace);
    before = next;
  }
  return filled;
}

/**
 * Keyframes of a stream, and how many pictures lead each of them: pictures that are decoded behind it and shown before
 * it. Without presentation times that is known once a picture comes that is shown after the keyframe.
 */
import { uncertain } from '../../../lib/media/source.ts';

export interface KeyframeList {
  readonly times: number[];
  /** Positions in the file. */
  readonly places: number[];
  /** Bytes in front of each place in its packet. */
  readonly counts: number[];
  /** For each keyframe, 1 if it needs no earlier picture. */
  readonly isIdr: number[];
  readonly leading: number[];
  /** Display ranks of the first pictures of the stream. */
  readonly ranks: readonly number[];
  /** Too many pictures lead a keyframe. */
  readonly isUnfit: boolean;
  /** Whether it is not known yet how many pictures lead the last keyframe. */
  readonly isWaiting: boolean;
  /** Notes the display rank of a picture, before the picture is added as a keyframe. */
  noteRank(rank: number): void;
  /** Adds a keyframe. With a `rank`, the pictures that lead it are counted from here on. */
  add(keyframe: {
    at: number;
    count?: number | undefined;
    time: number;
    isIdr: boolean;
    rank: number | undefined;
  }): void;
}

const MAX_KEYFRAMES = 500_000;
/** Pictures that may be shown before a keyframe behind which they are decoded. */
const MAX_LEADING = 16;

export function createKeyframes(maxRanks: number): KeyframeList {
  const [times, places, counts]: [number[], number[], number[]] = [[], [], []];
  const [isIdr, leading, ranks]: [number[], number[], number[]] = [[], [], []];
  let isUnfit = false;
  /** Rank of the last keyframe, until a picture comes that is shown after it. */
  let waiting: number | undefined;
  return {
    times,
    places,
    counts,
    isIdr,
    leading,
    ranks,
    get isUnfit() {
      return isUnfit;
    },
    get isWaiting() {
      return waiting !== undefined;
    },
    noteRank: (rank) => {
      if (ranks.length < maxRanks) ranks.push(rank);
      if (waiting === undefined) return;
      if (rank > waiting) {
        waiting = undefined;
        return;
      }
      const last = leading.length - 1;
      const count = (leading[last] ?? 0) + 1;
      leading[last] = count;
      if (count > MAX_LEADING) isUnfit = true;
    },
    add: (keyframe) => {
      times.push(keyframe.time);
      isIdr.push(keyframe.isIdr ? 1 : 0);
      leading.push(0);
      counts.push(keyframe.count ?? 0);
      if (places.push(keyframe.at) > MAX_KEYFRAMES) uncertain('too many keyframes');
      waiting = keyframe.rank;
    },
  };
}

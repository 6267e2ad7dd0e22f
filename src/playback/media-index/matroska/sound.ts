/**
 * Facts about the sound of a Matroska film that need more than its first blocks: tracks without a block, and tracks
 * that begin late or end early.
 */
import { type ByteSource, Uncertain } from '../../../lib/media/source.ts';
import { createGapFinder, type GapFinder } from '../gaps.ts';
import { planSegments } from '../segments.ts';
import type { IndexData, TrackData } from '../types.ts';
import type { MatroskaBlock } from './blocks.ts';
import { clusterQuestion } from './question.ts';
import { segmentOf } from './segment.ts';

const NANOSECONDS = 1e9;
const MAX_TRACKS = 128;

interface FoundSound {
  /** Numbers of the tracks that have a block. */
  present: ReadonlySet<number>;
  /** Numbers of those with gaps. */
  gapped: ReadonlySet<number>;
}

/**
 * Completes an index whose clusters were not walked: of each track, its first block and the last segment are looked
 * at. `measured` has the numbers of tracks with a block elsewhere.
 */
export function withSoundFacts(source: ByteSource, index: IndexData, measured: Iterable<number>): IndexData {
  const { layout, keyframes, duration } = index;
  if (layout.kind !== 'clusters' || !index.tracks.some(({ kind }) => kind === 'audio')) return index;
  const plan = planSegments(keyframes, duration, false);
  const present = new Set(measured);
  const gapped = new Set<number>();
  try {
    const last = segmentOf(source, clusterQuestion(layout, keyframes, plan, plan.segments.length - 1));
    layout.tracks.forEach(({ number, firstTicks }, i) => {
      const hasEnd = (last[i]?.times.length ?? 0) > 0;
      if (hasEnd) present.add(number);
      const gaps = createGapFinder();
      const first = (firstTicks * layout.scale) / NANOSECONDS;
      gaps.add(first);
      if (gaps.hasGap(0) || (!hasEnd && plan.segments.length > 1)) gapped.add(number);
    });
  } catch (error) {
    // A damaged end says nothing of the sound.
    if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
  }
  return completed(index, { present, gapped });
}

/** Returns the seconds at which the last segment ends, of a file that was cut off. Its header has the whole length. */
export function endOfCutFile(source: ByteSource, { layout, keyframes, duration, tracks }: IndexData): number {
  const plan = planSegments(keyframes, duration, false);
  if (layout.kind !== 'clusters' || plan.segments.length === 0) return duration;
  const last = segmentOf(source, clusterQuestion(layout, keyframes, plan, plan.segments.length - 1));
  const ends = last.map(({ times, end }, i) => (times.length === 0 ? 0 : end / (tracks[i]?.timescale ?? 1)));
  return Math.min(duration, Math.max(...ends));
}

/** Finds the same while all blocks are walked. `scale` is the nanoseconds of a tick. */
export function createSoundFinder(scale: number): {
  add(block: MatroskaBlock): void;
  complete(index: IndexData): IndexData;
} {
  const tracks = new Map<number, GapFinder>();
  return {
    add: ({ track, ticks }) => {
      const own = tracks.get(track) ?? createGapFinder();
      // A file may claim any track.
      if (tracks.size < MAX_TRACKS) tracks.set(track, own);
      own.add((ticks * scale) / NANOSECONDS);
    },
    complete: (index) => {
      const lastStart = planSegments(index.keyframes, index.duration, false).segments.at(-1)?.start ?? 0;
      const gapped = [...tracks].filter(([, gaps]) => gaps.hasGap(lastStart));
      return completed(index, { present: new Set(tracks.keys()), gapped: new Set(gapped.map(([number]) => number)) });
    },
  };
}

function completed(index: IndexData, { present, gapped }: FoundSound): IndexData {
  const { layout } = index;
  if (layout.kind !== 'clusters' || index.tracks[index.main]?.kind !== 'video') return index;
  return {
    ...index,
    tracks: index.tracks.map((track, i): TrackData => {
      const number = layout.tracks[i]?.number ?? 0;
      if (track.kind === 'video') return track;
      // Sound that begins late is there, although it was not described.
      if (track.obstacles.includes('empty')) return present.has(number) ? { ...track, obstacles: ['codec'] } : track;
      return gapped.has(number) ? { ...track, hasGaps: true } : track;
    }),
  };
}

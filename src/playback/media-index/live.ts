/**
 * Makes an index usable: segment plans, and the samples of a segment, whether they come from a table in memory or
 * from a walk of the file's clusters.
 */
import { createPromiseCache } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import { clusterKeyAt, clusterQuestion } from './matroska/question.ts';
import type { ClusterKey, ClusterQuestion } from './matroska/segment.ts';
import { planSegments, type SegmentPlan } from './segments.ts';
import { tableKeyframe, tableSegment } from './table.ts';
import type { PacketQuestion } from './stream/types.ts';
import type { IndexData, Keyframes, IndexObstacle, PacketLayout, SegmentSamples, TrackData } from './types.ts';

export interface MediaIndex {
  /** Seconds; 0 when there is no index. */
  duration: number;
  tracks: readonly TrackData[];
  /** Position in `tracks` of the one whose keyframes divide the file. */
  main: number;
  keyframes: Keyframes;
  /** Obstacles of the whole file. `no-index`: nothing else is known. */
  obstacles: readonly IndexObstacle[];
  /** Segments of the file. Without `isOpenGopAllowed` keyframes that are no IDR are an obstacle. */
  plan(isOpenGopAllowed: boolean): SegmentPlan;
  /**
   * Samples of segment `n` of a plan, of the track at a position in `tracks`. Fails as `missing` beyond the end,
   * `conflict` when the file is another one, `unavailable` when it cannot be read.
   */
  samples(track: number, plan: SegmentPlan, n: number): Promise<SegmentSamples>;
  /** Picture of keyframe `n` of the main video track. */
  keyframe(n: number): Promise<SegmentSamples>;
  /** Memory that it takes. */
  bytes: number;
}

/** Reads parts of the file: the helper process. */
export interface Walk {
  segment(question: ClusterQuestion): Promise<SegmentSamples[]>;
  keyframe(question: Pick<ClusterQuestion, 'scale' | 'end' | 'tracks'>, key: ClusterKey): Promise<SegmentSamples>;
  packets(question: PacketQuestion): Promise<SegmentSamples>;
}

/** Walked segments that are kept: video and audio of one are asked for one after the other. */
const KEPT_SEGMENTS = 32;

export function createMediaIndex(data: IndexData, walk: Walk): MediaIndex {
  const needsIdr = data.tracks[data.main]?.codec === 'h264';
  const open = planSegments(data.keyframes, data.duration, false);
  const closed = needsIdr ? planSegments(data.keyframes, data.duration, true) : open;
  const walked = createPromiseCache<SegmentSamples[]>(KEPT_SEGMENTS);
  const { layout } = data;

  const samples = async (track: number, plan: SegmentPlan, n: number): Promise<SegmentSamples> => {
    const facts = data.tracks[track];
    if (plan.segments[n] === undefined || facts === undefined)
      throw new Failure('missing', 'no such segment', { reason: 'no-such-segment' });
    if (layout.kind === 'clusters') {
      const all = await walked(`${n}`, () => walk.segment(clusterQuestion(layout, data.keyframes, plan, n)));
      return withStripped(found(all[track], 'this part of the file cannot be read'), facts.stripped);
    }
    if (layout.kind === 'packets') {
      const [only] = await walked(`${n} ${track}`, async () => [
        await walk.packets(packetQuestion(layout, data.keyframes, { plan, n, track })),
      ]);
      return found(only, 'this part of the file cannot be read');
    }
    const table = layout.tables[track];
    if (table === undefined) throw new Failure('missing', 'no such track', { reason: 'no-such-stream' });
    return tableSegment(table, facts, { ...plan, keyframes: data.keyframes }, n);
  };
  return {
    duration: data.duration,
    tracks: data.tracks,
    main: data.main,
    keyframes: data.keyframes,
    obstacles: data.obstacles,
    bytes: bytesOf(data),
    plan: (isOpenGopAllowed) => (isOpenGopAllowed ? open : closed),
    samples,
    keyframe: async (n) => {
      const place = data.keyframes.places[n];
      const facts = data.tracks[data.main];
      if (place === undefined || facts?.kind !== 'video')
        throw new Failure('missing', 'no such keyframe', { reason: 'no-such-segment' });
      if (layout.kind === 'tables') {
        const end = (data.keyframes.times[n + 1] ?? data.duration) * facts.timescale;
        return tableKeyframe(found(layout.tables[data.main], 'no such track'), place, end);
      }
      if (layout.kind === 'packets') {
        const { places: _, counts, ...track } = found(layout.tracks[data.main], 'no such track');
        const { kind: __, tracks: ___, ...own } = layout;
        return walk.packets({
          ...own,
          track,
          from: place,
          count: counts?.[n] ?? 0,
          start: data.keyframes.times[n] ?? 0,
          isFirst: false,
          isSingle: true,
        });
      }
      const { scale, end, tracks } = layout;
      const samples = await walk.keyframe(
        { scale, end, tracks: tracks.slice(data.main, data.main + 1) },
        clusterKeyAt(layout, data.keyframes, n),
      );
      return withStripped(samples, facts.stripped);
    },
  };
}

const found = <T>(value: T | undefined, sentence: string): T => {
  if (value === undefined) throw new Failure('unavailable', sentence, { reason: 'file-unavailable' });
  return value;
};

/** Puts the bytes that the container took from the front of each frame back there. */
function withStripped(samples: SegmentSamples, stripped: Uint8Array | undefined): SegmentSamples {
  if (stripped === undefined) return samples;
  const { positions, lengths } = samples.pieces;
  const pieces = {
    positions: new Float64Array(positions.length * 2).fill(-1),
    lengths: new Uint32Array(lengths.length * 2).fill(stripped.length),
    literals: stripped,
  };
  positions.forEach((position, i) => {
    pieces.positions[2 * i + 1] = position;
    pieces.lengths[2 * i + 1] = lengths[i] ?? 0;
  });
  return { ...samples, pieces };
}

interface AskedSegment {
  plan: SegmentPlan;
  n: number;
  track: number;
}

function packetQuestion(
  { kind: _, tracks, ...layout }: PacketLayout,
  { places: keyPlaces }: Keyframes,
  { plan: { segments, keys }, n, track: number }: AskedSegment,
): PacketQuestion {
  const { places, counts, ...track } = found(tracks[number], 'no such track');
  const key = keys[n] ?? 0;
  const next = segments[n + 1];
  const to = keyPlaces[keys[n + 1] ?? -1];
  return {
    ...layout,
    track,
    from: places[key] ?? 0,
    count: counts?.[key] ?? 0,
    start: segments[n]?.start ?? 0,
    isFirst: n === 0,
    ...(next !== undefined && { next: next.start }),
    ...(to !== undefined && track.kind === 'video' && { to }),
  };
}

const OBJECT_BYTES = 4096;

/** Memory of the typed arrays, and an allowance for the rest. */
function bytesOf({ keyframes, layout, tracks }: IndexData): number {
  const arrays: ArrayBufferView[] = [keyframes.times, keyframes.places, keyframes.isIdr];
  if (layout.kind === 'packets')
    arrays.push(...layout.tracks.flatMap(({ places, counts }) => [places, ...(counts ? [counts] : [])]));
  if (layout.kind === 'tables') {
    for (const { times, sizes, runs, keys } of layout.tables)
      arrays.push(...[times, sizes, runs.samples, runs.positions, keys].filter((each) => ArrayBuffer.isView(each)));
  }
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, OBJECT_BYTES * (1 + tracks.length));
}

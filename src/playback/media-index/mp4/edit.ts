/** Applies an edit list to a track's samples. Pure. */
import { timeOfSample } from '../table.ts';
import type { SampleTable } from '../types.ts';
import type { EditListEntry } from './movie.ts';

export interface EditedTable {
  table: SampleTable;
  /** Media time shown at 0, of audio; the times of video are moved instead. */
  priming: number;
  /** The list cannot be followed by copying: several edits, another speed, or a keyframe that is not shown. */
  isObstacle: boolean;
}

interface EditNeeds {
  edits: readonly EditListEntry[];
  kind: 'video' | 'audio';
  timescale: number;
  movieTimescale: number;
}

/** Audio frames kept before the one in which the edit begins: a decoder needs them to reach full precision. */
const PREROLL_FRAMES = 4;
const EMPTY = -1;

/**
 * Empty edits at the start delay the track; the edit that follows says which media time is shown first, and how long.
 * Video before it would have to be decoded and not shown, so that is an obstacle. Audio before it is priming.
 */
export function applyEdits(table: SampleTable, { edits, kind, timescale, movieTimescale }: EditNeeds): EditedTable {
  const toTrack = (duration: number): number => Math.round((duration * timescale) / movieTimescale);
  let delay = 0;
  const shown: EditListEntry[] = [];
  for (const edit of edits) {
    if (edit.time === EMPTY && shown.length === 0) delay += toTrack(edit.duration);
    else if (edit.time !== EMPTY || edit.duration > 0) shown.push(edit);
  }
  const [edit] = shown;
  if (edit === undefined) return { table: moved(table, delay), priming: 0, isObstacle: false };
  const isOdd = shown.length > 1 || edit.time < 0 || !edit.isPlain;
  const cut = edit.duration > 0 ? cutAfter(table, edit.time + toTrack(edit.duration)) : table;
  if (kind === 'video') {
    const first = timeOfSample(cut, 0);
    return { table: moved(cut, delay - edit.time), priming: 0, isObstacle: isOdd || first < edit.time };
  }
  const from = Math.max(0, samplesBefore(cut, edit.time) - 1 - PREROLL_FRAMES);
  const rest = from > 0 ? without(cut, from) : cut;
  const base = from > 0 ? timeOfSample(rest, 0) : 0;
  return { table: moved(rest, delay - base), priming: edit.time - base, isObstacle: isOdd };
}

/** Returns how many samples begin before or at a time. The times of audio increase. */
function samplesBefore(table: SampleTable, time: number): number {
  let [low, high] = [0, table.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOfSample(table, middle) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function moved(table: SampleTable, by: number): SampleTable {
  if (by === 0) return table;
  const { times } = table;
  return {
    ...table,
    end: table.end + by,
    times: times instanceof Float64Array ? times.map((time) => time + by) : { ...times, first: times.first + by },
  };
}

/** Drops samples at the end that begin at `end` or later. */
function cutAfter(table: SampleTable, end: number): SampleTable {
  let { count } = table;
  while (count > 1 && timeOfSample(table, count - 1) >= end) count -= 1;
  if (count === table.count) return table;
  const { times, sizes, keys } = table;
  return {
    ...table,
    count,
    end,
    times: times instanceof Float64Array ? times.slice(0, count) : times,
    sizes: typeof sizes === 'number' ? sizes : sizes.slice(0, count),
    ...(keys && { keys: keys.filter((key) => key < count) }),
  };
}

/** Drops the samples of an audio track before `from`. */
function without(table: SampleTable, from: number): SampleTable {
  const { times, sizes, runs, count } = table;
  let run = runs.samples.findLastIndex((first) => first <= from);
  if (run < 0) run = 0;
  let position = runs.positions[run] ?? 0;
  for (let i = runs.samples[run] ?? 0; i < from; i += 1)
    position += typeof sizes === 'number' ? sizes : (sizes[i] ?? 0);
  const kept = {
    samples: runs.samples.slice(run).map((first) => Math.max(0, first - from)),
    positions: runs.positions.slice(run),
  };
  kept.positions[0] = position;
  return {
    ...table,
    count: count - from,
    runs: kept,
    times: times instanceof Float64Array ? times.slice(from) : { ...times, first: times.first + from * times.step },
    sizes: typeof sizes === 'number' ? sizes : sizes.slice(from),
  };
}

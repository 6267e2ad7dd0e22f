/**
 * Finds the frames of one segment of a Matroska file by walking its clusters.
 *
 * Video is cut in decoding order, from one keyframe to another. Audio is cut by time: a frame belongs to the segment
 * that its time falls into, the first segment takes what comes before it, the last what comes after. Audio of a
 * segment may lie before or behind its clusters, so the walk steps back cue by cue until an earlier frame was seen, and
 * continues until one is late enough.
 */
import { type ByteSource, Uncertain, uncertain } from '../../../lib/media/source.ts';
import type { ClusterTrack, SegmentSamples } from '../types.ts';
import { type MatroskaBlock, blocks } from './blocks.ts';

/** A keyframe: its time, and the position of its cluster. */
export interface ClusterKey {
  ticks: number;
  at: number;
}

export interface ClusterQuestion {
  /** Nanoseconds of a tick. */
  scale: number;
  /** Position where the clusters end at the latest. */
  end: number;
  start: ClusterKey;
  /** Absent for the last segment. */
  next?: ClusterKey;
  /** Audio before `start` belongs to the segment. */
  isFirst: boolean;
  /** Keyframes before `start`, the nearest first, to step back to. */
  earlier: readonly ClusterKey[];
  tracks: readonly ClusterTrack[];
}

/** How far apart frames of one time may lie in a file, in seconds. */
const MAX_SKEW = 10;
const NANOSECONDS = 1e9;
/** Frames that a segment may have, in all tracks: 20 s of eight tracks with 1200 frames a second. */
const MAX_FRAMES = 200_000;

interface Frame {
  ticks: number;
  at: number;
  size: number;
  isKey: boolean;
}

/** Frames found of one track. */
interface Gathered {
  track: ClusterTrack;
  frames: Frame[];
  /** A frame of an earlier segment was seen, so none before it is missing. */
  hasEarlier: boolean;
  /** Time of the first frame of the next segment; of video the earliest of its leading pictures. */
  nextTicks: number | undefined;
  isComplete: boolean;
  /** Ticks to be dropped at the end. */
  discard: number;
}

/** Ticks between two audio frames; 0 when unknown. */
const frameTicks = ({ frameSize, frameDuration, timescale }: ClusterTrack, scale: number): number =>
  frameSize > 0 ? (frameSize / timescale) * (NANOSECONDS / scale) : frameDuration / scale;

/**
 * Returns the samples of each track of the question, in its order. Throws `Uncertain` when the keyframe is not where it
 * should be.
 */
export function segmentOf(source: ByteSource, question: ClusterQuestion): SegmentSamples[] {
  const { tracks, start, next, end } = question;
  const all = tracks.map((track): Gathered => ({
    track,
    frames: [],
    hasEarlier: question.isFirst,
    nextTicks: undefined,
    isComplete: false,
    discard: 0,
  }));
  const byNumber = new Map(all.map((one) => [one.track.number, one]));
  const skew = (MAX_SKEW * NANOSECONDS) / question.scale;
  let count = 0;
  for (const block of undamaged(source, { from: start.at, end, resume: next?.at, isPlausible: plausible(question) })) {
    if ((count += block.frames.length) > MAX_FRAMES) uncertain('too many frames in a segment');
    if (next && block.clusterTicks > next.ticks + skew) break;
    const one = byNumber.get(block.track);
    if (one === undefined || one.isComplete) continue;
    if (one.track.kind === 'video') addVideo(one, block, question);
    else addAudio(one, block, question);
    if (one.isComplete && all.every(({ isComplete }) => isComplete)) break;
  }
  stepBack(source, question, all);
  return all.map((one) => samplesOf(one, question));
}

interface Stretch {
  from: number;
  end: number;
  /** Position of the next keyframe, from which on nothing is damaged. */
  resume: number | undefined;
  isPlausible?: (block: MatroskaBlock) => boolean;
}

/**
 * Yields the blocks up to a place that is damaged, and those from the next keyframe on, so that a film continues after
 * a bad sector.
 */
function* undamaged(
  source: ByteSource,
  { from, end, resume, isPlausible = () => true }: Stretch,
): Generator<MatroskaBlock> {
  let last = from;
  try {
    for (const block of blocks(source, from, end)) {
      if (!isPlausible(block)) uncertain('a Matroska block out of place');
      last = block.at;
      yield block;
    }
  } catch (error) {
    if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
  }
  if (resume !== undefined && last < resume) yield* undamaged(source, { from: resume, end, resume: undefined });
}

/** Returns whether a block can belong to a segment: what lies in a damaged place may look like one. */
function plausible({ start, next, tracks, scale }: ClusterQuestion): (block: MatroskaBlock) => boolean {
  const videos = new Set(tracks.filter(({ kind }) => kind === 'video').map(({ number }) => number));
  const earliest = start.ticks - (MAX_SKEW * NANOSECONDS) / scale;
  return ({ track, ticks, at }) => {
    if (!videos.has(track) || next === undefined || at >= next.at) return true;
    // Pictures decoded before the next keyframe are shown before it.
    return ticks <= next.ticks && ticks >= earliest;
  };
}

/** Returns one keyframe of the video track of the question, which is its only one. */
export function keyframeOf(
  source: ByteSource,
  { scale, end, tracks }: Pick<ClusterQuestion, 'scale' | 'end' | 'tracks'>,
  key: ClusterKey,
): SegmentSamples {
  const [track] = tracks;
  if (track === undefined) return uncertain('no track was asked for');
  const one: Gathered = { track, frames: [], hasEarlier: true, nextTicks: undefined, isComplete: false, discard: 0 };
  const question: ClusterQuestion = { scale, end, start: key, isFirst: false, earlier: [], tracks };
  for (const block of blocks(source, key.at, end)) {
    if (block.track === track.number) addVideo(one, block, question);
    if (one.frames.length > 0) break;
  }
  return samplesOf(one, question);
}

/**
 * Adds frames from the segment's keyframe to the next one's; of those behind that, only the times of leading pictures
 * matter.
 */
function addVideo(one: Gathered, block: MatroskaBlock, { start, next, scale }: ClusterQuestion): void {
  const { frames, track } = one;
  if (one.nextTicks !== undefined) {
    if (next && block.ticks < next.ticks) one.nextTicks = Math.min(one.nextTicks, block.ticks);
    else one.isComplete = true;
    return;
  }
  if (frames.length === 0 && !(block.ticks === start.ticks && block.isKey)) return;
  if (next && block.ticks === next.ticks && block.isKey) one.nextTicks = next.ticks;
  else
    block.frames.forEach(({ at, size }, i) =>
      frames.push({ ticks: block.ticks + i * frameTicks(track, scale), at, size, isKey: block.isKey && i === 0 }),
    );
}

function addAudio(one: Gathered, block: MatroskaBlock, { start, next, scale, isFirst }: ClusterQuestion): void {
  const step = frameTicks(one.track, scale);
  block.frames.forEach(({ at, size }, i) => {
    const ticks = block.ticks + i * step;
    if (!isFirst && ticks < start.ticks) one.hasEarlier = true;
    else if (next && ticks >= next.ticks) {
      one.nextTicks ??= ticks;
      one.isComplete = true;
    } else {
      one.frames.push({ ticks, at, size, isKey: true });
      one.discard = block.discard / scale;
    }
  });
}

/** Looks for audio that lies in front of the segment's clusters. */
function stepBack(source: ByteSource, question: ClusterQuestion, all: readonly Gathered[]): void {
  const { start, scale } = question;
  const skew = (MAX_SKEW * NANOSECONDS) / scale;
  const isLacking = ({ track, frames, hasEarlier }: Gathered): boolean =>
    track.kind === 'audio' &&
    !hasEarlier &&
    (frames[0] === undefined || frames[0].ticks - start.ticks >= (frameTicks(track, scale) || 1));
  let lacking = all.filter(isLacking);
  let stop = start.at;
  for (const key of question.earlier) {
    if (lacking.length === 0 || key.ticks < start.ticks - skew) return;
    if (key.at >= stop) continue;
    const found = new Map(lacking.map((one) => [one.track.number, { ...one, frames: [] as Frame[] }]));
    for (const block of undamaged(source, { from: key.at, end: stop, resume: undefined })) {
      const one = found.get(block.track);
      // A frame that belongs to a later segment is none of this one: only those of this one count.
      if (one) addAudio(one, block, { ...question, isFirst: false });
    }
    for (const one of lacking) {
      const more = found.get(one.track.number);
      if (!more) continue;
      one.frames.unshift(...more.frames);
      one.hasEarlier ||= more.hasEarlier;
    }
    lacking = lacking.filter(({ hasEarlier }) => !hasEarlier);
    stop = key.at;
  }
}

function samplesOf(one: Gathered, question: ClusterQuestion): SegmentSamples {
  const { frames, track } = one;
  if (track.kind === 'video' && frames.length === 0) return uncertain('a keyframe is not where the cues say');
  const times = timesOf(one, question.scale);
  const lengths = Uint32Array.from(frames, ({ size }) => size);
  return {
    times,
    isKey: Uint8Array.from(frames, ({ isKey }) => Number(isKey)),
    sizes: track.stripped > 0 ? lengths.map((size) => size + track.stripped) : lengths,
    pieces: { positions: Float64Array.from(frames, ({ at }) => at), lengths },
    end: endOf(one, times, question),
  };
}

function endOf({ track, nextTicks, discard }: Gathered, times: Float64Array, { scale, next }: ClusterQuestion): number {
  if (nextTicks !== undefined && next) return onGrid(track, scale)(nextTicks);
  const last = times.reduce((most, time) => Math.max(most, time), 0);
  const toTime = (ticks: number): number => Math.round((ticks * scale * track.timescale) / NANOSECONDS);
  const before =
    times.length > 1 ? last - times.reduce((most, time) => (time < last ? Math.max(most, time) : most), 0) : 1;
  const step =
    track.kind === 'audio' && track.frameSize > 0
      ? track.frameSize
      : track.frameDuration > 0
        ? toTime(track.frameDuration / scale)
        : before;
  return last + Math.max(1, step - toTime(discard));
}

/**
 * Times of the frames in the timescale. Behind a gap audio lies on another grid; there a frame follows the one before
 * it while rounding explains the difference.
 */
function timesOf({ frames, track }: Gathered, scale: number): Float64Array {
  const toTime = onGrid(track, scale);
  const most = (MAX_ROUNDING_NS * track.timescale) / NANOSECONDS;
  let next: number | undefined;
  return Float64Array.from(frames, ({ ticks }) => {
    const time = toTime(ticks);
    const own = next !== undefined && track.frameSize > 0 && Math.abs(next - time) <= most ? next : time;
    if (track.kind === 'audio') next = own + track.frameSize;
    return own;
  });
}

/** How far a time that was rounded to milliseconds may be from the grid. */
const MAX_ROUNDING_NS = 1.6e6;

/**
 * Returns the conversion of ticks to the timescale. Times of audio that were rounded go back to the grid
 * `first + n * frame size` while they are within 1.6 ms of it; a real gap stays.
 */
function onGrid({ kind, timescale, firstTicks, frameSize }: ClusterTrack, scale: number): (ticks: number) => number {
  const perTick = (scale * timescale) / NANOSECONDS;
  if (kind === 'video' || frameSize === 0) return (ticks) => Math.round(ticks * perTick);
  const first = Math.round(firstTicks * perTick);
  const most = (MAX_ROUNDING_NS * timescale) / NANOSECONDS;
  return (ticks) => {
    const raw = ticks * perTick;
    const grid = first + Math.round((raw - first) / frameSize) * frameSize;
    return Math.abs(grid - raw) < most ? grid : Math.round(raw);
  };
}

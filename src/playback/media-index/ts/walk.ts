/**
 * Walks a transport stream once from its start to its end, some megabytes at a time, and notes where keyframes and
 * packets of audio begin. Every packet is looked at, because the format has no table of samples.
 */
import { type ReadAt, uncertain } from '../../../lib/media/source.ts';
import { planSegments } from '../segments.ts';
import type { IndexData, Keyframes, TrackData, Walker } from '../types.ts';
import { audioWalk } from './audio-walk.ts';
import { isAudioCodec } from './frames.ts';
import { createScanner, type Packet, type Shape, shapeOf } from './packets.ts';
import { CLOCK, pesHead, unwrapped } from './pes.ts';
import { type ElementaryStream, streamsOf } from './program.ts';
import { type Marks, newFacts, plainWalk, type StreamWalk, type WalkedStream } from './stream-walk.ts';
import { videoWalk } from './video-walk.ts';

/** Ticks by which the clock of a stream may go back, because pictures are reordered, and forward, where something is missing. */
const MAX_BACK = 10 * CLOCK;
const MAX_AHEAD = 30 * CLOCK;
/** Seconds between the places at which a file without copied video is divided. */
const AUDIO_KEY_STEP = 1;

/** Returns a walker of a transport stream, and undefined for another file. */
export function streamWalker(size: number, readAt: ReadAt): Walker | undefined {
  const shape = shapeOf(readAt);
  if (shape === undefined) return undefined;
  const walks = new Map<number, StreamWalk>();
  streamsOf(readAt, shape, size).forEach((stream, place) => {
    const walk = walkOf(stream, place);
    if (walk && !walks.has(stream.pid)) walks.set(stream.pid, walk);
  });
  if (walks.size === 0) return uncertain('a transport stream without video or sound');
  const scanner = createScanner({ stride: shape.stride, end: size, pids: [...walks.keys()] });
  const visit = visitorOf(walks);
  let at = shape.first;
  let isDone = false;
  return {
    step: (read, bytes) => {
      const before = at;
      at = scanner.scan(read, at, bytes, visit);
      isDone = at + shape.stride > size || at === before;
    },
    progress: () => Math.min(1, at / size),
    isDone: () => isDone,
    result: () => indexOf([...walks.values()], shape, size),
  };
}

function walkOf({ pid, kind, codec }: ElementaryStream, stream: number): StreamWalk | undefined {
  if (kind === 'other') return undefined;
  const facts = newFacts(stream, pid, kind, codec);
  if (codec === 'h264' || codec === 'hevc') return videoWalk(facts, codec);
  return kind === 'audio' && isAudioCodec(codec) ? audioWalk(facts, codec) : plainWalk(facts);
}

function visitorOf(walks: ReadonlyMap<number, StreamWalk>): (packet: Packet) => void {
  let latest: number | undefined;
  return (packet) => {
    const walk = walks.get(packet.pid);
    if (walk === undefined || packet.from >= packet.to) return;
    const { facts } = walk;
    facts.isSealed ||= packet.isScrambled;
    if (facts.isSealed) return;
    if (!packet.isStart) {
      facts.bytes += packet.to - packet.from;
      walk.more(packet);
      return;
    }
    const head = pesHead(packet);
    if (head === undefined) return;
    const time = head.pts === undefined ? undefined : unwrapped(head.pts, facts.first === undefined ? latest ?? head.pts : facts.last);
    if (time !== undefined) {
      if (facts.first !== undefined && (time < facts.last - MAX_BACK || time > facts.last + MAX_AHEAD)) uncertain('the clock of the stream jumps');
      facts.first ??= time;
      facts.last = time;
      latest = time;
    }
    facts.bytes += packet.to - head.from;
    walk.start(packet, head.from, time);
  };
}

interface Walked extends WalkedStream {
  walk: StreamWalk;
}

function indexOf(walks: readonly StreamWalk[], { stride }: Pick<Shape, 'stride'>, size: number): IndexData {
  // The timeline begins with the first time of any stream.
  const zero = Math.min(...walks.flatMap(({ facts }) => facts.first ?? []));
  if (!Number.isFinite(zero)) return uncertain('a transport stream without times');
  const all = walks.map((walk): Walked => ({ ...walk.result(zero), walk }));
  // Of several video streams only the first is shown.
  const shown = all.find(({ walk }) => walk.facts.kind === 'video');
  const chosen = all.filter((one) => one === shown || one.walk.facts.kind === 'audio');
  const isCopied = ({ data, walk }: Walked): boolean => data.obstacles.length === 0 && walk.marks.times.length > 0;
  const main = shown && isCopied(shown) ? shown : chosen.find((one) => one.walk.facts.kind === 'audio' && isCopied(one)) ?? uncertain('a transport stream with nothing to copy');
  const duration = (Math.max(...chosen.map(({ end }) => end)) - zero) / CLOCK;
  const keyframes = keyframesOf(main.walk, zero);
  const rates = chosen.map(({ walk }) => (walk.facts.bytes * 8) / duration);
  const sound = chosen.reduce((sum, { walk }, i) => sum + (walk.facts.kind === 'audio' ? rates[i] ?? 0 : 0), 0);
  const peak = peakOf(keyframes, duration, size) - sound;
  return {
    duration, main: chosen.indexOf(main), keyframes, obstacles: [],
    tracks: chosen.map(({ data, walk }, i): TrackData => ({ ...data, stream: walk.facts.stream, kind: walk.facts.kind, bandwidth: bandwidthOf(walk, rates[i] ?? 0, peak) })),
    layout: {
      kind: 'packets', stride, zero,
      tracks: chosen.map(({ packets, walk }) => ({ ...packets, pid: walk.facts.pid, kind: walk.facts.kind, places: walk === main.walk ? keyframes.places : placesBefore(walk.marks, keyframes, zero) })),
    },
  };
}

function keyframesOf({ facts, marks: { times, places }, isIdr }: StreamWalk, zero: number): Keyframes {
  const kept = times.map((_, i) => i).filter((i) => (times[i] ?? 0) >= zero);
  if (facts.kind === 'audio') {
    let last = -Infinity;
    const spread = kept.filter((i) => {
      if ((times[i] ?? 0) - last < AUDIO_KEY_STEP * CLOCK) return false;
      last = times[i] ?? 0;
      return true;
    });
    return { times: Float64Array.from(spread, (i) => ((times[i] ?? 0) - zero) / CLOCK), places: Float64Array.from(spread, (i) => places[i] ?? 0), isIdr: new Uint8Array(spread.length).fill(1) };
  }
  return { times: Float64Array.from(kept, (i) => ((times[i] ?? 0) - zero) / CLOCK), places: Float64Array.from(kept, (i) => places[i] ?? 0), isIdr: Uint8Array.from(kept, (i) => isIdr[i] ?? 0) };
}

/**
 * For each keyframe, where to begin to read a stream so that nothing of its time is missed: at its last packet that
 * begins no later. The first segment takes everything before it, too.
 */
function placesBefore({ times, places }: Marks, keyframes: Keyframes, zero: number): Float64Array {
  let mark = 0;
  return keyframes.times.map((time, key) => {
    if (key === 0) return places[0] ?? 0;
    while (mark + 1 < times.length && ((times[mark + 1] ?? 0) - zero) / CLOCK <= time) mark += 1;
    return places[mark] ?? 0;
  });
}

/** Bits per second of the busiest segment, everything in the file counted. */
function peakOf(keyframes: Keyframes, duration: number, size: number): number {
  const { segments, keys } = planSegments(keyframes, duration, false);
  return segments.reduce((most, span, i) => {
    const from = keyframes.places[keys[i] ?? 0] ?? 0;
    const to = i + 1 < keys.length ? keyframes.places[keys[i + 1] ?? 0] ?? size : size;
    return Math.max(most, ((to - from) * 8) / span.duration);
  }, 0);
}

/** Frames of audio are of one size or nearly; what the file has besides them is at most video. */
const AUDIO_PEAK = 1.6;

function bandwidthOf({ facts }: StreamWalk, average: number, peak: number): { peak: number; average: number } {
  return { peak: Math.ceil(facts.kind === 'video' ? Math.max(average, peak) : average * AUDIO_PEAK), average: Math.ceil(average) };
}

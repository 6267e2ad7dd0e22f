/**
 * Finds the keyframes of a Matroska file whose cues are missing or lead nowhere, by walking the heads of all its
 * blocks. The frames themselves are not read.
 */
import { createSource, type ReadAt, type ByteSource, uncertain } from '../../../lib/media/source.ts';
import type { PictureKind } from '../codec/annexb.ts';
import { keyframeKind } from '../codec/idr.ts';
import type { IndexData, Walker } from '../types.ts';
import type { MatroskaBlock } from './blocks.ts';
import { frameBytes } from './cues.ts';
import { assemble, type MatroskaTracks, readTracks } from './file.ts';
import { readMatroskaHeader } from './header.ts';
import { createRateCounter } from './rates.ts';
import { repairedBlocks } from './repaired.ts';
import { createSoundFinder } from './sound.ts';

const NANOSECONDS = 1e9;
const MAX_ELEMENTS = 50_000_000;
const MAX_KEYFRAMES = 500_000;
/** Seconds between the seek points of a file without video. */
const AUDIO_KEY_STEP = 1;
/** Bytes of a step that one block stands for, so that steps with many small blocks end, too. */
const BLOCK_COST = 512;

export function matroskaWalker(size: number, first: ReadAt): Walker {
  let readAt = first;
  // One source lives through all steps, whose files are opened one after the other.
  const source = createSource(size, (into, at) => readAt(into, at), Buffer.alloc(0), {
    bytes: Infinity,
    reads: Infinity,
  });
  const header = readMatroskaHeader(source);
  const tracks = readTracks(source, header);
  const keys = keyCollector(source, tracks, header.scale);
  const rates = createRateCounter(header.scale);
  const sounds = createSoundFinder(header.scale);
  const walk = repairedBlocks(source, header, MAX_ELEMENTS);
  let at = header.firstCluster;
  let isDone = false;
  let ends = 0;
  return {
    step: (read, bytes) => {
      readAt = read;
      const until = at + bytes;
      for (let cost = 0; !isDone && at + cost < until; cost += BLOCK_COST) {
        const { value: block, done } = walk.next();
        if (done === true) {
          isDone = true;
          break;
        }
        at = block.at;
        rates.add(block);
        sounds.add(block);
        ends = Math.max(ends, block.ticks + keys.add(block));
      }
    },
    progress: () => Math.min(1, at / size),
    isDone: () => isDone,
    result: (): IndexData => {
      const found = (ends * header.scale) / NANOSECONDS;
      const duration = header.duration > 0 && !(header.isCut && found > 0) ? header.duration : found;
      if (!(duration > 0)) return uncertain('Matroska without times');
      return sounds.complete(assemble(header, tracks, keys.result(), { duration, measured: rates.result(duration) }));
    },
  };
}

function keyCollector(source: ByteSource, { described, main: { track, format, data } }: MatroskaTracks, scale: number) {
  const [times, places, isIdr]: [number[], number[], number[]] = [[], [], []];
  const lengths = new Map(
    described.map(({ track: { number, frameDuration }, data: { frameSize, timescale } }) => [
      number,
      (frameSize > 0 ? (frameSize / timescale) * NANOSECONDS : frameDuration) / scale,
    ]),
  );
  const step = data.kind === 'audio' ? (AUDIO_KEY_STEP * NANOSECONDS) / scale : 1;
  let lastTicks = -Infinity;
  const kindOf = ({ frames: [frame] }: MatroskaBlock): PictureKind => {
    if (frame === undefined || format?.codec !== 'h264') return 'idr';
    return keyframeKind(format, frame.size + track.stripped.length, (offset, length) =>
      frameBytes(source, frame, track.stripped, { offset, length }),
    );
  };
  return {
    /** Returns how many ticks the block lasts, as far as its track says. */
    add: (block: MatroskaBlock): number => {
      const { ticks, isKey, cluster, frames } = block;
      if (block.track === track.number && isKey && frames.length > 0 && ticks >= 0 && ticks - lastTicks >= step) {
        const kind = kindOf(block);
        lastTicks = ticks;
        if (kind !== 'other') {
          times.push((ticks * scale) / NANOSECONDS);
          isIdr.push(kind === 'idr' ? 1 : 0);
          if (places.push(cluster) > MAX_KEYFRAMES) uncertain('too many keyframes');
        }
      }
      return lengths.has(block.track) ? (lengths.get(block.track) ?? 0) * frames.length : -ticks;
    },
    result: () =>
      times.length === 0
        ? uncertain('Matroska without keyframes')
        : { times: Float64Array.from(times), places: Float64Array.from(places), isIdr: Uint8Array.from(isIdr) },
  };
}

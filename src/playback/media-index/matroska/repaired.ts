/**
 * Walks the blocks of a Matroska file over damaged places. Each cluster has its own time, so that the next whole one
 * can be trusted again; a cluster with a damaged place is not used, because the start of the damage is unknown.
 */
import { elementAt, elementIn, uint } from '../../../lib/media/ebml.ts';
import { type ByteSource, Uncertain, uncertain } from '../../../lib/media/source.ts';
import { type MatroskaBlock, type BlockBudget, blocks, CutOff, TIMESTAMP } from './blocks.ts';
import { CLUSTER, type MatroskaHeader } from './header.ts';
import { trackEntries } from './tracks.ts';

const NANOSECONDS = 1e9;
const MAX_REPAIRS = 1000;
/** Frames of a cluster that wait for its end. A longer one, of a recorder that makes only one, is used as it comes. */
const MAX_HELD = 20_000;
/** Bytes behind a damaged place in which the next cluster must begin. */
const MAX_LOST = 256 * 1024 * 1024;
/** Small, because a file may have a thousand damaged places, each of which reads one at least. */
const PIECE = 64 * 1024;
const CHECKSUM = 0xbf;
/** Seconds by which a cluster may be later than the duration that the header says. */
const MAX_BEHIND = 60;

export function* repairedBlocks(source: ByteSource, header: MatroskaHeader, most: number): Generator<MatroskaBlock> {
  const known = new Set(trackEntries(header.tracks).map(({ number }) => number));
  const budget: BlockBudget = { left: most };
  const latestAllowed = header.duration > 0 ? ((header.duration + MAX_BEHIND) * NANOSECONDS) / header.scale : Infinity;
  /** Time of the last cluster that was whole. */
  let latest = -Infinity;
  let at: number | undefined = header.firstCluster;
  for (let repairs = 0; at !== undefined; repairs += 1) {
    if (repairs > MAX_REPAIRS) return uncertain('a Matroska file with too much damage');
    let held: MatroskaBlock[] = [];
    let frames = 0;
    let reached: number = at;
    try {
      for (const block of blocks(source, at, header.end, { budget, isStrict: true })) {
        if (held[0] !== undefined && block.cluster !== held[0].cluster) {
          yield* held;
          latest = held[0].clusterTicks;
          held = [];
          frames = 0;
        }
        reached = block.cluster;
        if (!known.has(block.track) || block.clusterTicks < latest || block.clusterTicks > latestAllowed)
          uncertain('a Matroska block out of place');
        held.push(block);
        frames += block.frames.length;
        if (frames < MAX_HELD) continue;
        yield* held.splice(0);
        frames = 0;
      }
      yield* held;
      return;
    } catch (error) {
      if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
      if (budget.left <= 0) throw error;
      at = nextCluster(source, header, { from: reached + 1, latest, latestAllowed });
      // A file that was not copied to its end has all blocks but the last.
      if (at === undefined && error instanceof CutOff) yield* held;
    }
  }
}

/** Returns the position of the next cluster whose time fits, undefined when there is none. */
function nextCluster(
  source: ByteSource,
  { end }: MatroskaHeader,
  { from, latest, latestAllowed }: { from: number; latest: number; latestAllowed: number },
): number | undefined {
  const name = Buffer.alloc(4);
  name.writeUInt32BE(CLUSTER);
  const stop = Math.min(end, source.size);
  for (let at = from; at < stop; at += PIECE - name.length) {
    if (at - from > MAX_LOST) return uncertain('a Matroska file with a hole');
    const piece = source.upTo(at, Math.min(PIECE, stop - at));
    for (let place = piece.indexOf(name); place >= 0; place = piece.indexOf(name, place + 1)) {
      const ticks = clusterTime(source, at + place, stop);
      if (ticks !== undefined && ticks >= latest && ticks <= latestAllowed) return at + place;
    }
  }
  return undefined;
}

/** Returns the time of a cluster; undefined where there is none at a position. */
function clusterTime(source: ByteSource, at: number, end: number): number | undefined {
  try {
    const cluster = elementIn(source, at);
    if (cluster.size === 0 || cluster.at + Math.max(0, cluster.size) > end) return undefined;
    let first = elementIn(source, cluster.at);
    if (first.id === CHECKSUM) first = elementIn(source, first.at + first.size);
    if (first.id !== TIMESTAMP || first.size < 1 || first.size > 8) return undefined;
    // A block must follow: four letters and a number may be anywhere in a picture.
    const next = elementAt(source.upTo(first.at + first.size, 16), 0);
    return next === undefined ? undefined : uint(source.at(first.at, first.size));
  } catch (error) {
    if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/**
 * Reads the first frame of each track that needs one, from the first cluster (RFC 9559, 10: blocks and lacing).
 *
 * Promise: the cluster is walked through at most once, over a limited number of blocks, and only the start of a frame
 * is read.
 */

import type { Element } from '../../../lib/media/ebml.ts';
import { elementIn } from '../../../lib/media/ebml.ts';
import type { ByteSource } from '../../../lib/media/source.ts';
import { uncertain } from '../../../lib/media/source.ts';
import type { FirstFrame, ProbedTrack } from './tracks.ts';

const frameCodecs: ReadonlySet<string> = new Set([
  'V_VP8',
  'V_VP9',
  'A_AC3',
  'A_EAC3',
  'A_DTS',
  'A_TRUEHD',
  'A_MPEG/L3',
  'A_MPEG/L2',
]);
/** Bytes that are enough for a codec's header, and for the extension of a DTS frame after its core. */
const frameStart = 16 * 1024;
const mostBlocks = 400;
const clusterId = 0x1f43b675;

/** Returns a reader of first frames. The walk happens when the first track needs its frame. */
export const firstFrames = (
  source: ByteSource,
  cluster: Element | undefined,
  tracks: readonly ProbedTrack[],
): ((track: ProbedTrack) => FirstFrame) => {
  let found: Map<number, FirstFrame> | undefined;
  return (track) => {
    if (cluster === undefined || track.isSealed) return uncertain('Matroska without frames to look at');
    found ??= collect(
      source,
      cluster,
      new Set(tracks.filter((one) => frameCodecs.has(one.codec)).map((one) => one.number)),
    );
    const first = found.get(track.number) ?? uncertain('Matroska track without a frame in the first cluster');
    if (track.stripped.length === 0) return first;
    return { bytes: Buffer.concat([track.stripped, first.bytes]), size: first.size + track.stripped.length };
  };
};

const collect = (source: ByteSource, cluster: Element, missing: Set<number>): Map<number, FirstFrame> => {
  const found = new Map<number, FirstFrame>();
  const end = cluster.size < 0 ? source.size : Math.min(source.size, cluster.at + cluster.size);
  for (let at = cluster.at, count = 0; at < end && missing.size > 0 && count < mostBlocks; count += 1) {
    const element = elementIn(source, at);
    if (element.id === clusterId || element.size < 0) break;
    at = element.at + element.size;
    const block = element.id === 0xa3 ? element : element.id === 0xa0 ? inGroup(source, element) : undefined;
    if (block === undefined) continue;
    const [track] = variable(source.upTo(block.at, 8), 0);
    if (missing.delete(track))
      found.set(track, frameOf(source.upTo(block.at, Math.min(block.size, frameStart)), block.size));
  }
  return found;
};

const inGroup = (source: ByteSource, group: Element): Element | undefined => {
  for (let at = group.at, count = 0; at < group.at + group.size && count < 16; count += 1) {
    const element = elementIn(source, at);
    if (element.size < 0) return undefined;
    if (element.id === 0xa1) return element;
    at = element.at + element.size;
  }
  return undefined;
};

/** Returns the first frame of a block with any lacing. `size` is the block's. */
const frameOf = (block: Buffer, size: number): FirstFrame => {
  let [, at] = variable(block, 0);
  const lacing = ((block[at + 2] ?? 0) >> 1) & 3;
  at += 3;
  let length = size - at;
  if (lacing !== 0) {
    const count = (block[at] ?? 0) + 1;
    at += 1;
    if (lacing === 2) length = Math.floor((size - at) / count);
    else {
      const lace = lacing === 1 ? xiph : ebml;
      const ends = lace(block, at, count - 1);
      length = count === 1 ? size - at : ends.first;
      at = ends.at;
    }
  }
  return { bytes: Buffer.from(block.subarray(at, at + length)), size: length };
};

const xiph = (block: Buffer, from: number, sizes: number): { first: number; at: number } => {
  let at = from;
  let first = 0;
  for (let i = 0; i < sizes; i += 1) {
    let byte = 255;
    while (byte === 255) {
      byte = block[at++] ?? 0;
      if (i === 0) first += byte;
    }
  }
  return { first, at };
};

const ebml = (block: Buffer, from: number, sizes: number): { first: number; at: number } => {
  let at = from;
  let first = 0;
  for (let i = 0; i < sizes; i += 1) {
    const [value, after] = variable(block, at);
    if (i === 0) first = value;
    at = after;
  }
  return { first, at };
};

/** Reads a number of one to four bytes with its length in front. Returns it and where it ends. */
const variable = (bytes: Buffer, at: number): [number, number] => {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 4 || at + length > bytes.length) return uncertain('Matroska block');
  let value = first & (0xff >> length);
  for (let i = 1; i < length; i += 1) value = value * 256 + (bytes[at + i] ?? 0);
  return [value, at + length];
};

/**
 * Blocks of Matroska clusters (RFC 9559, 5.1.3 and 10): where each frame lies, without reading its bytes.
 *
 * Clusters are walked as one flat list, so that a cluster of unknown size needs no special care. Numbers of elements
 * and bytes read are bounded by the caller's source and by `MAX_ELEMENTS`.
 */
import type { Element } from '../../../lib/media/ebml.ts';
import { elementAt, elementIn, uint } from '../../../lib/media/ebml.ts';
import { type ByteSource, Uncertain, uncertain } from '../../../lib/media/source.ts';
import { CLUSTER } from './header.ts';

export interface MatroskaBlock {
  track: number;
  /** Time in ticks of the first frame. */
  ticks: number;
  isKey: boolean;
  /** Frames of the block: usually one, more with lacing. */
  frames: { at: number; size: number }[];
  /** Ticks of the cluster, which tell how far the walk is, and the position of the element. */
  clusterTicks: number;
  at: number;
  /** Position of the cluster. */
  cluster: number;
  /** Nanoseconds to be dropped from the end of the last frame. */
  discard: number;
}

const MAX_ELEMENTS = 500_000;
/** Elements in a row that are no blocks. */
const MAX_BARREN = 20_000;
export const TIMESTAMP = 0xe7;
const IDS = {
  timestamp: TIMESTAMP,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  reference: 0xfb,
  discard: 0x75a2,
} as const;
/** Longest head of a block: of 256 frames with sizes of many bytes. */
const MAX_LACING = 64 * 1024;
/** Bytes of a block: more than a picture of 8K without compression has. */
const MAX_BLOCK = 256 * 1024 * 1024;

/** Elements that may lie where blocks are expected; others come of damage. */
const EXPECTED: ReadonlySet<number> = new Set([
  CLUSTER,
  IDS.timestamp,
  IDS.simpleBlock,
  IDS.blockGroup,
  0xa7,
  0xab,
  0x5854,
  0xaf,
  0xec,
  0xbf,
  0x1c53bb6b,
  0x1254c367,
  0x114d9b74,
  0x1549a966,
  0x1654ae6b,
  0x1941a469,
  0x1043a770,
]);

/** The file ends within an element. */
export class CutOff extends Uncertain {}

/** Elements that may still be read. */
export interface BlockBudget {
  left: number;
}

export interface BlockOptions {
  /** Time of its cluster: then `from` may be the position of a block, too. */
  ticks?: number;
  budget?: BlockBudget;
  /** Throws `Uncertain` where something lies that is not expected, or where the file ends within an element. */
  isStrict?: boolean;
}

/**
 * Yields the blocks from the cluster at `from` up to `end`. A block that is cut off by the end of the file is left out.
 */
export function* blocks(
  source: ByteSource,
  from: number,
  end: number,
  { ticks, budget = { left: MAX_ELEMENTS }, isStrict = false }: BlockOptions = {},
): Generator<MatroskaBlock> {
  let clusterTicks = ticks;
  let cluster = from;
  let barren = 0;
  const stop = Math.min(end, source.size);
  for (let at = from; at < stop;) {
    if ((budget.left -= 1) < 0 || (barren += 1) > MAX_BARREN) uncertain('too many Matroska elements');
    const element = elementAt(source.upTo(at, 16), 0);
    if (element === undefined) return;
    const body = at + element.at;
    if (isStrict && !EXPECTED.has(element.id)) uncertain('an unknown Matroska element');
    if (element.id === CLUSTER) {
      cluster = at;
      at = body;
      clusterTicks = undefined;
      continue;
    }
    if (element.size < 0) uncertain('Matroska element without a size');
    const next = body + element.size;
    if (next > source.size) {
      if (isStrict) throw new CutOff('a Matroska element that is cut off');
      return;
    }
    if (element.id === IDS.timestamp) clusterTicks = uint(source.at(body, Math.min(element.size, 9)));
    else if (element.id === IDS.simpleBlock || element.id === IDS.blockGroup) {
      const found =
        element.id === IDS.simpleBlock
          ? { at: body, size: element.size, isKey: undefined, discard: 0 }
          : groupOf(source, body, next);
      if (found) {
        barren = 0;
        yield {
          ...blockOf(source, found, clusterTicks ?? uncertain('a block before the time of its cluster')),
          at,
          cluster,
          discard: found.discard,
        };
      }
    }
    at = next;
  }
}

interface FoundBlock {
  at: number;
  size: number;
  /** Absent where the block's own flag says it. */
  isKey: boolean | undefined;
  discard: number;
}

const MAX_GROUP = 64;

function groupOf(source: ByteSource, from: number, end: number): FoundBlock | undefined {
  let block: Element | undefined;
  let hasReference = false;
  let discard = 0;
  for (let at = from, count = 0; at < end && count < MAX_GROUP; count += 1) {
    const element = elementIn(source, at);
    if (element.size < 0 || element.at + element.size > end) return uncertain('Matroska block group');
    if (element.id === IDS.block) block = element;
    else if (element.id === IDS.reference) hasReference = true;
    else if (element.id === IDS.discard && element.size <= 6)
      discard = element.size === 0 ? 0 : source.at(element.at, element.size).readIntBE(0, element.size);
    at = element.at + element.size;
  }
  return block && { at: block.at, size: block.size, isKey: !hasReference, discard: Math.max(0, discard) };
}

function blockOf(
  source: ByteSource,
  { at, size, isKey }: FoundBlock,
  clusterTicks: number,
): Omit<MatroskaBlock, 'at' | 'discard' | 'cluster'> {
  if (size > MAX_BLOCK) uncertain('a Matroska block is too large');
  const head = source.upTo(at, Math.min(size, 16));
  const [track, after] = variable(head, 0);
  if (after + 3 > head.length) uncertain('Matroska block');
  const flags = head[after + 2] ?? 0;
  const lacing = (flags >> 1) & 3;
  const block = {
    track,
    ticks: clusterTicks + head.readInt16BE(after),
    isKey: isKey ?? (flags & 0x80) !== 0,
    clusterTicks,
  };
  const start = after + 3;
  if (lacing === 0) return { ...block, frames: [{ at: at + start, size: size - start }] };
  const sizes = lacedSizes(source.upTo(at, Math.min(size, MAX_LACING)), start, { lacing, size });
  const frames: MatroskaBlock['frames'] = [];
  let place = at + size - sizes.reduce((sum, each) => sum + each, 0);
  for (const each of sizes) {
    frames.push({ at: place, size: each });
    place += each;
  }
  return { ...block, frames };
}

/** Sizes of the frames of a block that has several. `size` is the block's. */
function lacedSizes(bytes: Buffer, from: number, { lacing, size }: { lacing: number; size: number }): number[] {
  if (from >= bytes.length) return uncertain('Matroska lacing');
  const count = (bytes[from] ?? 0) + 1;
  const first = from + 1;
  if (lacing === 2) {
    const each = (size - first) / count;
    return Number.isInteger(each) ? Array.from({ length: count }, () => each) : uncertain('Matroska lacing');
  }
  const { sizes, at } = (lacing === 1 ? xiphSizes : ebmlSizes)(bytes, first, count - 1);
  const last = size - at - sizes.reduce((sum, each) => sum + each, 0);
  if (last < 0 || sizes.some((each) => each < 0)) uncertain('Matroska lacing');
  return [...sizes, last];
}

function xiphSizes(bytes: Buffer, from: number, count: number): { sizes: number[]; at: number } {
  const sizes: number[] = [];
  let at = from;
  while (sizes.length < count) {
    let size = 0;
    let byte = 255;
    while (byte === 255) {
      if (at >= bytes.length) uncertain('Matroska lacing');
      byte = bytes[at++] ?? 0;
      size += byte;
    }
    sizes.push(size);
  }
  return { sizes, at };
}

/** The first size as it is, each other as the difference to the one before it. */
function ebmlSizes(bytes: Buffer, from: number, count: number): { sizes: number[]; at: number } {
  const sizes: number[] = [];
  let at = from;
  while (sizes.length < count) {
    const [value, after] = variable(bytes, at);
    const bias = 2 ** (7 * (after - at) - 1) - 1;
    sizes.push(sizes.length === 0 ? value : (sizes.at(-1) ?? 0) + value - bias);
    at = after;
  }
  return { sizes, at };
}

/** A number of at most eight bytes with its length in front, and where it ends. */
function variable(bytes: Buffer, at: number): [number, number] {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || at + length > bytes.length) return uncertain('Matroska block');
  let value = first & (0xff >> length);
  for (let i = 1; i < length; i += 1) value = value * 256 + (bytes[at + i] ?? 0);
  return [value, at + length];
}

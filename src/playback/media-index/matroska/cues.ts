/** Cues of Matroska (RFC 9559, 5.1.5), checked against the blocks that they name. */
import { ebmlChildren, elementAt, elementIn, uint } from '../../../lib/media/ebml.ts';
import { type ByteSource, Uncertain, uncertain } from '../../../lib/media/source.ts';
import { keyframeKind, type NalFormat } from '../codec/idr.ts';
import { checkKeyframes } from '../spread.ts';
import { type MatroskaBlock, blocks } from './blocks.ts';
import { CLUSTER, type MatroskaHeader } from './header.ts';

export interface MatroskaCue {
  ticks: number;
  /** Position of the cluster. */
  at: number;
  /** Position of the block after the cluster's header; -1 where it is not said. */
  relative: number;
}

const MAX_CUES = 500_000;

/**
 * Returns the cues of a track that lie within the file, by increasing time and position. Others are dropped: a cue may
 * not lead back.
 */
export function matroskaCues(data: Buffer, track: number, { base, firstCluster, end }: MatroskaHeader): MatroskaCue[] {
  const cues: MatroskaCue[] = [];
  let count = 0;
  for (const { id, data: point } of ebmlChildren(data)) {
    if (id !== 0xbb) continue;
    if ((count += 1) > MAX_CUES) uncertain('too many Matroska cues');
    const cue = cueOf(point, track, base);
    const last = cues.at(-1);
    if (
      cue &&
      cue.at >= firstCluster &&
      cue.at < end &&
      (last === undefined || (cue.ticks > last.ticks && cue.at >= last.at))
    )
      cues.push(cue);
  }
  return cues;
}

function cueOf(point: Buffer, track: number, base: number): MatroskaCue | undefined {
  let ticks = -1;
  let cue: MatroskaCue | undefined;
  for (const { id, data } of ebmlChildren(point)) {
    if (id === 0xb3) ticks = uint(data);
    if (id !== 0xb7 || cue) continue;
    const place = { track: -1, at: -1, relative: -1 };
    for (const field of ebmlChildren(data)) {
      if (field.id === 0xf7) place.track = uint(field.data);
      else if (field.id === 0xf1) place.at = base + uint(field.data);
      else if (field.id === 0xf0) place.relative = uint(field.data);
    }
    if (place.track === track && place.at >= 0) cue = { ticks, at: place.at, relative: place.relative };
  }
  return cue && ticks >= 0 ? { ...cue, ticks } : undefined;
}

export interface CheckedCues {
  cues: MatroskaCue[];
  isIdr: Uint8Array;
}

const MIN_RIGHT_SHARE = 0.5;

/** Drops cues that name no keyframe. Throws when most of them do: then the file has no usable index. */
export function checkCues(
  source: ByteSource,
  cues: readonly MatroskaCue[],
  { track, format, stripped }: { track: number; format: NalFormat | undefined; stripped: Buffer },
): CheckedCues {
  const { isIdr, missing, unfit } = checkKeyframes(cues.length, format?.codec === 'h264', (key) => {
    const cue = cues[key];
    const frame = cue && keyBlock(source, cue, track)?.frames[0];
    if (!frame) return undefined;
    if (format === undefined || format.codec === 'hevc') return 'idr';
    return keyframeKind(format, frame.size + stripped.length, (offset, length) =>
      frameBytes(source, frame, stripped, { offset, length }),
    );
  });
  const dropped = new Set([...missing, ...unfit]);
  const kept = cues.map((_, key) => key).filter((key) => !dropped.has(key));
  if (missing.length > cues.length * (1 - MIN_RIGHT_SHARE)) uncertain('Matroska cues that lead nowhere');
  return { cues: kept.flatMap((key) => cues[key] ?? []), isIdr: Uint8Array.from(kept, (key) => isIdr[key] ?? 0) };
}

/** Bytes of a frame, those first that header stripping took from it. */
export function frameBytes(
  source: ByteSource,
  frame: { at: number; size: number },
  stripped: Buffer,
  { offset, length }: { offset: number; length: number },
): Buffer {
  if (offset >= stripped.length)
    return source.upTo(frame.at + offset - stripped.length, Math.min(length, frame.size + stripped.length - offset));
  return Buffer.concat([stripped.subarray(offset), source.upTo(frame.at, Math.min(length, frame.size))]).subarray(
    0,
    length,
  );
}

const MAX_SEARCHED = 4096;

/** Returns the keyframe that a cue names, or nothing when it is not there. */
export function keyBlock(source: ByteSource, cue: MatroskaCue, track: number): MatroskaBlock | undefined {
  try {
    const isRight = (block: MatroskaBlock): boolean =>
      block.track === track && block.ticks === cue.ticks && block.isKey;
    if (cue.relative >= 0) {
      const direct = blockAt(source, cue);
      if (direct && isRight(direct)) return direct;
    }
    let searched = 0;
    for (const block of blocks(source, cue.at, source.size)) {
      if (isRight(block)) return block;
      if ((searched += 1) > MAX_SEARCHED || block.clusterTicks > cue.ticks) return undefined;
    }
  } catch (error) {
    if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
  }
  return undefined;
}

/** Reads the block at the position of a cue, without the blocks before it in the cluster. */
function blockAt(source: ByteSource, { at, relative }: MatroskaCue): MatroskaBlock | undefined {
  const cluster = elementIn(source, at);
  if (cluster.id !== CLUSTER) return undefined;
  let place = cluster.at;
  for (let child = 0; child < 4; child += 1) {
    const element = elementAt(source.upTo(place, 16), 0);
    if (element === undefined || element.size < 0) return undefined;
    if (element.id === 0xe7) {
      const ticks = uint(source.at(place + element.at, Math.min(9, element.size)));
      return blocks(source, cluster.at + relative, source.size, { ticks }).next().value ?? undefined;
    }
    place += element.at + element.size;
  }
  return undefined;
}

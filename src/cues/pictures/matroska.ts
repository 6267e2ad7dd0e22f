/**
 * Reads the part of Matroska that carries one subtitle track through a pipe: its private data and its blocks.
 *
 * Reads the output of ffmpeg (RFC 9559): one track, no lacing, no compression, sizes that may be unknown because a pipe
 * cannot be rewound. Anything else ends the reading early with the blocks up to that point.
 */
import { PICTURE_LIMITS } from './picture.ts';

export interface Block {
  /** ms */
  start: number;
  duration: number | undefined;
  data: Uint8Array;
}
export interface MatroskaTrack {
  codec: string;
  header: Uint8Array;
  blocks: Block[];
}

const ID = {
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  entry: 0xae,
  codec: 0x86,
  header: 0x63a2,
  cluster: 0x1f43b675,
  clusterTime: 0xe7,
  simple: 0xa3,
  group: 0xa0,
  block: 0xa1,
  duration: 0x9b,
} as const;
/** Elements whose children are read; all others are skipped. */
const OPENED: ReadonlySet<number> = new Set([ID.segment, ID.info, ID.tracks, ID.entry, ID.cluster, ID.group]);

/** Reads the first track's blocks. */
export function readMatroskaTrack(bytes: Uint8Array): MatroskaTrack {
  const track: MatroskaTrack = { codec: '', header: new Uint8Array(), blocks: [] };
  let scale = 1_000_000;
  let cluster = 0;
  for (let at = 0; at < bytes.length && track.blocks.length < PICTURE_LIMITS.pictures * 2;) {
    const id = numberAt(bytes, at, false);
    const size = id && numberAt(bytes, at + id.length, true);
    if (!id || !size) break;
    const from = at + id.length + size.length;
    if (OPENED.has(id.value)) {
      at = from;
      continue;
    }
    const to = from + size.value;
    if (to > bytes.length) break;
    const body = bytes.subarray(from, to);
    at = to;
    switch (id.value) {
      case ID.scale:
        scale = unsigned(body) || scale;
        break;
      case ID.codec:
        track.codec = new TextDecoder('latin1').decode(body.subarray(0, 64));
        break;
      case ID.header:
        track.header = body;
        break;
      case ID.clusterTime:
        cluster = unsigned(body);
        break;
      case ID.simple:
      case ID.block: {
        const block = blockOf(body, cluster, scale);
        if (block) track.blocks.push(block);
        break;
      }
      case ID.duration: {
        const last = track.blocks.at(-1);
        if (last) last.duration = (unsigned(body) * scale) / 1e6;
        break;
      }
      default:
    }
  }
  return track;
}

function blockOf(body: Uint8Array, cluster: number, scale: number): Block | undefined {
  const track = numberAt(body, 0, true);
  if (!track || body.length < track.length + 3) return undefined;
  const relative = new DataView(body.buffer, body.byteOffset, body.byteLength).getInt16(track.length);
  const start = ((cluster + relative) * scale) / 1e6;
  return start >= 0 && start <= PICTURE_LIMITS.time
    ? { start, duration: undefined, data: body.subarray(track.length + 3) }
    : undefined;
}

/**
 * Reads a number of variable length: an id with its marker, a size without it. An unknown size reaches beyond every
 * file.
 */
function numberAt(bytes: Uint8Array, at: number, isSize: boolean): { value: number; length: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length || (!isSize && length > 4)) return undefined;
  const marker = 0x80 >> (length - 1);
  let value = isSize ? first & (marker - 1) : first;
  let areOnes = (first & (marker - 1)) === marker - 1;
  for (let n = 1; n < length; n++) {
    const byte = bytes[at + n] ?? 0;
    value = value * 256 + byte;
    areOnes &&= byte === 0xff;
  }
  return { value: isSize && areOnes ? Infinity : value, length };
}

function unsigned(body: Uint8Array): number {
  let value = 0;
  for (const byte of body.subarray(0, 8)) value = value * 256 + byte;
  return value;
}

/**
 * Length of MPEG streams whose clock jumps: recordings that were interrupted, or joined from several. ffprobe subtracts
 * the first time from the last one, and calls three minutes 25 hours long. The clock is looked at in places spread over
 * the file; where it jumps, the place is approached, and what is left counts as long as its bytes usually last.
 */
import type { ReadAt } from '../../lib/media/source.ts';

/** Clock of 33 bits with 90,000 ticks in a second. */
const CLOCK = 90_000;
const WRAP = 2 ** 33;
/** Places that are looked at first. */
const PLACES = 32;
/** Bytes in which the clock must be shown: a tenth of a second of a disc. */
const REACH = 1024 * 1024;
const PIECE = 64 * 1024;
/** Bytes that are not divided further. */
const SMALLEST = 128 * 1024;
const MAX_LOOKS = 400;
/** Seconds between two places that are no jump, whatever the rate; and how much the rate may vary. */
const SURE_SECONDS = 20;
const MAX_SLOWER = 12;
const PACKET = 188;
const STRIDES = [188, 192, 204];
const SYNC = 0x47;
const CHECKED = 6;

interface Look {
  /** Ticks. */
  time: number;
  /** Position in the file at which the clock says so. */
  at: number;
}

/** Returns the seconds of an MPEG transport or program stream if its clock jumps, and undefined for any other file. */
export function lengthWithJumps(size: number, readAt: ReadAt): number | undefined {
  const buffer = Buffer.allocUnsafe(PIECE);
  const clockIn = clockOf(buffer.subarray(0, readAt(buffer, 0)));
  if (clockIn === undefined || size < 2 * SMALLEST) return undefined;
  let looks = 0;
  /** The first clock from a position on. */
  const look = (from: number): Look | undefined => {
    if ((looks += 1) > MAX_LOOKS) return undefined;
    for (let at = from; at < Math.min(size, from + REACH); at += PIECE - PACKET) {
      const found = clockIn(buffer.subarray(0, readAt(buffer, at)));
      if (found) return { time: found.time, at: at + found.at };
    }
    return undefined;
  };
  const seen: Look[] = [];
  for (let n = 0; n <= PLACES; n += 1) {
    const found = look(Math.max(0, Math.floor((n * size) / PLACES) - (n === PLACES ? SMALLEST : 0)));
    if (found && found.at > (seen.at(-1)?.at ?? -1)) seen.push(found);
  }
  const paces = seen.slice(1).map((one, i) => ticksBetween(seen[i], one) / (one.at - (seen[i]?.at ?? 0)));
  const usual = paces.toSorted((a, b) => a - b)[paces.length >> 1];
  if (usual === undefined) return undefined;
  const isEven = (from: Look, to: Look): boolean =>
    ticksBetween(from, to) <= Math.max(SURE_SECONDS * CLOCK, MAX_SLOWER * usual * (to.at - from.at));
  let hasJump = false;
  const measure = (from: Look, to: Look): number => {
    if (isEven(from, to)) return ticksBetween(from, to);
    hasJump = true;
    const bytes = to.at - from.at;
    const middle = bytes < SMALLEST ? undefined : look(Math.floor((from.at + to.at) / 2));
    return middle === undefined || middle.at <= from.at || middle.at >= to.at
      ? usual * bytes
      : measure(from, middle) + measure(middle, to);
  };
  const shown = seen.slice(1).reduce((sum, one, i) => sum + measure(seen[i] ?? one, one), 0);
  const ticks = shown + usual * (size - (seen.at(-1)?.at ?? size));
  return hasJump && ticks > 0 ? ticks / CLOCK : undefined;
}

const ticksBetween = (from: Look | undefined, to: Look): number => (to.time - (from?.time ?? 0) + WRAP) % WRAP;

type ClockReader = (bytes: Buffer) => Look | undefined;

function clockOf(head: Buffer): ClockReader | undefined {
  if (head.length >= 4 && head.readUInt32BE(0) === PACK) return packClock;
  for (const stride of STRIDES) {
    for (let first = 0; first < stride * 2; first += 1) {
      if (isAligned(head, first, stride)) return programClock(head, stride);
    }
  }
  return undefined;
}

function isAligned(bytes: Buffer, first: number, stride: number): boolean {
  for (let n = 0; n < CHECKED; n += 1) if (bytes[first + n * stride] !== SYNC) return false;
  return true;
}

/** The clock of the program whose clock comes first: others of the same recording have their own. */
function programClock(head: Buffer, stride: number): ClockReader | undefined {
  let pid: number | undefined;
  return (bytes) => {
    let at = 0;
    while (at + stride * CHECKED <= bytes.length && !isAligned(bytes, at, stride)) at += 1;
    for (; at + PACKET <= bytes.length && bytes[at] === SYNC; at += stride) {
      const own = (((bytes[at + 1] ?? 0) & 0x1f) << 8) | (bytes[at + 2] ?? 0);
      const hasClock =
        ((bytes[at + 3] ?? 0) & 0x20) !== 0 && (bytes[at + 4] ?? 0) >= 7 && ((bytes[at + 5] ?? 0) & 0x10) !== 0;
      if (!hasClock || (pid !== undefined && own !== pid)) continue;
      pid = own;
      return { at, time: bytes.readUInt32BE(at + 6) * 2 + ((bytes[at + 10] ?? 0) >> 7) };
    }
    return undefined;
  };
}

const PACK = 0x1ba;
const PACK_BYTES = 14;

/** The clock in the heads of packs, of MPEG-2 or MPEG-1. */
function packClock(bytes: Buffer): Look | undefined {
  for (
    let at = bytes.indexOf(PACK_START);
    at >= 0 && at + PACK_BYTES <= bytes.length;
    at = bytes.indexOf(PACK_START, at + 4)
  ) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = bytes.subarray(at + 4, at + 9);
    if (a >> 6 === 1)
      return {
        at,
        time:
          ((a >> 3) & 7) * 2 ** 30 +
          (((a & 3) << 13) | (b << 5) | (c >> 3)) * 2 ** 15 +
          (((c & 3) << 13) | (d << 5) | (e >> 3)),
      };
    if (a >> 4 === 2)
      return { at, time: ((a >> 1) & 7) * 2 ** 30 + ((b << 7) | (c >> 1)) * 2 ** 15 + ((d << 7) | (e >> 1)) };
  }
  return undefined;
}
const PACK_START = Buffer.from([0, 0, 1, 0xba]);

/**
 * Finds the access units of H.264 and HEVC in packets that may begin anywhere (ISO/IEC 13818-1, 2.4.3.7): bytes before
 * the first start code of an access unit belong to the picture before, and the time of a packet belongs to the first
 * access unit that begins in it. Every byte is looked at once; a few bytes of a start code are held back.
 */
import { type AnnexBCodec, beginsAccessUnit, ROLE_BYTES, roleOf } from '../codec/annexb.ts';
import type { Payload, Taker } from './payload.ts';

const START_CODE = 3;

/** A packet of the elementary stream, whose time is taken by the first access unit that begins in it. */
interface TimedPacket {
  time: number | undefined;
}

/** A byte that may be part of a start code or of what follows it. */
interface HeldByte {
  value: number;
  /** Position in the file, and bytes in front of it in its packet. */
  at: number;
  count: number;
  owner: TimedPacket;
}

/**
 * Returns a taker of packets that hands access units on: `start` with the first bytes of each and its time, if it has
 * one, and `more` with the others. Bytes before the first access unit are handed on as `more`.
 */
export function splitAccessUnits(codec: AnnexBCodec, taker: Taker): Taker {
  const needed = ROLE_BYTES[codec];
  let owner: TimedPacket = { time: undefined };
  let held: HeldByte[] = [];
  /** The byte before those that are held. */
  let last: number | undefined;
  /** Access units begin without the zero byte that the standards demand in front of their start code. */
  let isShort = false;
  let isWanted = true;

  const begins = createBoundaries(codec);
  /** Notes the byte in front of a start code that begins an access unit. */
  const noteBefore = (value: number | undefined): void => {
    if (value !== undefined && value !== 0) isShort = true;
  };
  const hand = (payload: Payload, isStart: boolean, time: number | undefined): void => {
    if (!isWanted) return;
    if ((isStart ? taker.start(payload, time) : taker.more(payload)) === false) isWanted = false;
  };
  const handHeld = (bytes: readonly HeldByte[], begun: number, time: number | undefined): void => {
    for (const [i, { value, at, count }] of bytes.entries())
      hand({ bytes: Buffer.of(value), from: 0, to: 1, at, count, base: at }, i === begun, time);
    const end = bytes.at(-1);
    if (end) last = end.value;
  };

  /**
   * Decides about the bytes that are held. Returns how many bytes of the payload need not be looked at any more;
   * undefined while there are too few, when all of them are held.
   */
  const decide = (payload: Payload): number | undefined => {
    const own = heldBytes(payload, payload.from, Math.min(payload.to, payload.from + needed), owner);
    const joint = [...held, ...own];
    const bytes = Uint8Array.from(joint, ({ value }) => value);
    let seen = 0;
    const release = (from: number, begun: number, time?: number): number => {
      handHeld(held.slice(0, from), -1, undefined);
      handHeld(held.slice(from), begun, time);
      held = [];
      return seen;
    };
    for (let i = 0; i < held.length; i += 1) {
      if (!mayBeStartCode(bytes, i, bytes.length)) continue;
      const code = bytes[i + 2] === 0 ? i + 1 : i;
      if (code + needed > bytes.length) {
        handHeld(joint.slice(0, i), -1, undefined);
        held = joint.slice(i);
        return undefined;
      }
      const [zero, first] = [joint[i]?.owner ?? owner, joint[code]?.owner ?? owner];
      const isShortHere = zero !== first && zero.time === undefined && isShort;
      // A zero that does not belong to the start code ends the picture before; the code is found among the other bytes.
      if (isShortHere && code >= held.length) return release(held.length, -1);
      if (code >= held.length) seen = START_CODE;
      if (!begins(bytes, code)) {
        i = code;
        continue;
      }
      noteBefore(code > i ? 0 : i > 0 ? joint[i - 1]?.value : last);
      return release(isShortHere ? code : i, 0, timeFrom(isShortHere ? first : zero));
    }
    return release(held.length, -1);
  };
  const take = (payload: Payload): boolean => {
    const { bytes, from, to, base } = payload;
    const seen = held.length > 0 ? decide(payload) : 0;
    if (from >= to || seen === undefined) return isWanted;
    let begun = from;
    let isStart = false;
    let time: number | undefined;
    const part = (end: number): void => {
      if (end <= begun) return;
      const at = base + begun;
      hand({ bytes, from: begun, to: end, at, count: at - packetOf(payload), base }, isStart, time);
    };
    let i = from + seen;
    while (i + needed <= to) {
      const third = bytes[i + 2] ?? 0;
      if (third > 1) i += START_CODE;
      else if (third === 0) i += 1;
      else if (bytes[i] !== 0 || bytes[i + 1] !== 0) i += START_CODE;
      else {
        if (begins(bytes, i)) {
          noteBefore(i > from ? bytes[i - 1] : last);
          let first = i;
          while (first > begun && bytes[first - 1] === 0) first -= 1;
          part(first);
          [begun, isStart, time] = [first, true, timeFrom(owner)];
        }
        i += START_CODE;
      }
    }
    let end = Math.max(begun, i - 1);
    while (end < to && !mayBeStartCode(bytes, end, to)) end += 1;
    part(end);
    if (end > from) last = bytes[end - 1];
    held = end < to ? heldBytes(payload, end, to, owner) : [];
    return isWanted;
  };
  return {
    start: (payload, time) => {
      owner = { time };
      return take(payload);
    },
    more: take,
  };
}

/** Returns a function that says of each start code whether an access unit begins with it. */
function createBoundaries(codec: AnnexBCodec): (bytes: Uint8Array, at: number) => boolean {
  /** Whether the open access unit has a slice. */
  let hasSlice = true;
  return (bytes, at) => {
    const role = roleOf(bytes, at + START_CODE, codec);
    const isBegin = role === 'delimiter' || (hasSlice && (role === 'prefix' || role === 'first-slice'));
    if (role === 'slice' || role === 'first-slice') hasSlice = true;
    else if (isBegin) hasSlice = false;
    return isBegin;
  };
}

/** Takes the time of a packet, which no other access unit has then. */
function timeFrom(packet: TimedPacket): number | undefined {
  const { time } = packet;
  packet.time = undefined;
  return time;
}

const packetOf = ({ at, count = 0 }: Payload): number => at - count;

function heldBytes(payload: Payload, from: number, to: number, owner: TimedPacket): HeldByte[] {
  return Array.from(payload.bytes.subarray(from, to), (value, i) => {
    const at = payload.base + from + i;
    return { value, at, count: at - packetOf(payload), owner };
  });
}

/** Whether bytes begin with a start code, with or without a zero in front of it, or end before that can be said. */
function mayBeStartCode(bytes: Uint8Array, at: number, end: number): boolean {
  const isZero = (n: number): boolean => n >= end || bytes[n] === 0;
  const isOne = (n: number): boolean => n >= end || bytes[n] === 1;
  return bytes[at] === 0 && isZero(at + 1) && (isOne(at + 2) || (isZero(at + 2) && isOne(at + 3)));
}

/** Packets that were one access unit each, after which the bytes inside of packets are no longer looked at. */
const TRUSTED_PACKETS = 100;

/**
 * Returns a taker for a walk through a whole file, which needs the first bytes of each picture only: as long as every
 * packet begins with an access unit, what is inside of the packets is passed over. `hasSeveral` says that some packet
 * had several.
 */
export function walkAccessUnits(codec: AnnexBCodec, walk: Taker & { readonly hasSeveral: boolean }): Taker {
  let [whole, begun] = [0, 0];
  let wasAligned = false;
  let isTrusted = false;
  const counted: Taker = {
    start: (payload, time) => {
      begun += 1;
      return walk.start(payload, time);
    },
    more: walk.more,
  };
  let split = splitAccessUnits(codec, counted);
  // Most calls are for bytes inside of packets that are passed over, so that `more` is replaced instead of branching.
  const taker: Taker = {
    start: (payload, time) => {
      const isAligned = beginsAccessUnit(payload.bytes, payload.from, payload.to, codec);
      if (isTrusted && (!isAligned || walk.hasSeveral)) {
        isTrusted = false;
        whole = -Infinity;
        split = splitAccessUnits(codec, counted);
        taker.more = split.more;
      }
      if (!isTrusted) {
        whole = wasAligned && begun === 1 ? whole + 1 : Math.min(whole, 0);
        isTrusted = isAligned && whole >= TRUSTED_PACKETS;
        if (isTrusted) taker.more = walk.more;
      }
      [wasAligned, begun] = [isAligned, 0];
      return isTrusted ? walk.start(payload, time) : split.start(payload, time);
    },
    more: split.more,
  };
  return taker;
}

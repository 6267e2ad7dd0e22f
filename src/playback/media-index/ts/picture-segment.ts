/** Pictures of a segment of a transport stream. */
import { uncertain } from '../../../lib/media/source.ts';
import { type AnnexBCodec, kindOf, type Unit, UNITS, unitsOf } from '../codec/annexb.ts';
import type { SegmentSamples } from '../types.ts';
import type { Packet } from './packets.ts';
import { CLOCK, pesHead, unwrapped } from './pes.ts';
import { createPieces } from './pieces.ts';
import type { PacketQuestion } from './segment.ts';

/** A unit of at most this size is sent as it is, because a read of the file costs more. */
const MAX_LITERAL_UNIT = 4096;
const MAX_PICTURE = 32 * 1024 * 1024;
const MAX_PICTURES = 20_000;
const LENGTH_SIZE = 4;

/** Bytes of the picture that is being read, and where in the file each part of them lies. */
interface OpenPicture {
  /** Ticks after the start of the timeline. */
  time: number;
  filled: number;
  starts: number[];
  positions: number[];
}

export interface SegmentWork {
  /** Called for each packet of the track; returns whether more are needed. */
  visit(packet: Packet): boolean;
  result(): SegmentSamples;
}

export function pictureSegment({ zero, track, to, start, next, isFirst, isSingle = false }: PacketQuestion, codec: AnnexBCodec): SegmentWork {
  const list = createPieces();
  const [times, sizes, keys]: [number[], number[], number[]] = [[], [], []];
  const keyTime = Math.round(start * CLOCK);
  const nextTime = next === undefined ? undefined : Math.round(next * CLOCK);
  let buffer = Buffer.allocUnsafe(512 * 1024);
  let open: OpenPicture | undefined;
  /** Earliest time of the next segment: pictures may be shown before its keyframe. */
  let end: number | undefined;
  let last = keyTime;

  const finish = (): void => {
    if (open === undefined) return;
    const picture = open;
    open = undefined;
    const bytes = buffer.subarray(0, picture.filled);
    const units = unitsOf(bytes, codec);
    if (!units.some(({ type }) => UNITS[codec].isPicture(type))) return;
    const kind = kindOf(bytes, units, codec);
    // Pictures before the first keyframe of the file need others that it does not have.
    if (isFirst && times.length > 0 && picture.time < (times[0] ?? 0)) return;
    if (times.push(picture.time) > MAX_PICTURES) uncertain('too many pictures in a segment');
    keys.push(kind === 'other' ? 0 : 1);
    sizes.push(addUnits(bytes, units.filter(({ type }) => !UNITS[codec].dropped.has(type)), picture));
  };
  const addUnits = (bytes: Buffer, units: readonly Unit[], { starts, positions }: OpenPicture): number => {
    let part = 0;
    let size = 0;
    for (const { from, to: stop } of units) {
      const length = Buffer.alloc(LENGTH_SIZE);
      length.writeUInt32BE(stop - from);
      list.literal(length);
      size += LENGTH_SIZE + stop - from;
      if (stop - from <= MAX_LITERAL_UNIT) {
        list.literal(bytes.subarray(from, stop));
        continue;
      }
      for (let at = from; at < stop; ) {
        while ((starts[part + 1] ?? Infinity) <= at) part += 1;
        const until = Math.min(stop, starts[part + 1] ?? stop);
        list.range((positions[part] ?? 0) + at - (starts[part] ?? 0), until - at);
        at = until;
      }
    }
    return size;
  };
  const add = (picture: OpenPicture, { bytes, base }: Packet, from: number, stop: number): void => {
    const length = stop - from;
    if (picture.filled + length > MAX_PICTURE) uncertain('a picture that is too large');
    if (picture.filled + length > buffer.length) buffer = Buffer.concat([buffer.subarray(0, picture.filled), Buffer.allocUnsafe(Math.max(buffer.length, length))]);
    picture.starts.push(picture.filled);
    picture.positions.push(base + from);
    picture.filled += bytes.copy(buffer, picture.filled, from, stop);
  };
  return {
    visit: (packet) => {
      const head = packet.isStart ? pesHead(packet) : undefined;
      if (head?.pts === undefined) {
        if (open && (head !== undefined || !packet.isStart)) add(open, packet, head?.from ?? packet.from, packet.to);
        return true;
      }
      const time = unwrapped(head.pts, zero + last) - zero;
      last = time;
      if (to !== undefined && packet.at >= to) {
        finish();
        const isLate = end !== undefined && nextTime !== undefined && time >= nextTime;
        end = Math.min(end ?? time, time);
        return !isLate;
      }
      finish();
      if (isSingle && times.length > 0) return false;
      open = { time, filled: 0, starts: [], positions: [] };
      add(open, packet, head.from, packet.to);
      return true;
    },
    result: () => {
      finish();
      if (times.length === 0 || Math.abs((times[0] ?? 0) - keyTime) > 1 && !isFirst) return uncertain('a keyframe is not where the index says');
      const latest = times.reduce((most, time) => Math.max(most, time), 0);
      return { times: Float64Array.from(times), sizes: Uint32Array.from(sizes), isKey: Uint8Array.from(keys), pieces: list.pieces(), end: Math.max(latest + 1, end ?? latest + track.frameDuration) };
    },
  };
}

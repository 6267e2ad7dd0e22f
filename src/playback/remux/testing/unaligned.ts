/**
 * Rewrites a transport stream so that its packets do not begin at pictures or frames of sound, as encoders and
 * recorders do that cut streams after a number of bytes. A packet has the times of the first picture that begins in it
 * (ISO/IEC 13818-1, 2.4.3.7), and packets are interleaved by time behind the clock that they need.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pesHead } from '../../media-index/ts/pes.ts';
import { createScanner, PACKET } from '../../media-index/ts/packets.ts';
import { packets, pes, type PesTimes } from './fields.ts';

const [VIDEO, AUDIO] = [0x100, 0x101];
const STREAM_IDS: Readonly<Record<number, number>> = { [VIDEO]: 0xe0, [AUDIO]: 0xc0 };
/** Ticks of 90 kHz by which bytes come before they are decoded. */
const AHEAD = 45_000;
/** Ticks between two tables. */
const TABLES = 22_500;

export interface UnalignedOptions {
  /** Returns how many bytes the next packet of a stream has. */
  size(kind: 'video' | 'audio'): number;
  /** Each transport packet has four bytes in front, as on a disc. */
  isDisc?: boolean;
}

interface Elementary {
  bytes: Buffer;
  /** Pictures, or frames of sound: place and times of each. */
  units: { at: number; times: PesTimes }[];
}

/** Each packet of `from` must be one picture or frame, as ffmpeg writes them with `-pes_payload_size 0`. */
export function writeUnaligned(from: string, to: string, { size, isDisc = false }: UnalignedOptions): void {
  const file = readFileSync(from);
  const whole = (n: number): Buffer => file.subarray(n * PACKET, (n + 1) * PACKET);
  const pidOf = (packet: Buffer): number => packet.readUInt16BE(1) & 0x1fff;
  const all = Array.from({ length: file.length / PACKET }, (_, n) => whole(n));
  const tables = [0, 0x1000].flatMap((pid) => all.find((packet) => pidOf(packet) === pid) ?? []);
  /** Packets with the time at which they are sent. */
  const sent: { time: number; bytes: Buffer }[] = [];
  for (const pid of [VIDEO, AUDIO]) {
    const { bytes, units } = elementaryOf(file, pid);
    const count = { value: 0 };
    let next = 0;
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + Math.max(1, size(pid === VIDEO ? 'video' : 'audio')));
      // The unit that the first byte belongs to is sent now.
      const current = units[Math.max(0, (units[next]?.at ?? Infinity) === at ? next : next - 1)];
      const first = units[next];
      const begun = first !== undefined && first.at < end ? first : undefined;
      while ((units[next]?.at ?? Infinity) < end) next += 1;
      const time = (current?.times.dts ?? current?.times.pts ?? 0) - AHEAD;
      const packet = pes(bytes.subarray(at, end), begun?.times, STREAM_IDS[pid]);
      sent.push({ time, bytes: packets(pid, packet, count, pid === VIDEO ? Math.max(0, time) : undefined) });
      at = end;
    }
  }
  sent.sort((a, b) => a.time - b.time);
  const out: Buffer[] = [];
  let last = -Infinity;
  let tableCount = 0;
  for (const { time, bytes } of sent) {
    if (time >= last + TABLES) {
      last = time;
      for (const table of tables) {
        const copy = Buffer.from(table);
        copy[3] = ((copy[3] ?? 0) & 0xf0) | (tableCount & 15);
        out.push(copy);
      }
      tableCount += 1;
    }
    out.push(bytes);
  }
  const stream = Buffer.concat(out);
  writeFileSync(to, isDisc ? withArrivalTimes(stream) : stream);
}

function elementaryOf(file: Buffer, pid: number): Elementary {
  const parts: Buffer[] = [];
  const units: Elementary['units'] = [];
  let length = 0;
  createScanner({ stride: PACKET, end: file.length, pids: [pid] }).scan(
    (into, at) => file.copy(into, 0, at),
    0,
    file.length,
    (packet) => {
      const head = packet.isStart ? pesHead(packet) : undefined;
      if (head?.pts !== undefined) units.push({ at: length, times: { pts: head.pts, dts: head.dts } });
      const payload = Buffer.from(packet.bytes.subarray(head?.from ?? packet.from, packet.to));
      parts.push(payload);
      length += payload.length;
    },
  );
  return { bytes: Buffer.concat(parts), units };
}

function withArrivalTimes(stream: Buffer): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at < stream.length; at += PACKET) {
    const time = Buffer.alloc(4);
    time.writeUInt32BE((at * 8) & 0x3fff_ffff);
    out.push(time, stream.subarray(at, at + PACKET));
  }
  return Buffer.concat(out);
}

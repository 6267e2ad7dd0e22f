/** Streams of a transport stream, from its program tables (ISO/IEC 13818-1, 2.4.4; ETSI EN 300 468, annex D). */
import { type ReadAt, uncertain } from '../../../lib/media/source.ts';
import { createScanner, type TsPacketLayout } from './packets.ts';

export interface ElementaryStream {
  pid: number;
  /** Number of its program table in the file. */
  program: number;
  kind: 'video' | 'audio' | 'other';
  /** ffmpeg's name; `unknown` for what is not copied anyway. */
  codec: string;
}

type StreamMeaning = Pick<ElementaryStream, 'kind' | 'codec'>;

/** Bytes of the file in which its tables are expected. */
const MAX_SEARCHED = 16 * 1024 * 1024;
const MAX_SECTION = 1024;
const MAX_STREAMS = 64;
const MAX_PROGRAMS = 64;

const TYPES: Readonly<Record<number, StreamMeaning>> = {
  0x01: { kind: 'video', codec: 'mpeg1video' },
  0x02: { kind: 'video', codec: 'mpeg2video' },
  0x10: { kind: 'video', codec: 'mpeg4' },
  0x1b: { kind: 'video', codec: 'h264' },
  0x24: { kind: 'video', codec: 'hevc' },
  0xea: { kind: 'video', codec: 'vc1' },
  0x03: { kind: 'audio', codec: 'mp3' },
  0x04: { kind: 'audio', codec: 'mp3' },
  0x0f: { kind: 'audio', codec: 'aac' },
  0x11: { kind: 'audio', codec: 'aac_latm' },
  0x81: { kind: 'audio', codec: 'ac3' },
  0x87: { kind: 'audio', codec: 'eac3' },
  0x82: { kind: 'audio', codec: 'dts' },
  0x85: { kind: 'audio', codec: 'dts' },
  0x86: { kind: 'audio', codec: 'dts' },
  0x8a: { kind: 'audio', codec: 'dts' },
  0x80: { kind: 'audio', codec: 'pcm_bluray' },
  0x83: { kind: 'audio', codec: 'truehd' },
  0x84: { kind: 'audio', codec: 'eac3' },
};
const REGISTRATIONS: Readonly<Record<string, StreamMeaning>> = {
  'AC-3': { kind: 'audio', codec: 'ac3' },
  EAC3: { kind: 'audio', codec: 'eac3' },
  DTS1: { kind: 'audio', codec: 'dts' },
  DTS2: { kind: 'audio', codec: 'dts' },
  DTS3: { kind: 'audio', codec: 'dts' },
  HEVC: { kind: 'video', codec: 'hevc' },
  Opus: { kind: 'audio', codec: 'opus' },
};
const PRIVATE = 0x06;

/**
 * Returns the streams of all programs in the order in which their tables come, as ffmpeg counts them. Throws
 * `Uncertain` when there are none.
 */
export function streamsOf(readAt: ReadAt, { stride, first }: TsPacketLayout, size: number): ElementaryStream[] {
  const end = Math.min(size, first + MAX_SEARCHED);
  const [association] = sections(readAt, { stride, first, end, pids: [0], isEach: false, table: 0 });
  if (association === undefined) return uncertain('a transport stream without tables');
  const maps: number[] = [];
  for (let at = 8; at + 4 <= association.length - 4 && maps.length < MAX_PROGRAMS; at += 4) {
    if (association.readUInt16BE(at) !== 0) maps.push(association.readUInt16BE(at + 2) & 0x1fff);
  }
  const programs = sections(readAt, { stride, first, end, pids: maps, isEach: true, table: 2 });
  if (programs.length === 0) return uncertain('a transport stream without a program');
  const streams = new Map<number, ElementaryStream>();
  programs.forEach((table, program) => {
    for (const { pid, ...meaning } of streamsIn(table))
      if (!streams.has(pid) && streams.size < MAX_STREAMS) streams.set(pid, { pid, program, ...meaning });
  });
  return [...streams.values()];
}

interface SectionSearch extends TsPacketLayout {
  end: number;
  pids: readonly number[];
  /** One section of each PID is wanted, not only one. */
  isEach: boolean;
  table: number;
}

/** The first section of a table on each PID. */
function sections(readAt: ReadAt, { stride, first, end, pids, isEach, table }: SectionSearch): Buffer[] {
  const found = new Map<number, Buffer>();
  const parts = new Map<number, Buffer>();
  // A program whose table is not there by then has no streams in the file either.
  let patience = Infinity;
  createScanner({ stride, end, pids }).scan(readAt, first, end - first, ({ bytes, from, to, pid, isStart, at }) => {
    if (at > patience) return false;
    if (found.has(pid) || from >= to) return true;
    const payload = bytes.subarray(isStart ? from + 1 + (bytes[from] ?? 0) : from, to);
    const before = isStart ? undefined : parts.get(pid);
    if (!isStart && before === undefined) return true;
    const section = Buffer.concat([before ?? Buffer.alloc(0), payload]).subarray(0, MAX_SECTION + 3);
    const length = section.length < 3 ? Infinity : 3 + (section.readUInt16BE(1) & 0xfff);
    if (section.length < length) {
      parts.set(pid, section);
      return true;
    }
    parts.delete(pid);
    if (section[0] === table && length > 12) found.set(pid, section.subarray(0, length));
    if (found.size === 1) patience = Math.min(patience, at + MAX_SEARCHED / 8);
    return found.size < (isEach ? new Set(pids).size : 1);
  });
  return [...found.values()];
}

function streamsIn(program: Buffer): Omit<ElementaryStream, 'program'>[] {
  const streams: Omit<ElementaryStream, 'program'>[] = [];
  let at = 12 + (program.readUInt16BE(10) & 0xfff);
  while (at + 5 <= program.length - 4 && streams.length < MAX_STREAMS) {
    const size = program.readUInt16BE(at + 3) & 0xfff;
    const descriptors = program.subarray(at + 5, Math.min(at + 5 + size, program.length - 4));
    streams.push({ pid: program.readUInt16BE(at + 1) & 0x1fff, ...meaningOf(program[at] ?? 0, descriptors) });
    at += 5 + size;
  }
  return streams;
}

function meaningOf(type: number, descriptors: Buffer): StreamMeaning {
  const known = TYPES[type];
  if (known && type < 0x80) return known;
  for (let at = 0; at + 2 <= descriptors.length; at += 2 + (descriptors[at + 1] ?? 0)) {
    const tag = descriptors[at];
    const registered = tag === 5 ? REGISTRATIONS[descriptors.toString('latin1', at + 2, at + 6)] : undefined;
    if (registered) return registered;
    if (type !== PRIVATE) continue;
    if (tag === 0x6a) return { kind: 'audio', codec: 'ac3' };
    if (tag === 0x7a) return { kind: 'audio', codec: 'eac3' };
    if (tag === 0x7b) return { kind: 'audio', codec: 'dts' };
  }
  return known ?? { kind: 'other', codec: 'unknown' };
}

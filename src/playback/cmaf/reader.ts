/**
 * Reads fragmented MP4 as it comes out of a pipe: the initialization segment once, then the samples of each fragment.
 *
 * The bytes are those of a program that we started, but the program may have been misled by its input, so sizes and
 * counts are bounded. Anything that is not understood throws `BadFragment`.
 */

export class BadFragment extends Error {}

export interface FragmentTrack {
  id: number;
  kind: 'video' | 'audio';
  timescale: number;
  /** Complete sample entry box. */
  entry: Buffer;
  /** Media time that an edit list shows at 0, in the timescale; 0 without one. */
  shift: number;
}

export interface FragmentSample {
  /** Decode time, offset from it to the presentation time, and duration, in the track's timescale. */
  dts: number;
  cts: number;
  duration: number;
  isKey: boolean;
  data: Buffer;
}

export type FragmentEvent =
  | { type: 'init'; bytes: Buffer; tracks: FragmentTrack[] }
  | { type: 'fragment'; track: number; samples: FragmentSample[] };

export interface FragmentReader {
  /** Takes the next bytes and returns what they complete. The samples' data are views of the bytes that were pushed, or copies. */
  push(bytes: Uint8Array): FragmentEvent[];
  /** Throws when the stream ends within a box. */
  end(): void;
}

interface Box {
  type: string;
  body: Buffer;
}

interface TrackDefaults {
  duration: number;
  size: number;
  flags: number;
}

interface Run {
  track: number;
  /** Offset of the first sample from the start of moof. */
  offset: number;
  samples: { dts: number; cts: number; duration: number; isKey: boolean; size: number }[];
}

const MAX_HEADER_BYTES = 16 * 1024 * 1024;
const MAX_DATA_BYTES = 256 * 1024 * 1024;
const MAX_SAMPLES = 1_000_000;
const NOT_SYNC = 0x10000;

const bad = (why: string): never => {
  throw new BadFragment(why);
};

/** `maxDataBytes` limits the data of one fragment, which is kept until it is complete. */
export function createFragmentReader({ maxDataBytes = MAX_DATA_BYTES }: { maxDataBytes?: number } = {}): FragmentReader {
  const defaults = new Map<number, TrackDefaults>();
  const decodeTimes = new Map<number, number>();
  const pending = createPending();
  let ftyp: Buffer = Buffer.alloc(0);
  let moof: { size: number; runs: Run[] } | undefined;

  /** Returns the next complete box with its header, once all of it is there. */
  const next = (): { type: string; whole: Buffer; head: number } | undefined => {
    const start = pending.peek(16);
    if (start.length < 8) return undefined;
    const type = start.toString('latin1', 4, 8);
    const isLarge = start.readUInt32BE(0) === 1;
    if (isLarge && start.length < 16) return undefined;
    const head = isLarge ? 16 : 8;
    const size = isLarge ? Number(start.readBigUInt64BE(8)) : start.readUInt32BE(0);
    if (size < head || size > (type === 'mdat' ? maxDataBytes : MAX_HEADER_BYTES)) return bad(`a ${type} box of ${size} bytes`);
    return pending.length < size ? undefined : { type, whole: pending.take(size), head };
  };

  return {
    push: (bytes) => {
      const events: FragmentEvent[] = [];
      pending.add(bytes);
      for (let found = next(); found; found = next()) {
        const { type, whole, head } = found;
        if (type === 'ftyp') ftyp = whole;
        else if (type === 'moov') events.push({ type: 'init', bytes: Buffer.concat([ftyp, whole]), tracks: tracksOf(whole.subarray(head), defaults) });
        else if (type === 'moof') moof = { size: whole.length, runs: runsOf(whole.subarray(head), defaults, decodeTimes) };
        else if (type === 'mdat') {
          if (!moof) return bad('data without moof');
          for (const run of moof.runs) events.push({ type: 'fragment', track: run.track, samples: samplesOf(run, whole, run.offset - moof.size) });
          moof = undefined;
        }
      }
      return events;
    },
    end: () => void (pending.length > 0 && bad('the stream ends within a box')),
  };
}

/** Bytes that wait for the rest of their box. */
function createPending() {
  let parts: Buffer[] = [];
  let length = 0;
  const joined = (): Buffer => {
    const [first] = parts;
    if (parts.length !== 1 || first === undefined) parts = [Buffer.concat(parts, length)];
    return parts[0] ?? Buffer.alloc(0);
  };
  return {
    get length() {
      return length;
    },
    add: (bytes: Uint8Array): void => {
      if (bytes.length === 0) return;
      parts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      length += bytes.length;
    },
    /** At most `most` bytes, without taking them. */
    peek: (most: number): Buffer => {
      const [first] = parts;
      return (first !== undefined && first.length >= most ? first : length < most || parts.length < 2 ? joined() : Buffer.concat(parts.slice(0, 17), Math.min(most, length))).subarray(0, most);
    },
    take: (size: number): Buffer => {
      const all = joined();
      parts = size < all.length ? [all.subarray(size)] : [];
      length -= size;
      return all.subarray(0, size);
    },
  };
}

function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) bad('a box leaves its parent');
    yield { type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) };
    at += size;
  }
}

/** Returns the first box at a path of types, or nothing. */
function within(bytes: Buffer, ...path: readonly string[]): Buffer | undefined {
  let body: Buffer | undefined = bytes;
  for (const type of path) body = body && [...boxesIn(body)].find((one) => one.type === type)?.body;
  return body;
}

const required = (body: Buffer | undefined, least: number): Buffer => (body !== undefined && body.length >= least ? body : bad('a box is missing or too short'));

function tracksOf(moov: Buffer, defaults: Map<number, TrackDefaults>): FragmentTrack[] {
  defaults.clear();
  const tracks: FragmentTrack[] = [];
  for (const { type, body } of boxesIn(moov)) {
    if (type === 'mvex') for (const trex of boxesIn(body)) if (trex.type === 'trex') readTrex(required(trex.body, 24), defaults);
    if (type !== 'trak') continue;
    const tkhd = required(within(body, 'tkhd'), 24);
    const mdhd = required(within(body, 'mdia', 'mdhd'), 24);
    const handler = required(within(body, 'mdia', 'hdlr'), 12).toString('latin1', 8, 12);
    if (handler !== 'vide' && handler !== 'soun') continue;
    const stsd = required(within(body, 'mdia', 'minf', 'stbl', 'stsd'), 16);
    const entry = stsd.subarray(8, 8 + stsd.readUInt32BE(8));
    tracks.push({ id: tkhd.readUInt32BE(tkhd[0] === 1 ? 20 : 12), kind: handler === 'vide' ? 'video' : 'audio', timescale: mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12), entry, shift: shiftOf(within(body, 'edts', 'elst')) });
  }
  return tracks;
}

function readTrex(trex: Buffer, defaults: Map<number, TrackDefaults>): void {
  defaults.set(trex.readUInt32BE(4), { duration: trex.readUInt32BE(12), size: trex.readUInt32BE(16), flags: trex.readUInt32BE(20) });
}

/** The media time of the first edit that is not empty. */
function shiftOf(elst: Buffer | undefined): number {
  if (elst === undefined || elst.length < 8) return 0;
  const isLong = elst[0] === 1;
  for (let at = 8; at + (isLong ? 20 : 12) <= elst.length; at += isLong ? 20 : 12) {
    const time = isLong ? Number(elst.readBigInt64BE(at + 8)) : elst.readInt32BE(at + 4);
    if (time >= 0) return time;
  }
  return 0;
}

function runsOf(moof: Buffer, defaults: Map<number, TrackDefaults>, decodeTimes: Map<number, number>): Run[] {
  const runs: Run[] = [];
  let count = 0;
  for (const { type, body } of boxesIn(moof)) {
    if (type !== 'traf') continue;
    const { track, defaults: own } = headerOf(required(within(body, 'tfhd'), 8), defaults);
    const tfdt = within(body, 'tfdt');
    let dts = tfdt === undefined ? decodeTimes.get(track) ?? 0 : tfdt[0] === 1 ? Number(required(tfdt, 12).readBigUInt64BE(4)) : required(tfdt, 8).readUInt32BE(4);
    let follows: number | undefined;
    for (const trun of boxesIn(body)) {
      if (trun.type !== 'trun') continue;
      const run = runOf(required(trun.body, 8), { track, dts, follows, defaults: own });
      count += run.samples.length;
      if (count > MAX_SAMPLES) bad('too many samples in a fragment');
      const last = run.samples.at(-1);
      if (last) dts = last.dts + last.duration;
      follows = run.offset + run.samples.reduce((sum, { size }) => sum + size, 0);
      runs.push(run);
    }
    decodeTimes.set(track, dts);
  }
  return runs;
}

/** The track of a tfhd, and what its samples have where the run does not say. */
function headerOf(tfhd: Buffer, defaults: Map<number, TrackDefaults>): { track: number; defaults: TrackDefaults } {
  const flags = tfhd.readUIntBE(1, 3);
  const track = tfhd.readUInt32BE(4);
  const known = defaults.get(track) ?? bad('a fragment of an unknown track');
  if ((flags & 1) !== 0) bad('data at an absolute position');
  let at = 8 + ((flags & 2) !== 0 ? 4 : 0);
  const optional = (flag: number, otherwise: number): number => {
    if ((flags & flag) === 0) return otherwise;
    at += 4;
    return required(tfhd, at).readUInt32BE(at - 4);
  };
  return { track, defaults: { duration: optional(8, known.duration), size: optional(0x10, known.size), flags: optional(0x20, known.flags) } };
}

function runOf(trun: Buffer, { track, dts, follows, defaults }: { track: number; dts: number; follows: number | undefined; defaults: TrackDefaults }): Run {
  const flags = trun.readUIntBE(1, 3);
  const count = trun.readUInt32BE(4);
  const row = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length;
  let at = 8;
  const field = (flag: number): number | undefined => {
    if ((flags & flag) === 0) return undefined;
    at += 4;
    return trun.readUInt32BE(at - 4);
  };
  required(trun, 8 + ((flags & 1) !== 0 ? 4 : 0) + ((flags & 4) !== 0 ? 4 : 0));
  const offset = field(1) ?? follows ?? bad('a run without a position');
  const first = field(4);
  if (count > MAX_SAMPLES || at + count * row > trun.length) bad('a run is longer than its box');
  const samples: Run['samples'] = [];
  let time = dts;
  for (let i = 0; i < count; i += 1) {
    const duration = field(0x100) ?? defaults.duration;
    const size = field(0x200) ?? defaults.size;
    const sampleFlags = field(0x400) ?? (i === 0 && first !== undefined ? first : defaults.flags);
    const cts = field(0x800) ?? 0;
    samples.push({ dts: time, cts: trun[0] === 0 ? cts : cts | 0, duration, isKey: (sampleFlags & NOT_SYNC) === 0, size });
    time += duration;
  }
  return { track, offset, samples };
}

function samplesOf(run: Run, mdat: Buffer, start: number): FragmentSample[] {
  let at = start;
  return run.samples.map(({ size, ...rest }) => {
    if (at < 0 || at + size > mdat.length) bad('a sample lies outside of its data');
    at += size;
    return { ...rest, data: mdat.subarray(at - size, at) };
  });
}

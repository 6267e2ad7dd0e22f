/**
 * Reads fragmented MP4 as it comes out of a pipe: the initialization segment once, then the samples of each fragment.
 *
 * The bytes are those of a program that we started, but the program may have been misled by its input, so sizes and
 * counts are bounded. Anything that is not understood throws `BadFragment`.
 */

import { bad, boxesIn, readDefaults, type SampleRun, sampleRuns, type SampleDefaults, boxAt } from './runs.ts';

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
  /**
   * Takes the next bytes and returns what they complete. The samples' data are views of the bytes that were pushed, or
   * copies.
   */
  push(bytes: Uint8Array): FragmentEvent[];
  /** Throws when the stream ends within a box. */
  end(): void;
}

const MAX_HEADER_BYTES = 16 * 1024 * 1024;
const MAX_DATA_BYTES = 256 * 1024 * 1024;
/** `maxDataBytes` limits the data of one fragment, which is kept until it is complete. */
export function createFragmentReader({
  maxDataBytes = MAX_DATA_BYTES,
}: { maxDataBytes?: number } = {}): FragmentReader {
  const defaults = new Map<number, SampleDefaults>();
  const decodeTimes = new Map<number, number>();
  const pending = createPending();
  let ftyp: Buffer = Buffer.alloc(0);
  let moof: { size: number; runs: SampleRun[] } | undefined;

  /** Returns the next complete box with its header, once all of it is there. */
  const next = (): { type: string; whole: Buffer; head: number } | undefined => {
    const start = pending.peek(16);
    if (start.length < 8) return undefined;
    const type = start.toString('latin1', 4, 8);
    const isLarge = start.readUInt32BE(0) === 1;
    if (isLarge && start.length < 16) return undefined;
    const head = isLarge ? 16 : 8;
    const size = isLarge ? Number(start.readBigUInt64BE(8)) : start.readUInt32BE(0);
    if (size < head || size > (type === 'mdat' ? maxDataBytes : MAX_HEADER_BYTES))
      return bad(`a ${type} box of ${size} bytes`);
    return pending.length < size ? undefined : { type, whole: pending.take(size), head };
  };

  return {
    push: (bytes) => {
      const events: FragmentEvent[] = [];
      pending.add(bytes);
      for (let found = next(); found; found = next()) {
        const { type, whole, head } = found;
        if (type === 'ftyp') ftyp = whole;
        else if (type === 'moov')
          events.push({
            type: 'init',
            bytes: Buffer.concat([ftyp, whole]),
            tracks: tracksOf(whole.subarray(head), defaults),
          });
        else if (type === 'moof')
          moof = { size: whole.length, runs: sampleRuns(whole.subarray(head), { defaults, decodeTimes }) };
        else if (type === 'mdat') {
          if (!moof) return bad('data without moof');
          for (const run of moof.runs)
            events.push({ type: 'fragment', track: run.track, samples: samplesOf(run, whole, run.offset - moof.size) });
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
      return (
        first !== undefined && first.length >= most
          ? first
          : length < most || parts.length < 2
            ? joined()
            : Buffer.concat(parts.slice(0, 17), Math.min(most, length))
      ).subarray(0, most);
    },
    take: (size: number): Buffer => {
      const all = joined();
      parts = size < all.length ? [all.subarray(size)] : [];
      length -= size;
      return all.subarray(0, size);
    },
  };
}

const required = (body: Buffer | undefined, least: number): Buffer =>
  body !== undefined && body.length >= least ? body : bad('a box is missing or too short');

function tracksOf(moov: Buffer, defaults: Map<number, SampleDefaults>): FragmentTrack[] {
  defaults.clear();
  const tracks: FragmentTrack[] = [];
  for (const { type, body } of boxesIn(moov)) {
    if (type === 'mvex') readDefaults(body, defaults);
    if (type !== 'trak') continue;
    const tkhd = required(boxAt(body, 'tkhd'), 24);
    const mdhd = required(boxAt(body, 'mdia', 'mdhd'), 24);
    const handler = required(boxAt(body, 'mdia', 'hdlr'), 12).toString('latin1', 8, 12);
    if (handler !== 'vide' && handler !== 'soun') continue;
    const stsd = required(boxAt(body, 'mdia', 'minf', 'stbl', 'stsd'), 16);
    const entry = stsd.subarray(8, 8 + stsd.readUInt32BE(8));
    tracks.push({
      id: tkhd.readUInt32BE(tkhd[0] === 1 ? 20 : 12),
      kind: handler === 'vide' ? 'video' : 'audio',
      timescale: mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12),
      entry,
      shift: shiftOf(boxAt(body, 'edts', 'elst')),
    });
  }
  return tracks;
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

function samplesOf(run: SampleRun, mdat: Buffer, start: number): FragmentSample[] {
  let at = start;
  return run.samples.map(({ size, ...rest }) => {
    if (at < 0 || at + size > mdat.length) bad('a sample lies outside of its data');
    at += size;
    return { ...rest, data: mdat.subarray(at - size, at) };
  });
}

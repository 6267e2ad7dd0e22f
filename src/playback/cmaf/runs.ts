/**
 * Runs of samples in a movie fragment (ISO/IEC 14496-12, 8.8.4 to 8.8.8). Pure; anything that is not understood throws
 * `BadFragment`.
 */

export class BadFragment extends Error {}

export const bad = (why: string): never => {
  throw new BadFragment(why);
};

/** Default values of a track's samples. */
export interface SampleDefaults {
  duration: number;
  size: number;
  flags: number;
}

/** Samples of one track that lie one after the other. */
export interface SampleRun {
  track: number;
  /** Offset of the first sample from the start of moof. */
  offset: number;
  samples: { dts: number; cts: number; duration: number; isKey: boolean; size: number }[];
}

/** Samples of a fragment. Some muxers write a whole film as one. */
const MAX_SAMPLES = 300_000;
/** Samples of a run that says nothing of each, so that its size does not bound them. */
const MAX_IMPLIED_SAMPLES = 20_000;
const NOT_SYNC = 0x10000;

export function* boxesIn(bytes: Buffer): Generator<{ type: string; body: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) bad('a box leaves its parent');
    yield { type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) };
    at += size;
  }
}

/** Returns the first box at a path of types, or nothing. */
export function boxAt(bytes: Buffer, ...path: readonly string[]): Buffer | undefined {
  let body: Buffer | undefined = bytes;
  for (const type of path) body = body && [...boxesIn(body)].find((one) => one.type === type)?.body;
  return body;
}

const required = (body: Buffer | undefined, least: number): Buffer =>
  body !== undefined && body.length >= least ? body : bad('a box is missing or too short');

/** Adds what an mvex box says of each track. */
export function readDefaults(mvex: Buffer, defaults: Map<number, SampleDefaults>): void {
  for (const { type, body } of boxesIn(mvex)) {
    if (type !== 'trex') continue;
    const trex = required(body, 24);
    defaults.set(trex.readUInt32BE(4), {
      duration: trex.readUInt32BE(12),
      size: trex.readUInt32BE(16),
      flags: trex.readUInt32BE(20),
    });
  }
}

/**
 * Returns the runs of a moof, without its header. `position` is where the moof begins in the file, for headers that
 * give absolute positions; a pipe has none.
 */
export function sampleRuns(
  moof: Buffer,
  {
    defaults,
    decodeTimes,
    position,
  }: { defaults: ReadonlyMap<number, SampleDefaults>; decodeTimes: Map<number, number>; position?: number },
): SampleRun[] {
  const runs: SampleRun[] = [];
  let count = 0;
  let dataEnd = 0;
  for (const { type, body } of boxesIn(moof)) {
    if (type !== 'traf') continue;
    const { track, base, defaults: own } = headerOf(required(boxAt(body, 'tfhd'), 8), defaults, position);
    // If it has no base, the data of a track follows that of the track before it.
    const start = base ?? dataEnd;
    const tfdt = boxAt(body, 'tfdt');
    let dts =
      tfdt === undefined
        ? (decodeTimes.get(track) ?? 0)
        : tfdt[0] === 1
          ? Number(required(tfdt, 12).readBigUInt64BE(4))
          : required(tfdt, 8).readUInt32BE(4);
    let follows = start;
    for (const trun of boxesIn(body)) {
      if (trun.type !== 'trun') continue;
      const run = runOf(required(trun.body, 8), { track, dts, start, follows, defaults: own });
      count += run.samples.length;
      if (count > MAX_SAMPLES) bad('too many samples in a fragment');
      const last = run.samples.at(-1);
      if (last) dts = last.dts + last.duration;
      follows = run.offset + run.samples.reduce((sum, { size }) => sum + size, 0);
      runs.push(run);
    }
    decodeTimes.set(track, dts);
    dataEnd = follows;
  }
  return runs;
}

/** The track of a tfhd, and what its samples have where the run does not say. */
function headerOf(
  tfhd: Buffer,
  defaults: ReadonlyMap<number, SampleDefaults>,
  position: number | undefined,
): { track: number; base: number | undefined; defaults: SampleDefaults } {
  const flags = tfhd.readUIntBE(1, 3);
  const track = tfhd.readUInt32BE(4);
  const known = defaults.get(track) ?? bad('a fragment of an unknown track');
  const isAbsolute = (flags & 1) !== 0;
  const base = isAbsolute
    ? Number(required(tfhd, 16).readBigUInt64BE(8)) - (position ?? bad('data at an absolute position'))
    : (flags & 0x20000) !== 0
      ? 0
      : undefined;
  let at = 8 + (isAbsolute ? 8 : 0) + ((flags & 2) !== 0 ? 4 : 0);
  const optional = (flag: number, otherwise: number): number => {
    if ((flags & flag) === 0) return otherwise;
    at += 4;
    return required(tfhd, at).readUInt32BE(at - 4);
  };
  return {
    track,
    base,
    defaults: {
      duration: optional(8, known.duration),
      size: optional(0x10, known.size),
      flags: optional(0x20, known.flags),
    },
  };
}

function runOf(
  trun: Buffer,
  {
    track,
    dts,
    start,
    follows,
    defaults,
  }: { track: number; dts: number; start: number; follows: number; defaults: SampleDefaults },
): SampleRun {
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
  const said = field(1);
  const offset = said === undefined ? follows : start + (said | 0);
  const first = field(4);
  if (count > (row === 0 ? MAX_IMPLIED_SAMPLES : MAX_SAMPLES) || at + count * row > trun.length)
    bad('a run is longer than its box');
  const samples: SampleRun['samples'] = [];
  let time = dts;
  for (let i = 0; i < count; i += 1) {
    const duration = field(0x100) ?? defaults.duration;
    const size = field(0x200) ?? defaults.size;
    const sampleFlags = field(0x400) ?? (i === 0 && first !== undefined ? first : defaults.flags);
    const cts = field(0x800) ?? 0;
    samples.push({
      dts: time,
      cts: trun[0] === 0 ? cts : cts | 0,
      duration,
      isKey: (sampleFlags & NOT_SYNC) === 0,
      size,
    });
    time += duration;
  }
  return { track, offset, samples };
}

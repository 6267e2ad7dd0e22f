/** Reads the sample tables of a track (ISO/IEC 14496-12, 8.6 and 8.7). Tables that disagree throw `Uncertain`. */
import { type Mp4Box, childrenOf, entries } from '../../../lib/media/boxes.ts';
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { createSamples, MAX_SAMPLES, type Mp4Samples } from './samples.ts';

interface Context {
  source: ByteSource;
  isVideo: boolean;
}

/** Reads stbl. Only counts that its boxes can hold are accepted. */
export function readTables(stbl: Mp4Box, { source, isVideo }: Context): Mp4Samples {
  const all = new Map<string, Mp4Box>();
  for (const box of childrenOf(source, stbl)) if (!all.has(box.type)) all.set(box.type, box);
  const sizes = readSizes(source, all);
  const samples = createSamples({ fileSize: source.size, expected: sizes.count, isVideo });
  if (sizes.count === 0) return samples;
  const times = readTimes(source, all.get('stts'), sizes.count);
  const offsets = readOffsets(source, all.get('ctts'), sizes.count);
  const keys = readKeys(source, all.get('stss'), sizes.count);
  for (let i = 0; i < sizes.count; i += 1) {
    const from = times[i] ?? 0;
    samples.add({
      time: from + (offsets?.[i] ?? 0),
      duration: (times[i + 1] ?? from) - from,
      size: sizes.at(i),
      isKey: keys === undefined || keys[i] === 1,
    });
  }
  placeChunks(source, all, samples);
  return samples;
}

const table = (source: ByteSource, box: Mp4Box): number => source.at(box.at + 4, 4).readUInt32BE(0);

function readSizes(
  source: ByteSource,
  all: ReadonlyMap<string, Mp4Box>,
): { count: number; at(sample: number): number } {
  const box = all.get('stsz');
  const compact = all.get('stz2');
  if (box === undefined)
    return compact === undefined ? uncertain('a track without sample sizes') : readCompact(source, compact);
  const [fixed, count] = [table(source, box), source.at(box.at + 8, 4).readUInt32BE(0)];
  if (count > MAX_SAMPLES) uncertain('too many samples');
  if (fixed > 0) return { count, at: () => fixed };
  const sizes = new Uint32Array(count);
  let at = 0;
  for (const piece of entries(source, box, 12, 1, count))
    for (let i = 0; i < piece.length; i += 4) sizes[at++] = piece.readUInt32BE(i);
  return { count, at: (sample) => sizes[sample] ?? 0 };
}

/** Sizes of 4, 8 or 16 bits. */
function readCompact(source: ByteSource, box: Mp4Box): { count: number; at(sample: number): number } {
  const head = source.at(box.at, 12);
  const [bits, count] = [head[7] ?? 0, head.readUInt32BE(8)];
  if (![4, 8, 16].includes(bits) || count > MAX_SAMPLES || 12 + Math.ceil((count * bits) / 8) > box.size)
    return uncertain('compact sample sizes');
  const data = Buffer.from(source.at(box.at + 12, Math.ceil((count * bits) / 8)));
  const half = (sample: number): number => ((data[sample >> 1] ?? 0) >> (sample % 2 === 0 ? 4 : 0)) & 15;
  return {
    count,
    at: (sample) => (bits === 16 ? data.readUInt16BE(sample * 2) : bits === 8 ? (data[sample] ?? 0) : half(sample)),
  };
}

/** Decode times, one more than there are samples. */
function readTimes(source: ByteSource, box: Mp4Box | undefined, count: number): Float64Array {
  if (box === undefined) return uncertain('a track without sample times');
  const times = new Float64Array(count + 1);
  let [i, time, step] = [0, 0, 0];
  for (const piece of entries(source, box, 8, 2, table(source, box))) {
    for (let at = 0; at < piece.length && i < count; at += 8) {
      step = piece.readUInt32BE(at + 4);
      if (step > 0x7fffffff) uncertain('a negative sample duration');
      for (let left = piece.readUInt32BE(at); left > 0 && i < count; left -= 1) {
        times[i++] = time;
        time += step;
      }
    }
  }
  if (i < count) uncertain('fewer sample times than samples');
  times[count] = time;
  return times;
}

function readOffsets(source: ByteSource, box: Mp4Box | undefined, count: number): Int32Array | undefined {
  if (box === undefined) return undefined;
  const offsets = new Int32Array(count);
  let i = 0;
  for (const piece of entries(source, box, 8, 2, table(source, box))) {
    for (let at = 0; at < piece.length && i < count; at += 8) {
      // Negative offsets are written in version 0, too.
      const to = Math.min(count, i + piece.readUInt32BE(at));
      offsets.fill(piece.readInt32BE(at + 4), i, to);
      i = to;
    }
  }
  return offsets;
}

function readKeys(source: ByteSource, box: Mp4Box | undefined, count: number): Uint8Array | undefined {
  if (box === undefined) return undefined;
  const keys = new Uint8Array(count);
  for (const piece of entries(source, box, 8, 1, table(source, box))) {
    for (let at = 0; at < piece.length; at += 4) {
      const sample = piece.readUInt32BE(at) - 1;
      if (sample < 0 || sample >= count) uncertain('a keyframe beyond the samples');
      keys[sample] = 1;
    }
  }
  return keys;
}

function placeChunks(source: ByteSource, all: ReadonlyMap<string, Mp4Box>, samples: Mp4Samples): void {
  const box = all.get('co64') ?? all.get('stco');
  const stsc = all.get('stsc');
  if (box === undefined || stsc === undefined) return uncertain('a track without positions');
  const isLong = box.type === 'co64';
  const perChunk = readChunkSizes(source, stsc);
  let [first, chunk] = [0, 0];
  for (const piece of entries(source, box, 8, isLong ? 2 : 1, table(source, box))) {
    for (let at = 0; at < piece.length && first < samples.count; at += isLong ? 8 : 4) {
      chunk += 1;
      const position = isLong ? piece.readUInt32BE(at) * 2 ** 32 + piece.readUInt32BE(at + 4) : piece.readUInt32BE(at);
      const count = perChunk(chunk);
      samples.place(first, position, Math.min(samples.count, first + count));
      first += count;
    }
  }
  if (first < samples.count) uncertain('fewer positions than samples');
}

/** Samples of each chunk, asked for from the first chunk on. */
function readChunkSizes(source: ByteSource, box: Mp4Box): (chunk: number) => number {
  const count = table(source, box);
  const rows = new Uint32Array(count * 2);
  let row = 0;
  for (const piece of entries(source, box, 8, 3, count)) {
    for (let at = 0; at < piece.length; at += 12) {
      rows[row++] = piece.readUInt32BE(at);
      rows[row++] = piece.readUInt32BE(at + 4);
    }
  }
  let at = 0;
  return (chunk) => {
    while ((rows[2 * at + 2] ?? Infinity) <= chunk && 2 * at + 2 < rows.length) at += 1;
    const each = rows[2 * at + 1] ?? 0;
    return each > 0 ? each : uncertain('an empty chunk');
  };
}

/**
 * Reads the tables of a track's samples (ISO/IEC 14496-12, 8.6, 8.7).
 *
 * Promise: tables are read in pieces and only as far as needed.
 */

import type { Mp4Box } from '../../../lib/media/boxes.ts';
import { childrenOf, entries } from '../../../lib/media/boxes.ts';
import type { ByteSource } from '../../../lib/media/source.ts';
import { uncertain } from '../../../lib/media/source.ts';

/** Positions and durations of the samples of a track. */
export interface Samples {
  count: number;
  /** Sum of the durations in the track's time scale, and the number of samples that they cover. */
  duration: number;
  timed: number;
  /** The first three entries of the time table. */
  times: { count: number; duration: number }[];
  sizes?: Mp4Box;
  fixedSize: number;
  chunks?: Mp4Box;
  isLargeOffset: boolean;
  runs?: Mp4Box;
  timeBox?: Mp4Box;
}

export const samplesOf = (source: ByteSource, stbl: Mp4Box): Samples => {
  const found: Samples = { count: 0, duration: 0, timed: 0, times: [], fixedSize: 0, isLargeOffset: false };
  for (const box of childrenOf(source, stbl)) {
    if (box.type === 'stts') readTimes(source, box, found);
    else if (box.type === 'stsz') readSizes(source, box, found);
    else if (box.type === 'stz2') uncertain('compact sample sizes');
    else if (box.type === 'stsc') found.runs = box;
    else if (box.type === 'stco' || box.type === 'co64') {
      found.chunks = box;
      found.isLargeOffset = box.type === 'co64';
    }
  }
  return found;
};

const readTimes = (source: ByteSource, box: Mp4Box, found: Samples): void => {
  found.timeBox = box;
  const count = source.at(box.at + 4, 4).readUInt32BE(0);
  for (const data of entries(source, box, 8, 2, count)) {
    for (let at = 0; at < data.length; at += 8) {
      const samples = data.readUInt32BE(at);
      const each = data.readUInt32BE(at + 4);
      if (each > 0x7fffffff) uncertain('a negative sample duration');
      if (found.times.length < 3) found.times.push({ count: samples, duration: each });
      found.timed += samples;
      found.duration += samples * each;
    }
  }
};

const readSizes = (source: ByteSource, box: Mp4Box, found: Samples): void => {
  const head = source.at(box.at, 12);
  found.fixedSize = head.readUInt32BE(4);
  found.count = head.readUInt32BE(8);
  found.sizes = box;
};

/** Returns the bytes of all samples. Reads the whole table of sizes: 4 bytes a sample. */
export const bytesOf = (source: ByteSource, samples: Samples): number => {
  if (samples.fixedSize > 0 || samples.sizes === undefined) return samples.fixedSize * samples.count;
  let bytes = 0;
  for (const data of entries(source, samples.sizes, 12, 1, samples.count)) {
    for (let at = 0; at < data.length; at += 4) bytes += data.readUInt32BE(at);
  }
  return bytes;
};

/** Returns offset and size of the first `most` samples. */
export const places = (source: ByteSource, samples: Samples, most: number): { at: number; size: number }[] => {
  const { sizes, chunks, runs } = samples;
  if (sizes === undefined || chunks === undefined || runs === undefined)
    return uncertain('a track without sample tables');
  const found: { at: number; size: number }[] = [];
  const wanted = Math.min(most, samples.count);
  const offsets = source.at(chunks.at + 4, 4).readUInt32BE(0);
  const runCount = source.at(runs.at + 4, 4).readUInt32BE(0);
  const width = samples.isLargeOffset ? 8 : 4;
  let run = 0;
  for (let chunk = 1; chunk <= offsets && found.length < wanted; chunk += 1) {
    while (run + 1 < runCount && source.at(runs.at + 8 + (run + 1) * 12, 4).readUInt32BE(0) <= chunk) run += 1;
    const each = source.at(runs.at + 8 + run * 12, 12).readUInt32BE(4);
    const raw = source.at(chunks.at + 8 + (chunk - 1) * width, width);
    let at = samples.isLargeOffset ? raw.readUInt32BE(0) * 2 ** 32 + raw.readUInt32BE(4) : raw.readUInt32BE(0);
    for (let i = 0; i < each && found.length < wanted; i += 1) {
      const size =
        samples.fixedSize > 0 ? samples.fixedSize : source.at(sizes.at + 12 + found.length * 4, 4).readUInt32BE(0);
      found.push({ at, size });
      at += size;
    }
  }
  return found;
};

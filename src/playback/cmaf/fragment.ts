/**
 * Builds the header of a media segment: styp, moof and the head of mdat (ISO/IEC 14496-12, 8.8). The caller appends
 * the samples' bytes, in order.
 */
import { box, fullBox, uint32s, uint64 } from './boxes.ts';

/** Samples of one track in decoding order. Times are in the track's timescale; all arrays have the same length. */
export interface FragmentSamples {
  /** Decode time of the first sample: 0 or more. */
  start: number;
  durations: Uint32Array;
  sizes: Uint32Array;
  /** Composition offsets and keyframes, of video only: audio has neither. */
  offsets?: Int32Array;
  isKey?: Uint8Array;
}

const TRACK_ID = 1;
/** sample_depends_on 2: a sample that needs no other. */
const KEY_FLAGS = 0x02000000;
/** sample_depends_on 1, not a sync sample. */
const OTHER_FLAGS = 0x01010000;
const DEFAULT_BASE_IS_MOOF = 0x020000;
const DEFAULT_FLAGS = 0x20;
const TRUN = { dataOffset: 0x1, duration: 0x100, size: 0x200, flags: 0x400, offset: 0x800 };
const LARGE_BOX = 0xffffffff;

/** Returns the boxes before the samples' bytes. `sequence` counts from 1. */
export function fragmentHeader(sequence: number, samples: FragmentSamples): Buffer {
  const isVideo = samples.offsets !== undefined;
  const { table, bytes } = runOf(samples);
  const flags = TRUN.dataOffset | TRUN.duration | TRUN.size | (isVideo ? TRUN.flags | TRUN.offset : 0);
  const tfhd = isVideo
    ? fullBox('tfhd', 0, DEFAULT_BASE_IS_MOOF, uint32s(TRACK_ID))
    : fullBox('tfhd', 0, DEFAULT_BASE_IS_MOOF | DEFAULT_FLAGS, uint32s(TRACK_ID, KEY_FLAGS));
  const mdat = mdatHead(bytes);
  const moofOf = (offset: number): Buffer =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, uint32s(sequence)),
      box(
        'traf',
        tfhd,
        fullBox('tfdt', 1, 0, uint64(samples.start)),
        fullBox('trun', 1, flags, uint32s(samples.sizes.length, offset), table),
      ),
    );
  const moof = moofOf(0);
  return Buffer.concat([
    box('styp', Buffer.from('msdh'), uint32s(0), Buffer.from('msdhmsixcmfs')),
    moofOf(moof.length + mdat.length),
    mdat,
  ]);
}

function runOf({ durations, sizes, offsets, isKey }: FragmentSamples): { table: Buffer; bytes: number } {
  const row = offsets ? 16 : 8;
  const table = Buffer.allocUnsafe(sizes.length * row);
  let bytes = 0;
  sizes.forEach((size, i) => {
    table.writeUInt32BE(durations[i] ?? 0, i * row);
    table.writeUInt32BE(size, i * row + 4);
    bytes += size;
    if (!offsets) return;
    table.writeUInt32BE(isKey?.[i] === 1 ? KEY_FLAGS : OTHER_FLAGS, i * row + 8);
    table.writeInt32BE(offsets[i] ?? 0, i * row + 12);
  });
  return { table, bytes };
}

function mdatHead(bytes: number): Buffer {
  if (bytes + 8 <= LARGE_BOX) return Buffer.concat([uint32s(bytes + 8), Buffer.from('mdat')]);
  return Buffer.concat([uint32s(1), Buffer.from('mdat'), uint64(bytes + 16)]);
}

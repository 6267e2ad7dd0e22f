/** Builds the initialization segment of one track: ftyp and moov (ISO/IEC 14496-12; CMAF, ISO/IEC 23000-19, 7.3.1). */
import { box, fullBox, uint16s, uint32s, uint64 } from './boxes.ts';

export interface CmafTrack {
  kind: 'video' | 'audio';
  /** Units in a second of all times of the track. */
  timescale: number;
  /** Complete sample entry box. */
  entry: Uint8Array;
  /** Size at which the pictures are shown. */
  width?: number;
  height?: number;
  /** Clockwise turn in degrees that a player applies to the pictures; upright when absent. */
  rotation?: number | undefined;
  /**
   * Media time, in the timescale, that is shown at 0: the largest composition delay of a video track, the priming of
   * an audio track. An edit list subtracts it from every presentation time.
   */
  shift: number;
}

const TRACK_ID = 1;
const MOVIE_TIMESCALE = 1000;
const MATRIX = uint32s(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const UNDETERMINED_LANGUAGE = 0x55c4;
/** tkhd: the track is enabled, in the movie, and in its preview. */
const TRACK_FLAGS = 7;

/** Turns pictures clockwise around their corner and moves them back into view (ISO/IEC 14496-12, 6.2.2). */
function matrixOf({ rotation = 0, width = 0, height = 0 }: CmafTrack): Buffer {
  const one = 0x10000;
  const minus = 0x100000000 - one;
  const end = 0x40000000;
  if (rotation === 90) return uint32s(0, one, 0, minus, 0, 0, height * one, 0, end);
  if (rotation === 180) return uint32s(minus, 0, 0, 0, minus, 0, width * one, height * one, end);
  return rotation === 270 ? uint32s(0, minus, 0, one, 0, 0, 0, width * one, end) : MATRIX;
}

export function initSegment(track: CmafTrack): Buffer {
  const isVideo = track.kind === 'video';
  const mvhd = fullBox(
    'mvhd',
    0,
    0,
    uint32s(0, 0, MOVIE_TIMESCALE, 0, 0x10000),
    uint16s(0x100, 0),
    uint32s(0, 0),
    MATRIX,
    Buffer.alloc(24),
    uint32s(TRACK_ID + 1),
  );
  const size = uint32s((track.width ?? 0) * 0x10000, (track.height ?? 0) * 0x10000);
  const tkhd = fullBox(
    'tkhd',
    0,
    TRACK_FLAGS,
    uint32s(0, 0, TRACK_ID, 0, 0),
    uint32s(0, 0),
    uint16s(0, 0, isVideo ? 0 : 0x100, 0),
    matrixOf(track),
    size,
  );
  const mdhd = fullBox('mdhd', 0, 0, uint32s(0, 0, track.timescale, 0), uint16s(UNDETERMINED_LANGUAGE, 0));
  const hdlr = fullBox(
    'hdlr',
    0,
    0,
    uint32s(0),
    Buffer.from(isVideo ? 'vide' : 'soun'),
    uint32s(0, 0, 0),
    Buffer.from('\0'),
  );
  const header = isVideo ? fullBox('vmhd', 0, 1, uint16s(0, 0, 0, 0)) : fullBox('smhd', 0, 0, uint16s(0, 0));
  const dinf = box('dinf', fullBox('dref', 0, 0, uint32s(1), fullBox('url ', 0, 1)));
  const stbl = box(
    'stbl',
    fullBox('stsd', 0, 0, uint32s(1), track.entry),
    ...['stts', 'stsc'].map((type) => fullBox(type, 0, 0, uint32s(0))),
    fullBox('stsz', 0, 0, uint32s(0, 0)),
    fullBox('stco', 0, 0, uint32s(0)),
  );
  const trak = box('trak', tkhd, ...editOf(track.shift), box('mdia', mdhd, hdlr, box('minf', header, dinf, stbl)));
  const mvex = box('mvex', fullBox('trex', 0, 0, uint32s(TRACK_ID, 1, 0, 0, 0)));
  const ftyp = box('ftyp', Buffer.from('iso6'), uint32s(0), Buffer.from('iso6cmfcmp41'));
  return Buffer.concat([ftyp, box('moov', mvhd, trak, mvex)]);
}

/** One edit of duration 0, which lasts as long as the fragments. */
function editOf(shift: number): Buffer[] {
  if (shift === 0) return [];
  const isLong = shift > 0x7fffffff;
  const edit = isLong ? [uint64(0), uint64(shift)] : [uint32s(0, shift)];
  return [box('edts', fullBox('elst', isLong ? 1 : 0, 0, uint32s(1), ...edit, uint16s(1, 0)))];
}

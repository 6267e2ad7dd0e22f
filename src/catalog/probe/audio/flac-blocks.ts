/**
 * Metadata blocks of a FLAC file (RFC 9639, section 8): where each one is, and the cue sheet of block type 5. Pure, and
 * bounded in the number of blocks and the size of the sheet.
 */
import { CUE_FRAMES_PER_SECOND } from '../../naming/cue-sheet.ts';
import type { FileBlocks } from './blocks.ts';

export interface FlacBlock {
  type: number;
  at: number;
  length: number;
}
export const FLAC_BLOCK = { streamInfo: 0, comments: 4, cueSheet: 5, picture: 6 } as const;

const MAX_BLOCKS = 128;
/** Bytes of a block of type 0. */
const STREAM_INFO_BYTES = 34;
/** Bytes of a sheet of 100 tracks with 100 index points each. */
const MAX_SHEET_BYTES = 128 * 1024;
/** Offset of the number of tracks: behind the catalogue number, the lead-in and reserved bits. */
const TRACK_COUNT_AT = 395;
const TRACK_BYTES = 36;
const INDEX_BYTES = 12;
/** Numbers of the track that is the end of the disc: of a CD, and of anything else. */
const LEAD_OUT: readonly number[] = [170, 255];
const SECONDS_PER_MINUTE = 60;
/** Decimals of a frame, enough for samples of 768 kHz. */
const FRAME_DECIMALS = 6;

/** Returns the offset behind an ID3v2 tag at the start of a file; 0 without one. */
export const id3End = (head: Buffer): number =>
  head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3'
    ? 0
    : 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0);

/** Returns the blocks before the sound. Undefined if the file is no FLAC file or ends among them. */
export function flacBlocks(blocks: FileBlocks): FlacBlock[] | undefined {
  const start = id3End(blocks.upTo(0, 10));
  if (blocks.upTo(start, 4).toString('latin1') !== 'fLaC') return undefined;
  const found: FlacBlock[] = [];
  for (let at = start + 4; found.length < MAX_BLOCKS;) {
    const header = blocks.upTo(at, 4);
    if (header.length < 4) return undefined;
    const [first = 0] = header;
    const block = { type: first & 0x7f, at: at + 4, length: header.readUIntBE(1, 3) };
    found.push(block);
    at = block.at + block.length;
    if (first >= 0x80) return found;
  }
  return undefined;
}

export interface FlacStreamInfo {
  sampleRate: number;
  channels: number;
  bits: number;
  /** 0 if the encoder did not know it. */
  samples: number;
}

/** Reads the block that a file begins with; undefined if it is not as the format says. */
export function streamInfoOf(blocks: FileBlocks, found: readonly FlacBlock[]): FlacStreamInfo | undefined {
  const [block] = found;
  if (block?.type !== FLAC_BLOCK.streamInfo || block.length !== STREAM_INFO_BYTES) return undefined;
  const bytes = blocks.upTo(block.at, STREAM_INFO_BYTES);
  if (bytes.length < STREAM_INFO_BYTES) return undefined;
  const rate = bytes.readUIntBE(10, 3);
  return {
    sampleRate: rate >> 4,
    channels: ((rate >> 1) & 7) + 1,
    bits: (((rate & 1) << 4) | ((bytes[13] ?? 0) >> 4)) + 1,
    samples: ((bytes[13] ?? 0) & 15) * 2 ** 32 + bytes.readUInt32BE(14),
  };
}

/**
 * Returns the cue sheet of block type 5 as the text of a sheet, so that it is read as every other one is; undefined
 * without one, and for one that is damaged.
 */
export function cueSheetOfFlac(blocks: FileBlocks): string | undefined {
  const found = flacBlocks(blocks);
  const block = found?.find(({ type }) => type === FLAC_BLOCK.cueSheet);
  const stream = found && streamInfoOf(blocks, found);
  if (!block || !stream || stream.sampleRate === 0 || block.length > MAX_SHEET_BYTES) return undefined;
  const bytes = blocks.upTo(block.at, block.length);
  if (bytes.length < block.length || bytes.length <= TRACK_COUNT_AT) return undefined;
  const lines: string[] = [];
  let at = TRACK_COUNT_AT + 1;
  for (let left = bytes[TRACK_COUNT_AT] ?? 0; left > 0; left--) {
    if (at + TRACK_BYTES > bytes.length) return undefined;
    const indexes = bytes[at + TRACK_BYTES - 1] ?? 0;
    const end = at + TRACK_BYTES + indexes * INDEX_BYTES;
    if (end > bytes.length) return undefined;
    lines.push(...trackLines(bytes.subarray(at, end), stream.sampleRate));
    at = end;
  }
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

/** Commands for one track; none for the lead-out and for a track of data. */
function trackLines(track: Buffer, sampleRate: number): string[] {
  const number = track[8] ?? 0;
  const isData = ((track[21] ?? 0) & 0x80) !== 0;
  if (LEAD_OUT.includes(number) || isData) return [];
  const isrc = track.toString('latin1', 9, 21);
  return [
    `TRACK ${String(number).padStart(2, '0')} AUDIO`,
    ...(/^[A-Za-z0-9]{12}$/.test(isrc) ? [`ISRC ${isrc}`] : []),
    `INDEX 01 ${timeOf(startOf(track) / sampleRate)}`,
  ];
}

/** Returns the first sample of a track: its offset and that of index 1. Index 0 is the pause before it. */
function startOf(track: Buffer): number {
  const own = Number(track.readBigUInt64BE(0));
  for (let at = TRACK_BYTES; at + INDEX_BYTES <= track.length; at += INDEX_BYTES)
    if (track[at + 8] === 1) return own + Number(track.readBigUInt64BE(at));
  return own;
}

/** Returns `mm:ss:ff`. Samples between two frames become decimals of a frame, so that cuts are exact. */
function timeOf(seconds: number): string {
  const whole = Math.floor(seconds);
  const frames = Number(((seconds - whole) * CUE_FRAMES_PER_SECOND).toFixed(FRAME_DECIMALS));
  // Rounding may complete a second.
  const [full, rest] = frames >= CUE_FRAMES_PER_SECOND ? [whole + 1, 0] : [whole, frames];
  return `${Math.floor(full / SECONDS_PER_MINUTE)}:${full % SECONDS_PER_MINUTE}:${rest}`;
}

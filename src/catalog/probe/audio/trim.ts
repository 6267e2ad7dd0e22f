/** Samples that an encoder added at the start and the end, from the first frame of the sound. */
import type { AudioTags } from '../types.ts';
import type { FileBlocks } from './blocks.ts';
import { id3End } from './flac-blocks.ts';

const FIRST_FRAME_BYTES = 4096;
/** Flags of a Xing header: number of frames, bytes, table of contents, quality. */
const XING_FIELDS = [
  [1, 4],
  [2, 4],
  [4, 100],
  [8, 4],
] as const;
/** Offset of the delay and padding behind the fields: the name of the encoder and eight other values. */
const DELAY_AT = 21;

/** Reads the delay and padding that LAME and libmp3lame note in the first frame of an MP3 file. */
function lameTrim(blocks: FileBlocks): AudioTags['trim'] {
  const frame = blocks.upTo(id3End(blocks.upTo(0, 10)), FIRST_FRAME_BYTES);
  const at = ['Xing', 'Info'].map((mark) => frame.indexOf(mark, 0, 'latin1')).find((place) => place >= 0);
  if (at === undefined || at + 8 > frame.length) return undefined;
  const flags = frame.readUInt32BE(at + 4);
  const fields = XING_FIELDS.reduce((sum, [flag, bytes]) => sum + ((flags & flag) === 0 ? 0 : bytes), 8);
  const encoder = at + fields;
  if (
    !/^L(?:AME|avc|avf)/.test(frame.toString('latin1', encoder, encoder + 4)) ||
    encoder + DELAY_AT + 3 > frame.length
  )
    return undefined;
  const both = frame.readUIntBE(encoder + DELAY_AT, 3);
  return { start: both >> 12, end: both & 0xfff };
}

/** Reads the pre-skip of Opus, in samples of 48 kHz. The last page says where it ends, and decoders cut there. */
function opusTrim(blocks: FileBlocks): AudioTags['trim'] {
  const page = blocks.upTo(0, 512);
  const at = page.indexOf('OpusHead', 0, 'latin1');
  return at < 0 || at + 12 > page.length ? undefined : { start: page.readUInt16LE(at + 10), end: 0 };
}

export const trimOf = (blocks: FileBlocks, codec: string | undefined): AudioTags['trim'] =>
  codec === 'mp3' ? lameTrim(blocks) : codec === 'opus' ? opusTrim(blocks) : undefined;

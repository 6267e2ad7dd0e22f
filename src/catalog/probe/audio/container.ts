/** Which container of sound a file is, by its first bytes, and whether a cover is inside. */
import type { FileBlocks } from './blocks.ts';

const ASF = Buffer.from('3026b2758e66cf11', 'hex');
const MAX_FLAC_BLOCKS = 128;
const PICTURE_BLOCK = 6;
/** Words that precede an embedded picture, as each format of tags has them. */
const COVER_MARKS = [
  'APIC\0',
  'PIC\0',
  'METADATA_BLOCK_PICTURE=',
  'metadata_block_picture=',
  'Cover Art (',
  'W\0M\0/\0P\0i\0c\0t\0u\0r\0e\0',
];
const TAIL_BYTES = 32 * 1024;

/** Returns ffmpeg's name of the container; undefined if these bytes do not begin a file of sound. */
export function audioContainer(head: Buffer): string | undefined {
  const four = head.toString('latin1', 0, 4);
  const type = head.toString('latin1', 8, 12);
  if (four === 'fLaC') return 'flac';
  if (four === 'OggS') return 'ogg';
  if (four === 'MAC ') return 'ape';
  if (four === 'wvpk') return 'wv';
  if (four === 'DSD ') return 'dsf';
  if (four === 'FRM8') return 'iff';
  if (four === 'MPCK') return 'mpc8';
  if (four.startsWith('MP+')) return 'mpc';
  if (four.startsWith('TTA')) return 'tta';
  if (four === 'RIFF' && type === 'WAVE') return 'wav';
  if (four === 'FORM' && (type === 'AIFF' || type === 'AIFC')) return 'aiff';
  if (head.subarray(0, 8).equals(ASF)) return 'asf';
  if (four.startsWith('ID3')) return afterId3(head) ?? 'mp3';
  if (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0) return 'aac';
  return head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0 && ((head[1] ?? 0) & 0x18) !== 0x08 ? 'mp3' : undefined;
}

/** Returns the offset behind an ID3v2 tag at the start of a file; 0 without one. */
export const id3End = (head: Buffer): number =>
  head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3'
    ? 0
    : 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0);

/** A FLAC or ADTS file may begin with an ID3 tag. */
function afterId3(head: Buffer): string | undefined {
  const at = id3End(head);
  if (head.toString('latin1', at, at + 4) === 'fLaC') return 'flac';
  return head[at] === 0xff && ((head[at + 1] ?? 0) & 0xf6) === 0xf0 ? 'aac' : undefined;
}

/** Returns whether a picture is among the tags. The picture itself is not read. */
export function hasCover(blocks: FileBlocks, container: string): boolean {
  if (container === 'flac') return hasFlacPicture(blocks);
  const head = blocks.upTo(0, 64 * 1024);
  const tail = blocks.upTo(Math.max(0, blocks.size - TAIL_BYTES), TAIL_BYTES);
  return COVER_MARKS.some((mark) => head.includes(mark, 0, 'latin1') || tail.includes(mark, 0, 'latin1'));
}

function hasFlacPicture(blocks: FileBlocks): boolean {
  let at = id3End(blocks.upTo(0, 10)) + 4;
  for (let i = 0; i < MAX_FLAC_BLOCKS; i++) {
    const header = blocks.upTo(at, 4);
    if (header.length < 4) return false;
    const type = header[0] ?? 0;
    if ((type & 0x7f) === PICTURE_BLOCK) return true;
    if (type >= 0x80) return false;
    at += 4 + header.readUIntBE(1, 3);
  }
  return false;
}

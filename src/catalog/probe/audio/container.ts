/** Which container of sound a file is, by its first bytes, and whether a cover is inside. */
import type { FileBlocks } from './blocks.ts';
import { FLAC_BLOCK, flacBlocks, id3End } from './flac-blocks.ts';

const ASF = Buffer.from('3026b2758e66cf11', 'hex');
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

/** A FLAC or ADTS file may begin with an ID3 tag. */
function afterId3(head: Buffer): string | undefined {
  const at = id3End(head);
  if (head.toString('latin1', at, at + 4) === 'fLaC') return 'flac';
  return head[at] === 0xff && ((head[at + 1] ?? 0) & 0xf6) === 0xf0 ? 'aac' : undefined;
}

/** Returns whether a picture is among the tags. The picture itself is not read. */
export function hasCover(blocks: FileBlocks, container: string): boolean {
  if (container === 'flac') return flacBlocks(blocks)?.some(({ type }) => type === FLAC_BLOCK.picture) ?? false;
  const head = blocks.upTo(0, 64 * 1024);
  const tail = blocks.upTo(Math.max(0, blocks.size - TAIL_BYTES), TAIL_BYTES);
  return COVER_MARKS.some((mark) => head.includes(mark, 0, 'latin1') || tail.includes(mark, 0, 'latin1'));
}

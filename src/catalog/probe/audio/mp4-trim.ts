/**
 * Samples that the encoder of an MP4 file of sound added, from its edit list: the list says which part of the decoded
 * samples is the music. Apple writes the same into `iTunSMPB`, most other programs only into the list.
 */
import { boxes, childrenOf, type Mp4Box } from '../../../lib/media/boxes.ts';
import { Uncertain } from '../../../lib/media/source.ts';
import type { AudioTags } from '../types.ts';
import type { FileBlocks } from './blocks.ts';

const MAX_TRIM = 1_000_000;
/** Bytes at the start of a table that are needed: its counts, and its first entry. */
const TABLE_HEAD = 32;

/** Facts of the only track of sound. Times of the edit are in the units of the movie and of the track. */
interface SoundTrack {
  isSound: boolean;
  scale: number;
  duration: number;
  edit: { length: number; start: number } | undefined;
  /** Number of encoded frames, and the samples of each. */
  frames: number;
  frame: number;
}

/** Returns undefined for a file without such a list, and for one that has more than one edit or track of sound. */
export function mp4Trim(blocks: FileBlocks, sampleRate: number | undefined): AudioTags['trim'] {
  if (blocks.upTo(4, 4).toString('latin1') !== 'ftyp') return undefined;
  try {
    const moov = boxes(blocks, 0, blocks.size).find(({ type }) => type === 'moov');
    return moov && trimOfMovie(blocks, moov, sampleRate);
  } catch (error) {
    if (error instanceof Uncertain) return undefined;
    throw error;
  }
}

function trimOfMovie(blocks: FileBlocks, moov: Mp4Box, sampleRate: number | undefined): AudioTags['trim'] {
  let movieScale = 0;
  const tracks: SoundTrack[] = [];
  for (const box of childrenOf(blocks, moov)) {
    if (box.type === 'mvhd') movieScale = timesOf(blocks, box).scale;
    if (box.type === 'trak') tracks.push(trackOf(blocks, box));
  }
  const [sound, ...others] = tracks.filter(({ isSound }) => isSound);
  return sound === undefined || others.length > 0 || sound.scale !== sampleRate
    ? undefined
    : trimOfTrack(sound, movieScale);
}

function trimOfTrack({ scale, duration, edit, frames, frame }: SoundTrack, movieScale: number): AudioTags['trim'] {
  if (!edit || !(movieScale > 0) || edit.start < 0) return undefined;
  const stated = Math.round((edit.length * scale) / movieScale);
  // The movie counts in milliseconds as a rule. The track is exact, if it means the same.
  const rest = duration - edit.start;
  const music = Math.abs(rest - stated) <= Math.ceil(scale / movieScale) ? rest : stated;
  const end = frames * frame - edit.start - music;
  const isUseful = music > 0 && end >= 0 && end <= MAX_TRIM && edit.start <= MAX_TRIM && edit.start + end > 0;
  return isUseful ? { start: edit.start, end } : undefined;
}

function trackOf(blocks: FileBlocks, trak: Mp4Box): SoundTrack {
  const track: SoundTrack = { isSound: false, scale: 0, duration: 0, edit: undefined, frames: 0, frame: 0 };
  const walk = (parent: Mp4Box, depth: number): void => {
    for (const box of childrenOf(blocks, parent)) {
      if (['edts', 'mdia', 'minf', 'stbl'].includes(box.type) && depth < 4) walk(box, depth + 1);
      else readBox(blocks, box, track);
    }
  };
  walk(trak, 0);
  return track;
}

function readBox(blocks: FileBlocks, box: Mp4Box, track: SoundTrack): void {
  if (!['hdlr', 'mdhd', 'elst', 'stsz', 'stts'].includes(box.type)) return;
  const data = blocks.upTo(box.at, Math.min(box.size, TABLE_HEAD));
  if (data.length < 12) return;
  if (box.type === 'hdlr') track.isSound = data.toString('latin1', 8, 12) === 'soun';
  else if (box.type === 'mdhd') Object.assign(track, timesOf(blocks, box));
  else if (box.type === 'stsz') track.frames = data.readUInt32BE(8);
  else if (box.type === 'stts' && data.length >= 16) track.frame = data.readUInt32BE(12);
  else if (box.type === 'elst') track.edit = editOf(data);
}

function editOf(data: Buffer): SoundTrack['edit'] {
  const isLong = data[0] === 1;
  if (data.length < (isLong ? 24 : 16) || data.readUInt32BE(4) !== 1) return undefined;
  return isLong
    ? { length: Number(data.readBigUInt64BE(8)), start: Number(data.readBigInt64BE(16)) }
    : { length: data.readUInt32BE(8), start: data.readInt32BE(12) };
}

/** Reads the scale and the duration of a movie or a track, whose headers begin alike. */
function timesOf(blocks: FileBlocks, { at }: Mp4Box): { scale: number; duration: number } {
  const data = blocks.upTo(at, TABLE_HEAD);
  if (data.length < TABLE_HEAD) return { scale: 0, duration: 0 };
  return data[0] === 1
    ? { scale: data.readUInt32BE(20), duration: Number(data.readBigUInt64BE(24)) }
    : { scale: data.readUInt32BE(12), duration: data.readUInt32BE(16) };
}

/**
 * Samples that the encoder of an MP4 file of sound added, from its edit list: the list says which part of the decoded
 * samples is the music. Apple writes the same into `iTunSMPB`, most other programs only into the list.
 */
import type { AudioTags } from '../types.ts';
import type { FileBlocks } from './blocks.ts';

interface Box {
  type: string;
  /** Offset and length of the content. */
  at: number;
  size: number;
}
const MAX_BOXES = 2_000;
const MAX_TRIM = 1_000_000;
/** Bytes at the start of a table that are needed: its counts, and its first entry. */
const TABLE_HEAD = 32;

type Budget = { boxes: number };
function* boxesOf(blocks: FileBlocks, from: number, to: number, budget: Budget): Generator<Box> {
  for (let at = from; at + 8 <= to && budget.boxes > 0; budget.boxes--) {
    const head = blocks.upTo(at, 16);
    if (head.length < 8) return;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length === 16;
    const size = short === 0 ? to - at : isLong ? Number(head.readBigUInt64BE(8)) : short;
    if (size < (isLong ? 16 : 8) || at + size > to) return;
    const skip = isLong ? 16 : 8;
    yield { type: head.toString('latin1', 4, 8), at: at + skip, size: size - skip };
    at += size;
  }
}

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
  const budget: Budget = { boxes: MAX_BOXES };
  for (const moov of boxesOf(blocks, 0, blocks.size, budget)) {
    if (moov.type !== 'moov') continue;
    let movieScale = 0;
    const tracks: SoundTrack[] = [];
    for (const box of boxesOf(blocks, moov.at, moov.at + moov.size, budget)) {
      if (box.type === 'mvhd') movieScale = timesOf(blocks, box).scale;
      if (box.type === 'trak') tracks.push(trackOf(blocks, box, budget));
    }
    const [sound, ...others] = tracks.filter(({ isSound }) => isSound);
    return sound === undefined || others.length > 0 || sound.scale !== sampleRate
      ? undefined
      : trimOfTrack(sound, movieScale);
  }
  return undefined;
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

function trackOf(blocks: FileBlocks, trak: Box, budget: Budget): SoundTrack {
  const track: SoundTrack = { isSound: false, scale: 0, duration: 0, edit: undefined, frames: 0, frame: 0 };
  const walk = ({ at, size }: Box, depth: number): void => {
    for (const box of boxesOf(blocks, at, at + size, budget)) {
      if (['edts', 'mdia', 'minf', 'stbl'].includes(box.type) && depth < 4) walk(box, depth + 1);
      else readBox(blocks, box, track);
    }
  };
  walk(trak, 0);
  return track;
}

function readBox(blocks: FileBlocks, box: Box, track: SoundTrack): void {
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
function timesOf(blocks: FileBlocks, { at }: Box): { scale: number; duration: number } {
  const data = blocks.upTo(at, TABLE_HEAD);
  if (data.length < TABLE_HEAD) return { scale: 0, duration: 0 };
  return data[0] === 1
    ? { scale: data.readUInt32BE(20), duration: Number(data.readBigUInt64BE(24)) }
    : { scale: data.readUInt32BE(12), duration: data.readUInt32BE(16) };
}

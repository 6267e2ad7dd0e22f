/** Finds the movie box, the tracks in it and the fragments behind it (ISO/IEC 14496-12; QuickTime File Format). */
import { type Mp4Box, childrenOf, payload } from '../../../lib/media/boxes.ts';
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';

export interface EditListEntry {
  /** In the movie's timescale. */
  duration: number;
  /** In the track's timescale; -1 for an empty edit. */
  time: number;
  isPlain: boolean;
}

export interface Mp4Track {
  /** Position among all tracks, as ffmpeg counts. */
  stream: number;
  id: number;
  kind: 'video' | 'audio';
  timescale: number;
  /** Size at which the pictures are shown; 0 where the header does not say. */
  width: number;
  height: number;
  edits: EditListEntry[];
  stsd: Mp4Box;
  stbl: Mp4Box;
}

export interface Movie {
  timescale: number;
  tracks: Mp4Track[];
  mvex: Mp4Box | undefined;
  moov: Mp4Box;
  /** Positions and sizes of moof boxes with their headers. */
  fragments: { at: number; size: number; head: number }[];
}

const MAX_TOP_BOXES = 500_000;
const MAX_MOOV = 96 * 1024 * 1024;
const MAX_TRACKS = 100;

/** Reads the structure; sample tables are left for later. A file without a movie box throws `Uncertain`. */
export function readMovie(source: ByteSource): Movie {
  const { moov, fragments } = topLevel(source);
  if (moov === undefined) return uncertain('no movie box');
  if (moov.size > MAX_MOOV) uncertain('the movie box is too large');
  // One read: everything in it is looked at.
  source.at(moov.at, moov.size);
  const movie: Movie = { timescale: 1000, tracks: [], mvex: undefined, moov, fragments };
  let stream = 0;
  for (const box of childrenOf(source, moov)) {
    if (box.type === 'mvhd') movie.timescale = timescaleOf(payload(source, box));
    else if (box.type === 'mvex') movie.mvex = box;
    else if (box.type === 'cmov') uncertain('a compressed movie box');
    else if (box.type === 'trak') {
      if (stream >= MAX_TRACKS) uncertain('too many tracks');
      const track = trackOf(source, box, stream);
      if (track) movie.tracks.push(track);
      stream += 1;
    }
  }
  return movie;
}

/** Walks the boxes of the file. One that is cut off by its end is the last. */
function topLevel(source: ByteSource): { moov: Mp4Box | undefined; fragments: Movie['fragments'] } {
  const fragments: Movie['fragments'] = [];
  let moov: Mp4Box | undefined;
  for (let at = 0, count = 0; at + 8 <= source.size; count += 1) {
    if (count > MAX_TOP_BOXES) uncertain('too many boxes');
    const start = source.upTo(at, 16);
    const type = start.toString('latin1', 4, 8);
    let [size, head] = [start.readUInt32BE(0), 8];
    if (size === 1 && start.length === 16)
      [size, head] = [start.readUInt32BE(8) * 2 ** 32 + start.readUInt32BE(12), 16];
    else if (size === 0) size = source.size - at;
    if (size < head) uncertain('a box is shorter than its header');
    if (at + size > source.size && type !== 'mdat') break;
    if (type === 'moov') moov ??= { type, at: at + head, size: size - head };
    else if (type === 'moof') fragments.push({ at, size, head });
    at += size;
  }
  return { moov, fragments };
}

const timescaleOf = (header: Buffer): number =>
  header.readUInt32BE(header[0] === 1 ? 20 : 12) || uncertain('a time scale of 0');

function trackOf(source: ByteSource, trak: Mp4Box, stream: number): Mp4Track | undefined {
  let [id, timescale, handler] = [0, 0, ''];
  const size = { width: 0, height: 0 };
  let edits: EditListEntry[] = [];
  let stbl: Mp4Box | undefined;
  for (const box of childrenOf(source, trak)) {
    if (box.type === 'tkhd') {
      const data = payload(source, box);
      const isLong = data[0] === 1;
      id = data.readUInt32BE(isLong ? 20 : 12);
      Object.assign(size, {
        width: data.readUInt32BE(isLong ? 88 : 76) >>> 16,
        height: data.readUInt32BE(isLong ? 92 : 80) >>> 16,
      });
    } else if (box.type === 'edts') {
      for (const list of childrenOf(source, box)) if (list.type === 'elst') edits = editsOf(payload(source, list));
    } else if (box.type === 'mdia') {
      for (const inner of childrenOf(source, box)) {
        if (inner.type === 'mdhd') timescale = timescaleOf(payload(source, inner));
        else if (inner.type === 'hdlr') handler = payload(source, inner).toString('latin1', 8, 12);
        else if (inner.type === 'minf')
          for (const part of childrenOf(source, inner)) if (part.type === 'stbl') stbl = part;
      }
    }
  }
  const kind = handler === 'vide' ? 'video' : handler === 'soun' ? 'audio' : undefined;
  if (kind === undefined || stbl === undefined || timescale === 0) return undefined;
  const stsd = [...childrenOf(source, stbl)].find(({ type }) => type === 'stsd');
  return stsd && { stream, id, kind, timescale, ...size, edits, stsd, stbl };
}

const MAX_EDITS = 10_000;

function editsOf(data: Buffer): EditListEntry[] {
  const isLong = data[0] === 1;
  const row = isLong ? 20 : 12;
  const count = data.readUInt32BE(4);
  if (count > MAX_EDITS || 8 + count * row > data.length) uncertain('an edit list is longer than its box');
  return Array.from({ length: count }, (_, i) => {
    const at = 8 + i * row;
    const duration = isLong ? Number(data.readBigUInt64BE(at)) : data.readUInt32BE(at);
    const time = isLong ? Number(data.readBigInt64BE(at + 8)) : data.readInt32BE(at + 4);
    return { duration, time, isPlain: data.readUInt16BE(at + row - 4) === 1 };
  });
}

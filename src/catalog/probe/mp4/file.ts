/**
 * Reads MP4 and QuickTime (ISO/IEC 14496-12, QuickTime File Format) from the movie box, wherever it is in the file.
 *
 * Promise: returns what ffprobe would report, or throws `Uncertain`; fragmented files, whose length ffmpeg finds by
 * walking through them, are left to ffprobe.
 */

import type { Mp4Box } from '../../../lib/media/boxes.ts';
import { boxes, childrenOf, payload } from '../../../lib/media/boxes.ts';
import type { Samples } from './samples.ts';
import { bytesOf, samplesOf } from './samples.ts';
import { audioEntry, entryOf, videoEntry } from './entry.ts';
import type { Meta } from './meta.ts';
import { readCapture, readPlace, recordedIn } from './capture.ts';
import { movieMeta, readMeta, textChapters } from './meta.ts';
import {
  bareStream,
  finish,
  keepTags,
  languageOf,
  lastEnd,
  put,
  rotationOf,
  rounded,
  seconds,
  streamTitle,
  cutText,
} from '../shape.ts';
import { utf8 } from '../../../lib/media/text.ts';
import type { ByteSource } from '../../../lib/media/source.ts';
import { uncertain } from '../../../lib/media/source.ts';
import type { Capture, MediaChapter, MediaInfo, Stream } from '../types.ts';

interface Track {
  id: number;
  isEnabled: boolean;
  matrix: Buffer;
  shown: { width: number; height: number };
  scale: number;
  duration: number;
  language: string | undefined;
  handler: string;
  handlerName: string;
  name: string | undefined;
  stbl: Mp4Box | undefined;
  /** Whether an edit list moves its samples. */
  isEdited: boolean;
  chapterTracks: number[];
}

const topLevel: ReadonlySet<string> = new Set([
  'ftyp',
  'moov',
  'mdat',
  'free',
  'skip',
  'wide',
  'uuid',
  'udta',
  'meta',
  'pnot',
  'pdin',
  'styp',
  'sidx',
  'iods',
]);

export const mp4 = (source: ByteSource): MediaInfo => {
  let brand: string | undefined;
  let moov: Mp4Box | undefined;
  for (const box of boxes(source, 0, source.size)) {
    if (!topLevel.has(box.type) || box.type === 'sidx' || box.type === 'styp')
      uncertain('a fragmented or unusual file');
    if (box.type === 'ftyp' && brand === undefined) brand = source.at(box.at, 4).toString('latin1');
    if (box.type === 'meta' || box.type === 'udta') uncertain('a file with outer tags');
    if (box.type === 'moov') {
      if (moov !== undefined) uncertain('several movie boxes');
      moov = box;
    }
  }
  if (moov === undefined) return uncertain('no movie box');
  // One read for boxes that are usually together at the end of the file.
  source.upTo(moov.at, Math.min(moov.size, 64 * 1024));
  return movie(source, moov, brand === undefined || brand === 'qt  ' ? 'mov' : 'mp4');
};

const movie = (source: ByteSource, moov: Mp4Box, container: string): MediaInfo => {
  const meta: Meta = { tags: [], covers: [], chapters: [] };
  const capture: Capture = {};
  const tracks: { track: Track; stream: Stream; samples: Samples }[] = [];
  const streams: Stream[] = [];
  let duration = 0;
  for (const box of childrenOf(source, moov)) {
    if (box.type === 'mvhd') {
      const header = payload(source, box);
      duration = movieDuration(header);
      const recorded = recordedIn(header);
      if (recorded !== undefined) capture.recorded = recorded;
    } else if (box.type === 'mvex' || box.type === 'cmov') uncertain('a fragmented or compressed movie');
    else if (box.type === 'trak') {
      if (tracks.length >= 100) uncertain('too many tracks');
      const track = trackOf(source, box, container === 'mov');
      const stbl = track.stbl ?? uncertain('a track without its samples');
      const samples = samplesOf(source, stbl);
      const stream = bareStream(streams.length, 'data', 'unknown');
      tracks.push({ track, stream, samples });
      streams.push(stream);
    } else if (box.type === 'udta') {
      movieMeta(source, box, meta);
      covers(streams, meta);
      for (const child of childrenOf(source, box)) {
        if (child.type === '©xyz') readPlace(source, child, capture);
        // Programs that copy a clip put here what the camera put into the box of the movie.
        if (child.type === 'meta') readCapture(source, child, capture);
      }
    } else if (box.type === 'meta') {
      readMeta(source, box, meta);
      covers(streams, meta);
      readCapture(source, box, capture);
    }
  }
  if (!(duration > 0) || tracks.length === 0) uncertain('a movie without tracks or duration');
  const chapterIds = new Set(tracks.flatMap(({ track }) => track.chapterTracks));
  for (const { track, stream, samples } of tracks) streamInto(stream, source, track, samples, chapterIds.has(track.id));
  const total = seconds(duration);
  const chapterTrack = tracks.find(({ track }) => chapterIds.has(track.id));
  if (chapterTrack?.track.isEdited === true || chapterIds.size > 1)
    uncertain('chapters that are moved, or several lists of them');
  return finish({
    container,
    duration: total,
    size: source.size,
    streams,
    chapters: chaptersOf(
      meta,
      chapterTrack === undefined ? undefined : textChapters(source, chapterTrack.samples, chapterTrack.track.scale),
      total,
    ),
    tags: keepTags(meta.tags),
    ...(Object.keys(capture).length > 0 && { capture }),
  });
};

const covers = (streams: Stream[], meta: Meta): void => {
  for (const codec of meta.covers.splice(0)) {
    const stream = bareStream(streams.length, 'video', codec);
    stream.cover = true;
    streams.push(stream);
  }
};

const chaptersOf = (
  meta: Meta,
  found: { start: number; end: number; title: string }[] | undefined,
  total: number,
): MediaChapter[] => {
  // Both kinds number their chapters from 0, and those of the track replace those of the list.
  if (found !== undefined && found.length < meta.chapters.length) uncertain('two unlike lists of chapters');
  const list =
    found ?? meta.chapters.map((chapter, place) => ({ ...chapter, end: meta.chapters[place + 1]?.start ?? total }));
  return list.map(({ start, end, title }) => {
    const named = cutText(title);
    return {
      start: rounded(start),
      end: lastEnd(rounded(end), total),
      ...(named === undefined ? {} : { title: named }),
    };
  });
};

/** Seconds. */
const movieDuration = (data: Buffer): number => {
  if (data.length < 100) uncertain('a movie header');
  const isLong = data[0] === 1;
  const scale = data.readUInt32BE(isLong ? 20 : 12);
  const matrix = isLong ? 52 : 36;
  if (data.readInt32BE(matrix) !== 0x10000 || data.readInt32BE(matrix + 4) !== 0) uncertain('a turned movie');
  const length = isLong ? data.readUInt32BE(24) * 2 ** 32 + data.readUInt32BE(28) : data.readUInt32BE(16);
  if (length === 0xffffffff || scale === 0) return 0;
  return Math.round((length * 1e6) / scale) / 1e6;
};

const trackOf = (source: ByteSource, trak: Mp4Box, isQuickTime: boolean): Track => {
  const track: Track = {
    id: 0,
    isEnabled: false,
    matrix: Buffer.alloc(0),
    shown: { width: 0, height: 0 },
    scale: 0,
    duration: 0,
    language: undefined,
    handler: '',
    handlerName: '',
    name: undefined,
    stbl: undefined,
    isEdited: false,
    chapterTracks: [],
  };
  for (const box of childrenOf(source, trak)) {
    if (box.type === 'tkhd') trackHeader(track, payload(source, box));
    else if (box.type === 'mdia') media(source, box, track, isQuickTime);
    else if (box.type === 'tref') {
      for (const reference of childrenOf(source, box)) {
        if (reference.type !== 'chap') continue;
        const data = payload(source, reference);
        for (let at = 0; at + 4 <= data.length; at += 4) track.chapterTracks.push(data.readUInt32BE(at));
      }
    } else if (box.type === 'meta') {
      const own: Meta = { tags: [], covers: [], chapters: [] };
      readMeta(source, box, own);
      if (own.tags.length + own.covers.length > 0) uncertain('a track with its own tags');
    } else if (box.type === 'edts') {
      for (const list of childrenOf(source, box))
        if (list.type === 'elst') track.isEdited = isMoving(payload(source, list));
    } else if (box.type === 'udta') {
      for (const named of childrenOf(source, box))
        if (named.type === 'name') track.name = utf8(payload(source, named));
        else if (named.type === 'meta' || named.type === 'kind' || named.type.startsWith('©'))
          uncertain('a track with its own tags or roles');
    }
  }
  return track;
};

/** Whether there is more than one edit, or one that does not start with the first sample. */
const isMoving = (data: Buffer): boolean => {
  const isLong = data[0] === 1;
  if (data.length < (isLong ? 28 : 20)) return data.length >= 8 && data.readUInt32BE(4) !== 0;
  return (
    data.readUInt32BE(4) !== 1 || data.readUInt32BE(isLong ? 16 : 12) !== 0 || (isLong && data.readUInt32BE(20) !== 0)
  );
};

const trackHeader = (track: Track, data: Buffer): void => {
  const isLong = data[0] === 1;
  if (data.length < (isLong ? 96 : 84)) uncertain('a track header');
  track.isEnabled = ((data[3] ?? 0) & 1) !== 0;
  track.id = data.readUInt32BE(isLong ? 20 : 12);
  const at = isLong ? 52 : 40;
  track.matrix = data.subarray(at, at + 36);
  track.shown = { width: data.readUInt32BE(at + 36) >>> 16, height: data.readUInt32BE(at + 40) >>> 16 };
};

const media = (source: ByteSource, mdia: Mp4Box, track: Track, isQuickTime: boolean): void => {
  for (const box of childrenOf(source, mdia)) {
    if (box.type === 'mdhd') mediaHeader(track, payload(source, box));
    else if (box.type === 'hdlr') {
      const data = payload(source, box);
      track.handler = data.toString('latin1', 8, 12);
      const isCounted = isQuickTime && data[24] === data.length - 25;
      const name = data.subarray(isCounted ? 25 : 24);
      track.handlerName = utf8(name);
    } else if (box.type === 'minf') {
      for (const inner of childrenOf(source, box)) if (inner.type === 'stbl') track.stbl = inner;
    }
  }
};

/** QuickTime's numbers of languages, with ffmpeg's names. */
const macintosh = [
  'eng',
  'fra',
  'ger',
  'ita',
  'dut',
  'sve',
  'spa',
  'dan',
  'por',
  'nor',
  'heb',
  'jpn',
  'ara',
  'fin',
  'gre',
  'ice',
  'mlt',
  'tur',
];

const mediaHeader = (track: Track, data: Buffer): void => {
  const isLong = data[0] === 1;
  if (data.length < (isLong ? 34 : 22)) uncertain('a media header');
  track.scale = data.readUInt32BE(isLong ? 20 : 12);
  track.duration = isLong ? data.readUInt32BE(24) * 2 ** 32 + data.readUInt32BE(28) : data.readUInt32BE(16);
  const code = data.readUInt16BE(isLong ? 32 : 20);
  if (code >= 0x400 && code !== 0x7fff) {
    track.language = [10, 5, 0].map((shift) => String.fromCharCode(0x60 + ((code >> shift) & 31))).join('');
  } else if (code !== 0x7fff) track.language = macintosh[code] ?? uncertain('an old language code');
};

const subtitleCodecs: Readonly<Record<string, string>> = { tx3g: 'mov_text', text: 'mov_text' };

const streamInto = (stream: Stream, source: ByteSource, track: Track, samples: Samples, isChapters: boolean): void => {
  stream.default = track.isEnabled;
  put(stream, 'language', languageOf(track.language));
  put(stream, 'title', streamTitle(track.name, track.handlerName));
  if (samples.count === 0 || samples.count !== samples.timed || track.scale === 0)
    uncertain('a track whose tables disagree');
  const stsd = [...childrenOf(source, track.stbl ?? uncertain('a track without its samples'))].find(
    (box) => box.type === 'stsd',
  );
  const entry = entryOf(source, stsd ?? uncertain('a track without a description'));
  const lasting = Math.min(track.duration, samples.duration);
  const rate = (): number | undefined =>
    lasting > 0 ? Math.floor((bytesOf(source, samples) * 8 * track.scale) / lasting) : undefined;
  if (isChapters) {
    if (track.handler !== 'text') uncertain('chapters as pictures');
    stream.codec = 'bin_data';
  } else if (track.handler === 'vide') {
    stream.type = 'video';
    videoEntry(stream, source, entry, track.shown);
    put(stream, 'bitrate', rate());
    if (samples.duration > 0) stream.frameRate = rounded((track.scale * samples.timed) / samples.duration);
    put(stream, 'rotation', turn(track.matrix));
  } else if (track.handler === 'soun') {
    stream.type = 'audio';
    audioEntry(stream, source, entry, samples, rate);
  } else if (['sbtl', 'subt', 'text'].includes(track.handler)) {
    stream.type = 'subtitle';
    stream.codec = subtitleCodecs[entry.type] ?? uncertain('subtitle codec');
  } else if (track.handler === 'clcp' && entry.type === 'c608') {
    stream.type = 'subtitle';
    stream.codec = 'eia_608';
  } else if (track.handler !== 'tmcd' && entry.type !== 'mebx') uncertain('a track of another kind');
};

const turn = (matrix: Buffer): number | undefined => {
  const at = (place: number): number => matrix.readInt32BE(place * 4) / 65536;
  const [across, down] = [Math.hypot(at(0), at(3)), Math.hypot(at(1), at(4))];
  if (!(across > 0) || !(down > 0) || Math.abs(across / down - 1) > 0.01) return uncertain('a stretched track');
  return rotationOf((Math.atan2(at(1) / down, at(0) / across) * 180) / Math.PI);
};

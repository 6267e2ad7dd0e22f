/**
 * Reads the metadata of an MP4 or QuickTime file: iTunes-style tags and covers, plain QuickTime texts, Nero chapters
 * (`chpl`) and the chapter text track.
 *
 * Promise: returns names and values as ffmpeg reports them, or throws `Uncertain`.
 */

import type { Mp4Box } from '../../../lib/media/boxes.ts';
import { boxes, childrenOf, entries, payload } from '../../../lib/media/boxes.ts';
import type { Samples } from './samples.ts';
import { places } from './samples.ts';
import { utf8 } from '../../../lib/media/text.ts';
import { KEPT_TAGS } from '../shape.ts';
import type { ByteSource } from '../../../lib/media/source.ts';
import { uncertain } from '../../../lib/media/source.ts';

export interface Meta {
  tags: [string, string][];
  /** Codecs of the attached pictures, in order. */
  covers: string[];
  /** Seconds. */
  chapters: { start: number; title: string }[];
}

const texts: Readonly<Record<string, string>> = {
  '©nam': 'title',
  '©ART': 'artist',
  '©aut': 'artist',
  '©alb': 'album',
  aART: 'album_artist',
  '©wrt': 'composer',
  '©com': 'composer',
  '©gen': 'genre',
  '©day': 'date',
  '©cmt': 'comment',
  '©inf': 'comment',
  desc: 'description',
  ldes: 'synopsis',
  tvsh: 'show',
  tvnn: 'network',
  tven: 'episode_id',
  '©grp': 'grouping',
  '©lyr': 'lyrics',
  '©cpy': 'copyright',
  cprt: 'copyright',
  '©dir': 'director',
  keyw: 'keywords',
  sonm: 'sort_name',
  soar: 'sort_artist',
  soal: 'sort_album',
  soaa: 'sort_album_artist',
  soco: 'sort_composer',
  sosn: 'sort_show',
  '©trk': 'track',
};
const numbers: Readonly<Record<string, string>> = {
  cpil: 'compilation',
  hdvd: 'hd_video',
  pgap: 'gapless_playback',
  stik: 'media_type',
};
const paddedNumbers: Readonly<Record<string, string>> = { tves: 'episode_sort', tvsn: 'season_number' };

/** Reads the `udta` box of the movie. */
export const movieMeta = (source: ByteSource, udta: Mp4Box, meta: Meta): void => {
  for (const box of childrenOf(source, udta)) {
    if (box.type === 'meta') readMeta(source, box, meta);
    else if (box.type === 'chpl') readChapters(source, box, meta);
    else if (texts[box.type] !== undefined && box.size >= 4) plainText(source, box, meta);
  }
};

/** Reads a QuickTime text: length, language, characters. */
const plainText = (source: ByteSource, box: Mp4Box, meta: Meta): void => {
  const data = payload(source, box);
  const length = data.readUInt16BE(0);
  const language = data.readUInt16BE(2);
  if (4 + length > data.length) uncertain('a QuickTime text');
  if (language < 0x400 && data.subarray(4, 4 + length).some((byte) => byte > 127))
    uncertain('a QuickTime text in an old encoding');
  meta.tags.push([texts[box.type] ?? '', utf8(data.subarray(4, 4 + length))]);
};

/** Items that are kept and whose handler is `mdta` (free names) are left to ffprobe. */
export const readMeta = (source: ByteSource, box: Mp4Box, meta: Meta): void => {
  // In QuickTime the box has no version and flags.
  const skip = box.size >= 8 && source.at(box.at + 4, 4).toString('latin1') === 'hdlr' ? 0 : 4;
  for (const child of boxes(source, box.at + skip, box.at + box.size)) {
    if (child.type === 'keys') {
      const names = payload(source, child);
      for (let at = 8; at + 8 <= names.length;) {
        const size = names.readUInt32BE(at);
        if (size < 8) break;
        if (KEPT_TAGS.has(names.toString('utf8', at + 8, at + size).toLowerCase())) uncertain('tags with free names');
        at += size;
      }
    } else if (child.type === 'ilst') for (const item of childrenOf(source, child)) readItem(source, item, meta);
  }
};

const readItem = (source: ByteSource, item: Mp4Box, meta: Meta): void => {
  if (item.type === 'gnre') uncertain('a numbered genre');
  if (item.type === '----') return freeItem(source, item, meta);
  const name = texts[item.type] ?? numbers[item.type] ?? paddedNumbers[item.type];
  for (const data of childrenOf(source, item)) {
    if (data.type !== 'data' || data.size < 8) continue;
    if (item.type === 'covr') {
      cover(source, data, meta);
      continue;
    }
    if (name === undefined && item.type !== 'trkn' && item.type !== 'disk') return;
    if (data.size > 65536) uncertain('a tag is too long');
    const bytes = source.at(data.at, data.size);
    const kind = bytes.readUInt32BE(0);
    const value = bytes.subarray(8);
    if (item.type === 'trkn' || item.type === 'disk') {
      if (value.length < 6) uncertain('a track number');
      const [number, total] = [value.readUInt16BE(2), value.readUInt16BE(4)];
      meta.tags.push([item.type === 'trkn' ? 'track' : 'disc', total > 0 ? `${number}/${total}` : String(number)]);
    } else if (numbers[item.type] !== undefined) meta.tags.push([name ?? '', String(value[0] ?? 0)]);
    else if (paddedNumbers[item.type] !== undefined) meta.tags.push([name ?? '', String(value[3] ?? 0)]);
    else if (kind === 1) meta.tags.push([name ?? '', utf8(value)]);
    else uncertain('a tag of another type');
    return;
  }
};

const freeItem = (source: ByteSource, item: Mp4Box, meta: Meta): void => {
  let name = '';
  for (const child of childrenOf(source, item)) {
    if (child.size > 65536) continue;
    if (child.type === 'name') name = source.at(child.at, child.size).toString('utf8', 4);
    else if (child.type === 'data' && KEPT_TAGS.has(name.toLowerCase())) {
      meta.tags.push([name, utf8(source.at(child.at, child.size).subarray(8))]);
    }
  }
};

const cover = (source: ByteSource, data: Mp4Box, meta: Meta): void => {
  const head = source.at(data.at, 8);
  const kind = head.readUInt32BE(0);
  if (data.size < 16) uncertain('an empty cover');
  if (kind === 27) meta.covers.push('bmp');
  else if (kind === 13 || kind === 14) {
    meta.covers.push(source.at(data.at + 8, 8).readUInt32BE(0) === 0x89504e47 ? 'png' : 'mjpeg');
  } else uncertain('a cover of another type');
};

const readChapters = (source: ByteSource, box: Mp4Box, meta: Meta): void => {
  const data = payload(source, box, 1024 * 1024);
  let at = data[0] === 0 ? 4 : 8;
  const count = data[at] ?? 0;
  at += 1;
  for (let i = 0; i < count && at + 9 <= data.length; i += 1) {
    const start = data.readUInt32BE(at) * 2 ** 32 + data.readUInt32BE(at + 4);
    const length = data[at + 8] ?? 0;
    meta.chapters.push({ start: start / 1e7, title: utf8(data.subarray(at + 9, at + 9 + length)) });
    at += 9 + length;
  }
};

const mostChapters = 1000;

/** Returns the chapters of a text track: one sample each, which holds its title. `end` in seconds. */
export const textChapters = (
  source: ByteSource,
  samples: Samples,
  scale: number,
): { start: number; end: number; title: string }[] => {
  if (samples.timeBox === undefined || samples.count > mostChapters || scale === 0) return uncertain('a chapter track');
  const durations: number[] = [];
  const count = source.at(samples.timeBox.at + 4, 4).readUInt32BE(0);
  for (const data of entries(source, samples.timeBox, 8, 2, count)) {
    for (let at = 0; at < data.length; at += 8) {
      for (let i = Math.min(data.readUInt32BE(at), mostChapters); i > 0 && durations.length < samples.count; i -= 1)
        durations.push(data.readUInt32BE(at + 4));
    }
  }
  let clock = 0;
  return places(source, samples, samples.count).map((place, index) => {
    const start = clock;
    clock += durations[index] ?? 0;
    if (place.size < 2 || place.size > 65536) uncertain('a chapter title');
    const data = source.at(place.at, place.size);
    const length = Math.min(data.readUInt16BE(0), data.length - 2);
    const mark = length >= 2 ? data.readUInt16BE(2) : 0;
    if (mark === 0xfeff || mark === 0xfffe) uncertain('a chapter title in UTF-16');
    return { start: start / scale, end: clock / scale, title: utf8(data.subarray(2, 2 + length)) };
  });
};

/**
 * Matroska's tags, chapters and attachments (RFC 9559, 5.1.8, 5.1.7, 5.1.6), named as ffmpeg
 * names them.
 *
 * Promise: an attachment's data is skipped, never read; nesting of tags is limited.
 */

import { ebmlChildren, elementIn, string, uint } from '../../../lib/media/ebml.ts';
import type { Element } from '../../../lib/media/ebml.ts';
import { attachmentCodec, lastEnd, rounded, cutText } from '../shape.ts';
import type { ByteSource } from '../../../lib/media/source.ts';
import { uncertain } from '../../../lib/media/source.ts';
import type { MediaChapter } from '../types.ts';

export interface TagLists {
  file: [string, string][];
  /** By track UID, in hexadecimal without leading zeros. */
  tracks: Map<string, [string, string][]>;
}

export const tagsOf = (lists: readonly Buffer[]): TagLists => {
  const found: TagLists = { file: [], tracks: new Map() };
  for (const list of lists) for (const { id, data } of ebmlChildren(list)) if (id === 0x7373) tag(data, found);
  return found;
};

const tag = (data: Buffer, found: TagLists): void => {
  let track = '';
  let other = false;
  let prefix = '';
  const simple: Buffer[] = [];
  for (const { id, data: value } of ebmlChildren(data)) {
    if (id === 0x67c8) simple.push(value);
    if (id !== 0x63c0) continue;
    for (const target of ebmlChildren(value)) {
      const uid = target.data.toString('hex').replace(/^0+/, '');
      if (target.id === 0x63c5) track = uid;
      else if ((target.id === 0x63c4 || target.id === 0x63c6) && uid !== '') other = true;
      else if (target.id === 0x63ca) prefix = string(target.data);
    }
  }
  if (other) return;
  let into = found.file;
  if (track !== '') {
    into = found.tracks.get(track) ?? [];
    found.tracks.set(track, into);
    prefix = '';
  }
  for (const one of simple) simpleTag(one, prefix, into, 0);
};

const mostTags = 4000;
const mostChapters = 5000;

const simpleTag = (data: Buffer, prefix: string, into: [string, string][], depth: number): void => {
  if (depth > 8 || into.length > mostTags) uncertain('Matroska tags nested too deeply or too many');
  let name = '';
  let value = '';
  let language = 'und';
  let isDefault = false;
  const nested: Buffer[] = [];
  for (const { id, data: field } of ebmlChildren(data)) {
    if (id === 0x45a3) name = string(field);
    else if (id === 0x4487) value = string(field);
    else if (id === 0x447a) language = string(field);
    else if (id === 0x4484 || id === 0x44b4) isDefault = uint(field) !== 0;
    else if (id === 0x67c8) nested.push(field);
  }
  if (name === '') return;
  const key = prefix === '' ? (name === 'PART_NUMBER' ? 'track' : name) : `${prefix}/${name}`;
  const keys: string[] = [];
  if (isDefault || language === 'und') keys.push(key);
  if (language !== 'und') keys.push(`${key}-${language}`);
  for (const one of keys) {
    into.push([one, value]);
    for (const inner of nested) simpleTag(inner, one, into, depth + 1);
  }
};

/**
 * Returns the chapters of every edition, as long as their starts increase. `duration` ends a chapter without an end.
 */
export const chaptersOf = (data: Buffer, duration: number): MediaChapter[] => {
  const found: { start: number; end: number; title: string }[] = [];
  const seen = new Set<string>();
  let latest = 0;
  for (const edition of ebmlChildren(data)) {
    if (edition.id !== 0x45b9) continue;
    for (const atom of ebmlChildren(edition.data)) {
      if (atom.id !== 0xb6) continue;
      const { uid, ...chapter } = chapterOf(atom.data);
      if (chapter.start < 0 || uid === '' || (latest !== 0 && chapter.start <= latest)) continue;
      if (seen.has(uid) || (chapter.end >= 0 && chapter.end < chapter.start)) uncertain('Matroska chapters');
      if (seen.add(uid).size > mostChapters) uncertain('too many Matroska chapters');
      latest = chapter.start;
      found.push(chapter);
    }
  }
  return found.map((chapter, place) => {
    const end = chapter.end >= 0 ? chapter.end / 1e9 : (found[place + 1]?.start ?? duration * 1e9) / 1e9;
    const title = cutText(chapter.title);
    return {
      start: micro(chapter.start / 1e9),
      end: lastEnd(micro(end), duration),
      ...(title === undefined ? {} : { title }),
    };
  });
};

const micro = (value: number): number => rounded(Math.round(value * 1e6) / 1e6);

const chapterOf = (data: Buffer): { uid: string; start: number; end: number; title: string } => {
  const chapter = { uid: '', start: -1, end: -1, title: '' };
  for (const { id, data: value } of ebmlChildren(data)) {
    if (id === 0x73c4) chapter.uid = value.toString('hex').replace(/^0+/, '');
    else if (id === 0x91) chapter.start = uint(value);
    else if (id === 0x92) chapter.end = uint(value);
    else if (id === 0x80)
      for (const field of ebmlChildren(value)) if (field.id === 0x85) chapter.title = string(field.data);
  }
  return chapter;
};

export interface Attachment {
  name: string;
  mimeType: string;
  description: string;
  codec: string;
  isCover: boolean;
}

const pictures: Readonly<Record<string, string>> = {
  'image/gif': 'gif',
  'image/jpeg': 'mjpeg',
  'image/png': 'png',
  'image/tiff': 'tiff',
};

/** `list` is the Attachments element in the file; of each attachment only the fields around its data are read. */
export const attachmentsOf = (source: ByteSource, list: Element): Attachment[] => {
  const found: Attachment[] = [];
  for (let at = list.at, count = 0; at < list.at + list.size; count += 1) {
    const file = elementIn(source, at);
    if (file.size < 0 || count > 200) uncertain('Matroska attachments');
    if (file.id === 0x61a7) found.push(attachment(source, file));
    at = file.at + file.size;
  }
  return found;
};

const attachment = (source: ByteSource, file: Element): Attachment => {
  const found: Attachment = { name: '', mimeType: '', description: '', codec: 'unknown', isCover: false };
  let dataSize = 0;
  for (let at = file.at, count = 0; at < file.at + file.size; count += 1) {
    const field = elementIn(source, at);
    if (field.size < 0 || count > 32) uncertain('Matroska attachment');
    at = field.at + field.size;
    if (field.id === 0x465c) dataSize = field.size;
    else if (field.size <= 65536) {
      if (field.id === 0x466e) found.name = string(source.at(field.at, field.size));
      else if (field.id === 0x4660) found.mimeType = string(source.at(field.at, field.size));
      else if (field.id === 0x467e) found.description = string(source.at(field.at, field.size));
    }
  }
  if (found.name === '' || found.mimeType === '' || dataSize === 0)
    uncertain('Matroska attachment without a name or data');
  const picture = Object.entries(pictures).find(([type]) => found.mimeType.startsWith(type))?.[1];
  return { ...found, isCover: picture !== undefined, codec: picture ?? attachmentCodec(found.mimeType) };
};

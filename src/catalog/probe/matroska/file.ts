/**
 * Reads Matroska and WebM (RFC 9559) from their headers: segment information, tracks, chapters, attachments and tags,
 * found from the front and through the seek head.
 *
 * Promise: returns what ffprobe would report, or throws `Uncertain`. Sizes are checked against the file; the walk ends
 * at the first cluster, and enters it only for the first frames of codecs that need them.
 */

import type { Element } from '../../../lib/media/ebml.ts';
import { ebmlChildren, elementAt, elementIn, float, string, uint } from '../../../lib/media/ebml.ts';
import { attachmentsOf, chaptersOf, tagsOf } from './extras.ts';
import type { TagLists } from './extras.ts';
import { firstFrames } from './frames.ts';
import type { ProbedTrack } from './tracks.ts';
import { streamOf, trackOf } from './tracks.ts';
import { bareStream, finish, keepTags, put, seconds, streamTitle, cutText } from '../shape.ts';
import type { ByteSource } from '../../../lib/media/source.ts';
import { uncertain } from '../../../lib/media/source.ts';
import type { MediaInfo, Stream } from '../types.ts';

const ids = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  chapters: 0x1043a770,
  attachments: 0x1941a469,
  tags: 0x1254c367,
  cues: 0x1c53bb6b,
  cluster: 0x1f43b675,
};
/** Maximum number of tracks, the same as ffprobe's. */
const mostTracks = 100;
const mostElement = 3 * 1024 * 1024;
const wanted: ReadonlySet<number> = new Set([
  ids.info,
  ids.tracks,
  ids.chapters,
  ids.attachments,
  ids.tags,
  ids.seekHead,
]);

interface Found {
  info?: Buffer;
  tracks?: Buffer;
  chapters?: Buffer;
  tags: Buffer[];
  attachments?: Element;
  cluster?: Element;
}

/** Returns the document type of an EBML file: matroska or webm. */
export const docType = (head: Buffer): string | undefined => {
  const top = elementAt(head, 0);
  if (top === undefined || top.id !== ids.ebml || top.size < 0 || top.at + top.size > head.length) return undefined;
  for (const { id, data } of ebmlChildren(head.subarray(top.at, top.at + top.size)))
    if (id === ids.docType) return string(data);
  return 'matroska';
};

export const matroska = (source: ByteSource): MediaInfo => {
  const container = docType(source.upTo(0, 1024));
  if (container !== 'matroska' && container !== 'webm') return uncertain('EBML of another kind');
  const found = walk(source);
  if (found.info === undefined || found.tracks === undefined) return uncertain('Matroska without its tracks');
  const general = infoOf(found.info);
  const tracks: ProbedTrack[] = [];
  for (const { id, data } of ebmlChildren(found.tracks)) {
    const track = id === 0xae ? trackOf(data) : undefined;
    if (track !== undefined && tracks.push(track) > mostTracks) uncertain('too many Matroska tracks');
  }
  const tags = tagsOf(found.tags);
  const firsts = firstFrames(source, found.cluster, tracks);
  const streams = tracks.map((track, index) =>
    tagged(
      streamOf(track, index, () => firsts(track)),
      tags.tracks.get(track.uid),
    ),
  );
  if (found.attachments !== undefined) streams.push(...attached(source, found.attachments, streams.length));
  if (streams.length === 0) uncertain('Matroska without streams');
  return finish({
    container,
    duration: general.duration,
    size: source.size,
    streams,
    chapters: found.chapters === undefined ? [] : chaptersOf(found.chapters, general.duration),
    tags: keepTags([...(general.title === undefined ? [] : [['title', general.title] as const]), ...tags.file]),
  });
};

/** Reads level 1 elements up to the first cluster, then those that the seek head names after it. */
const walk = (source: ByteSource): Found => {
  const top = elementIn(source, 0);
  const segment = elementIn(source, top.at + top.size);
  if (top.size < 0 || segment.id !== ids.segment) uncertain('Matroska without a segment');
  const end = segment.size < 0 ? source.size : Math.min(segment.at + segment.size, source.size);
  const found: Found = { tags: [] };
  const seen = new Set<number>();
  const later: { id: number; at: number }[] = [];
  for (let at = segment.at, count = 0; at < end; count += 1) {
    const element = elementIn(source, at);
    if (element.id === ids.cluster) {
      found.cluster = element;
      break;
    }
    if (element.size < 0 || count > 256) uncertain('Matroska element without a size');
    seen.add(at);
    keep(source, element, found, segment.at, later);
    at = element.at + element.size;
  }
  for (let i = 0; i < later.length && i < 32; i += 1) {
    const next = later[i];
    if (next === undefined || seen.has(next.at) || !wanted.has(next.id)) continue;
    seen.add(next.at);
    const element = elementIn(source, next.at);
    if (element.id !== next.id || element.size < 0) uncertain('Matroska seek head');
    keep(source, element, found, segment.at, later);
  }
  return found;
};

const keep = (
  source: ByteSource,
  element: Element,
  found: Found,
  base: number,
  later: { id: number; at: number }[],
): void => {
  if (!wanted.has(element.id)) return;
  if (element.at + element.size > source.size) uncertain('Matroska cut short');
  if (element.id === ids.attachments) {
    if (found.attachments !== undefined) uncertain('Matroska with several attachment lists');
    found.attachments = element;
    return;
  }
  if (element.size > mostElement) uncertain('Matroska element too large');
  const data = source.at(element.at, element.size);
  if (element.id === ids.seekHead) seek(data, base, later);
  else if (element.id === ids.tags) found.tags.push(data);
  else {
    const name = element.id === ids.info ? 'info' : element.id === ids.tracks ? 'tracks' : 'chapters';
    if (found[name] !== undefined) uncertain('Matroska with a repeated element');
    found[name] = data;
  }
};

const seek = (data: Buffer, base: number, later: { id: number; at: number }[]): void => {
  for (const { id, data: entry } of ebmlChildren(data)) {
    if (id !== 0x4dbb) continue;
    let target = 0;
    let at = -1;
    for (const field of ebmlChildren(entry)) {
      if (field.id === 0x53ab) target = uint(field.data);
      else if (field.id === 0x53ac) at = uint(field.data);
    }
    if (at >= 0) later.push({ id: target, at: base + at });
  }
};

const infoOf = (data: Buffer): { duration: number; title?: string } => {
  let scale = 1e6;
  let duration = 0;
  let title: string | undefined;
  for (const { id, data: value } of ebmlChildren(data)) {
    if (id === 0x2ad7b1) scale = uint(value);
    else if (id === 0x4489) duration = float(value);
    else if (id === 0x7ba9) title = string(value);
  }
  if (!(duration > 0) || scale === 0 || !Number.isFinite(duration)) uncertain('Matroska without a duration');
  return { duration: seconds((duration * scale) / 1e9), ...(title === undefined ? {} : { title }) };
};

const tagged = (stream: Stream, list: TagLists['file'] | undefined): Stream => {
  if (list === undefined) return stream;
  const found = new Map(list.map(([name, value]) => [name.toLowerCase(), value]));
  put(stream, 'title', streamTitle(found.get('title') ?? stream.title, found.get('handler_name')));
  const rate = Number(found.get('bps') ?? found.get('bps-eng'));
  if (rate > 0 && stream.type !== 'subtitle') stream.bitrate = Math.round(rate);
  return stream;
};

const attached = (source: ByteSource, element: Element, from: number): Stream[] =>
  attachmentsOf(source, element).map((file, place) => {
    const stream = bareStream(from + place, file.isCover ? 'video' : 'attachment', file.codec);
    stream.cover = file.isCover;
    put(stream, 'title', cutText(file.description));
    put(stream, 'fileName', cutText(file.name));
    put(stream, 'mimeType', cutText(file.mimeType));
    return stream;
  });

/**
 * Level 1 elements of a Matroska file (RFC 9559, 5.1): segment information, tracks, cues and tags, found from the
 * front and through the seek head. A file whose header is not understood throws `Uncertain`.
 */
import { ebmlChildren, elementIn, float, uint } from '../../../lib/media/ebml.ts';
import type { Element } from '../../../lib/media/ebml.ts';
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';

export const CLUSTER = 0x1f43b675;
const IDS = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  cues: 0x1c53bb6b,
  tags: 0x1254c367,
  attachments: 0x1941a469,
} as const;

export interface MatroskaHeader {
  /** Position that cues count from, and where the segment ends. */
  base: number;
  end: number;
  /** The file ends before the segment does: it was not copied to its end. */
  isCut: boolean;
  /** Nanoseconds of a tick, and the duration in seconds; 0 where the file does not say. */
  scale: number;
  duration: number;
  tracks: Buffer;
  cues: Buffer | undefined;
  tags: readonly Buffer[];
  /** Position of the attached files. */
  attachments: Element | undefined;
  firstCluster: number;
}

const MAX_ELEMENT = 32 * 1024 * 1024;
const MAX_LEVEL_1 = 256;
const MAX_SEEKS = 32;
const NANOSECONDS = 1e9;

interface Found {
  info?: Buffer;
  tracks?: Buffer;
  cues?: Buffer;
  tags: Buffer[];
  attachments?: Element;
  seeks: { id: number; at: number }[];
}

export function readMatroskaHeader(source: ByteSource): MatroskaHeader {
  const top = elementIn(source, 0);
  if (top.id !== IDS.ebml || top.size < 0) uncertain('not Matroska');
  const segment = elementIn(source, top.at + top.size);
  if (segment.id !== IDS.segment) uncertain('Matroska without a segment');
  const end = segment.size < 0 ? source.size : Math.min(source.size, segment.at + segment.size);
  const found: Found = { tags: [], seeks: [] };
  const seen = new Set<number>();
  let firstCluster: number | undefined;
  for (let at = segment.at, count = 0; at < end && firstCluster === undefined; count += 1) {
    const element = elementIn(source, at);
    if (element.id === CLUSTER) firstCluster = at;
    else {
      if (element.size < 0 || count > MAX_LEVEL_1) uncertain('Matroska element without a size');
      seen.add(at);
      keep(source, element, found, segment.at);
      at = element.at + element.size;
    }
  }
  // The list grows while it is walked: a seek head may name another one.
  for (let i = 0; i < found.seeks.length && i < MAX_SEEKS; i += 1) {
    const seek = found.seeks[i];
    if (seek === undefined || seen.has(seek.at) || seek.at >= end) continue;
    seen.add(seek.at);
    const element = elementIn(source, seek.at);
    if (element.id === seek.id && element.size >= 0) keep(source, element, found, segment.at);
  }
  if (found.info === undefined || found.tracks === undefined || firstCluster === undefined)
    return uncertain('Matroska without tracks or clusters');
  return {
    base: segment.at,
    end,
    isCut: segment.size >= 0 && segment.at + segment.size > source.size,
    ...timesOf(found.info),
    tracks: found.tracks,
    cues: found.cues,
    tags: found.tags,
    attachments: found.attachments,
    firstCluster,
  };
}

function keep(source: ByteSource, element: Element, found: Found, base: number): void {
  if (element.id === IDS.attachments) found.attachments ??= element;
  const name =
    element.id === IDS.info
      ? 'info'
      : element.id === IDS.tracks
        ? 'tracks'
        : element.id === IDS.cues
          ? 'cues'
          : undefined;
  if (name === undefined && element.id !== IDS.seekHead && element.id !== IDS.tags) return;
  if (element.size > MAX_ELEMENT) uncertain('Matroska element too large');
  const data = source.at(element.at, element.size);
  if (element.id === IDS.seekHead) found.seeks.push(...seeksOf(data, base));
  else if (name === undefined) found.tags.push(data);
  else found[name] ??= data;
}

function seeksOf(data: Buffer, base: number): { id: number; at: number }[] {
  const seeks: { id: number; at: number }[] = [];
  for (const { id, data: entry } of ebmlChildren(data)) {
    if (id !== 0x4dbb || seeks.length >= MAX_SEEKS) continue;
    let target = 0;
    let at = -1;
    for (const field of ebmlChildren(entry)) {
      if (field.id === 0x53ab) target = uint(field.data);
      else if (field.id === 0x53ac) at = uint(field.data);
    }
    if (at >= 0) seeks.push({ id: target, at: base + at });
  }
  return seeks;
}

function timesOf(info: Buffer): { scale: number; duration: number } {
  let scale = 1e6;
  let ticks = 0;
  for (const { id, data } of ebmlChildren(info)) {
    if (id === 0x2ad7b1) scale = uint(data);
    else if (id === 0x4489) ticks = float(data);
  }
  if (!(scale > 0) || !(scale <= NANOSECONDS)) uncertain('Matroska time scale');
  const duration = (ticks * scale) / NANOSECONDS;
  return { scale, duration: Number.isFinite(duration) && duration > 0 ? duration : 0 };
}

const STATISTICS = 'BPS';

/** Average bits per second of tracks by their UID, where the muxer has written statistics. */
export function ratesOf(tags: readonly Buffer[]): Map<string, number> {
  const rates = new Map<string, number>();
  for (const { id, data } of tags.flatMap((each) => [...ebmlChildren(each)])) {
    if (id !== 0x7373) continue;
    let uid = '';
    let rate = 0;
    for (const field of ebmlChildren(data)) {
      if (field.id === 0x63c0)
        for (const target of ebmlChildren(field.data))
          if (target.id === 0x63c5) uid = target.data.toString('hex').replace(/^0+/, '');
      if (field.id === 0x67c8) rate = bitsOf(field.data) || rate;
    }
    if (uid !== '' && rate > 0) rates.set(uid, rate);
  }
  return rates;
}

function bitsOf(simple: Buffer): number {
  let name = '';
  let value = '';
  for (const { id, data } of ebmlChildren(simple)) {
    if (id === 0x45a3) name = data.toString('latin1');
    else if (id === 0x4487 && data.length < 24) value = data.toString('latin1');
  }
  const rate = name.startsWith(STATISTICS) ? Number(value.replace(/\0+$/, '')) : 0;
  return rate > 0 && Number.isFinite(rate) ? rate : 0;
}

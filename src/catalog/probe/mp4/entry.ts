/**
 * Reads the sample description (ISO/IEC 14496-12, 8.5.2; QuickTime) of one track: its codec, and the codec's own
 * record.
 *
 * Promise: fills the stream as ffmpeg reports it or throws `Uncertain`.
 */

import type { CodecAudio } from '../codec/audio.ts';
import { aac, dolby, dts, flac, mpegAudio, opus, pcm } from '../codec/audio.ts';
import { h264 } from '../codec/h264.ts';
import { hevc } from '../codec/hevc.ts';
import { av1, vp9Record } from '../codec/open-video.ts';
import type { ContainerFrame, CodecPicture } from '../codec/picture.ts';
import { dolbyVisionOf, transferName } from '../codec/picture.ts';
import type { Mp4Box } from '../../../lib/media/boxes.ts';
import { boxes, payload } from '../../../lib/media/boxes.ts';
import type { Samples } from './samples.ts';
import { places } from './samples.ts';
import { bitDepthOf, hdrOf, put, sampleAspectOf } from '../shape.ts';
import type { ByteSource } from '../../../lib/media/source.ts';
import { uncertain } from '../../../lib/media/source.ts';
import type { DolbyVision, Stream } from '../types.ts';

export interface Entry {
  type: string;
  /** The whole entry after its size and type. */
  box: Mp4Box;
}

/** Returns the one sample description of a track. */
export const entryOf = (source: ByteSource, stsd: Mp4Box): Entry => {
  const count = source.at(stsd.at + 4, 4).readUInt32BE(0);
  const found = [...boxes(source, stsd.at + 8, stsd.at + stsd.size)];
  const first = found[0];
  if (count !== 1 || first === undefined) return uncertain('several sample descriptions');
  return { type: first.type, box: first };
};

interface VideoBoxes {
  record?: Buffer;
  dolbyVision?: DolbyVision;
  isFullRange: boolean;
  transfer?: number;
  aspect?: readonly [number, number];
}

const videoBoxes = (source: ByteSource, entry: Entry, name: string): VideoBoxes => {
  const found: VideoBoxes = { isFullRange: false };
  for (const box of boxes(source, entry.box.at + 78, entry.box.at + entry.box.size)) {
    if (box.type === name) found.record = payload(source, box);
    else if (box.type === 'dvcC' || box.type === 'dvvC') found.dolbyVision = dolbyVisionOf(payload(source, box));
    else if (box.type === 'pasp' && box.size >= 8) {
      const data = payload(source, box);
      found.aspect = [data.readUInt32BE(0), data.readUInt32BE(4)];
    } else if (box.type === 'colr' && box.size >= 10) {
      const data = payload(source, box);
      const kind = data.toString('latin1', 0, 4);
      if (kind === 'nclx' || kind === 'nclc') found.transfer = data.readUInt16BE(6);
      if (kind === 'nclx') found.isFullRange = ((data[10] ?? 0) & 0x80) !== 0;
    } else if (box.type === 'fiel' && payload(source, box)[0] !== 1) uncertain('video in fields');
    else if (box.type === 'st3d' || box.type === 'sv3d') uncertain('stereo or spherical video');
  }
  return found;
};

const records: Readonly<Record<string, readonly [string, string]>> = {
  avc1: ['h264', 'avcC'],
  avc3: ['h264', 'avcC'],
  hvc1: ['hevc', 'hvcC'],
  hev1: ['hevc', 'hvcC'],
  dvh1: ['hevc', 'hvcC'],
  dvhe: ['hevc', 'hvcC'],
  av01: ['av1', 'av1C'],
  vp09: ['vp9', 'vpcC'],
};

/** `shown` is the size in the track header; its ratio to the coded size is the pixel's shape. */
export const videoEntry = (
  stream: Stream,
  source: ByteSource,
  entry: Entry,
  shown: { width: number; height: number },
): void => {
  const known = records[entry.type] ?? uncertain('video codec');
  const head = source.at(entry.box.at, 78);
  const found = videoBoxes(source, entry, known[1]);
  const frame: ContainerFrame = {
    width: head.readUInt16BE(24),
    height: head.readUInt16BE(26),
    isFullRange: found.isFullRange,
  };
  const record = found.record ?? uncertain('video without its record');
  const picture: CodecPicture =
    known[0] === 'h264'
      ? h264(record, frame)
      : known[0] === 'hevc'
        ? hevc(record, frame)
        : known[0] === 'av1'
          ? av1(record)
          : vp9Record(record, frame);
  stream.codec = known[0];
  put(stream, 'profile', picture.profile);
  put(stream, 'level', picture.level);
  stream.width = picture.width;
  stream.height = picture.height;
  stream.pixelFormat = picture.pixelFormat;
  stream.bitDepth = bitDepthOf(picture.pixelFormat);
  const transfer = picture.transfer ?? found.transfer ?? (known[0] === 'vp9' ? record[8] : undefined);
  put(stream, 'hdr', hdrOf(transferName(transfer), found.dolbyVision !== undefined));
  put(stream, 'dolbyVision', found.dolbyVision);
  const isResized =
    shown.width > 0 && shown.height > 0 && (shown.width !== frame.width || shown.height !== frame.height);
  if (found.aspect !== undefined && found.aspect[0] > 0 && found.aspect[1] > 0)
    put(stream, 'sampleAspect', sampleAspectOf(...found.aspect));
  else if (isResized)
    put(stream, 'sampleAspect', sampleAspectOf(frame.height * shown.width, frame.width * shown.height));
  else if (picture.aspect !== undefined) put(stream, 'sampleAspect', sampleAspectOf(...picture.aspect));
};

/** Layout tags of QuickTime's `chan` atom: mono and stereo. */
const chanLayouts: Readonly<Record<number, string>> = { 0x640001: 'mono', 0x650002: 'stereo' };
const plainPcm: Readonly<Record<string, readonly [string, number]>> = {
  sowt: ['pcm_s16le', 16],
  twos: ['pcm_s16be', 16],
};

/** `rate` is the average bit rate of the track's bytes, which ffmpeg reports if the codec states none. */
export const audioEntry = (
  stream: Stream,
  source: ByteSource,
  entry: Entry,
  samples: Samples,
  rate: () => number | undefined,
): void => {
  const head = source.at(entry.box.at, 28);
  const version = head.readUInt16BE(8);
  if (version > 1) uncertain('sound description of version 2');
  const inner = audioBoxes(source, entry.box.at + (version === 1 ? 44 : 28), entry.box.at + entry.box.size, 0);
  const frame = (): [Buffer, number] => {
    const first = places(source, samples, 1)[0] ?? uncertain('a track without samples');
    return [source.upTo(first.at, Math.min(first.size, 128)), first.size];
  };
  const [codec, sound] = soundOf(entry.type, head, inner, frame);
  stream.codec = codec;
  put(stream, 'profile', sound.profile);
  stream.channels = sound.channels;
  put(stream, 'layout', sound.layout);
  stream.sampleRate = sound.sampleRate;
  put(stream, 'bitrate', sound.bitrate ?? rate());
};

const soundOf = (
  type: string,
  head: Buffer,
  inner: Map<string, Buffer>,
  frame: () => [Buffer, number],
): [string, CodecAudio] => {
  if (type === 'mp4a') return fromEsds(inner.get('esds') ?? uncertain('sound without esds'), frame);
  if (type === 'ac-3') return ['ac3', dolby(...frame())];
  if (type === 'ec-3') return ['eac3', dolby(...frame())];
  if (type === 'dtsc') return ['dts', dts(...frame())];
  if (type === 'Opus') return ['opus', opus(opusHead(inner.get('dOps') ?? uncertain('Opus without dOps')))];
  if (type === 'fLaC') return ['flac', flac((inner.get('dfLa') ?? uncertain('FLAC without dfLa')).subarray(8))];
  const known = plainPcm[type];
  if (known === undefined || head.readUInt16BE(18) !== known[1]) return uncertain('sound codec');
  const chan = inner.get('chan') ?? uncertain('PCM without a channel layout');
  const layout = chanLayouts[chan.readUInt32BE(4)] ?? uncertain('PCM channel layout');
  return [known[0], { ...pcm(head.readUInt16BE(16), head.readUInt16BE(24), known[1]), layout }];
};

const audioBoxes = (source: ByteSource, from: number, to: number, depth: number): Map<string, Buffer> => {
  const found = new Map<string, Buffer>();
  for (const box of boxes(source, from, to)) {
    if (box.type === 'wave' && depth === 0) {
      for (const [type, data] of audioBoxes(source, box.at, box.at + box.size, 1)) found.set(type, data);
    } else if (box.type === 'chan' || box.type === 'SA3D') {
      found.set(box.type, payload(source, box));
    } else if (box.size <= 65536) found.set(box.type, payload(source, box));
  }
  return found;
};

/** Converts dOps (Opus in ISOBMFF, 4.3.2) to the order and byte order of OpusHead. */
const opusHead = (data: Buffer): Buffer => {
  if (data.length < 11) return uncertain('Opus without its header');
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head[8] = 1;
  head[9] = data[1] ?? 0;
  head[18] = data[10] ?? 0;
  return head;
};

/** Reads an elementary stream descriptor (ISO/IEC 14496-1, 7.2.6.5) with its version and flags. */
const fromEsds = (data: Buffer, frame: () => [Buffer, number]): [string, CodecAudio] => {
  let at = 4;
  const descriptor = (): { tag: number; at: number; size: number } => {
    const tag = data[at++] ?? 0;
    let size = 0;
    for (let i = 0; i < 4; i += 1) {
      const byte = data[at++] ?? 0;
      size = size * 128 + (byte & 0x7f);
      if ((byte & 0x80) === 0) break;
    }
    return { tag, at, size };
  };
  if (descriptor().tag !== 3) uncertain('esds');
  const flags = data[at + 2] ?? 0;
  if (flags >> 5 !== 0) uncertain('esds with dependencies');
  at += 3;
  if (descriptor().tag !== 4) uncertain('esds');
  if (data[at] === 0x69 || data[at] === 0x6b) return ['mp3', mpegAudio(frame()[0], 3)];
  if (data[at] !== 0x40) uncertain('mp4a with another codec');
  at += 13;
  const specific = descriptor();
  if (specific.tag !== 5) uncertain('esds');
  return ['aac', aac(data.subarray(specific.at, specific.at + specific.size))];
};

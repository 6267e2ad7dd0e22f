/**
 * Converts sample entries of MP4 and QuickTime for fMP4. They stay unchanged, except `hev1` with all its parameter
 * sets, which becomes `hvc1`, and QuickTime's sound descriptions, which lose their extension.
 */
import { readAacConfig } from '../../../lib/media/codec/audio.ts';
import type { Colour } from '../../../lib/media/codec/vui.ts';
import { readDolbyVision } from '../../../lib/media/codec/dolby-vision.ts';
import { type Mp4Box, boxes, payload } from '../../../lib/media/boxes.ts';
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { box as makeBox } from '../../cmaf/boxes.ts';
import { audioSampleEntry } from '../../cmaf/entries.ts';
import {
  av1Name,
  avcName,
  dolbyVisionName,
  hasParameterSets,
  hevcName,
  isDolbyVisionOnly,
  supplementalOf,
  vp9Name,
} from '../codec/video.ts';
import { nalFormat, type NalFormat } from '../codec/idr.ts';

export interface SampleEntry {
  codec: string;
  codecs?: string;
  supplemental?: string;
  bytes: Buffer;
  /** Size of the pictures. */
  width?: number;
  height?: number;
  channels?: number;
  /** How the frames are divided into NAL units. */
  nal?: NalFormat | undefined;
}

const VISUAL_HEAD = 78;
const MAX_ENTRY = 64 * 1024;

/** Returns the one entry of stsd. Undefined for a codec that fMP4 does not carry; throws for several entries. */
export function sampleEntryOf(source: ByteSource, stsd: Mp4Box, kind: 'video' | 'audio'): SampleEntry | undefined {
  if (source.at(stsd.at + 4, 4).readUInt32BE(0) !== 1) return uncertain('several sample descriptions');
  const [first] = boxes(source, stsd.at + 8, stsd.at + stsd.size);
  if (first === undefined) return uncertain('no sample description');
  const body = Buffer.from(payload(source, first, MAX_ENTRY));
  return kind === 'video' ? videoEntry(source, first, body) : soundEntry(source, first, body);
}

/** Whether the samples are encrypted (ISO/IEC 23001-7): the description is hidden behind another name. */
export function isProtected(source: ByteSource, stsd: Mp4Box): boolean {
  const [first] = boxes(source, stsd.at + 8, stsd.at + stsd.size);
  return first !== undefined && ['encv', 'enca', 'drmi', 'drms'].includes(first.type);
}

function childBoxes(source: ByteSource, entry: Mp4Box, skip: number): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  // Files of QuickTime may end an entry with four zero bytes.
  for (const box of boxes(source, entry.at + skip, entry.at + entry.size)) {
    if (!found.has(box.type) && box.size <= MAX_ENTRY)
      found.set(box.type, Buffer.from(payload(source, box, MAX_ENTRY)));
  }
  return found;
}

function videoEntry(source: ByteSource, entry: Mp4Box, body: Buffer): SampleEntry | undefined {
  const children = childBoxes(source, entry, VISUAL_HEAD);
  const size = { width: body.readUInt16BE(24), height: body.readUInt16BE(26) };
  const named = nameOf(entry.type, children);
  if (named === undefined) return undefined;
  const { type, ...facts } = named;
  return { ...facts, ...size, bytes: makeBox(type, body) };
}

type Named = Omit<SampleEntry, 'bytes'> & { type: string };

function nameOf(type: string, children: ReadonlyMap<string, Buffer>): Named | undefined {
  const vision = children.get('dvcC') ?? children.get('dvvC');
  const avcC = children.get('avcC');
  const hvcC = children.get('hvcC');
  const av1C = children.get('av1C');
  const vpcC = children.get('vpcC');
  if (['avc1', 'avc3', 'dva1', 'dvav'].includes(type) && avcC)
    return {
      type,
      codec: 'h264',
      codecs: avcName(type.startsWith('avc') ? type : 'avc1', avcC),
      nal: nalFormat('h264', avcC),
    };
  if (['hvc1', 'hev1', 'dvh1', 'dvhe'].includes(type) && hvcC)
    return {
      ...hevc(type, hvcC, vision),
      codec: 'hevc',
      nal: nalFormat('hevc', hvcC),
    };
  if (type === 'av01' && av1C) return { type, codec: 'av1', codecs: av1Name(av1C, colourOf(children.get('colr'))) };
  if (type === 'vp09' && vpcC) return { type, codec: 'vp9', codecs: vp9Name(vpcC.subarray(4)) };
  if (type === 'mp4v' && children.has('esds')) return { type, codec: 'mpeg4', codecs: 'mp4v.20.240' };
  return undefined;
}

function hevc(
  type: string,
  hvcC: Buffer,
  record: Buffer | undefined,
): { type: string; codecs: string; supplemental?: string } {
  const outOfBand: Readonly<Record<string, string>> = { hev1: 'hvc1', dvhe: 'dvh1' };
  const name = hasParameterSets(hvcC) ? (outOfBand[type] ?? type) : type;
  const vision = record && readDolbyVision(record);
  const base = name === 'dvh1' ? 'hvc1' : name === 'dvhe' ? 'hev1' : name;
  if (vision === undefined) return { type: name, codecs: hevcName(base, hvcC) };
  if (isDolbyVisionOnly(vision)) return { type: name, codecs: dolbyVisionName(vision, base) };
  const supplemental = supplementalOf(vision);
  return { type: name, codecs: hevcName(base, hvcC), ...(supplemental !== undefined && { supplemental }) };
}

function colourOf(colr: Buffer | undefined): Colour | undefined {
  if (colr === undefined || colr.length < 11 || colr.toString('latin1', 0, 4) !== 'nclx') return undefined;
  return {
    primaries: colr.readUInt16BE(4),
    transfer: colr.readUInt16BE(6),
    matrix: colr.readUInt16BE(8),
    isFullRange: ((colr[10] ?? 0) & 0x80) !== 0,
  };
}

/** Sound that can be copied: entry, codec, the box of its configuration. */
const SOUNDS: Readonly<Record<string, readonly [codec: string, box: string, name: string]>> = {
  'ac-3': ['ac3', 'dac3', 'ac-3'],
  'ec-3': ['eac3', 'dec3', 'ec-3'],
  Opus: ['opus', 'dOps', 'Opus'],
  fLaC: ['flac', 'dfLa', 'fLaC'],
  alac: ['alac', 'alac', 'alac'],
  dtsc: ['dts', 'ddts', 'dtsc'],
};
/** Bytes of a sound description of each version of QuickTime, after the box header. */
const SOUND_HEADS = [28, 44, 64];

function soundEntry(source: ByteSource, entry: Mp4Box, body: Buffer): SampleEntry | undefined {
  const version = body.readUInt16BE(8);
  const head = SOUND_HEADS[version];
  if (head === undefined) return uncertain('a sound description of an unknown version');
  const outer = childBoxes(source, entry, head);
  const wave = version > 0 ? waveBoxes(source, entry, head) : new Map<string, Buffer>();
  const children = new Map([...wave, ...outer]);
  const shape =
    version === 2
      ? { channels: body.readUInt32BE(40), rate: Math.round(body.readDoubleBE(32)) }
      : { channels: body.readUInt16BE(16), rate: body.readUInt16BE(24) };
  const described = describeSound(entry.type, children);
  if (described === undefined) return undefined;
  const [codec, codecs, config, channels] = described;
  const bits = entry.type === 'fLaC' ? flacBits(children.get('dfLa')) : body.readUInt16BE(18);
  const isRight = version === 0 && entry.type !== '.mp3' && (entry.type !== 'fLaC' || bits === body.readUInt16BE(18));
  const written = {
    channels: shape.channels,
    rate: shape.rate,
    bits: entry.type === 'alac' || entry.type === 'fLaC' ? bits : 16,
  };
  const bytes = isRight
    ? makeBox(entry.type, body)
    : audioSampleEntry(
        entry.type,
        written,
        config.map((type) => makeBox(type, children.get(type) ?? Buffer.alloc(0))),
      );
  return { codec, codecs, bytes, channels: channels || shape.channels };
}

function waveBoxes(source: ByteSource, entry: Mp4Box, head: number): Map<string, Buffer> {
  for (const box of boxes(source, entry.at + head, entry.at + entry.size))
    if (box.type === 'wave') return childBoxes(source, box, 0);
  return new Map();
}

/** Chromium refuses FLAC whose sample size differs from STREAMINFO's. */
function flacBits(dfLa: Buffer | undefined): number {
  return dfLa === undefined || dfLa.length < 26 ? 16 : ((dfLa.readUInt16BE(20) >> 4) & 31) + 1;
}

function describeSound(
  type: string,
  children: ReadonlyMap<string, Buffer>,
): [codec: string, codecs: string, boxes: string[], channels: number] | undefined {
  const esds = children.get('esds');
  if (type === 'mp4a' && esds) {
    const { objectType, config } = decoderOf(esds);
    if (objectType === 0x69 || objectType === 0x6b) return ['mp3', 'mp4a.6B', ['esds'], 0];
    if (objectType !== 0x40 || config === undefined) return undefined;
    const { objectType: audioType, channels } = readAacConfig(config);
    return ['aac', `mp4a.40.${audioType}`, ['esds'], channels];
  }
  const known = SOUNDS[type];
  return known && children.has(known[1]) ? [known[0], known[2], [known[1]], 0] : undefined;
}

/** Reads an elementary stream descriptor (ISO/IEC 14496-1, 7.2.6.5) with its version and flags. */
function decoderOf(esds: Buffer): { objectType: number; config?: Buffer } {
  let at = 4;
  const descriptor = (tag: number): number => {
    if (esds[at++] !== tag) uncertain('esds');
    let size = 0;
    for (let i = 0; i < 4; i += 1) {
      const byte = esds[at++] ?? 0;
      size = size * 128 + (byte & 0x7f);
      if ((byte & 0x80) === 0) break;
    }
    return size;
  };
  descriptor(3);
  const flags = (esds[at + 2] ?? 0) >> 5;
  if (flags !== 0) uncertain('esds with dependencies');
  at += 3;
  descriptor(4);
  const objectType = esds[at] ?? 0;
  at += 13;
  if (esds[at] !== 5) return { objectType };
  const size = descriptor(5);
  return { objectType, config: esds.subarray(at, at + size) };
}

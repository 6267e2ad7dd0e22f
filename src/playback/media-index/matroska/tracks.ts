/** Track entries of Matroska (RFC 9559, 5.1.4): the fields that copying needs. */
import { ebmlChildren, float, string, uint } from '../../../lib/media/ebml.ts';
import { uncertain } from '../../../lib/media/source.ts';
import type { Colour } from '../../../lib/media/codec/vui.ts';

export interface TrackEntry {
  number: number;
  uid: string;
  /** Matroska's number: 1 is video, 2 audio, 17 subtitles. */
  type: number;
  codec: string;
  private: Buffer;
  /** Nanoseconds. */
  delay: number;
  frameDuration: number;
  /** Bytes taken from the front of each frame. */
  stripped: Buffer;
  /** Frames are compressed or encrypted. */
  isSealed: boolean;
  /** Times are scaled by a factor of the track's own, which no muxer writes today. */
  isScaled: boolean;
  video: { width: number; height: number; displayWidth: number; displayHeight: number; displayUnit: number };
  colour: Colour | undefined;
  mastering: Map<number, number>;
  maxContentLight: number;
  maxFrameLight: number;
  audio: { rate: number; channels: number };
  /** Body of dvcC or dvvC. */
  dolbyVision: Buffer | undefined;
}

const MAX_TRACKS = 100;
const NONE: Buffer = Buffer.alloc(0);

/** Returns the entries in the order of the file, without kinds that ffmpeg passes over. */
export function trackEntries(data: Buffer): TrackEntry[] {
  const tracks: TrackEntry[] = [];
  for (const { id, data: entry } of ebmlChildren(data)) {
    if (id !== 0xae) continue;
    const track = trackOf(entry);
    if ([3, 0x10, 0x12, 0x20].includes(track.type)) continue;
    if (tracks.push(track) > MAX_TRACKS) uncertain('too many Matroska tracks');
  }
  return tracks;
}

function trackOf(entry: Buffer): TrackEntry {
  const track: TrackEntry = {
    number: 0,
    uid: '',
    type: 0,
    codec: '',
    private: NONE,
    delay: 0,
    frameDuration: 0,
    stripped: NONE,
    isSealed: false,
    isScaled: false,
    video: { width: 0, height: 0, displayWidth: 0, displayHeight: 0, displayUnit: 0 },
    colour: undefined,
    mastering: new Map(),
    maxContentLight: 0,
    maxFrameLight: 0,
    audio: { rate: 8000, channels: 1 },
    dolbyVision: undefined,
  };
  for (const { id, data } of ebmlChildren(entry)) readField(track, id, data);
  return track;
}

function readField(track: TrackEntry, id: number, data: Buffer): void {
  if (id === 0xd7) track.number = uint(data);
  else if (id === 0x73c5) track.uid = data.toString('hex').replace(/^0+/, '');
  else if (id === 0x83) track.type = uint(data);
  else if (id === 0x86) track.codec = string(data);
  else if (id === 0x63a2) track.private = data;
  else if (id === 0x56aa) track.delay = uint(data);
  else if (id === 0x23e383) track.frameDuration = uint(data);
  else if (id === 0x23314f) track.isScaled = float(data) !== 1;
  else if (id === 0xe0) readVideo(track, data);
  else if (id === 0xe1) readAudio(track, data);
  else if (id === 0x6d80) readEncodings(track, data);
  else if (id === 0x41e4) readMapping(track, data);
}

function readVideo(track: TrackEntry, data: Buffer): void {
  const { video } = track;
  for (const { id, data: value } of ebmlChildren(data)) {
    if (id === 0xb0) video.width = uint(value);
    else if (id === 0xba) video.height = uint(value);
    else if (id === 0x54b0) video.displayWidth = uint(value);
    else if (id === 0x54ba) video.displayHeight = uint(value);
    else if (id === 0x54b2) video.displayUnit = uint(value);
    else if (id === 0x55b0) readColour(track, value);
  }
}

function readColour(track: TrackEntry, data: Buffer): void {
  const colour: Colour = { primaries: 2, transfer: 2, matrix: 2, isFullRange: false };
  for (const { id, data: value } of ebmlChildren(data)) {
    if (id === 0x55b1) colour.matrix = uint(value);
    else if (id === 0x55b9) colour.isFullRange = uint(value) === 2;
    else if (id === 0x55ba) colour.transfer = uint(value);
    else if (id === 0x55bb) colour.primaries = uint(value);
    else if (id === 0x55bc) track.maxContentLight = uint(value);
    else if (id === 0x55bd) track.maxFrameLight = uint(value);
    else if (id === 0x55d0) for (const field of ebmlChildren(value)) track.mastering.set(field.id, float(field.data));
  }
  if (Math.max(colour.primaries, colour.transfer, colour.matrix) < 256) track.colour = colour;
}

function readAudio({ audio }: TrackEntry, data: Buffer): void {
  for (const { id, data: value } of ebmlChildren(data)) {
    if (id === 0xb5) audio.rate = Math.round(float(value));
    else if (id === 0x9f) audio.channels = uint(value);
  }
}

/** Header stripping is undone; any other encoding of frames seals them. */
function readEncodings(track: TrackEntry, data: Buffer): void {
  for (const encoding of ebmlChildren(data)) {
    let scope = 1;
    let algorithm = 0;
    let settings = NONE;
    let isCompression = false;
    for (const { id, data: value } of ebmlChildren(encoding.data)) {
      if (id === 0x5032) scope = uint(value);
      else if (id === 0x5034) {
        isCompression = true;
        for (const field of ebmlChildren(value)) {
          if (field.id === 0x4254) algorithm = uint(field.data);
          else if (field.id === 0x4255) settings = field.data;
        }
      }
    }
    const isStripping = isCompression && algorithm === 3 && scope === 1 && track.stripped.length === 0;
    if (isStripping) track.stripped = settings;
    else track.isSealed = true;
  }
}

/** Block addition mappings of Dolby Vision: the id of the type is `dvcC` or `dvvC`. */
function readMapping(track: TrackEntry, data: Buffer): void {
  let type = 0;
  let record: Buffer | undefined;
  for (const { id, data: value } of ebmlChildren(data)) {
    if (id === 0x41e7) type = uint(value);
    else if (id === 0x41ed) record = value;
  }
  if (type === 0x64766343 || type === 0x64767643) track.dolbyVision = record;
}

/**
 * Reads Matroska's Tracks element (RFC 9559, 5.1.4): its entries, and the stream of each, completed by the codec's own
 * header.
 *
 * Promise: `streamOf` returns what ffmpeg reports or throws `Uncertain`; it reads a track's first frame only if no
 * header has the facts.
 */

import { av1, vp8Frame, vp9Frame } from '../codec/open-video.ts';
import type { CodecAudio } from '../codec/audio.ts';
import { aac, dolby, dts, flac, mpegAudio, opus, pcm, trueHd, vorbis } from '../codec/audio.ts';
import { h264 } from '../codec/h264.ts';
import { hevc } from '../codec/hevc.ts';
import type { ContainerFrame, CodecPicture } from '../codec/picture.ts';
import { dolbyVisionOf, transferName } from '../codec/picture.ts';
import { ebmlChildren, float, string, uint } from '../../../lib/media/ebml.ts';
import { reduced } from './rational.ts';
import { bareStream, bitDepthOf, hdrOf, languageOf, put, rounded, sampleAspectOf, streamTitle } from '../shape.ts';
import { uncertain } from '../../../lib/media/source.ts';
import type { DolbyVision, Stream, StreamType } from '../types.ts';

export interface ProbedTrack {
  number: number;
  uid: string;
  type: StreamType;
  codec: string;
  private: Buffer;
  language: string;
  languageTag?: string;
  name?: string;
  flags: { default: boolean; forced: boolean; hearingImpaired: boolean; commentary: boolean; original: boolean };
  frameNanoseconds: number;
  /** Bytes that header stripping removed from the front of every frame. */
  stripped: Buffer;
  /** Whether frames are compressed or encrypted, so that they cannot be read. */
  isSealed: boolean;
  isPrivateSealed: boolean;
  dolbyVision?: DolbyVision;
  video: VideoSettings;
  audio: { sampleRate: number; outputRate: number; channels: number; bits: number };
}

interface VideoSettings {
  width: number;
  height: number;
  displayWidth: number;
  displayHeight: number;
  displayUnit: number;
  interlaced: number;
  isOdd: boolean;
  range: number;
  transfer: number;
}

export interface FirstFrame {
  /** The start of the frame. */
  bytes: Buffer;
  /** Bytes of the whole frame. */
  size: number;
}

const types: Readonly<Record<number, StreamType>> = { 1: 'video', 2: 'audio', 17: 'subtitle' };
const nothing = Buffer.alloc(0);

/** Reads one TrackEntry; undefined for kinds that ffmpeg ignores. */
export const trackOf = (entry: Buffer): ProbedTrack | undefined => {
  const track: ProbedTrack = {
    number: 0,
    uid: '',
    type: 'data',
    codec: '',
    private: nothing,
    language: 'eng',
    flags: { default: true, forced: false, hearingImpaired: false, commentary: false, original: false },
    frameNanoseconds: 0,
    stripped: nothing,
    isSealed: false,
    isPrivateSealed: false,
    video: {
      width: 0,
      height: 0,
      displayWidth: 0,
      displayHeight: 0,
      displayUnit: 0,
      interlaced: 0,
      isOdd: false,
      range: 0,
      transfer: 2,
    },
    audio: { sampleRate: 8000, outputRate: 0, channels: 1, bits: 0 },
  };
  let kind = 0;
  for (const { id, data } of ebmlChildren(entry)) {
    if (id === 0x83) kind = uint(data);
    else readEntry(track, id, data);
  }
  const type = types[kind];
  if (type === undefined)
    return kind === 3 || kind === 0x10 || kind === 0x12 || kind === 0x20 ? undefined : uncertain('Matroska track type');
  if (track.codec === '') uncertain('Matroska track without a codec');
  track.type = type;
  return track;
};

const readEntry = (track: ProbedTrack, id: number, data: Buffer): void => {
  if (id === 0xd7) track.number = uint(data);
  else if (id === 0x73c5) track.uid = data.toString('hex').replace(/^0+/, '');
  else if (id === 0x86) track.codec = string(data);
  else if (id === 0x63a2) track.private = data;
  else if (id === 0x22b59c) track.language = string(data);
  else if (id === 0x22b59d) track.languageTag = string(data);
  else if (id === 0x536e) track.name = string(data);
  else if (id === 0x88) track.flags.default = uint(data) !== 0;
  else if (id === 0x55aa) track.flags.forced = uint(data) !== 0;
  else if (id === 0x55ab) track.flags.hearingImpaired = uint(data) !== 0;
  else if (id === 0x55ae) track.flags.original = uint(data) !== 0;
  else if (id === 0x55af) track.flags.commentary = uint(data) !== 0;
  else if (id === 0x23e383) track.frameNanoseconds = uint(data);
  else if (id === 0xe0) readVideo(track.video, data);
  else if (id === 0xe1) readAudio(track.audio, data);
  else if (id === 0x6d80) readEncodings(track, data);
  else if (id === 0x41e4) readAddition(track, data);
};

const readVideo = (video: VideoSettings, data: Buffer): void => {
  for (const { id, data: value } of ebmlChildren(data)) {
    if (id === 0xb0) video.width = uint(value);
    else if (id === 0xba) video.height = uint(value);
    else if (id === 0x54b0) video.displayWidth = uint(value);
    else if (id === 0x54ba) video.displayHeight = uint(value);
    else if (id === 0x54b2) video.displayUnit = uint(value);
    else if (id === 0x9a) video.interlaced = uint(value);
    else if ((id === 0x53b8 && uint(value) !== 0) || id === 0x7670) video.isOdd = true;
    else if (id === 0x55b0) {
      for (const colour of ebmlChildren(value)) {
        if (colour.id === 0x55b9) video.range = uint(colour.data);
        else if (colour.id === 0x55ba) video.transfer = uint(colour.data);
      }
    }
  }
};

const readAudio = (audio: ProbedTrack['audio'], data: Buffer): void => {
  for (const { id, data: value } of ebmlChildren(data)) {
    if (id === 0xb5) audio.sampleRate = float(value);
    else if (id === 0x78b5) audio.outputRate = float(value);
    else if (id === 0x9f) audio.channels = uint(value);
    else if (id === 0x6264) audio.bits = uint(value);
  }
};

const readEncodings = (track: ProbedTrack, data: Buffer): void => {
  for (const encoding of ebmlChildren(data)) {
    let scope = 1;
    let isStripping = false;
    let stripped: Buffer = nothing;
    for (const { id, data: value } of ebmlChildren(encoding.data)) {
      if (id === 0x5032) scope = uint(value);
      else if (id === 0x5034) {
        for (const compression of ebmlChildren(value)) {
          if (compression.id === 0x4254) isStripping = uint(compression.data) === 3;
          else if (compression.id === 0x4255) stripped = compression.data;
        }
      }
    }
    if ((scope & 2) !== 0) track.isPrivateSealed = true;
    if (isStripping && track.stripped.length === 0) track.stripped = stripped;
    else track.isSealed = true;
  }
};

const readAddition = (track: ProbedTrack, data: Buffer): void => {
  let isDolbyVision = false;
  let record: Buffer = nothing;
  for (const { id, data: value } of ebmlChildren(data)) {
    if (id === 0x41e7) isDolbyVision = uint(value) === 0x64766343 || uint(value) === 0x64767643;
    else if (id === 0x41ed) record = value;
  }
  if (isDolbyVision) track.dolbyVision = dolbyVisionOf(record);
};

const subtitles: Readonly<Record<string, string>> = {
  'S_TEXT/UTF8': 'subrip',
  'S_TEXT/ASCII': 'subrip',
  'S_TEXT/ASS': 'ass',
  'S_TEXT/SSA': 'ass',
  S_ASS: 'ass',
  S_SSA: 'ass',
  'S_TEXT/WEBVTT': 'webvtt',
  'D_WEBVTT/SUBTITLES': 'webvtt',
  'D_WEBVTT/CAPTIONS': 'webvtt',
  'S_HDMV/PGS': 'hdmv_pgs_subtitle',
  S_VOBSUB: 'dvd_subtitle',
  S_DVBSUB: 'dvb_subtitle',
  'S_HDMV/TEXTST': 'hdmv_text_subtitle',
};

/** `first` returns the start of the track's first frame, or throws. */
export const streamOf = (track: ProbedTrack, index: number, first: () => FirstFrame): Stream => {
  if (track.isPrivateSealed && track.type !== 'subtitle') uncertain('Matroska with sealed set-up data');
  const stream = bareStream(index, track.type, 'unknown');
  Object.assign(stream, track.flags);
  put(stream, 'language', languageOf(track.language));
  put(stream, 'languageTag', languageOf(track.languageTag));
  put(stream, 'title', streamTitle(track.name, undefined));
  if (track.type === 'subtitle') stream.codec = subtitles[track.codec] ?? uncertain('Matroska subtitle codec');
  else if (track.type === 'video') videoInto(stream, track, first);
  else audioInto(stream, track, first);
  return stream;
};

const pictureOf = (track: ProbedTrack, first: () => FirstFrame): [string, CodecPicture] => {
  const { width, height, range } = track.video;
  const frame: ContainerFrame = { width, height, isFullRange: range === 2 };
  if (track.codec === 'V_MPEG4/ISO/AVC') return ['h264', h264(track.private, frame)];
  if (track.codec === 'V_MPEGH/ISO/HEVC') return ['hevc', hevc(track.private, frame)];
  if (track.codec === 'V_AV1') return ['av1', av1(track.private)];
  if (track.codec === 'V_VP9') return ['vp9', vp9Frame(first().bytes)];
  if (track.codec === 'V_VP8') return ['vp8', vp8Frame(first().bytes)];
  return uncertain('Matroska video codec');
};

const videoInto = (stream: Stream, track: ProbedTrack, first: () => FirstFrame): void => {
  const settings = track.video;
  if (settings.isOdd || settings.interlaced === 1) uncertain('Matroska video in fields, in stereo or projected');
  if (track.frameNanoseconds === 0) uncertain('Matroska video without a frame duration');
  const [codec, picture] = pictureOf(track, first);
  stream.codec = codec;
  put(stream, 'profile', picture.profile);
  put(stream, 'level', picture.level);
  stream.width = picture.width;
  stream.height = picture.height;
  stream.pixelFormat = picture.pixelFormat;
  stream.bitDepth = bitDepthOf(picture.pixelFormat);
  put(stream, 'hdr', hdrOf(transferName(picture.transfer ?? settings.transfer), track.dolbyVision !== undefined));
  put(stream, 'dolbyVision', track.dolbyVision);
  const [frames, per] = reduced(1e9, track.frameNanoseconds, 30000);
  if (frames > 0 && per > 0) stream.frameRate = rounded(frames / per);
  if (settings.displayUnit < 4) {
    const wide = settings.height * (settings.displayWidth > 0 ? settings.displayWidth : settings.width);
    const high = settings.width * (settings.displayHeight > 0 ? settings.displayHeight : settings.height);
    put(stream, 'sampleAspect', sampleAspectOf(...reduced(wide, high, 255)));
  } else if (picture.aspect !== undefined) put(stream, 'sampleAspect', sampleAspectOf(...picture.aspect));
};

const soundOf = (track: ProbedTrack, first: () => FirstFrame): [string, CodecAudio] => {
  const { codec } = track;
  if (codec === 'A_AAC') return ['aac', aac(track.private)];
  if (codec === 'A_AC3') return ['ac3', frameSound(first, dolby)];
  if (codec === 'A_EAC3') return ['eac3', frameSound(first, dolby)];
  if (codec === 'A_DTS') return ['dts', frameSound(first, dts)];
  if (codec === 'A_TRUEHD') return ['truehd', frameSound(first, trueHd)];
  if (codec === 'A_MPEG/L3') return ['mp3', mpegAudio(first().bytes, 3)];
  if (codec === 'A_MPEG/L2') return ['mp2', mpegAudio(first().bytes, 2)];
  if (codec === 'A_OPUS') return ['opus', opus(track.private)];
  if (codec === 'A_VORBIS') return ['vorbis', vorbis(track.private)];
  if (codec === 'A_FLAC') return ['flac', flacOf(track.private)];
  if (codec.startsWith('A_PCM/')) return pcmOf(track);
  return uncertain('Matroska audio codec');
};

const frameSound = (first: () => FirstFrame, read: (bytes: Buffer, whole: number) => CodecAudio): CodecAudio => {
  const { bytes, size } = first();
  return read(bytes, size);
};

const flacOf = (data: Buffer): CodecAudio => {
  if (data.toString('latin1', 0, 4) !== 'fLaC') uncertain('FLAC without its header');
  return flac(data.subarray(8));
};

const pcmOf = (track: ProbedTrack): [string, CodecAudio] => {
  const { channels, sampleRate, bits } = track.audio;
  const sound = pcm(channels, sampleRate, bits);
  if (track.codec === 'A_PCM/INT/LIT' && bits === 8) return ['pcm_u8', sound];
  if (track.codec === 'A_PCM/INT/LIT' && [16, 24, 32].includes(bits)) return [`pcm_s${bits}le`, sound];
  if (track.codec === 'A_PCM/INT/BIG' && [16, 24, 32].includes(bits)) return [`pcm_s${bits}be`, sound];
  if (track.codec === 'A_PCM/FLOAT/IEEE' && [32, 64].includes(bits)) return [`pcm_f${bits}le`, sound];
  return uncertain('Matroska PCM');
};

const audioInto = (stream: Stream, track: ProbedTrack, first: () => FirstFrame): void => {
  const [codec, sound] = soundOf(track, first);
  stream.codec = codec;
  put(stream, 'profile', sound.profile);
  stream.channels = sound.channels;
  put(stream, 'layout', sound.layout);
  stream.sampleRate = Math.round(sound.sampleRate);
  put(stream, 'bitrate', sound.bitrate);
};

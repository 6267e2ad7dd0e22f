/**
 * Reads audio codecs from their set-up records and first frames, in ffmpeg's terms: AAC, AC-3 and E-AC-3, TrueHD, DTS
 * core, Opus, FLAC, Vorbis, MPEG audio, PCM.
 *
 * Promise: returns the values that ffmpeg reports, or throws `Uncertain`. Spectral band replication, object audio and
 * lossless extensions are found only by decoding, so they are left to ffprobe.
 */
import {
  readAacConfig,
  readDtsCore,
  readFlacInfo,
  readMpegAudioFrame,
  readOpusHead,
} from '../../../lib/media/codec/audio.ts';
import { readAc3Frame, readEac3Frame } from '../../../lib/media/codec/dolby.ts';
import { uncertain } from '../../../lib/media/source.ts';

export interface CodecAudio {
  profile?: string;
  channels: number;
  layout?: string;
  sampleRate: number;
  bitrate?: number;
}

const aacLayouts = ['', 'mono', 'stereo', '3.0', '4.0', '5.0', '5.1'];
/** Sample rate up to which decoders look for SBR unless it is ruled out. */
const MAX_RATE_WITH_SBR = 24_000;
/** Bytes of a configuration with an extension for SBR. */
const EXTENDED_LENGTH = 5;

/** `config` is an AudioSpecificConfig. */
export const aac = (config: Buffer): CodecAudio => {
  if (config.length < 2) uncertain('AAC without its configuration');
  const { objectType, rate, channels, frameSize, isExtended, hasSbr } = readAacConfig(config);
  if (objectType !== 2) uncertain('AAC other than LC');
  const layout = channels > 0 ? aacLayouts[channels] : undefined;
  if (layout === undefined) return uncertain('AAC configuration');
  if (frameSize !== 1024 || isExtended) uncertain('AAC with 960 samples or an extension');
  // At a low rate SBR may be present without being signalled, which only decoding shows.
  if (hasSbr !== false && (config.length >= EXTENDED_LENGTH || rate <= MAX_RATE_WITH_SBR))
    uncertain('AAC that may replicate its band');
  return { profile: 'LC', channels, layout, sampleRate: rate };
};

const ac3Layouts = ['stereo', 'mono', 'stereo', '3.0', '3.0(back)', '4.0', 'quad(side)', '5.0(side)'];
const ac3WithLow: Readonly<Record<number, string>> = { 2: '2.1', 3: '3.1', 5: '4.1', 7: '5.1(side)' };

const dolbyLayout = ({
  layout,
  lfe,
  channels,
}: {
  layout: number;
  lfe: number;
  channels: number;
}): { channels: number; layout: string } => ({
  channels,
  layout: (lfe > 0 ? ac3WithLow[layout] : ac3Layouts[layout]) ?? uncertain('AC-3 channel layout'),
});

/** `first` is the start of the first frame. `whole` is the length of its packet. */
export const dolby = (first: Buffer, whole: number): CodecAudio => {
  if (first.length < 16) uncertain('AC-3 frame');
  const version = (first[5] ?? 0) >> 3;
  if (version <= 8) return ac3(first, whole);
  return version > 10 && version <= 16 ? eac3(first, whole) : uncertain('AC-3 of another kind');
};

const ac3 = (first: Buffer, whole: number): CodecAudio => {
  const frame = readAc3Frame(first);
  // Bytes after the frame may be dependent substreams with further channels.
  if (whole > (frame.bitrate * 192) / frame.rate + 4) uncertain('AC-3 with further substreams');
  return { ...dolbyLayout(frame), sampleRate: frame.rate, bitrate: frame.bitrate };
};

const eac3 = (first: Buffer, whole: number): CodecAudio => {
  const frame = readEac3Frame(first);
  if (frame.isDependent || frame.substream !== 0) uncertain('E-AC-3 that starts within a programme');
  if (frame.isReducedRate) return uncertain('E-AC-3 at a reduced rate');
  if (whole > frame.size) uncertain('E-AC-3 with further substreams');
  return {
    ...dolbyLayout(frame),
    sampleRate: frame.rate,
    bitrate: Math.floor((8 * frame.size * frame.rate) / (frame.blocks * 256)),
  };
};

const dtsBitrates = [
  32, 56, 64, 96, 112, 128, 192, 224, 256, 320, 384, 448, 512, 576, 640, 768, 960, 1024, 1152, 1280, 1344, 1408, 1411.2,
  1472, 1536,
];
const dtsLayouts: Readonly<Record<string, [number, string]>> = {
  '0-': [1, 'mono'],
  '2-': [2, 'stereo'],
  '9-': [5, '5.0(side)'],
  '9+': [6, '5.1(side)'],
  '2+': [3, '2.1'],
};

/** Reads plain DTS core only. */
export const dts = (first: Buffer, whole: number): CodecAudio => {
  const { size, mode, rate, rateCode, hasExtension, lowFrequency } = readDtsCore(first);
  const kilobits = dtsBitrates[rateCode];
  if (hasExtension || whole !== size || kilobits === undefined) return uncertain('DTS with extensions');
  const found = dtsLayouts[`${mode}${lowFrequency === 0 ? '-' : '+'}`];
  if (found === undefined) return uncertain('DTS channel layout');
  return { profile: 'DTS', channels: found[0], layout: found[1], sampleRate: rate, bitrate: kilobits * 1000 };
};

/** Channels for each bit of a TrueHD channel assignment. */
const trueHdLayouts: Readonly<Record<number, [number, string]>> = {
  0x1: [2, 'stereo'],
  0x2: [1, 'mono'],
  0x3: [3, '3.0'],
  0xb: [5, '5.0(side)'],
  0xf: [6, '5.1(side)'],
  0x4f: [8, '7.1'],
};

/** Reads the major sync of Dolby TrueHD; ffmpeg decodes up to the third substream and ignores objects. */
export const trueHd = (first: Buffer): CodecAudio => {
  if (first.length < 24 || first.readUInt32BE(4) !== 0xf8726fba) uncertain('TrueHD that starts without a major sync');
  const format = first.readUInt32BE(8);
  const rate = format >>> 28;
  if (rate > 10 || (rate & 7) > 2) uncertain('TrueHD sample rate');
  const substreams = (first[20] ?? 0) >> 4;
  const inSecond = (format >>> 15) & 0x1f;
  const inThird = format & 0x1fff;
  if (substreams < 1) uncertain('TrueHD without substreams');
  const found = trueHdLayouts[substreams > 2 && inThird !== 0 ? inThird : inSecond];
  if (found === undefined) return uncertain('TrueHD channel layout');
  return { channels: found[0], layout: found[1], sampleRate: ((rate & 8) === 0 ? 48000 : 44100) << (rate & 7) };
};

/** Reads the header of a frame of layer 2 or 3. Its bit rate is that of one frame, not of the track. */
export const mpegAudio = (first: Buffer, layer: 2 | 3): CodecAudio => {
  const frame = readMpegAudioFrame(first);
  if (frame.layer !== layer) return uncertain('MPEG audio frame');
  return { channels: frame.channels, layout: frame.channels === 1 ? 'mono' : 'stereo', sampleRate: frame.rate };
};

/** `head` is OpusHead (RFC 7845, 5.1) or the same fields of a dOps box. ffmpeg always decodes at 48 kHz. */
export const opus = (head: Buffer): CodecAudio => {
  const { channels, family } = readOpusHead(head);
  const layout = family <= 1 ? vorbisLayouts[channels] : undefined;
  return layout === undefined ? uncertain('Opus channel mapping') : { channels, layout, sampleRate: 48000 };
};

const vorbisLayouts = ['', 'mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'];
const flacLayouts = ['', 'mono', 'stereo', '3.0', 'quad', '5.0(side)', '5.1(side)', '6.1', '7.1'];
const masks: Readonly<Record<number, string>> = {
  0x4: 'mono',
  0x3: 'stereo',
  0x7: '3.0',
  0x33: 'quad',
  0x37: '5.0',
  0x607: '5.0(side)',
  0x3f: '5.1',
  0x60f: '5.1(side)',
  0x63f: '7.1',
};
const maskName = 'WAVEFORMATEXTENSIBLE_CHANNEL_MASK=';

/** `info` is a STREAMINFO block without its header and the blocks after it: a comment may name the channels. */
export const flac = (info: Buffer): CodecAudio => {
  const { rate, channels } = readFlacInfo(info);
  const named = info.indexOf(maskName);
  const mask =
    named < 0
      ? undefined
      : Number.parseInt(info.toString('latin1', named + maskName.length, named + maskName.length + 10), 16);
  const layout = mask === undefined ? flacLayouts[channels] : masks[mask];
  if (layout === undefined) return uncertain('FLAC channel mask');
  return { channels, layout, sampleRate: rate };
};

/** `headers` are the three Vorbis headers with Xiph lacing, as Matroska stores them. */
export const vorbis = (headers: Buffer): CodecAudio => {
  let at = 1;
  for (let packet = 0; packet < 2; packet += 1) {
    while (headers[at] === 255) at += 1;
    at += 1;
  }
  const head = headers.subarray(at, at + 30);
  if (headers[0] !== 2 || head.length < 30 || head.toString('latin1', 0, 7) !== '\x01vorbis')
    uncertain('Vorbis headers');
  const channels = head[11] ?? 0;
  const layout = vorbisLayouts[channels] ?? uncertain('Vorbis channels');
  return { channels, layout, sampleRate: head.readUInt32LE(12) };
};

/** ffmpeg derives the rate of PCM from its shape. */
export const pcm = (channels: number, sampleRate: number, bits: number): CodecAudio => ({
  channels,
  sampleRate,
  bitrate: channels * sampleRate * bits,
});

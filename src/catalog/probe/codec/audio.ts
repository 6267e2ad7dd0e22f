/**
 * Audio codecs from their set-up records and first frames: AAC (ISO/IEC 14496-3, 1.6.2), AC-3 and
 * E-AC-3 (ETSI TS 102 366), TrueHD, DTS core (ETSI TS 102 114), Opus (RFC 7845), FLAC, Vorbis, MPEG audio, PCM.
 *
 * Promise: gives what ffmpeg reports, or throws `Uncertain`. Spectral band replication, object
 * audio and lossless extensions are found only by decoding, so they are left to ffprobe.
 */

import { createBits } from '../../../lib/media/bits.ts';
import { uncertain } from '../../../lib/media/source.ts';

export interface Sound {
  profile?: string;
  channels: number;
  layout?: string;
  sampleRate: number;
  bitrate?: number;
}

const aacRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
const aacLayouts = ['', 'mono', 'stereo', '3.0', '4.0', '5.0', '5.1'];

/** `config` is an AudioSpecificConfig. */
export const aac = (config: Buffer): Sound => {
  if (config.length < 2) uncertain('AAC without its configuration');
  const bits = createBits(config);
  if (bits.take(5) !== 2) uncertain('AAC other than LC');
  const sampleRate = aacRates[bits.take(4)];
  const channels = bits.take(4);
  const layout = aacLayouts[channels];
  if (sampleRate === undefined || layout === undefined || channels === 0) return uncertain('AAC configuration');
  if (bits.take(3) !== 0) uncertain('AAC with 960 samples or an extension');
  // A backward-compatible extension (0x2b7) says whether the band is replicated; without it a low
  // rate leaves that open, and only decoding tells.
  const isDenied = config.length >= 5 && bits.take(11) === 0x2b7 && bits.take(5) === 5 && !bits.flag();
  if (!isDenied && (config.length >= 5 || sampleRate <= 24000)) uncertain('AAC that may replicate its band');
  return { profile: 'LC', channels, layout, sampleRate };
};

const ac3Rates = [48000, 44100, 32000];
const ac3Kilobits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
const ac3Channels = [2, 1, 2, 3, 3, 4, 4, 5];
const ac3Layouts = ['stereo', 'mono', 'stereo', '3.0', '3.0(back)', '4.0', 'quad(side)', '5.0(side)'];
const ac3WithLow: Readonly<Record<number, string>> = { 2: '2.1', 3: '3.1', 5: '4.1', 7: '5.1(side)' };
const eac3Blocks = [1, 2, 3, 6];

const dolbyLayout = (mode: number, hasLow: boolean): { channels: number; layout: string } => ({
  channels: (ac3Channels[mode] ?? 0) + (hasLow ? 1 : 0),
  layout: (hasLow ? ac3WithLow[mode] : ac3Layouts[mode]) ?? uncertain('AC-3 channel layout'),
});

/** `first` is the start of the first frame. `whole` is the length of its packet. */
export const dolby = (first: Buffer, whole: number): Sound => {
  if (first.length < 16 || first.readUInt16BE(0) !== 0x0b77) uncertain('AC-3 frame');
  const identification = (first[5] ?? 0) >> 3;
  if (identification <= 8) return ac3(first, whole);
  return identification > 10 && identification <= 16 ? eac3(first, whole) : uncertain('AC-3 of another kind');
};

const ac3 = (first: Buffer, whole: number): Sound => {
  const code = first[4] ?? 0;
  const sampleRate = ac3Rates[code >> 6];
  const kilobits = ac3Kilobits[(code & 0x3f) >> 1];
  if (sampleRate === undefined || kilobits === undefined) return uncertain('AC-3 frame');
  // What follows the frame may be dependent substreams with further channels.
  if (whole > (kilobits * 192_000) / sampleRate + 4) uncertain('AC-3 with further substreams');
  const bits = createBits(first.subarray(6));
  const mode = bits.take(3);
  if (mode === 2) bits.skip(2);
  else {
    if ((mode & 1) !== 0 && mode !== 1) bits.skip(2);
    if ((mode & 4) !== 0) bits.skip(2);
  }
  return { ...dolbyLayout(mode, bits.flag()), sampleRate, bitrate: kilobits * 1000 };
};

const eac3 = (first: Buffer, whole: number): Sound => {
  const bits = createBits(first.subarray(2));
  if (bits.take(2) === 1 || bits.take(3) !== 0) uncertain('E-AC-3 that starts within a programme');
  const length = (bits.take(11) + 1) * 2;
  const sampleRate = ac3Rates[bits.take(2)];
  const blocks = eac3Blocks[bits.take(2)];
  if (sampleRate === undefined || blocks === undefined) return uncertain('E-AC-3 at a reduced rate');
  if (whole > length) uncertain('E-AC-3 with further substreams');
  const mode = bits.take(3);
  return {
    ...dolbyLayout(mode, bits.flag()), sampleRate, bitrate: Math.floor((8 * length * sampleRate) / (blocks * 256)),
  };
};

const dtsRates = [0, 8000, 16000, 32000, 0, 0, 11025, 22050, 44100, 0, 0, 12000, 24000, 48000, 0, 0];
const dtsBitrates = [
  32, 56, 64, 96, 112, 128, 192, 224, 256, 320, 384, 448, 512, 576, 640, 768, 960, 1024, 1152, 1280, 1344, 1408, 1411.2,
  1472, 1536,
];
const dtsLayouts: Readonly<Record<string, [number, string]>> = {
  '0-': [1, 'mono'], '2-': [2, 'stereo'], '9-': [5, '5.0(side)'], '9+': [6, '5.1(side)'], '2+': [3, '2.1'],
};

/** Plain DTS core only. */
export const dts = (first: Buffer, whole: number): Sound => {
  if (first.length < 16 || first.readUInt32BE(0) !== 0x7ffe8001) uncertain('DTS frame');
  const bits = createBits(first.subarray(4));
  bits.skip(1 + 5 + 1 + 7);
  const length = bits.take(14) + 1;
  const mode = bits.take(6);
  const sampleRate = dtsRates[bits.take(4)] ?? 0;
  const kilobits = dtsBitrates[bits.take(5)];
  bits.skip(1 + 1 + 1 + 1 + 1 + 3);
  if (bits.flag() || whole !== length || sampleRate === 0 || kilobits === undefined) uncertain('DTS with extensions');
  bits.skip(1);
  const found = dtsLayouts[`${mode}${bits.take(2) === 0 ? '-' : '+'}`];
  if (found === undefined || kilobits === undefined) return uncertain('DTS channel layout');
  return { profile: 'DTS', channels: found[0], layout: found[1], sampleRate, bitrate: kilobits * 1000 };
};

/** What each bit of a TrueHD channel assignment stands for, in channels. */
const trueHdLayouts: Readonly<Record<number, [number, string]>> = {
  0x1: [2, 'stereo'], 0x2: [1, 'mono'], 0x3: [3, '3.0'], 0xb: [5, '5.0(side)'], 0xf: [6, '5.1(side)'], 0x4f: [8, '7.1'],
};

/** The major sync of Dolby TrueHD; ffmpeg decodes up to the third substream and passes over objects. */
export const trueHd = (first: Buffer): Sound => {
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

const mpegRates = [44100, 48000, 32000];

/**
 * The header of an MPEG audio frame (ISO/IEC 11172-3, 2.4.1.3) of layer 2 or 3. Its bit rate is
 * that of one frame, not of the track.
 */
export const mpegAudio = (first: Buffer, layer: 2 | 3): Sound => {
  const head = first.length < 4 ? 0 : first.readUInt32BE(0);
  const version = (head >>> 19) & 3;
  const rate = mpegRates[(head >>> 10) & 3];
  if (head >>> 21 !== 0x7ff || version === 1 || 4 - ((head >>> 17) & 3) !== layer || rate === undefined) return uncertain('MPEG audio frame');
  const isMono = ((head >>> 6) & 3) === 3;
  return { channels: isMono ? 1 : 2, layout: isMono ? 'mono' : 'stereo', sampleRate: version === 3 ? rate : version === 2 ? rate / 2 : rate / 4 };
};

/** `head` is OpusHead (RFC 7845, 5.1) or the same fields of a dOps box. ffmpeg always decodes at 48 kHz. */
export const opus = (head: Buffer): Sound => {
  if (head.length < 19 || head.toString('latin1', 0, 8) !== 'OpusHead') uncertain('Opus without its header');
  const channels = head[9] ?? 0;
  const family = head[18] ?? 255;
  const layout = family <= 1 ? vorbisLayouts[channels] : undefined;
  return layout === undefined ? uncertain('Opus channel mapping') : { channels, layout, sampleRate: 48000 };
};

const vorbisLayouts = ['', 'mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'];
const flacLayouts = ['', 'mono', 'stereo', '3.0', 'quad', '5.0(side)', '5.1(side)', '6.1', '7.1'];
const masks: Readonly<Record<number, string>> = {
  0x4: 'mono', 0x3: 'stereo', 0x7: '3.0', 0x33: 'quad', 0x37: '5.0', 0x607: '5.0(side)', 0x3f: '5.1', 0x60f: '5.1(side)', 0x63f: '7.1',
};
const maskName = 'WAVEFORMATEXTENSIBLE_CHANNEL_MASK=';

/** `info` is a STREAMINFO block without its header, and what follows it: a comment may name the channels. */
export const flac = (info: Buffer): Sound => {
  if (info.length < 18) uncertain('FLAC without STREAMINFO');
  const sampleRate = info.readUIntBE(10, 3) >> 4;
  const channels = (((info[12] ?? 0) >> 1) & 7) + 1;
  const named = info.indexOf(maskName);
  const mask = named < 0 ? undefined : Number.parseInt(info.toString('latin1', named + maskName.length, named + maskName.length + 10), 16);
  const layout = mask === undefined ? flacLayouts[channels] : masks[mask];
  if (sampleRate === 0 || layout === undefined) return uncertain('FLAC channel mask');
  return { channels, layout, sampleRate };
};

/** `headers` are the three Vorbis headers with Xiph lacing, as Matroska stores them. */
export const vorbis = (headers: Buffer): Sound => {
  let at = 1;
  for (let packet = 0; packet < 2; packet += 1) {
    while (headers[at] === 255) at += 1;
    at += 1;
  }
  const head = headers.subarray(at, at + 30);
  if (headers[0] !== 2 || head.length < 30 || head.toString('latin1', 0, 7) !== '\x01vorbis') uncertain('Vorbis headers');
  const channels = head[11] ?? 0;
  const layout = vorbisLayouts[channels] ?? uncertain('Vorbis channels');
  return { channels, layout, sampleRate: head.readUInt32LE(12) };
};

/** ffmpeg derives the rate of PCM from its shape. */
export const pcm = (channels: number, sampleRate: number, bits: number): Sound => ({
  channels, sampleRate, bitrate: channels * sampleRate * bits,
});

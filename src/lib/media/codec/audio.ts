/**
 * Headers of audio codecs: AAC (ISO/IEC 14496-3, 1.6.2), MPEG audio (ISO/IEC 11172-3, 2.4.1.3), DTS core (ETSI TS 102
 * 114), Opus (RFC 7845, 5.1), FLAC. What is not understood throws `Uncertain`.
 */
import { createBits } from '../bits.ts';
import { uncertain } from '../source.ts';

const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const AAC_CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8];
const RATE_FOLLOWS = 15;
const TYPE_FOLLOWS = 31;
const SBR = 5;
const PARAMETRIC_STEREO = 29;
const SYNC_EXTENSION = 0x2b7;
const PARAMETRIC_EXTENSION = 0x548;

export interface AacConfig {
  /** 2 for AAC-LC, 5 or 29 where SBR or parametric stereo is signalled. */
  objectType: number;
  /** Sample rate of the core: frames of HE-AAC have 1024 samples of it. */
  rate: number;
  /** 0 where the stream itself says it. */
  channels: number;
  frameSize: 960 | 1024;
  /** It depends on another coder, or has an extension. */
  isExtended: boolean;
  /** Whether SBR is said to be there; undefined if not signalled, so that only decoding shows it. */
  hasSbr: boolean | undefined;
}

/** Reads an AudioSpecificConfig. */
export function readAacConfig(config: Buffer): AacConfig {
  const bits = createBits(config);
  const left = (): number => config.length * 8 - bits.place;
  const readType = (): number => {
    const type = bits.take(5);
    return type === TYPE_FOLLOWS ? 32 + bits.take(6) : type;
  };
  const readRate = (): number => {
    const index = bits.take(4);
    return (index === RATE_FOLLOWS ? bits.take(24) : AAC_RATES[index]) ?? uncertain('AAC sample rate');
  };
  const objectType = readType();
  const rate = readRate();
  const channels = AAC_CHANNELS[bits.take(4)] ?? 0;
  const isSignalled = objectType === SBR || objectType === PARAMETRIC_STEREO;
  if (isSignalled) {
    readRate();
    readType();
  }
  const frameSize = bits.flag() ? 960 : 1024;
  const facts = { rate, channels, frameSize, isExtended: bits.take(2) !== 0 } as const;
  if (isSignalled) return { ...facts, objectType, hasSbr: true };
  // SBR that is signalled behind the configuration, where older decoders do not look.
  if (channels === 0 || left() < 17 || bits.take(11) !== SYNC_EXTENSION || bits.take(5) !== SBR)
    return { ...facts, objectType, hasSbr: undefined };
  if (!bits.flag()) return { ...facts, objectType, hasSbr: false };
  if (left() < 16) return { ...facts, objectType: SBR, hasSbr: true };
  if (bits.take(4) === RATE_FOLLOWS) bits.skip(24);
  const isParametric = bits.take(11) === PARAMETRIC_EXTENSION && bits.flag();
  return { ...facts, objectType: isParametric ? PARAMETRIC_STEREO : SBR, hasSbr: true };
}

const MPEG_RATES = [44_100, 48_000, 32_000];

export interface MpegAudioFrame {
  layer: 1 | 2 | 3;
  /** 1, 2, or 2.5 with a quarter of the sample rate. */
  version: 1 | 2 | 2.5;
  rate: number;
  channels: 1 | 2;
}

/** `first` begins with a frame of MPEG audio. */
export function readMpegAudioFrame(first: Buffer): MpegAudioFrame {
  const head = first.length < 4 ? 0 : first.readUInt32BE(0);
  const version = ([2.5, undefined, 2, 1] as const)[(head >>> 19) & 3];
  const layer = ([undefined, 3, 2, 1] as const)[(head >>> 17) & 3];
  const base = MPEG_RATES[(head >>> 10) & 3];
  if (head >>> 21 !== 0x7ff || version === undefined || layer === undefined || base === undefined)
    return uncertain('MPEG audio frame');
  return {
    layer,
    version,
    rate: base / ({ 1: 1, 2: 2, 2.5: 4 } as const)[version],
    channels: ((head >>> 6) & 3) === 3 ? 1 : 2,
  };
}

const DTS_SYNC = 0x7ffe8001;
const DTS_RATES = [0, 8000, 16_000, 32_000, 0, 0, 11_025, 22_050, 44_100, 0, 0, 12_000, 24_000, 48_000];

export interface DtsCore {
  /** Samples of a frame. */
  frameSize: number;
  /** Bytes of the core. */
  size: number;
  /** Arrangement of the channels (AMODE). */
  mode: number;
  rate: number;
  /** Number of the bit rate in the table of the standard. */
  rateCode: number;
  hasExtension: boolean;
  /** 0 is none, 1 and 2 are two kinds of a low-frequency channel, 3 is none that is defined. */
  lowFrequency: number;
}

/** `first` begins with the core of a DTS frame. */
export function readDtsCore(first: Buffer): DtsCore {
  if (first.length < 11 || first.readUInt32BE(0) !== DTS_SYNC) return uncertain('DTS frame');
  const bits = createBits(first.subarray(4, 16));
  bits.skip(7);
  const frameSize = (bits.take(7) + 1) * 32;
  const size = bits.take(14) + 1;
  const mode = bits.take(6);
  const rate = DTS_RATES[bits.take(4)] ?? 0;
  const rateCode = bits.take(5);
  bits.skip(8);
  const hasExtension = bits.flag();
  bits.skip(1);
  if (rate === 0) return uncertain('DTS sample rate');
  return { frameSize, size, mode, rate, rateCode, hasExtension, lowFrequency: bits.take(2) };
}

export interface OpusHead {
  channels: number;
  preSkip: number;
  inputRate: number;
  gain: number;
  family: number;
}

/** `head` is OpusHead. */
export function readOpusHead(head: Buffer): OpusHead {
  if (head.length < 19 || head.toString('latin1', 0, 8) !== 'OpusHead') return uncertain('Opus without its header');
  return {
    channels: head[9] ?? 0,
    preSkip: head.readUInt16LE(10),
    inputRate: head.readUInt32LE(12),
    gain: head.readInt16LE(16),
    family: head[18] ?? 0,
  };
}

export interface FlacInfo {
  rate: number;
  channels: number;
  bits: number;
  /** Samples of a block; 0 where blocks differ. */
  blockSize: number;
}

/** `info` is the block STREAMINFO without its header. */
export function readFlacInfo(info: Buffer): FlacInfo {
  if (info.length < 18) return uncertain('FLAC without STREAMINFO');
  const rate = info.readUIntBE(10, 3) >> 4;
  if (rate === 0) return uncertain('FLAC sample rate');
  const [smallest, largest] = [info.readUInt16BE(0), info.readUInt16BE(2)];
  return {
    rate,
    channels: (((info[12] ?? 0) >> 1) & 7) + 1,
    bits: ((info.readUInt16BE(12) >> 4) & 31) + 1,
    blockSize: smallest === largest ? smallest : 0,
  };
}

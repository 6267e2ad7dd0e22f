/**
 * What audio codecs say of themselves, and the boxes that fMP4 needs for them.
 *
 * Sources: ISO/IEC 14496-3 1.6.2 (AAC), ETSI TS 102 366 annexes E and F (AC-3, E-AC-3), ETSI TS 102 114 (DTS), Opus in
 * ISOBMFF, FLAC in ISOBMFF, the ALAC specification. What is not understood throws `Uncertain`.
 */
import { type Bits, createBits } from '../../../lib/media/bits.ts';
import { uncertain } from '../../../lib/media/source.ts';
import { box, fullBox, uint16s, uint32s } from '../../cmaf/boxes.ts';
import { audioEntry, esdsBox, OBJECT_TYPE } from '../../cmaf/entries.ts';

/** A described audio track. */
export interface Sound {
  codec: string;
  codecs: string;
  channels: number;
  /** Units in a second, usually the sample rate. */
  timescale: number;
  /** Duration of a frame in the timescale. */
  frameSize: number;
  entry: Buffer;
}

const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const AAC_CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8];
const SYNC_EXTENSION = 0x2b7;

export interface AacConfig {
  /** 2 for AAC-LC, 5 or 29 where SBR or parametric stereo is signalled. */
  objectType: number;
  rate: number;
  /** 0 where the stream itself says it. */
  channels: number;
  frameSize: number;
}

/** Reads an AudioSpecificConfig. `rate` is that of the core: frames of HE-AAC have 1024 samples of it. */
export function aacConfig(config: Buffer): AacConfig {
  const bits = createBits(config);
  const objectTypeOf = (): number => {
    const type = bits.take(5);
    return type === 31 ? 32 + bits.take(6) : type;
  };
  const rateOf = (): number => {
    const index = bits.take(4);
    return (index === 15 ? bits.take(24) : AAC_RATES[index]) ?? uncertain('AAC sample rate');
  };
  let objectType = objectTypeOf();
  const rate = rateOf();
  const channels = AAC_CHANNELS[bits.take(4)] ?? 0;
  const isSignalled = objectType === 5 || objectType === 29;
  if (isSignalled) {
    rateOf();
    objectTypeOf();
  }
  const frameSize = bits.flag() ? 960 : 1024;
  bits.skip(2);
  if (!isSignalled && channels > 0) objectType = extendedType(bits, config.length * 8) ?? objectType;
  return { objectType, rate, channels, frameSize };
}

/** SBR that is signalled behind the configuration, where older decoders do not look. */
function extendedType(bits: Bits, end: number): number | undefined {
  if (end - bits.place < 17 || bits.take(11) !== SYNC_EXTENSION || bits.take(5) !== 5 || !bits.flag()) return undefined;
  if (end - bits.place < 16) return 5;
  if (bits.take(4) === 15) bits.skip(24);
  return bits.take(11) === 0x548 && bits.flag() ? 29 : 5;
}

export function aacSound(config: Buffer, channels: number): Sound {
  const { objectType, rate, channels: own, frameSize } = aacConfig(config);
  const count = own === 0 ? channels : own;
  return {
    codec: 'aac', codecs: `mp4a.40.${objectType}`, channels: count, timescale: rate, frameSize,
    entry: audioEntry('mp4a', { channels: count, rate }, [esdsBox(OBJECT_TYPE.aac, config)]),
  };
}

const MP3_RATES = [44_100, 48_000, 32_000];

/** `frame` begins with a frame of MPEG audio layer III (ISO/IEC 11172-3, 2.4.1.3). */
export function mp3Sound(frame: Buffer): Sound {
  const head = frame.length < 4 ? 0 : frame.readUInt32BE(0);
  const version = (head >>> 19) & 3;
  const base = MP3_RATES[(head >>> 10) & 3];
  if (head >>> 21 !== 0x7ff || version === 1 || ((head >>> 17) & 3) !== 1 || base === undefined) return uncertain('MP3 frame');
  const rate = version === 3 ? base : version === 2 ? base / 2 : base / 4;
  const channels = ((head >>> 6) & 3) === 3 ? 1 : 2;
  return { codec: 'mp3', codecs: 'mp4a.6B', channels, timescale: rate, frameSize: version === 3 ? 1152 : 576, entry: audioEntry('mp4a', { channels, rate }, [esdsBox(OBJECT_TYPE.mp3, undefined)]) };
}

/** `head` is OpusHead (RFC 7845, 5.1), `frame` the first packet. */
export function opusSound(head: Buffer, frame: Buffer): Sound {
  if (head.length < 19 || head.toString('latin1', 0, 8) !== 'OpusHead') return uncertain('Opus without its header');
  const channels = head[9] ?? 0;
  const mapping = head[18] === 0 ? head.subarray(19, 19) : head.subarray(19, 21 + channels);
  const dops = box('dOps', Buffer.from([0, channels]), uint16s(head.readUInt16LE(10)), uint32s(head.readUInt32LE(12)), uint16s(head.readInt16LE(16)), head.subarray(18, 19), mapping);
  return { codec: 'opus', codecs: 'Opus', channels, timescale: 48_000, frameSize: opusDuration(frame), entry: audioEntry('Opus', { channels, rate: 48_000 }, [dops]) };
}

/** Samples at 48 kHz of an Opus packet (RFC 6716, 3.1). */
function opusDuration(packet: Buffer): number {
  const toc = packet[0] ?? 0;
  const config = toc >> 3;
  const size = config < 12 ? [480, 960, 1920, 2880][config & 3] : config < 16 ? [480, 960][config & 1] : [120, 240, 480, 960][config & 3];
  const frames = [1, 2, 2, (packet[1] ?? 0) & 63][toc & 3] ?? 1;
  return (size ?? 960) * Math.max(1, frames);
}

const MAX_FLAC_BLOCKS = 64 * 1024;

/** `blocks` are FLAC's metadata blocks, STREAMINFO first. */
export function flacSound(blocks: Buffer): Sound {
  if (blocks.length < 38 || ((blocks[0] ?? 0) & 0x7f) !== 0) return uncertain('FLAC without STREAMINFO');
  const info = blocks.subarray(4, 38);
  const rate = info.readUIntBE(10, 3) >> 4;
  const channels = (((info[12] ?? 0) >> 1) & 7) + 1;
  const bits = ((info.readUInt16BE(12) >> 4) & 31) + 1;
  if (rate === 0) return uncertain('FLAC sample rate');
  // A cover does not belong in every initialization segment.
  const kept = blocks.length <= MAX_FLAC_BLOCKS ? blocks : Buffer.concat([Buffer.from([0x80, 0, 0, 34]), info]);
  // Chromium refuses a sample size that differs from STREAMINFO's.
  return { codec: 'flac', codecs: 'fLaC', channels, timescale: rate, frameSize: info.readUInt16BE(0) === info.readUInt16BE(2) ? info.readUInt16BE(0) : 0, entry: audioEntry('fLaC', { channels, rate, bits }, [fullBox('dfLa', 0, 0, kept)]) };
}

/** `config` is an ALACSpecificConfig. */
export function alacSound(config: Buffer): Sound {
  if (config.length < 24) return uncertain('ALAC configuration');
  const channels = config[9] ?? 0;
  const rate = config.readUInt32BE(20);
  return { codec: 'alac', codecs: 'alac', channels, timescale: rate, frameSize: config.readUInt32BE(0), entry: audioEntry('alac', { channels, rate, bits: config[5] ?? 16 }, [fullBox('alac', 0, 0, config)]) };
}

const DTS_RATES = [0, 8000, 16_000, 32_000, 0, 0, 11_025, 22_050, 44_100, 0, 0, 12_000, 24_000, 48_000];
const DTS_CHANNELS = [1, 2, 2, 2, 2, 3, 3, 4, 4, 5];

/** `frame` begins with the core of a DTS frame. */
export function dtsSound(frame: Buffer): Sound {
  if (frame.length < 11 || frame.readUInt32BE(0) !== 0x7ffe8001) return uncertain('DTS frame');
  const bits = createBits(frame.subarray(4, 16));
  bits.skip(7);
  const blocks = bits.take(7) + 1;
  const size = bits.take(14) + 1;
  const mode = bits.take(6);
  const rate = DTS_RATES[bits.take(4)] ?? 0;
  bits.skip(15);
  const hasLfe = bits.take(2) % 3 !== 0;
  const frameSize = blocks * 32;
  if (rate === 0 || frameSize < 256) return uncertain('DTS frame');
  const channels = (DTS_CHANNELS[mode] ?? 0) + Number(hasLfe);
  const duration = Math.max(0, Math.min(3, Math.log2(frameSize) - 9));
  // FrameDuration 2, StreamConstruction 5 (core alone), CoreLFEPresent 1, CoreLayout 6, CoreSize 14, and no more that matters.
  const facts = (BigInt(Math.floor(duration)) << 54n) | (1n << 49n) | (BigInt(hasLfe) << 48n) | (BigInt(mode & 63) << 42n) | (BigInt(size & 0x3fff) << 28n);
  const tail = Buffer.alloc(8);
  tail.writeBigUInt64BE(facts);
  const rateBits = Math.round((size * 8 * rate) / frameSize);
  const ddts = box('ddts', uint32s(rate, rateBits, rateBits), Buffer.from([16]), tail.subarray(1));
  return { codec: 'dts', codecs: 'dtsc', channels, timescale: rate, frameSize, entry: audioEntry('dtsc', { channels, rate }, [ddts]) };
}

/**
 * The boxes that fMP4 needs for audio codecs, made of what these say of themselves.
 *
 * Sources: ISO/IEC 14496-3 1.6.2 (AAC), ETSI TS 102 114 (DTS), Opus in ISOBMFF, FLAC in ISOBMFF, the ALAC
 * specification. What is not understood throws `Uncertain`.
 */
import {
  readAacConfig,
  readDtsCore,
  readFlacInfo,
  readMpegAudioFrame,
  readOpusHead,
} from '../../../lib/media/codec/audio.ts';
import { uncertain } from '../../../lib/media/source.ts';
import { box, fullBox, uint16s, uint32s } from '../../cmaf/boxes.ts';
import { audioSampleEntry, esdsBox, OBJECT_TYPE } from '../../cmaf/entries.ts';

/** A described audio track. */
export interface AudioDescription {
  codec: string;
  codecs: string;
  channels: number;
  /** Units in a second, usually the sample rate. */
  timescale: number;
  /** Duration of a frame in the timescale. */
  frameSize: number;
  entry: Buffer;
}

export function aacSound(config: Buffer, channels: number): AudioDescription {
  const { objectType, rate, channels: own, frameSize } = readAacConfig(config);
  const count = own === 0 ? channels : own;
  return {
    codec: 'aac',
    codecs: `mp4a.40.${objectType}`,
    channels: count,
    timescale: rate,
    frameSize,
    entry: audioSampleEntry('mp4a', { channels: count, rate }, [esdsBox(OBJECT_TYPE.aac, config)]),
  };
}

/** `frame` begins with a frame of MPEG audio layer III. */
export function mp3Sound(frame: Buffer): AudioDescription {
  const { layer, version, rate, channels } = readMpegAudioFrame(frame);
  if (layer !== 3) return uncertain('MP3 frame');
  return {
    codec: 'mp3',
    codecs: 'mp4a.6B',
    channels,
    timescale: rate,
    frameSize: version === 1 ? 1152 : 576,
    entry: audioSampleEntry('mp4a', { channels, rate }, [esdsBox(OBJECT_TYPE.mp3, undefined)]),
  };
}

/** `head` is OpusHead (RFC 7845, 5.1), `frame` the first packet. */
export function opusSound(head: Buffer, frame: Buffer): AudioDescription {
  const { channels, preSkip, inputRate, gain, family } = readOpusHead(head);
  const mapping = family === 0 ? head.subarray(19, 19) : head.subarray(19, 21 + channels);
  const dops = box(
    'dOps',
    Buffer.from([0, channels]),
    uint16s(preSkip),
    uint32s(inputRate),
    uint16s(gain),
    Buffer.from([family]),
    mapping,
  );
  return {
    codec: 'opus',
    codecs: 'Opus',
    channels,
    timescale: 48_000,
    frameSize: opusDuration(frame),
    entry: audioSampleEntry('Opus', { channels, rate: 48_000 }, [dops]),
  };
}

/** Samples at 48 kHz of an Opus packet (RFC 6716, 3.1). */
function opusDuration(packet: Buffer): number {
  const toc = packet[0] ?? 0;
  const config = toc >> 3;
  const size =
    config < 12
      ? [480, 960, 1920, 2880][config & 3]
      : config < 16
        ? [480, 960][config & 1]
        : [120, 240, 480, 960][config & 3];
  const frames = [1, 2, 2, (packet[1] ?? 0) & 63][toc & 3] ?? 1;
  return (size ?? 960) * Math.max(1, frames);
}

const MAX_FLAC_BLOCKS = 64 * 1024;

/** `blocks` are FLAC's metadata blocks, STREAMINFO first. */
export function flacSound(blocks: Buffer): AudioDescription {
  if (blocks.length < 38 || ((blocks[0] ?? 0) & 0x7f) !== 0) return uncertain('FLAC without STREAMINFO');
  const info = blocks.subarray(4, 38);
  const { rate, channels, bits, blockSize } = readFlacInfo(info);
  // A cover does not belong in every initialization segment.
  const kept = blocks.length <= MAX_FLAC_BLOCKS ? blocks : Buffer.concat([Buffer.from([0x80, 0, 0, 34]), info]);
  // Chromium refuses a sample size that differs from STREAMINFO's.
  return {
    codec: 'flac',
    codecs: 'fLaC',
    channels,
    timescale: rate,
    frameSize: blockSize,
    entry: audioSampleEntry('fLaC', { channels, rate, bits }, [fullBox('dfLa', 0, 0, kept)]),
  };
}

/** `config` is an ALACSpecificConfig. */
export function alacSound(config: Buffer): AudioDescription {
  if (config.length < 24) return uncertain('ALAC configuration');
  const channels = config[9] ?? 0;
  const rate = config.readUInt32BE(20);
  return {
    codec: 'alac',
    codecs: 'alac',
    channels,
    timescale: rate,
    frameSize: config.readUInt32BE(0),
    entry: audioSampleEntry('alac', { channels, rate, bits: config[5] ?? 16 }, [fullBox('alac', 0, 0, config)]),
  };
}

const DTS_CHANNELS = [1, 2, 2, 2, 2, 3, 3, 4, 4, 5];

/** `frame` begins with the core of a DTS frame. */
export function dtsSound(frame: Buffer): AudioDescription {
  const { frameSize, size, mode, rate, lowFrequency } = readDtsCore(frame);
  const hasLfe = lowFrequency % 3 !== 0;
  if (frameSize < 256) return uncertain('DTS frame');
  const channels = (DTS_CHANNELS[mode] ?? 0) + Number(hasLfe);
  const duration = Math.max(0, Math.min(3, Math.log2(frameSize) - 9));
  // FrameDuration 2, StreamConstruction 5 (core alone), CoreLFEPresent 1, CoreLayout 6, CoreSize 14, and no more that
  // matters.
  const facts =
    (BigInt(Math.floor(duration)) << 54n) |
    (1n << 49n) |
    (BigInt(hasLfe) << 48n) |
    (BigInt(mode & 63) << 42n) |
    (BigInt(size & 0x3fff) << 28n);
  const tail = Buffer.alloc(8);
  tail.writeBigUInt64BE(facts);
  const rateBits = Math.round((size * 8 * rate) / frameSize);
  const ddts = box('ddts', uint32s(rate, rateBits, rateBits), Buffer.from([16]), tail.subarray(1));
  return {
    codec: 'dts',
    codecs: 'dtsc',
    channels,
    timescale: rate,
    frameSize,
    entry: audioSampleEntry('dtsc', { channels, rate }, [ddts]),
  };
}

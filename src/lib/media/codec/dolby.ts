/** Frames of AC-3 and E-AC-3 (ETSI TS 102 366, 4.3 and E.1.2). What is not understood throws `Uncertain`. */
import { createBits } from '../bits.ts';
import { uncertain } from '../source.ts';

const SYNC_WORD = 0x0b77;
const RATES = [48_000, 44_100, 32_000];
const KILOBITS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
const CHANNELS = [2, 1, 2, 3, 3, 4, 4, 5];
const BLOCKS = [1, 2, 3, 6];
const MAX_AC3_VERSION = 10;

interface DolbyFrame {
  rateCode: number;
  rate: number;
  /** Version of the syntax (bsid). */
  version: number;
  /** Arrangement of the full channels (acmod). */
  layout: number;
  /** Number of channels for low frequencies: 0 or 1. */
  lfe: number;
  /** All of them. */
  channels: number;
}
export interface Ac3Frame extends DolbyFrame {
  /** Kind of the service (bsmod). */
  mode: number;
  sizeCode: number;
  bitrate: number;
}
export interface Eac3Frame extends DolbyFrame {
  isDependent: boolean;
  substream: number;
  size: number;
  isReducedRate: boolean;
  blocks: number;
  /** Channels that a dependent stream adds, from the highest bit on. */
  channelMap: number;
}

/** `first` begins with a frame of AC-3. */
export function readAc3Frame(first: Buffer): Ac3Frame {
  if (first.length < 8 || first.readUInt16BE(0) !== SYNC_WORD) return uncertain('AC-3 frame');
  const bits = createBits(first.subarray(4, 16));
  const [rateCode, sizeCode, version, mode, layout] = [
    bits.take(2),
    bits.take(6),
    bits.take(5),
    bits.take(3),
    bits.take(3),
  ];
  if ((layout & 1) === 1 && layout !== 1) bits.skip(2);
  if ((layout & 4) === 4) bits.skip(2);
  if (layout === 2) bits.skip(2);
  const lfe = bits.take(1);
  const base = RATES[rateCode];
  const kilobits = KILOBITS[sizeCode >> 1];
  if (base === undefined || kilobits === undefined || version > MAX_AC3_VERSION) return uncertain('AC-3 frame');
  // Half and quarter rates.
  const rate = version > 8 ? base >> (version - 8) : base;
  return {
    rateCode,
    rate,
    version,
    layout,
    lfe,
    channels: (CHANNELS[layout] ?? 2) + lfe,
    mode,
    sizeCode,
    bitrate: kilobits * 1000,
  };
}

/** `first` begins with a frame of E-AC-3. */
export function readEac3Frame(first: Buffer): Eac3Frame {
  if (first.length < 8 || first.readUInt16BE(0) !== SYNC_WORD) return uncertain('E-AC-3 frame');
  const bits = createBits(first.subarray(2, 16));
  const [type, substream] = [bits.take(2), bits.take(3)];
  const size = (bits.take(11) + 1) * 2;
  const [rateCode, blockCode] = [bits.take(2), bits.take(2)];
  const isReducedRate = rateCode === 3;
  const base = RATES[isReducedRate ? blockCode : rateCode] ?? uncertain('E-AC-3 sample rate');
  const blocks = isReducedRate ? 6 : (BLOCKS[blockCode] ?? 6);
  const [layout, lfe, version] = [bits.take(3), bits.take(1), bits.take(5)];
  for (let program = layout === 0 ? 2 : 1; program > 0; program -= 1) {
    bits.skip(5);
    if (bits.flag()) bits.skip(8);
  }
  const isDependent = type === 1;
  return {
    isDependent,
    substream,
    size,
    isReducedRate,
    rateCode,
    rate: isReducedRate ? base / 2 : base,
    blocks,
    layout,
    lfe,
    version,
    channels: (CHANNELS[layout] ?? 2) + lfe,
    channelMap: isDependent && bits.flag() ? bits.take(16) : 0,
  };
}

/**
 * AC-3 and E-AC-3 from their first packet (ETSI TS 102 366, 4.3 and E.1.2): the boxes dac3 and dec3 (annex F), which
 * Matroska does not have.
 */
import { createBits } from '../../../lib/media/bits.ts';
import { uncertain } from '../../../lib/media/source.ts';
import { box } from '../../cmaf/boxes.ts';
import { audioEntry } from '../../cmaf/entries.ts';
import type { Sound } from './audio.ts';

const SYNC_WORD = 0x0b77;
const RATES = [48_000, 44_100, 32_000];
const CHANNELS = [2, 1, 2, 3, 3, 4, 4, 5];
const FRAME_SIZE = 1536;
const BLOCK_SIZE = 256;

/** Writes fields of a number of bits each, the first in the highest bits, filled up to whole bytes. */
function packed(fields: readonly (readonly [value: number, bits: number])[]): Buffer {
  const digits = fields.map(([value, bits]) => value.toString(2).padStart(bits, '0').slice(-bits)).join('');
  return Buffer.from(digits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? []);
}

/** `packet` begins with a frame of AC-3. */
export function ac3Sound(packet: Buffer): Sound {
  if (packet.length < 8 || packet.readUInt16BE(0) !== SYNC_WORD) return uncertain('AC-3 frame');
  const bits = createBits(packet.subarray(4, 16));
  const [rateCode, sizeCode, version, mode, layout] = [bits.take(2), bits.take(6), bits.take(5), bits.take(3), bits.take(3)];
  if ((layout & 1) === 1 && layout !== 1) bits.skip(2);
  if ((layout & 4) === 4) bits.skip(2);
  if (layout === 2) bits.skip(2);
  const lfe = bits.take(1);
  const rate = RATES[rateCode];
  if (rate === undefined || version > 10) return uncertain('AC-3 frame');
  const dac3 = box('dac3', packed([[rateCode, 2], [version, 5], [mode, 3], [layout, 3], [lfe, 1], [sizeCode >> 1, 5], [0, 5]]));
  const channels = (CHANNELS[layout] ?? 2) + lfe;
  // Half and quarter rates.
  const timescale = version > 8 ? rate >> (version - 8) : rate;
  return { codec: 'ac3', codecs: 'ac-3', channels, timescale, frameSize: FRAME_SIZE, entry: audioEntry('ac-3', { channels, rate: timescale }, [dac3]) };
}

interface SyncFrame {
  isDependent: boolean;
  size: number;
  rateCode: number;
  rate: number;
  blocks: number;
  layout: number;
  lfe: number;
  version: number;
  /** Channels that a dependent stream adds, from the highest bit on. */
  channelMap: number;
}

function syncFrame(bytes: Buffer): SyncFrame {
  if (bytes.length < 8 || bytes.readUInt16BE(0) !== SYNC_WORD) return uncertain('E-AC-3 frame');
  const bits = createBits(bytes.subarray(2, 16));
  const type = bits.take(2);
  bits.skip(3);
  const size = (bits.take(11) + 1) * 2;
  const rateCode = bits.take(2);
  const blockCode = bits.take(2);
  const isReduced = rateCode === 3;
  const rate = (isReduced ? RATES.map((each) => each / 2)[blockCode] : RATES[rateCode]) ?? uncertain('E-AC-3 sample rate');
  const blocks = isReduced ? 6 : [1, 2, 3, 6][blockCode] ?? 6;
  const [layout, lfe, version] = [bits.take(3), bits.take(1), bits.take(5)];
  for (let program = layout === 0 ? 2 : 1; program > 0; program -= 1) {
    bits.skip(5);
    if (bits.flag()) bits.skip(8);
  }
  const channelMap = type === 1 && bits.flag() ? bits.take(16) : 0;
  return { isDependent: type === 1, size, rateCode, rate, blocks, layout, lfe, version, channelMap };
}

/** Pairs of the map count twice: Lc/Rc, Lrs/Rrs, Lsd/Rsd, Lw/Rw, Lvh/Rvh, Lts/Rts. */
const PAIRS = [5, 6, 9, 10, 11, 13];
/** Bits of the map for what chan_loc can say, in its order from the lowest bit. */
const LOCATIONS = [5, 6, 7, 8, 9, 10, 11, 12, 14];
const hasChannel = (map: number, place: number): boolean => ((map >> (15 - place)) & 1) === 1;

/** Channels of a dependent stream that the independent one does not have: not L, C, R, Ls, Rs and LFE. */
const addedBy = (map: number): number => LOCATIONS.concat(13).reduce((sum, place) => sum + (hasChannel(map, place) ? (PAIRS.includes(place) ? 2 : 1) : 0), 0);

/** `packet` is the start of a packet of E-AC-3; `size` bytes are all of it. */
export function eac3Sound(packet: Buffer, size: number): Sound {
  const frames: SyncFrame[] = [];
  for (let at = 0; at + 8 <= packet.length && frames.length < 16; at += frames.at(-1)?.size ?? 8) frames.push(syncFrame(packet.subarray(at)));
  const [first] = frames;
  if (first === undefined || first.isDependent) return uncertain('E-AC-3 that begins with a dependent stream');
  // A packet with fewer than six blocks a frame holds several frames of the same stream.
  const own = frames.findIndex((frame, i) => i > 0 && !frame.isDependent);
  const dependent = frames.slice(1, own < 0 ? undefined : own).filter(({ isDependent }) => isDependent);
  const added = dependent.reduce((sum, { channelMap }) => sum + addedBy(channelMap), 0);
  const location = dependent.reduce((all, { channelMap }) => all | LOCATIONS.reduce((bits, place, i) => bits | (hasChannel(channelMap, place) ? 1 << i : 0), 0), 0);
  const channels = (CHANNELS[first.layout] ?? 2) + first.lfe + added;
  const independent = frames.filter(({ isDependent }) => !isDependent).length;
  const frameSize = first.blocks * BLOCK_SIZE * (own < 0 ? 1 : independent);
  const kilobits = Math.round((size * 8 * first.rate) / frameSize / 1000);
  const dec3 = box('dec3', packed([
    [kilobits, 13], [0, 3], [first.rateCode, 2], [first.version, 5], [0, 1], [0, 1], [0, 3], [first.layout, 3], [first.lfe, 1], [0, 3],
    [dependent.length, 4], ...(dependent.length > 0 ? [[location, 9] as const] : [[0, 1] as const]),
  ]));
  return { codec: 'eac3', codecs: 'ec-3', channels, timescale: first.rate, frameSize, entry: audioEntry('ec-3', { channels, rate: first.rate }, [dec3]) };
}

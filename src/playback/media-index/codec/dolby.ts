/** The boxes dac3 and dec3 (ETSI TS 102 366, annex F), which Matroska does not have, from the first packet. */
import { type Eac3Frame, readAc3Frame, readEac3Frame } from '../../../lib/media/codec/dolby.ts';
import { uncertain } from '../../../lib/media/source.ts';
import { box } from '../../cmaf/boxes.ts';
import { audioSampleEntry } from '../../cmaf/entries.ts';
import type { AudioDescription } from './audio.ts';

const FRAME_SIZE = 1536;
const BLOCK_SIZE = 256;

/** Writes fields of a number of bits each, the first in the highest bits, filled up to whole bytes. */
function packed(fields: readonly (readonly [value: number, bits: number])[]): Buffer {
  const digits = fields.map(([value, bits]) => value.toString(2).padStart(bits, '0').slice(-bits)).join('');
  return Buffer.from(digits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? []);
}

/** `packet` begins with a frame of AC-3. */
export function ac3Sound(packet: Buffer): AudioDescription {
  const { rateCode, sizeCode, version, mode, layout, lfe, rate, channels } = readAc3Frame(packet);
  const dac3 = box(
    'dac3',
    packed([
      [rateCode, 2],
      [version, 5],
      [mode, 3],
      [layout, 3],
      [lfe, 1],
      [sizeCode >> 1, 5],
      [0, 5],
    ]),
  );
  return {
    codec: 'ac3',
    codecs: 'ac-3',
    channels,
    timescale: rate,
    frameSize: FRAME_SIZE,
    entry: audioSampleEntry('ac-3', { channels, rate }, [dac3]),
  };
}

/** Pairs of the map count twice: Lc/Rc, Lrs/Rrs, Lsd/Rsd, Lw/Rw, Lvh/Rvh, Lts/Rts. */
const PAIRS = [5, 6, 9, 10, 11, 13];
/** Bits of the map for what chan_loc can say, in its order from the lowest bit. */
const LOCATIONS = [5, 6, 7, 8, 9, 10, 11, 12, 14];
const hasChannel = (map: number, place: number): boolean => ((map >> (15 - place)) & 1) === 1;

/** Channels of a dependent stream that the independent one does not have: not L, C, R, Ls, Rs and LFE. */
const addedBy = (map: number): number =>
  LOCATIONS.concat(13).reduce((sum, place) => sum + (hasChannel(map, place) ? (PAIRS.includes(place) ? 2 : 1) : 0), 0);

/** `packet` is the start of a packet of E-AC-3; `size` bytes are all of it. */
export function eac3Sound(packet: Buffer, size: number): AudioDescription {
  const frames: Eac3Frame[] = [];
  for (let at = 0; at + 8 <= packet.length && frames.length < 16; at += frames.at(-1)?.size ?? 8)
    frames.push(readEac3Frame(packet.subarray(at)));
  const [first] = frames;
  if (first === undefined || first.isDependent) return uncertain('E-AC-3 that begins with a dependent stream');
  // A packet with fewer than six blocks a frame holds several frames of the same stream.
  const own = frames.findIndex((frame, i) => i > 0 && !frame.isDependent);
  const dependent = frames.slice(1, own < 0 ? undefined : own).filter(({ isDependent }) => isDependent);
  const added = dependent.reduce((sum, { channelMap }) => sum + addedBy(channelMap), 0);
  const location = dependent.reduce(
    (all, { channelMap }) =>
      all | LOCATIONS.reduce((bits, place, i) => bits | (hasChannel(channelMap, place) ? 1 << i : 0), 0),
    0,
  );
  const channels = first.channels + added;
  const independent = frames.filter(({ isDependent }) => !isDependent).length;
  const frameSize = first.blocks * BLOCK_SIZE * (own < 0 ? 1 : independent);
  const kilobits = Math.round((size * 8 * first.rate) / frameSize / 1000);
  const dec3 = box(
    'dec3',
    packed([
      [kilobits, 13],
      [0, 3],
      [first.rateCode, 2],
      [first.version, 5],
      [0, 1],
      [0, 1],
      [0, 3],
      [first.layout, 3],
      [first.lfe, 1],
      [0, 3],
      [dependent.length, 4],
      ...(dependent.length > 0 ? [[location, 9] as const] : [[0, 1] as const]),
    ]),
  );
  return {
    codec: 'eac3',
    codecs: 'ec-3',
    channels,
    timescale: first.rate,
    frameSize,
    entry: audioSampleEntry('ec-3', { channels, rate: first.rate }, [dec3]),
  };
}

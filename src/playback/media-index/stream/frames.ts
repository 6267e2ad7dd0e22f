/** Frames of audio in an elementary stream: AAC with ADTS heads, AC-3, E-AC-3 and MP3, each found by its own head. */
import { createBits } from '../../../lib/media/bits.ts';
import { uint16s } from '../../cmaf/boxes.ts';
import { aacSound, mp3Sound, type AudioDescription } from '../codec/audio.ts';
import { ac3Sound, eac3Sound } from '../codec/dolby.ts';

export interface FrameHead {
  /** Bytes with the head; of E-AC-3 without the dependent frames behind it. */
  size: number;
  /** Bytes of the head, which are not kept. */
  dropped: number;
  /** The frame belongs to the one before it. */
  isDependent: boolean;
  /** The same in all frames of a stream. */
  signature: number;
}

export type ElementaryAudioCodec = 'aac' | 'ac3' | 'eac3' | 'mp3';
export const isAudioCodec = (codec: string): codec is ElementaryAudioCodec =>
  ['aac', 'ac3', 'eac3', 'mp3'].includes(codec);

/** Bytes that a head needs. */
export const HEAD_BYTES = 8;

/** Reads the head of a frame; undefined when there is none. */
export function frameHead(codec: ElementaryAudioCodec, bytes: Buffer, at: number): FrameHead | undefined {
  if (at + HEAD_BYTES > bytes.length) return undefined;
  return codec === 'aac' ? adtsHead(bytes, at) : codec === 'mp3' ? mp3Head(bytes, at) : dolbyHead(codec, bytes, at);
}

function adtsHead(bytes: Buffer, at: number): FrameHead | undefined {
  const word = bytes.readUInt32BE(at);
  // Sync word, layer 0; a frame holds one block of 1024 samples.
  if (word >>> 20 !== 0xfff || ((word >>> 17) & 3) !== 0) return undefined;
  const size = ((word & 3) << 11) | ((bytes[at + 4] ?? 0) << 3) | ((bytes[at + 5] ?? 0) >> 5);
  const dropped = (word & 0x10000) === 0 ? 9 : 7;
  if (size <= dropped || ((bytes[at + 6] ?? 0) & 3) !== 0) return undefined;
  return { size, dropped, isDependent: false, signature: (word >>> 6) & 0x3ff };
}

const AC3_KILOBITS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];

function dolbyHead(codec: 'ac3' | 'eac3', bytes: Buffer, at: number): FrameHead | undefined {
  if (bytes.readUInt16BE(at) !== 0x0b77) return undefined;
  const version = (bytes[at + 5] ?? 0) >> 3;
  if (version > 16) return undefined;
  if (version > 10) {
    if (codec === 'ac3') return undefined;
    const word = bytes.readUInt16BE(at + 2);
    return {
      size: ((word & 0x7ff) + 1) * 2,
      dropped: 0,
      isDependent: word >>> 14 === 1,
      signature: (bytes[at + 4] ?? 0) & 0xc0,
    };
  }
  const [rate, code] = [(bytes[at + 4] ?? 0) >> 6, (bytes[at + 4] ?? 0) & 0x3f];
  const kilobits = AC3_KILOBITS[code >> 1];
  if (rate === 3 || kilobits === undefined) return undefined;
  const words = rate === 0 ? kilobits * 2 : rate === 2 ? kilobits * 3 : Math.floor((kilobits * 320) / 147) + (code & 1);
  return { size: words * 2, dropped: 0, isDependent: false, signature: rate };
}

const MP3_KILOBITS = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
const MP3_RATES = [44_100, 48_000, 32_000];

function mp3Head(bytes: Buffer, at: number): FrameHead | undefined {
  const word = bytes.readUInt32BE(at);
  const version = (word >>> 19) & 3;
  const rate = MP3_RATES[(word >>> 10) & 3];
  if (word >>> 21 !== 0x7ff || version === 1 || ((word >>> 17) & 3) !== 1 || rate === undefined) return undefined;
  const kilobits = MP3_KILOBITS[version === 3 ? 0 : 1]?.[(word >>> 12) & 15];
  if (kilobits === undefined || kilobits === 0) return undefined;
  const own = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const size = Math.floor(((version === 3 ? 144_000 : 72_000) * kilobits) / own) + ((word >>> 9) & 1);
  return { size, dropped: 0, isDependent: false, signature: (word >>> 10) & 0x203 };
}

/**
 * Describes a stream by its first frame. `bytes` are those from the frame on, `size` those of the frame with the ones
 * that depend on it.
 */
export function describeAudio(codec: ElementaryAudioCodec, bytes: Buffer, size: number): AudioDescription {
  if (codec === 'mp3') return mp3Sound(bytes);
  if (codec === 'ac3') return ac3Sound(bytes);
  if (codec === 'eac3') return eac3Sound(bytes.subarray(0, size), size);
  const bits = createBits(bytes.subarray(2, 4));
  const [profile, rate] = [bits.take(2), bits.take(4)];
  bits.skip(1);
  const channels = bits.take(3);
  return aacSound(uint16s(((profile + 1) << 11) | (rate << 7) | (channels << 3)), channels);
}

export interface StreamFrame {
  /** Place of the bytes that are kept. */
  from: number;
  to: number;
  /** Place of the head. */
  at: number;
}

export interface FrameSearch {
  codec: ElementaryAudioCodec;
  /** As the stream's first frame has it; undefined for the first frame itself. */
  signature: number | undefined;
  /** Nothing comes behind the bytes. */
  isEnd: boolean;
}

/**
 * Yields the frames of a stream from a place on. What is no frame is passed over; the first one must be followed by
 * another, so that no chance bytes are taken for one. A frame that is cut off at the end is left out.
 */
export function* framesIn(
  bytes: Buffer,
  from: number,
  { codec, signature, isEnd }: FrameSearch,
): Generator<StreamFrame> {
  let own = signature;
  let isAligned = false;
  let at = from;
  while (at + HEAD_BYTES <= bytes.length) {
    const head = frameHead(codec, bytes, at);
    const isOne = head !== undefined && !head.isDependent && (own === undefined || head.signature === own);
    if (!isOne || (!isAligned && !isFollowed(codec, bytes, at + head.size, head.signature))) {
      isAligned = false;
      at += 1;
      continue;
    }
    let to = at + head.size;
    for (
      let next = frameHead(codec, bytes, to);
      codec === 'eac3' && next?.isDependent === true;
      next = frameHead(codec, bytes, to)
    )
      to += next.size;
    // Whether a frame that depends on this one follows is only known with the next head.
    if (to > bytes.length || (codec === 'eac3' && !isEnd && to + HEAD_BYTES > bytes.length)) return;
    own = head.signature;
    isAligned = true;
    yield { from: at + head.dropped, to, at };
    at = to;
  }
}

const isFollowed = (codec: ElementaryAudioCodec, bytes: Buffer, at: number, signature: number): boolean => {
  if (at + HEAD_BYTES > bytes.length) return at <= bytes.length;
  const next = frameHead(codec, bytes, at);
  return next !== undefined && (next.isDependent || next.signature === signature);
};

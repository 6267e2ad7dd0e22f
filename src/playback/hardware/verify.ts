/**
 * A verified test encode: generated pictures go through an encoder with the same options as a film, and what comes out
 * must have its keyframes exactly where they were asked for, the right size, and the same pictures when software
 * decodes it.
 */
import { TIME_SHIFT, type EncodedStream, VIDEO_TIMESCALE, type VideoRequest } from '../../lib/ffmpeg/encode/index.ts';
import { createFragmentReader, type FragmentSample, type FragmentTrack } from '../cmaf/reader.ts';
import { keyframeKind } from '../media-index/codec/idr.ts';
import type { VideoCodec } from '../plan/types.ts';
import { Unfit } from './reasons.ts';

export const FRAME_RATE = 24;
export const TRIAL_FRAMES = 48;
/** Keyframes are asked for at the first picture and at this one. */
const SECOND_KEY = FRAME_RATE;

/** Request for a trial; the rest of the request is the same for all. */
export type TrialRequest = Pick<VideoRequest, 'open' | 'codec' | 'width' | 'height' | 'preset'> &
  Pick<Partial<VideoRequest>, 'accelerator' | 'toneMap'>;
export type EncodeVideo = (request: VideoRequest, signal?: AbortSignal) => Promise<EncodedStream>;

export interface EncodedClip {
  bytes: Buffer;
  track: FragmentTrack;
  samples: readonly FragmentSample[];
  /** From the start of the program to its last byte. */
  ms: number;
}

/**
 * Runs an encoder over a generated clip of `frames` pictures. Fails with what it failed with, after `mostMs` as
 * `aborted`.
 */
export async function encodeClip(
  encode: EncodeVideo,
  trial: TrialRequest,
  { frames, mostMs, signal, now }: { frames: number; mostMs: number; signal?: AbortSignal | undefined; now(): number },
): Promise<EncodedClip> {
  const late = AbortSignal.timeout(mostMs);
  const half = 0.5 / FRAME_RATE;
  const request: VideoRequest = {
    ...trial,
    stream: 0,
    container: 'mp4',
    containerStart: 0,
    frameRate: FRAME_RATE,
    maxrate: trial.width * trial.height * 20,
    keyframes: Array.from({ length: Math.ceil(frames / FRAME_RATE) }, (_, second) => second - half),
    until: frames / FRAME_RATE + 1,
  };
  const begun = now();
  const stream = await encode(request, signal ? AbortSignal.any([signal, late]) : late);
  const reader = createFragmentReader();
  const pieces: Buffer[] = [];
  const samples: FragmentSample[] = [];
  let track: FragmentTrack | undefined;
  try {
    for await (const piece of stream.bytes) {
      // Copied: the reader's samples are views of what it is given.
      const bytes = Buffer.from(piece);
      pieces.push(bytes);
      for (const event of reader.push(bytes)) {
        if (event.type === 'init') track = event.tracks[0];
        else samples.push(...event.samples);
      }
    }
    await stream.done;
    reader.end();
  } finally {
    stream.stop();
  }
  if (!track) throw new Unfit({ reason: 'wrote-nothing', values: {} });
  return { bytes: Buffer.concat(pieces), track, samples, ms: now() - begun };
}

/**
 * Throws `Unfit` unless the pictures have the right number, size and times, and keyframes at which decoding can begin
 * exactly where they were asked for.
 */
export function checkShape(
  { track, samples }: EncodedClip,
  { codec, width, height, frames }: { codec: VideoCodec; width: number; height: number; frames: number },
): void {
  const size = sizeIn(track.entry);
  if (size.width !== width || size.height !== height) throw new Unfit({ reason: 'wrong-size', values: {} });
  if (samples.length !== frames)
    throw new Unfit({ reason: 'wrong-count', values: { made: samples.length, of: frames } });
  const isPlaced = samples.every(
    ({ dts, cts }, i) => Math.abs((dts + cts) / VIDEO_TIMESCALE - TIME_SHIFT - i / FRAME_RATE) < 0.001,
  );
  if (!isPlaced) throw new Unfit({ reason: 'wrong-times', values: {} });
  for (const [i, { isKey, data }] of samples.entries()) {
    const isAsked = i % SECOND_KEY === 0;
    if (isAsked && !(isKey && startsDecoding(codec, track.entry, data)))
      throw new Unfit({ reason: 'keyframe-missing', values: {} });
    if (isAsked && !hasInlineParameterSets(codec, lengthSizeOf(codec, track.entry), data))
      throw new Unfit({ reason: 'keyframe-dependent', values: {} });
    if (!isAsked && isKey) throw new Unfit({ reason: 'keyframe-unasked', values: {} });
  }
}

/** ISO/IEC 14496-12, 12.1.3: width and height of a VisualSampleEntry. */
export const sizeIn = (entry: Buffer): { width: number; height: number } =>
  entry.length < 36 ? { width: 0, height: 0 } : { width: entry.readUInt16BE(32), height: entry.readUInt16BE(34) };

/** Whether a keyframe is an IDR picture. AV1 and VP9 have no other kind. */
export function startsDecoding(codec: VideoCodec, entry: Buffer, data: Buffer): boolean {
  if (codec !== 'h264' && codec !== 'hevc') return true;
  const format = { codec, lengthSize: lengthSizeOf(codec, entry) };
  return keyframeKind(format, data.length, (from, length) => data.subarray(from, from + length)) === 'idr';
}

/** Bytes in front of each NAL unit, which say its length. */
function lengthSizeOf(codec: VideoCodec, entry: Buffer): number {
  const [box, offset] = codec === 'h264' ? (['avcC', 8] as const) : (['hvcC', 25] as const);
  const at = entry.indexOf(box);
  return at < 0 ? 4 : ((entry[at + offset] ?? 3) & 3) + 1;
}

/** Types of the NAL units that describe the pictures: SPS and PPS; VPS, SPS and PPS. */
const PARAMETER_SETS: Partial<Record<VideoCodec, readonly number[]>> = { h264: [7, 8], hevc: [32, 33, 34] };

/**
 * Whether a keyframe has its parameter sets with it: the header of a stream is that of another encoder. AV1 and VP9
 * have them in every keyframe.
 */
export function hasInlineParameterSets(codec: VideoCodec, lengthSize: number, data: Buffer): boolean {
  const missing = new Set(PARAMETER_SETS[codec]);
  for (let at = 0; at + lengthSize < data.length; at += lengthSize + data.readUIntBE(at, lengthSize)) {
    const head = data[at + lengthSize] ?? 0;
    missing.delete(codec === 'h264' ? head & 31 : (head >> 1) & 63);
  }
  return missing.size === 0;
}

/**
 * Signal to noise in decibels between two sets of pictures; a sample in `step` is compared. Infinity when they are
 * equal.
 */
export function psnr(a: Uint8Array, b: Uint8Array, step = 3): number {
  if (a.length !== b.length || a.length === 0) return 0;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < a.length; i += step) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    sum += difference * difference;
    count += 1;
  }
  return sum === 0 ? Infinity : 10 * Math.log10((255 * 255 * count) / sum);
}

/** Throws `Unfit` unless the pictures look like those they were made from, within `least` decibels. */
export function checkPictures(pictures: Uint8Array, reference: Uint8Array, least: number): void {
  if (pictures.length !== reference.length) throw new Unfit({ reason: 'undecodable', values: {} });
  if (psnr(pictures, reference) < least) throw new Unfit({ reason: 'wrong-pictures', values: {} });
}

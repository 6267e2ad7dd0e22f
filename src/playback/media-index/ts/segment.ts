/**
 * Puts the samples of one segment of a transport stream together. Video is cut in decoding order, from one keyframe to
 * another, and its start codes become lengths; audio is cut by time, and loses its ADTS heads.
 */
import { type ReadAt, uncertain } from '../../../lib/media/source.ts';
import type { PacketTrack, SegmentSamples } from '../types.ts';
import { isAudioCodec } from './frames.ts';
import { createScanner } from './packets.ts';
import { soundSegment } from './sound-segment.ts';
import { pictureSegment } from './picture-segment.ts';

export interface PacketQuestion {
  stride: number;
  zero: number;
  track: Omit<PacketTrack, 'places'>;
  /** Position of the packet at which to begin. */
  from: number;
  /** Position of the next segment's keyframe; absent for the last segment. */
  to?: number;
  /** Seconds at which the segment begins, and the next one. */
  start: number;
  next?: number;
  /** What comes before `start` belongs to the segment. */
  isFirst: boolean;
  /** Only the first picture is wanted. */
  isSingle?: boolean;
}

export interface PacketFile {
  size: number;
  readAt: ReadAt;
}

/** Bytes of a file that one segment may take, everything between its packets counted. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Returns the samples. Throws `Uncertain` when they are not where the index says. */
export function packetSegment({ size, readAt }: PacketFile, question: PacketQuestion): SegmentSamples {
  const { track: { codec, pid }, stride, from } = question;
  const work = codec === 'none' ? uncertain('a stream that is not copied') : isAudioCodec(codec) ? soundSegment(question, codec) : pictureSegment(question, codec);
  const scanner = createScanner({ stride, end: size, pids: [pid] });
  const reached = scanner.scan(readAt, from, MAX_BYTES, work.visit);
  if (reached - from >= MAX_BYTES) uncertain('a segment without an end');
  return work.result();
}

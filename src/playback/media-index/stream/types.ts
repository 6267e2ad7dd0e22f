/** Shapes that the readers of segments of containers without a table of samples share. */
import type { PacketContainer, PacketTrack, SegmentSamples } from '../types.ts';
import type { Taker } from './payload.ts';

export interface PacketQuestion {
  container: PacketContainer;
  stride: number;
  origin: number;
  end: number;
  zero: number;
  track: Omit<PacketTrack, 'places' | 'counts'>;
  /** Position at which to begin, and the count of the stream or of the packet there. */
  from: number;
  count: number;
  /** Position of the next segment's keyframe; absent for the last segment. */
  to?: number;
  /** Seconds at which the segment begins, and the next one. */
  start: number;
  next?: number;
  /** Whether frames before `start` belong to the segment. */
  isFirst: boolean;
  /** Only the first picture is wanted. */
  isSingle?: boolean;
}

export interface SegmentWork extends Taker {
  /** Returns undefined if parts that were taken for pictures have to be divided into pictures first. */
  result(): SegmentSamples | undefined;
}

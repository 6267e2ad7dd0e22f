/**
 * Collects the samples of one segment from a container without a sample table. Video is cut in decoding order,
 * from keyframe to keyframe, and start codes become lengths; audio is cut by time, without the frame headers that MP4
 * does not keep.
 */
import { type ReadAt, uncertain } from '../../../lib/media/source.ts';
import type { SegmentSamples } from '../types.ts';
import { isAudioCodec } from './frames.ts';
import type { Taker } from './payload.ts';
import { pictureSegment } from './picture-segment.ts';
import { soundSegment } from './sound-segment.ts';
import type { PacketQuestion } from './types.ts';

export interface PacketFile {
  size: number;
  readAt: ReadAt;
}

/** Reads a stream from the place that a question names, until the taker has enough. */
export type Feed = (file: PacketFile, question: PacketQuestion, taker: Taker) => void;

/** Returns the samples. Throws `Uncertain` when they are not where the index says. */
export function packetSegment(file: PacketFile, question: PacketQuestion, feed: Feed): SegmentSamples {
  const {
    track: { codec },
  } = question;
  const work =
    codec === 'none'
      ? uncertain('a stream that is not copied')
      : isAudioCodec(codec)
        ? soundSegment(question, codec)
        : pictureSegment(question, codec);
  feed(file, question, work);
  return work.result();
}

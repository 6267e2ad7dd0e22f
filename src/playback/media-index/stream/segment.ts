/**
 * Collects the samples of one segment from a container without a sample table. Video is cut in decoding order,
 * from keyframe to keyframe, and start codes become lengths; audio is cut by time, without the frame headers that MP4
 * does not keep.
 */
import { type ReadAt, uncertain } from '../../../lib/media/source.ts';
import { splitAccessUnits } from './access-units.ts';
import type { SegmentSamples } from '../types.ts';
import { isAudioCodec } from './frames.ts';
import type { Taker } from './payload.ts';
import { pictureSegment } from './picture-segment.ts';
import { soundSegment } from './sound-segment.ts';
import type { PacketQuestion, SegmentWork } from './types.ts';

export interface PacketFile {
  size: number;
  readAt: ReadAt;
}

/** Reads a stream from the place that a question names, until the taker has enough. */
export type Feed = (file: PacketFile, question: PacketQuestion, taker: Taker) => void;

/** Returns the samples. Throws `Uncertain` when they are not where the index says. */
export function packetSegment(file: PacketFile, question: PacketQuestion, feed: Feed): SegmentSamples {
  const { codec } = question.track;
  if (codec === 'none') return uncertain('a stream that is not copied');
  const read = (work: SegmentWork, taker: Taker = work): SegmentSamples | undefined => {
    feed(file, question, taker);
    return work.result();
  };
  if (isAudioCodec(codec)) return read(soundSegment(question, codec)) ?? uncertain('sound that is no segment');
  const divided = pictureSegment(question, codec, true);
  return (
    read(pictureSegment(question, codec, false)) ??
    // Only here each byte is looked at.
    read(divided, splitAccessUnits(codec, divided)) ??
    uncertain('pictures that are no segment')
  );
}

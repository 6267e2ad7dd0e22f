/**
 * Windows: parts of a file of sound that are tracks. A window is played as a separate file, which playback cuts out
 * without loss, so its facts are those of that file.
 */
import type { AudioTags, MediaInfo, Stream } from './types.ts';

/** A part of a file, in seconds, with the tags of the track that it is. Its number is unique in the file. */
export interface FileWindow {
  number: number;
  start: number;
  end: number;
  tags: AudioTags;
}

/** The container and codec in which windows are cut out. */
const CUT = 'flac';
/** Codecs with so many bits a sample. Others are decoded to 16 bits. */
const LOSSLESS = /^(?:flac|alac|wavpack|ape|tta|tak|pcm_.*)$/;

const CD_BITS = 16;

/** Returns the facts of a window from those of its file. */
export function windowInfo(info: MediaInfo, { start, end, tags }: FileWindow): MediaInfo {
  const stream = info.streams.find(({ type }) => type === 'audio');
  const share = info.duration === undefined ? 1 : Math.min(1, (end - start) / info.duration);
  return {
    container: CUT,
    duration: Math.round((end - start) * 1000) / 1000,
    size: Math.round(info.size * share),
    streams: stream ? [cutStream(stream)] : [],
    chapters: [],
    tags: {},
    audio: tags,
  };
}

function cutStream(stream: Stream): Stream {
  const { bitrate: _, profile: __, ...rest } = stream;
  const bitDepth = LOSSLESS.test(stream.codec) ? (stream.bitDepth ?? CD_BITS) : CD_BITS;
  return { ...rest, index: 0, codec: CUT, bitDepth };
}

/**
 * Answers questions about one media file, in the helper process. Whatever the file contains, an answer comes within
 * the limits below; nothing that a file can do is thrown.
 */
import { withHeaderFile } from '../../lib/files/header.ts';
import { createSource, type ReadAt, Uncertain, uncertain } from '../../lib/media/source.ts';
import { objectFeed } from './asf/feed.ts';
import { asfWalker } from './asf/walk.ts';
import { chunkFeed } from './avi/feed.ts';
import { aviIndex, aviWalker } from './avi/file.ts';
import { isAvi } from './avi/header.ts';
import { flvWalker } from './flv/walk.ts';
import { matroskaIndex } from './matroska/file.ts';
import { fontsOf } from './matroska/fonts.ts';
import { keyframeOf, segmentOf } from './matroska/segment.ts';
import type { AskedFile, MediaAnswer, MediaQuestion } from './messages.ts';
import { matroskaWalker } from './matroska/walk.ts';
import { isMp4, mp4Index } from './mp4/file.ts';
import { type Feed, packetSegment } from './stream/segment.ts';
import { streamFeed } from './ts/feed.ts';
import { streamWalker } from './ts/walk.ts';
import type { IndexData, PacketContainer, Walker } from './types.ts';

/** A movie box, its fragments or cues, and the start of each keyframe. */
const INDEX_LIMITS = { bytes: 256 * 1024 * 1024, reads: 400_000 };
/** Block headers of one segment and of what lies around it. */
const SEGMENT_LIMITS = { bytes: 256 * 1024 * 1024, reads: 50_000 };
const EBML = 0x1a45dfa3;

/** Returns the index of a file of `size` bytes, or why there is none. */
export function readIndex(size: number, readAt: ReadAt): MediaAnswer {
  return guarded(() => {
    const source = createSource(size, readAt, Buffer.alloc(0), INDEX_LIMITS);
    const head = source.upTo(0, 4);
    if (head.length === 4 && head.readUInt32BE(0) === EBML) return { index: matroskaIndex(source) };
    return { index: isMp4(source) ? mp4Index(source) : isAvi(source) ? aviIndex(source) : notSupported() };
  });
}

export const FEEDS: Readonly<Record<PacketContainer, Feed>> = { ts: streamFeed, avi: chunkFeed, asf: objectFeed };

/** Returns where the fonts of a file are; only Matroska has any. */
export function readFonts(size: number, readAt: ReadAt): MediaAnswer {
  return guarded(() => {
    const source = createSource(size, readAt, Buffer.alloc(0), SEGMENT_LIMITS);
    const head = source.upTo(0, 4);
    return { fonts: head.length === 4 && head.readUInt32BE(0) === EBML ? fontsOf(source) : [] };
  });
}

/** Returns a walker of a file that has no index. Throws `Uncertain` when its container is not walked either. */
export function createWalker(size: number, readAt: ReadAt): Walker {
  const head = Buffer.alloc(4);
  const isMatroska = readAt(head, 0) === 4 && head.readUInt32BE(0) === EBML;
  return isMatroska
    ? matroskaWalker(size, readAt)
    : (aviWalker(size, readAt) ??
        asfWalker(size, readAt) ??
        flvWalker(size, readAt) ??
        streamWalker(size, readAt) ??
        uncertain('a container that is not walked'));
}

/** The walk that this process is at. */
let walking: { walk: number; walker: Walker } | undefined;

function walkOn(
  size: number,
  readAt: ReadAt,
  { walk, isFirst, bytes }: Extract<MediaQuestion, { is: 'walk' }>,
): MediaAnswer {
  const answered = guarded(() => {
    if (isFirst) walking = { walk, walker: createWalker(size, readAt) };
    if (walking?.walk !== walk) return { failed: 'lost' };
    const { walker } = walking;
    walker.step(readAt, bytes);
    return walker.isDone() ? { index: walker.result() } : { progress: walker.progress() };
  });
  if (!('progress' in answered)) walking = undefined;
  return answered;
}

const notSupported = (): IndexData => uncertain('a container without an index');

function guarded(work: () => MediaAnswer): MediaAnswer {
  try {
    return work();
  } catch (error) {
    // A range error is a field that lies about its length: Buffer refuses to read beyond its end.
    if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
    return { refused: error.message };
  }
}

export function answerQuestion(asked: MediaQuestion): MediaAnswer {
  return withVersion(asked.file, (size, readAt) => {
    if (asked.is === 'index') return readIndex(size, readAt);
    if (asked.is === 'fonts') return readFonts(size, readAt);
    if (asked.is === 'walk') return walkOn(size, readAt, asked);
    if (asked.is === 'packets')
      return guarded(() => ({
        segment: [packetSegment({ size, readAt }, asked.question, FEEDS[asked.question.container])],
      }));
    return guarded(() => {
      const source = createSource(size, readAt, Buffer.alloc(0), SEGMENT_LIMITS);
      return {
        segment:
          asked.is === 'segment' ? segmentOf(source, asked.question) : [keyframeOf(source, asked.question, asked.key)],
      };
    });
  });
}

function withVersion(file: AskedFile, work: (size: number, readAt: ReadAt) => MediaAnswer): MediaAnswer {
  const found = withHeaderFile<MediaAnswer>(
    file.path,
    (size, at, { mtimeMs, ino }) => {
      const isSame = size === file.size && mtimeMs === file.mtimeMs && ino === file.ino;
      return isSame ? work(size, at) : { failed: 'changed' };
    },
    file.root,
  );
  return found ?? { failed: 'unreadable' };
}

/** Makes the index of an AVI file, from the index that it has, or by a walk through all its chunks. */
import { createSource, type ReadAt, type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { planSegments } from '../segments.ts';
import { newFacts } from '../stream/stream-walk.ts';
import { videoWalk } from '../stream/video-walk.ts';
import type { IndexData, Walker } from '../types.ts';
import { aviData, showPicture } from './build.ts';
import { row } from './chunks.ts';
import { createEntries, readEntries } from './entries.ts';
import { isAvi, readAviHeader } from './header.ts';

/** Bytes of a step that one chunk stands for, so that steps with many small chunks end, too. */
const CHUNK_COST = 512;

/** Throws `Uncertain` for a file whose index is missing, wrong or not for all of it: a walk makes another one. */
export function aviIndex(source: ByteSource): IndexData {
  const header = readAviHeader(source);
  const index = aviData({ source, header, entries: readEntries(source, header) });
  // Some writers do not mark all keyframes.
  const isSparse = planSegments(index.keyframes, index.duration, false).obstacle !== undefined;
  return isSparse ? uncertain('an AVI index with few keyframes') : index;
}

/** Returns a walker of an AVI file, and undefined for another file. */
export function aviWalker(size: number, first: ReadAt): Walker | undefined {
  let readAt = first;
  // One source lives through all steps, whose files are opened one after the other.
  const source = createSource(size, (into, at) => readAt(into, at), Buffer.alloc(0), {
    bytes: Infinity,
    reads: Infinity,
  });
  if (!isAvi(source)) return undefined;
  const header = readAviHeader(source);
  const entries = createEntries(header.streams.length);
  const shown = header.streams.findIndex(({ kind }) => kind === 'video');
  const { codec, private: config } = header.streams[shown] ?? {};
  const seen =
    config && (codec === 'h264' || codec === 'hevc')
      ? videoWalk(newFacts(shown, shown, 'video', codec), codec, { isTimed: false, private: config })
      : undefined;
  const chunks = row(source, header.first);
  let [at, pictures] = [header.first, 0];
  let isDone = false;
  return {
    step: (read, bytes) => {
      readAt = read;
      const until = at + bytes;
      for (let cost = 0; !isDone && at + cost < until; cost += CHUNK_COST) {
        const { value: chunk, done } = chunks.next();
        if (done === true) {
          isDone = true;
          break;
        }
        at = chunk.at;
        const stream = chunk.stream ?? 0;
        if (seen && stream === shown && chunk.size > 0) {
          showPicture(source, seen, { place: chunk.at, size: chunk.size, picture: pictures });
          pictures += 1;
        }
        entries.add(stream, chunk.at, chunk.size, false);
      }
    },
    progress: () => Math.min(1, at / size),
    isDone: () => isDone,
    result: () =>
      entries.end === 0 ? uncertain('AVI without pictures or sound') : aviData({ source, header, entries, seen }),
  };
}

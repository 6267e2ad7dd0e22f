/** Reads one stream of an AVI file from a chunk on, with the times that its chunks count. */
import { createSource, Uncertain, uncertain } from '../../../lib/media/source.ts';
import type { Feed } from '../stream/segment.ts';
import { row } from './chunks.ts';
import { ticksAt, chunkUnits } from './header.ts';

const PIECE = 512 * 1024;
/** Heads of chunks and bytes of one segment. */
const LIMITS = { bytes: 512 * 1024 * 1024, reads: 200_000 };
const MAX_CHUNKS = 400_000;

export const chunkFeed: Feed = ({ size, readAt }, { from, count, track: { pid, pace } }, taker) => {
  if (pace === undefined) return uncertain('an AVI stream without a rate');
  const source = createSource(size, readAt, Buffer.alloc(0), LIMITS);
  let units = count;
  let chunks = 0;
  try {
    for (const chunk of row(source, from)) {
      if ((chunks += 1) > MAX_CHUNKS) uncertain('too many chunks in a segment');
      if (chunk.stream !== pid) continue;
      const { at, body, size: length } = chunk;
      const time = ticksAt(pace, units);
      units += chunkUnits(pace, length);
      for (let done = 0; done < length; done += PIECE) {
        const bytes = source.at(body + done, Math.min(PIECE, length - done));
        const payload = { bytes, from: 0, to: bytes.length, at, base: body + done };
        if (done > 0) taker.more(payload);
        else if (!taker.start(payload, time)) return;
      }
    }
  } catch (error) {
    // After a damaged place, a film continues with the next segment; pictures before the damage are shown.
    if (!(error instanceof Uncertain) || chunks === 0) throw error;
  }
};

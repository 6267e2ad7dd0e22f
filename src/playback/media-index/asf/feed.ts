/** Reads one stream of an ASF file from a place on. */
import { uncertain } from '../../../lib/media/source.ts';
import { CLOCK, type Taker } from '../stream/payload.ts';
import type { Feed } from '../stream/segment.ts';
import { newObjectState, readObjects } from './packets.ts';

/** Bytes of a file that one segment may take, everything between its packets counted. */
const MAX_BYTES = 512 * 1024 * 1024;
export const MILLISECOND = CLOCK / 1000;

export const objectFeed: Feed = ({ size, readAt }, { from, origin, stride, end, zero, track: { pid } }, taker) => {
  if (stride < 1) return uncertain('ASF without packets');
  const timed: Taker = {
    start: (payload, time) => taker.start(payload, time === undefined ? undefined : time * MILLISECOND - zero),
    more: taker.more,
  };
  const reached = readObjects(
    readAt,
    { origin, stride, end: Math.min(end, size) },
    { from, limit: MAX_BYTES, takers: new Map([[pid, timed]]), state: newObjectState() },
  );
  if (reached < Math.min(end, size) && reached - from >= MAX_BYTES) uncertain('a segment without an end');
};

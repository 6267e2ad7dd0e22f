/** Reads one stream of a transport stream from a packet on, with times on the timeline of the file. */
import { uncertain } from '../../../lib/media/source.ts';
import { CLOCK } from '../stream/payload.ts';
import type { Feed } from '../stream/segment.ts';
import { zeroAt } from './clock.ts';
import { createScanner } from './packets.ts';
import { pesHead, unwrapped } from './pes.ts';

/** Bytes of a file that one segment may take, everything between its packets counted. */
const MAX_BYTES = 512 * 1024 * 1024;

export const streamFeed: Feed = ({ size, readAt }, { stride, zero, from, start, track: { pid, jumps } }, taker) => {
  let last = start * CLOCK;
  const reached = createScanner({ stride, end: size, pids: [pid] }).scan(readAt, from, MAX_BYTES, (packet) => {
    if (!packet.isStart) {
      taker.more(packet);
      return true;
    }
    const head = pesHead(packet);
    if (head === undefined) return true;
    packet.from = head.from;
    if (head.pts === undefined) return taker.start(packet, undefined);
    const own = zeroAt(jumps, packet.at, zero);
    last = unwrapped(head.pts, own + last) - own;
    return taker.start(packet, last);
  });
  if (reached - from >= MAX_BYTES) uncertain('a segment without an end');
};

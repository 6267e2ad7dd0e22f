/**
 * Reads one stream of a transport stream from a packet on, with times on the timeline of the file. Parts of video have
 * their offset in the packet.
 */
import { uncertain } from '../../../lib/media/source.ts';
import { CLOCK } from '../stream/payload.ts';
import type { Feed } from '../stream/segment.ts';
import { zeroAt } from './clock.ts';
import { createScanner, placedPayload } from './packets.ts';
import { pesHead, unwrapped } from './pes.ts';

/** Bytes of a file that one segment may take, everything between its packets counted. */
const MAX_BYTES = 512 * 1024 * 1024;

export const streamFeed: Feed = (
  { size, readAt },
  { stride, zero, from, count, start, track: { pid, kind, jumps } },
  taker,
) => {
  let last = start * CLOCK;
  const reached = createScanner({ stride, end: size, pids: [pid] }).scan(readAt, from - count, MAX_BYTES, (packet) => {
    if (!packet.isStart) return taker.more(packet) !== false;
    const head = pesHead(packet);
    if (head === undefined) return true;
    packet.from = head.from;
    const payload = kind === 'video' ? placedPayload(packet) : packet;
    if (head.pts === undefined) return taker.start(payload, undefined);
    const own = zeroAt(jumps, packet.at, zero);
    last = unwrapped(head.pts, own + last) - own;
    return taker.start(payload, last);
  });
  if (reached - from >= MAX_BYTES) uncertain('a segment without an end');
};

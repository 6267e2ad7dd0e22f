/**
 * Extracts sub-picture units from an MPEG program stream (ISO 13818-1, and 11172-1 for the older form), the format of
 * `.sub` files: packs of packets of private stream 1, each with the number of its sub-stream.
 *
 * One pass over the bytes, whatever an index states: each unit is identified by the byte where the pack of its first
 * packet begins. Packets of other streams are skipped; bytes between packs are searched for the next one.
 */
import { noteList, PICTURE_LIMITS, type PictureNote } from './picture.ts';

export interface Units {
  /** Units by the position of the pack in which they begin, in the order of the file. */
  at: Map<number, Uint8Array>;
  notes: PictureNote[];
}

interface Building {
  position: number;
  parts: Uint8Array[];
  length: number;
  size: number;
}

/**
 * Collects the units of one sub-stream (0x20 to 0x3f). Incomplete units are left out; the next unit begins in a pack of
 * `starts` at the latest, as the index states.
 */
export function unitsOf(bytes: Uint8Array, stream: number, starts: ReadonlySet<number>): Units {
  const { note, notes } = noteList();
  const at = new Map<number, Uint8Array>();
  let building: Building | undefined;
  let pack = 0;
  const finish = (): void => {
    if (building && building.length >= building.size) at.set(building.position, joined(building));
    else if (building) note('picture-cut-short');
    building = undefined;
  };
  for (let here = 0; here + 6 <= bytes.length && at.size < PICTURE_LIMITS.pictures;) {
    if (bytes[here] !== 0 || bytes[here + 1] !== 0 || bytes[here + 2] !== 1) {
      here = nextStart(bytes, here + 1);
      continue;
    }
    const code = bytes[here + 3] ?? 0;
    if (code === 0xba) {
      pack = here;
      // MPEG-2 states how much stuffing follows; MPEG-1 has a shorter header.
      here += (bytes[here + 4] ?? 0) >> 6 === 1 ? 14 + ((bytes[here + 13] ?? 0) & 7) : 12;
      continue;
    }
    if (code === 0xb9) {
      here += 4;
      continue;
    }
    if (code < 0xbb) {
      here = nextStart(bytes, here + 3);
      continue;
    }
    const end = Math.min(bytes.length, here + 6 + ((bytes[here + 4] ?? 0) << 8) + (bytes[here + 5] ?? 0));
    const payload = code === 0xbd ? payloadOf(bytes.subarray(here + 6, end)) : undefined;
    here = end;
    if (!payload || payload[0] !== stream) continue;
    const data = payload.subarray(1);
    if (building && pack !== building.position && starts.has(pack)) finish();
    if (building) {
      building.parts.push(data);
      building.length += data.length;
    } else if (data.length >= 2)
      building = { position: pack, parts: [data], length: data.length, size: ((data[0] ?? 0) << 8) | (data[1] ?? 0) };
    if (building && building.length >= building.size) finish();
  }
  finish();
  return { at, notes: notes() };
}

/** Returns the part of a packet after its header: the number of the sub-stream and its data. */
function payloadOf(packet: Uint8Array): Uint8Array | undefined {
  const first = packet[0] ?? 0;
  if (first >> 6 === 2) return packet.subarray(3 + (packet[2] ?? 0));
  // MPEG-1: stuffing, the size of a buffer, then times.
  let at = 0;
  while (at < 16 && packet[at] === 0xff) at++;
  if ((packet[at] ?? 0) >> 6 === 1) at += 2;
  const mark = (packet[at] ?? 0) >> 4;
  return packet.subarray(at + (mark === 2 ? 5 : mark === 3 ? 10 : 1));
}

function nextStart(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(1, from + 2); at >= 0; at = bytes.indexOf(1, at + 1))
    if (bytes[at - 1] === 0 && bytes[at - 2] === 0) return at - 2;
  return bytes.length;
}

function joined({ parts, size }: Building): Uint8Array {
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part.subarray(0, size - at), at);
    at = Math.min(size, at + part.length);
  }
  return out;
}

/**
 * Rewrites a transport stream so that its packets of video do not begin at pictures, as recorders do that cut the
 * stream after a number of bytes. A packet has the time of the first picture that begins in it (ISO/IEC 13818-1,
 * 2.4.3.7).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pesHead } from '../../media-index/ts/pes.ts';
import { createScanner, PACKET } from '../../media-index/ts/packets.ts';
import { packets, pes } from './fields.ts';

const VIDEO = 0x100;

/** Each packet of `from` must begin with a picture, as ffmpeg writes them; those of `to` have at most `size` bytes. */
export function writeUnaligned(from: string, to: string, size: number): void {
  const file = readFileSync(from);
  const parts: Buffer[] = [];
  /** Place and time of each picture in the elementary stream. */
  const pictures: { at: number; time: number | undefined }[] = [];
  let length = 0;
  createScanner({ stride: PACKET, end: file.length, pids: [VIDEO] }).scan(
    (into, at) => file.copy(into, 0, at),
    0,
    file.length,
    (packet) => {
      const head = packet.isStart ? pesHead(packet) : undefined;
      if (head) pictures.push({ at: length, time: head.pts });
      const payload = Buffer.from(packet.bytes.subarray(head?.from ?? packet.from, packet.to));
      parts.push(payload);
      length += payload.length;
    },
  );
  const stream = Buffer.concat(parts);
  const count = { value: 0 };
  const isVideo = (packet: Buffer): boolean => (packet.readUInt16BE(1) & 0x1fff) === VIDEO;
  const all = Array.from({ length: file.length / PACKET }, (_, n) => file.subarray(n * PACKET, (n + 1) * PACKET));
  const out: Buffer[] = all.filter((packet) => !isVideo(packet));
  for (let at = 0; at < stream.length; at += size) {
    const begun = pictures.find((picture) => picture.at >= at && picture.at < at + size);
    out.push(packets(VIDEO, pes(stream.subarray(at, at + size), begun?.time), count));
  }
  writeFileSync(to, Buffer.concat(out));
}

/** MP4: tables with billions of samples, boxes in boxes, and sizes that lie. */
import { FAR_BYTES, filesOf, type HostileFile, u32 } from './files.ts';

const box = (type: string, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};

/**
 * Replaces the body of the first box of a type by another of its size or of none, in a file whose movie box is last or
 * first.
 */
function withBody(file: Buffer, type: string, change: (body: Buffer) => void): Buffer {
  const bytes = Buffer.from(file);
  const at = bytes.indexOf(type, 0, 'latin1');
  if (at >= 4) change(bytes.subarray(at + 4, Math.min(bytes.length, at - 4 + bytes.readUInt32BE(at - 4))));
  return bytes;
}

const nested = (type: string, depth: number, inner: Buffer): Buffer => {
  let bytes = inner;
  for (let i = 0; i < depth; i += 1) bytes = box(type, bytes);
  return bytes;
};

export function hostileMp4(clip: Buffer): HostileFile[] {
  const file = filesOf('mp4');
  const head = box('ftyp', Buffer.from('isom'), u32(0), Buffer.from('isom'));
  const billion = (type: string, at: number): Buffer =>
    withBody(clip, type, (body) => void body.writeUInt32BE(1_000_000_000, at));
  const largest = (type: string, at: number): Buffer =>
    withBody(clip, type, (body) => void body.writeUInt32BE(0xffffffff, at));
  return [
    ...(['stts', 'stsc', 'stco', 'ctts', 'stss', 'elst'] as const).flatMap((type) => [
      file(`${type}-billion`, billion(type, 4)),
      file(`${type}-largest`, largest(type, 4)),
    ]),
    file('stsz-count', billion('stsz', 8)),
    file(
      'stsz-one-size',
      withBody(clip, 'stsz', (body) => void (body.writeUInt32BE(1, 4), body.writeUInt32BE(1_000_000_000, 8))),
    ),
    file(
      'stts-one-run',
      withBody(
        clip,
        'stts',
        (body) => void (body.writeUInt32BE(1, 4), body.writeUInt32BE(0xffffffff, 8), body.writeUInt32BE(0, 12)),
      ),
    ),
    file(
      'stsc-many',
      withBody(clip, 'stsc', (body) => void (body.writeUInt32BE(1, 8), body.writeUInt32BE(0xffffffff, 12))),
    ),
    file(
      'offsets-beyond',
      withBody(clip, 'stco', (body) => body.fill(0xff, 8)),
    ),
    file(
      'scale-zero',
      withBody(clip, 'mdhd', (body) => void body.writeUInt32BE(0, 12)),
    ),
    file(
      'movie-scale-zero',
      withBody(clip, 'mvhd', (body) => void body.writeUInt32BE(0, 12)),
    ),
    file(
      'duration-largest',
      withBody(clip, 'mdhd', (body) => void body.writeUInt32BE(0xffffffff, 16)),
    ),
    file(
      'offsets-before-zero',
      withBody(clip, 'ctts', (body) => body.fill(0x80, 8)),
    ),
    file('deep', Buffer.concat([head, nested('moov', 5000, box('trak'))])),
    file('deep-tracks', Buffer.concat([head, box('moov', nested('trak', 3000, box('mdia')))])),
    file(
      'many-tracks',
      Buffer.concat([head, box('moov', ...Array.from({ length: 20_000 }, () => box('trak', box('mdia'))))]),
    ),
    file('size-zero', Buffer.concat([head, u32(0), Buffer.from('moov'), u32(0, 0, 0)])),
    file('size-one', Buffer.concat([head, u32(1), Buffer.from('moov'), u32(0xffffffff, 0xffffffff)])),
    file('size-seven', Buffer.concat([head, u32(7), Buffer.from('moov'), u32(7, 7, 7)])),
    file('tiny-boxes', Buffer.concat([head, ...Array.from({ length: 100_000 }, () => box('free'))])),
    file(
      'fragments-without-end',
      Buffer.concat([
        head,
        box('moov', box('mvex')),
        ...Array.from({ length: 30_000 }, () => box('moof', box('traf'))),
      ]),
    ),
    file('far-movie', Buffer.concat([head, u32(1), Buffer.from('mdat'), u32(1, 0)]), FAR_BYTES),
    file('cut', clip.subarray(0, clip.length >> 1)),
  ];
}

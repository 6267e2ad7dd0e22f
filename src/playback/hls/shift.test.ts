/** Segments of later parts: only their decode time changes, however the bytes come. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { box, fullBox, uint32s, uint64 } from '../cmaf/boxes.ts';
import { fragmentHeader } from '../cmaf/fragment.ts';
import type { RenditionBytes } from '../rendition.ts';
import { shifted, timescaleOf } from './shift.ts';

const DATA = Buffer.from('samples!');
const segment = (start: number): Buffer =>
  Buffer.concat([fragmentHeader(3, { start, durations: Uint32Array.of(10, 10), sizes: Uint32Array.of(5, 3) }), DATA]);

async function collected({ bytes }: RenditionBytes): Promise<Buffer> {
  if (bytes instanceof Uint8Array) return Buffer.from(bytes);
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('only decode times change, beyond the range of 32 bits', async () => {
  const moved = segment(48_000 + 2 ** 35);
  const own = segment(48_000);
  assert.deepEqual(await collected(shifted({ bytes: own }, 2 ** 35)), moved);
  assert.deepEqual(own, segment(48_000), 'the bytes that were given are not touched');
  for (const size of [1, 7, 64, 1000])
    assert.deepEqual(
      await collected(shifted({ bytes: inPieces(segment(48_000), size), size: own.length }, 2 ** 35)),
      moved,
      `in pieces of ${size}`,
    );
  assert.equal(shifted({ bytes: own, size: own.length }, 1).size, own.length);
});

test('bytes that are no segment of ours are refused', () => {
  assert.throws(() => shifted({ bytes: Buffer.from('nothing of the kind') }, 1), /no decode time/);
  assert.throws(
    () => shifted({ bytes: box('moof', box('traf', fullBox('tfdt', 0, 0, uint32s(5)))) }, 1),
    /no decode time/,
  );
});

test('the timescale is read from both forms of the media header', () => {
  const init = (version: number) =>
    box(
      'moov',
      box('mvhd', uint32s(7)),
      box(
        'trak',
        box(
          'mdia',
          fullBox(
            'mdhd',
            version,
            0,
            ...(version === 1 ? [uint64(0), uint64(0)] : [uint32s(0, 0)]),
            uint32s(44_100, 0),
          ),
        ),
      ),
    );
  assert.deepEqual([timescaleOf(init(0)), timescaleOf(init(1))], [44_100, 44_100]);
  assert.throws(() => timescaleOf(Buffer.alloc(8)), /no media header/);
});

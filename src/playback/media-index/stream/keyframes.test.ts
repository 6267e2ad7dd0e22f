/** Keyframes with the pictures that lead them, and bytes that are kept from picture to picture. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGrowingBuffer } from './growing-buffer.ts';
import { createKeyframes } from './keyframes.ts';
import { createPictureBytes } from './picture-bytes.ts';
import { createPieces } from './pieces.ts';

test('pictures that are decoded behind a keyframe and shown before it lead it', () => {
  const keyframes = createKeyframes(4);
  for (const [rank, isKey] of [
    [5, true],
    [3, false],
    [4, false],
    [6, false],
    [2, false],
    [9, true],
    [10, false],
  ] as const) {
    keyframes.noteRank(rank);
    if (isKey) keyframes.add({ at: rank * 100, time: rank, isIdr: rank === 9, rank });
  }
  assert.deepEqual(keyframes.leading, [2, 0], 'what comes behind a picture that is shown later counts no more');
  assert.deepEqual(
    [keyframes.times, keyframes.places, keyframes.isIdr],
    [
      [5, 9],
      [500, 900],
      [0, 1],
    ],
  );
  assert.deepEqual([keyframes.ranks, keyframes.isWaiting, keyframes.isUnfit], [[5, 3, 4, 6], false, false]);
});

test('a keyframe waits until a picture is shown after it, and too many leading pictures are unfit', () => {
  const keyframes = createKeyframes(100);
  keyframes.add({ at: 0, time: 0, isIdr: true, rank: undefined });
  assert.equal(keyframes.isWaiting, false, 'with presentation times nothing has to be counted');
  keyframes.add({ at: 1, time: 1, isIdr: true, rank: 100 });
  assert.equal(keyframes.isWaiting, true);
  for (let rank = 0; rank < 16; rank++) keyframes.noteRank(rank);
  assert.equal(keyframes.isUnfit, false);
  keyframes.noteRank(16);
  assert.deepEqual([keyframes.isUnfit, keyframes.leading], [true, [0, 17]]);
});

test('a buffer grows, and keeps its memory when it is cleared', () => {
  const buffer = createGrowingBuffer(4);
  buffer.add(Buffer.from('abcdef'), 1, 4);
  buffer.add(Buffer.from('0123456789'), 0, 10);
  assert.deepEqual([buffer.bytes().toString(), buffer.length], ['bcd0123456789', 13]);
  const { buffer: memory } = buffer.bytes();
  buffer.clear();
  buffer.add(Buffer.from('xyz'), 0, 3);
  assert.equal(buffer.bytes().toString(), 'xyz');
  assert.equal(buffer.bytes().buffer, memory);
});

test('units of a picture become lengths, small units as they are, and ranges of the file', () => {
  const source = createPictureBytes();
  const large = Buffer.alloc(6000, 'b');
  const part = (bytes: Buffer, position: number) => ({ bytes, from: 0, to: bytes.length, at: 0, base: position });
  source.add(part(Buffer.from('lost'), 0));
  source.clear();
  source.add(part(Buffer.concat([Buffer.from('aaa'), large.subarray(0, 2000)]), 1000));
  source.add(part(large.subarray(2000), 9000));
  const list = createPieces();
  const units = [
    { from: 0, to: 3 },
    { from: 3, to: 6003 },
  ].map((unit) => ({ ...unit, type: 1 }));
  assert.equal(source.copyUnits(units, list), 4 + 3 + 4 + 6000);
  const { positions, lengths, literals } = list.pieces();
  assert.deepEqual(Buffer.from(literals ?? []).toString('latin1'), '\0\0\0\x03aaa\0\0\x17\x70');
  assert.deepEqual(
    [[...positions], [...lengths]],
    [
      [-1, 1003, 9000],
      [11, 2000, 4000],
    ],
  );
});

/** The published vectors of the hash, and the ways in which a file may be shorter than it said. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moviehash } from './moviehash.ts';

const made = (size: number, byte: (i: number) => number) => ({
  size,
  read: async (position: number, length: number) =>
    Uint8Array.from({ length: Math.max(0, Math.min(length, size - position)) }, (_, i) => byte(position + i) & 255),
});

const rows: readonly [name: string, size: number, byte: (i: number) => number, hash: string | undefined][] = [
  ['131,071 zero bytes', 131_071, () => 0, undefined],
  ['131,072 zero bytes', 131_072, () => 0, '0000000000020000'],
  ['131,072 bytes of 0xff wrap', 131_072, () => 255, '000000000001c000'],
  ['i and 255', 200_000, (i) => i, 'a0601fdf9f620d40'],
  ['7i mod 251', 200_001, (i) => (7 * i) % 251, '8b92adccd6e5ec00'],
  ['31i + 7', 1_048_576, (i) => 31 * i + 7, '5f9fe02060b0c000'],
  ['a size over 32 bits', 4_295_033_890, () => 0, '0000000100010422'],
  ['nothing', 0, () => 0, undefined],
];

for (const [name, size, byte, hash] of rows) {
  test(`moviehash: ${name}`, async () => {
    const file = made(size, byte);
    assert.equal(await moviehash(file.size, file.read), hash);
  });
}

test('moviehash reads two ranges and no more', async () => {
  const asked: [number, number][] = [];
  const size = 50_000_000;
  await moviehash(size, async (position, length) => {
    asked.push([position, length]);
    return new Uint8Array(length);
  });
  assert.deepEqual(asked, [
    [0, 65_536],
    [size - 65_536, 65_536],
  ]);
});

test('moviehash of a file that shrank is not known', async () => {
  assert.equal(await moviehash(200_000, made(150_000, () => 1).read), undefined);
});

/** Reading ranges of a file: the right bytes, few reads, two buffers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import type { Pieces } from '../media-index/types.ts';
import { readPieces } from './pieces.ts';

const never = new AbortController().signal;
const FILE = Buffer.from(Uint32Array.from({ length: 1 << 20 }, (_, i) => Math.imul(i, 2_654_435_761)).buffer);
const PIECE = 512 * 1024;

/** The file, and how often and how much of it was read. `most` is what one read returns at most. */
function counted(most = Infinity) {
  const spent = { reads: 0, bytes: 0 };
  const read = (into: Uint8Array, position: number): Promise<number> => {
    const got = FILE.copy(into, 0, position, Math.min(FILE.length, position + Math.min(most, into.length)));
    spent.reads += 1;
    spent.bytes += got;
    return Promise.resolve(got);
  };
  return { spent, read };
}

const piecesOf = (ranges: readonly (readonly [number, number])[], literals?: Uint8Array): Pieces => ({
  positions: Float64Array.from(ranges, ([at]) => at),
  lengths: Uint32Array.from(ranges, ([, length]) => length),
  ...(literals && { literals }),
});

async function whole(pieces: Pieces, file: Parameters<typeof readPieces>[0], sizes: number[] = []): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const bytes of readPieces(file, pieces, never)) {
    sizes.push(bytes.length);
    parts.push(Buffer.from(bytes));
  }
  return Buffer.concat(parts);
}

const expected = (pieces: Pieces): Buffer =>
  Buffer.concat(
    Array.from(pieces.positions, (at, i) => {
      const length = pieces.lengths[i] ?? 0;
      return at < 0
        ? Buffer.from(pieces.literals?.subarray(-1 - at, -1 - at + length) ?? [])
        : FILE.subarray(at, at + length);
    }),
  );

test('any ranges, in any order, with literals between them, whatever a read returns', async () => {
  const literals = Buffer.from('a few literal bytes');
  const range = fc.oneof(
    fc
      .tuple(fc.nat({ max: FILE.length - 1 }), fc.oneof(fc.nat({ max: 3000 }), fc.nat({ max: 900_000 })))
      .map(([at, length]) => [at, Math.min(length, FILE.length - at)] as const),
    fc
      .tuple(fc.nat({ max: literals.length - 1 }), fc.nat({ max: literals.length }))
      .map(([at, length]) => [-1 - at, Math.min(length, literals.length - at)] as const),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(range, { maxLength: 12 }),
      fc.constantFrom(Infinity, 1000, 77_777),
      async (ranges, most) => {
        const pieces = piecesOf(ranges, literals);
        const sizes: number[] = [];
        assert.ok((await whole(pieces, counted(most), sizes)).equals(expected(pieces)));
        assert.ok(sizes.every((size) => size <= PIECE && size > 0));
      },
    ),
    { numRuns: 300 },
  );
});

test('pictures with sound between them are read in few steps', async () => {
  // 96 pictures of 27 KB, each followed by three frames of sound.
  const pieces = piecesOf(Array.from({ length: 96 }, (_, i) => [i * 28_500, 27_000] as const));
  const file = counted();
  const sizes: number[] = [];
  assert.ok((await whole(pieces, file, sizes)).equals(expected(pieces)));
  assert.ok(file.spent.reads <= 7, `${file.spent.reads} reads`);
  const sound = piecesOf(Array.from({ length: 10 }, (_, i) => [i * 400_000, 500] as const));
  const apart = counted();
  assert.ok((await whole(sound, apart)).equals(expected(sound)));
  assert.equal(apart.spent.bytes, 5000, 'what lies far apart is not read');
});

test('two buffers serve a stream, and the next streams', async () => {
  const seen = new Set<ArrayBufferLike>();
  for (let stream = 0; stream < 3; stream += 1) {
    for await (const bytes of readPieces(counted(), piecesOf([[0, 4_000_000]]), never))
      if (bytes.length === PIECE) seen.add(bytes.buffer);
  }
  assert.equal(seen.size, 2);
});

test('a file that ends early and a reader who leaves', async () => {
  await assert.rejects(
    whole(piecesOf([[FILE.length - 10, 11]]), counted()),
    (error: unknown) => error instanceof Error && error.message === 'the file is shorter than before',
  );
  const leaving = new AbortController();
  const stream = readPieces(counted(), piecesOf([[0, 3_000_000]]), leaving.signal);
  await stream.next();
  leaving.abort();
  await assert.rejects(stream.next(), { name: 'AbortError' });
});

/** Damaged HEIC files: each is refused or shown within limits, and none keeps the next picture from being made. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { Failure } from '../../../lib/failure.ts';
import { createProcesses } from '../../../lib/process.ts';
import { quietLog } from '../../../lib/process/testing.ts';
import { quarters } from '../../probe/testing/pictures.ts';
import { codedHeic } from '../../testing/heic.ts';
import { createPhotoPictures } from './index.ts';

const signal = new AbortController().signal;

test('a HEIC file cut or changed anywhere is refused or shown, and the next one is shown', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'matinee-heic-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(root, 'work') });
  const pictures = createPhotoPictures({ processes });
  t.after(async () => {
    await pictures.close();
    await processes.close();
    rmSync(root, { recursive: true, force: true });
  });
  const whole = await codedHeic(root, await quarters(120, 80));
  const path = join(root, 'picture.heic');
  const made = async (bytes: Uint8Array): Promise<'shown' | 'refused'> => {
    writeFileSync(path, bytes);
    try {
      await sharp(await pictures.make({ path, root, width: 160, format: 'webp' }, signal)).metadata();
      return 'shown';
    } catch (error) {
      assert.ok(error instanceof Failure && error.reason === 'picture-unreadable', String(error));
      return 'refused';
    }
  };
  const outcomes = { shown: 0, refused: 0 };
  const note = async (bytes: Uint8Array) => void outcomes[await made(bytes)]++;
  for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 24))
    await note(whole.subarray(0, length));
  // Sizes of the picture that are not its own, in the box that states them.
  const sizes = whole.indexOf('ispe') + 8;
  for (const [width, height] of [
    [0, 0],
    [1, 1],
    [65_535, 65_535],
    [0xffff_ffff, 0xffff_ffff],
  ] as const) {
    const lying = Buffer.from(whole);
    lying.writeUInt32BE(width, sizes);
    lying.writeUInt32BE(height, sizes + 4);
    await note(lying);
  }
  const edits = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(edits, async (changes) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      await note(bytes);
    }),
    { seed: 20240701, numRuns: 60, endOnFailure: true },
  );
  assert.ok(outcomes.refused > 20 && outcomes.shown > 0, JSON.stringify(outcomes));
  assert.equal(await made(whole), 'shown');
});

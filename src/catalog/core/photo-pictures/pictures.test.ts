/** Damaged HEIC and raw files: each is refused or shown in limits, and the next picture is still made. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fc } from '../../../../test/fast-check.ts';
import sharp, { type Metadata } from 'sharp';
import { Failure } from '../../../lib/failure.ts';
import { createProcesses } from '../../../lib/process.ts';
import { quietLog } from '../../../lib/process/testing.ts';
import { box, cr3File, fujiFile, jpegWith, exifOf, quarters, rawFile } from '../../probe/testing/pictures.ts';
import { codedHeic } from '../../testing/heic.ts';
import { profileIn } from './heic.ts';
import { createPhotoPictures } from './index.ts';
import { builtHelper } from '../../../../test/built-helpers.ts';

const signal = new AbortController().signal;

/** Opens the helper of pictures. `made` makes the picture of a file with these bytes, and `note` counts what came. */
async function openMaker(t: TestContext, name: string) {
  const root = mkdtempSync(join(tmpdir(), 'matinee-photo-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(root, 'work'), helperModule: builtHelper });
  const pictures = createPhotoPictures({ processes });
  t.after(async () => {
    await pictures.close();
    await processes.close();
    rmSync(root, { recursive: true, force: true });
  });
  const path = join(root, name);
  const outcomes = { shown: 0, refused: 0 };
  const made = async (bytes: Uint8Array, size = bytes.length): Promise<Metadata | undefined> => {
    writeFileSync(path, bytes);
    // The rest of a larger file is a hole.
    if (size > bytes.length) truncateSync(path, size);
    try {
      const metadata = await sharp(await pictures.make({ path, root, width: 160, format: 'webp' }, signal)).metadata();
      outcomes.shown++;
      return metadata;
    } catch (error) {
      assert.ok(error instanceof Failure && error.reason === 'picture-unreadable', String(error));
      outcomes.refused++;
      return undefined;
    }
  };
  return { root, made, outcomes };
}

test('a HEIC file cut or changed anywhere is refused or shown, and the next one is shown', async (t) => {
  const { root, made, outcomes } = await openMaker(t, 'picture.heic');
  const whole = await codedHeic(root, await quarters(120, 80));
  for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 24))
    await made(whole.subarray(0, length));
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
    await made(lying);
  }
  const edits = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(edits, async (changes) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      await made(bytes);
    }),
    { seed: 20240701, numRuns: 60, endOnFailure: true },
  );
  assert.ok(outcomes.refused > 20 && outcomes.shown > 0, JSON.stringify(outcomes));
  assert.ok(await made(whole));
});

test('a raw file cut or changed anywhere is refused or shown, and the next one is shown', async (t) => {
  const { made, outcomes } = await openMaker(t, 'picture.raw');
  const large = await quarters(120, 80);
  const taken = { camera: 'Ricoh GR III', orientation: 6 };
  const files = [
    rawFile(taken, { small: await quarters(16, 8), large }),
    cr3File(taken, large),
    fujiFile(jpegWith(large, { exif: exifOf(taken) })),
  ];
  for (const bytes of files) {
    for (let length = 0; length < bytes.length; length += Math.ceil(bytes.length / 10))
      await made(bytes.subarray(0, length));
    // Also cut inside the preview, in a file that has its full length: the place of the preview is a hole.
    for (const part of [0.5, 0.9]) await made(bytes.subarray(0, bytes.length * part), bytes.length);
  }
  const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.boolean()), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(fc.nat(files.length - 1), edits, async (which, changes) => {
      const bytes = Buffer.from(files[which] ?? []);
      // In the directories, or in the preview, which is at the end.
      for (const [at, value, isInPreview] of changes)
        bytes[isInPreview ? bytes.length - 1 - (at % large.length) : at % 500] = value;
      await made(bytes);
    }),
    { seed: 20240701, numRuns: 60, endOnFailure: true },
  );
  assert.ok(outcomes.refused > 20 && outcomes.shown > 5, JSON.stringify(outcomes));
  // A preview of 150 MiB, which is not read.
  const [, , fuji] = files;
  assert.ok(fuji);
  const enormous = Buffer.from(fuji);
  enormous.writeUInt32BE(150 * 1024 * 1024, 88);
  assert.equal(await made(enormous, 160 * 1024 * 1024), undefined);
  for (const bytes of files) {
    const metadata = await made(bytes);
    assert.deepEqual([metadata?.width, metadata?.height], [80, 120], 'upright');
  }
});

test('a colour profile is found within its limits, and what lies about itself is none', () => {
  const profile = Buffer.alloc(140, 3);
  profile.write('acsp', 36, 'latin1');
  const colr = (type: string, body: Buffer) => box('colr', Buffer.from(type), body);
  const noise = Buffer.from('colrprofcolr');
  assert.deepEqual(Buffer.from(profileIn(Buffer.concat([noise, colr('rICC', profile)])) ?? []), profile);
  assert.equal(profileIn(colr('nclx', profile)), undefined);
  assert.equal(profileIn(colr('prof', Buffer.alloc(140))), undefined, 'no signature');
  const long = Buffer.concat([profile, Buffer.alloc(1024 * 1024)]);
  assert.equal(profileIn(colr('prof', long)), undefined, 'larger than any profile');
  assert.equal(profileIn(Buffer.concat([Buffer.alloc(2 * 1024 * 1024), colr('prof', profile)])), undefined, 'far away');
  const sample = Buffer.concat([noise, colr('prof', profile), noise]);
  const edits = fc.array(fc.tuple(fc.nat(sample.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 6 });
  fc.assert(
    fc.property(edits, fc.nat(sample.length), (changes, end) => {
      const bytes = Buffer.from(sample);
      for (const [at, value] of changes) bytes[at] = value;
      const found = profileIn(bytes.subarray(0, end));
      if (found) assert.equal(Buffer.from(found).toString('latin1', 36, 40), 'acsp');
      assert.ok(!found || found.byteOffset + found.byteLength <= bytes.byteOffset + end);
    }),
    { seed: 20240701, numRuns: 2000 },
  );
  const started = process.cpuUsage();
  profileIn(Buffer.from('colr'.repeat(1024 * 1024)));
  assert.ok(process.cpuUsage(started).user < 2_000_000, 'linear in its length');
});

test('a drawing without a ground is shown on white', async (t) => {
  const { made, root } = await openMaker(t, 'logo.png');
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const drawn = await made(
    await sharp({ create: { width: 40, height: 30, channels: 4, background } })
      .png()
      .toBuffer(),
  );
  assert.deepEqual([drawn?.width, drawn?.hasAlpha], [40, false], root);
});

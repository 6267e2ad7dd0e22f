/** Pictures that the server keeps itself, and the sweep that deletes those without a row. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { createKeptPictures } from './kept-pictures.ts';

test('a picture that is kept again is spared by a sweep until a row names it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const kept = createKeptPictures(folder);
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
  const { at } = await kept.keep(bytes);
  const path = join(folder, at);
  utimesSync(path, 1, 1);
  assert.equal((await kept.keep(bytes)).at, at);
  await kept.sweep(new Set(), Date.now());
  assert.ok(existsSync(path), 'it was wanted a moment ago');
  utimesSync(path, 1, 1);
  await kept.sweep(new Set([at]), Date.now());
  assert.ok(existsSync(path), 'a row names it');
  await kept.sweep(new Set(), Date.now());
  assert.ok(!existsSync(path));
});

test('a leftover of a killed writer is removed, and the sweep continues', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [stray, old] = [join(folder, `.matinee-${'0'.repeat(16)}.part`), join(folder, `${'a'.repeat(32)}.webp`)];
  for (const path of [stray, old]) {
    writeFileSync(path, 'x');
    utimesSync(path, 1, 1);
  }
  await createKeptPictures(folder).sweep(new Set(), Date.now());
  assert.deepEqual([existsSync(stray), existsSync(old)], [false, false]);
});

/** Changes anywhere below a folder are heard, in folders that came later too, and the end is told. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { watchFolder } from '../files.ts';

test('changes are heard at every depth, also in folders made, moved and replaced later', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'watch-'));
  mkdirSync(join(base, 'shows/one/season'), { recursive: true });
  mkdirSync(join(base, 'elsewhere'));
  symlinkSync('../elsewhere', join(base, 'shows/link'));
  let heard = 0;
  const ends: string[] = [];
  const watch = watchFolder(join(base, 'shows'), () => { heard += 1; }, (code) => ends.push(code));
  t.after(() => {
    watch.close();
    rmSync(base, { recursive: true, force: true });
  });
  /** Changes something until it is heard: where nothing listens, the test never ends. */
  const hears = async (change: (i: number) => void): Promise<void> => {
    for (let [i, before] = [0, heard]; heard === before; i += 1) {
      change(i);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    // Until all that belongs to this change has come.
    for (let before = -1; heard !== before; await new Promise((resolve) => setTimeout(resolve, 40))) before = heard;
  };
  await hears((i) => writeFileSync(join(base, `shows/a${i}`), 'x'));
  await hears((i) => writeFileSync(join(base, `shows/one/season/b${i}`), 'x'));
  await hears(() => mkdirSync(join(base, 'shows/two/deep'), { recursive: true }));
  await hears((i) => writeFileSync(join(base, `shows/two/deep/c${i}`), 'x'));
  await hears(() => renameSync(join(base, 'shows/two'), join(base, 'shows/three')));
  await hears((i) => writeFileSync(join(base, `shows/three/deep/d${i}`), 'x'));
  await hears(() => {
    rmSync(join(base, 'shows/three'), { recursive: true, force: true });
    mkdirSync(join(base, 'shows/three/deep'), { recursive: true });
  });
  await hears((i) => writeFileSync(join(base, `shows/three/deep/e${i}`), 'x'));
  const before = heard;
  writeFileSync(join(base, 'elsewhere/f'), 'x');
  writeFileSync(join(base, 'shows/.matinee-0123456789abcdef.part'), 'x');
  await hears((i) => writeFileSync(join(base, `shows/g${i}`), 'x'));
  assert.ok(heard > before);
  assert.deepEqual(ends, []);
});

test('a folder that is not there, and one that goes, end the watch', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'watch-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const code = await new Promise((resolve) => watchFolder(join(base, 'none'), () => {}, resolve));
  assert.equal(code, 'ENOENT');
  watchFolder(base, () => assert.fail('closed'), () => assert.fail('closed')).close();
  writeFileSync(join(base, 'a'), 'x');
  await new Promise((resolve) => setTimeout(resolve, 50));
});

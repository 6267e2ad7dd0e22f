/** Changes anywhere below a folder are reported, also in folders created later, and so is the end. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { watchFolder } from '../files.ts';

test('changes are heard at every depth, also in folders made, moved and replaced later', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'watch-'));
  mkdirSync(join(base, 'shows/one/season'), { recursive: true });
  mkdirSync(join(base, 'elsewhere'));
  symlinkSync('../elsewhere', join(base, 'shows/link'));
  let heard = 0;
  const ends: string[] = [];
  const watch = watchFolder(
    join(base, 'shows'),
    () => {
      heard += 1;
    },
    (code) => ends.push(code),
    { hidden: ['.named'] },
  );
  t.after(() => {
    watch.close();
    rmSync(base, { recursive: true, force: true });
  });
  const quiet = async (ms: number): Promise<void> => {
    for (let before = -1; heard !== before; await new Promise((resolve) => setTimeout(resolve, ms))) before = heard;
  };
  /** Changes something until it is heard: a folder that came later is watched a moment later. */
  const hears = async (change: (i: number) => void): Promise<void> => {
    const before = heard;
    let i = 0;
    await until('a change to be heard', () => heard > before || (change(i++), false), { everyMs: 15 });
    // Until all that belongs to this change has come.
    await quiet(40);
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
  await hears(() => mkdirSync(join(base, 'shows/.named'), { recursive: true }));
  // Folders that came later are read in the background: until nothing is heard any more.
  await quiet(400);
  // Events come in the order of the changes, so the one event of a removal comes alone.
  const before = heard;
  writeFileSync(join(base, 'elsewhere/f'), 'x');
  writeFileSync(join(base, 'shows/.matinee-0123456789abcdef.part'), 'x');
  writeFileSync(join(base, 'shows/.named/g'), 'x');
  rmSync(join(base, 'shows/a0'));
  await until('a removal to be heard', () => heard > before);
  assert.equal(heard, before + 1, 'neither what a link leads to nor a temporary file is heard');
  assert.deepEqual(ends, []);
});

test('a folder that is not there, and one that goes, end the watch', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'watch-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const code = await new Promise((resolve) => watchFolder(join(base, 'none'), () => {}, resolve));
  assert.equal(code, 'ENOENT');
  const late: string[] = [];
  watchFolder(
    base,
    () => late.push('a change'),
    () => late.push('an end'),
  ).close();
  // One that is open hears of it, and by then the closed one would have.
  let heard = 0;
  const open = watchFolder(
    base,
    () => {
      heard += 1;
    },
    assert.fail,
  );
  t.after(() => open.close());
  await until('a change to be heard', () => heard > 0 || (writeFileSync(join(base, 'a'), 'x'), false), { everyMs: 15 });
  assert.deepEqual(late, []);
});

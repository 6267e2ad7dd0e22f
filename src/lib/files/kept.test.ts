/** Kept files are given again only while their name leads to the very same file. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createKeptFiles } from './kept.ts';
import { inside, openRoot } from './root.ts';

async function house(t: TestContext, needs: Parameters<typeof createKeptFiles>[0] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-kept-'));
  mkdirSync(join(folder, 'films'));
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, 'films', name), `film ${name}`);
  const root = await openRoot(folder);
  const kept = createKeptFiles(needs);
  t.after(async () => {
    kept.close();
    await root.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const read = async (name: string): Promise<{ text: string; fd: number }> => {
    const file = await kept.open(inside(root, `films/${name}`));
    const into = new Uint8Array(100);
    const text = Buffer.from(into.subarray(0, await file.read(into, 0))).toString();
    await file.close();
    return { text, fd: file.fd };
  };
  return { folder, root, kept, read };
}

test('a file is opened once for many readers, and read after one of them has closed it twice', async (t) => {
  const { kept, root, read } = await house(t);
  const first = await kept.open(inside(root, 'films/a'));
  const { fd } = await read('a');
  assert.equal(fd, first.fd);
  await first.close();
  await first.close();
  assert.deepEqual(await read('a'), { text: 'film a', fd });
});

test('one that was replaced, written to, moved away or exchanged for a link is never read as it was', async (t) => {
  const { folder, read } = await house(t);
  await read('a');
  writeFileSync(join(folder, 'films', 'new'), 'another');
  renameSync(join(folder, 'films', 'new'), join(folder, 'films', 'a'));
  assert.equal((await read('a')).text, 'another');
  appendFileSync(join(folder, 'films', 'a'), ' film');
  assert.equal((await read('a')).text, 'another film');
  rmSync(join(folder, 'films', 'a'));
  await assert.rejects(read('a'), { kind: 'missing' });
  await read('b');
  rmSync(join(folder, 'films', 'b'));
  symlinkSync(join(folder, 'films', 'c'), join(folder, 'films', 'b'));
  await assert.rejects(read('b'), { kind: 'conflict' });
});

test('what was read ahead of a check is of the file that passed it', async (t) => {
  const { folder, kept, root } = await house(t);
  const at = async (position: number, expected: number): Promise<string> => {
    const file = await kept.open(inside(root, 'films/a'), expected);
    const into = new Uint8Array(100);
    const text = Buffer.from(into.subarray(0, await file.read(into, position))).toString();
    const again = Buffer.from(into.subarray(0, await file.read(into, position))).toString();
    assert.equal(again, text);
    await file.close();
    return text;
  };
  assert.equal(await at(0, 0), 'film a');
  assert.equal(await at(5, 5), 'a');
  assert.equal(await at(2, 5), 'lm a', 'another position than was expected');
  writeFileSync(join(folder, 'films', 'new'), 'tape b');
  renameSync(join(folder, 'films', 'new'), join(folder, 'films', 'a'));
  assert.equal(await at(0, 0), 'tape b');
  rmSync(join(folder, 'films', 'a'));
  symlinkSync(join(folder, 'films', 'c'), join(folder, 'films', 'a'));
  await assert.rejects(at(0, 0), { kind: 'conflict' });
});

test('a file that leaves while it is checked is not read by a number that another file has by then', async (t) => {
  const { kept, root, read } = await house(t, { most: 1 });
  await read('a');
  const [checked] = await Promise.all([kept.open(inside(root, 'films/a'), 0), kept.open(inside(root, 'films/b')), kept.open(inside(root, 'films/c'))]);
  const into = new Uint8Array(6);
  assert.equal(Buffer.from(into.subarray(0, await checked.read(into, 0))).toString(), 'film a');
  await checked.close();
});

test('no more are kept than allowed, and those that are being read stay open', async (t) => {
  const { kept, root, read } = await house(t, { most: 1 });
  const reading = await kept.open(inside(root, 'films/a'));
  await read('b');
  await read('c');
  const into = new Uint8Array(6);
  assert.equal(await reading.read(into, 0), 6);
  await reading.close();
  await assert.rejects(reading.read(into, 0), 'it was closed with its last reader');
});

test('after the idle time it is closed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { kept, root } = await house(t, { idleMs: 5_000 });
  const file = await kept.open(inside(root, 'films/a'));
  await file.close();
  assert.equal(await file.read(new Uint8Array(6), 0), 6);
  t.mock.timers.tick(5_000);
  await assert.rejects(file.read(new Uint8Array(6), 0));
});

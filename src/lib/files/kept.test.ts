/** Kept files are returned again only if their name led to the same file within the last second. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from '../../../test/until.ts';
import { createKeptFiles, unchanging } from './kept.ts';
import { openForReading } from './read.ts';
import { inRoot, openRoot } from './root.ts';

async function house(t: TestContext, needs: Parameters<typeof createKeptFiles>[0] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-kept-'));
  mkdirSync(join(folder, 'films'));
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, 'films', name), `film ${name}`);
  const root = await openRoot(folder);
  const clock = { time: 0, monotonic: () => clock.time };
  const kept = createKeptFiles({ clock, ...needs });
  t.after(async () => {
    kept.close();
    await root.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const read = async (name: string): Promise<{ text: string; fd: number }> => {
    const file = await kept.open(inRoot(root, `films/${name}`));
    const into = new Uint8Array(100);
    const text = Buffer.from(into.subarray(0, await file.read(into, 0))).toString();
    await file.close();
    return { text, fd: file.fd };
  };
  /** Lets the last check of every name expire. */
  const expire = () => void (clock.time += 1_000);
  return { folder, root, kept, read, clock, expire };
}

test('a file is opened once for many readers, and read after one of them has closed it twice', async (t) => {
  const { kept, root, read } = await house(t);
  const first = await kept.open(inRoot(root, 'films/a'));
  const { fd } = await read('a');
  assert.equal(fd, first.fd);
  await first.close();
  await first.close();
  assert.deepEqual(await read('a'), { text: 'film a', fd });
});

test('a file that was replaced, written, moved or linked is not read after its check has expired', async (t) => {
  const { folder, read, expire } = await house(t);
  await read('a');
  writeFileSync(join(folder, 'films', 'new'), 'another');
  renameSync(join(folder, 'films', 'new'), join(folder, 'films', 'a'));
  expire();
  assert.equal((await read('a')).text, 'another');
  appendFileSync(join(folder, 'films', 'a'), ' film');
  expire();
  assert.equal((await read('a')).text, 'another film');
  rmSync(join(folder, 'films', 'a'));
  expire();
  await assert.rejects(read('a'), { kind: 'missing' });
  await read('b');
  rmSync(join(folder, 'films', 'b'));
  symlinkSync(join(folder, 'films', 'c'), join(folder, 'films', 'b'));
  expire();
  await assert.rejects(read('b'), { kind: 'conflict' });
});

test('a check of a name is valid for less than a second, and using the file does not extend it', async (t) => {
  const { folder, root, kept, read, clock } = await house(t);
  const { fd } = await read('a');
  const outside = mkdtempSync(join(tmpdir(), 'matinee-outside-'));
  t.after(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(join(outside, 'a'), 'secret');
  renameSync(join(folder, 'films'), join(folder, 'moved'));
  symlinkSync(outside, join(folder, 'films'));
  for (const time of [400, 800, 999]) {
    clock.time = time;
    assert.deepEqual(
      await read('a'),
      { text: 'film a', fd },
      'the bytes of the file that was checked, whatever its name leads to now',
    );
  }
  appendFileSync(join(folder, 'moved', 'a'), ' longer');
  const before = await kept.open(inRoot(root, 'films/a'));
  assert.equal(before.size, 6, 'the size that its validator is made of');
  await before.close();
  clock.time = 1_000;
  await assert.rejects(read('a'), { kind: 'missing' }, 'a link on the way is not followed');
  rmSync(join(folder, 'films'));
  renameSync(join(folder, 'moved'), join(folder, 'films'));
  assert.equal((await read('a')).text, 'film a longer');
  // A successful check is valid for one second from the moment at which it began.
  clock.time = 2_000;
  await read('a');
  rmSync(join(folder, 'films', 'a'));
  clock.time = 2_999;
  assert.equal((await read('a')).text, 'film a longer');
  clock.time = 3_000;
  await assert.rejects(read('a'), { kind: 'missing' });
});

test('what was read ahead of a check is of the file that passed it', async (t) => {
  const { folder, kept, root, expire } = await house(t);
  const at = async (position: number, expected: number): Promise<string> => {
    expire();
    const file = await kept.open(inRoot(root, 'films/a'), expected);
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
  const { kept, root, read, expire } = await house(t, { most: 1 });
  await read('a');
  expire();
  const [checked] = await Promise.all([
    kept.open(inRoot(root, 'films/a'), 0),
    kept.open(inRoot(root, 'films/b')),
    kept.open(inRoot(root, 'films/c')),
  ]);
  const into = new Uint8Array(6);
  assert.equal(Buffer.from(into.subarray(0, await checked.read(into, 0))).toString(), 'film a');
  await checked.close();
});

test('no more are kept than allowed, and those that are being read stay open', async (t) => {
  const { kept, root, read } = await house(t, { most: 1 });
  const reading = await kept.open(inRoot(root, 'films/a'));
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
  const file = await kept.open(inRoot(root, 'films/a'));
  await file.close();
  assert.equal(await file.read(new Uint8Array(6), 0), 6);
  t.mock.timers.tick(5_000);
  t.mock.timers.reset();
  // The system closes it in a thread, so a read may still come first.
  const isClosed = () =>
    file.read(new Uint8Array(6), 0).then(
      () => false,
      () => true,
    );
  await until('the file to be closed', isClosed);
});

test('a reader fails after a write into the file, at the latest a tenth of a second later or at its end', async (t) => {
  const { folder, root, kept, clock, read } = await house(t);
  const path = join(folder, 'films', 'a');
  const into = new Uint8Array(4);
  const changed = { kind: 'conflict', message: 'the file was changed while it was read' };
  const file = await kept.open(inRoot(root, 'films/a'));
  assert.equal(await file.read(into, 0), 4);
  writeFileSync(path, 'FILM B');
  clock.time += 100;
  await assert.rejects(file.read(into, 0), changed);
  await file.close();
  assert.equal((await read('a')).text, 'FILM B', 'and the next one has the new content at once');

  const other = await kept.open(inRoot(root, 'films/a'));
  writeFileSync(path, 'FI');
  await assert.rejects(other.read(into, 4), changed, 'what ends early is looked at');
  await other.close();
  const alone = unchanging(await openForReading(inRoot(root, 'films/b')), { clock });
  writeFileSync(join(folder, 'films', 'b'), 'FILM B');
  clock.time += 100;
  await assert.rejects(alone.read(into, 0), changed);
  await alone.close();
});

/** In a library no link leads anywhere. */
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { plant } from '../../../test/faults/planted.ts';
import { Failure } from '../failure.ts';
import * as real from '../files.ts';
import { createFolderReader, withHeaderFile } from './header.ts';
import { failsAs, makeTemporary, openTestRoot } from './testing.ts';

type Door = typeof real;

async function links(t: TestContext, door: Door): Promise<void> {
  const base = makeTemporary(t);
  for (const folder of ['media/films', 'outside']) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, 'outside/secret'), 'secret');
  writeFileSync(join(base, 'media/films/a.mkv'), 'film');
  symlinkSync('../outside', join(base, 'media/link'));
  symlinkSync('../../outside/secret', join(base, 'media/films/secret'));
  symlinkSync('.', join(base, 'media/films/loop'));
  const root = await door.openRoot(join(base, 'media'));
  t.after(() => root.close());
  const at = (relative: string): real.RootLocation => door.inRoot(root, relative);
  assert.equal((await door.readBounded(at('films/a.mkv'), 100)).toString(), 'film');
  for (const relative of ['link/secret', 'films/secret', 'films/loop/a.mkv', 'films/loop/loop/a.mkv']) {
    await assert.rejects(door.readBounded(at(relative), 100), Failure, `read ${relative}`);
    await assert.rejects(door.openForReading(at(relative)), Failure);
    await assert.rejects(door.writeWhole(at(relative), 'x'), Failure, `write ${relative}`);
    await assert.rejects(door.hideFile(at(relative)), Failure, `hide ${relative}`);
  }
  for (const relative of ['link', 'films/loop'])
    await assert.rejects(door.listFolder(at(relative)), Failure, `list ${relative}`);
  await assert.rejects(door.removeFile(at('link/secret')), Failure);
  for (const relative of [
    '../outside/secret',
    'films/../../outside/secret',
    '/etc/passwd',
    'films//a.mkv',
    './films/a.mkv',
    'a\0b',
    '..',
    'x'.repeat(256),
    'a/'.repeat(70),
  ]) {
    await assert.rejects(door.statFile(at(relative)), failsAs('invalid'), relative);
  }
  assert.equal((await door.statFile(at('films/secret'))).kind, 'link');
  // A folder that is swapped for a link while it is held stays the folder that it was.
  const held = await door.openFolder(at('films'));
  t.after(() => held.close());
  renameSync(join(base, 'media/films'), join(base, 'media/moved'));
  symlinkSync('../outside', join(base, 'media/films'));
  assert.deepEqual((await held.entries()).map(({ name, kind }) => [name, kind]).sort(), [
    ['a.mkv', 'file'],
    ['loop', 'link'],
    ['secret', 'link'],
  ]);
  const file = await held.openFile('a.mkv');
  assert.equal(file.size, 4);
  await file.close();
  await assert.rejects(held.openFile('../outside/secret'), failsAs('invalid'));
  assert.equal(readFileSync(join(base, 'outside/secret'), 'utf8'), 'secret');
  assert.deepEqual(readdirSync(join(base, 'outside')), ['secret']);
}

test('no link in a library is followed', (t) => links(t, real));
test('planted: folders are opened through links', async (t) => {
  const broken = plant(t, {
    file: 'lib/files/root.ts',
    from: 'constants.O_DIRECTORY | constants.O_NOFOLLOW;',
    to: 'constants.O_DIRECTORY;',
  });
  await assert.rejects(
    async () => links(t, (await import(broken('lib/files.ts').href)) as Door),
    assert.AssertionError,
  );
});
test('planted: files are opened through links', async (t) => {
  const broken = plant(t, {
    file: 'lib/files/root.ts',
    from: 'constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK',
    to: 'constants.O_RDONLY | constants.O_NONBLOCK',
  });
  await assert.rejects(
    async () => links(t, (await import(broken('lib/files.ts').href)) as Door),
    assert.AssertionError,
  );
});

test('odd names are listed and reported; a backslash is a name', async (t) => {
  const base = makeTemporary(t);
  writeFileSync(Buffer.concat([Buffer.from(`${base}/caf`), Buffer.from([0xe9]), Buffer.from('.mkv')]), 'x');
  for (const name of ['a\\..\\b.mkv', 'e\u0301.mkv', '\u00e9.mkv', 'really \uFFFD.mkv', ' '])
    writeFileSync(join(base, name), name);
  const root = await openTestRoot(t, base);
  const entries = await real.listFolder(real.inRoot(root, ''));
  assert.deepEqual(
    entries.filter(({ isOdd }) => isOdd).map(({ name }) => name),
    ['caf\uFFFD.mkv'],
  );
  assert.equal(entries.length, 6);
  for (const { name } of entries.filter(({ isOdd }) => !isOdd))
    assert.equal((await real.readBounded(real.inRoot(root, name), 100)).toString(), name);
});

test('a header is read through no link below the library', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'header-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, 'media/films/deep'), { recursive: true });
  mkdirSync(join(base, 'outside/deep'), { recursive: true });
  for (const folder of ['media/films/deep', 'outside/deep']) writeFileSync(join(base, folder, 'a.mkv'), folder);
  symlinkSync('../outside', join(base, 'media/link'));
  symlinkSync('deep/a.mkv', join(base, 'media/films/b.mkv'));
  symlinkSync('media', join(base, 'root'));
  const read = (relative: string, root = join(base, 'media')): string | undefined =>
    withHeaderFile(
      `${root}/${relative}`,
      (size, at) => {
        const bytes = Buffer.alloc(size);
        return bytes.toString('utf8', 0, at(bytes, 0));
      },
      root,
    );
  assert.equal(read('films/deep/a.mkv'), 'media/films/deep');
  assert.equal(read('films/deep/a.mkv', join(base, 'root')), 'media/films/deep', 'the library itself may be a link');
  const reader = createFolderReader(join(base, 'media'));
  t.after(() => reader.close());
  const names = (relative: string) => reader.with(relative, (path) => readdirSync(path));
  assert.deepEqual(
    [names(''), names('films/deep'), names('films'), names('films/deep')],
    [['films', 'link'], ['a.mkv'], ['b.mkv', 'deep'], ['a.mkv']],
  );
  const folders = ['', 'films/deep', 'films'];
  assert.deepEqual(
    folders.map((relative) => reader.with(relative, (_path, { ino }) => ino)),
    folders.map((relative) => statSync(join(base, 'media', relative)).ino),
  );
  for (const relative of ['link', 'link/deep', 'films/deep/none'])
    assert.throws(() => names(relative), /ELOOP|ENOTDIR|ENOENT/, relative);
  // The folders above stay open; the one that is read is opened each time.
  renameSync(join(base, 'media/films/deep'), join(base, 'media/films/old'));
  symlinkSync('../../outside/deep', join(base, 'media/films/deep'));
  assert.throws(() => names('films/deep'), /ELOOP|ENOTDIR/);
  assert.deepEqual(names('films/old'), ['a.mkv']);
  rmSync(join(base, 'media/films/deep'));
  renameSync(join(base, 'media/films/old'), join(base, 'media/films/deep'));
  assert.deepEqual(
    ['link/deep/a.mkv', 'films/b.mkv', 'films/deep', 'films/none.mkv'].map((relative) => read(relative)),
    [undefined, undefined, undefined, undefined],
  );
});

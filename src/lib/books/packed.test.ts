/** Comics in RAR and 7z archives: pages in order, and damaged or hostile archives that fail alone. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../log.ts';
import { createProcesses } from '../process.ts';
import { BadArchive, EncryptedArchive, type Zip } from '../archive/zip.ts';
import { readComic } from './comic.ts';
import { openPacked, packedFormat } from './packed.ts';
import { createBookReader } from './reader.ts';
import { makeRar4, makeRar5, makeSeven, type PackedLies } from './testing-packed.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const MAKERS = { rar4: makeRar4, rar5: makeRar5, seven: makeSeven } as const;
const jpeg = (page: number, size = 3000): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, page]), Buffer.alloc(size, page)]);
const INFO = '<ComicInfo><Series>Harbour</Series><Number>3</Number><Writer>Ann First</Writer></ComicInfo>';
const ENTRIES = [
  { name: 'Harbour/page 10.jpg', bytes: jpeg(10, 20_000) },
  { name: 'Harbour/page 2.jpg', bytes: jpeg(2) },
  { name: 'Harbour/page 1.jpg', bytes: jpeg(1) },
  { name: 'ComicInfo.xml', bytes: Buffer.from(INFO) },
];
const openBytes = (bytes: Buffer): Promise<Zip> =>
  openPacked(bytes.length, (into, offset) => bytes.copy(into, 0, offset, offset + into.length));

for (const [format, make] of Object.entries(MAKERS)) {
  test(`${format}: facts, and pages in any order`, async () => {
    const bytes = make(ENTRIES);
    assert.equal(packedFormat(bytes), format === 'seven' ? 'cb7' : 'cbr');
    const zip = await openBytes(bytes);
    const facts = await readComic(zip, 'cbr');
    assert.deepEqual(
      [facts.series, facts.chapter, facts.authors, facts.pages, facts.cover],
      ['Harbour', { text: '3', number: 3 }, ['Ann First'], 3, 'Harbour/page 1.jpg'],
    );
    for (const { name, bytes: own } of [...ENTRIES, ...ENTRIES.toReversed()]) {
      const entry = zip.find(name);
      assert.ok(entry && (await zip.read(entry)).equals(own), name);
    }
  });

  test(`${format}: damaged archives are refused, whatever is cut or changed`, async () => {
    const whole = make(ENTRIES);
    let refused = 0;
    const tried = async (bytes: Buffer): Promise<void> => {
      try {
        const zip = await openBytes(bytes);
        for (const entry of zip.entries) await zip.read(entry, 1_000_000);
      } catch (error) {
        assert.ok(error instanceof BadArchive, String(error));
        refused += 1;
      }
    };
    for (let n = 1; n < 40; n++) await tried(whole.subarray(0, Math.floor((whole.length * n) / 40)));
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let n = 0; n < 150; n++) {
      const bytes = Buffer.from(whole);
      // Most of an archive is pages; its headers are at its ends.
      for (let edit = 0; edit < 4; edit++) bytes[edit % 2 === 0 ? next(120) : whole.length - 1 - next(260)] = next(256);
      await tried(bytes);
    }
    assert.ok(refused > 30, `${refused} were refused`);
  });
}

test('sizes that are not plausible, links and archives with a password are refused', async () => {
  const opened = (make: (entries: typeof ENTRIES, lies: PackedLies) => Buffer, lies: PackedLies) =>
    openBytes(make(ENTRIES, lies));
  for (const make of [makeRar4, makeRar5]) {
    await assert.rejects(opened(make, { size: 4_000_000_000 }), BadArchive);
    await assert.rejects(opened(make, { size: 150_000_000 }), /implausible|large/);
    const zip = await opened(make, { size: 9_000 });
    const entry = zip.entries[1];
    assert.ok(entry);
    await assert.rejects(zip.read(entry), BadArchive, 'fewer bytes than stated');
  }
  await assert.rejects(opened(makeRar4, { isLink: true }), /link/);
  await assert.rejects(opened(makeRar4, { isEncrypted: true }), EncryptedArchive);
  await assert.rejects(
    openBytes(makeSeven(Array.from({ length: 20_001 }, (_, n) => ({ name: `${n}.jpg`, bytes: Buffer.of(1) })))),
    /too many/,
  );
});

test('the helper reads pages of both formats, and continues after a damaged archive', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'packed-'));
  const processes = await createProcesses({ log: silentLog, temporary: join(root, 'work'), helperModule: builtHelper });
  const books = createBookReader({ processes });
  t.after(async () => {
    await books.close();
    await processes.close();
    rmSync(root, { recursive: true });
  });
  writeFileSync(join(root, 'a.cbr'), makeRar5(ENTRIES));
  writeFileSync(join(root, 'b.cb7'), makeSeven(ENTRIES));
  writeFileSync(join(root, 'c.cbr'), makeRar4(ENTRIES).subarray(0, 9_000));
  writeFileSync(join(root, 'd.cbr'), makeRar4(ENTRIES, { isEncrypted: true }));
  const file = (relative: string) => ({ root, relative });
  for (const name of ['a.cbr', 'b.cb7']) {
    assert.equal((await books.open(file(name))).parts, 3);
    assert.deepEqual(Buffer.from((await books.page(file(name), { page: 2 })).bytes), jpeg(10, 20_000));
    assert.deepEqual(Buffer.from((await books.page(file(name), { page: 0 })).bytes), jpeg(1));
  }
  await assert.rejects(books.page(file('c.cbr'), { page: 0 }), { reason: 'book-unreadable' });
  await assert.rejects(books.open(file('d.cbr')), { reason: 'book-encrypted' });
  assert.equal((await books.open(file('a.cbr'))).parts, 3);
});

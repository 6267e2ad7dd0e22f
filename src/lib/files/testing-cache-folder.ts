/** Scenarios of cache folders for tests. Each runs on the real modules, and on copies with a planted fault. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CRASH_POINTS } from '../crash.ts';
import { createProcesses, ProcessFailure } from '../process.ts';
import { quietLog } from '../process/testing.ts';
import type * as real from './cache-folder.ts';
import type * as realCalls from './calls.ts';

/** Modules under test. */
export interface CacheParts {
  createCacheFolder: typeof real.createCacheFolder;
  calls: Pick<typeof realCalls, 'planFaults' | 'WRITING_CALLS'>;
}
interface Ground {
  folder: string;
  clock: { time: number; monotonic(): number };
  events: string[];
  open(needs?: Partial<real.CacheFolderNeeds>): real.CacheFolder;
  /** Names of all files of the folder, and of those of its groups. */
  names(): string[];
}

const HUNDRED = Buffer.alloc(100, 'x');
const LONG_AGO = 1_000_000;

function ground(t: TestContext, { createCacheFolder }: CacheParts): Ground {
  const base = mkdtempSync(join(tmpdir(), 'cache-folder-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, 'films');
  const clock = { time: 1_000, monotonic: () => clock.time };
  const events: string[] = [];
  const log = {
    info: (event: string) => void events.push(event),
    warn: (event: string) => void events.push(event),
    fault: (event: string, error: unknown) => assert.fail(`${event}: ${String(error)}`),
  };
  return {
    folder,
    clock,
    events,
    open: (needs) =>
      createCacheFolder({
        folder,
        names: /^[a-z]\.bin$/,
        maxBytes: 300,
        maxFileBytes: 1_000,
        log,
        clock,
        measure: () => Promise.resolve({ free: 2 ** 40 }),
        ...needs,
      }),
    names: () =>
      existsSync(folder)
        ? readdirSync(folder, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
            .sort()
        : [],
  };
}
const is = async (cache: real.CacheFolder, names: string): Promise<string> => {
  let there = '';
  for (const name of names) if (await cache.get(`${name}.bin`)) there += name;
  return there;
};
const put = async (cache: real.CacheFolder, names: string): Promise<void> => {
  for (const name of names) assert.equal(await cache.put(`${name}.bin`, HUNDRED), true, name);
};
/** Compares the counted size with the files that exist. */
const isExact = (cache: real.CacheFolder, { folder, names }: Ground): void =>
  assert.deepEqual(cache.stats(), {
    files: names().length,
    bytes: names().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
  });

export async function bounded(t: TestContext, parts: CacheParts): Promise<void> {
  const g = ground(t, parts);
  let pinned = '';
  const cache = g.open({ isPinned: (name) => name === pinned });
  assert.deepEqual(
    [await cache.get('a.bin'), await cache.openFile('a.bin'), cache.has('a.bin')],
    [undefined, undefined, false],
  );
  await put(cache, 'abc');
  assert.deepEqual(await cache.get('a.bin'), HUNDRED);
  await put(cache, 'd');
  assert.deepEqual(g.names(), ['a.bin', 'c.bin', 'd.bin'], 'b was used longest ago');
  const opened = await cache.openFile('c.bin');
  assert.deepEqual([await opened?.read(new Uint8Array(10), 95), await opened?.read(new Uint8Array(10), 100)], [5, 0]);
  await opened?.close();
  pinned = 'a.bin';
  await put(cache, 'e');
  assert.deepEqual(g.names(), ['a.bin', 'c.bin', 'e.bin'], 'a has to stay, and c was read in parts');
  assert.equal(await cache.put('f.bin', Buffer.alloc(301)), false, 'more than all of it');
  assert.equal(
    await g.open({ maxBytes: 5_000 }).put('f.bin', Buffer.alloc(1_001)),
    false,
    'more than one file may have',
  );
  assert.deepEqual([g.names(), cache.trouble(), g.events], [['a.bin', 'c.bin', 'e.bin'], undefined, []]);
  await put(cache, 'e');
  isExact(cache, g);
  await cache.remove('e.bin');
  await cache.remove('e.bin');
  isExact(cache, g);
  await assert.rejects(cache.put('other.txt', HUNDRED), /not a name/);
  await cache.removeGroup('');
  assert.deepEqual(g.names(), []);
}

export async function restarted(t: TestContext, parts: CacheParts): Promise<void> {
  const g = ground(t, parts);
  const first = g.open();
  await put(first, 'abc');
  for (const [i, name] of ['a', 'b', 'c'].entries())
    utimesSync(join(g.folder, `${name}.bin`), LONG_AGO + i, LONG_AGO + i);
  const second = g.open();
  // Found while nothing has been read in.
  assert.equal(await is(second, 'a'), 'a');
  await put(second, 'd');
  assert.deepEqual(g.names(), ['a.bin', 'c.bin', 'd.bin'], 'a was used since');
  await put(g.open(), 'e');
  assert.deepEqual(g.names(), ['a.bin', 'd.bin', 'e.bin'], 'and that is known after a restart');
  const { mtimeMs } = statSync(join(g.folder, 'a.bin'));
  await second.get('a.bin');
  assert.equal(statSync(join(g.folder, 'a.bin')).mtimeMs, mtimeMs, 'written once in ten minutes');
  // A limit that was lowered.
  const third = g.open({ maxBytes: 200 });
  await third.open();
  assert.equal(g.names().length, 2);
  isExact(third, g);
}

export async function unclean(t: TestContext, parts: CacheParts): Promise<void> {
  const g = ground(t, parts);
  const stray = `.matinee-${'0'.repeat(16)}.part`;
  const group = 'a'.repeat(4);
  for (const folder of [group, 'empty', 'bbbb', 'other']) mkdirSync(join(g.folder, folder), { recursive: true });
  const left = ['a.bin', 'other/a.bin', 'other/letter.txt', `${group}/letter.txt`, `${group}/a.bin`];
  for (const name of [...left, stray, `${group}/${stray}`]) writeFileSync(join(g.folder, name), 'x');
  for (const name of [`${group}/b.bin`]) writeFileSync(join(g.folder, name), '');
  const cache = g.open({ groups: /^[ab]{4}$/, maxBytes: 150, isDurable: false });
  await cache.open();
  assert.deepEqual(
    [g.names(), cache.stats()],
    [left.sort(), { files: 1, bytes: 1 }],
    'leftovers and empty files go, and others are left alone',
  );
  assert.deepEqual(readdirSync(g.folder).sort(), ['a.bin', 'aaaa', 'empty', 'other'], 'an empty group goes');
  assert.equal(await cache.get('bbbb/c.bin'), undefined);
  assert.equal(await cache.put('bbbb/c.bin', HUNDRED), true);
  assert.equal(await cache.put('bbbb/d.bin', HUNDRED), true);
  assert.deepEqual(
    g.names().filter((name) => name.startsWith('bbbb')),
    ['bbbb/d.bin'],
  );
  for (const name of ['a.bin', 'other/a.bin', 'bbbb/c.bin/d.bin', '../a.bin'])
    await assert.rejects(cache.put(name, HUNDRED), /not a name/);
  await cache.removeGroup('bbbb');
  assert.equal(existsSync(join(g.folder, 'bbbb')), false);
  writeFileSync(join(g.folder, group, 'e.bin'), '');
  assert.equal(await cache.get(`${group}/e.bin`), undefined);
  await cache.removeGroup(group);
  assert.deepEqual(g.names(), ['a.bin', `${group}/letter.txt`, 'other/a.bin', 'other/letter.txt'].sort());
}

export async function damaged(t: TestContext, parts: CacheParts): Promise<void> {
  const g = ground(t, parts);
  const cache = g.open();
  await put(cache, 'abc');
  for (const bytes of [HUNDRED.subarray(1), Buffer.alloc(101), Buffer.alloc(2_000), Buffer.alloc(0)]) {
    writeFileSync(join(g.folder, 'a.bin'), bytes);
    assert.equal(await cache.get('a.bin'), undefined, `${bytes.length} bytes`);
    assert.equal(cache.has('a.bin'), false);
    writeFileSync(join(g.folder, 'b.bin'), bytes);
    assert.equal(await cache.openFile('b.bin'), undefined, `${bytes.length} bytes`);
    await put(cache, 'ab');
  }
  rmSync(join(g.folder, 'a.bin'));
  mkdirSync(join(g.folder, 'a.bin'));
  assert.equal(await cache.get('a.bin'), undefined, 'a folder of that name');
  assert.equal(await is(cache, 'bc'), 'bc');
}

export async function emptied(t: TestContext, parts: CacheParts): Promise<void> {
  const g = ground(t, parts);
  const cache = g.open();
  await put(cache, 'abc');
  assert.equal(await cache.hasRoom(), false);
  rmSync(g.folder, { recursive: true });
  assert.deepEqual([await cache.get('a.bin'), cache.has('a.bin')], [undefined, false]);
  await put(cache, 'd');
  assert.equal(await is(cache, 'abcd'), 'd');
  isExact(cache, g);
  assert.deepEqual([cache.trouble(), g.events], [undefined, []]);
  await put(cache, 'ab');
  for (const name of readdirSync(g.folder)) rmSync(join(g.folder, name));
  g.clock.time += 60_000;
  assert.equal(await cache.hasRoom(), true, 'found out though nothing was read');
  isExact(cache, g);
}

/** Fails each writing call in turn with each reason. */
export async function failing(t: TestContext, parts: CacheParts): Promise<void> {
  const { calls } = parts;
  t.after(() => calls.planFaults(null));
  const fail = (code: string, when: (call: string) => boolean): void =>
    calls.planFaults((call) => (when(call) ? Object.assign(new Error('planned'), { code }) : undefined));
  for (const code of ['ENOSPC', 'EDQUOT', 'EROFS']) {
    for (const call of ['mkdir', 'open', 'write', 'fsync', 'rename', 'syncFolder'] as const) {
      const g = ground(t, parts);
      const what = `${code} at ${call}`;
      fail(code, (made) => made === call);
      const cache = g.open({ groups: /^g$/ });
      assert.equal(await cache.put('g/a.bin', HUNDRED), false, what);
      let isAsked = false;
      fail(code, () => (isAsked = true));
      assert.equal(await cache.put('g/b.bin', HUNDRED), false, what);
      assert.equal(isAsked, false, `${what}: the disk is left alone`);
      assert.deepEqual([g.names().filter((name) => name !== 'g/a.bin'), await cache.hasRoom()], [[], false], what);
      assert.match(
        cache.trouble() ?? '',
        /cannot be written to: (its disk is full|the quota of its disk is used up|its disk is read-only)/,
        what,
      );
      g.clock.time += 10_000;
      fail(code, (made) => made === call || made === 'unlink');
      assert.equal(await cache.put('g/a.bin', HUNDRED), false, what);
      calls.planFaults(null);
      g.clock.time += 10_000;
      assert.equal(await cache.put('g/a.bin', HUNDRED), true, what);
      assert.deepEqual(
        [g.events, cache.trouble(), await cache.get('g/a.bin')],
        [['cache.full', 'cache.room'], undefined, HUNDRED],
        what,
      );
    }
  }
  // A disk that became read-only keeps what it has.
  const g = ground(t, parts);
  await put(g.open(), 'abc');
  fail('EROFS', () => true);
  const cache = g.open();
  await cache.open().catch(() => {});
  isExact(cache, g);
  assert.deepEqual([await is(cache, 'abc'), await cache.put('d.bin', HUNDRED)], ['abc', false]);
  assert.equal(await is(cache, 'abc'), 'abc');
  isExact(cache, g);
  calls.planFaults(null);
}

export async function short(t: TestContext, parts: CacheParts): Promise<void> {
  const g = ground(t, parts);
  let [free, asked] = [10_000, 0];
  const cache = g.open({
    maxBytes: 1_000,
    minFreeBytes: 5_000,
    maxDiskPart: 0.05,
    measure: () => Promise.resolve({ free: (asked++, free) }),
  });
  await put(cache, 'abcdefg');
  assert.deepEqual([g.names().length, asked], [5, 1], 'a twentieth of what is free');
  const restart = (): real.CacheFolder =>
    g.open({ maxBytes: 1_000, minFreeBytes: 5_000, maxDiskPart: 0.05, measure: () => Promise.resolve({ free }) });
  free = 5_600;
  const second = restart();
  await second.open();
  assert.deepEqual(g.names(), ['e.bin', 'f.bin', 'g.bin'], 'and so when others fill the disk');
  free = 4_999;
  const third = restart();
  assert.equal(await third.put('h.bin', HUNDRED), false);
  assert.deepEqual(
    [third.trouble(), await third.hasRoom(), g.events],
    ['less than 0 MiB is free', false, ['cache.full']],
  );
  assert.deepEqual([await is(third, 'fg')], ['fg']);
  free = 20_000;
  assert.equal(await third.put('h.bin', HUNDRED), false);
  g.clock.time += 10_000;
  assert.equal(await third.put('h.bin', HUNDRED), true);
  assert.deepEqual([third.trouble(), await third.hasRoom()], [undefined, true]);
  // It is measured again with what is written.
  asked = 0;
  const large = g.open({
    maxBytes: 2 ** 30,
    maxFileBytes: 2 ** 30,
    isDurable: false,
    measure: () => Promise.resolve({ free: (asked++, 2 ** 40) }),
  });
  for (const name of 'abcd') await large.put(`${name}.bin`, Buffer.alloc(30 * 2 ** 20));
  assert.equal(asked, 2);
}

export async function concurrent(t: TestContext, parts: CacheParts): Promise<void> {
  const g = ground(t, parts);
  const cache = g.open({ maxBytes: 1_000 });
  const letters = [...'abcdefghijklmnopqrst'];
  await Promise.all(
    letters.flatMap((name, i) => [
      cache.put(`${name}.bin`, Buffer.alloc(40 + i)),
      cache.get(`${letters[(i + 7) % 20]}.bin`),
      i % 5 === 0 ? cache.open() : cache.remove(`${letters[(i + 3) % 20]}.bin`),
    ]),
  );
  assert.ok(cache.stats().bytes <= 1_000);
  isExact(cache, g);
  // Files that can be read to their end after they were removed.
  parts.calls.planFaults((call) =>
    call === 'unlink' ? Object.assign(new Error('planned'), { code: 'ENOENT' }) : undefined,
  );
  t.after(() => parts.calls.planFaults(null));
  await Promise.all(letters.flatMap((name) => [cache.get(`${name}.bin`), cache.remove(`${name}.bin`)]));
  parts.calls.planFaults(null);
  assert.deepEqual(cache.stats(), { files: 0, bytes: 0 });
  for (const name of readdirSync(g.folder)) rmSync(join(g.folder, name));
  await put(cache, 'abc');
  // The last of two calls decides, and nothing that was removed is read.
  const old = cache.get('a.bin');
  const removed = cache.remove('a.bin');
  assert.equal(await cache.get('a.bin'), undefined);
  await Promise.all([old, removed]);
  let late: Promise<void> | undefined;
  parts.calls.planFaults((call) => {
    if (call === 'rename') late ??= cache.remove('b.bin');
    return undefined;
  });
  await put(cache, 'b');
  parts.calls.planFaults(null);
  await late;
  assert.equal(cache.has('b.bin'), false);
  isExact(cache, g);
  await cache.removeGroup('');
  await Promise.all([cache.remove('a.bin'), cache.put('a.bin', HUNDRED)]);
  assert.deepEqual([await cache.get('a.bin'), g.names()], [HUNDRED, ['a.bin']]);
  const other = g.open({ maxBytes: 1_000 });
  await other.open();
  assert.deepEqual(other.stats(), cache.stats());
}

/** Kills a writer at each of its steps. */
export async function killed(t: TestContext, parts: CacheParts): Promise<void> {
  const g = ground(t, parts);
  const processes = await createProcesses({ log: quietLog, temporary: join(g.folder, '../tmp') });
  t.after(() => processes.close());
  const sources = fileURLToPath(new URL('../../../', import.meta.url));
  const [arm = '', writer = ''] = ['arm.ts', 'writer.ts'].map((name) => join(sources, 'test/faults', name));
  for (const point of CRASH_POINTS.filter((name) => name.startsWith('files.write'))) {
    rmSync(g.folder, { recursive: true, force: true });
    mkdirSync(g.folder);
    const run = processes.run({
      program: 'env',
      args: [
        `CRASH_AT=${point}`,
        process.execPath,
        '--no-warnings',
        '--import',
        arm,
        writer,
        'replace',
        join(g.folder, 'a.bin'),
      ],
      reads: [sources, dirname(process.execPath)],
      writes: [g.folder],
      timeoutMs: 60_000,
      memoryLimit: 2 ** 40,
    });
    await assert.rejects(run, (error: unknown) => error instanceof ProcessFailure && error.signal === 'SIGKILL');
    const cache = g.open({ maxBytes: 2 ** 20, maxFileBytes: 2 ** 20 });
    await cache.open();
    const bytes = await cache.get('a.bin');
    assert.equal(bytes?.toString(), bytes && 'new'.repeat(100_000), point);
    assert.deepEqual(g.names(), bytes ? ['a.bin'] : [], point);
    isExact(cache, g);
  }
}

/** Files are old or new whatever fails or kills. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plant } from '../../../test/faults/planted.ts';
import { CRASH_POINTS } from '../crash.ts';
import { Failure } from '../failure.ts';
import * as real from '../files.ts';
import { createProcesses, ProcessFailure } from '../process.ts';
import { quietLog } from '../process/testing.ts';
import * as realCalls from './calls.ts';
import type { WritingCall } from './calls.ts';
import { failsAs, makeTemporary, openTestRoot } from './testing.ts';

type Door = typeof real;
type Calls = typeof realCalls;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NEW = 'new'.repeat(100_000);

/** Fails each call of each kind in turn, until one more would not have been made. */
async function everyFault(t: TestContext, door: Door, calls: Calls): Promise<void> {
  const base = makeTemporary(t);
  t.after(() => calls.planFaults(null));
  const path = join(base, 'a.srt');
  const root = await door.openRoot(base);
  t.after(() => root.close());
  const writers: [name: string, write: () => Promise<unknown>, states: (string | null)[], hidden: string | null][] = [
    ['replace', () => door.writeWhole(path, NEW), ['old', NEW], null],
    ['replace inside', () => door.writeWhole(door.inRoot(root, 'a.srt'), NEW), ['old', NEW], null],
    ['hide', () => door.hideFile(door.inRoot(root, 'a.srt')), ['old', null], 'old'],
  ];
  for (const [name, write, states, hidden] of writers) {
    for (const call of realCalls.WRITING_CALLS) {
      for (let nth = 1; ; nth += 1) {
        for (const left of readdirSync(base)) rmSync(join(base, left));
        writeFileSync(path, 'old');
        let passes = 0;
        calls.planFaults((made) =>
          made === call && ++passes === nth ? Object.assign(new Error('full'), { code: 'ENOSPC' }) : undefined,
        );
        const failure: unknown = await write().then(
          () => null,
          (error: unknown) => error,
        );
        calls.planFaults(null);
        const content = existsSync(path) ? readFileSync(path, 'utf8') : null;
        const what = `${name}, ${call} ${nth}`;
        assert.ok(states.includes(content), `${what}: old or new`);
        assert.deepEqual(
          readdirSync(base).filter((entry) => real.isStray(entry)),
          [],
          `${what}: nothing left behind`,
        );
        if (hidden !== null && content === null) assert.equal(readFileSync(`${path}.hidden`, 'utf8'), hidden, what);
        if (passes < nth) break;
        const place = /inside|hide/.test(name) ? 'the media folder' : "the server's own folder";
        assert.ok(failsAs('unavailable', `${place} cannot be written to: its disk is full`)(failure), what);
      }
    }
  }
}

async function order(t: TestContext, door: Door, calls: Calls): Promise<void> {
  const base = makeTemporary(t);
  const made: WritingCall[] = [];
  calls.planFaults((call) => void made.push(call));
  t.after(() => calls.planFaults(null));
  await door.writeWhole(join(base, 'a'), 'x');
  await door.writeWhole(join(base, 'a'), 'y');
  await door.writeWhole(join(base, 'b'), 'y', { exclusive: true });
  calls.planFaults(null);
  assert.deepEqual(made, [
    'open',
    'write',
    'fsync',
    'rename',
    'syncFolder',
    'open',
    'fchmod',
    'write',
    'fsync',
    'rename',
    'syncFolder',
    'open',
    'write',
    'fsync',
    'link',
    'unlink',
    'syncFolder',
  ]);
}

test('every failing call leaves the old state or the new', (t) => everyFault(t, real, realCalls));
test('what is acknowledged has been forced to the disk, file and folder', (t) => order(t, real, realCalls));

const planted = async (t: TestContext, from: string, to: string): Promise<[Door, Calls]> => {
  const broken = plant(t, { file: 'lib/files/write.ts', from, to });
  return [
    (await import(broken('lib/files.ts').href)) as Door,
    (await import(broken('lib/files/calls.ts').href)) as Calls,
  ];
};
const IN_PLACE = 'const temporary = parent.name; await calls.unlink(parent.folder.at(parent.name)).catch(() => {});';
test('planted: written in place', async (t) => {
  await assert.rejects(
    everyFault(t, ...(await planted(t, 'const temporary = newStray();', IN_PLACE))),
    assert.AssertionError,
  );
});
test('planted: the leftover of a failed write stays', async (t) => {
  await assert.rejects(
    everyFault(t, ...(await planted(t, 'await calls.unlink(folder.at(temporary)).catch(() => {});', ''))),
    assert.AssertionError,
  );
});
test('planted: not forced to the disk', async (t) => {
  await assert.rejects(
    order(t, ...(await planted(t, 'await io.run(() => calls.fsync(fd));', ''))),
    assert.AssertionError,
  );
});

/** Kills a writer at each of its crash points. Returns those points. */
async function everyKill(t: TestContext, top: URL): Promise<string[]> {
  const base = makeTemporary(t);
  const processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp') });
  t.after(() => processes.close());
  const media = join(base, 'media');
  const path = join(media, 'a.srt');
  const [arm, writer] = ['arm.ts', 'writer.ts'].map((name) => fileURLToPath(new URL(`test/faults/${name}`, top)));
  const rows = POINTS.map((point) => ({
    point,
    how: point.startsWith('files.hide') ? 'hide' : point.startsWith('files.create') ? 'create' : 'replace',
  }));
  const met: string[] = [];
  for (const { point, how } of rows) {
    rmSync(media, { recursive: true, force: true });
    mkdirSync(media);
    if (how !== 'create') writeFileSync(path, 'old');
    const run = processes.run({
      program: 'env',
      args: [
        `CRASH_AT=${point}`,
        process.execPath,
        '--no-warnings',
        '--import',
        arm ?? '',
        writer ?? '',
        how,
        'a.srt',
        media,
      ],
      reads: [ROOT, fileURLToPath(top), dirname(process.execPath)],
      writes: [media],
      timeoutMs: 60_000,
      memoryLimit: 2 ** 40,
    });
    const outcome: unknown = await run.then(
      () => 'done',
      (error: unknown) => (error instanceof ProcessFailure && error.signal === 'SIGKILL' ? 'killed' : error),
    );
    if (outcome === 'killed') met.push(point);
    else assert.fail(`${point}: the writer was not killed there`);
    const root = await openTestRoot(t, media);
    await real.sweepStray(real.inRoot(root, ''));
    const left = Object.fromEntries(readdirSync(media).map((name) => [name, readFileSync(join(media, name), 'utf8')]));
    const allowed: Record<string, Record<string, string>[]> = {
      replace: [{ 'a.srt': 'old' }, { 'a.srt': NEW }],
      create: [{}, { 'a.srt': NEW }],
      hide: [{ 'a.srt': 'old' }, { 'a.srt': 'old', 'a.srt.hidden': 'old' }, { 'a.srt.hidden': 'old' }],
    };
    assert.ok(
      allowed[how]?.some((state) => JSON.stringify(state) === JSON.stringify(left)),
      `${point}: ${Object.keys(left).join()}`,
    );
  }
  return met;
}
const here = new URL('../../../', import.meta.url);
/** Calls of a write; removing is a single call. */
const POINTS = CRASH_POINTS.filter((name) => /^files\.(write|create|hide)\./.test(name));

test('a writer killed at any point leaves the old or the new, and nothing that is not swept', async (t) => {
  assert.deepEqual(await everyKill(t, here), POINTS);
});
test('planted: a killed writer that wrote in place is noticed', async (t) => {
  const broken = plant(t, { file: 'lib/files/write.ts', from: 'const temporary = newStray();', to: IN_PLACE });
  await assert.rejects(everyKill(t, new URL('../', broken(''))), assert.AssertionError);
});

test('modes: a replaced file keeps its own, a new one is private, a folder too', async (t) => {
  const base = makeTemporary(t);
  const mode = (name: string): number => statSync(join(base, name)).mode & 0o777;
  writeFileSync(join(base, 'a'), 'old');
  chmodSync(join(base, 'a'), 0o664);
  await real.writeWhole(join(base, 'a'), 'new');
  await real.writeWhole(join(base, 'b'), 'new');
  const root = await openTestRoot(t, base);
  await real.writeWhole(real.inRoot(root, 'c'), 'new');
  await real.ensurePrivateFolder(join(base, 'x/y'));
  mkdirSync(join(base, 'z'), { mode: 0o755 });
  await real.ensurePrivateFolder(join(base, 'z'));
  assert.deepEqual(['a', 'b', 'c', 'x', 'x/y', 'z'].map(mode), [0o664, 0o600, 0o644, 0o700, 0o700, 0o700]);
});

test('nothing is overwritten by an exclusive write or by hiding', async (t) => {
  const base = makeTemporary(t);
  const root = await openTestRoot(t, base);
  for (const name of ['a', 'b', 'b.hidden']) writeFileSync(join(base, name), name);
  await assert.rejects(
    real.writeWhole(real.inRoot(root, 'a'), 'new', { exclusive: true }),
    failsAs('conflict', 'a file of that name already exists'),
  );
  await assert.rejects(
    real.hideFile(real.inRoot(root, 'b')),
    failsAs('conflict', 'a file of that name already exists'),
  );
  assert.equal(await real.hideFile(real.inRoot(root, 'a')), 'a.hidden');
  assert.deepEqual(
    readdirSync(base).map((name) => [name, readFileSync(join(base, name), 'utf8')]),
    [
      ['a.hidden', 'a'],
      ['b', 'b'],
      ['b.hidden', 'b.hidden'],
    ],
  );
  const refusal = new Failure('conflict', 'changed meanwhile', { reason: 'changed' });
  await assert.rejects(
    real.writeWhole(real.inRoot(root, 'b'), 'new', {
      check: () => {
        throw refusal;
      },
    }),
    refusal,
  );
  assert.deepEqual(readdirSync(base), ['a.hidden', 'b', 'b.hidden']);
});

test('reading is bounded and only of ordinary files; a FIFO does not hold it up', async (t) => {
  const base = makeTemporary(t);
  const processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp') });
  t.after(() => processes.close());
  mkdirSync(join(base, 'm/folder'), { recursive: true });
  await processes.run({
    program: 'mkfifo',
    args: [join(base, 'm/fifo')],
    timeoutMs: 60_000,
    writes: [join(base, 'm')],
  });
  writeFileSync(join(base, 'm/ten'), '0123456789');
  const root = await openTestRoot(t, join(base, 'm'));
  const at = (name: string): real.RootLocation => real.inRoot(root, name);
  assert.equal((await real.readBounded(at('ten'), 10)).length, 10);
  await assert.rejects(real.readBounded(at('ten'), 9), failsAs('conflict', 'the file is too large'));
  await assert.rejects(real.readBounded('/proc/self/maps', 10), failsAs('conflict', 'the file is too large'));
  assert.ok((await real.readBounded('/proc/self/maps', 1 << 20)).length > 5000, 'a file that says it has no size');
  for (const name of ['fifo', 'folder'])
    await assert.rejects(real.openForReading(at(name)), failsAs('conflict', 'not an ordinary file'));
  await assert.rejects(real.openForReading('/dev/zero'), failsAs('conflict', 'not an ordinary file'));
  await assert.rejects(real.openForReading(at('none')), failsAs('missing'));
  assert.equal(await real.isThere(at('none')), false);
  const file = await real.openForReading(at('ten'));
  const into = Buffer.alloc(4);
  assert.deepEqual([await file.read(into, 8), into.subarray(0, 2).toString(), await file.read(into, 10)], [2, '89', 0]);
  await file.close();
  await file.close();
  const { free, total } = await real.freeSpace(at('folder'));
  assert.ok(free > 0 && total > free);
});

for (const code of ['EPERM', 'ENOTSUP', 'EMLINK']) {
  test(`on file systems without links (${code}) files are written and hidden, and never overwritten`, async (t) => {
    const base = makeTemporary(t);
    const root = await openTestRoot(t, base);
    const at = (name: string): real.RootLocation => real.inRoot(root, name);
    realCalls.planFaults((call) => (call === 'link' ? Object.assign(new Error('no links'), { code }) : undefined));
    t.after(() => realCalls.planFaults(null));
    await real.writeWhole(at('a.srt'), 'new', { exclusive: true });
    await assert.rejects(
      real.writeWhole(at('a.srt'), 'other', { exclusive: true }),
      failsAs('conflict', 'a file of that name already exists'),
    );
    // Another writer is faster, after the first check.
    await assert.rejects(
      real.writeWhole(at('b.srt'), 'ours', {
        exclusive: true,
        check: () => writeFileSync(join(base, 'b.srt'), 'somebody'),
      }),
      failsAs('conflict', 'a file of that name already exists'),
    );
    assert.equal(await real.hideFile(at('a.srt')), 'a.srt.hidden');
    writeFileSync(join(base, 'a.srt'), 'again');
    await assert.rejects(real.hideFile(at('a.srt')), failsAs('conflict', 'a file of that name already exists'));
    assert.deepEqual(
      Object.fromEntries(
        readdirSync(base)
          .sort()
          .map((name) => [name, readFileSync(join(base, name), 'utf8')]),
      ),
      { 'a.srt': 'again', 'a.srt.hidden': 'new', 'b.srt': 'somebody' },
    );
  });
}

test('errors of a folder that cannot be written to are told with their reason', () => {
  const told = (code: string) => real.writable(Object.assign(new Error('/secret/path'), { code }));
  for (const code of ['EACCES', 'EPERM'])
    assert.ok(failsAs('conflict', 'the media folder cannot be written to')(told(code)), code);
  for (const [code, reason] of [
    ['ENOSPC', 'its disk is full'],
    ['EDQUOT', 'the quota of its disk is used up'],
    ['EROFS', 'its disk is read-only'],
  ] as const) {
    assert.ok(failsAs('unavailable', `the media folder cannot be written to: ${reason}`)(told(code)), code);
  }
  const bug = new Error('a bug');
  assert.equal(real.writable(bug), bug);
  assert.ok(failsAs('unavailable')(real.readFailure(Object.assign(new Error(''), { code: 'EIO' }))));
});

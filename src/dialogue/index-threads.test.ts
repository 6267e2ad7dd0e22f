/** The dialogue index through its threads: damage is repaired by a new file, and a kill leaves whole items. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createLog } from '../lib/log.ts';
import { createDialogueIndex } from './index-threads.ts';
import { openIndexFile } from './store/index-file.ts';
import { builtHelper } from '../../test/built-helpers.ts';

const SIGNAL = new AbortController().signal;

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-dialogue-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
function open(t: TestContext, folder: string, rebuilt = () => {}) {
  const index = createDialogueIndex({
    folder,
    helperModule: builtHelper,
    log: createLog({ level: 'debug', write: () => {} }),
    rebuilt,
  });
  t.after(index.close);
  const put = (id: string, text: string, extension = 'srt') =>
    index.put(
      { id, source: 'subtitles', signature: 'a' },
      [{ language: 'en', content: { bytes: Buffer.from(text), extension } }],
      SIGNAL,
    );
  const find = async (q: string) =>
    (await index.find({ q, source: 'subtitles', visible: new Uint8Array(8).fill(255), limit: 9 }, SIGNAL)).items.length;
  return { index, put, find };
}
const srt = (text: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`;

test('a damaged file is deleted, and everything is indexed again', async (t) => {
  const folder = folderFor(t);
  const first = open(t, folder);
  await first.index.open();
  await first.put('a', srt('The usual suspects'));
  assert.equal(await first.find('usual'), 1);
  await first.index.close();
  writeFileSync(join(folder, 'index.sqlite'), Buffer.alloc(64 * 1024, 0x61));
  let rebuilt = 0;
  const second = open(t, folder, () => void (rebuilt += 1));
  await second.index.open();
  assert.deepEqual([rebuilt, second.index.items().size], [1, 0]);
  await second.put('a', srt('The usual suspects'));
  assert.equal(await second.find('usual'), 1);
});

test('hostile subtitles are indexed within bounds or not at all, and the others are found', async (t) => {
  const { index, put, find } = open(t, folderFor(t));
  await index.open();
  const texts = [
    '\0\0\0\u0001 no subtitle',
    srt('a'.repeat(1_000_000)),
    srt('['.repeat(100_000)),
    srt(`${'x '.repeat(50_000)}`),
    Array.from({ length: 30_000 }, (_, i) => srt(`line ${i} "OR" NEAR(x) * ' -- _a_b`)).join('\n'),
    srt('\u202e\ud800 lone half, '.repeat(2_000)),
  ];
  for (const [i, text] of texts.entries()) await put(`bad ${i}`, text);
  await put('good', srt('Nothing happened here'));
  assert.equal(await find('nothing happened'), 1);
  for (const q of ['"', '*', 'a" OR "b', "'; drop table item; --", 'NEAR(', '\0', '_a_b', '\ud800', 'x '.repeat(60)])
    await find(q);
  assert.equal(await find('nothing happened'), 1);
});

test('after a kill in the middle of indexing every item is whole', async (t) => {
  const folder = folderFor(t);
  const file = join(folder, 'index.sqlite');
  const script = `
    import { openIndexFile } from ${JSON.stringify(new URL('./store/index-file.ts', import.meta.url).href)};
    const file = openIndexFile(${JSON.stringify(file)}, { isWriter: true });
    const lines = Array.from({ length: 500 }, (_, i) => ({ start: i, end: i + 1, text: 'spoken line ' + i }));
    for (let i = 0; ; i++) {
      file.put({ id: 'film ' + (i % 40), source: 'subtitles', signature: String(i) }, [{ language: 'en', lines }]);
      if (i === 60) process.stdout.write('ready');
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const index = openIndexFile(file, { isWriter: true });
  t.after(index.close);
  const items = index.items();
  assert.equal(items.length, 40);
  const passages = [...index.matches('"spoken"', 0)];
  assert.equal(passages.length, 40 * Math.ceil(500 / 48));
  for (const passage of passages) assert.ok(index.passage(passage));
});

test('a full disk fails the item that is written, and the search continues with those before it', async (t) => {
  const folder = folderFor(t);
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  // A limit on the size of files has the same effect as a small disk.
  const script = `
    import { findDialogue } from ${module('./store/find.ts')};
    import { openIndexFile } from ${module('./store/index-file.ts')};
    process.on('SIGXFSZ', () => {});
    const file = openIndexFile(${JSON.stringify(join(folder, 'index.sqlite'))}, { isWriter: true });
    const lines = Array.from({ length: 2000 }, (_, i) => ({ start: i, end: i + 1, text: 'spoken line ' + i * 7919 }));
    let written = 0;
    let failure = '';
    try {
      for (; written < 1000; written++)
        file.put({ id: 'film ' + written, source: 'subtitles', signature: 'a' }, [{ language: 'en', lines }]);
    } catch (error) {
      failure = String(error.errcode);
    }
    const visible = new Uint8Array(200).fill(255);
    const found = findDialogue(file, { q: 'spoken line', source: 'subtitles', visible, limit: 100 });
    process.stdout.write(JSON.stringify({ failure, written, items: file.items().length, found: found.items.length }));`;
  const child = spawn('sh', ['-c', 'ulimit -f 4096; exec "$0" --input-type=module -e "$1"', process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const { failure, written, items, found } = JSON.parse(chunk.toString()) as Record<string, number>;
  // 13: full, 10: not written. Neither is damage, so the file is kept.
  assert.ok([10, 13].includes(Number(failure) & 0xff), String(failure));
  assert.ok((written ?? 0) > 0 && (written ?? 0) < 1000, String(written));
  assert.equal(items, written);
  assert.ok((found ?? 0) > 0);
});

/** The door: every file of a batch gets its own result, whatever one of them does to the helper. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createProcesses, ProcessFailure } from '../../lib/process.ts';
import { parseLyrics } from '../naming/lyrics.ts';
import { parseNfo } from '../naming/nfo.ts';
import { quietLog } from '../../lib/process/testing.ts';
import type { Probe, ProbeNeeds, ProbeResult } from './index.ts';
import { createProbe } from './index.ts';
import { makeTransportClock } from './testing/clock-stream.ts';
import { makeCorpus } from './testing/corpus.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const wild = new URL('./testing/wild-helper.ts', import.meta.url);
const never = new AbortController().signal;

interface World {
  probe: Probe;
  folder: string;
  asked: string[];
  names: (results: ProbeResult[]) => string[];
}

const world = async (t: TestContext, more: Partial<ProbeNeeds> = {}): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  const asked: string[] = [];
  const ffprobe = async (path: string): Promise<unknown> => {
    asked.push(path);
    if (path.includes('broken') || path.endsWith('.txt')) throw new ProcessFailure('ffprobe', 'exit', { code: 1 });
    if (path.includes('slow')) throw new ProcessFailure('ffprobe', 'timeout');
    if (path.includes('silent')) return { streams: [], format: {} };
    return {
      streams: [{ index: 0, codec_type: 'audio', codec_name: 'mp3' }],
      format: { format_name: 'mp3', duration: '2.5' },
    };
  };
  const probe = createProbe({ processes, ffprobe, log: quietLog, ...more });
  t.after(async () => {
    await probe.close();
    await processes.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    probe,
    folder,
    asked,
    names: (results) => results.map((one) => (one.ok ? `${one.by} ${one.info.streams[0]?.codec ?? ''}` : one.reason)),
  };
};

const requests = (paths: readonly string[]) => paths.map((path) => ({ path, size: 1, mtimeMs: 0 }));

test('real files are read in order, and uncertain ones are left to ffprobe', async (t) => {
  const { probe, folder, asked, names } = await world(t);
  const { made } = await makeCorpus();
  const at = (name: string): string => made.find((one) => one.name === name)?.path ?? assert.fail(name);
  writeFileSync(join(folder, 'empty.mkv'), '');
  writeFileSync(join(folder, 'notes.txt'), 'nothing to see');
  writeFileSync(join(folder, 'broken.mkv'), Buffer.from('1a45dfa3844282816d0000', 'hex'));
  mkdirSync(join(folder, 'folder.mkv'));
  symlinkSync(at('film.mp4'), join(folder, 'link.mp4'));
  execFileSync('mkfifo', [join(folder, 'pipe.mkv')]);
  writeFileSync(join(folder, 'zeros.mp4'), '');
  truncateSync(join(folder, 'zeros.mp4'), 100_000_000);
  const inside = [
    'empty.mkv',
    'notes.txt',
    'broken.mkv',
    'folder.mkv',
    'link.mp4',
    'pipe.mkv',
    'absent.mkv',
    'zeros.mp4',
  ].map((name) => join(folder, name));
  const results = await probe.probe(requests([at('film.mp4'), ...inside, at('film-ass.mkv'), at('xvid.avi')]), never);
  assert.deepEqual(names(results), [
    'reader h264',
    'empty',
    'not-media',
    'broken',
    'unreadable',
    'unreadable',
    'unreadable',
    'unreadable',
    'ffprobe mp3',
    'reader h264',
    'ffprobe mp3',
  ]);
  assert.equal(asked.length, 4);
  for (const result of results) if (!result.ok) assert.doesNotMatch(result.sentence, /\/|mkv/);
});

test('a file that crashes the helper is marked, and 199 others are read', async (t) => {
  const { probe, names } = await world(t, { helper: wild });
  const paths = Array.from({ length: 200 }, (_, i) => (i === 77 ? '/die' : `/fine-${i}`));
  assert.deepEqual(
    names(await probe.probe(requests(paths), never)),
    paths.map((path) => (path === '/die' ? 'crashed' : `reader ${path}`)),
  );
});

test('a file that hangs the helper is marked, and the others are read', async (t) => {
  const { probe, names } = await world(t, { helper: wild, deadlineMs: 800 });
  const paths = Array.from({ length: 70 }, (_, i) => (i === 3 || i === 66 ? `/spin-${i}` : `/fine-${i}`));
  assert.deepEqual(
    names(await probe.probe(requests(paths), never)),
    paths.map((path) => (path.includes('spin') ? 'hung' : `reader ${path}`)),
  );
});

test('a fault of the reader leaves that file to ffprobe', async (t) => {
  const { probe, names, asked } = await world(t, { helper: wild });
  assert.deepEqual(names(await probe.probe(requests(['/fine', '/fault', '/doubt']), never)), [
    'reader /fine',
    'ffprobe mp3',
    'ffprobe mp3',
  ]);
  assert.deepEqual(asked, ['/fault', '/doubt']);
});

test('a stream whose clock jumps lasts as long as it plays, whatever ffprobe says', async (t) => {
  const { probe, folder } = await world(t);
  const path = join(folder, 'joined.ts');
  writeFileSync(
    path,
    makeTransportClock((second) => second % 60, 240),
  );
  const [found] = await probe.probe(requests([path]), never);
  const { duration = 0 } = found?.ok === true ? found.info : {};
  assert.ok(Math.abs(duration - 240) < 8, `${duration} s`);
});

test('a file that ffprobe cannot read has a reason', async (t) => {
  const { probe, names } = await world(t, { helper: wild });
  const paths = ['/doubt-broken', '/doubt-slow', '/doubt-silent'];
  assert.deepEqual(names(await probe.probe(requests(paths), never)), ['broken', 'hung', 'broken']);
});

test('a missing ffprobe fails the call and marks no file', async (t) => {
  const { probe } = await world(t, {
    helper: wild,
    ffprobe: () => Promise.reject(new ProcessFailure('ffprobe', 'missing')),
  });
  await assert.rejects(
    probe.probe(requests(['/doubt']), never),
    (error: unknown) => error instanceof ProcessFailure && error.fault === 'missing',
  );
});

test('an abort rejects with its reason, and the next call succeeds', async (t) => {
  const { probe, names } = await world(t, { helper: wild, deadlineMs: 800 });
  const reason = new Error('the caller left');
  const controller = new AbortController();
  const asked = probe.probe(requests(['/spin']), controller.signal);
  setTimeout(() => controller.abort(reason), 50);
  await assert.rejects(asked, (error: unknown) => error === reason);
  assert.deepEqual(names(await probe.probe(requests(['/fine']), never)), ['reader /fine']);
});

test('a large text is parsed in the helper as a small one is here, and a helper that dies parses none', async (t) => {
  const { probe } = await world(t);
  const nfo = (plots: number) => Buffer.from(`<movie><title>Ünder</title>${'<tag>über</tag>'.repeat(plots)}</movie>`);
  for (const tags of [2, 6_000]) {
    const bytes = nfo(tags);
    assert.deepEqual(await probe.parseText('nfo', bytes), JSON.parse(JSON.stringify(parseNfo(bytes))));
  }
  const lyrics = Buffer.from('[00:01.00]Zeile ü\n'.repeat(6_000));
  assert.deepEqual(await probe.parseText('lyrics', lyrics), parseLyrics(lyrics.toString()));
  const broken = await world(t, { helper: wild });
  assert.deepEqual(await broken.probe.parseText('lyrics', Buffer.from('[00:01.00]Short')), {
    synced: true,
    lines: [{ start: 1, text: 'Short' }],
  });
  assert.equal(await broken.probe.parseText('lyrics', lyrics), undefined);
});

/** Files that users change by hand, without the server: deleted, changed, renamed and replaced ones can be restored. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { subtitles as library } from '../../contract/subtitles/library.ts';
import { Failure } from '../../lib/failure.ts';

const FILM = 'The Lighthouse (2001)/The Lighthouse (2001)';
const SIGNAL = new AbortController().signal;
const stamp = (ms: number): string => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
const srt = (lines: readonly string[], from = 1000): string =>
  lines
    .map((line, n) => `${n + 1}\n${stamp(from + n * 4000)} --> ${stamp(from + n * 4000 + 2000)}\n${line}\n`)
    .join('\n');
const LINES = [
  'Where is the key?',
  'I left it by the lamp.',
  'Then we wait for the morning.',
  'The boat will not come back.',
];
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const refused = (kind: string, words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.kind === kind && words.test(error.message);

async function scene(t: TestContext, files: Readonly<Record<string, string>> = {}) {
  const folder = await openTemporaryFolder(t);
  const path = (name: string) => join(folder, 'media', dirname(FILM), name);
  await makeVideo(join(folder, 'media', `${FILM}.mkv`));
  for (const [name, content] of Object.entries(files)) await writeFile(path(name), content);
  const open = () => openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  let world = await open();
  t.after(() => world.close());
  await world.scan();
  const id = await world.idOf('The Lighthouse');
  return {
    id,
    path,
    get subtitles() {
      return world.subtitles;
    },
    get bench() {
      return world.subtitles.workbench;
    },
    inventory: () => world.inventory(),
    scan: () => world.scan(),
    text: (name: string) => readFile(path(name), 'utf8'),
    names: async () => (await readdir(dirname(path('x')))).filter((name) => !name.endsWith('.mkv')).sort(),
    fingerprint: async () => (await world.subtitles.workbench.inspect({ id, language: 'en' }, SIGNAL)).fingerprint,
    details: async () => library.item.result.parse(await world.subtitles.item(id)).history.map(({ detail }) => detail),
    restart: async () => {
      await world.close();
      world = await open();
    },
  };
}

test(
  'a file of the server that was deleted by hand: what was before it comes first, and then the file itself, to the ' +
    'byte',
  async (t) => {
    const own = await scene(t, { 'The Lighthouse (2001).en.srt': srt(LINES) });
    const { id, details } = own;
    const file = own.path('The Lighthouse (2001).en.srt');
    for (const _ of [1, 2])
      await own.bench.apply(
        { id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds: 1000 },
        SIGNAL,
      );
    await rm(file);
    const seen = await own.bench.inspect({ id, language: 'en' }, SIGNAL);
    assert.deepEqual(
      [seen.fingerprint, seen.restorable, seen.originalAvailable, seen.warnings],
      ['missing', true, true, ['The file that this server wrote was deleted. It can be restored.']],
    );
    await own.subtitles.catchUp();
    assert.deepEqual(
      (await own.inventory()).items[0]?.languages.map(({ restorable, installed }) => [restorable, installed]),
      [[true, undefined]],
    );
    await own.bench.restore({ id }, SIGNAL);
    assert.deepEqual(
      [await own.text('The Lighthouse (2001).en.srt'), (await details())[0]],
      [srt(LINES), 'The original was restored.'],
    );
    await own.bench.restore({ id }, SIGNAL);
    assert.equal(await own.text('The Lighthouse (2001).en.srt'), srt(LINES, 3000), 'the deleted one is not forgotten');
    // At once, and after a restart, which sweeps what nothing refers to.
    await rm(file);
    await own.restart();
    await own.scan();
    const state = await own.bench.restore({ id, to: 'previous' }, SIGNAL);
    assert.deepEqual(
      [
        await own.text('The Lighthouse (2001).en.srt'),
        (await details())[0],
        state.replaceable,
        state.installed?.source,
      ],
      [srt(LINES, 3000), 'The deleted file was restored.', false, 'edited'],
    );
    await own.bench.restore({ id }, SIGNAL);
    assert.equal(
      await own.text('The Lighthouse (2001).en.srt'),
      srt(LINES),
      'and what it was made from is no farther away than before',
    );
  },
);

test('a file deleted or changed by hand is restored as it was written', async (t) => {
  const own = await scene(t);
  const { id, details } = own;
  const name = 'The Lighthouse (2001).en.srt';
  await own.bench.apply(
    { id, language: 'en', fingerprint: 'missing', data: base64(srt(LINES)), offsetMilliseconds: 500 },
    SIGNAL,
  );
  await rm(own.path(name));
  const back = await own.bench.restore({ id }, SIGNAL);
  assert.deepEqual(
    [await own.text(name), (await details())[0], back.installed?.source],
    [srt(LINES, 1500), 'The deleted file was restored.', 'imported'],
  );
  await writeFile(own.path(name), srt(['By hand.']));
  const seen = await own.bench.inspect({ id, language: 'en' }, SIGNAL);
  assert.deepEqual(
    [seen.source, seen.restorable, seen.warnings],
    [
      'sidecar',
      true,
      ['This file was changed outside this server. The version that the server wrote can be restored.'],
    ],
  );
  await own.bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.deepEqual(
    [await own.text(name), (await details())[0]],
    [srt(LINES, 1500), 'Restored as it was before it was changed outside this server.'],
  );
  await own.bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.equal(await own.text(name), srt(['By hand.']), 'and the change by hand is not lost either');
  // The folder is a different one when the file is restored.
  await rm(own.path(name));
  await rename(own.path('The Lighthouse (2001).mkv'), own.path('Lighthouse, The (2001).mkv'));
  await own.scan();
  await own.bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.equal(
    await own.text('Lighthouse, The (2001).en.srt'),
    srt(['By hand.']),
    'beside its video, by the name that it has now',
  );
});

test('a file deleted by hand and replaced: the deleted and the first one can both be restored', async (t) => {
  const name = 'The Lighthouse (2001).en.srt';
  const own = await scene(t, { [name]: srt(LINES) });
  const { id } = own;
  await own.bench.apply({ id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds: 1000 }, SIGNAL);
  await rm(own.path(name));
  const bring = (text: string) =>
    own.bench.apply({ id, language: 'en', fingerprint: 'missing', data: base64(text) }, SIGNAL);
  const brought = await bring(srt(['Another.']));
  assert.deepEqual([brought.restorable, brought.originalAvailable], [true, true]);
  await own.restart();
  await own.bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.equal(await own.text(name), srt(LINES, 2000), 'the deleted one');
  await own.bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.equal(await own.text(name), srt(['Another.']));
  await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text(name), srt(LINES), 'the first of all');
  // The very same once more is a way to nothing else, and hides no other.
  await rm(own.path(name));
  await own.scan();
  await bring(srt(LINES));
  await own.bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.equal(await own.text(name), srt(['Another.']));
});

test('a hidden file is not offered for restoring', async (t) => {
  const own = await scene(t, { 'The Lighthouse (2001).en.srt': srt(LINES) });
  const { id } = own;
  await own.bench.apply({ id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds: 1000 }, SIGNAL);
  const plan = { enabled: true, languages: ['en'], forced: 'keep' as const };
  const { digest } = await own.subtitles.cleanup.plan(plan, SIGNAL);
  await own.subtitles.cleanup.apply({ ...plan, digest }, SIGNAL);
  assert.deepEqual(
    (await own.inventory()).items[0]?.languages.map(({ restorable, installed }) => [restorable, installed?.hidden]),
    [[false, true]],
  );
  await assert.rejects(own.bench.restore({ id }, SIGNAL), refused('conflict', /nothing is preserved/));
});

test('a file replaced by a folder or a link meanwhile is refused and stays', async (t) => {
  const name = 'The Lighthouse (2001).en.srt';
  for (const kind of ['folder', 'link', 'dangling link'] as const) {
    const own = await scene(t, { [name]: srt(LINES), 'notes.txt': srt(['Notes.']) });
    const { id } = own;
    await own.bench.apply(
      { id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds: 500 },
      SIGNAL,
    );
    const fingerprint = await own.fingerprint();
    await rm(own.path(name));
    if (kind === 'folder') await mkdir(own.path(name));
    else await symlink(kind === 'link' ? 'notes.txt' : 'nothing.txt', own.path(name));
    const before = await own.names();
    for (const work of [
      () => own.bench.apply({ id, language: 'en', fingerprint, offsetMilliseconds: 100 }, SIGNAL),
      () => own.bench.preview({ id, language: 'en', fingerprint, offsetMilliseconds: 100 }, SIGNAL),
      () => own.bench.restore({ id }, SIGNAL),
      () => own.bench.restore({ id, to: 'previous' }, SIGNAL),
    ]) {
      await assert.rejects(
        work(),
        (error) => error instanceof Failure && error.kind === 'conflict' && !/\//.test(error.message),
        kind,
      );
    }
    assert.deepEqual(await own.names(), before, kind);
    assert.equal(await own.text('notes.txt'), srt(['Notes.']), kind);
  }
});

test(
  'a change, a step back, a clean-up and a scan of one file at the same moment: one of them, whole, and nothing ' +
    'open',
  async (t) => {
    const name = 'The Lighthouse (2001).en.srt';
    const own = await scene(t, { [name]: srt(LINES) });
    const { id } = own;
    for (let round = 0; round < 6; round++) {
      if (!(await own.names()).includes(name))
        await rename(own.path(`${name}.hidden`), own.path(name)).then(() => own.scan());
      const fingerprint = await own.fingerprint();
      const plan = { enabled: true, languages: ['en'], forced: 'keep' as const };
      const { digest } = await own.subtitles.cleanup.plan(plan, SIGNAL);
      const work = [
        () => own.bench.apply({ id, language: 'en', fingerprint, offsetMilliseconds: 250 }, SIGNAL),
        () =>
          own.bench.apply(
            { id, language: 'en-gb', fingerprint: 'missing', data: base64(srt(['Another tag.'])) },
            SIGNAL,
          ),
        () => own.bench.restore({ id }, SIGNAL),
        () => own.bench.restore({ id, to: 'previous' }, SIGNAL),
        () => own.subtitles.cleanup.apply({ ...plan, digest }, SIGNAL),
        () => own.scan(),
      ];
      const turned = [...work.slice(round), ...work.slice(0, round)];
      for (const one of await Promise.allSettled(turned.map((start) => start()))) {
        if (one.status === 'rejected')
          assert.ok(
            one.reason instanceof Failure && (one.reason.kind === 'conflict' || one.reason.kind === 'missing'),
            String(one.reason),
          );
      }
      await own.scan();
      for (const file of await own.names())
        assert.match(await own.text(file), /^1\n00:00:\d\d,\d{3} --> [^]+\n$/, `${file} is whole`);
      assert.deepEqual(
        (await own.names()).filter((file) => !/^The Lighthouse \(2001\)\.en(?:-gb)?\.srt(?:\.hidden)?$/.test(file)),
        [],
        'nothing stray',
      );
      const seen = await own.bench.inspect({ id, language: 'en' }, SIGNAL);
      assert.ok(seen.fingerprint === 'missing' || seen.current !== undefined);
    }
  },
);

/** A clean-up hides exactly what its plan says, all or nothing, and every way back leads to what was there before. */
import assert from 'node:assert/strict';
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { makeVideo, openWorld, openTemporaryFolder, type World } from '../../../test/subtitles/world.ts';
import { systemClock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { planFaults } from '../../lib/files/calls.ts';
import { createKeyedLock } from '../../lib/lock.ts';
import { silentLog } from '../../lib/log.ts';
import { hidingStore } from '../store/hiding.ts';
import { installingStore } from '../store/installing.ts';
import { createCleanup } from './cleanup.ts';
import { replaced } from '../../../test/faults/replaced.ts';

const { signal } = new AbortController();
const text = (line: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${line}\n`;
const policy = (more: object = {}) => ({
  enabled: true,
  languages: ['en'],
  forced: 'keep' as 'keep' | 'hide',
  ...more,
});
const isUnavailable = (words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.kind === 'unavailable' && words.test(error.message);
const isConflict = (words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.kind === 'conflict' && words.test(error.message);

async function house(
  t: TestContext,
  names: readonly string[],
): Promise<World & { at(name: string): string; films(): Promise<string[]> }> {
  const folder = await openTemporaryFolder(t);
  const at = (name: string): string => join(folder, 'media', 'Film (2001)', name);
  await makeVideo(at('Film (2001).mkv'), { seconds: 20 });
  for (const name of names) {
    await mkdir(join(at(name), '..'), { recursive: true });
    await writeFile(at(name), text(name));
  }
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  t.after(() => world.close());
  await world.scan();
  return {
    ...world,
    at,
    films: async () => (await readdir(at(''), { recursive: true })).filter((name) => name.includes('.')).sort(),
  };
}

test('a plan lists what it would hide, and why other files stay', async (t) => {
  const names = [
    'Film (2001).en.srt',
    'Film (2001).en-gb.vtt',
    'Film (2001).en.forced.srt',
    'Film (2001).en.sdh.srt',
    'Film (2001).srt',
    'Film (2001).de.srt',
    'Film (2001).en.ass',
    'Film (2001).EN.2.srt',
    'Film (2001).EN.2.srt.hidden',
    'Subs/English.srt',
  ];
  const w = await house(t, names);
  await symlink(w.at('Film (2001).de.srt'), w.at('Film (2001).eng.srt'));
  await w.scan();
  const plan = await w.subtitles.cleanup.plan(policy({ languages: ['en', 'fr', 'en'] }), signal);
  const below = (name: string) => `${w.catalog.libraries()[0]?.name}/Film (2001)/${name}`;
  assert.deepEqual(
    plan.files.map(({ path }) => path).sort(),
    ['Film (2001).en-gb.vtt', 'Film (2001).en.sdh.srt', 'Film (2001).en.srt', 'Subs/English.srt'].map(below),
  );
  assert.deepEqual([plan.count, plan.languages, plan.forced], [4, ['en', 'fr'], 'keep']);
  assert.deepEqual(
    new Map(plan.skipped.map(({ path, reason }) => [path, reason])),
    new Map([
      [below('Film (2001).EN.2.srt'), 'a hidden file with that name exists already'],
      [below('Film (2001).en.forced.srt'), 'it has only the lines of foreign speech, which are kept'],
    ]),
  );
  assert.equal(
    (await w.subtitles.cleanup.plan(policy({ languages: ['en-gb'] }), signal)).count,
    1,
    'a variant does not take its base',
  );
  assert.equal((await w.subtitles.cleanup.plan(policy({ forced: 'hide' }), signal)).count, 5);
  const off = await w.subtitles.cleanup.plan(policy({ enabled: false }), signal);
  assert.deepEqual([off.count, off.files, off.skipped], [0, [], []]);
  await assert.rejects(
    w.subtitles.cleanup.apply({ ...policy({ enabled: false }), digest: off.digest }, signal),
    isConflict(/disabled/),
  );
  assert.deepEqual(
    (await w.films()).filter((name) => name.endsWith('.hidden')),
    ['Film (2001).EN.2.srt.hidden'],
    'a plan touches nothing',
  );
});

test('exactly the previewed plan is applied; after a change a new preview is needed', async (t) => {
  const w = await house(t, ['Film (2001).en.srt', 'Film (2001).en.sdh.srt']);
  const plan = () => w.subtitles.cleanup.plan(policy(), signal);
  const apply = (digest: string, more: object = {}) => w.subtitles.cleanup.apply({ ...policy(more), digest }, signal);
  const first = await plan();
  assert.equal((await plan()).digest, first.digest, 'the same plan has the same digest');
  const changes: [string, () => Promise<void>][] = [
    ['bytes', () => writeFile(w.at('Film (2001).en.srt'), text('other'))],
    ['time', () => utimes(w.at('Film (2001).en.srt'), 1_000_000, 1_000_000)],
    [
      'another file of the same size and time',
      async () => {
        await copyFile(w.at('Film (2001).en.srt'), w.at('new'));
        await utimes(w.at('new'), 1_000_000, 1_000_000);
        await rename(w.at('new'), w.at('Film (2001).en.srt'));
      },
    ],
    ['gone', () => rm(w.at('Film (2001).en.srt'))],
    ['there again', () => writeFile(w.at('Film (2001).en.srt'), text('again'))],
    ['its hidden name is taken', () => writeFile(w.at('Film (2001).en.srt.hidden'), 'somebody')],
  ];
  for (const [what, change] of changes) {
    const { digest } = await plan();
    await change();
    await assert.rejects(apply(digest), isConflict(/changed since the preview/), what);
    assert.notEqual((await plan()).digest, digest, what);
  }
  await assert.rejects(
    apply((await plan()).digest, { forced: 'hide' }),
    isConflict(/changed since the preview/),
    'another policy',
  );
  assert.equal(await readFile(w.at('Film (2001).en.srt.hidden'), 'utf8'), 'somebody');
  assert.deepEqual(await apply((await plan()).digest), { hidden: 1 });
  assert.deepEqual(await w.films(), [
    'Film (2001).en.sdh.srt.hidden',
    'Film (2001).en.srt',
    'Film (2001).en.srt.hidden',
    'Film (2001).mkv',
  ]);
  assert.equal(await readFile(w.at('Film (2001).en.sdh.srt.hidden'), 'utf8'), text('Film (2001).en.sdh.srt'));
});

test('the inventory is updated at once, and removing the suffix restores a file', async (t) => {
  const w = await house(t, ['Film (2001).en.srt']);
  const language = async () => (await w.inventory()).items[0]?.languages[0];
  assert.equal((await w.inventory()).ready, 1);
  const { digest } = await w.subtitles.cleanup.plan(policy(), signal);
  await w.subtitles.cleanup.apply({ ...policy(), digest }, signal);
  assert.deepEqual([(await w.inventory()).ready, (await w.inventory()).items[0]?.missing], [0, ['en']]);
  assert.deepEqual(await hidingStore(w.db).intents(), []);
  await rename(w.at('Film (2001).en.srt.hidden'), w.at('Film (2001).en.srt'));
  await w.scan();
  assert.equal((await w.inventory()).ready, 1);
  assert.equal((await language())?.installed?.hidden, false);
});

test('a file of ours stays known as ours while it is hidden and when it is back', async (t) => {
  const w = await house(t, ['Film (2001).en.srt']);
  const installing = installingStore(w.db);
  const { size, mtimeMs } = await stat(w.at('Film (2001).en.srt'));
  const item = await w.idOf('Film');
  const file = {
    library: w.catalog.libraries()[0]?.id ?? '',
    relative: 'Film (2001)/Film (2001).en.srt',
    item,
    language: 'en',
    role: 'normal' as const,
    format: 'srt',
    source: 'subtitles_a',
    score: 87,
    match: 'verified' as const,
    evidence: [],
    content: 'ab',
    origin: 'fetched' as const,
    delivered: null,
    candidate: null,
    preserved: {},
    at: 5,
  };
  await installing.done({ file, act: 'fetched' }, { size, modified: Math.round(mtimeMs) });
  const installed = async () => {
    const is = (await w.inventory()).items[0]?.languages[0]?.installed;
    return [is?.managed, is?.hidden, is?.score, (await installing.filesOf([item])).map(({ relative }) => relative)];
  };
  const { digest } = await w.subtitles.cleanup.plan(policy(), signal);
  await w.subtitles.cleanup.apply({ ...policy(), digest }, signal);
  assert.deepEqual(await installed(), [true, true, 87, ['Film (2001)/Film (2001).en.srt.hidden']]);
  assert.deepEqual(
    (await installing.history(item)).map(({ act, source, language }) => [act, source, language]),
    [
      ['hidden', 'subtitles_a', 'en'],
      ['fetched', 'subtitles_a', 'en'],
    ],
  );
  await rename(w.at('Film (2001).en.srt.hidden'), w.at('Film (2001).en.srt'));
  await w.scan();
  await w.close();
  const next = await openWorld({ folder: w.folder });
  t.after(() => next.close());
  await next.scan();
  assert.equal((await next.inventory()).items[0]?.languages[0]?.installed?.managed, true);
  const { catalog, db } = next;
  await createCleanup({
    catalog,
    store: hidingStore(db),
    history: installingStore(db),
    clock: systemClock,
    log: silentLog,
    folders: createKeyedLock(),
    changed: async () => {},
  }).follow();
  assert.deepEqual(
    (await installingStore(db).filesOf([item])).map(({ relative }) => relative),
    ['Film (2001)/Film (2001).en.srt'],
  );
});

test('one at a time: a second one fails at once', async (t) => {
  const w = await house(t, ['Film (2001).en.srt']);
  const { digest } = await w.subtitles.cleanup.plan(policy(), signal);
  const both = await Promise.allSettled([1, 2].map(() => w.subtitles.cleanup.apply({ ...policy(), digest }, signal)));
  assert.deepEqual(
    both.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.ok(isConflict(/another clean-up is running/)((both[1] as PromiseRejectedResult).reason));
});

for (const [call, name] of [
  ['link', 'a second name'],
  ['unlink', 'the first name gone'],
] as const) {
  test(`a disk that refuses ${name} of the last file: none is hidden`, async (t) => {
    const w = await house(t, ['Film (2001).en.srt', 'Film (2001).en.sdh.srt', 'Film (2001).en-gb.srt']);
    const before = await w.films();
    const { digest } = await w.subtitles.cleanup.plan(policy(), signal);
    let times = 0;
    planFaults((one) =>
      one === call && ++times === 3 ? Object.assign(new Error('read-only'), { code: 'EROFS' }) : undefined,
    );
    t.after(() => planFaults(null));
    await assert.rejects(
      w.subtitles.cleanup.apply({ ...policy(), digest }, signal),
      isUnavailable(/^the media folder cannot be written to: its disk is read-only, so nothing was hidden$/),
    );
    planFaults(null);
    assert.deepEqual(await w.films(), before);
    assert.deepEqual(await hidingStore(w.db).intents(), []);
    const again = await w.subtitles.cleanup.plan(policy(), signal);
    assert.deepEqual(await w.subtitles.cleanup.apply({ ...policy(), digest: again.digest }, signal), { hidden: 3 });
  });
}

test("what a killed process left is settled by the folder, and no user's file is touched", async (t) => {
  const w = await house(t, ['Film (2001).en.srt', 'Film (2001).en.sdh.srt', 'Film (2001).en-gb.srt']);
  const library = w.catalog.libraries()[0]?.id ?? '';
  const item = await w.idOf('Film');
  const intend = (name: string) => ({
    library,
    relative: `Film (2001)/${name}`,
    item,
    language: 'en',
    role: 'normal' as const,
    size: 1,
    modified: '1',
    at: 1,
    actor: null,
  });
  await hidingStore(w.db).intend(
    ['Film (2001).en.srt', 'Film (2001).en.sdh.srt', 'Film (2001).en-gb.srt', 'Film (2001).gone.srt'].map(intend),
  );
  // On its way; another file under the hidden name; not begun; gone.
  await link(w.at('Film (2001).en.srt'), w.at('Film (2001).en.srt.hidden'));
  await writeFile(w.at('Film (2001).en.sdh.srt.hidden'), 'somebody');
  await w.close();
  const next = await openWorld({ folder: w.folder });
  t.after(() => next.close());
  assert.deepEqual(await w.films(), [
    'Film (2001).en-gb.srt',
    'Film (2001).en.sdh.srt',
    'Film (2001).en.sdh.srt.hidden',
    'Film (2001).en.srt.hidden',
    'Film (2001).mkv',
  ]);
  assert.equal(await readFile(w.at('Film (2001).en.sdh.srt.hidden'), 'utf8'), 'somebody');
  assert.deepEqual(await hidingStore(next.db).intents(), []);
});

const PLANTED = ['cleanup.ts', 'hide.ts'] as const;
type Planted = (typeof PLANTED)[number];

/** Returns the clean-up with one guard removed from its source. */
async function without(t: TestContext, file: Planted, guard: string, fault: string): Promise<typeof createCleanup> {
  const folder = await openTemporaryFolder(t);
  for (const name of PLANTED) {
    const source = await readFile(new URL(name, import.meta.url), 'utf8');
    const text = name === file ? replaced(source, { file, from: guard, to: fault }) : source;
    const absolute = (path: string) =>
      PLANTED.some((one) => path === `./${one}`) ? path : new URL(path, import.meta.url).href;
    await writeFile(join(folder, name), text.replaceAll(/(?<= from ')\.[^']+/g, absolute));
  }
  return ((await import(join(folder, 'cleanup.ts'))) as { createCleanup: typeof createCleanup }).createCleanup;
}

test(
  'planted: without the digest another plan is applied, without the last look a changed file is hidden, and ' +
    'without a way back some stay hidden',
  async (t) => {
    const rash = async (file: Planted, guard: string, fault: string) => {
      const w = await house(t, ['Film (2001).en.srt', 'Film (2001).en.sdh.srt']);
      const make = await without(t, file, guard, fault);
      const { catalog, db } = w;
      const needs = {
        catalog,
        store: hidingStore(db),
        history: installingStore(db),
        clock: systemClock,
        log: silentLog,
        folders: createKeyedLock(),
        changed: async () => {},
      };
      return { w, needs, make, cleanup: make(needs) };
    };
    const blind = await rash('cleanup.ts', 'if (digest !== asked.digest) throw changedSincePreview();', '');
    assert.deepEqual(await blind.cleanup.apply({ ...policy(), digest: '0'.repeat(64) }, signal), { hidden: 2 });

    const hasty = await rash(
      'hide.ts',
      "if (typeof now === 'string' || now.size !== file.size || now.modified !== file.modified || now.identity !== " +
        'file.identity) throw changedSincePreview();',
      '',
    );
    const { digest } = await hasty.cleanup.plan(policy(), signal);
    // Between the plan and the first rename, a file is rewritten.
    const store = {
      ...hasty.needs.store,
      intend: async (files: Parameters<typeof hasty.needs.store.intend>[0]) => {
        await hasty.needs.store.intend(files);
        await writeFile(hasty.w.at('Film (2001).en.srt'), 'somebody else wrote this');
      },
    };
    assert.deepEqual(await hasty.make({ ...hasty.needs, store }).apply({ ...policy(), digest }, signal), { hidden: 2 });
    const sound = await house(t, ['Film (2001).en.srt', 'Film (2001).en.sdh.srt']);
    const careful = createCleanup({
      ...hasty.needs,
      catalog: sound.catalog,
      store: {
        ...hidingStore(sound.db),
        intend: async (files) => {
          await hidingStore(sound.db).intend(files);
          await writeFile(sound.at('Film (2001).en.srt'), 'somebody else wrote this');
        },
      },
      history: installingStore(sound.db),
    });
    await assert.rejects(
      careful.apply({ ...policy(), digest: (await careful.plan(policy(), signal)).digest }, signal),
      isConflict(/nothing was hidden/),
    );
    assert.deepEqual(await sound.films(), ['Film (2001).en.sdh.srt', 'Film (2001).en.srt', 'Film (2001).mkv']);

    const stuck = await rash('hide.ts', 'await revert(needs, done);', '');
    const plan = await stuck.cleanup.plan(policy(), signal);
    let times = 0;
    planFaults((one) =>
      one === 'link' && ++times === 2 ? Object.assign(new Error('read-only'), { code: 'EROFS' }) : undefined,
    );
    t.after(() => planFaults(null));
    await assert.rejects(stuck.cleanup.apply({ ...policy(), digest: plan.digest }, signal), /nothing was hidden/);
    planFaults(null);
    assert.equal((await stuck.w.films()).filter((name) => name.endsWith('.hidden')).length, 1);
  },
);

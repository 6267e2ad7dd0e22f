/** Installing: a user's file is never overwritten, a refusal at the last moment counts, and failures leave nothing. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openTemporaryFolder } from '../../../test/subtitles/world.ts';
import type { PlayableFile } from '../../catalog/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { openTemporaryDatabase } from '../../lib/db/testing.ts';
import { Failure } from '../../lib/failure.ts';
import { isStray, openRoot } from '../../lib/files.ts';
import { planFaults } from '../../lib/files/calls.ts';
import { createKeyedLock } from '../../lib/lock.ts';
import { silentLog } from '../../lib/log.ts';
import { createInstaller, type InstallRequest } from './install.ts';
import { sidecarName } from './sidecar-name.ts';
import { contentHash, createPreserved } from '../history/preserved.ts';
import { installingStore } from '../store/installing.ts';
import { subtitleMigrations } from '../store/migrations.ts';
import { replaced } from '../../../test/faults/replaced.ts';

const LIBRARY = 'a'.repeat(16);
const BYTES = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello.\n');

async function bench(t: TestContext, make = createInstaller) {
  const media = await openTemporaryFolder(t);
  await mkdir(join(media, 'Film'));
  const db = await openTemporaryDatabase(t, subtitleMigrations);
  const store = installingStore(db);
  const state = { isOnline: true };
  const looked: string[] = [];
  const root = await openRoot(media);
  t.after(() => root.close());
  const catalog = {
    libraries: () => [
      {
        id: LIBRARY,
        name: 'Films',
        kind: 'movies' as const,
        path: media,
        items: 1,
        isOnline: state.isOnline,
        isWatching: false,
        lastScanAt: undefined,
        options: {},
      },
    ],
    root: () => openRoot(media),
    sidecarsChanged: async (id: string) => void looked.push(id),
  };
  const data = await openTemporaryFolder(t);
  const preserved = createPreserved(data);
  const installer = make({ store, preserved, catalog, clock: systemClock, log: silentLog, folders: createKeyedLock() });
  const file: PlayableFile = {
    id: 'v'.repeat(16),
    item: 'b'.repeat(16),
    library: LIBRARY,
    root: media,
    relative: 'Film/Film.mkv',
    size: 1,
    modifiedMs: 1,
    part: 1,
    info: undefined,
    available: true,
  };
  const installation = (more: Partial<InstallRequest> = {}): InstallRequest => ({
    item: file.item,
    file,
    root,
    language: 'en',
    role: 'normal',
    format: 'srt',
    bytes: BYTES,
    source: 'subtitles_a',
    score: 70,
    match: 'unverified',
    evidence: [],
    check: async () => {},
    ...more,
  });
  return {
    media,
    data,
    preserved,
    store,
    state,
    looked,
    installer,
    installation,
    files: async () => (await readdir(join(media, 'Film'))).sort(),
  };
}

test('names are those that players look for', () => {
  assert.equal(sidecarName('Film/Film.2001.mkv', 'en', 'normal'), 'Film/Film.2001.en.srt');
  assert.equal(sidecarName('Film.mkv', 'pt-br', 'forced'), 'Film.pt-br.forced.srt');
  assert.equal(sidecarName('A.b/Film', 'en', 'sdh', 'ass'), 'A.b/Film.en.sdh.ass');
  assert.throws(() => sidecarName(`${'x'.repeat(250)}.mkv`, 'en', 'normal'), /too long/);
});

test("a file that appears meanwhile is the user's and stays as it is", async (t) => {
  const { media, store, installer, installation, files } = await bench(t);
  let times = 0;
  const check = async () => {
    // The second time everything is written and nothing is in its place.
    if (++times === 2) await writeFile(join(media, 'Film/Film.en.srt'), 'mine');
  };
  await assert.rejects(
    installer.install(installation({ check })),
    (error) => error instanceof Failure && error.kind === 'conflict',
  );
  assert.equal(times, 2);
  assert.equal(await readFile(join(media, 'Film/Film.en.srt'), 'utf8'), 'mine');
  assert.deepEqual(await files(), ['Film.en.srt']);
  assert.deepEqual(await store.intents(), []);
});

/** Returns the installer with one guard removed from its source. */
async function without(t: TestContext, guard: string, fault: string): Promise<typeof createInstaller> {
  const folder = await openTemporaryFolder(t);
  const text = await readFile(new URL('install.ts', import.meta.url), 'utf8');
  await writeFile(
    join(folder, 'install.ts'),
    replaced(text, { file: 'install.ts', from: guard, to: fault }).replaceAll(
      /(?<= from ')\.[^']+/g,
      (to) => new URL(to, import.meta.url).href,
    ),
  );
  return ((await import(join(folder, 'install.ts'))) as { createInstaller: typeof createInstaller }).createInstaller;
}

test('planted: without exclusive creation a file is lost, and without the last check a change is missed', async (t) => {
  const rash = await bench(t, await without(t, 'exclusive: !isInPlace, check }', 'check }'));
  let times = 0;
  await rash.installer.install(
    rash.installation({
      check: async () => void (++times === 2 && (await writeFile(join(rash.media, 'Film/Film.en.srt'), 'mine'))),
    }),
  );
  assert.notEqual(await readFile(join(rash.media, 'Film/Film.en.srt'), 'utf8'), 'mine');
  const blind = await bench(t, await without(t, '{ exclusive: !isInPlace, check }', '{ exclusive: !isInPlace }'));
  times = 0;
  await blind.installer.install(blind.installation({ check: async () => void times++ }));
  assert.equal(times, 1);
});

test('a change seen at the last moment leaves nothing', async (t) => {
  const { store, installer, installation, files } = await bench(t);
  for (const at of [1, 2]) {
    let times = 0;
    const check = async () => {
      if (++times === at) throw new Failure('conflict', 'the item changed', { reason: 'item-changed' });
    };
    await assert.rejects(installer.install(installation({ check })), /changed/);
    assert.deepEqual(await files(), []);
    assert.deepEqual(await store.intents(), []);
  }
});

test('two writers of one file: the second fails at once', async (t) => {
  const { installer, installation, files } = await bench(t);
  const both = await Promise.allSettled([installer.install(installation()), installer.install(installation())]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.match(String((both[1] as PromiseRejectedResult).reason), /written by another request/);
  assert.deepEqual(await files(), ['Film.en.srt']);
});

test('a folder that is gone is refused, and nothing is left open', async (t) => {
  const { media, store, installer, installation } = await bench(t);
  await rm(join(media, 'Film'), { recursive: true });
  await assert.rejects(installer.install(installation()), Failure);
  assert.deepEqual(await store.intents(), []);
});

test('writes of a killed process are settled, but not while the library is offline', async (t) => {
  const { media, store, state, looked, installer, installation, files } = await bench(t);
  const { item, role, format, source, score, match } = installation();
  const facts = {
    library: LIBRARY,
    item,
    role,
    format,
    source,
    score,
    match,
    evidence: [],
    at: 1,
    content: contentHash(BYTES),
    origin: 'fetched' as const,
    delivered: null,
    candidate: null,
    preserved: {},
  };
  for (const language of ['en', 'de', 'fr'])
    await store.intend({ file: { ...facts, language, relative: `Film/Film.${language}.srt` }, act: 'fetched' });
  await writeFile(join(media, 'Film/Film.en.srt'), BYTES);
  await writeFile(join(media, 'Film/Film.de.srt'), 'somebody was faster');
  await writeFile(join(media, 'Film/.matinee-0123456789abcdef.part'), 'a piece');
  state.isOnline = false;
  await installer.recover();
  assert.equal((await store.intents()).length, 3);
  state.isOnline = true;
  await installer.recover();
  assert.deepEqual(await store.intents(), []);
  assert.deepEqual(
    (await store.filesOf([item])).map(({ relative, size }) => [relative, size]),
    [['Film/Film.en.srt', BYTES.length]],
  );
  assert.deepEqual(await files(), ['Film.de.srt', 'Film.en.srt']);
  assert.equal(await readFile(join(media, 'Film/Film.de.srt'), 'utf8'), 'somebody was faster');
  assert.deepEqual(looked, [item]);
});

const MINE = Buffer.from('1\r\n00:00:01,000 --> 00:00:02,000\r\nMine.\r\n');
const overMine = (relative: string) => ({
  over: { relative, content: contentHash(MINE) },
  act: 'applied' as const,
  origin: 'edited' as const,
});

test('a replaced file is preserved first, under the same name and another one', async (t) => {
  for (const own of ['Film.en.srt', 'Film.eng.srt']) {
    const { media, data, preserved, store, installer, installation, files } = await bench(t);
    await writeFile(join(media, 'Film', own), MINE);
    const relative = await installer.install(
      installation({ ...overMine(`Film/${own}`), notes: [{ reason: 'edited', values: {} }], freeze: true }),
    );
    assert.deepEqual([relative, await files()], ['Film/Film.en.srt', ['Film.en.srt']]);
    assert.deepEqual(await readFile(join(media, relative)), BYTES);
    assert.deepEqual(await preserved.get(contentHash(MINE)), MINE);
    assert.deepEqual(
      (await stat(join(data, 'subtitles', contentHash(MINE).slice(0, 2), contentHash(MINE)))).mode & 0o777,
      0o600,
    );
    const [row] = await store.filesOf(['b'.repeat(16)]);
    const { original, before } = row?.preserved ?? {};
    assert.deepEqual(
      [original?.content, original?.location, before?.known],
      [contentHash(MINE), { from: 'stem', rest: own.slice('Film'.length) }, undefined],
    );
    assert.deepEqual(
      (await store.history('b'.repeat(16))).map(({ act, before: from, after, detail, notes }) => [
        ...[act, from, after, detail],
        ...(notes ?? []).map(({ reason }) => reason),
      ]),
      [['applied', contentHash(MINE), contentHash(BYTES), 'Edited.', 'edited']],
    );
    assert.equal((await store.frozen(['b'.repeat(16)])).length, 1);
    // The sweep only keeps referenced bytes.
    await preserved.put(Buffer.from('nobody needs this'));
    const later = createPreserved(data);
    assert.equal(await later.sweep(await store.referenced()), 1);
    assert.deepEqual(await later.get(contentHash(MINE)), MINE);
  }
});

test('a file that changed since it was checked stays, noticed first or at the last moment', async (t) => {
  for (const own of ['Film.en.srt', 'Film.eng.srt'])
    for (const at of [1, 2]) {
      const { media, store, installer, installation, files } = await bench(t);
      await writeFile(join(media, 'Film', own), MINE);
      let times = 0;
      const check = async () => void (++times === at && (await writeFile(join(media, 'Film', own), 'edited by hand')));
      await assert.rejects(
        installer.install(installation({ ...overMine(`Film/${own}`), check })),
        (error) =>
          error instanceof Failure && error.kind === 'conflict' && error.message.includes('changed in the meantime'),
      );
      assert.deepEqual([await files(), await readFile(join(media, 'Film', own), 'utf8')], [[own], 'edited by hand']);
      assert.deepEqual(await store.intents(), []);
    }
});

test('planted: without the last check, a file edited by hand is lost', async (t) => {
  const blind = await bench(
    t,
    await without(t, 'if (over) await readExactly(inRoot(root, over.relative), over.content);\n  };', '};'),
  );
  await writeFile(join(blind.media, 'Film/Film.en.srt'), MINE);
  let times = 0;
  await blind.installer.install(
    blind.installation({
      ...overMine('Film/Film.en.srt'),
      check: async () =>
        void (++times === 2 && (await writeFile(join(blind.media, 'Film/Film.en.srt'), 'edited by hand'))),
    }),
  );
  assert.deepEqual(await readFile(join(blind.media, 'Film/Film.en.srt')), BYTES);
});

test('the name that players look for is taken by another file: refused, and nothing changes', async (t) => {
  const { media, installer, installation, files } = await bench(t);
  await writeFile(join(media, 'Film/Film.eng.srt'), MINE);
  await writeFile(join(media, 'Film/Film.en.srt'), 'another');
  await assert.rejects(installer.install(installation(overMine('Film/Film.eng.srt'))), /already exists/);
  assert.deepEqual(await files(), ['Film.en.srt', 'Film.eng.srt']);
});

/** Fails the Nth writing call, for every N until none fails any more. Returns the number of calls. */
async function failEach(t: TestContext, own: string, code: string): Promise<number> {
  t.after(() => planFaults(null));
  for (let n = 1; ; n++) {
    const { media, data, store, installer, installation, files } = await bench(t);
    await writeFile(join(media, 'Film', own), MINE);
    let left = n;
    planFaults(() => (--left === 0 ? Object.assign(new Error('planned'), { code }) : undefined));
    const ended = await installer.install(installation(overMine(`Film/${own}`))).then(
      () => 'done',
      (error: unknown) => (error instanceof Failure ? 'refused' : error),
    );
    const isOver = left > 0;
    planFaults(null);
    // Temporary files that a failing clean-up left are removed with the next one.
    await installer.recover();
    const names = (await files()).filter((name) => !isStray(name));
    const state = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, contentHash(await readFile(join(media, 'Film', name)))])),
    );
    const isNew = names.includes('Film.en.srt') && state['Film.en.srt'] === contentHash(BYTES);
    assert.deepEqual(
      state,
      isNew ? { 'Film.en.srt': contentHash(BYTES) } : { [own]: contentHash(MINE) },
      `call ${n}: the old state or the new one`,
    );
    assert.deepEqual(await store.intents(), [], `call ${n}`);
    assert.equal((await store.filesOf(['b'.repeat(16)])).length, isNew ? 1 : 0, `call ${n}: it is known`);
    if (isNew) assert.deepEqual(await createPreserved(data).get(contentHash(MINE)), MINE, `call ${n}: preserved`);
    if (ended === 'done') assert.ok(isNew, `call ${n}: what was acknowledged is there`);
    if (isOver) return n - 1;
  }
}

test('whichever write fails, on a full disk or a broken one: the old state or the new one', async (t) => {
  for (const own of ['Film.en.srt', 'Film.eng.srt'])
    for (const code of ['ENOSPC', 'EIO', 'EROFS']) assert.ok((await failEach(t, own, code)) >= 9);
});

test('a restart finishes a new name whose old one is still there, and leaves what was edited since', async (t) => {
  for (const edited of [false, true]) {
    const { media, preserved, store, installer, installation, files } = await bench(t);
    const { item, role, format, source, score, match } = installation();
    await preserved.put(MINE);
    const facts = {
      library: LIBRARY,
      item,
      language: 'en',
      role,
      format,
      source,
      score,
      match,
      evidence: [],
      at: 1,
      content: contentHash(BYTES),
      origin: 'edited' as const,
      delivered: null,
      candidate: null,
      preserved: {},
    };
    await store.intend({
      file: { ...facts, relative: 'Film/Film.en.srt' },
      over: { relative: 'Film/Film.eng.srt', content: contentHash(MINE) },
      act: 'applied',
    });
    await writeFile(join(media, 'Film/Film.en.srt'), BYTES);
    await writeFile(join(media, 'Film/Film.eng.srt'), edited ? 'edited by hand' : MINE);
    await installer.recover();
    assert.deepEqual(await files(), edited ? ['Film.en.srt', 'Film.eng.srt'] : ['Film.en.srt']);
    assert.deepEqual(await store.intents(), []);
  }
});

/** Installing: somebody's file is never overwritten, a change of mind is heard to the last, and failures leave nothing. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../../test/subtitles/world.ts';
import type { PlayableFile } from '../catalog/index.ts';
import { systemClock } from '../lib/clock.ts';
import { temporaryDatabase } from '../lib/db/testing.ts';
import { Failure } from '../lib/failure.ts';
import { openRoot } from '../lib/files.ts';
import { createKeyedLock } from '../lib/lock.ts';
import { silentLog } from '../lib/log.ts';
import { createInstaller, type Installation, sidecarName } from './install.ts';
import { contentOf, createPreserved } from './preserved.ts';
import { installingStore } from './store/installing.ts';
import { subtitleMigrations } from './store/tables.ts';

const LIBRARY = 'a'.repeat(16);
const BYTES = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello.\n');

async function bench(t: TestContext, make = createInstaller) {
  const media = await temporaryFolder(t);
  await mkdir(join(media, 'Film'));
  const db = await temporaryDatabase(t, subtitleMigrations);
  const store = installingStore(db);
  const state = { isOnline: true };
  const looked: string[] = [];
  const root = await openRoot(media);
  t.after(() => root.close());
  const catalog = {
    libraries: () => [{ id: LIBRARY, name: 'Films', kind: 'movies' as const, path: media, items: 1, isOnline: state.isOnline, isWatching: false, lastScanAt: undefined }],
    root: () => openRoot(media),
    sidecarsChanged: async (id: string) => void looked.push(id),
  };
  const data = await temporaryFolder(t);
  const preserved = createPreserved(data);
  const installer = make({ store, preserved, catalog, clock: systemClock, log: silentLog, folders: createKeyedLock() });
  const file: PlayableFile = { id: 'v'.repeat(16), item: 'b'.repeat(16), library: LIBRARY, root: media, relative: 'Film/Film.mkv', size: 1, modifiedMs: 1, part: 1, info: undefined, available: true };
  const installation = (more: Partial<Installation> = {}): Installation => ({
    item: file.item, file, root, language: 'en', role: 'normal', format: 'srt', bytes: BYTES, source: 'subtitles_a', score: 70, match: 'unverified', evidence: [], check: async () => {}, ...more,
  });
  return { media, data, preserved, store, state, looked, installer, installation, files: async () => (await readdir(join(media, 'Film'))).sort() };
}

test('names are those that players look for', () => {
  assert.equal(sidecarName('Film/Film.2001.mkv', 'en', 'normal'), 'Film/Film.2001.en.srt');
  assert.equal(sidecarName('Film.mkv', 'pt-br', 'forced'), 'Film.pt-br.forced.srt');
  assert.equal(sidecarName('A.b/Film', 'en', 'sdh', 'ass'), 'A.b/Film.en.sdh.ass');
  assert.throws(() => sidecarName(`${'x'.repeat(250)}.mkv`, 'en', 'normal'), /too long/);
});

test('a file that appears meanwhile is somebody\'s own and stays as it is', async (t) => {
  const { media, store, installer, installation, files } = await bench(t);
  let times = 0;
  const check = async () => {
    // The second time everything is written and nothing is in its place.
    if (++times === 2) await writeFile(join(media, 'Film/Film.en.srt'), 'mine');
  };
  await assert.rejects(installer.install(installation({ check })), (error) => error instanceof Failure && error.kind === 'conflict');
  assert.equal(times, 2);
  assert.equal(await readFile(join(media, 'Film/Film.en.srt'), 'utf8'), 'mine');
  assert.deepEqual(await files(), ['Film.en.srt']);
  assert.deepEqual(await store.intents(), []);
});

/** The installer with one guard taken out. */
async function without(t: TestContext, guard: string, fault: string): Promise<typeof createInstaller> {
  const folder = await temporaryFolder(t);
  const text = await readFile(new URL('install.ts', import.meta.url), 'utf8');
  assert.equal(text.split(guard).length, 2, `it no longer has: ${guard}`);
  await writeFile(join(folder, 'install.ts'), text.replace(guard, () => fault).replaceAll(/(?<= from ')\.[^']+/g, (to) => new URL(to, import.meta.url).href));
  return ((await import(join(folder, 'install.ts'))) as { createInstaller: typeof createInstaller }).createInstaller;
}

test('planted: without exclusiveness somebody\'s file is lost, and without the last look a change is not seen', async (t) => {
  const rash = await bench(t, await without(t, 'exclusive: !isInPlace, check }', 'check }'));
  let times = 0;
  await rash.installer.install(rash.installation({ check: async () => void (++times === 2 && (await writeFile(join(rash.media, 'Film/Film.en.srt'), 'mine'))) }));
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
      if (++times === at) throw new Failure('conflict', 'the item changed');
    };
    await assert.rejects(installer.install(installation({ check })), /changed/);
    assert.deepEqual(await files(), []);
    assert.deepEqual(await store.intents(), []);
  }
});

test('two writers of one file: the second is told at once', async (t) => {
  const { installer, installation, files } = await bench(t);
  const both = await Promise.allSettled([installer.install(installation()), installer.install(installation())]);
  assert.deepEqual(both.map(({ status }) => status), ['fulfilled', 'rejected']);
  assert.match(String((both[1] as PromiseRejectedResult).reason), /written already/);
  assert.deepEqual(await files(), ['Film.en.srt']);
});

test('a folder that is gone is refused, and nothing is left open', async (t) => {
  const { media, store, installer, installation } = await bench(t);
  await rm(join(media, 'Film'), { recursive: true });
  await assert.rejects(installer.install(installation()), Failure);
  assert.deepEqual(await store.intents(), []);
});

test('what a killed process left is settled, but not while its library is away', async (t) => {
  const { media, store, state, looked, installer, installation, files } = await bench(t);
  const { item, role, format, source, score, match } = installation();
  const facts = { library: LIBRARY, item, role, format, source, score, match, evidence: '[]', at: 1, content: contentOf(BYTES), origin: 'fetched' as const, delivered: null, candidate: null, preserved: '{}' };
  for (const language of ['en', 'de', 'fr']) await store.intend({ file: { ...facts, language, relative: `Film/Film.${language}.srt` }, act: 'fetched' });
  await writeFile(join(media, 'Film/Film.en.srt'), BYTES);
  await writeFile(join(media, 'Film/Film.de.srt'), 'somebody was faster');
  await writeFile(join(media, 'Film/.matinee-0123456789abcdef.part'), 'a piece');
  state.isOnline = false;
  await installer.recover();
  assert.equal((await store.intents()).length, 3);
  state.isOnline = true;
  await installer.recover();
  assert.deepEqual(await store.intents(), []);
  assert.deepEqual((await store.filesOf([item])).map(({ relative, size }) => [relative, size]), [['Film/Film.en.srt', BYTES.length]]);
  assert.deepEqual(await files(), ['Film.de.srt', 'Film.en.srt']);
  assert.equal(await readFile(join(media, 'Film/Film.de.srt'), 'utf8'), 'somebody was faster');
  assert.deepEqual(looked, [item]);
});

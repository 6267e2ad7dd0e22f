/**
 * A fetched subtitle that was changed: restored to its exact bytes, never changed against its provider's terms, and not
 * fetched again after it was rejected.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { preparedEnvironment } from '../../../test/prepared.ts';
import { startStandIns } from '../../../test/stand-ins/index.ts';
import { makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { contentHash } from '../history/preserved.ts';
import { installingStore } from '../store/installing.ts';

const RELEASE = 'Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL';
const FILE = `${RELEASE}.en.srt`;
const SIGNAL = new AbortController().signal;
const OTHER = '1\n00:00:03,000 --> 00:00:05,000\nSomething else.\n';

async function house(t: TestContext, provider: string) {
  const standIns = await startStandIns({
    fixtures: {
      items: [
        {
          kind: 'movie',
          title: 'Night of the Living Dead',
          year: 1968,
          imdb: 'tt0063350',
          tmdb: 10331,
          duration: 60,
          subtitles: [{ language: 'en', releases: [RELEASE], trusted: true }],
        },
      ],
    },
  });
  t.after(() => standIns.close());
  const folder = await openTemporaryFolder(t);
  await makeVideo(join(folder, 'media', RELEASE, `${RELEASE}.mkv`));
  const own = Object.fromEntries(
    Object.entries(standIns.environment).filter(([key]) => key.includes(provider.toUpperCase())),
  );
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en', ...own } });
  t.after(() => world.close());
  await world.scan();
  const id = await world.idOf(RELEASE);
  await world.subtitles.fetch({ id }, SIGNAL);
  const path = join(folder, 'media', RELEASE, FILE);
  return {
    world,
    id,
    path,
    store: installingStore(world.db),
    bench: world.subtitles.workbench,
    read: () => readFile(path),
    calls: () =>
      Object.values(standIns).flatMap((one: unknown) =>
        typeof one === 'object' && one !== null && 'log' in one ? (one.log as unknown[]) : [],
      ).length,
  };
}

test('replacing a fetched file rejects it; restoring it accepts it again, byte for byte', async (t) => {
  const { bench, id, read, store, world } = await house(t, 'subtitles_a');
  const fetched = await read();
  const [row] = await store.filesOf([id]);
  assert.equal(row?.origin, 'fetched');
  const refusedContents = async () => (await store.refusals(id, 'en')).map(({ content }) => content);
  // A better version of the same is no rejection.
  await bench.apply({ id, language: 'en', fingerprint: contentHash(fetched), offsetMilliseconds: 100 }, SIGNAL);
  assert.deepEqual(await refusedContents(), []);
  const edited = await bench.inspect({ id, language: 'en' }, SIGNAL);
  assert.deepEqual([edited.source, edited.originalAvailable, edited.restorable], ['edited', true, true]);
  assert.ok(
    edited.evidence.some(({ kind }) => kind === 'edited') && edited.evidence.length > 1,
    'what spoke for it still does',
  );
  const state = await bench.restore({ id }, SIGNAL);
  assert.deepEqual(await read(), fetched);
  assert.deepEqual(
    [state.installed?.source, state.installed?.score, state.installed?.match],
    ['subtitles_a', row?.score, row?.match],
  );

  await bench.apply(
    { id, language: 'en', fingerprint: contentHash(fetched), data: Buffer.from(OTHER).toString('base64') },
    SIGNAL,
  );
  assert.deepEqual(await refusedContents(), [row?.delivered ?? row?.content]);
  await bench.restore({ id }, SIGNAL);
  assert.deepEqual([await read(), await refusedContents()], [fetched, []]);
  await bench.restore({ id }, SIGNAL);
  assert.deepEqual([(await read()).toString(), await refusedContents()], [OTHER, [row?.delivered ?? row?.content]]);
  assert.deepEqual(
    (await world.subtitles.item(id)).history.map(({ act }) => act),
    ['restored', 'restored', 'applied', 'restored', 'applied', 'fetched'],
  );
});

test('a file whose terms forbid changes can be replaced, and is restored as it was', async (t) => {
  const { bench, id, read } = await house(t, 'subtitles_b');
  const fetched = await read();
  const fingerprint = contentHash(fetched);
  const again = { id, language: 'en', fingerprint } as const;
  for (const change of [{ offsetMilliseconds: 100 }, { removeCredits: true }, { text: OTHER }]) {
    await assert.rejects(bench.preview({ ...again, ...change }, SIGNAL), {
      kind: 'forbidden',
      reason: 'change-not-permitted',
    });
    await assert.rejects(bench.apply({ ...again, ...change }, SIGNAL), {
      kind: 'forbidden',
      reason: 'change-not-permitted',
    });
  }
  assert.deepEqual(await read(), fetched);
  await bench.apply({ ...again, data: Buffer.from(OTHER).toString('base64') }, SIGNAL);
  assert.equal((await read()).toString(), OTHER);
  await bench.restore({ id }, SIGNAL);
  assert.deepEqual(await read(), fetched);
});

test('a read-only media folder is refused, and nothing is half done', async (t) => {
  const folder = await openTemporaryFolder(t);
  const media = join(folder, 'media', RELEASE);
  await makeVideo(join(media, `${RELEASE}.mkv`));
  await writeFile(join(media, FILE), OTHER);
  const text = join(folder, 'new.txt');
  await writeFile(text, OTHER.replace('else', 'new'));
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  await world.scan();
  const id = await world.idOf(RELEASE);
  await world.close();
  // A superuser may write everywhere, so the program runs as another user.
  const nobody = 65_534;
  const isRoot = process.getuid?.() === 0;
  await chmod(folder, 0o755);
  if (isRoot)
    for (const one of await readdir(folder, { recursive: true }).then((all) => [
      '',
      ...all.filter((name) => !name.startsWith('media')),
    ]))
      await chown(join(folder, one), nobody, nobody);
  await chmod(media, 0o555);
  const program = fileURLToPath(new URL('../../../test/subtitles/editor.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder, id, 'apply', text], {
    env: preparedEnvironment(),
    ...(isRoot && { uid: nobody, gid: nobody }),
  }).finally(() => chmod(media, 0o755));
  assert.match(stdout, /refused conflict: the media folder cannot be written to, so nothing was changed/);
  assert.deepEqual((await readdir(media)).sort(), [FILE, `${RELEASE}.mkv`]);
  assert.equal(await readFile(join(media, FILE), 'utf8'), OTHER);
  assert.equal((await readdir(folder)).includes('subtitles'), false, 'nothing was preserved for nothing');
});

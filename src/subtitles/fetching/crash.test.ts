/**
 * After a kill at any point of an upgrade, the next start finds the old subtitle or the better one, whole, with the
 * replaced one preserved, and no temporary file or open intent. Planted faults show that these tests see.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startStandIns } from '../../../test/stand-ins/index.ts';
import { runUntilKilled } from '../../../test/faults/killed-program.ts';
import { forgetSelf, makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { contentHash, createPreserved } from '../history/preserved.ts';
import { installingStore } from '../store/installing.ts';

const RELEASE = 'Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL';
const FOLDER = `${RELEASE} {imdb-tt0063350}`;
const { signal } = new AbortController();

interface House {
  folder: string;
  id: string;
  environment: Record<string, string>;
  /** The current subtitle as it was written, and its name. */
  name: string;
  lesser: Buffer;
}

/** A library with a film whose subtitle can be upgraded by now. */
async function house(t: TestContext, role: 'normal' | 'sdh' = 'normal'): Promise<House> {
  const isSdh = role === 'sdh';
  const lines = (from: number, sounds = false) =>
    Array.from({ length: 12 }, (_, n) => ({
      start: n * 4 + from,
      end: n * 4 + from + 1.5,
      text:
        (sounds ? '[DOOR CREAKS]\n' : '') +
        `${['Where have you been all this time?', 'Nobody knows that we are here.'][n % 2] ?? ''}`,
    }));
  const standIns = await startStandIns({
    fixtures: {
      items: [
        {
          kind: 'movie',
          title: 'Night of the Living Dead',
          year: 1968,
          imdb: 'tt0063350',
          duration: 60,
          subtitles: [
            {
              language: 'en',
              releases: ['Night.of.the.Living.Dead.1968.720p.BluRay.XviD-GHOUL'],
              hearingImpaired: isSdh,
              lines: lines(1, isSdh),
              providers: ['subtitles_a'],
            },
            { language: 'en', releases: [RELEASE], trusted: true, lines: lines(2), providers: ['subtitles_c'] },
          ],
        },
      ],
    },
  });
  t.after(() => standIns.close());
  const folder = await openTemporaryFolder(t);
  await makeVideo(join(folder, 'media', FOLDER, `${RELEASE}.mkv`));
  const environment = { SERVICE_SUBTITLE_LANGUAGE: 'en', ...standIns.environment };
  // Only one provider at first.
  const few = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.includes('SUBTITLES_C')));
  const world = await openWorld({ folder, env: few });
  await world.scan();
  const id = await world.idOf(RELEASE);
  await world.subtitles.fetch({ id }, signal);
  await world.close();
  const name = `${RELEASE}.en${isSdh ? '.sdh' : ''}.srt`;
  return { folder, id, environment, name, lesser: await readFile(join(folder, 'media', FOLDER, name)) };
}

async function killed({ folder, id, environment }: House, point: string, fault?: string): Promise<unknown> {
  const args = [folder, id, JSON.stringify(environment), 'maintain'];
  return (await runUntilKilled('fetcher', args, { moment: { point }, fault })).signal;
}

/** Restarts the server and checks the state. */
async function isOldOrNew({ folder, environment, name, lesser, id }: House, expected: 'old' | 'new'): Promise<void> {
  const world = await openWorld({ folder, env: environment });
  try {
    await world.scan();
    const own = expected === 'old' ? name : `${RELEASE}.en.srt`;
    assert.deepEqual((await readdir(join(folder, 'media', FOLDER))).sort(), [own, `${RELEASE}.mkv`], 'no stray file');
    const text = await readFile(join(folder, 'media', FOLDER, own));
    assert.equal(text.equals(lesser) ? 'old' : 'new', expected);
    if (expected === 'new') assert.match(text.toString(), /^1\r?\n00:00:02,000 --> [\s\S]+\n$/);
    const store = installingStore(world.db);
    assert.deepEqual(await store.intents(), [], 'nothing is left open');
    assert.deepEqual(
      (await store.filesOf([id])).map(({ content, relative }) => [content, relative]),
      [[contentHash(text), `${FOLDER}/${own}`]],
      'what is there is known, and nothing else',
    );
    if (expected === 'new')
      assert.deepEqual(
        await createPreserved(folder).get(contentHash(lesser)),
        lesser,
        'what was replaced is preserved',
      );
  } finally {
    await world.close();
  }
}

for (const [point, expected] of [
  ['subtitles.maintain.looked', 'old'],
  ['subtitles.write.preserved', 'old'],
  ['subtitles.fetch.intent', 'old'],
  ['subtitles.fetch.written', 'new'],
  ['subtitles.fetch.recorded', 'new'],
  ['subtitles.maintain.tried', 'new'],
] as const) {
  test(`killed at ${point} of an upgrade: the ${expected} state, whole`, async (t) => {
    const own = await house(t);
    assert.equal(await killed(own, point), 'SIGKILL', 'the point was passed');
    await isOldOrNew(own, expected);
  });
}

for (const [point, expected] of [
  ['subtitles.write.preserved', 'old'],
  ['subtitles.fetch.intent', 'old'],
  ['subtitles.fetch.written', 'new'],
  ['subtitles.write.removed', 'new'],
  ['subtitles.fetch.recorded', 'new'],
] as const) {
  test(`killed at ${point} of an upgrade to another name: the ${expected} state, whole`, async (t) => {
    const own = await house(t, 'sdh');
    assert.equal(own.name, `${RELEASE}.en.sdh.srt`);
    assert.equal(await killed(own, point), 'SIGKILL', 'the point was passed');
    await isOldOrNew(own, expected);
  });
}

test('planted: a start that does not remove the old name leaves both', async (t) => {
  const own = await house(t, 'sdh');
  assert.equal(await killed(own, 'subtitles.fetch.recorded', 'replaced-not-removed'), 'SIGKILL');
  await assert.rejects(isOldOrNew(own, 'new'), /no stray file/);
});

test('planted: a file replaced without preserving is lost', async (t) => {
  const own = await house(t);
  const world = await openWorld({ folder: own.folder, env: own.environment });
  await forgetSelf(world.db);
  await world.close();
  assert.equal(await killed(own, 'subtitles.fetch.recorded', 'replaced-not-read'), 'SIGKILL');
  await assert.rejects(isOldOrNew(own, 'new'), /preserved subtitle is missing/);
});

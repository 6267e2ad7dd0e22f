/**
 * After a kill at any point of a fetch, the next start finds no subtitle, or a whole one with its row, and no temporary
 * file or open intent. Planted faults show that these tests see.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { chance, SEED } from '../../../test/chance.ts';
import { startStandIns } from '../../../test/stand-ins/index.ts';
import { type KillMoment, runUntilKilled } from '../../../test/faults/killed-program.ts';
import { makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { installingStore } from '../store/installing.ts';

const RELEASE = 'Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL';

interface House {
  folder: string;
  id: string;
  environment: Record<string, string>;
}

/** A library with one film that was scanned, and its server closed, made once: each test kills in a copy. */
let scanned: Promise<{ folder: string; id: string }> | undefined;
after(async () => {
  if (scanned) await rm((await scanned).folder, { recursive: true, force: true });
});
async function makeScanned(env: Record<string, string>): Promise<{ folder: string; id: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-scanned-'));
  await makeVideo(join(folder, 'media', RELEASE, `${RELEASE}.mkv`));
  const world = await openWorld({ folder, env });
  await world.scan();
  const id = await world.idOf(RELEASE);
  await world.close();
  return { folder, id };
}

async function house(t: TestContext): Promise<House> {
  const standIns = await startStandIns({
    fixtures: {
      items: [
        {
          kind: 'movie',
          title: 'Night of the Living Dead',
          year: 1968,
          duration: 60,
          subtitles: [{ language: 'en', releases: [RELEASE] }],
        },
      ],
    },
  });
  t.after(() => standIns.close());
  const environment = { SERVICE_SUBTITLE_LANGUAGE: 'en', ...standIns.environment };
  const made = await (scanned ??= makeScanned(environment));
  const folder = await openTemporaryFolder(t);
  await cp(made.folder, folder, { recursive: true, preserveTimestamps: true });
  return { folder, id: made.id, environment };
}

/** Runs the fetcher until it is killed: by the armed point, or after so many milliseconds from when it is open. */
async function killed(
  { folder, id, environment }: House,
  moment: KillMoment,
  fault?: string,
): Promise<{ signal: unknown; isAcknowledged: boolean }> {
  const { signal, said } = await runUntilKilled('fetcher', [folder, id, JSON.stringify(environment)], {
    moment,
    fault,
  });
  return { signal, isAcknowledged: said.includes('fetched') };
}

/** Restarts the server, and checks that there is either no subtitle or a whole one with its row. */
async function isOldOrNew({ folder, id, environment }: House, expected: 'old' | 'new' | 'either'): Promise<void> {
  const world = await openWorld({ folder, env: environment });
  try {
    await world.scan();
    const files = (await readdir(join(folder, 'media', RELEASE))).sort();
    const isNew = files.includes(`${RELEASE}.en.srt`);
    assert.deepEqual(files, isNew ? [`${RELEASE}.en.srt`, `${RELEASE}.mkv`] : [`${RELEASE}.mkv`], 'no stray file');
    assert.equal((await installingStore(world.db).intents()).length, 0, 'nothing is left open');
    const [item] = (await world.inventory()).items;
    assert.equal(
      item?.languages[0]?.installed?.managed === true && item.ready,
      isNew,
      'what was written is known to be ours',
    );
    if (expected !== 'either') assert.equal(isNew, expected === 'new');
    if (isNew)
      assert.match(await readFile(join(folder, 'media', RELEASE, `${RELEASE}.en.srt`), 'utf8'), /^1\r?\n[\s\S]+\n$/);
    else
      assert.equal(
        (await world.subtitles.fetch({ id }, new AbortController().signal)).language,
        'en',
        'it can be fetched now',
      );
  } finally {
    await world.close();
  }
}

for (const [point, expected, nth = 1] of [
  ['subtitles.fetch.intent', 'old'],
  ['files.write.opened', 'old'],
  ['files.write.written', 'old'],
  ['files.write.synced', 'old'],
  ['files.create.linked', 'new'],
  ['files.create.done', 'new'],
  // The bytes as they were delivered are preserved first.
  ['files.write.done', 'old'],
  ['files.write.written', 'old', 2],
  ['files.write.done', 'new', 2],
  ['subtitles.fetch.written', 'new'],
  ['subtitles.fetch.recorded', 'new'],
] as readonly [point: string, expected: 'old' | 'new', nth?: number][]) {
  test(`killed at ${point} ${nth}: the ${expected} state, whole`, async (t) => {
    const own = await house(t);
    const { signal, isAcknowledged } = await killed(own, { point, nth });
    assert.equal(signal, 'SIGKILL', 'the point was passed');
    assert.equal(isAcknowledged, false);
    await isOldOrNew(own, expected);
  });
}

const random = chance();
for (const afterMs of Array.from({ length: 5 }, () => Math.floor(random() * 400))) {
  test(`killed after ${afterMs} ms (seed ${SEED}): old or new state, never less than acknowledged`, async (t) => {
    const own = await house(t);
    const { isAcknowledged } = await killed(own, { afterMs });
    await isOldOrNew(own, isAcknowledged ? 'new' : 'either');
  });
}

test('planted: without an intent, a killed fetch leaves a file without a row', async (t) => {
  const own = await house(t);
  assert.equal((await killed(own, { point: 'subtitles.fetch.written' }, 'no-intent')).signal, 'SIGKILL');
  await assert.rejects(isOldOrNew(own, 'new'), /known to be ours/);
});

test('planted: written under its final name, a killed fetch leaves a partial file', async (t) => {
  const own = await house(t);
  assert.equal((await killed(own, { point: 'subtitles.fetch.written' }, 'installed-in-part')).signal, 'SIGKILL');
  await assert.rejects(isOldOrNew(own, 'either'), /known to be ours/);
});

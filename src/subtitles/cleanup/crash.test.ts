/**
 * After a kill at any point of a clean-up and a restart, every file has exactly one of its two names and its bytes.
 * There is no other file and no open intent. A planted fault shows that the tests would notice.
 */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { chance, SEED } from '../../../test/chance.ts';
import { type KillMoment, runUntilKilled } from '../../../test/faults/killed-program.ts';
import { makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { hidingStore } from '../store/hiding.ts';

const NAMES = ['Film (2001).en.sdh.srt', 'Film (2001).en.srt', 'Film (2001).en.vtt'];
const text = (name: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${name}\n`;

async function house(t: TestContext): Promise<string> {
  const folder = await openTemporaryFolder(t);
  const media = join(folder, 'media/Film (2001)');
  await makeVideo(join(media, 'Film (2001).mkv'), { seconds: 20 });
  for (const name of NAMES) await writeFile(join(media, name), text(name));
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  await world.scan();
  await world.close();
  return folder;
}

/** Runs a clean-up and kills it: at an armed crash point, or `afterMs` milliseconds after its server has started. */
async function killed(
  folder: string,
  moment: KillMoment,
  fault?: string,
): Promise<{ signal: unknown; isAcknowledged: boolean }> {
  const { signal, said } = await runUntilKilled('hider', [folder], { moment, fault });
  return { signal, isAcknowledged: said.includes('hidden') };
}

/** Restarts the server, checks that each file has one name, and returns the number of hidden files. */
async function isWhole(folder: string): Promise<number> {
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  try {
    const media = join(folder, 'media/Film (2001)');
    const found = (await readdir(media)).sort();
    const bare = found.map((name) => name.replace(/\.hidden$/, ''));
    assert.deepEqual(bare, [...NAMES, 'Film (2001).mkv'].sort(), 'each under one of its names, and nothing else');
    for (const name of found)
      if (!name.endsWith('.mkv'))
        assert.equal(await readFile(join(media, name), 'utf8'), text(name.replace(/\.hidden$/, '')));
    assert.deepEqual(await hidingStore(world.db).intents(), [], 'nothing is left open');
    await world.scan();
    const hidden = found.filter((name) => name.endsWith('.hidden')).length;
    const states = (await world.inventory()).items[0]?.languages ?? [];
    assert.equal(
      states.every(({ installed }) => installed?.hidden !== false),
      hidden === NAMES.length,
      'the inventory has them as they are',
    );
    const history = await Promise.all((await world.inventory()).items.map(({ id }) => world.subtitles.item(id)));
    assert.deepEqual(
      history.flatMap((one) => one.history.map(({ act, by }) => [act, by?.is])),
      Array.from({ length: hidden }, () => ['hidden', 'server']),
      'the history has each, once',
    );
    return hidden;
  } finally {
    await world.close();
  }
}

for (const [point, nth, expected] of [
  ['subtitles.cleanup.intended', 1, 0],
  ['files.hide.linked', 1, 1],
  ['files.hide.linked', 3, 3],
  ['files.hide.done', 2, 2],
  ['subtitles.cleanup.hidden', 1, 1],
  ['subtitles.cleanup.hidden', 3, 3],
  ['subtitles.cleanup.recorded', 1, 3],
] as const) {
  test(`killed at ${point} the ${nth}. time: ${expected} hidden, each file under one name`, async (t) => {
    const folder = await house(t);
    const { signal, isAcknowledged } = await killed(folder, { point, nth });
    assert.equal(signal, 'SIGKILL', 'the point was passed');
    assert.equal(isAcknowledged, false);
    assert.equal(await isWhole(folder), expected);
  });
}

const random = chance();
for (const afterMs of Array.from({ length: 10 }, () => Math.floor(random() * 120))) {
  test(`killed after ${afterMs} ms (seed ${SEED}): each file has one name, hidden once acknowledged`, async (t) => {
    const folder = await house(t);
    const { isAcknowledged } = await killed(folder, { afterMs });
    const hidden = await isWhole(folder);
    if (isAcknowledged) assert.equal(hidden, NAMES.length);
  });
}

test('planted: without an intent, a killed clean-up leaves a file under both names', async (t) => {
  const folder = await house(t);
  assert.equal((await killed(folder, { point: 'files.hide.linked' }, 'no-hiding-intent')).signal, 'SIGKILL');
  await assert.rejects(isWhole(folder), /each under one of its names/);
});

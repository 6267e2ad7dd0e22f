/**
 * After a kill at any point of an apply or a restore, the next start finds the old state or the new one, byte for byte.
 * What was there before can be restored, and no temporary file, open intent or unreferenced bytes remain. Planted
 * faults show that these tests see.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { chance, SEED } from '../../../test/chance.ts';
import { type KillMoment, runUntilKilled } from '../../../test/faults/killed-program.ts';
import { forgetSelf, makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { isStray } from '../../lib/files.ts';
import { contentHash } from '../history/preserved.ts';
import { installingStore } from '../store/installing.ts';

const FILM = 'Night Ferry (1999)';
const SIGNAL = new AbortController().signal;
const cues = (word: string): string =>
  Array.from(
    { length: 5 },
    (_, n) => `${n + 1}\n00:00:0${n + 1},000 --> 00:00:0${n + 1},900\n${word} ${n + 1}.\n`,
  ).join('\n');
const OLD = `\ufeff${cues('Old').replaceAll('\n', '\r\n')}`;
const NEW = cues('New');
/** The file in the folder that holds the new text. */
const TEXT = 'new.txt';
type State = Readonly<Record<string, string>>;

interface House {
  folder: string;
  id: string;
  states: { old: State; new: State };
}

/** Starting states, each made once: a test kills in a copy. The server of each is closed. */
const made = new Map<string, Promise<House>>();
after(async () => {
  for (const home of made.values()) await rm((await home).folder, { recursive: true, force: true });
});
async function copied(t: TestContext, name: string, make: () => Promise<House>): Promise<House> {
  const first = made.get(name) ?? make();
  made.set(name, first);
  const { folder: from, ...rest } = await first;
  const folder = await openTemporaryFolder(t);
  await cp(from, folder, { recursive: true, preserveTimestamps: true });
  return { ...rest, folder };
}

/** A library with one film and a user's own subtitle, which was replaced by another one when it is to be restored. */
const house = (t: TestContext, own: string, isApplied = false): Promise<House> =>
  copied(t, `${own} ${isApplied}`, () => makeHouse(own, isApplied));

async function makeHouse(own: string, isApplied: boolean): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-edited-'));
  await makeVideo(join(folder, 'media', FILM, `${FILM}.mkv`));
  await writeFile(join(folder, 'media', FILM, own), OLD);
  await writeFile(join(folder, TEXT), NEW);
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  await world.scan();
  const id = await world.idOf(FILM);
  const states = { old: { [own]: OLD }, new: { [`${FILM}.en.srt`]: NEW } };
  if (isApplied)
    await world.subtitles.workbench.apply(
      { id, language: 'en', fingerprint: contentHash(Buffer.from(OLD)), data: Buffer.from(NEW).toString('base64') },
      SIGNAL,
    );
  await world.close();
  return { folder, id, states: isApplied ? { old: states.new, new: states.old } : states };
}

async function killed(
  { folder, id }: House,
  act: 'apply' | 'restore' | 'previous',
  moment: KillMoment,
  fault?: string,
): Promise<{ signal: unknown; isAcknowledged: boolean }> {
  const { signal, said } = await runUntilKilled('editor', [folder, id, act, join(folder, TEXT)], { moment, fault });
  assert.doesNotMatch(said, /refused/);
  return { signal, isAcknowledged: said.includes('done') };
}

/**
 * Restarts the server and checks that there is the old state or the new one, and that each can be restored from the
 * other.
 */
async function isOldOrNew({ folder, id, states }: House, expected: 'old' | 'new' | 'either'): Promise<void> {
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  try {
    await world.scan();
    const there = async (): Promise<State> => {
      const names = (await readdir(join(folder, 'media', FILM))).filter((name) => !name.endsWith('.mkv'));
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await readFile(join(folder, 'media', FILM, name), 'utf8')])),
      );
    };
    const is = await there();
    const isNew = JSON.stringify(is) === JSON.stringify(states.new);
    assert.deepEqual(is, isNew ? states.new : states.old, 'the old state or the new one, whole');
    if (expected !== 'either') assert.equal(isNew, expected === 'new');
    const store = installingStore(world.db);
    assert.deepEqual(await store.intents(), [], 'nothing is left open');
    const kept = (await readdir(join(folder, 'subtitles'), { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    assert.deepEqual(kept.filter(isStray), [], 'no stray file');
    const referenced = await store.referenced();
    assert.deepEqual(
      [kept.filter((name) => !referenced.has(name)), [...referenced].filter((name) => !kept.includes(name))],
      [[], []],
      'exactly what is referred to is kept',
    );
    const { workbench } = world.subtitles;
    const { restorable, fingerprint } = await workbench.inspect({ id, language: 'en' }, SIGNAL);
    if (restorable) await workbench.restore({ id }, SIGNAL);
    else await workbench.apply({ id, language: 'en', fingerprint, data: Buffer.from(NEW).toString('base64') }, SIGNAL);
    assert.deepEqual(await there(), isNew ? states.old : states.new, 'the way there and back');
  } finally {
    await world.close();
  }
}

const OWN_NAME = `${FILM}.eng.srt`;
const IN_PLACE = `${FILM}.en.srt`;
for (const [act, own, point, nth, expected] of [
  ['apply', OWN_NAME, 'files.write.synced', 1, 'old'],
  ['apply', OWN_NAME, 'subtitles.write.preserved', 1, 'old'],
  ['apply', OWN_NAME, 'subtitles.apply.intent', 1, 'old'],
  ['apply', OWN_NAME, 'files.create.linked', 1, 'new'],
  ['apply', OWN_NAME, 'subtitles.apply.written', 1, 'new'],
  ['apply', OWN_NAME, 'subtitles.write.removed', 1, 'new'],
  ['apply', OWN_NAME, 'subtitles.apply.recorded', 1, 'new'],
  ['apply', IN_PLACE, 'subtitles.apply.intent', 1, 'old'],
  ['apply', IN_PLACE, 'files.write.renamed', 3, 'new'],
  ['apply', IN_PLACE, 'subtitles.apply.written', 1, 'new'],
  ['restore', OWN_NAME, 'subtitles.write.preserved', 1, 'old'],
  ['restore', OWN_NAME, 'subtitles.restore.intent', 1, 'old'],
  ['restore', OWN_NAME, 'subtitles.restore.written', 1, 'new'],
  ['restore', OWN_NAME, 'subtitles.write.removed', 1, 'new'],
  ['restore', OWN_NAME, 'subtitles.restore.recorded', 1, 'new'],
  ['restore', IN_PLACE, 'subtitles.restore.intent', 1, 'old'],
  ['restore', IN_PLACE, 'subtitles.restore.written', 1, 'new'],
] as const) {
  test(`killed at ${point} of ${act}${own === IN_PLACE ? ' in place' : ''}: the ${expected} state`, async (t) => {
    const home = await house(t, own, act === 'restore');
    const { signal, isAcknowledged } = await killed(home, act, { point, nth });
    assert.equal(signal, 'SIGKILL', 'the point was passed');
    assert.equal(isAcknowledged, false);
    await isOldOrNew(home, expected);
  });
}

/** A library where a file was uploaded and replaced nothing. Older versions did not preserve what they wrote. */
const brought = (t: TestContext, isOld = false): Promise<House> =>
  copied(t, `brought ${isOld}`, async () => {
    const home = await makeHouse('notes.txt', false);
    const world = await openWorld({ folder: home.folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
    await world.subtitles.workbench.apply(
      {
        id: home.id,
        language: 'en',
        fingerprint: 'missing',
        data: Buffer.from(NEW).toString('base64'),
        offsetMilliseconds: 500,
      },
      SIGNAL,
    );
    if (isOld) await forgetSelf(world.db);
    await world.close();
    const moved = await readFile(join(home.folder, 'media', FILM, IN_PLACE), 'utf8');
    return { ...home, states: { old: { 'notes.txt': OLD, [IN_PLACE]: moved }, new: { 'notes.txt': OLD } } };
  });

/** Returns the state after the next start. A removed file can be restored. */
async function takenBack({ folder, id, states }: House): Promise<'old' | 'new'> {
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  try {
    await world.scan();
    const place = join(folder, 'media', FILM);
    const names = async () => (await readdir(place)).filter((name) => !name.endsWith('.mkv')).sort();
    const store = installingStore(world.db);
    assert.deepEqual(await store.intents(), [], 'nothing is left open');
    const kept = (await readdir(join(folder, 'subtitles'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    assert.deepEqual(
      [...(await store.referenced())].filter((name) => !kept.includes(name)),
      [],
      'what is referred to is kept',
    );
    const isNew = (await names()).length === 1;
    assert.deepEqual(await names(), Object.keys(isNew ? states.new : states.old).sort());
    if (isNew) await world.subtitles.workbench.restore({ id }, SIGNAL);
    assert.equal(await readFile(join(place, IN_PLACE), 'utf8'), states.old[IN_PLACE]);
    return isNew ? 'new' : 'old';
  } finally {
    await world.close();
  }
}

for (const [point, expected] of [
  ['subtitles.write.preserved', 'old'],
  ['subtitles.restore.intent', 'old'],
  ['subtitles.write.removed', 'new'],
  ['subtitles.restore.recorded', 'new'],
] as const) {
  test(`killed at ${point} of taking back what had nothing before it: the ${expected} state`, async (t) => {
    const home = await brought(t);
    assert.equal((await killed(home, 'previous', { point })).signal, 'SIGKILL', 'the point was passed');
    assert.equal(await takenBack(home), expected);
  });
}

test('planted: removed without preserving, it cannot be restored', async (t) => {
  const home = await brought(t, true);
  assert.equal(
    (await killed(home, 'previous', { point: 'subtitles.write.removed' }, 'removed-not-preserved')).signal,
    'SIGKILL',
  );
  await assert.rejects(takenBack(home), /what is referred to is kept/);
});

const random = chance();
for (const act of ['apply', 'restore', 'apply'] as const) {
  const afterMs = Math.floor(random() * 120);
  test(
    `killed ${afterMs} ms into ${act} (seed ${SEED}): the old state or the new one, and never less than was ` +
      'acknowledged',
    async (t) => {
      const home = await house(t, OWN_NAME, act === 'restore');
      const { isAcknowledged } = await killed(home, act, { afterMs });
      await isOldOrNew(home, isAcknowledged ? 'new' : 'either');
    },
  );
}

test('planted: without preserving, the replaced file is lost', async (t) => {
  const home = await house(t, OWN_NAME);
  assert.equal(
    (await killed(home, 'apply', { point: 'subtitles.write.removed' }, 'replaced-not-preserved')).signal,
    'SIGKILL',
  );
  await assert.rejects(isOldOrNew(home, 'new'), /exactly what is referred to is kept/);
});

test('planted: without an intent, both the old and the new file stay', async (t) => {
  const home = await house(t, OWN_NAME);
  assert.equal((await killed(home, 'apply', { point: 'subtitles.apply.written' }, 'no-intent')).signal, 'SIGKILL');
  await assert.rejects(isOldOrNew(home, 'either'), /the old state or the new one/);
});

test('planted: removed before the new one is written, a killed restore leaves nothing', async (t) => {
  const home = await house(t, OWN_NAME, true);
  assert.equal(
    (await killed(home, 'restore', { point: 'subtitles.restore.intent' }, 'removed-first')).signal,
    'SIGKILL',
  );
  await assert.rejects(isOldOrNew(home, 'old'), /the old state or the new one/);
});

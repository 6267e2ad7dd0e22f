/** Sealed secrets: what is changed, moved or opened with another key is refused, and the key file is never replaced. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Failure } from '../lib/failure.ts';
import { openSealer } from './seal.ts';

async function place(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-seal-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const unusable =
  (reason: RegExp) =>
  (error: unknown): boolean =>
    error instanceof Failure &&
    error.kind === 'unavailable' &&
    reason.test(error.message) &&
    !error.message.includes('/');

test('a sealed secret opens again, also after a restart', async (t) => {
  const folder = await place(t);
  const sealer = openSealer({ folder });
  for (const text of ['s', 'héllo 🎬', 'x'.repeat(10_000), '']) {
    const sealed = await sealer.seal('backup.key', text);
    assert.equal(await sealer.open('backup.key', sealed), text);
    assert.equal(await openSealer({ folder }).open('backup.key', sealed), text);
    assert.ok(text.length < 2 || !sealed.includes(text));
  }
});

test('the same text is never sealed the same way twice', async (t) => {
  const sealer = openSealer({ folder: await place(t) });
  const sealed = await Promise.all(Array.from({ length: 100 }, () => sealer.seal('a', 'text')));
  assert.equal(new Set(sealed.map((one) => one.split('.')[2])).size, 100);
});

test('a secret opens under its own name only', async (t) => {
  const sealer = openSealer({ folder: await place(t) });
  const sealed = await sealer.seal('integrations.subtitles_a.api_key', 'secret');
  await assert.rejects(sealer.open('integrations.webhook.token', sealed), unusable(/damaged or changed/));
});

test('a change of any character is noticed', async (t) => {
  const sealer = openSealer({ folder: await place(t) });
  const sealed = await sealer.seal('a', 'secret');
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    // The last character of a base64 text may carry bits that mean nothing.
    const text = await sealer.open('a', changed).catch((error: unknown) => error);
    assert.ok(text instanceof Failure || (at === sealed.length - 1 && text === 'secret'), `at ${at}`);
  }
  for (const cut of ['', '1', sealed.slice(0, -1), `${sealed}AAAA`, sealed.slice(0, 50)])
    await assert.rejects(sealer.open('a', cut), Failure);
});

test('the key file is private and comes with the first secret', async (t) => {
  const folder = await place(t);
  const sealer = openSealer({ folder });
  await assert.rejects(stat(join(folder, 'master.key')), /ENOENT/);
  await sealer.seal('a', 'b');
  assert.equal((await stat(join(folder, 'master.key'))).mode & 0o777, 0o600);
});

test('two that start at once agree on one key', async (t) => {
  const folder = await place(t);
  const sealers = Array.from({ length: 8 }, () => openSealer({ folder }));
  const sealed = await Promise.all(sealers.map((sealer, n) => sealer.seal('a', `text ${n}`)));
  const fresh = openSealer({ folder });
  assert.deepEqual(
    await Promise.all(sealed.map((one) => fresh.open('a', one))),
    sealed.map((_, n) => `text ${n}`),
  );
});

test('a lost, foreign or damaged key file is told apart, and nothing is overwritten', async (t) => {
  const folder = await place(t);
  const file = join(folder, 'master.key');
  const sealed = await openSealer({ folder }).seal('a', 'secret');
  const kept = await readFile(file, 'utf8');

  await rm(file);
  await assert.rejects(openSealer({ folder }).open('a', sealed), unusable(/missing/));
  await assert.rejects(stat(file), /ENOENT/, 'opening makes no key');

  await openSealer({ folder }).seal('b', 'other');
  const foreign = await readFile(file, 'utf8');
  await assert.rejects(openSealer({ folder }).open('a', sealed), unusable(/another master\.key/));
  assert.equal(await readFile(file, 'utf8'), foreign);

  for (const damaged of [
    '',
    'x',
    kept.slice(0, 40),
    kept.replace(/.\n$/, '\n'),
    kept.replace(/ ([0-9a-f])/, (_, digit: string) => ` ${digit === '0' ? '1' : '0'}`),
    `${kept}${kept}`,
    'x'.repeat(5000),
  ]) {
    await writeFile(file, damaged);
    await assert.rejects(openSealer({ folder }).open('a', sealed), unusable(/master\.key in the data folder/));
    await assert.rejects(openSealer({ folder }).seal('a', 'new'), unusable(/master\.key in the data folder/));
    assert.equal(await readFile(file, 'utf8'), damaged);
  }

  await writeFile(file, kept);
  await chmod(file, 0o600);
  assert.equal(await openSealer({ folder }).open('a', sealed), 'secret', 'with its key file back, it opens');
});

test('a sealer that met a missing key finds it once it is back', async (t) => {
  const folder = await place(t);
  const sealed = await openSealer({ folder }).seal('a', 'secret');
  const kept = await readFile(join(folder, 'master.key'));
  await rm(join(folder, 'master.key'));
  const sealer = openSealer({ folder });
  await assert.rejects(sealer.open('a', sealed));
  await writeFile(join(folder, 'master.key'), kept);
  assert.equal(await sealer.open('a', sealed), 'secret');
});

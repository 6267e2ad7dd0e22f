/**
 * The credentials of the providers: nowhere but where they are sent to, and in force from the next start. Read are the
 * log, every answer, everything that is stored, and every file that the server made. What is planted turns it red.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { FAULTS } from '../stand-ins/faults.ts';
import { KEY_A, KEY_B, KEY_C, PASSWORD_C } from '../stand-ins/index.ts';
import { type Scene, openScene, SIGNAL } from './scene.ts';

const SECRETS = [KEY_A, KEY_B, KEY_C, PASSWORD_C];
/** Forms in which a secret may appear: as it is, in an address, in base64 at any offset. */
const forms = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  ...[0, 1, 2].map((offset) =>
    Buffer.from(`${' '.repeat(offset)}${secret}`)
      .toString('base64')
      .slice(offset + 1, -4),
  ),
];

async function leaks(s: Scene, said: readonly unknown[]): Promise<string[]> {
  const texts: [string, string][] = [
    ['log', s.lines.join('\n')],
    ['answers', JSON.stringify(said)],
  ];
  for (const entry of await readdir(s.folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      texts.push([entry.name, (await readFile(join(entry.parentPath, entry.name))).toString('latin1')]);
  }
  return texts.flatMap(([where, text]) =>
    SECRETS.filter((secret) => forms(secret).some((form) => text.includes(form))).map(
      (secret) => `${secret.slice(0, 15)} in ${where}`,
    ),
  );
}
/** All output, successful or not. */
const heard = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => ({
    message: String(error),
    stack: error instanceof Error ? error.stack : '',
    cause: String(error instanceof Error ? error.cause : ''),
    ...(error as object),
  }));

test('secrets appear nowhere, however the providers misbehave', async (t) => {
  const s = await openScene(t, { providers: ['subtitles_a', 'subtitles_b', 'subtitles_c'], level: 'debug' });
  const id = await s.idOf('Night');
  const said: unknown[] = [];
  // Slow endpoints are tested elsewhere.
  for (const fault of FAULTS.filter((one) => one !== 'hang' && one !== 'slow')) {
    for (const standIn of [s.standIns.subtitles_a, s.standIns.subtitles_b, s.standIns.subtitles_c])
      standIn.fault({ fault });
    said.push(await heard(s.fetch(id, 'it')), await s.inventory());
    for (const standIn of [s.standIns.subtitles_a, s.standIns.subtitles_b, s.standIns.subtitles_c]) standIn.reset();
    s.clock.at += 26 * 3_600_000;
  }
  said.push(
    await s.subtitles.testProviders(SIGNAL),
    await heard(s.fetch(id, 'de')),
    await heard(s.subtitles.batches.maintain({}, SIGNAL)),
    await s.inventory(),
    s.config.all(),
  );
  assert.deepEqual(await leaks(s, said), []);
  assert.ok(
    s.lines.length > 0 && said.length > 80,
    `something to read: ${s.lines.length} lines, ${said.length} answers`,
  );
  assert.deepEqual(
    await leaks(s, [...said, { url: `https://dl.example/x.zip?api_key=${KEY_A}` }]),
    [`${KEY_A.slice(0, 15)} in answers`],
    'planted: it would be seen',
  );
});

test('credentials that are saved are sealed, and in force from the next start, as their settings say', async (t) => {
  const s = await openScene(t, { providers: [] });
  await s.restart({
    SERVICE_SUBTITLES_A_URL: s.standIns.subtitles_a.url,
    SERVICE_SUBTITLES_B_URL: s.standIns.subtitles_b.url,
  });
  await s.config.save('integrations.subtitles_a.api_key', KEY_A);
  await s.config.save('integrations.subtitles_b.api_key', KEY_B);
  assert.deepEqual((await s.subtitles.testProviders(SIGNAL)).attempted, 0, 'not before the next start');
  assert.deepEqual(s.calls(), []);
  const urls = {
    SERVICE_SUBTITLES_A_URL: s.standIns.subtitles_a.url,
    SERVICE_SUBTITLES_B_URL: s.standIns.subtitles_b.url,
  };
  await s.restart(urls);
  const half = await s.subtitles.testProviders(SIGNAL);
  assert.deepEqual([half.attempted, half.connected], [1, 1]);
  assert.deepEqual([half.providers[1]?.state, half.providers[1]?.configured], ['not-configured', false]);
  assert.match(half.providers[1]?.lastError ?? '', /personal use/, 'it says what is missing');
  assert.equal(s.standIns.subtitles_b.requests.length, 0);
  await s.config.save('integrations.subtitles_b.personal_use', 'true');
  assert.equal((await s.subtitles.testProviders(SIGNAL)).attempted, 1);
  await s.restart(urls);
  assert.deepEqual((await s.subtitles.testProviders(SIGNAL)).connected, 2);
  assert.deepEqual(await leaks(s, [half, s.config.all()]), []);
});

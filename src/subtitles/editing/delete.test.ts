/** Deleting one subtitle with a real catalogue, database and files: what is shown, what stays, and the way back. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Failure } from '../../lib/failure.ts';
import { contentHash } from '../history/preserved.ts';
import { base64, LINES, openFilm, SIGNAL, srt } from './testing.ts';

const failsWith = (reason: string) => (error: unknown) =>
  error instanceof Failure && error.kind === 'conflict' && error.reason === reason;
const owner = { is: 'person' as const, profile: 'a'.repeat(16), name: 'Ada' };

test("a person's own file is shown, deleted, and restored to its bytes under its name", async (t) => {
  // A file without a language counts for the first one, and has a name that this server would not choose.
  const name = 'The Lighthouse (2001).srt';
  const mine = `\ufeff${srt(LINES)}`;
  const { own, id, names } = await openFilm(t, { files: { [name]: mine } });
  const shown = await own.bench.installed({ id, language: 'en' });
  const fingerprint = contentHash(Buffer.from(mine));
  assert.deepEqual(shown, {
    language: 'en',
    role: 'normal',
    file: `The Lighthouse (2001)/${name}`,
    format: 'srt',
    size: Buffer.byteLength(mine),
    fingerprint,
  });
  await own.bench.deleteInstalled({ id, language: 'en', fingerprint, by: owner }, SIGNAL);
  assert.deepEqual(await names(), []);
  assert.ok((await own.preservedFiles()).includes(fingerprint), 'its bytes are preserved');
  const item = await own.subtitles.item(id);
  assert.deepEqual(item.missing, ['en'], 'the language is wanted again');
  assert.deepEqual(
    item.history.map(({ act, by, language }) => [act, by?.name, language]),
    [['deleted', 'Ada', 'en']],
  );
  assert.equal(item.languages[0]?.restorable, true);
  await own.restart();
  assert.ok((await own.preservedFiles()).includes(fingerprint), 'a start removes no preserved bytes of it');
  await own.bench.restore({ id, language: 'en', to: 'previous' }, SIGNAL);
  assert.deepEqual([await names(), await own.text(name)], [[name], mine]);
});

test('of two subtitles in a language only the one that is meant is deleted', async (t) => {
  const files = {
    'The Lighthouse (2001).en.srt': srt(LINES),
    'The Lighthouse (2001).en.sdh.srt': srt(['[door creaks]', ...LINES]),
    'The Lighthouse (2001).de-at.srt': srt(['Von Hand.']),
  };
  const { own, id, names } = await openFilm(t, { files });
  const { fingerprint } = await own.bench.installed({ id, language: 'en', role: 'sdh' });
  await assert.rejects(
    own.bench.deleteInstalled({ id, language: 'en', role: 'normal', fingerprint }, SIGNAL),
    failsWith('subtitle-changed'),
    'the fingerprint of another file is refused',
  );
  await assert.rejects(
    own.bench.deleteInstalled({ id, language: 'de' }, SIGNAL),
    failsWith('no-subtitle-to-change'),
    'a variant is not the language that was named',
  );
  await assert.rejects(
    own.bench.deleteInstalled({ id, language: 'en', role: 'forced' }, SIGNAL),
    failsWith('no-subtitle-to-change'),
  );
  assert.equal((await names()).length, 3, 'nothing was removed so far');
  await own.bench.deleteInstalled({ id, language: 'en', role: 'sdh', fingerprint }, SIGNAL);
  assert.deepEqual(await names(), ['The Lighthouse (2001).de-at.srt', 'The Lighthouse (2001).en.srt']);
  const { languages } = await own.subtitles.item(id);
  assert.deepEqual(
    languages.map(({ language, role, installed }) => [language, role, installed !== undefined]),
    [
      ['en', 'normal', true],
      ['de-at', 'normal', true],
    ],
  );
  await own.bench.restore({ id, language: 'en', role: 'sdh', to: 'previous' }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).en.sdh.srt'), files['The Lighthouse (2001).en.sdh.srt']);
});

test('a file that changed since it was shown is kept', async (t) => {
  const { own, id } = await openFilm(t, {});
  await own.bench.apply({ id, language: 'de', fingerprint: 'missing', data: base64(srt(LINES)) }, SIGNAL);
  const { fingerprint } = await own.bench.installed({ id, language: 'de' });
  const place = own.path('The Lighthouse (2001).de.srt');
  await writeFile(place, srt(['Von Hand.']));
  await assert.rejects(
    own.bench.deleteInstalled({ id, language: 'de', fingerprint }, SIGNAL),
    failsWith('subtitle-changed'),
  );
  assert.equal(await readFile(place, 'utf8'), srt(['Von Hand.']));
  // It is the user's own now. Deleted, it comes back first, and what it replaced after it.
  const shown = await own.bench.installed({ id, language: 'de' });
  await own.bench.deleteInstalled({ id, language: 'de', fingerprint: shown.fingerprint }, SIGNAL);
  await own.bench.restore({ id, language: 'de', to: 'previous' }, SIGNAL);
  assert.equal(await readFile(place, 'utf8'), srt(['Von Hand.']));
});

test('a text inside the video and a file of pictures cannot be deleted', async (t) => {
  const pictures = 'The Lighthouse (2001).fr.sup';
  const { own, id } = await openFilm(t, {
    files: { [pictures]: 'PG' },
    video: { texts: [{ srt: srt(LINES), language: 'eng' }] },
  });
  await assert.rejects(own.bench.installed({ id, language: 'en' }), failsWith('subtitle-embedded'));
  await assert.rejects(own.bench.deleteInstalled({ id, language: 'en' }, SIGNAL), failsWith('subtitle-embedded'));
  await assert.rejects(own.bench.installed({ id, language: 'fr' }), failsWith('pictures-not-preserved'));
  await assert.rejects(own.bench.deleteInstalled({ id, language: 'fr' }, SIGNAL), failsWith('pictures-not-preserved'));
  assert.equal(await own.text(pictures), 'PG');
});

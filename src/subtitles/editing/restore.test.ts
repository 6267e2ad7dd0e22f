/** Restoring with a real catalogue, database and files: one step back, all the way back, file names, and refusals. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentHash } from '../history/preserved.ts';
import { base64, LINES, openFilm, refused, SIGNAL, srt } from './testing.ts';

test('only an unchanged file of this server is removed', async (t) => {
  const own = await openFilm(t, { files: { 'The Lighthouse (2001).en.srt': srt(LINES) } });
  await assert.rejects(
    own.bench.restore({ id: own.id, to: 'previous' }, SIGNAL),
    refused('conflict', /nothing is preserved/),
  );
  const data = base64(srt(LINES));
  await own.bench.apply({ id: own.id, language: 'de', fingerprint: 'missing', data }, SIGNAL);
  const place = own.path('The Lighthouse (2001).de.srt');
  await writeFile(place, srt(['Von Hand.']));
  await own.bench.restore({ id: own.id, language: 'de', to: 'previous' }, SIGNAL);
  assert.equal(await readFile(place, 'utf8'), srt(LINES), 'one step back is the file as it was written');
  await own.bench.restore({ id: own.id, language: 'de', to: 'previous' }, SIGNAL);
  assert.equal(await readFile(place, 'utf8'), srt(['Von Hand.']), 'and another one what was done by hand');
});

test("a user's own file is changed in its place, and restored to its exact bytes under its exact name", async (t) => {
  // As people's files are: Windows line ends, a mark, another name.
  const mine = `\ufeff${srt(LINES).replaceAll('\n', '\r\n')}`;
  const { own, id, names } = await openFilm(t, { files: { 'The Lighthouse (2001).srt': mine } });
  const before = await own.bench.inspect({ id, language: 'en' }, SIGNAL);
  assert.equal(before.fingerprint, contentHash(Buffer.from(mine)));
  assert.deepEqual([before.source, before.originalAvailable, before.restorable], ['sidecar', false, false]);
  await own.bench.apply({ id, language: 'en', fingerprint: before.fingerprint, offsetMilliseconds: 2000 }, SIGNAL);
  assert.deepEqual(await names(), ['The Lighthouse (2001).srt']);
  assert.equal(await own.text('The Lighthouse (2001).srt'), srt(LINES, 3000));
  const changed = await own.bench.inspect({ id, language: 'en' }, SIGNAL);
  assert.deepEqual([changed.source, changed.originalAvailable, changed.restorable], ['edited', true, true]);
  assert.equal((await own.bench.export({ id, language: 'en', format: 'original' }, SIGNAL)).bytes.toString(), mine);

  // A second change keeps the first original.
  await own.bench.apply({ id, language: 'en', fingerprint: changed.fingerprint, offsetMilliseconds: 1000 }, SIGNAL);
  const state = await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).srt'), mine);
  assert.deepEqual(
    [state.replaceable, state.restorable, state.installed?.managed, state.installed?.source],
    [false, true, false, 'sidecar'],
  );
  // And back again, as it was.
  const again = await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).srt'), srt(LINES, 4000));
  assert.deepEqual([again.installed?.source, again.installed?.managed], ['edited', true]);
  await own.bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).srt'), mine);
  assert.deepEqual(
    (await own.subtitles.item(id)).history.map(({ act }) => act),
    ['restored', 'restored', 'restored', 'applied', 'applied'],
  );
  // Only referenced bytes are still preserved after the next start.
  await own.restart();
  await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).srt'), srt(LINES, 4000));
});

test('restoring the previous file, and the original', async (t) => {
  const { own, id } = await openFilm(t, { files: { 'The Lighthouse (2001).en.srt': srt(LINES) } });
  for (const _ of [1, 2])
    await own.bench.apply(
      { id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds: 1000 },
      SIGNAL,
    );
  await own.bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).en.srt'), srt(LINES, 2000));
  await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).en.srt'), srt(LINES));
});

test("a file with another name is replaced under the players' name, and restored under its own", async (t) => {
  const { own, id, names } = await openFilm(t, { files: { 'The Lighthouse (2001).eng.SRT': srt(LINES) } });
  await own.bench.apply(
    { id, language: 'en', fingerprint: await own.fingerprint(), data: base64(srt(['Other.', 'Words.'])) },
    SIGNAL,
  );
  assert.deepEqual(await names(), ['The Lighthouse (2001).en.srt']);
  const state = await own.bench.restore({ id }, SIGNAL);
  assert.deepEqual(await names(), ['The Lighthouse (2001).eng.SRT']);
  assert.equal(await own.text('The Lighthouse (2001).eng.SRT'), srt(LINES));
  assert.deepEqual([state.role, state.restorable, state.replaceable], ['normal', true, false]);
  // Its video moves, and it with it: what is preserved still finds its place.
  const { path } = own;
  const to = join(own.media, 'Lighthouse, The (2001)');
  await mkdir(to);
  await rename(path('The Lighthouse (2001).mkv'), join(to, 'Lighthouse, The (2001).mkv'));
  await rename(path('The Lighthouse (2001).eng.SRT'), join(to, 'Lighthouse, The (2001).eng.SRT'));
  await own.scan();
  await own.bench.restore({ id }, SIGNAL);
  assert.deepEqual((await readdir(to)).sort(), ['Lighthouse, The (2001).en.srt', 'Lighthouse, The (2001).mkv']);
  await own.bench.restore({ id }, SIGNAL);
  assert.equal(await readFile(join(to, 'Lighthouse, The (2001).eng.SRT'), 'utf8'), srt(LINES));
});

test('another role renames the file, and restoring returns the old name', async (t) => {
  const { own, id, names } = await openFilm(t, { files: { 'The Lighthouse (2001).en.srt': srt(LINES) } });
  const applied = await own.bench.apply(
    { id, language: 'en', fingerprint: await own.fingerprint(), role: 'forced' },
    SIGNAL,
  );
  assert.deepEqual([applied.role, await names()], ['forced', ['The Lighthouse (2001).en.forced.srt']]);
  await own.bench.restore({ id }, SIGNAL);
  assert.deepEqual(await names(), ['The Lighthouse (2001).en.srt']);
});

test('a file that was changed or removed by hand can still be restored', async (t) => {
  const { own, id } = await openFilm(t, { files: { 'The Lighthouse (2001).en.srt': srt(LINES) } });
  await own.bench.apply({ id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds: 1000 }, SIGNAL);
  await writeFile(own.path('The Lighthouse (2001).en.srt'), srt(['By hand.']));
  await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).en.srt'), srt(LINES));
  await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).en.srt'), srt(['By hand.']));
  await rm(own.path('The Lighthouse (2001).en.srt'));
  const state = await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).en.srt'), srt(LINES));
  assert.equal(state.replaceable, false);
});

test('text inside the video can be used again from the first change on, however often it changed', async (t) => {
  const { own, id, names } = await openFilm(t, { video: { texts: [{ srt: srt(LINES), language: 'eng' }] } });
  const file = 'The Lighthouse (2001).en.srt';
  const flags = async () => {
    const { restorable, restoresTo, originalAvailable, source } = await own.bench.inspect(
      { id, language: 'en' },
      SIGNAL,
    );
    const [state] = (await own.subtitles.item(id)).languages;
    assert.deepEqual(
      [state?.restorable, state?.restoresTo, state?.originalAvailable],
      [restorable, restoresTo, originalAvailable],
      'the inventory and the workbench agree',
    );
    return [source, restorable, restoresTo, originalAvailable];
  };
  const change = async (offsetMilliseconds: number) =>
    own.bench.apply({ id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds }, SIGNAL);
  assert.deepEqual(await flags(), ['embedded', false, undefined, false], 'nothing was changed yet');
  await change(1000);
  assert.deepEqual(await flags(), ['edited', true, 'video', true]);
  const back = await own.bench.restore({ id }, SIGNAL);
  assert.deepEqual(
    [back.installed?.source, back.restorable, back.restoresTo, back.replaceable],
    ['embedded', true, 'file', false],
  );
  assert.deepEqual(await names(), []);
  // Restoring swaps: the change is back, and the way to the video's text with it.
  await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text(file), srt(LINES, 2000));
  assert.deepEqual(await flags(), ['edited', true, 'video', true]);

  // A second change has two steps back: one to the first change, and one to the text inside the video.
  await change(500);
  assert.deepEqual(await flags(), ['edited', true, 'video', true]);
  const { bytes } = await own.bench.export({ id, language: 'en', format: 'original' }, SIGNAL);
  assert.match(bytes.toString(), /00:00:01,000 --> 00:00:03,000/, 'the original is the text inside the video');
  await own.bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.equal(await own.text(file), srt(LINES, 2000));
  await own.bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.equal(await own.text(file), srt(LINES, 2500));
  await own.bench.restore({ id, to: 'original' }, SIGNAL);
  assert.deepEqual(await names(), []);
  // As after a restart, and what is preserved is still known.
  await own.restart();
  assert.deepEqual(await flags(), ['embedded', true, 'file', false]);
  await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text(file), srt(LINES, 2500));
  assert.deepEqual(
    (await own.subtitles.item(id)).history.filter(({ detail }) => detail?.includes('inside the video')).length,
    2,
  );
});

test("a user's own file over the text inside the video stays the original", async (t) => {
  const { own, id } = await openFilm(t, {
    files: { 'The Lighthouse (2001).en.srt': srt(['Mine.', 'My own.']) },
    video: { texts: [{ srt: srt(LINES), language: 'eng' }] },
  });
  await own.bench.apply({ id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds: 1000 }, SIGNAL);
  assert.equal((await own.bench.inspect({ id, language: 'en' }, SIGNAL)).restoresTo, 'file');
  await own.bench.restore({ id }, SIGNAL);
  assert.equal(await own.text('The Lighthouse (2001).en.srt'), srt(['Mine.', 'My own.']));
});

test('nothing is written under the old name of a video renamed since the scan; undo still works', async (t) => {
  const { own, id, names } = await openFilm(t, { files: { 'The Lighthouse (2001).en.srt': srt(LINES) } });
  await own.bench.apply({ id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds: 1000 }, SIGNAL);
  for (const ending of ['mkv', 'en.srt'])
    await rename(own.path(`The Lighthouse (2001).${ending}`), own.path(`Lighthouse, The (2001).${ending}`));
  await assert.rejects(own.bench.restore({ id }, SIGNAL), refused('conflict', /has changed and has not been scanned/));
  await assert.rejects(
    own.bench.apply({ id, language: 'en', fingerprint: 'missing', text: srt(LINES) }, SIGNAL),
    refused('conflict', /has changed and has not been scanned/),
  );
  assert.deepEqual(await names(), ['Lighthouse, The (2001).en.srt']);
  await own.scan();
  await own.bench.restore({ id }, SIGNAL);
  assert.deepEqual(await names(), ['Lighthouse, The (2001).en.srt']);
  assert.equal(await own.text('Lighthouse, The (2001).en.srt'), srt(LINES));
});

test('preserved bytes that were damaged are not restored', async (t) => {
  const { own, id } = await openFilm(t, { files: { 'The Lighthouse (2001).en.srt': srt(LINES) } });
  await own.bench.apply({ id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds: 1000 }, SIGNAL);
  const content = contentHash(Buffer.from(srt(LINES)));
  await writeFile(join(own.folder, 'subtitles', content.slice(0, 2), content), 'other bytes');
  await assert.rejects(own.bench.restore({ id }, SIGNAL), refused('gone', /preserved subtitle is missing/));
  assert.equal(await own.text('The Lighthouse (2001).en.srt'), srt(LINES, 2000));
});

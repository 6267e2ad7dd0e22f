/**
 * Drafts through their interface: what cannot work is refused before anything starts, one is made at a time, each
 * belongs to the bytes of its video, and no file in the media folder changes.
 */
import assert from 'node:assert/strict';
import { appendFile, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { draftStore } from '../store/drafts.ts';
import { SEGMENTS, begin, isEnded, isFailure, openDrafts } from './testing.ts';

test('speech is transcribed in the background, with a confidence per word; nothing is installed', async (t) => {
  const w = await openDrafts(t);
  await w.whisper.detector();
  assert.deepEqual(await w.subtitles.drafts.read({ id: w.id }), { state: 'none' });
  const started = await begin(w);
  assert.deepEqual([started.state, started.method, started.language], ['running', 'transcription', 'en']);
  const ready = await w.until('en', isEnded);
  assert.deepEqual([ready.state, ready.draftId, ready.message], ['ready', started.draftId, undefined]);
  assert.deepEqual(
    ready.cues?.map(({ start, text, confidence }) => [start, text, confidence]),
    [
      [1, 'Good evening, everybody.', 0.4],
      [6, 'The café is closed.', 0.9],
    ],
  );
  assert.deepEqual(ready.words?.slice(0, 3), [
    { cue: 0, text: 'Good', confidence: 0.9 },
    { cue: 0, text: 'evening,', confidence: 0.4 },
    { cue: 0, text: 'everybody.', confidence: 0.8 },
  ]);
  assert.deepEqual(await readdir(dirname(w.video)), ['Film (2001).mkv']);
  assert.deepEqual(await readdir(join(w.folder, 'cache/drafts')), [], 'nothing is left in between');
  // The same after a restart.
  await w.close();
  const next = await w.again();
  assert.deepEqual(await next.subtitles.drafts.read({ id: w.id }), ready);
});

test('what cannot work is refused before anything starts', async (t) => {
  const w = await openDrafts(t, { languages: ['fra', 'deu'] });
  const refused = (more: object, words: RegExp) =>
    assert.rejects(begin(w, more), isFailure('conflict', words), String(words));
  await refused({}, /none of the audio/);
  await refused({ method: 'ocr' }, /no picture subtitles/);
  await refused({ method: 'alignment' }, /no subtitle in this language/);
  await refused({ method: 'translation-free' }, /no picture subtitles in this language; none of the audio/);
  await refused({ language: 'aa' }, /does not support Afar/);
  await assert.rejects(w.subtitles.drafts.start({ id: w.id, language: 'fr' }), isFailure('invalid', /method/));
  await assert.rejects(begin(w, { id: 'f'.repeat(16) }), isFailure('missing', /no such film/));
  await assert.rejects(w.subtitles.drafts.read({ id: 'f'.repeat(16) }), isFailure('missing', /no such film/));
  assert.equal(await draftStore(w.db).count(), 0, 'nothing was begun');
  assert.equal(
    (await begin(w, { language: 'fr-ca', method: 'translation-free' })).state,
    'running',
    'French is French',
  );
  assert.equal((await w.until('fr-ca', isEnded)).state, 'ready');
});

test('a missing program, model or disk space is a sentence', async (t) => {
  const without = async (env: Record<string, string>, words: RegExp, finding?: RegExp) => {
    const w = await openDrafts(t, { env });
    await assert.rejects(begin(w), isFailure('conflict', words), String(words));
    const found = (await w.subtitles.drafts.findings()).map(({ sentence }) => sentence);
    if (finding) assert.match(found.join(), finding);
    else assert.deepEqual(found, []);
    await w.close();
  };
  await without({ SERVICE_WHISPER: 'no-such-program' }, /not installed/);
  await without({ SERVICE_TRANSCRIPTION_MODEL: '' }, /no transcription model is configured/);
  await without({ SERVICE_TRANSCRIPTION_MODEL: 'small' }, /absolute path/, /absolute path/);
  await without({ SERVICE_TRANSCRIPTION_MODEL: '/nowhere/ggml-small.bin' }, /is missing/, /is missing/);
  await without({ SERVICE_TRANSCRIPTION_MODEL: '/etc/passwd' }, /not a model/, /not a model/);
});

test('an English-only model, and one that differs from the setting', async (t) => {
  const w = await openDrafts(t, { languages: ['eng', 'deu'], behaviour: { type: 'small.en' } });
  await assert.rejects(begin(w, { language: 'de' }), isFailure('conflict', /only supports English/));
  assert.deepEqual(
    (await w.subtitles.drafts.findings()).map(({ setting, sentence }) => [setting, sentence]),
    [['subtitles.transcription_architecture', 'The model is small.en, and the setting says small.']],
  );
  await begin(w);
  assert.match((await w.until('en', isEnded)).message ?? '', /The model is small\.en, and the settings say small\./);
});

test('one at a time: of two simultaneous requests one starts and the other fails', async (t) => {
  const w = await openDrafts(t, { behaviour: { mode: 'hang' } });
  const both = await Promise.allSettled([begin(w), begin(w)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await assert.rejects(begin(w, { method: 'alignment' }), isFailure('conflict', /another draft is being made/));
  await assert.rejects(w.subtitles.drafts.cancel({ id: w.id, language: 'de' }), isFailure('conflict', /no such draft/));
  await assert.rejects(
    w.subtitles.drafts.cancel({ id: w.id, language: 'en', draftId: 'f'.repeat(16) }),
    isFailure('conflict', /no such draft/),
  );
  const heard = await w.until('en', ({ progress = 0 }) => progress > 0.3);
  assert.equal(heard.state, 'running');
  const cancelled = await w.subtitles.drafts.cancel({ id: w.id, language: 'en' });
  assert.deepEqual([cancelled.state, cancelled.message, cancelled.cues], ['stopped', 'It was cancelled.', undefined]);
  assert.deepEqual(await readdir(join(w.folder, 'cache/drafts')), []);
  await w.whisper.model({ segments: SEGMENTS });
  await begin(w);
  assert.equal((await w.until('en', isEnded)).state, 'ready', 'the next one goes on');
});

for (const [mode, words] of [
  ['crash', /The program for transcription failed\./],
  ['refuse', /The program for transcription failed\./],
  ['no-file', /ended without a result/],
  ['broken', /result of the transcription cannot be read/],
  ['other', /result of the transcription cannot be read/],
] as const) {
  test(`a program that misbehaves (${mode}) fails the draft with a sentence`, async (t) => {
    const w = await openDrafts(t, { behaviour: { mode } });
    await begin(w);
    const failed = await w.until('en', isEnded);
    assert.equal(failed.state, 'failed');
    assert.match(failed.message ?? '', words);
    assert.doesNotMatch(failed.message ?? '', /\//, 'no path');
    assert.deepEqual(await readdir(join(w.folder, 'cache/drafts')), []);
    await assert.rejects(
      w.subtitles.drafts.finished(w.id, failed.draftId ?? '', 'en'),
      isFailure('conflict', /not finished/),
    );
  });
}

test('silence fails with a sentence', async (t) => {
  const w = await openDrafts(t, { behaviour: { segments: [] } });
  await begin(w);
  assert.match((await w.until('en', isEnded)).message ?? '', /No speech was recognised/);
});

test('a draft belongs to the bytes of its video', async (t) => {
  const w = await openDrafts(t);
  const { draftId = '' } = await begin(w);
  assert.equal((await w.until('en', isEnded)).state, 'ready');
  const finished = await w.subtitles.drafts.finished(w.id, draftId, 'en');
  assert.deepEqual(
    [finished.method, finished.document.cues.length, finished.confidence],
    ['transcription', 2, [0.4, 0.9]],
  );
  await assert.rejects(w.subtitles.drafts.finished(w.id, draftId, 'de'), isFailure('missing', /no such draft/));
  await assert.rejects(
    w.subtitles.drafts.finished('f'.repeat(16), draftId, 'en'),
    isFailure('missing', /no such draft/),
  );
  const { atime, mtime } = await stat(w.video);
  await utimes(w.video, atime, new Date(mtime.getTime() + 5000));
  await assert.rejects(
    w.subtitles.drafts.finished(w.id, draftId, 'en'),
    isFailure('conflict', /video changed/),
    'another time',
  );
  await utimes(w.video, atime, mtime);
  await appendFile(w.video, 'more');
  await utimes(w.video, atime, mtime);
  await assert.rejects(
    w.subtitles.drafts.finished(w.id, draftId, 'en'),
    isFailure('conflict', /video changed/),
    'other bytes',
  );
  await w.scan();
  assert.deepEqual(
    [(await w.subtitles.drafts.read({ id: w.id })).state, (await w.subtitles.drafts.read({ id: w.id })).message],
    ['failed', 'The video changed since this draft was made.'],
  );
});

test('a video that changes while its draft is made fails it', async (t) => {
  const w = await openDrafts(t, { behaviour: { mode: 'wait' } });
  await begin(w);
  await w.until('en', ({ progress = 0 }) => progress > 0.3);
  await appendFile(w.video, 'more');
  await writeFile(join(w.folder, 'tools/bin/go'), '');
  const failed = await w.until('en', isEnded);
  assert.deepEqual([failed.state, failed.message], ['failed', 'The video changed while the draft was made.']);
});

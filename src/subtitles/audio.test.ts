/** The audio of an item, from a scanned library to what the workbench draws. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeVideo, openWorld, openTemporaryFolder } from '../../test/subtitles/world.ts';
import { Failure } from '../lib/failure.ts';
import { makeClip } from '../speech/testing/clip.ts';

test('the audio of an item: loudness and speech at the same places, or why there is none', async (t) => {
  const world = await openWorld({ folder: await openTemporaryFolder(t) });
  t.after(() => world.close());
  const clip = await makeClip(join(world.media, 'Spoken (2001)', 'Spoken (2001).mkv'), { seconds: 30 });
  await makeVideo(join(world.media, 'Silent (1922)', 'Silent (1922).mkv'));
  await world.scan();
  const { signal } = new AbortController();

  const spoken = await world.idOf('Spoken (2001).mkv');
  const whole = await world.subtitles.workbench.audio({ id: spoken, language: 'en' }, { signal });
  assert.ok(Math.abs(whole.duration - 30) < 0.2 && whole.waveform.length === 1024 && whole.speech.length === 1024);
  const [first = { start: 0, end: 0 }] = clip.spoken;
  const part = await world.subtitles.workbench.audio(
    { id: spoken, from: first.start / 1000, to: first.end / 1000 },
    { signal },
  );
  assert.ok(part.speech.reduce((all, one) => all + one, 0) / part.speech.length > 0.6);

  const why = (kind: string, words: RegExp) => (error: unknown) =>
    error instanceof Failure && error.kind === kind && words.test(error.message);
  await assert.rejects(
    world.subtitles.workbench.audio({ id: await world.idOf('Silent (1922).mkv') }, { signal }),
    why('conflict', /no audio/),
  );
  await assert.rejects(world.subtitles.workbench.audio({ id: '0'.repeat(16) }, { signal }), why('missing', /no such/));
});

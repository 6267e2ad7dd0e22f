/**
 * Clean-up and drafts over HTTP: the statuses, the shapes of the replies, and every refusal before anything is touched.
 */
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { installWhisper } from '../stand-ins/whisper.ts';
import { until } from '../until.ts';
import { type Reply, startWorld, type World } from '../world.ts';
import { makeVideo } from './world.ts';

const FILM = 'Film (2001)';
const ENV = { SERVICE_REQUIRE_MFA: 'false', SERVICE_SUBTITLE_LANGUAGE: 'en', SERVICE_SCAN_INTERVAL: '0s' };

/** A server with one film that was scanned, and its Owner. */
async function scanned(
  w: World,
): Promise<{ ask(method: string, url: string, body?: unknown): Promise<Reply>; id: string }> {
  await w.start();
  const { body } = await w.call(undefined, 'POST', '/api/v1/setup', {
    name: 'Ada',
    password: 'four warm brown bread rolls',
  });
  const ask = (method: string, url: string, given?: unknown) =>
    w.call({ token: String(body['token']) }, method, url, given);
  await ask('POST', '/api/v1/tasks/scan', {});
  // At a start everything is scanned, too; nothing is looked at until all of that is over.
  await until('the scans to end', async () => {
    const { items } = (await ask('GET', '/api/v1/tasks')).body as unknown as { items: { state: string }[] };
    return items.every(({ state }) => state !== 'queued' && state !== 'running');
  });
  const id = await until('the film to be listed', async () => {
    const { items } = (await ask('GET', '/api/v1/subtitle-library')).body as unknown as { items?: { id: string }[] };
    return items?.[0]?.id;
  });
  return { ask, id };
}

test('the clean-up: off, stale and unknown are refused, and a plan is applied once', async (t) => {
  const w = await startWorld(t, {
    env: ENV,
    fill: async (media) => {
      await makeVideo(join(media, FILM, `${FILM}.mkv`), { seconds: 20 });
      for (const name of ['en', 'pt-br', 'pt-br.forced'])
        await writeFile(join(media, FILM, `${FILM}.${name}.srt`), '1\n00:00:01,000 --> 00:00:02,000\nHello.\n');
    },
  });
  const { ask } = await scanned(w);
  const plan = (body: unknown) => ask('POST', '/api/v1/subtitles/cleanup/preview', body);
  const apply = (body: unknown) => ask('POST', '/api/v1/subtitles/cleanup', body);
  const policy = { enabled: true, languages: ['por'], forced: 'keep' };
  for (const bad of [
    {},
    { ...policy, languages: [] },
    { ...policy, languages: ['xx'] },
    { ...policy, languages: ['pt', 1] },
    { ...policy, forced: 'maybe' },
    { ...policy, path: '/etc' },
    { ...policy, enabled: 'yes' },
  ]) {
    assert.equal((await plan(bad)).status, 400, JSON.stringify(bad));
  }
  const seen = await plan(policy);
  assert.deepEqual(
    [seen.status, seen.body['languages'], seen.body['forced'], seen.body['count']],
    [200, ['pt'], 'keep', 1],
  );
  const [library] = (seen.body['files'] as { path: string }[]).map(({ path }) => path.split('/')[0]);
  assert.deepEqual(seen.body['files'], [{ path: `${library}/${FILM}/${FILM}.pt-br.srt` }]);
  assert.deepEqual(seen.body['skipped'], [
    {
      path: `${library}/${FILM}/${FILM}.pt-br.forced.srt`,
      reason: 'it has only the lines of foreign speech, which are kept',
      why: { reason: 'foreign-lines', values: {} },
    },
  ]);
  const digest = String(seen.body['digest']);
  assert.equal((await apply(policy)).status, 400, 'no digest');
  assert.equal((await apply({ ...policy, digest: 'x' })).status, 400);
  assert.equal((await apply({ ...policy, digest: '0'.repeat(64) })).status, 409);
  assert.equal((await apply({ ...policy, forced: 'hide', digest })).status, 409, 'another policy');
  assert.equal((await apply({ ...policy, enabled: false, digest })).status, 409, 'off');
  assert.equal((await w.call(undefined, 'POST', '/api/v1/subtitles/cleanup', { ...policy, digest })).status, 401);
  assert.equal(
    (await readdir(join(w.media, FILM))).some((name) => name.endsWith('.hidden')),
    false,
  );
  const done = await apply({ ...policy, digest });
  assert.deepEqual([done.status, done.body], [200, { hidden: 1 }]);
  assert.equal((await apply({ ...policy, digest })).status, 409, 'it is another plan now');
  assert.deepEqual(
    (await readdir(join(w.media, FILM))).filter((name) => name.endsWith('.hidden')),
    [`${FILM}.pt-br.srt.hidden`],
  );
});

test('a draft: 202 when it begins, 409 while another is made, 200 when it is cancelled', async (t) => {
  const tools = await installWhisper(join((await startWorld(t)).folder, 'tools'));
  const model = await tools.model({ segments: [], mode: 'hang' });
  const w = await startWorld(t, {
    env: { ...ENV, SERVICE_WHISPER: tools.program, SERVICE_TRANSCRIPTION_MODEL: model },
    fill: (media) => makeVideo(join(media, FILM, `${FILM}.mkv`), { seconds: 20, hasSound: true }),
  });
  const { ask, id } = await scanned(w);
  const draft = (body: unknown, of = id) => ask('POST', `/api/v1/subtitle-library/${of}/draft`, body);
  assert.deepEqual((await ask('GET', `/api/v1/subtitle-library/${id}/draft`)).body, { state: 'none' });
  assert.equal((await ask('GET', `/api/v1/subtitle-library/${id}/draft?language=en&language=de`)).status, 400);
  for (const bad of [
    {},
    { language: 'en' },
    { language: 'xx', method: 'ocr' },
    { language: 'en', method: 'magic' },
    { language: 'en', method: 'ocr', more: 1 },
  ])
    assert.equal((await draft(bad)).status, 400, JSON.stringify(bad));
  assert.equal((await draft({ language: 'en', method: 'ocr' }, 'f'.repeat(16))).status, 404);
  assert.equal((await draft({ language: 'en', method: 'ocr' })).status, 409, 'no pictures');
  const begun = await draft({ language: 'en', method: 'transcription' });
  assert.deepEqual([begun.status, begun.body['state']], [202, 'running']);
  assert.equal((await draft({ language: 'en', method: 'transcription' })).status, 409, 'one at a time');
  assert.equal((await draft({ language: 'de', action: 'cancel' })).status, 409, 'another language');
  const ended = await draft({ language: 'en', action: 'cancel', draftId: begun.body['draftId'] });
  assert.deepEqual([ended.status, ended.body['state']], [200, 'stopped']);
  assert.deepEqual((await ask('GET', `/api/v1/subtitle-library/${id}/draft?language=eng`)).body, ended.body);
  assert.deepEqual(await readdir(join(w.media, FILM)), [`${FILM}.mkv`]);
});

/**
 * The history of an item says who did what: a person, a key for its Owner, or the server by itself. Through the whole
 * server.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createNet } from '../../src/lib/net.ts';
import { startStandIns } from '../stand-ins/index.ts';
import { makeHousehold, startWorld } from '../world.ts';
import { until } from '../until.ts';
import { makeVideo } from './world.ts';

const BASE = '/api/v1/subtitle-library';
const SRT =
  '1\n00:00:01,000 --> 00:00:02,000\nHello there, my old friend.\n\n2\n00:00:05,000 --> 00:00:07,000\n' +
  'It has been a long time.\n';
const films = ['Asked.2001.1080p.BluRay.x264-GHOUL', 'Due.2002.1080p.BluRay.x264-GHOUL'] as const;
const folderOf = (n: number): string => `${['Asked (2001)', 'Due (2002)'][n]} {imdb-tt000000${n + 1}}`;

test('each act has a Profile, and the batches have the server', async (t) => {
  const standIns = await startStandIns({
    fixtures: {
      items: films.map((film, n) => ({
        kind: 'movie',
        title: film.split('.')[0] ?? '',
        year: 2001 + n,
        imdb: `tt000000${n + 1}`,
        duration: 60,
        subtitles: [{ language: 'en', releases: [film], trusted: true }],
      })),
    },
  });
  const net = createNet({ version: '0.0.0' });
  t.after(() => Promise.all([standIns.close(), net.close()]));
  const house = await startWorld(t, {
    net,
    env: { SERVICE_SUBTITLE_LANGUAGE: 'en', ...standIns.environment },
    fill: async (media) => {
      for (const [n, film] of films.entries()) await makeVideo(join(media, folderOf(n), `${film}.mkv`));
      await writeFile(join(media, folderOf(0), `${films[0]}.de.srt`), SRT);
    },
  });
  const { owner, 'key all': key } = await makeHousehold(house);
  await house.start();
  await house.call(owner, 'POST', '/api/v1/tasks/scan', {});
  const items = await until('the inventory of all films', async () => {
    const { body } = await house.call(owner, 'GET', BASE);
    const all = body['items'] as { id: string; title: string }[];
    return body['pending'] === 0 && all.length === films.length ? all : undefined;
  });
  const [asked, due] = ['Asked', 'Due'].map((title) => `${BASE}/${items.find((one) => one.title === title)?.id}`);
  const me = (await house.call(owner, 'GET', '/api/v1/me')).body['profile'] as { id: string; name: string };
  const done = async (
    who: typeof owner,
    url: string,
    body: unknown,
    status = 200,
  ): Promise<Record<string, unknown>> => {
    const reply = await house.call(who, 'POST', url, body);
    assert.equal(reply.status, status, reply.text);
    return reply.body;
  };
  const history = async (item = asked): Promise<unknown[]> =>
    ((await house.call(owner, 'GET', item ?? '')).body['history'] as { act: string; by?: unknown }[]).map(
      ({ act, by }) => [act, by],
    );

  await done(key, `${asked}/fetch`, {}, 201);
  const { body: seen } = await house.call(owner, 'GET', `${asked}/inspect?language=en`);
  await done(owner, `${asked}/apply`, { language: 'en', fingerprint: seen['fingerprint'], text: SRT });
  await done(owner, `${asked}/restore`, { to: 'previous' });
  const plan = { enabled: true, languages: ['de'], forced: 'keep' };
  const { digest } = await done(owner, '/api/v1/subtitles/cleanup/preview', plan);
  assert.equal((await done(owner, '/api/v1/subtitles/cleanup', { ...plan, digest }))['hidden'], 1);
  const person = { is: 'person', profile: me.id, name: me.name };
  assert.deepEqual(await history(), [
    ['hidden', person],
    ['restored', person],
    ['applied', person],
    ['fetched', { ...person, is: 'key' }],
  ]);
  // Nothing was there before it, so that it goes: another road than a file that is put back.
  await done(owner, `${asked}/apply`, { language: 'fr', fingerprint: 'missing', text: SRT });
  await done(key, `${asked}/restore`, { language: 'fr', to: 'previous' });
  assert.deepEqual((await history()).slice(0, 2), [
    ['restored', { ...person, is: 'key' }],
    ['applied', person],
  ]);

  assert.equal((await done(owner, `${BASE}/fetch-wanted`, { limit: 5 }))['written'], 1);
  assert.deepEqual(await history(due), [['fetched', { is: 'server' }]]);
});

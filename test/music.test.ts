/** Music through the API: albums, artists, queues and plans for players. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { flac, madeOnce } from '../src/catalog/testing/sound.ts';
import { until } from './until.ts';
import { PASSWORD, startWorld } from './world.ts';

test('an album is listed, opened and played, and a client that cannot play it gets another codec', async (t) => {
  const house = await startWorld(t, {
    env: { SERVICE_REQUIRE_MFA: 'false' },
    fill: async (media) => {
      const folder = join(media, 'Music', 'Band', 'Album');
      mkdirSync(folder, { recursive: true });
      const tags = { ALBUM: 'Album', ARTIST: 'Band', REPLAYGAIN_TRACK_GAIN: '-3 dB' };
      writeFileSync(join(folder, '1.flac'), flac({ ...tags, TITLE: 'One', TRACKNUMBER: '1' }));
      writeFileSync(join(folder, '2.flac'), flac({ ...tags, TITLE: 'Two', TRACKNUMBER: '2' }));
      const wma = ['-f', 'lavfi', '-i', 'sine=d=1', '-metadata', 'title=Three', '-metadata', 'album=Album'];
      copyFileSync(
        madeOnce('three.wma', [...wma, '-metadata', 'artist=Band', '-metadata', 'track=3']),
        join(folder, '3.wma'),
      );
    },
  });
  const made = await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  const token = String(made.body['token']);
  const ask = (method: string, path: string, body?: unknown) => house.call({ token }, method, `/api/v1${path}`, body);
  await house.start();
  const library = { name: 'Music', path: join(house.media, 'Music'), kind: 'music' };
  const [first] = (await ask('GET', '/libraries')).body['items'] as { id: string }[];
  assert.equal((await ask('PUT', `/libraries/${first?.id}`, library)).status, 200);
  type Card = { id: string; title: string; artists: string[]; tracks: number };
  const albums = async () => (await ask('GET', '/albums')).body['items'] as Card[];
  await until('the album with its tracks', async () => (await albums())[0]?.tracks === 3);
  const [album] = await albums();
  assert.deepEqual([album?.title, album?.artists], ['Album', ['Band']]);
  const page = (await ask('GET', `/albums/${album?.id}`)).body as {
    credits: { id: string }[];
    discs: { tracks: (Card & { sound: { codec: string; gain?: object } })[] }[];
  };
  const tracks = page.discs[0]?.tracks ?? [];
  assert.deepEqual(
    tracks.map(({ title, sound }) => [title, sound.codec, sound.gain]),
    [
      ['One', 'flac', { track: -3 }],
      ['Two', 'flac', { track: -3 }],
      ['Three', 'wmav2', undefined],
    ],
  );
  assert.equal(((await ask('GET', '/artists')).body['items'] as { name: string }[])[0]?.name, 'Band');
  assert.equal((await ask('GET', `/artists/${page.credits[0]?.id}`)).status, 200);
  const queue = await ask('GET', `/audio/${tracks[1]?.id}/queue`);
  assert.deepEqual(
    (queue.body['items'] as Card[]).map(({ title }) => title),
    ['Two', 'Three'],
  );
  assert.equal((await ask('GET', `/audio/${album?.id}/queue`)).status, 404);
  assert.equal((await ask('GET', `/items/${tracks[0]?.id}/lyrics`)).body['reason'], 'no-lyrics');
  const able = 'containers=flac,mp4&videoCodecs=h264&audioCodecs=flac,aac,opus,mp3';
  const plan = await ask('GET', `/items/${tracks[0]?.id}/playback?${able}`);
  assert.equal(plan.body['mode'], 'direct', plan.text);
  const other = await ask('GET', `/items/${tracks[2]?.id}/playback?${able}`);
  const reasons = (other.body['reasons'] as { code: string }[]).map(({ code }) => code);
  assert.ok(reasons.includes('audio-codec-not-supported'), other.text);
  const urls = other.body['urls'] as { hls?: string };
  const list = await house.call({ token }, 'GET', urls.hls ?? '/none');
  assert.equal(list.status, 200, list.text);
  const listed = await ask('PUT', `/items/${tracks[0]?.id}/progress`, { position: 1, watched: true });
  assert.equal(listed.body['playCount'], 1, listed.text);
  await until('the album to be found by its artist', async () =>
    ((await ask('GET', '/library?q=band')).body['items'] as Card[]).some(({ title }) => title === 'Album'),
  );
});

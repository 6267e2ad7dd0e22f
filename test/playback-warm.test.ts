/**
 * The process that the first film needs is not started until a person opens an item.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { childrenOf } from './processes.ts';
import { until } from './until.ts';
import { makeClip, PASSWORD, startWorld } from './world.ts';

/** From its source, and as it is built. */
const HELPER = /\/(media-index\/index|media-index)-helper\.[jt]s$/;
const readers = (): number =>
  childrenOf(process.pid).filter(({ command }) => command.some((part) => HELPER.test(part))).length;

test('the process that reads indexes starts when a person opens an item', async (t) => {
  const house = await startWorld(t, {
    env: { SERVICE_REQUIRE_MFA: 'false' },
    fill: (media) => makeClip(join(media, 'Films', 'Film (2020)', 'Film (2020).mp4')),
  });
  const owner = String(
    (await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token'],
  );
  const ask = (method: string, path: string, body?: unknown) =>
    house.call({ token: owner }, method, `/api/v1${path}`, body);
  await house.start();
  assert.ok(
    (
      await ask('PUT', '/configuration/libraries', {
        value: JSON.stringify([{ name: 'Films', path: join(house.media, 'Films'), kind: 'movies' }]),
      })
    ).status < 300,
  );
  const film = await until(
    'the film',
    async () => ((await ask('GET', '/library')).body['items'] as { id: string }[])[0]?.id,
  );
  assert.equal(readers(), 0, 'nobody has looked at anything');
  assert.equal((await ask('GET', '/items/0000000000000000')).status, 404);
  assert.equal(readers(), 0);
  assert.equal((await ask('GET', `/items/${film}`)).status, 200);
  await until('the process', () => readers() === 1);
});

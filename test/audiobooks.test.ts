/** Audiobooks through the API: last places with their devices, preferences of each book, and who may ask for them. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { flac } from '../src/catalog/testing/sound.ts';
import { until } from './until.ts';
import { PASSWORD, startWorld, type Who } from './world.ts';

/** Returns a FLAC file whose header says that it is an hour long. */
function hour(title: string): Buffer {
  const bytes = flac({ TITLE: title, ALBUM: 'The Book', ARTIST: 'A. Writer' });
  bytes.writeUInt32BE(3600 * 8000, 22);
  return bytes;
}

test('a book has its last places and preferences for each Profile, and a hidden one tells nothing', async (t) => {
  const house = await startWorld(t, {
    env: { SERVICE_REQUIRE_MFA: 'false' },
    fill: async (media) => {
      const folder = join(media, 'Books', 'A. Writer', 'The Book');
      mkdirSync(folder, { recursive: true });
      for (const part of ['1', '2']) writeFileSync(join(folder, `${part}.flac`), hour(part));
    },
  });
  const setUp = { name: 'Ada', password: PASSWORD, device: 'Kitchen' };
  const made = await house.call(undefined, 'POST', '/api/v1/setup', setUp);
  const kitchen = { token: String(made.body['token']) };
  const signIn = async (name: string, device: string) => ({
    token: String(
      (await house.call(undefined, 'POST', '/api/v1/session', { name, password: PASSWORD, device })).body['token'],
    ),
  });
  const ask = (who: Who, method: string, path: string, body?: unknown) =>
    house.call(who, method, `/api/v1${path}`, body);
  await house.start();
  const [first] = (await ask(kitchen, 'GET', '/libraries')).body['items'] as { id: string }[];
  const library = { name: 'Books', path: join(house.media, 'Books'), kind: 'audiobooks' };
  assert.equal((await ask(kitchen, 'PUT', `/libraries/${first?.id}`, library)).status, 200);
  const books = async () =>
    (await ask(kitchen, 'GET', '/library?view=audiobooks')).body['items'] as { id: string; duration?: number }[];
  await until('the book with both files', async () => (await books())[0]?.duration === 7200);
  const id = (await books())[0]?.id ?? '';

  const car = await signIn('Ada', 'Car');
  const report = (who: Who, session: string, position: number) =>
    ask(who, 'PUT', `/items/${id}/progress`, { position, session });
  assert.equal((await report(kitchen, 'session-kitchen', 4000)).status, 200);
  house.clock.pass(60_000);
  assert.equal((await report(car, 'session-of-car', 1200)).status, 200);
  const places = await ask(kitchen, 'GET', `/items/${id}/positions`);
  assert.deepEqual(
    (places.body['items'] as { device: string; position: number }[]).map((one) => `${one.device} ${one.position}`),
    ['Car 1200', 'Kitchen 4000'],
    places.text,
  );

  assert.equal((await ask(kitchen, 'PUT', `/items/${id}/preferences`, { speed: 1.5, skipBack: 45 })).status, 200);
  assert.deepEqual((await ask(car, 'GET', `/items/${id}/preferences`)).body, {
    ...{ speed: 1.5, skipBack: 45, skipForward: 30 },
  });
  for (const wrong of [{ speed: 0.4 }, { speed: 3.1 }, { skipBack: 0 }, { skipForward: 1.5 }, { skipForward: 301 }])
    assert.equal((await ask(kitchen, 'PUT', `/items/${id}/preferences`, wrong)).status, 400, JSON.stringify(wrong));

  const limits = { libraries: [], rating: 'all', windows: [], remote: true, transcode: true, download: true };
  const child = { name: 'Vic', password: PASSWORD, policy: limits };
  assert.equal((await ask(kitchen, 'POST', '/profiles', child)).status, 201);
  const vic = await signIn('Vic', 'Tablet');
  const replies = async (item: string) => {
    const asked = [
      await ask(vic, 'GET', `/items/${item}/positions`),
      await ask(vic, 'GET', `/items/${item}/preferences`),
      await ask(vic, 'PUT', `/items/${item}/preferences`, { speed: 2 }),
    ];
    return asked.map(({ status, text }) => `${status} ${text}`);
  };
  assert.deepEqual(await replies(id), await replies('0123456789abcdef'));
  assert.match((await replies(id))[0] ?? '', /^404 /);
});

/** Changes of the list of libraries: the first one added, folders that overlap, and many changes at once. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from './until.ts';
import { makeClip, PASSWORD, startWorld, type Reply, type World } from './world.ts';

interface Library {
  id: string;
  name: string;
  kind: string;
  path: string;
  items: number;
}

/** A server with an Owner; `ask` calls it as that Owner. */
async function open(
  t: TestContext,
  fill?: (media: string) => Promise<void>,
): Promise<{
  house: World;
  ask: (method: string, path: string, body?: unknown) => Promise<Reply>;
  list: () => Promise<Library[]>;
}> {
  const house = await startWorld(t, { env: { SERVICE_REQUIRE_MFA: 'false' }, ...(fill && { fill }) });
  const token = String(
    (await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token'],
  );
  const ask = (method: string, path: string, body?: unknown) => house.call({ token }, method, `/api/v1${path}`, body);
  return { house, ask, list: async () => (await ask('GET', '/libraries')).body['items'] as Library[] };
}

test('the first library that is added keeps the default one with its id, items and history', async (t) => {
  const { house, ask, list } = await open(t, (media) => makeClip(join(media, 'The Night Train (2019).mkv')));
  await house.start();
  await until('the film to be in the library', async () => (await list())[0]?.items === 1);
  const [media] = await list();
  assert.ok(media);
  const film = ((await ask('GET', '/library')).body['items'] as { id: string }[])[0]?.id;
  assert.equal((await ask('PUT', `/items/${film}/progress`, { position: 1, watched: true })).status, 200);

  const other = join(house.folder, 'other');
  await mkdir(other);
  const made = await ask('POST', '/libraries', { name: 'Films', path: other, kind: 'movies' });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    (await list()).map(({ id, name, path, kind, items }) => ({ id, name, path, kind, items })),
    [
      { id: media.id, name: 'Media', path: house.media, kind: 'mixed', items: 1 },
      { id: made.body['id'], name: 'Films', path: other, kind: 'movies', items: 0 },
    ],
  );
  const { body } = await ask('GET', '/history');
  assert.deepEqual(
    (body['items'] as { item: { id: string } }[]).map(({ item }) => item.id),
    [film],
  );

  assert.equal((await ask('DELETE', `/libraries/${media.id}`)).status, 204, 'an ordinary entry now, it can be removed');
  assert.deepEqual(
    (await list()).map(({ name }) => name),
    ['Films'],
  );
});

test('a library that is given another folder while it is scanned is scanned there', async (t) => {
  const { house, ask, list } = await open(t, async (media) => {
    for (let n = 0; n < 400; n++) {
      const folder = join(media, `Old ${n} (2001)`);
      await mkdir(folder);
      await writeFile(join(folder, `Old ${n} (2001).mkv`), '');
    }
  });
  const other = join(house.folder, 'other');
  await mkdir(other);
  await makeClip(join(other, 'The Night Train (2019).mkv'));
  await house.start();
  const [media] = await list();
  const scans = async () =>
    ((await ask('GET', '/tasks')).body['items'] as { name: string; state: string }[])
      .filter(({ name }) => name === 'scan')
      .map(({ state }) => state);
  await until('the first scan', async () => (await scans()).includes('running'), { everyMs: 5 });
  assert.equal(
    (await ask('PUT', `/libraries/${media?.id}`, { name: 'Films', path: other, kind: 'movies' })).status,
    200,
  );
  const titles = async () =>
    ((await ask('GET', '/library')).body['items'] as { title: string }[]).map(({ title }) => title);
  await until('the film of the other folder', async () => (await titles()).includes('The Night Train'));
  await until('the end of every scan', async () => (await scans()).every((state) => state === 'done'));
  assert.deepEqual(await titles(), ['The Night Train']);
});

test('the default library alone cannot be removed', async (t) => {
  const { ask, list } = await open(t);
  const [media] = await list();
  assert.equal((await ask('DELETE', `/libraries/${media?.id}`)).status, 409);
  assert.equal((await list()).length, 1);
});

test('a first library in the folder of the default one gives that a name and a kind', async (t) => {
  const { house, ask, list } = await open(t);
  const [media] = await list();
  const made = await ask('POST', '/libraries', { name: 'Films', path: `${house.media}/../media/`, kind: 'movies' });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    (await list()).map(({ id, name, kind, path }) => ({ id, name, kind, path })),
    [{ id: media?.id, name: 'Films', kind: 'movies', path: house.media }],
  );
});

test('a first library with the name of the default one takes the name', async (t) => {
  const { house, ask, list } = await open(t);
  const [media] = await list();
  const made = await ask('POST', '/libraries', { name: ' media', path: join(house.folder, 'other'), kind: 'movies' });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    (await list()).map(({ id, name }) => ({ id, name })),
    [
      { id: media?.id, name: 'Media folder' },
      { id: made.body['id'], name: 'media' },
    ],
  );
});

test('a first library inside or around the default one is refused; changing that one narrows it', async (t) => {
  const { house, ask, list } = await open(t);
  const [media] = await list();
  for (const path of [join(house.media, 'Films'), house.folder]) {
    const refused = await ask('POST', '/libraries', { name: 'Films', path, kind: 'movies' });
    assert.equal(refused.status, 409, `${path}: ${refused.text}`);
    assert.deepEqual(await list(), [media], 'nothing was changed');
  }
  const narrowed = await ask('PUT', `/libraries/${media?.id}`, {
    name: 'Films',
    path: join(house.media, 'Films'),
    kind: 'movies',
  });
  assert.equal(narrowed.status, 200, narrowed.text);
  assert.equal(narrowed.body['id'], media?.id);
  assert.equal(
    (await ask('POST', '/libraries', { name: 'Shows', path: join(house.media, 'Shows'), kind: 'shows' })).status,
    201,
  );
  assert.deepEqual(
    (await list()).map(({ name }) => name),
    ['Films', 'Shows'],
  );
});

test('a library keeps its id when its name and folder change at once, whatever was removed before', async (t) => {
  const { house, ask, list } = await open(t);
  const at = (folder: string, name: string) => ({ name, path: join(house.folder, folder), kind: 'movies' });
  const early = String((await ask('POST', '/libraries', at('a', 'Films'))).body['id']);
  assert.equal((await ask('DELETE', `/libraries/${early}`)).status, 204);
  const id = String((await ask('POST', '/libraries', at('b', 'Cinema'))).body['id']);
  for (const body of [at('c', 'Films'), at('d', 'Films'), { path: join(house.folder, 'e') }]) {
    const changed = await ask('PUT', `/libraries/${id}`, body);
    assert.deepEqual([changed.status, changed.body['id']], [200, id], changed.text);
  }
  assert.equal((await ask('PUT', `/libraries/${id}`, at('media/inside', 'Refused'))).status, 409);
  assert.deepEqual(
    (await list()).map(({ name }) => name),
    ['Media', 'Films'],
    'a refused change leaves the name as it was',
  );
});

test('of many changes at once, none undoes another', async (t) => {
  const { house, ask, list } = await open(t);
  const at = (name: string) => ({ name, path: join(house.folder, 'many', name), kind: 'movies' });
  const add = (name: string) => ask('POST', '/libraries', at(name));
  const made = await Promise.all(Array.from({ length: 12 }, (_, n) => add(`First ${n}`)));
  assert.deepEqual(
    made.map(({ status }) => status),
    made.map(() => 201),
    made.map(({ text }) => text).join(),
  );
  const first = await list();
  assert.deepEqual(
    first.map(({ name }) => name).toSorted(),
    ['Media', ...made.map(({ body }) => String(body['name']))].toSorted(),
  );
  assert.deepEqual(
    made.map(({ body }) => body['id']),
    made.map(({ body }) => first.find(({ name }) => name === body['name'])?.id),
  );

  const idOf = (n: number) => String(made[n]?.body['id']);
  const configured = async () => {
    const row = ((await ask('GET', '/configuration')).body['settings'] as { key: string; value?: string }[]).find(
      ({ key }) => key === 'libraries',
    );
    return (JSON.parse(row?.value ?? '[]') as Library[]).map(({ name }) => name).toSorted();
  };
  const replies = await Promise.all([
    ...Array.from({ length: 6 }, (_, n) => add(`Second ${n}`)),
    ...Array.from({ length: 4 }, (_, n) => ask('DELETE', `/libraries/${idOf(n)}`)),
    ...Array.from({ length: 4 }, (_, n) => ask('PUT', `/libraries/${idOf(n + 4)}`, { name: `Renamed ${n}` })),
    ...Array.from({ length: 4 }, (_, n) => ask('PUT', `/libraries/${idOf(n + 8)}`, { kind: 'shows' })),
    // Lost races: the same name, the same folder, an id that is gone or going.
    add('Second 0'),
    ask('POST', '/libraries', { ...at('First 5'), name: 'Twin' }),
    ask('DELETE', `/libraries/${idOf(0)}`),
  ]);
  const statuses = replies.map(({ status }) => status);
  assert.deepEqual(
    statuses.slice(0, 18),
    [
      ...Array.from({ length: 6 }, () => 201),
      ...Array.from({ length: 4 }, () => 204),
      ...Array.from({ length: 8 }, () => 200),
    ],
    replies.map(({ text }) => text).join(),
  );
  assert.deepEqual(statuses.slice(18), [409, 409, 404]);
  const names = [
    ...Array.from({ length: 6 }, (_, n) => `Second ${n}`),
    ...Array.from({ length: 4 }, (_, n) => `Renamed ${n}`),
    ...Array.from({ length: 4 }, (_, n) => `First ${n + 8}`),
    'Media',
  ].toSorted();
  assert.deepEqual((await list()).map(({ name }) => name).toSorted(), names);
  assert.deepEqual(await configured(), names);
  assert.deepEqual(
    (await list())
      .filter(({ kind }) => kind === 'shows')
      .map(({ name }) => name)
      .toSorted(),
    Array.from({ length: 4 }, (_, n) => `First ${n + 8}`).toSorted(),
  );
});

test('options of a library are kept, replaced as a whole, and shown to Owners', async (t) => {
  const { house, ask, list } = await open(t);
  const path = join(house.folder, 'films');
  await mkdir(path);
  const options = { language: 'de', country: 'de', nfo: false, internet: false, ignored: ['Samples', '*.proxy.mp4'] };
  const made = await ask('POST', '/libraries', { name: 'Films', path, kind: 'movies', options });
  assert.equal(made.status, 201, made.text);
  const id = String(made.body['id']);
  const shown = async () => (await list()).map((library) => (library as Library & { options: object }).options);
  const usual = { nfo: true, internet: true, ignored: [] };
  assert.deepEqual(await shown(), [usual, options]);
  assert.equal((await ask('PUT', `/libraries/${id}`, { name: 'Kino' })).status, 200);
  assert.deepEqual(await shown(), [usual, options], 'what is not sent stays');
  for (const bad of [{ ignored: ['*'] }, { ignored: ['a/b'] }, { country: 'DE' }, { language: 'zz' }, { more: true }])
    assert.equal((await ask('PUT', `/libraries/${id}`, { options: bad })).status, 400, JSON.stringify(bad));
  assert.equal((await ask('PUT', `/libraries/${id}`, { options: { language: '', country: 'at' } })).status, 200);
  assert.deepEqual(await shown(), [usual, { country: 'at', ...usual }]);
});

test('a folder is offered with its folders and the number of media files of each kind', async (t) => {
  const names = ['Film.mkv', 'Disc.MPG', 'Song.flac', 'Book.m4b', 'Book.epub', 'Comic.cbz', 'IMG_1.HEIC', 'IMG_1.DNG'];
  const { ask } = await open(t, async (media) => {
    await mkdir(join(media, 'Below'));
    for (const name of [...names, 'notes.txt', '.hidden.jpg']) await writeFile(join(media, name), 'x');
  });
  const { body } = await ask('GET', '/folders');
  const { folders, videos, sounds, books, photos } = body as Record<string, unknown> & { folders: { name: string }[] };
  assert.deepEqual(
    { folders: folders.map(({ name }) => name), videos, sounds, books, photos },
    { folders: ['Below'], videos: 2, sounds: 2, books: 2, photos: 2 },
  );
});

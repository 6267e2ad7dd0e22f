/** Biographies and pictures of people: fetched at the first look, in English if need be, and forgotten in time. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from '../../test/until.ts';
import { fakeClock } from '../../test/world.ts';
import { Failure } from '../lib/failure.ts';
import { quietLog } from '../lib/process/testing.ts';
import type { MetadataClient } from './client.ts';
import { createPersonSource, personFactsOf } from './person-source.ts';

const DAY_MS = 86_400_000;
const REPLY = {
  birthday: '1970-02-03',
  deathday: null,
  place_of_birth: ' Ostend ',
  imdb_id: 'nm0000001',
  profile_path: '/ann.png',
};

function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-people-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const wall = fakeClock();
  // The pause of a cache folder after a failed write is measured in monotonic time.
  const clock = { ...wall, monotonic: wall.now };
  const sent: string[] = [];
  const state = { isDown: false, isConfigured: true };
  const send = (what: string): void => {
    sent.push(what);
    if (state.isDown) throw new Failure('unavailable', 'down', { reason: 'metadata-down' });
  };
  const client: Pick<MetadataClient, 'isConfigured' | 'read' | 'picture'> = {
    get isConfigured() {
      return state.isConfigured;
    },
    read: async ({ path, query, shape }) => {
      const spoken = query?.['language'] ?? '';
      send(`${path} ${spoken}`);
      return path === '/person/1' ? shape.parse({ ...REPLY, biography: spoken === 'en' ? 'Acts.' : '' }) : undefined;
    },
    picture: async (size, path) => {
      send(`${size} ${path}`);
      return path === '/ann.png' ? Buffer.from('picture') : undefined;
    },
  };
  const source = createPersonSource({ client, clock, log: quietLog, folder, language: () => 'de' });
  const settled = async (tmdb: string) => {
    await until('the person', async () => !(await source.of(tmdb)).isPending);
    return (await source.of(tmdb)).facts;
  };
  return { folder, clock, sent, state, source, settled };
}

test('the first look fetches a person in the background, in English where there is no translation', async (t) => {
  const { source, settled, sent } = open(t);
  assert.deepEqual(await source.of('1'), { facts: undefined, isPending: true });
  assert.deepEqual(await settled('1'), {
    biography: 'Acts.',
    born: '1970-02-03',
    birthplace: 'Ostend',
    imdb: 'nm0000001',
    picture: '/ann.png',
  });
  assert.deepEqual(sent, ['/person/1 de', '/person/1 en']);
  assert.deepEqual(await settled('2'), {}, 'a person whom the service does not know is not asked for again');
  assert.equal(sent.length, 3);
  assert.deepEqual(await source.of('../1'), { facts: undefined, isPending: false }, 'an id that is none');
});

test('a failure is shown as nothing and tried again later; without a service no request is sent', async (t) => {
  const { source, settled, sent, state, clock } = open(t);
  state.isDown = true;
  assert.equal(await settled('1'), undefined);
  assert.equal(await source.picture('/ann.png'), undefined);
  state.isDown = false;
  assert.deepEqual(await source.of('1'), { facts: undefined, isPending: false });
  clock.pass(11 * 60_000);
  assert.equal((await settled('1'))?.biography, 'Acts.');
  state.isConfigured = false;
  const before = sent.length;
  assert.deepEqual(await source.of('7'), { facts: undefined, isPending: false });
  assert.equal(await source.picture('/ann.png'), undefined);
  assert.equal(sent.length, before);
});

test('pictures are kept as files, and nothing stays for six months', async (t) => {
  const { source, settled, sent, clock, folder } = open(t);
  await settled('1');
  const picture = await source.picture('/ann.png');
  assert.ok(picture);
  assert.equal(readFileSync(join(picture.root, picture.relative), 'utf8'), 'picture');
  assert.deepEqual(await source.picture('/ann.png'), picture);
  assert.deepEqual(
    sent.filter((one) => one.startsWith('h632')),
    ['h632 /ann.png'],
  );
  assert.equal(await source.picture('/gone.png'), undefined);
  clock.pass(121 * DAY_MS);
  assert.deepEqual(await source.of('1'), { facts: undefined, isPending: true }, 'fetched again');
  await settled('1');
  await source.sweep();
  assert.equal(existsSync(picture.root), false);
  assert.equal(readdirSync(folder).length, 1);
});

test('a picture that the service lost is asked for once', async (t) => {
  const { source, sent, clock } = open(t);
  for (const _ of [1, 2, 3]) assert.equal(await source.picture('/gone.png'), undefined);
  clock.pass(DAY_MS);
  assert.equal(await source.picture('/gone.png'), undefined);
  assert.deepEqual(sent, ['h632 /gone.png']);
  clock.pass(121 * DAY_MS);
  await source.picture('/gone.png');
  assert.equal(sent.length, 2, 'the next period asks again');
});

test('on a full disk a person is shown from memory, and a picture is asked for again later', async (t) => {
  const { source, settled, sent, clock, folder } = open(t);
  // A file in place of the folder refuses every write, as a full disk does.
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  for (const _ of [1, 2, 3]) assert.equal((await settled('1'))?.biography, 'Acts.');
  for (const _ of [1, 2, 3]) assert.equal(await source.picture('/ann.png'), undefined);
  assert.deepEqual(sent, ['/person/1 de', '/person/1 en', 'h632 /ann.png']);
  rmSync(folder);
  clock.pass(61 * 60_000);
  await settled('1');
  const picture = await source.picture('/ann.png');
  assert.ok(picture && existsSync(join(picture.root, picture.relative)), 'it is kept when there is room');
  assert.equal(readdirSync(join(folder, readdirSync(folder)[0] ?? '')).length, 2, 'with the facts');
});

test('dates and ids in other forms are left out', () => {
  assert.deepEqual(personFactsOf({ birthday: '1970', deathday: '', imdb_id: 'tt1', biography: '  ' }), {});
});

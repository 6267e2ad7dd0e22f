/** A remembered phrase leads to the film and the second, through the whole server; a hidden film changes no byte. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { flac } from '../src/catalog/testing/sound.ts';
import { grow, makeClip, makeNfo } from '../src/catalog/testing/world.ts';
import { until } from './until.ts';
import { PASSWORD, startWorld, type Who, type World } from './world.ts';

const srt = (...lines: readonly (readonly [seconds: number, text: string])[]): string =>
  lines
    .map(([at, text], i) => `${i + 1}\n00:00:${String(at).padStart(2, '0')},500 --> 00:00:${at + 1},500\n${text}\n`)
    .join('\n');

const TREE = {
  'Harbour (2001)/Harbour (2001).mp4': true,
  'Harbour (2001)/Harbour (2001).en.srt': srt([3, 'Round up the usual suspects'], [6, 'Take my\ngrey umbrella.']),
  'Harbour (2001)/Harbour (2001).en.sdh.srt': srt(
    [3, '[thunder] CAPTAIN: Round up the usual suspects'],
    [8, '(whispering) And the lantern too'],
  ),
  'Harbour (2001)/Harbour (2001).de.srt': srt([3, 'Verhaften Sie die üblichen Verdächtigen']),
  'Harbour (2001)/movie.nfo': makeNfo('movie', { title: 'Harbour', year: 2001, mpaa: 'G' }),
  'Secret (2002)/Secret (2002).mp4': true,
  'Secret (2002)/Secret (2002).en.srt': srt([4, 'Round up the usual suspects'], [5, 'A forbidden umbrella']),
  'Secret (2002)/movie.nfo': makeNfo('movie', { title: 'Secret', year: 2002, mpaa: 'NC-17' }),
  'Zebra (2004)/Zebra (2004).mp4': true,
  'Zebra (2004)/Zebra (2004).en.srt': srt([1, 'These are the usual stripes']),
  'Zebra (2004)/movie.nfo': makeNfo('movie', { title: 'Zebra', year: 2004, mpaa: 'G' }),
} as const;

interface Found {
  items: {
    item: { id: string; title: string; kind: string };
    lines: { text: string; start?: number; language?: string; ranges: { start: number; length: number }[] }[];
  }[];
  nextCursor?: string;
  index: { state: string; progress: number; itemsLeft: number };
}

let house: World;
let [owner, kid]: Who[] = [];
const endings: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of endings) await end();
});

const ask = async (query: string, who: Who = owner): Promise<Found> => {
  const reply = await house.call(who, 'GET', `/api/v1/search/dialogue?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body as unknown as Found;
};
const shown = ({ items }: Found) =>
  items.map(({ item, lines }) => [item.title, ...lines.map(({ start, text }) => `${start ?? '-'} ${text}`)]);
const task = async (name: string) => {
  const { body, text } = await house.call(owner, 'POST', `/api/v1/tasks/${name}`, {});
  await until(`the end of ${name}: ${text}`, async () => {
    const { state } = (await house.call(owner, 'GET', `/api/v1/tasks/${String(body['id'])}`)).body;
    assert.notEqual(state, 'failed', house.lines.slice(-5).join(''));
    return state === 'done';
  });
};

const turn = (isOn: boolean) =>
  house.call(owner, 'PUT', '/api/v1/configuration/search.dialogue', { value: String(isOn) });

before(async () => {
  house = await startWorld(
    { after: (end) => void endings.push(end as () => Promise<void>) },
    {
      env: { SERVICE_REQUIRE_MFA: 'false' },
      fill: async (media) => {
        grow(join(media, 'Films'), TREE);
        const inside = join(media, 'Films', 'Inside (2003)');
        mkdirSync(inside, { recursive: true });
        writeFileSync(join(inside, 'a.srt'), srt([2, 'The lighthouse has gone dark']));
        const args = ['-v', 'error', '-i', makeClip('mkv'), '-i', join(inside, 'a.srt'), '-map', '0', '-map', '1'];
        const out = [...args, '-c', 'copy', '-metadata:s:s:0', 'language=eng', join(inside, 'Inside (2003).mkv')];
        execFileSync('ffmpeg', out);
        rmSync(join(inside, 'a.srt'));
        const album = join(media, 'Music', 'Band', 'Album');
        mkdirSync(album, { recursive: true });
        writeFileSync(join(album, '1.flac'), flac({ ALBUM: 'Album', ARTIST: 'Band', TITLE: 'Song' }));
        writeFileSync(join(album, '1.lrc'), '[00:12.50]Under the umbrella we danced\n');
      },
    },
  );
  const made = await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  owner = { token: String(made.body['token']) };
  await house.start();
  const [first] = (await house.call(owner, 'GET', '/api/v1/libraries')).body['items'] as { id: string }[];
  const films = { name: 'Films', path: join(house.media, 'Films'), kind: 'movies' };
  assert.equal((await house.call(owner, 'PUT', `/api/v1/libraries/${first?.id}`, films)).status, 200);
  const music = { name: 'Music', path: join(house.media, 'Music'), kind: 'music' };
  assert.equal((await house.call(owner, 'POST', '/api/v1/libraries', music)).status, 201);
  await until('the films and the track', async () => {
    const { body } = await house.call(owner, 'GET', '/api/v1/library?view=all&limit=50');
    return Number(body['total']) >= 5;
  });
  await until('the end of every scan', async () => {
    const { body } = await house.call(owner, 'GET', '/api/v1/tasks');
    return (body['items'] as { name: string; state: string }[]).every(
      ({ name, state }) => name !== 'scan' || state === 'done',
    );
  });
  await task('dialogue-index');
  const policy = {
    libraries: 'all',
    rating: 12,
    unrated: true,
    windows: [],
    remote: true,
    transcode: true,
    download: true,
  };
  await house.call(owner, 'POST', '/api/v1/profiles', { name: 'Kim', password: PASSWORD, policy });
  const session = await house.call(undefined, 'POST', '/api/v1/session', { name: 'Kim', password: PASSWORD });
  kid = { token: String(session.body['token']) };
});

test('rules find the languages of subtitles in files and inside videos, as the Profile that asks', async () => {
  const preview = async (is: string, value: unknown, who: Who = owner) => {
    const rules = {
      match: 'all',
      rules: [
        { field: 'kind', is: 'is', value: 'movie' },
        { field: 'subtitle', is, value },
      ],
    };
    const reply = await house.call(who, 'POST', '/api/v1/smart-playlists/preview', { rules });
    assert.equal(reply.status, 200, reply.text);
    return (reply.body['items'] as { title: string }[]).map(({ title }) => title);
  };
  // The inventory follows the catalogue in the background.
  await until('every film with English text', async () => (await preview('is', 'en')).length === 4);
  assert.deepEqual(await preview('is', 'en'), ['Harbour', 'Inside', 'Secret', 'Zebra']);
  assert.deepEqual(await preview('is', 'de'), ['Harbour']);
  assert.deepEqual(await preview('missing', true), []);
  assert.deepEqual(await preview('in', ['de', 'en'], kid), ['Harbour', 'Inside', 'Zebra']);
});

test('finds the second in files next to a film and inside it, and in lyrics', async () => {
  const found = await ask('q=usual%20suspects');
  assert.deepEqual(shown(found), [
    ['Harbour', '3.5 Round up the usual suspects'],
    ['Secret', '4.5 Round up the usual suspects'],
  ]);
  assert.deepEqual(found.index, { state: 'ready', progress: 1, itemsLeft: 0 });
  assert.equal(found.items[0]?.lines[0]?.language, 'en');
  assert.deepEqual(shown(await ask('q=lighthouse%20gone')), [['Inside', '2.5 The lighthouse has gone dark']]);
  assert.deepEqual(shown(await ask('q=umbrella&source=lyrics')), [['Song', '12.5 Under the umbrella we danced']]);
  assert.deepEqual(shown(await ask('q=ublichen%20verd&language=de')), [
    ['Harbour', '3.5 Verhaften Sie die üblichen Verdächtigen'],
  ]);
});

test('sounds and speakers are no dialogue, and a line that two subtitles have is shown once', async () => {
  assert.deepEqual(shown(await ask('q=thunder')), []);
  assert.deepEqual(shown(await ask('q=captain')), []);
  assert.deepEqual(shown(await ask('q=lantern')), [['Harbour', '8.5 And the lantern too']]);
});

test('a page leads to the next one', async () => {
  const first = await ask('q=usual&limit=2');
  const second = await ask(`q=usual&limit=2&cursor=${first.nextCursor}`);
  const titles = [...first.items, ...second.items].map(({ item }) => item.title);
  assert.deepEqual(titles.sort(), ['Harbour', 'Secret', 'Zebra']);
  assert.equal(second.nextCursor, undefined);
  const other = await house.call(owner, 'GET', `/api/v1/search/dialogue?q=other&cursor=${first.nextCursor}`);
  assert.deepEqual([other.status, other.body['reason']], [400, 'cursor']);
});

test('a hidden film changes no byte of what a child finds', async () => {
  const replies = () =>
    Promise.all(
      [
        'q=usual',
        'q=usual&limit=1',
        'q=usual%20suspects&limit=1',
        'q=umbrella',
        'q=forbidden',
        'q=forbidden%20umbrella&limit=1',
      ].map(async (query) => (await house.call(kid, 'GET', `/api/v1/search/dialogue?${query}`)).text),
    );
  const before = await replies();
  assert.doesNotMatch(before.join(), /Secret|forbidden/);
  assert.match(before.join(), /usual suspects/);
  await rename(join(house.media, 'Films/Secret (2002)'), join(house.folder, 'away'));
  await task('scan');
  await task('dialogue-index');
  assert.deepEqual(shown(await ask('q=forbidden')), []);
  assert.deepEqual(await replies(), before);
  // An index in which the film never was.
  await turn(false);
  await until('the index to be deleted', () => !existsSync(join(house.folder, 'cache/dialogue')));
  await turn(true);
  await task('dialogue-index');
  assert.deepEqual(await replies(), before);
  await rename(join(house.folder, 'away'), join(house.media, 'Films/Secret (2002)'));
  await task('scan');
  await task('dialogue-index');
  assert.deepEqual(shown(await ask('q=forbidden')), [['Secret', '5.5 A forbidden umbrella']]);
});

test('changed subtitles are found by their new lines, hidden and removed ones not at all', async () => {
  const path = join(house.media, 'Films/Harbour (2001)/Harbour (2001).de.srt');
  await writeFile(path, srt([4, 'Ein ganz neuer Satz']));
  await task('scan');
  await task('dialogue-index');
  assert.deepEqual(shown(await ask('q=neuer%20satz')), [['Harbour', '4.5 Ein ganz neuer Satz']]);
  assert.deepEqual(shown(await ask('q=Verhaften')), []);
  await rename(path, `${path}.hidden`);
  await task('scan');
  await task('dialogue-index');
  assert.deepEqual(shown(await ask('q=neuer%20satz')), []);
});

test('turned off, the search says so and the index is deleted', async () => {
  const file = join(house.folder, 'cache/dialogue/index.sqlite');
  assert.ok(existsSync(file));
  const reply = await turn(false);
  assert.equal(reply.status, 202, reply.text);
  await until('the file to be deleted', () => !existsSync(file));
  assert.deepEqual(await ask('q=usual'), { items: [], index: { state: 'off', progress: 0, itemsLeft: 0 } });
  await turn(true);
  await task('dialogue-index');
  assert.equal((await ask('q=lighthouse')).items.length, 1);
});

/**
 * Something of every kind that is moved or renamed in its library stays what it was: its id, what was watched and
 * where, ratings, edits, markers, and its places in lists.
 */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ItemKind } from '../src/contract/catalog/kinds.ts';
import { LIBRARIES, makeEveryKind } from './every-kind.ts';
import { until } from './until.ts';
import { PASSWORD, startWorld, type Who, type World } from './world.ts';

const WORD = 'Kindly';
const ALBUM = `music/${WORD} Band/${WORD} Album`;
const SAGA = `audiobooks/${WORD} Saga Author/${WORD} Saga`;
const COMIC = `books/${WORD} Comic/${WORD} Comic`;

interface Move {
  from: string;
  to: string;
  /** Items of this kind whose files move: by a part of their titles. */
  moved: string;
}
/** Moves of each kind that has files. */
const MOVES = {
  movie: { from: `films/${WORD} One (2001)`, to: `films/Drama/${WORD} One (2001)`, moved: 'One' },
  episode: { from: `shows/${WORD} Show`, to: `shows/TV/${WORD} Show`, moved: 'part 1x1' },
  track: { from: ALBUM, to: `music/Moved/${WORD} Album`, moved: 'Song' },
  audiobook: { from: `${SAGA}/1 - ${WORD} Tale 1`, to: `${SAGA}/01 ${WORD} Tale`, moved: 'Tale 1' },
  book: { from: `${COMIC} v01 c001.cbz`, to: `books/Moved/${WORD} Comic/${WORD} Comic v1 ch.1.cbz`, moved: 'issue 1' },
  photo: { from: `photos/${WORD} Day`, to: 'photos/Moved/Day', moved: 'photo' },
  video: { from: 'photos/Moved/Day', to: `photos/${WORD} Day again`, moved: 'clip' },
  extra: { from: `films/${WORD} Two (2002)`, to: `films/Drama/${WORD} Two (2002)`, moved: 'railer' },
} as const satisfies Partial<Record<ItemKind, Move>>;
/** Kinds without files, by the kind whose files they are made of. */
const FOLLOWS: Readonly<Record<Exclude<ItemKind, keyof typeof MOVES>, keyof typeof MOVES>> = {
  show: 'episode',
  season: 'episode',
  album: 'track',
  artist: 'track',
  series: 'book',
};
/** Further files that move because a book of the same library has another format. */
const MORE_MOVES: readonly Move[] = [
  { from: `books/Novels/${WORD} Novel.epub`, to: `books/Elsewhere/A ${WORD} Novel.epub`, moved: 'Novel' },
  { from: `books/Tables/${WORD} Table.pdf`, to: `books/${WORD} Table.pdf`, moved: 'Table' },
];

interface Item {
  id: string;
  kind: ItemKind;
  title: string;
}
let house: World;
let owner: Who;
const endings: (() => Promise<void> | void)[] = [];

const ask = async <T>(path: string, method = 'GET', body?: unknown): Promise<T> => {
  const reply = await house.call(owner, method, path.startsWith('/read') ? path : `/api/v1${path}`, body);
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.body as T;
};
const itemsAt = async (path: string): Promise<Item[]> => (await ask<{ items: Item[] }>(path)).items;
const scan = async (): Promise<void> => {
  const { id } = await ask<{ id: string }>('/tasks/scan', 'POST', {});
  await until('the end of the scan', async () => (await ask<{ state: string }>(`/tasks/${id}`)).state === 'done', {
    everyMs: 50,
  });
};

/** Returns everything in the libraries, by its id. */
async function everything(): Promise<Map<string, Item>> {
  const found = await itemsAt(`/library?q=${WORD}&limit=200`);
  const inside: Item[] = [];
  for (const { id, kind } of found) {
    if (kind === 'show')
      for (const { id: season } of (await ask<{ seasons: Item[] }>(`/shows/${id}`)).seasons)
        inside.push({ id: season, kind: 'season', title: '' });
    if (kind === 'movie')
      inside.push(...(await itemsAt(`/items/${id}/extras`)).map((one) => ({ ...one, kind: 'extra' as const })));
  }
  for (const { id } of await itemsAt('/artists')) inside.push({ id, kind: 'artist', title: '' });
  return new Map([...found, ...inside].map((item) => [item.id, item]));
}

/** Addresses of pages of what has no page of items. Seasons are shown on the page of their show. */
const PAGES: Partial<Record<ItemKind, string>> = {
  show: 'shows',
  album: 'albums',
  series: 'series',
  artist: 'artists',
};
/** Requests that mark an item in addition to rating, listing and editing it, by kind. */
const OWN_MARKS: Partial<Record<ItemKind, readonly (readonly [path: string, body: object])[]>> = {
  movie: [
    ['progress', { position: 1 }],
    ['markers', { kind: 'intro', start: 1, end: 8 }],
  ],
  episode: [['progress', { position: 1, watched: true }]],
  track: [['progress', { position: 0, watched: true }]],
  audiobook: [
    ['progress', { position: 0.5 }],
    ['preferences', { speed: 1.5 }],
  ],
  video: [['progress', { position: 12 }]],
};
/** Further addresses below that of an item whose replies have to stay the same. */
const OWN_PAGES: Partial<Record<ItemKind, readonly string[]>> = {
  movie: ['markers'],
  audiobook: ['preferences', 'positions'],
};

let kept: ReadonlyMap<string, Item>;
let [playlist, collection] = ['', ''];

/** Marks everything in all ways that its kind has. */
async function markAll(items: readonly Item[]): Promise<void> {
  for (const { id, kind, title } of items) {
    if (['season', 'artist', 'extra'].includes(kind)) continue;
    await ask(`/items/${id}/rating`, 'PUT', { rating: 7 });
    await ask(`/items/${id}/list`, 'PUT', { listed: true });
    await ask(`/items/${id}/metadata`, 'PUT', { plot: `An edited plot of ${id}` });
    for (const [path, body] of OWN_MARKS[kind] ?? [])
      if (path !== 'markers' || title === `${WORD} One`) await ask(`/items/${id}/${path}`, 'PUT', body);
    if (kind === 'book') await ask(`/books/${id}/reader/progress`, 'PUT', { part: 0, offset: 0.25 });
  }
  const ids = (kinds: readonly string[]) => items.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
  const played = ids(['movie', 'episode', 'track', 'audiobook', 'video']);
  playlist = (await ask<{ id: string }>('/playlists', 'POST', { name: 'Kept', ids: [...played, ...played] })).id;
  const whole = ids(['movie', 'show', 'album', 'audiobook', 'series']);
  collection = (await ask<{ id: string }>('/collections', 'POST', { name: 'Kept', ids: whole })).id;
  const [film] = items.filter(({ title }) => title === `${WORD} One`);
  assert.match(JSON.stringify(await ask(`/items/${film?.id}/markers`)), /intro/, 'it is long enough for a marker');
}

/** Returns all that is kept about everything: what pages, lists and editors say of it. */
async function stateOf(items: ReadonlyMap<string, Item>): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = { ids: [...items.keys()].sort() };
  for (const { id, kind } of items.values()) {
    if (kind === 'season') continue;
    const { title, name, plot, userData } = await ask<Record<string, unknown>>(`/${PAGES[kind] ?? 'items'}/${id}`);
    state[`${kind} ${id}`] = { title, name, plot, userData };
    for (const page of OWN_PAGES[kind] ?? []) state[`${page} ${id}`] = await ask(`/items/${id}/${page}`);
    if (kind === 'book') state[`place ${id}`] = await ask(`/books/${id}/reader/progress`);
    if (!['artist', 'extra'].includes(kind)) state[`facts ${id}`] = await ask(`/items/${id}/metadata`);
  }
  const entries = await ask<{ items: { entry: string; item: Item }[] }>(`/playlists/${playlist}/items`);
  state['playlist'] = entries.items.map(({ entry, item }) => [entry, item.id]);
  const history = await ask<{ items: { id: string; item: Item; position: number }[] }>('/history');
  state['history'] = history.items.map(({ id, item, position }) => [id, item.id, position]);
  for (const path of [`/collections/${collection}/items`, '/library?view=list', '/library?view=continue'])
    state[path] = (await ask<{ items: { id?: string; item?: Item }[] }>(path)).items.map(
      (one) => one.id ?? one.item?.id,
    );
  return state;
}

before(async () => {
  house = await startWorld(
    { after: (end) => void endings.push(end as () => Promise<void>) },
    { env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s' } },
  );
  makeEveryKind(join(house.folder, 'open'), WORD);
  const setup = await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  owner = { token: String(setup.body['token']) };
  await house.start();
  for (const [folder, kind] of Object.entries(LIBRARIES))
    await ask('/libraries', 'POST', { name: folder, path: join(house.folder, 'open', folder), kind });
  await scan();
  kept = await everything();
  await markAll([...kept.values()]);
});
after(async () => {
  for (const end of endings.toReversed()) await end();
});

test('there is something of every kind', () => {
  const kinds = new Set([...kept.values()].map(({ kind }) => kind));
  assert.deepEqual([...kinds].sort(), [...Object.keys(MOVES), ...Object.keys(FOLLOWS)].sort());
});

for (const [kind, { from, to, moved }] of [
  ...Object.entries(MOVES),
  ...MORE_MOVES.map((move) => ['book', move] as const),
])
  test(`${kind}: ${from} becomes ${to}, and everything keeps its id and what belongs to it`, async () => {
    const before = await stateOf(kept);
    const [old, now] = [from, to].map((path) => join(house.folder, 'open', path)) as [string, string];
    mkdirSync(dirname(now), { recursive: true });
    renameSync(old, now);
    await scan();
    assert.deepEqual(await stateOf(await everything()), before);
    const items = [...kept.values()].filter((item) => item.kind === kind && item.title.includes(moved));
    const files = await Promise.all(
      items.map(
        async ({ id }) => (await ask<{ versions: { file: string }[] }>(`/items/${id}`)).versions[0]?.file ?? '',
      ),
    );
    const place = to.slice(to.indexOf('/') + 1);
    assert.ok(
      files.some((file) => file.startsWith(place)),
      `${files.join()} is not in ${place}`,
    );
  });

/**
 * Something of every kind that a Profile may not see changes no byte of any reply to it: of no endpoint that a Viewer
 * may call, whatever the endpoint is about.
 *
 * Three ways to be hidden are tried: in a library of others, above the age, and by hand. All replies are read before
 * the hidden things arrive and afterwards. Then each hidden id takes the place of every id that a request can name, and
 * the reply has to be that to an id of nothing.
 */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ITEM_KINDS, itemFacts, kindNames } from '../src/contract/catalog/kinds.ts';
import { listen } from './heard.ts';
import type { Endpoint } from '../src/contract/kernel/endpoint.ts';
import {
  everyRequest,
  HIDDEN,
  LEFT_OUT,
  REFUSING,
  repliesTo,
  type Replies,
  rulesFor,
  SEEN,
  withoutRepeatedRefusals,
  WORDS,
} from './hidden-replies.ts';
import { LIBRARIES, makeAdultParts, makeEveryKind, makeUnratedParts, page } from './every-kind.ts';
import { canName, hasScope, isForViewers, isRead, type KnownIds, nameOf, requestsNaming } from './viewer-requests.ts';
import { passes, until } from './until.ts';
import { PASSWORD, startWorld, type Who, type World } from './world.ts';

const ID_OF_NOTHING = 'f'.repeat(16);
/** Sorts of things that have ids and are no kinds of items. */
const OTHER_SORTS = ['person', 'collection', 'playlist', 'entry', 'folder', 'volumes'] as const;

interface Item {
  id: string;
  kind: string;
  title: string;
  series?: { id: string };
}
let house: World;
let [owner, kid]: Who[] = [];
let port: number;
const endings: (() => Promise<void> | void)[] = [];

const ask = async <T>(path: string, who: Who = owner, method = 'GET', body?: unknown): Promise<T> => {
  const reply = await house.call(who, method, `/api/v1${path}`, body);
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.body as T;
};
const itemsAt = async (path: string, who: Who): Promise<Item[]> => (await ask<{ items: Item[] }>(path, who)).items;
const task = async (name: string): Promise<void> => {
  const { id } = await ask<{ id: string }>(`/tasks/${name}`, owner, 'POST', {});
  await until(
    `the end of ${name}`,
    async () => {
      const { state } = await ask<{ state: string }>(`/tasks/${id}`);
      assert.notEqual(state, 'failed', house.lines.slice(-5).join(''));
      return state === 'done';
    },
    SELDOM,
  );
};
/** The server that is waited for has the same processor. */
const SELDOM = { everyMs: 100 };

/** Returns the ids of everything named after a word that a caller can find. */
async function idsOf(word: string, who: Who): Promise<KnownIds> {
  const found: Record<string, string[]> = {};
  const add = (sort: string, ids: readonly (string | undefined)[]) =>
    (found[sort] ??= []).push(...ids.filter((id): id is string => id !== undefined));
  const named = (items: readonly Item[]) => items.filter(({ title }) => title.includes(word));
  const items = named(await itemsAt(`/library?q=${word}&limit=200`, who));
  for (const { id, kind } of items) add(kind, [id]);
  for (const { id } of items.filter(({ kind }) => kind === 'show'))
    add(
      'season',
      (await ask<{ seasons: Item[] }>(`/shows/${id}`, who)).seasons.map((one) => one.id),
    );
  for (const { id } of items.filter(({ kind }) => kind === 'movie'))
    add(
      'extra',
      (await itemsAt(`/items/${id}/extras`, who)).map((one) => one.id),
    );
  const artists = await ask<{ items: { id: string; name: string }[] }>('/artists', who);
  add(
    'artist',
    artists.items.filter(({ name }) => name.includes(word)).map(({ id }) => id),
  );
  add(
    'person',
    (await itemsAt(`/people?q=${word}`, who)).map(({ id }) => id),
  );
  add(
    'folder',
    named(await itemsAt('/photos/folders', who)).map(({ id }) => id),
  );
  add('volumes', [...new Set(items.map(({ series }) => series?.id))]);
  for (const [sort, path] of [
    ['collection', '/collections'],
    ['playlist', '/playlists'],
  ] as const) {
    const lists = (await ask<{ items: { id: string; name: string }[] }>(path, who)).items;
    add(
      sort,
      lists.filter(({ name }) => name.includes(word)).map(({ id }) => id),
    );
  }
  for (const id of found['playlist'] ?? [])
    add(
      'entry',
      (await ask<{ items: { entry: string }[] }>(`/playlists/${id}/items`, who)).items.map((one) => one.entry),
    );
  return found;
}

/** Makes a library of each kind below a folder of the media. */
async function addLibraries(name: string): Promise<string[]> {
  const made: string[] = [];
  for (const [folder, kind] of Object.entries(LIBRARIES)) {
    const body = { name: `${name} ${folder}`, path: join(house.folder, name, folder), kind };
    made.push((await ask<{ id: string }>('/libraries', owner, 'POST', body)).id);
  }
  await task('scan');
  return made;
}
/** Waits until what follows the library in the background has followed it. */
async function settled(word: string): Promise<void> {
  await task('dialogue-index');
  await task('loudness');
  await until(`people of ${word}`, async () => (await itemsAt(`/people?q=${word}%20Actor`, owner)).length > 0, SELDOM);
  const inPlots = async () => (await itemsAt(`/library?q=shared%20director%20${word}&limit=200`, owner)).length;
  await until(`texts of ${word}`, async () => (await inPlots()) > 0, SELDOM);
}

const POLICY = { rating: 12, unrated: true, windows: [], remote: true, transcode: true, download: true };
let kidId: string;
let ids: KnownIds;
/** A playlist that is shared with the child, and a collection: hidden things are added to both. */
let lists: { playlist: string; collection: string; smart: string; own: string };
/** Replies to the child before anything hidden arrived. */
let first: Replies;

before(async () => {
  house = await startWorld(
    { after: (end) => void endings.push(end as () => Promise<void>) },
    { env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s' } },
  );
  makeEveryKind(join(house.folder, 'open'), SEEN);
  const setup = await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  owner = { token: String(setup.body['token']) };
  await house.start();
  const libraries = await addLibraries('open');
  const body = { name: 'Kim', password: PASSWORD, policy: { ...POLICY, libraries } };
  kidId = (await ask<{ id: string }>('/profiles', owner, 'POST', body)).id;
  const session = await house.call(undefined, 'POST', '/api/v1/session', { name: 'Kim', password: PASSWORD });
  kid = { token: String(session.body['token']) };
  port = ((await house.http.listen({ host: '127.0.0.1', port: 0 })) as AddressInfo).port;
  await settled(SEEN);
  lists = await listsOf(await idsOf(SEEN, kid));
  ids = { ...(await idsOf(SEEN, kid)), library: libraries, smart: [lists.smart] };
});
after(async () => {
  for (const end of endings.toReversed()) await end();
});

async function setPicture(collection: string): Promise<void> {
  const path = `/api/v1/collections/${collection}/picture`;
  assert.equal((await house.call(owner, 'PUT', path, page, { 'content-type': 'image/jpeg' })).status, 200);
}

/** Makes lists of what the child sees, and what the child has watched, listed and rated. */
async function listsOf({ movie = [], episode = [], track = [], book = [] }: KnownIds): Promise<typeof lists> {
  const some = [...movie, ...episode.slice(0, 1), ...track.slice(0, 1)];
  const make = async (path: string, who: Who, body: object) => (await ask<{ id: string }>(path, who, 'POST', body)).id;
  for (const id of [movie[0], episode[0], book[0]]) {
    await ask(`/items/${id}/progress`, kid, 'PUT', { position: 1, watched: id === episode[0] });
    await ask(`/items/${id}/list`, kid, 'PUT', { listed: true });
    await ask(`/items/${id}/rating`, kid, 'PUT', { rating: 8 });
  }
  const collection = await make('/collections', owner, { name: `${SEEN} picks`, ids: movie.slice(0, 1) });
  await setPicture(collection);
  return {
    playlist: await make('/playlists', owner, { name: `${SEEN} shared`, shared: true, ids: some }),
    own: await make('/playlists', kid, { name: `${SEEN} own`, ids: some }),
    collection,
    smart: await make('/smart-playlists', kid, {
      name: 'All',
      rules: { match: 'any', rules: WORDS.flatMap(rulesFor) },
    }),
  };
}

/** Adds hidden things to the lists that the child sees, and makes lists of hidden things alone. */
async function addToLists(word: string): Promise<void> {
  const { movie = [], episode = [], track = [], book = [] } = await idsOf(word, owner);
  const some = [...movie, ...episode, ...track, ...book];
  await ask(`/playlists/${lists.playlist}/items`, owner, 'POST', { ids: some });
  const all = (await ask<{ items: { entry: string }[] }>(`/playlists/${lists.playlist}/items`)).items;
  const order = { entry: all.at(-1)?.entry, before: all[0]?.entry };
  await ask(`/playlists/${lists.playlist}/order`, owner, 'PUT', order);
  await ask('/playlists', owner, 'POST', { name: `${word} shared`, shared: true, ids: some });
  if (movie.length === 0) return;
  await ask(`/collections/${lists.collection}/items`, owner, 'POST', { ids: movie });
  const { id } = await ask<{ id: string }>('/collections', owner, 'POST', { name: `${word} picks`, ids: movie });
  await setPicture(id);
}

const known = () => new Set(Object.values(ids).flat());
const unchanged = async (): Promise<void> => {
  for (const [request, { said: now }] of await repliesTo({ house, kid }, [...first.keys()], known())) {
    const before = first.get(request)?.said ?? '';
    if (now === before) continue;
    const at = [...now].findIndex((character, i) => character !== before[i]);
    const around = (text: string) => text.slice(Math.max(0, at - SHOWN_BEFORE), at + SHOWN_AFTER);
    assert.equal(around(now), around(before), JSON.stringify(request));
  }
};
/** Characters that a failure shows around the first difference. */
const [SHOWN_BEFORE, SHOWN_AFTER] = [100, 300];

test('every endpoint replies to the child, twice alike and without a hidden word', async (t) => {
  const all = await repliesTo({ house, kid }, everyRequest(house.mounted, ids), known());
  const requests = withoutRepeatedRefusals(all);
  // Preview pictures are made in the background, and are there after a while.
  await passes(async () => {
    first = await repliesTo({ house, kid }, requests, known());
    await unchanged();
  });
  const replying = new Set([...first].flatMap(([{ name }, { status }]) => (status < 400 ? [name] : [])));
  // Endpoints without a scope are about who calls, and need no item to reply.
  const ofLibrary = house.mounted.flatMap(({ endpoint }) =>
    isForViewers(endpoint) && isRead(endpoint) && hasScope(endpoint) ? [nameOf(endpoint)] : [],
  );
  const refusing = ofLibrary.filter((name) => !replying.has(name) && LEFT_OUT[name] === undefined);
  assert.deepEqual(refusing.toSorted(), Object.keys(REFUSING).toSorted());
  t.diagnostic(`${all.size} requests, ${first.size} of them compared`);
});

test('what is in a library of others or above the age changes no reply and sends no event', async () => {
  const child = await listen(port, kid && 'token' in kid ? kid.token : '');
  makeEveryKind(join(house.folder, 'shut'), HIDDEN.inLibraryOfOthers);
  makeAdultParts(join(house.folder, 'open'), HIDDEN.aboveTheAge, SEEN);
  await addLibraries('shut');
  for (const word of [HIDDEN.inLibraryOfOthers, HIDDEN.aboveTheAge]) {
    await settled(word);
    await addToLists(word);
  }
  await task('scan');
  await unchanged();
  // The child's own change comes after all that, and is the first that it is notified of.
  await ask(`/items/${ids['movie']?.[0]}/rating`, kid, 'PUT', { rating: 8 });
  await until('the child to be notified', () => child.heard.length > 1);
  const [hello, first] = child.heard;
  assert.deepEqual([first?.kind, (first?.id ?? 0) - (hello?.id ?? 0)], ['watching', 1]);
  child.close();
});

test('what is hidden by hand in the libraries of the child changes no reply', async () => {
  makeEveryKind(join(house.folder, 'open'), HIDDEN.byHand);
  makeUnratedParts(join(house.folder, 'open'), HIDDEN.byHand, SEEN);
  await task('scan');
  await settled(HIDDEN.byHand);
  await addToLists(HIDDEN.byHand);
  const all = await idsOf(HIDDEN.byHand, kid);
  // Artists are known by their tracks, seasons by their episodes, and extras by their films.
  const decided = kindNames(ITEM_KINDS).filter(
    (kind) => ['item', 'group'].includes(itemFacts(kind).role) && kind !== 'artist',
  );
  for (const id of decided.flatMap((kind) => all[kind] ?? []))
    await ask(`/profiles/${kidId}/items/${id}`, owner, 'PUT', { access: 'hidden' });
  await unchanged();
});

test('an id of something hidden is an id of nothing, wherever a request can have one', async (t) => {
  const sorts = [...kindNames(ITEM_KINDS), ...OTHER_SORTS];
  const [entry] = (await ask<{ items: { entry: string }[] }>(`/playlists/${lists.own}/items`, kid)).items;
  const own: Readonly<Record<string, string | undefined>> = {
    playlists: lists.own,
    'smart-playlists': lists.smart,
    collections: lists.collection,
    books: ids['book']?.[0],
    shows: ids['show']?.[0],
    entry: entry?.entry,
    before: entry?.entry,
  };
  const wordsTo = async (endpoint: Endpoint, id: string): Promise<string[]> => {
    const [, , , collection = ''] = endpoint.path.split('/');
    const others = (place: string) => own[place === 'id' ? collection : place] ?? ids['movie']?.[0] ?? '';
    const replies = await repliesTo({ house, kid }, requestsNaming(endpoint, id, others), new Set([id]));
    return [...replies.values()].map((reply) => reply.said.replaceAll(id, '<id>'));
  };
  let asked = 0;
  for (const word of Object.values(HIDDEN)) {
    const all = await idsOf(word, owner);
    // A hidden volume or issue has the series of those that are seen.
    const hiddenOf = (sort: string) => (all[sort] ?? []).filter((id) => !known().has(id));
    const missing = sorts.filter((sort) => hiddenOf(sort).length === 0);
    if (word !== HIDDEN.aboveTheAge) assert.deepEqual(missing, [], `nothing of these sorts is ${word}`);
    for (const { endpoint } of house.mounted) {
      if (!isForViewers(endpoint) || !canName(endpoint) || LEFT_OUT[nameOf(endpoint)] !== undefined) continue;
      const expected = await wordsTo(endpoint, ID_OF_NOTHING);
      for (const sort of sorts)
        for (const id of hiddenOf(sort).slice(0, 1)) {
          const at = `${nameOf(endpoint)} with the id of a hidden ${sort}, ${word}`;
          assert.deepEqual(await wordsTo(endpoint, id), expected, at);
          asked += expected.length;
        }
    }
  }
  await unchanged();
  t.diagnostic(`${asked} requests`);
});

test('endpoints that are left out exist', () => {
  const mounted = new Set(house.mounted.map(({ endpoint }) => nameOf(endpoint)));
  assert.deepEqual(
    Object.keys(LEFT_OUT).filter((name) => !mounted.has(name)),
    [],
  );
});

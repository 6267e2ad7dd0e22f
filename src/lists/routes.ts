/** Endpoints of lists, each tied to the operation that does it. */
import type { Catalog } from '../catalog/index.ts';
import { collections as collectionEndpoints } from '../contract/lists/collections.ts';
import { playlists as playlistEndpoints } from '../contract/lists/playlists.ts';
import { smartPlaylists as smartEndpoints } from '../contract/lists/smart-playlists.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import { sortedPage } from '../lib/json/page.ts';
import { listNameKey } from './covers.ts';
import type { ListDoor } from './index.ts';

const YEAR_S = 31_536_000;

export const listRoutes = (
  { playlists, smartPlaylists, collections }: ListDoor,
  { art }: Pick<Catalog, 'art'>,
): MountedEndpoint[] => [
  ...implement(playlistEndpoints, {
    list: (paging, { by }) => playlists.list(by, paging),
    create: (given, { by }) => playlists.create(by, given),
    read: ({ id }, { by }) => playlists.read(by, id),
    update: ({ id, ...change }, { by }) => playlists.update(by, id, change),
    remove: ({ id }, { by }) => playlists.remove(by, id),
    restore: ({ id }, { by }) => playlists.restore(by, id),
    removed: async (_, { by }) => {
      const items = await playlists.deleted(by);
      return { items, total: items.length };
    },
    entries: ({ id, ...query }, { by }) => playlists.entries.page(by, id, query),
    add: ({ id, ids }, { by }) => playlists.entries.add(by, id, ids),
    removeEntry: ({ id, entry }, { by }) => playlists.entries.remove(by, id, entry),
    restoreEntry: ({ id, entry }, { by }) => playlists.entries.restore(by, id, entry),
    order: ({ id, ...how }, { by }) => playlists.entries.move(by, id, how),
    queue: ({ id, from }, { by }) => playlists.entries.queue(by, id, from),
  }),
  ...implement(collectionEndpoints, {
    list: (query, { by }) => collections.list(by, query),
    create: (given, { by }) => collections.create(by, given),
    read: ({ id }, { by }) => collections.read(by, id),
    update: ({ id, ...edit }, { by }) => collections.update(by, id, edit),
    picture: async ({ id, width, v }, { by, signal }) => {
      const made = await art.make(await collections.picture(by, id), width, signal);
      return { ...made, cache: v === undefined ? 'private, no-cache' : `private, max-age=${YEAR_S}, immutable` };
    },
    setPicture: ({ id }, { by, bytes }) => collections.setPicture(by, id, bytes),
    remove: ({ id }, { by }) => collections.remove(by, id),
    removed: async (paging, { by }) =>
      sortedPage(await collections.deleted(by), { query: ['deleted collections'], keyOf: listNameKey, ...paging }),
    restore: ({ id }, { by }) => collections.restore(by, id),
    entries: ({ id, ...query }, { by }) => collections.entries.page(by, id, query),
    add: ({ id, ids }, { by }) => collections.entries.add(by, id, ids),
    removeEntry: ({ id, item }, { by }) => collections.entries.remove(by, id, item),
    restoreEntry: ({ id, item }, { by }) => collections.entries.restore(by, id, item),
    order: ({ id, ...how }, { by }) => collections.entries.move(by, id, how),
    queue: ({ id, from }, { by }) => collections.entries.queue(by, id, from),
    ofItem: async ({ id, ...paging }, { by }) => {
      const query = ['collections of an item', by.profile, id];
      return sortedPage(await collections.ofItem(by, id), { query, keyOf: listNameKey, ...paging });
    },
  }),
  ...implement(smartEndpoints, {
    list: (paging, { by }) => smartPlaylists.list(by, paging),
    create: (given, { by }) => smartPlaylists.create(by, given),
    preview: (question, { by }) => smartPlaylists.preview(by, question),
    read: ({ id }, { by }) => smartPlaylists.read(by, id),
    update: ({ id, ...change }, { by }) => smartPlaylists.update(by, id, change),
    remove: ({ id }, { by }) => smartPlaylists.remove(by, id),
    restore: ({ id }, { by }) => smartPlaylists.restore(by, id),
    removed: async (_, { by }) => {
      const items = await smartPlaylists.deleted(by);
      return { items, total: items.length };
    },
    entries: ({ id, ...query }, { by }) => smartPlaylists.page(by, id, query),
    queue: ({ id, from }, { by }) => smartPlaylists.queue(by, id, from),
  }),
];

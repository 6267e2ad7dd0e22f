/** Endpoints of lists, each tied to the operation that does it. */
import { playlists as playlistEndpoints } from '../contract/lists/playlists.ts';
import { smartPlaylists as smartEndpoints } from '../contract/lists/smart-playlists.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import type { ListDoor } from './index.ts';

export const listRoutes = ({ playlists, smartPlaylists }: ListDoor): MountedEndpoint[] => [
  ...implement(playlistEndpoints, {
    list: async (_, { by }) => {
      const items = await playlists.list(by);
      return { items, total: items.length };
    },
    create: (given, { by }) => playlists.create(by, given),
    read: ({ id }, { by }) => playlists.read(by, id),
    update: ({ id, ...change }, { by }) => playlists.update(by, id, change),
    remove: ({ id }, { by }) => playlists.remove(by, id),
    entries: ({ id, ...query }, { by }) => playlists.entries.page(by, id, query),
    add: ({ id, ids }, { by }) => playlists.entries.add(by, id, ids),
    removeEntry: ({ id, entry }, { by }) => playlists.entries.remove(by, id, entry),
    restoreEntry: ({ id, entry }, { by }) => playlists.entries.restore(by, id, entry),
    order: ({ id, ...how }, { by }) => playlists.entries.move(by, id, how),
    queue: ({ id, from }, { by }) => playlists.entries.queue(by, id, from),
  }),
  ...implement(smartEndpoints, {
    list: async (_, { by }) => {
      const items = await smartPlaylists.list(by);
      return { items, total: items.length };
    },
    create: (given, { by }) => smartPlaylists.create(by, given),
    preview: (question, { by }) => smartPlaylists.preview(by, question),
    read: ({ id }, { by }) => smartPlaylists.read(by, id),
    update: ({ id, ...change }, { by }) => smartPlaylists.update(by, id, change),
    remove: ({ id }, { by }) => smartPlaylists.remove(by, id),
    entries: ({ id, ...query }, { by }) => smartPlaylists.page(by, id, query),
    queue: ({ id, from }, { by }) => smartPlaylists.queue(by, id, from),
  }),
];

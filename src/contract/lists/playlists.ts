/** Playlists: items in an order that a Profile chooses. An item may be in a playlist more than once. */
import { z } from 'zod';
import { Card, Images } from '../catalog/cards.ts';
import { ITEM_KINDS, kindNames } from '../catalog/kinds.ts';
import { LIBRARY_READERS, OWN_DATA_WRITERS } from '../kernel/access.ts';
import { lineOfText, list, paging, Seconds, Time } from '../kernel/common.ts';
import { about, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';

/** Maximum number of entries of a playlist, and of playlists of a Profile. */
export const MAX_PLAYLIST_ENTRIES = 10_000;
export const MAX_PLAYLISTS = 500;
/** Maximum number of entries of all playlists of a Profile together: about 6 MB. */
export const MAX_ENTRIES_OF_PROFILE = 50_000;
/** Maximum number of playlists that a Profile shares: a list of playlists reads what others share. */
export const MAX_SHARED_PLAYLISTS = 50;
/** Maximum number of deleted playlists, and of smart ones, that a Profile can bring back. */
export const MAX_DELETED_PLAYLISTS = 50;
/** Maximum number of ids that are added at once. */
const MAX_ADDED_ITEMS = 500;
/** Maximum number of entries of a queue, and of covers of a playlist. */
export const MAX_QUEUE_ENTRIES = 1_000;
export const MAX_COVERS = 4;

export const Cover = z
  .strictObject({
    id: idOf('item', 'Id of the item.'),
    kind: z.enum(kindNames(ITEM_KINDS)).meta(about('Kind of item.', 'movie')),
    title: z.string().meta(about('Title of the item.', 'Charade')),
    images: Images,
  })
  .meta({ id: 'Cover', description: 'Item whose pictures stand for a list.' });
export type Cover = z.output<typeof Cover>;

const byPlaylist = z.strictObject({ id: idOf('playlist', 'Id of the playlist.') });
const byEntry = byPlaylist.extend({ entry: idOf('playlistEntry', 'Id of the entry.') });
const name = lineOfText(200).meta(about('Name of the playlist.', 'Rainy Sundays'));
const shared = z.boolean().meta(about('Whether other Profiles see it. They cannot change it.', false));
const ids = z
  .array(idOf('item', 'Id of an item or show.'))
  .max(MAX_ADDED_ITEMS)
  .meta(
    about('Ids of the items in their order. A show stands for the episodes that this Profile may see.', [
      EXAMPLE_IDS.item,
      EXAMPLE_IDS.episode,
    ]),
  );

export const Playlist = z
  .strictObject({
    id: idOf('playlist', 'Id of the playlist.'),
    name,
    shared,
    own: z.boolean().meta(about('Whether it belongs to this Profile, which can change it.', true)),
    owner: z.string().optional().meta(rarely('Name of the Profile that shares it.')),
    items: z.int().min(0).meta(about('Number of entries that this Profile may see.', 2)),
    duration: Seconds.meta(about('Length of all these entries together, in seconds.', 9805.3)),
    covers: z.array(Cover).max(MAX_COVERS).meta(about('The first different items, for a picture of the playlist.')),
  })
  .meta({ id: 'Playlist', description: 'Playlist as this Profile sees it.' });
export type Playlist = z.output<typeof Playlist>;

const Entry = z
  .strictObject({
    entry: idOf('playlistEntry', 'Id of the entry.'),
    item: Card,
    added: Time.meta(about('When it was added.', '2026-11-20T21:14:05.000Z')),
  })
  .meta({ id: 'PlaylistEntry', description: 'Entry of a playlist.' });
export type PlaylistEntry = z.output<typeof Entry>;

export const PlayQueue = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          entry: idOf('playlistEntry', 'Id of the entry.'),
          item: idOf('item', 'Id of the item that is played.'),
        }),
      )
      .max(MAX_QUEUE_ENTRIES)
      .meta(about('The entries in the order in which they are played.')),
    total: z.int().min(0).meta(about('Number of entries of the list from the first of these on.', 1)),
  })
  .meta({ id: 'PlayQueue', description: 'Entries to be played one after the other.' });
export type PlayQueue = z.output<typeof PlayQueue>;

export const DeletedPlaylists = z
  .strictObject({
    items: z
      .array(z.strictObject({ id: idOf('playlist', 'Id of the playlist.'), name }))
      .max(MAX_DELETED_PLAYLISTS)
      .meta(about('The playlists, the one that was deleted last first.')),
    total: z.int().min(0).meta(about('Number of playlists.', 1)),
  })
  .meta({ id: 'DeletedPlaylists', description: 'Playlists of this Profile that can be brought back.' });

export const playlists = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/playlists',
    summary: 'List the playlists of this Profile and those that others share, by name',
    description:
      'Numbers, lengths and pictures are of the entries that this Profile may see. A shared playlist without such an ' +
      'entry is left out.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({ ...paging }),
    result: list(Playlist),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/playlists',
    summary: 'Make a playlist',
    description: 'Only this Profile sees it, unless it is shared.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    body: z.strictObject({ name, shared: shared.optional(), ids: ids.optional() }),
    result: Playlist,
    status: 201,
    fails: ['no-such-item', 'playlist-full', 'too-many-playlists', 'too-many-entries', 'too-many-shared'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/playlists/{id}',
    summary: 'One playlist',
    description: 'Returns a playlist without its entries.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byPlaylist,
    result: Playlist,
    fails: ['no-such-playlist'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/playlists/{id}',
    summary: 'Change the name of a playlist, or whether it is shared',
    description: 'Changes what is sent and keeps the rest.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byPlaylist,
    body: z.strictObject({ name: name.optional(), shared: shared.optional() }),
    result: Playlist,
    fails: ['no-such-playlist', 'playlist-read-only', 'too-many-shared'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/playlists/{id}',
    summary: 'Delete a playlist',
    description: 'The items stay. It can be brought back with its entries for 30 days.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byPlaylist,
    result: NOTHING,
    fails: ['no-such-playlist', 'playlist-read-only'],
  }),
  removed: endpoint({
    method: 'GET',
    path: '/api/v1/playlists/deleted',
    summary: 'List deleted playlists',
    description: 'Returns the playlists that this Profile deleted in the last 30 days, at most 50.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    result: DeletedPlaylists,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/playlists/{id}/restore',
    summary: 'Bring back a deleted playlist',
    description: 'It has its name, order and entries again, and is shared if it was.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byPlaylist,
    body: z.strictObject({}),
    result: Playlist,
    fails: ['no-such-playlist', 'too-many-playlists', 'too-many-shared'],
  }),
  entries: endpoint({
    method: 'GET',
    path: '/api/v1/playlists/{id}/items',
    summary: 'List the entries of a playlist in their order',
    description: 'Entries that this Profile may not see are left out.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byPlaylist,
    query: z.strictObject({ ...paging }),
    result: list(Entry),
    fails: ['no-such-playlist'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/v1/playlists/{id}/items',
    summary: 'Add items at the end of a playlist, all or none',
    description: 'An item that is in the playlist already is added once more.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byPlaylist,
    body: z.strictObject({ ids: ids.min(1) }),
    result: z
      .strictObject({
        added: z.int().min(0).meta(about('Number of entries that were added.', 2)),
        total: z.int().min(0).meta(about('Number of entries that the playlist has now.', 4)),
      })
      .meta({ id: 'AddedEntries', description: 'Result of adding items to a playlist.' }),
    status: 201,
    fails: ['no-such-playlist', 'playlist-read-only', 'no-such-item', 'playlist-full', 'too-many-entries'],
  }),
  removeEntry: endpoint({
    method: 'DELETE',
    path: '/api/v1/playlists/{id}/items/{entry}',
    summary: 'Remove an entry from a playlist',
    description: 'The item stays, and so do other entries of it. The removal can be undone for a day.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byEntry,
    result: NOTHING,
    fails: ['no-such-playlist', 'playlist-read-only', 'no-such-entry'],
  }),
  restoreEntry: endpoint({
    method: 'PUT',
    path: '/api/v1/playlists/{id}/items/{entry}',
    summary: 'Bring back an entry that was removed',
    description: 'It comes back at its place. The last hundred of a playlist can be brought back, for a day.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byEntry,
    result: NOTHING,
    fails: ['no-such-playlist', 'playlist-read-only', 'no-such-entry', 'playlist-full'],
  }),
  order: endpoint({
    method: 'PUT',
    path: '/api/v1/playlists/{id}/order',
    summary: 'Move an entry of a playlist',
    description: 'Puts an entry directly before another one, or at the end.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byPlaylist,
    body: z.strictObject({
      entry: idOf('playlistEntry', 'Id of the entry that is moved.'),
      before: z
        .union([idOf('playlistEntry', 'Id of the entry that follows it.'), z.null()])
        .meta(about('Id of the entry that follows it afterwards. null: it becomes the last one.', null)),
    }),
    result: NOTHING,
    fails: ['no-such-playlist', 'playlist-read-only', 'no-such-entry'],
  }),
  queue: endpoint({
    method: 'GET',
    path: '/api/v1/playlists/{id}/queue',
    summary: 'The play queue of a playlist',
    description: 'Returns up to a thousand entries from the first one on, or from one that is named.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byPlaylist,
    query: z.strictObject({
      from: idOf('playlistEntry', 'Id of the entry to begin with. Left out: the first one.').optional(),
    }),
    result: PlayQueue,
    fails: ['no-such-playlist', 'no-such-entry'],
  }),
};

/** Smart playlists: the items that match rules at the moment they are read, as the Profile that reads them. */
import { z } from 'zod';
import { Card } from '../catalog/cards.ts';
import { NewRules, RuleLimit, Rules, RuleSort } from '../catalog/rules.ts';
import { LIBRARY_READERS, OWN_DATA_WRITERS } from '../kernel/access.ts';
import { lineOfText, list, paging, Seconds } from '../kernel/common.ts';
import { about, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Cover, DeletedPlaylists, MAX_COVERS, PlayQueue } from './playlists.ts';

/** Maximum number of items that a preview shows. */
export const MAX_PREVIEWED_ITEMS = 12;
/** Maximum bytes of the rules of all smart playlists of a Profile: 2 kB for each of 500, or 64 of the largest. */
export const MAX_RULE_BYTES_OF_PROFILE = 1024 * 1024;

const byPlaylist = z.strictObject({ id: idOf('playlist', 'Id of the smart playlist.') });
const name = lineOfText(200).meta(about('Name of the smart playlist.', 'Unwatched comedies'));
const question = { rules: NewRules, sort: RuleSort.optional(), limit: RuleLimit.optional() };

const SmartPlaylist = z
  .strictObject({
    id: idOf('playlist', 'Id of the smart playlist.'),
    name,
    rules: Rules,
    sort: RuleSort,
    limit: RuleLimit.optional(),
    items: z.int().min(0).meta(about('Number of items that match now.', 1)),
    duration: Seconds.meta(about('Length of all these items together, in seconds.', 6805.3)),
    covers: z.array(Cover).max(MAX_COVERS).meta(about('The first items, for a picture of the smart playlist.')),
  })
  .meta({ id: 'SmartPlaylist', description: 'Smart playlist of this Profile.' });
export type SmartPlaylist = z.output<typeof SmartPlaylist>;
const ListedSmartPlaylist = SmartPlaylist.omit({ rules: true }).meta({
  id: 'ListedSmartPlaylist',
  description: 'Smart playlist of this Profile, without its rules.',
});
export type ListedSmartPlaylist = z.output<typeof ListedSmartPlaylist>;

const Entry = z
  .strictObject({ entry: idOf('item', 'Id of the entry: that of its item.'), item: Card })
  .meta({ id: 'SmartPlaylistEntry', description: 'Item of a smart playlist.' });

export const smartPlaylists = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/smart-playlists',
    summary: 'List the smart playlists of this Profile, by name',
    description:
      'Smart playlists are private to their Profile. The rules of one are in the reply about it alone. A page ends ' +
      'early where counting what matches takes long, so only `nextCursor` says whether there are more.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({ ...paging }),
    result: list(ListedSmartPlaylist),
    fails: ['too-busy'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/smart-playlists',
    summary: 'Make a smart playlist',
    description:
      'Finds what can be played: films, episodes, tracks, audiobooks and clips. Without `sort`, they are sorted by ' +
      'title.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    body: z.strictObject({ name, ...question }),
    result: SmartPlaylist,
    status: 201,
    fails: ['too-many-playlists', 'too-many-rules', 'too-busy'],
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/v1/smart-playlists/preview',
    summary: 'Count what rules match, without saving them',
    description: 'Returns the number of matching items, and the first of them.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    body: z.strictObject(question),
    result: z
      .strictObject({
        total: z.int().min(0).meta(about('Number of items that match.', 1)),
        duration: Seconds.meta(about('Length of all of them together, in seconds.', 6805.3)),
        items: z.array(Card).max(MAX_PREVIEWED_ITEMS).meta(about('The first items in the order.')),
      })
      .meta({ id: 'RulePreview', description: 'Items that rules match.' }),
    fails: ['too-busy'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/smart-playlists/{id}',
    summary: 'One smart playlist',
    description: 'Returns the rules, and how many items match them now.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byPlaylist,
    result: SmartPlaylist,
    fails: ['no-such-playlist', 'too-busy'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/smart-playlists/{id}',
    summary: 'Change a smart playlist',
    description: 'Changes what is sent and keeps the rest. A `limit` of null removes the limit.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byPlaylist,
    body: z.strictObject({
      name: name.optional(),
      rules: NewRules.optional(),
      sort: RuleSort.optional(),
      limit: z.union([RuleLimit, z.null()]).optional().meta(rarely('Maximum number of items. null removes the limit.')),
    }),
    result: SmartPlaylist,
    fails: ['no-such-playlist', 'too-many-rules', 'too-busy'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/smart-playlists/{id}',
    summary: 'Delete a smart playlist',
    description: 'The items stay. It can be brought back with its rules for 30 days.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byPlaylist,
    result: NOTHING,
    fails: ['no-such-playlist'],
  }),
  removed: endpoint({
    method: 'GET',
    path: '/api/v1/smart-playlists/deleted',
    summary: 'List deleted smart playlists',
    description: 'Returns the smart playlists that this Profile deleted in the last 30 days, at most 50.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    result: DeletedPlaylists,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/smart-playlists/{id}/restore',
    summary: 'Bring back a deleted smart playlist',
    description: 'It has its name and rules again.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byPlaylist,
    body: z.strictObject({}),
    result: SmartPlaylist,
    fails: ['no-such-playlist', 'too-many-playlists', 'too-many-rules', 'too-busy'],
  }),
  entries: endpoint({
    method: 'GET',
    path: '/api/v1/smart-playlists/{id}/items',
    summary: 'List the items of a smart playlist',
    description: 'Returns the items that match now, in the order of the smart playlist.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byPlaylist,
    query: z.strictObject({ ...paging }),
    result: list(Entry),
    fails: ['no-such-playlist', 'too-busy'],
  }),
  queue: endpoint({
    method: 'GET',
    path: '/api/v1/smart-playlists/{id}/queue',
    summary: 'The play queue of a smart playlist',
    description: 'Returns up to a thousand items from the first one on, or from one that is named.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byPlaylist,
    query: z.strictObject({
      from: idOf(
        'item',
        `Id of the item to begin with, such as ${EXAMPLE_IDS.item}. Left out: the first one.`,
      ).optional(),
    }),
    result: PlayQueue,
    fails: ['no-such-playlist', 'no-such-entry', 'too-busy'],
  }),
};

/**
 * Collections: films and other works that belong together. Some are made by an Owner; others follow from the sets that
 * NFO files and TMDB name. They are the same for all Profiles, and each sees them with the items that it may see.
 */
import { z } from 'zod';
import { Card } from '../catalog/cards.ts';
import { MAX_UPLOAD_BYTES, UPLOAD_TYPES } from '../kernel/pictures.ts';
import { LIBRARY_READERS, OWNER_READERS, OWNERS } from '../kernel/access.ts';
import { integer, lineOfText, list, paging, Seconds } from '../kernel/common.ts';
import { about, byItem, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Cover, MAX_COVERS, PlayQueue } from './playlists.ts';

/** Maximum number of items of a collection that Owners added, and of collections that they made. */
export const MAX_COLLECTION_ITEMS = 2_000;
export const MAX_COLLECTIONS = 1_000;
/** Maximum number of ids that are added at once. */
const MAX_COLLECTED_AT_ONCE = 500;
const MAX_DESCRIPTION = 2_000;

const byCollection = z.strictObject({ id: idOf('collection', 'Id of the collection.') });
const byCollected = byCollection.extend({ item: idOf('item', 'Id of the item.') });
const name = lineOfText(200).meta(about('Name of the collection.', 'Stanley Donen'));
const description = z
  .string()
  .max(MAX_DESCRIPTION)
  .meta(about('Text about the collection.', 'His comedies, the oldest first.'));
const order = z
  .enum(['released', 'given'])
  .meta(about('Order of the items: by their release, or as an Owner put them.', 'released'));
const picture = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'expected a picture')
  .meta(about('Uploaded picture, which has precedence over those of the items.', 'b1946ac92492d2347c6235b4d2611184'));
const ids = z
  .array(idOf('item', 'Id of a film, show, album or book.'))
  .max(MAX_COLLECTED_AT_ONCE)
  .meta(about('Ids of the items.', [EXAMPLE_IDS.item]));

export const Collection = z
  .strictObject({
    id: idOf('collection', 'Id of the collection.'),
    name,
    description: description.optional(),
    overview: z
      .string()
      .optional()
      .meta(rarely('Text of TMDB about the set. Left out if an Owner has written a text.')),
    source: z
      .enum(['owner', 'sets'])
      .meta(about('Whether an Owner made it, or it follows from the sets that files and TMDB name.', 'owner')),
    order,
    items: z.int().min(0).meta(about('Number of items that this Profile may see.', 2)),
    duration: Seconds.meta(about('Length of all these items together, in seconds.', 12_805.3)),
    picture: picture.optional(),
    poster: picture
      .optional()
      .meta(rarely('Version of the poster of the set at TMDB. Left out if an Owner has chosen another picture.')),
    cover: idOf('item', 'Id of the item whose poster was chosen as the picture.').optional(),
    covers: z
      .array(Cover)
      .max(MAX_COVERS)
      .meta(about('Items whose posters are the picture: the chosen one, or the first ones.')),
    pending: z
      .literal(true)
      .optional()
      .meta(rarely('Set while text and poster are being fetched. Only in the reply about one collection.')),
  })
  .meta({ id: 'Collection', description: 'Collection as this Profile sees it.' });
export type Collection = z.output<typeof Collection>;

const Entry = z
  .strictObject({ entry: idOf('item', 'Id of the entry: that of its item.'), item: Card })
  .meta({ id: 'CollectionEntry', description: 'Item of a collection.' });

const Membership = z
  .strictObject({
    id: idOf('collection', 'Id of the collection.'),
    name,
    position: z.int().min(1).meta(about('Position of the item in it, from 1.', 1)),
    items: z.int().min(1).meta(about('Number of items of it that this Profile may see.', 2)),
    next: Card.optional().meta(rarely('The item after this one; left out for the last.')),
  })
  .meta({ id: 'CollectionMembership', description: 'Collection that an item is in.' });
export type CollectionMembership = z.output<typeof Membership>;

const DeletedCollection = z
  .strictObject({ id: idOf('collection', 'Id of the collection.'), name })
  .meta({ id: 'DeletedCollection', description: 'Collection that was deleted.' });

export const collections = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/collections',
    summary: 'List collections by name',
    description:
      'Numbers, lengths and pictures are of the items that this Profile may see. A collection without such an item ' +
      'is left out; Owners also see their empty ones.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({
      ...paging,
      q: lineOfText(200).optional().meta(about('Words that names begin with.', 'stan')),
    }),
    result: list(Collection),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/collections',
    summary: 'Make a collection',
    description: 'A set of the same name joins it.',
    access: OWNERS,
    body: z.strictObject({ name, description: description.optional(), ids: ids.optional() }),
    result: Collection,
    status: 201,
    fails: ['no-such-item', 'not-collectable', 'too-many-collections'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/collections/{id}',
    summary: 'One collection',
    description: 'Returns a collection without its items.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byCollection,
    result: Collection,
    fails: ['no-such-collection'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/collections/{id}',
    summary: 'Change name, text, order or picture of a collection',
    description: 'Changes what is sent and keeps the rest. A name by hand stays when the library is scanned.',
    access: OWNERS,
    params: byCollection,
    body: z.strictObject({
      name: name.optional(),
      description: z.union([description, z.null()]).optional().meta(rarely('Text about it; null removes it.')),
      order: order.optional(),
      cover: z
        .union([idOf('item', 'Id of an item of the collection.'), z.null()])
        .optional()
        .meta(rarely('Item whose poster becomes the picture. null: the first ones.')),
      picture: z
        .union([picture, z.null()])
        .optional()
        .meta(rarely('Picture that was uploaded less than a day ago. null: those of the items.')),
    }),
    result: Collection,
    fails: ['no-such-collection', 'no-such-entry', 'no-such-picture'],
  }),
  picture: endpoint({
    method: 'GET',
    path: '/api/v1/collections/{id}/picture',
    summary: 'Picture of a collection in one of several fixed widths',
    description:
      'Returns the picture that an Owner uploaded, else the poster of the set at TMDB. Without one the posters of ' +
      'its items are the picture.',
    access: LIBRARY_READERS,
    params: byCollection,
    query: z.strictObject({
      width: integer(1, 4000)
        .default(320)
        .meta({ description: 'Width in pixels; the reply has the next larger fixed width.' }),
      v: picture
        .optional()
        .meta(about('The picture; with it the reply may be cached for a year.', 'b1946ac92492d2347c6235b4d2611184')),
    }),
    result: { bytes: ['image/webp', 'image/jpeg', 'image/png'] },
    fails: ['no-such-collection', 'no-such-picture', 'picture-unreadable', 'too-busy'],
  }),
  setPicture: endpoint({
    method: 'PUT',
    path: '/api/v1/collections/{id}/picture',
    summary: 'Upload a picture for a collection',
    description:
      'The body is a picture of at most 16 MiB and 50 megapixels, which is encoded again. The picture before it can ' +
      'be chosen again for a day.',
    access: OWNERS,
    params: byCollection,
    takes: { form: 'bytes', maxBytes: MAX_UPLOAD_BYTES, types: UPLOAD_TYPES },
    result: Collection,
    fails: ['no-such-collection', 'picture-not-readable', 'picture-too-large'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/collections/{id}',
    summary: 'Delete a collection',
    description: 'The items stay. Sets do not make it again. It can be brought back at any time.',
    access: OWNERS,
    params: byCollection,
    result: NOTHING,
    fails: ['no-such-collection'],
  }),
  removed: endpoint({
    method: 'GET',
    path: '/api/v1/collections/deleted',
    summary: 'List deleted collections',
    description: 'Returns the collections that Owners deleted and can bring back, by name.',
    access: OWNER_READERS,
    query: z.strictObject({ ...paging }),
    result: list(DeletedCollection),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/collections/{id}/restore',
    summary: 'Bring back a deleted collection',
    description: 'It has its name, order, picture and items again.',
    access: OWNERS,
    params: byCollection,
    body: z.strictObject({}),
    result: Collection,
    fails: ['no-such-collection'],
  }),
  entries: endpoint({
    method: 'GET',
    path: '/api/v1/collections/{id}/items',
    summary: 'List the items of a collection in its order',
    description: 'Items that this Profile may not see are left out.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byCollection,
    query: z.strictObject({ ...paging }),
    result: list(Entry),
    fails: ['no-such-collection'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/v1/collections/{id}/items',
    summary: 'Add items to a collection, all or none',
    description: 'An item that is in it already stays where it is.',
    access: OWNERS,
    params: byCollection,
    body: z.strictObject({ ids: ids.min(1) }),
    result: z
      .strictObject({
        added: z.int().min(0).meta(about('Number of items that were not in it.', 1)),
        total: z.int().min(0).meta(about('Number of items that it has now.', 2)),
      })
      .meta({ id: 'CollectedItems', description: 'Result of adding items to a collection.' }),
    status: 201,
    fails: ['no-such-collection', 'no-such-item', 'not-collectable', 'collection-full'],
  }),
  removeEntry: endpoint({
    method: 'DELETE',
    path: '/api/v1/collections/{id}/items/{item}',
    summary: 'Remove an item from a collection',
    description: 'Sets do not add it again. The item itself stays.',
    access: OWNERS,
    params: byCollected,
    result: NOTHING,
    fails: ['no-such-collection', 'no-such-entry'],
  }),
  restoreEntry: endpoint({
    method: 'PUT',
    path: '/api/v1/collections/{id}/items/{item}',
    summary: 'Bring back an item that was removed',
    description: 'It comes back at its place.',
    access: OWNERS,
    params: byCollected,
    result: NOTHING,
    fails: ['no-such-collection', 'no-such-entry'],
  }),
  order: endpoint({
    method: 'PUT',
    path: '/api/v1/collections/{id}/order',
    summary: 'Move an item of a collection',
    description: 'Puts an item directly before another one, or at the end. The order is by hand from then on.',
    access: OWNERS,
    params: byCollection,
    body: z.strictObject({
      entry: idOf('item', 'Id of the item that is moved.'),
      before: z
        .union([idOf('item', 'Id of the item that follows it.'), z.null()])
        .meta(about('Id of the item that follows it afterwards. null: it becomes the last one.', null)),
    }),
    result: NOTHING,
    fails: ['no-such-collection', 'no-such-entry'],
  }),
  queue: endpoint({
    method: 'GET',
    path: '/api/v1/collections/{id}/queue',
    summary: 'The play queue of a collection',
    description: 'Returns up to a thousand items that play one after the other. A show stands for its episodes.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byCollection,
    query: z.strictObject({
      from: idOf('item', 'Id of the item to begin with. Left out: the first one.').optional(),
    }),
    result: PlayQueue,
    fails: ['no-such-collection', 'no-such-entry'],
  }),
  ofItem: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/collections',
    summary: 'List the collections that an item is in',
    description: 'Each with the position of the item, and the item after it.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byItem,
    query: z.strictObject({ ...paging }),
    result: list(Membership),
    fails: ['no-such-item'],
  }),
};

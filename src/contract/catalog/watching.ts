/** Endpoints of what a Profile watches: progress, continue watching, its list, its history, and marking many items. */
import { about, byItem, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { LIBRARY_READERS, OWN_DATA_WRITERS } from '../kernel/access.ts';
import { paging, Seconds, Time } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Card, UserData } from './cards.ts';

/** Maximum number of ids that one change of many items takes. */
const MAX_CHANGED_ITEMS = 500;

const byChange = z.strictObject({ id: idOf('watchChange', 'Id of the change, from its reply.') });
const byShow = z.strictObject({ id: idOf('show', 'Id of the show.') });
const byEntry = z.strictObject({ id: idOf('history', 'Id of the entry, from the history.') });

export const watching = {
  progress: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/progress',
    summary:
      'Save the position of this Profile in an item. In a session, a sequence that is not above the last one is stale',
    description:
      'A player sends it every few seconds and when it stops. An item that is played almost to the end ' +
      'counts as watched.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byItem,
    body: z.strictObject({
      position: Seconds.max(1_000_000).meta(about('Position in seconds.', 1810.5)),
      watched: z
        .boolean()
        .optional()
        .meta(about('Marks the item as watched or unwatched, whatever the position is.', false)),
      paused: z
        .boolean()
        .optional()
        .meta(
          about(
            'Whether it is paused. A pause does not count as time of a day, but what is sent meanwhile does.',
            false,
          ),
        ),
      session: z
        .string()
        .regex(/^[A-Za-z0-9_-]{8,64}$/)
        .optional()
        .meta(about('Id of the playback session, from the plan.', EXAMPLE_IDS.playback)),
      sequence: z
        .int()
        .min(0)
        .optional()
        .meta(about('Number of this report in its session, each higher than the last.', 42)),
    }),
    result: UserData,
    fails: ['no-such-item', 'stale-progress'],
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/api/v1/items/{id}/continue-watching',
    summary: 'Remove an item from continue watching; its history is kept',
    description: 'The position is forgotten, so that the item starts from the beginning next time.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byItem,
    result: NOTHING,
    fails: ['no-such-item'],
  }),
  hideNextUp: endpoint({
    method: 'DELETE',
    path: '/api/v1/shows/{id}/next-up',
    summary: 'Hide a show from next up until one of its episodes is played',
    description: 'Nothing is marked, and positions are kept.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byShow,
    result: NOTHING,
    fails: ['no-such-show'],
  }),
  showNextUp: endpoint({
    method: 'PUT',
    path: '/api/v1/shows/{id}/next-up',
    summary: 'Show a show in next up again',
    description: 'Undoes hiding it.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byShow,
    result: NOTHING,
    fails: ['no-such-show'],
  }),
  list: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/list',
    summary: 'Add an item to My List, or remove it',
    description: 'Returns the state of the item for this Profile.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byItem,
    body: z.strictObject({ listed: z.boolean().meta(about('true adds it, false removes it.', true)) }),
    result: UserData,
    fails: ['no-such-item'],
  }),
  rate: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/rating',
    summary: 'Rate an item, or remove the rating',
    description: 'The rating belongs to this Profile; others neither see nor change it. Shows can be rated, too.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byItem,
    body: z.strictObject({
      rating: z
        .union([z.number().min(0).max(10), z.null()])
        .meta(about('Rating from 0 to 10, with halves or finer steps. null removes it.', 8)),
    }),
    result: UserData,
    fails: ['no-such-item'],
  }),
  change: endpoint({
    method: 'POST',
    path: '/api/v1/watching/changes',
    summary: 'Mark many items as watched or unwatched, or add them to My List or remove them, all or none',
    description:
      'An item that already is as asked stays as it is, with its position. For a show, `watched` and `unwatched` ' +
      'mark each episode that the Profile may see.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    body: z.strictObject({
      ids: z
        .array(idOf('item', 'Id of an item or show.'))
        .min(1)
        .max(MAX_CHANGED_ITEMS)
        .meta(about('Ids of the items. One that is given twice counts once.', [EXAMPLE_IDS.item, EXAMPLE_IDS.episode])),
      mark: z
        .enum(['watched', 'unwatched', 'listed', 'unlisted'])
        .meta(about('What the items become. `listed` adds them to My List, `unlisted` removes them.', 'watched')),
    }),
    result: z
      .strictObject({
        id: idOf('watchChange', 'Id of the change, to undo it. Left out if nothing changed.').optional(),
        changed: z.int().min(0).meta(about('Number of items and episodes that were changed.', 2)),
      })
      .meta({ id: 'WatchingChange', description: 'Change of many items.' }),
    fails: ['no-such-item', 'too-many-episodes'],
  }),
  undoChange: endpoint({
    method: 'DELETE',
    path: '/api/v1/watching/changes/{id}',
    summary: 'Undo a change of many items',
    description:
      'Each item becomes exactly as it was, with its position and its place on the list, and entries that the change ' +
      'added to the history are removed. An item that was changed again in the meantime stays as it is. The latest ' +
      'changes can be undone, until the server stops.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byChange,
    result: NOTHING,
    fails: ['no-such-change'],
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/v1/history',
    summary: 'List what this Profile has watched, newest first',
    description: 'Returns each time that the Profile watched something, a page at a time.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    query: z.strictObject({ ...paging }),
    result: z
      .strictObject({
        items: z
          .array(
            z.strictObject({
              id: idOf('history', 'Id of the entry, to remove it.'),
              item: Card,
              at: Time.meta(about('When it was watched.', '2026-11-20T21:14:05.000Z')),
              position: Seconds.meta(about('Position that was reached, in seconds.', 1810.5)),
              watched: z.boolean().meta(about('Whether it was watched to the end.', false)),
            }),
          )
          .meta(about('Entries of this page.')),
        total: z.int().min(0).meta(about('Number of entries on all pages.', 1)),
        nextCursor: z.string().optional().meta(rarely('Cursor of the next page. Left out on the last one.')),
      })
      .meta({ id: 'HistoryPage', description: 'Page of the watch history, newest first.' }),
  }),
  removeItemHistory: endpoint({
    method: 'DELETE',
    path: '/api/v1/items/{id}/history',
    summary: 'Remove every entry of an item from the watch history of this Profile',
    description: 'The item keeps its position and whether it is watched.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byItem,
    result: NOTHING,
    fails: ['no-such-item', 'no-such-history-entry'],
  }),
  restoreItemHistory: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/history',
    summary: 'Bring back the entries of an item that were removed together',
    description: 'Undoes the last removal. The last hundred entries can be brought back, for a day.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byItem,
    result: NOTHING,
    fails: ['no-such-item', 'no-such-history-entry'],
  }),
  removeHistory: endpoint({
    method: 'DELETE',
    path: '/api/v1/history/{id}',
    summary: 'Remove an entry from the watch history of this Profile',
    description:
      'The item keeps its position and whether it is watched. An entry of a playback that is still ' +
      'running comes back ' +
      'with its next report.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byEntry,
    result: NOTHING,
    fails: ['no-such-history-entry'],
  }),
  restoreHistory: endpoint({
    method: 'PUT',
    path: '/api/v1/history/{id}',
    summary: 'Bring back an entry that was removed',
    description: 'Undoes a removal. The last hundred can be undone, for a day.',
    access: OWN_DATA_WRITERS,
    reach: 'everywhere',
    params: byEntry,
    result: NOTHING,
    fails: ['no-such-history-entry'],
  }),
};

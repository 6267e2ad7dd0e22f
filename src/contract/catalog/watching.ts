/** Endpoints of what a Profile watches: progress, continue watching, its list, and its history. */
import { z } from 'zod';
import { LIBRARY_READERS, OWN_DATA_WRITERS } from '../kernel/access.ts';
import { byId, paging, Seconds, Time } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Card, UserData } from './cards.ts';

export const watching = {
  progress: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/progress',
    summary:
      'Save the position of this Profile in an item. In a session, a sequence that is not above the last one is stale',
    access: OWN_DATA_WRITERS,
    params: byId,
    body: z.strictObject({
      position: Seconds.max(1_000_000),
      watched: z.boolean().optional(),
      session: z
        .string()
        .regex(/^[A-Za-z0-9_-]{8,64}$/)
        .optional(),
      sequence: z.int().min(0).optional(),
    }),
    result: UserData,
    fails: ['no-such-item', 'stale-progress'],
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/api/v1/items/{id}/continue-watching',
    summary: 'Remove an item from continue watching; its history is kept',
    access: OWN_DATA_WRITERS,
    params: byId,
    result: NOTHING,
    fails: ['no-such-item'],
  }),
  list: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/list',
    summary: 'Add an item to My List, or remove it',
    access: OWN_DATA_WRITERS,
    params: byId,
    body: z.strictObject({ listed: z.boolean() }),
    result: UserData,
    fails: ['no-such-item'],
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/v1/history',
    summary: 'List what this Profile has watched, newest first',
    access: LIBRARY_READERS,
    query: z.strictObject({ ...paging }),
    result: z
      .strictObject({
        items: z.array(z.strictObject({ item: Card, at: Time, position: Seconds, watched: z.boolean() })),
        total: z.int().min(0),
        nextCursor: z.string().optional(),
      })
      .meta({ id: 'HistoryPage' }),
  }),
};

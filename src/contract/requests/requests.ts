/** Requests: a Viewer asks for a title or for more time, and an Owner answers. */
import { z } from 'zod';
import { ITEM_KINDS, kindNames } from '../catalog/kinds.ts';
import { Face, MAX_DAILY_MINUTES } from '../identity/profiles.ts';
import { OWNERS, READERS_AT_ANY_HOUR, WRITERS_AT_ANY_HOUR } from '../kernel/access.ts';
import { lineOfText, Time } from '../kernel/common.ts';
import { about, idOf, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { MAX_ASKED_MINUTES, MAX_LISTED_REQUESTS, MAX_REQUEST_WORDS, MIN_ASKED_MINUTES } from './limits.ts';

const REQUEST_KINDS = ['item', 'time'] as const;
const byRequest = z.strictObject({ id: idOf('request', 'Id of the request.') });
const kind = z.enum(REQUEST_KINDS).meta(about('item: a title. time: more time to watch.', 'item'));
const words = lineOfText(MAX_REQUEST_WORDS);

const Answer = z
  .strictObject({
    at: Time.meta(about('When an Owner answered.', '2026-11-21T17:45:00.000Z')),
    lasting: z
      .enum(['once', 'always'])
      .optional()
      .meta(about('Whether it was approved once or for good. Left out: it was declined.', 'once')),
    item: z
      .strictObject({
        id: idOf('item', 'Id of the item.'),
        kind: z.enum(kindNames(ITEM_KINDS)).meta(about('Kind of item.', 'movie')),
        title: z.string().meta(about('Title of the item.', 'Charade')),
      })
      .optional()
      .meta(about('Item that was allowed. Left out once the caller may not see it.')),
    minutes: z.int().optional().meta(rarely('Minutes that were added today, or those of every day from now on.')),
    until: Time.optional().meta(about('Until when it was approved once.', '2026-11-28T17:45:00.000Z')),
    word: words.optional().meta(about('What the Owner wrote.', 'Enjoy it')),
  })
  .meta({ id: 'RequestAnswer', description: 'Answer of an Owner to a request.' });

export const Request = z
  .strictObject({
    id: idOf('request', 'Id of the request.'),
    profile: z
      .strictObject({
        id: idOf('profile', 'Id of the Viewer.'),
        name: z.string().meta(about('Name of the Viewer.', 'Ben')),
        face: Face,
      })
      .meta(about('Viewer that asks.')),
    kind,
    words: words.optional().meta(about('Title as the Viewer wrote it, of a request for one.', 'that film in Paris')),
    minutes: z.int().optional().meta(rarely('Minutes that the Viewer asks for.')),
    createdAt: Time.meta(about('When it was made.', '2026-11-21T17:30:00.000Z')),
    state: z.enum(['open', 'approved', 'declined']).meta(about('open: no Owner has answered yet.', 'approved')),
    answer: Answer.optional(),
    seen: z.boolean().meta(about('Whether the Viewer has seen the answer.', false)),
  })
  .meta({ id: 'Request', description: 'Request of a Viewer.' });
export type Request = z.output<typeof Request>;

export const requests = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/requests',
    summary: 'Requests: those of this Profile, or for an Owner those of everybody',
    description:
      'Lists the requests of the last 30 days, the newest first and 200 at most. A change is announced on the event ' +
      'stream as `requests`, to the Viewer and to all Owners. Also outside the viewing hours.',
    access: READERS_AT_ANY_HOUR,
    reach: 'everywhere',
    result: z.strictObject({
      items: z.array(Request).max(MAX_LISTED_REQUESTS).meta(about('The requests.')),
      total: z.int().min(0).meta(about('Number of requests in the list.', 1)),
      open: z.int().min(0).meta(about('Number of those that are not answered.', 0)),
      unseen: z.int().min(0).meta(about('Number of answers that this Viewer has not seen.', 1)),
    }),
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/v1/requests',
    summary: 'Ask for a title, or for more time',
    description:
      'A title is asked for in the words of the Viewer and never by an id: the server looks nothing up and replies ' +
      'the same whether it has such a title or not, so that nothing is learned of items that a policy hides. An ' +
      'Owner reads the words and chooses the item. Time is asked for in minutes, also outside the viewing hours. A ' +
      'Profile has at most 20 open requests, and asks ten times in ten minutes and 60 times a day at most. A Profile ' +
      'that was opened on a household device may ask, too.',
    access: WRITERS_AT_ANY_HOUR,
    reach: 'everywhere',
    body: z.strictObject({
      kind,
      words: words.optional().meta(about('Title to ask for.', 'that film in Paris')),
      minutes: z
        .int()
        .min(MIN_ASKED_MINUTES)
        .max(MAX_ASKED_MINUTES)
        .optional()
        .meta({ description: 'Minutes to ask for. Left out: 30.', examples: [] }),
    }),
    result: Request,
    status: 201,
    fails: [
      'request-incomplete',
      'requests-viewers-only',
      'already-asked',
      'too-many-requests',
      'time-not-limited',
      'asked-too-often',
    ],
  }),
  answer: endpoint({
    method: 'PUT',
    path: '/api/v1/requests/{id}',
    summary: 'Approve a request once or for good, or decline it',
    description:
      'An item that is approved once is shown for seven days, whatever its rating; for good, it is allowed as by ' +
      'hand. Minutes that are approved once count for today only and open the viewing hours for so long; for good, ' +
      '`minutes` are those of every day from now on. What the item needs beyond its rating, such as its library, is ' +
      'not changed.',
    access: OWNERS,
    params: byRequest,
    body: z.strictObject({
      decision: z.enum(['once', 'always', 'declined']).meta(about('once and always approve it.', 'once')),
      item: idOf('item', 'Id of the item that is meant, to approve a title.').optional(),
      minutes: z
        .int()
        .min(1)
        .max(MAX_DAILY_MINUTES)
        .optional()
        .meta({
          description:
            'To approve time. With once, minutes to add, 240 at most; left out: those that were asked for. With ' +
            'always, minutes of every day.',
          examples: [],
        }),
      word: words.optional().meta(about('A word to the Viewer.', 'Enjoy it')),
    }),
    result: Request,
    fails: [
      'request-incomplete',
      'no-such-request',
      'no-such-item',
      'no-such-profile',
      'request-closed',
      'request-still-hidden',
      'grant-viewers-only',
      'too-many-grants',
      'too-many-items',
      'no-daily-time',
      'key-revoked',
      'key-viewer-policy-only',
    ],
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/v1/requests/{id}',
    summary: 'Take your own request back',
    description: 'Only while it is open.',
    access: WRITERS_AT_ANY_HOUR,
    reach: 'everywhere',
    params: byRequest,
    result: NOTHING,
    fails: ['no-such-request', 'request-closed'],
  }),
  seen: endpoint({
    method: 'POST',
    path: '/api/v1/requests/seen',
    summary: 'Note that the answers were seen',
    description: 'Marks every answer to this Profile as seen.',
    access: WRITERS_AT_ANY_HOUR,
    reach: 'everywhere',
    result: NOTHING,
  }),
};

/** API keys: what programs sign in with. */
import { z } from 'zod';
import { OWNERS_IN_PERSON, OWNER_READERS_IN_PERSON } from '../kernel/access.ts';
import { lineOfText, list, paging, Time } from '../kernel/common.ts';
import { about, idOf, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING, SCOPES } from '../kernel/endpoint.ts';
import { DEFAULT_KEY_DAYS, KEY_DAYS } from './key-days.ts';

const byKey = z.strictObject({ id: idOf('key', 'Id of the API key.') });

export const ApiKey = z
  .strictObject({
    id: idOf('key', 'Id of the key, to revoke it.'),
    name: z.string().meta(about('Name of the key, as its maker chose it.', 'Home automation')),
    scopes: z.array(z.enum(SCOPES)).meta(about('What the key may do.', ['library', 'stream'])),
    createdAt: Time.meta(about('When the key was made.', '2026-11-21T18:31:00.000Z')),
    expiresAt: Time.meta(about('When the key stops working.', '2026-12-21T18:31:00.000Z')),
    lastUsedAt: Time.optional().meta(rarely('When the key was used last. Left out: never.')),
    profile: z.string().meta({ description: 'The name of the Owner who made it.', examples: ['Ada'] }),
  })
  .meta({ id: 'ApiKey', description: 'API key without its secret.' });

export const apiKeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: 'API keys, without their secrets',
    description: 'Lists the keys of all Owners. A secret is not kept, so it cannot be shown again.',
    access: OWNER_READERS_IN_PERSON,
    query: z.strictObject({ ...paging }),
    result: list(ApiKey),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/api-keys',
    summary: 'Make an API key; its secret is shown this once',
    description: 'Makes a key for a program. It acts as the Owner who made it, within its scopes.',
    access: OWNERS_IN_PERSON,
    body: z.strictObject({
      name: lineOfText(64).meta(about('Name that tells the key from others.', 'Home automation')),
      scopes: z
        .array(z.enum(SCOPES))
        .min(1)
        .max(SCOPES.length)
        .meta(
          about(
            'What the key may do: library reads, write changes what its Owner watches, stream plays, download ' +
              'keeps files, admin administers.',
            ['library', 'stream'],
          ),
        ),
      days: z
        .literal(KEY_DAYS)
        .default(DEFAULT_KEY_DAYS)
        .meta(about('Days after which the key stops working.', DEFAULT_KEY_DAYS)),
    }),
    result: ApiKey.extend({
      secret: z
        .string()
        .meta(
          about(
            'The key itself, to send as `Authorization: Bearer <secret>`.',
            'mat_key_b7Yc2Qp9Xw4Ln1Rt6Zk8Hv3Js5Df0GmAoEiUuTqNs',
          ),
        ),
    }).meta({ id: 'NewApiKey', description: 'API key with its secret, which is shown this once.' }),
    status: 201,
    fails: ['too-many-keys'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/api-keys/{id}',
    summary: 'Revoke an API key',
    description: 'Ends a key at once, with the streams that it opened.',
    access: OWNERS_IN_PERSON,
    params: byKey,
    result: NOTHING,
    fails: ['no-such-key'],
  }),
};

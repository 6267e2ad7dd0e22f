/** The directory as an Owner sets it up: its token, and where it calls. */
import { z } from 'zod';
import { OWNER_READERS_IN_PERSON, OWNERS_IN_PERSON } from '../kernel/access.ts';
import { Time } from '../kernel/common.ts';
import { about, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { MAX_TOKEN_DAYS } from './token-days.ts';

const Token = z
  .strictObject({
    expiresAt: Time.meta(about('When it ends.', '2026-12-21T12:00:00.000Z')),
    expired: z.boolean().meta(about('Whether it has ended.', false)),
    lastUsedAt: Time.optional().meta(rarely('When the directory called last. Left out: never.')),
  })
  .meta({ id: 'DirectoryToken', description: 'Token of the directory, without the token itself.' });

export const directory = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/directory',
    summary: 'State of the directory that manages Profiles over SCIM',
    description: 'Says whether a directory may call, and where. The token itself is never returned again.',
    access: OWNER_READERS_IN_PERSON,
    result: z
      .strictObject({
        path: z.string().meta(about('Path of the SCIM routes, for the base address in the directory.', '/scim/v2')),
        managed: z
          .boolean()
          .meta(about('Whether the environment or a YAML file sets the token, so that it is read-only here.', false)),
        token: Token.optional().meta(rarely('The token in force. Left out: no directory may call.')),
      })
      .meta({ id: 'Directory', description: 'Directory that manages Profiles over SCIM.' }),
  }),
  createToken: endpoint({
    method: 'POST',
    path: '/api/v1/directory/token',
    summary: 'Make the token of the directory; it is shown this once',
    description: 'Takes the place of the token before, which ends at once. It is in force without a restart.',
    access: OWNERS_IN_PERSON,
    body: z.strictObject({
      days: z.int().min(1).max(MAX_TOKEN_DAYS).meta(about('Days until it ends.', 30)),
    }),
    result: Token.extend({
      secret: z
        .string()
        .meta(
          about('The token itself, to paste into the directory.', 'mat_dir_Qp9Xw4Ln1Rt6Zk8Hv3Js5Df0GmAoEiUuTqNsb7Yc2'),
        ),
    }).meta({ id: 'NewDirectoryToken', description: 'Token of the directory, which is shown this once.' }),
    status: 201,
    fails: ['setting-managed', 'setting-clash', 'setting-invalid'],
  }),
  removeToken: endpoint({
    method: 'DELETE',
    path: '/api/v1/directory/token',
    summary: 'End the token of the directory',
    description: 'Ends the token at once. Profiles that the directory made stay as they are.',
    access: OWNERS_IN_PERSON,
    result: NOTHING,
    fails: ['setting-managed', 'setting-clash', 'setting-invalid'],
  }),
};

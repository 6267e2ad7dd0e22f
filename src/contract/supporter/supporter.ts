/** Supporters: a household that supports the project is thanked. It unlocks nothing. */
import { z } from 'zod';
import { LIBRARY_READERS, OWNERS } from '../kernel/access.ts';
import { lineOfText, Time } from '../kernel/common.ts';
import { about, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';

const name = lineOfText(64);

const Supporter = z
  .strictObject({
    active: z.boolean().meta(about('Whether this household supports the project now.', true)),
    since: Time.optional().meta(about('Since when. Left out unless it is active.', '2026-11-21T08:00:00.000Z')),
    name: name.optional().meta(about('Name under which it is thanked, as an Owner wrote it.', 'The Lovelaces')),
    until: Time.optional().meta(rarely('When it ends. Left out unless it does.')),
    url: z
      .string()
      .meta(
        about(
          'Page where a household can support the project.',
          'https://supporters.matinee.example/subtitles/monthly',
        ),
      ),
  })
  .meta({ id: 'Supporter', description: 'Whether this household supports the project.' });
export type Supporter = z.output<typeof Supporter>;

export const supporter = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/supporter',
    summary: 'Whether this household supports the project',
    description:
      'Support is thanked for and unlocks nothing: every other operation replies the same with and without it, but ' +
      'for the activity log, which says who entered a key.',
    access: LIBRARY_READERS,
    result: Supporter,
  }),
  activate: endpoint({
    method: 'POST',
    path: '/api/v1/supporter/activate',
    summary: 'Be recognised as a supporter',
    description:
      'Sends only the key to the address in `supporter.activation_url`. If the key is recognised, the ' +
      'name is kept here, in place of an earlier one. The key is not kept.',
    access: OWNERS,
    body: z.strictObject({
      key: z
        .string()
        .min(8)
        .max(128)
        .regex(/^[\x21-\x7e]+$/, 'only visible ASCII characters are allowed')
        .meta(about('Key that a supporter has received.', 'MATINEE-7F3K-92QD-LM41')),
      name: name.optional().meta(about('Name under which the household is thanked.', 'The Lovelaces')),
    }),
    result: Supporter,
    fails: ['supporter-key-unknown', 'supporter-unreachable'],
  }),
};

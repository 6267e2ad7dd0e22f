/** Quick Connect: a device shows a code, and a person who is signed in elsewhere approves it. */
import { z } from 'zod';
import { OWNER_READERS_IN_PERSON, VIEWERS_IN_PERSON } from '../kernel/access.ts';
import { Id, list, paging, Time } from '../kernel/common.ts';
import { about, EXAMPLE_IDS } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { deviceNameField, SignedInReply, transportField } from './accounts.ts';

const Secret = z
  .string()
  .max(64)
  .meta(
    about(
      'Secret of the request, which only the device that began it knows.',
      'mat_qc_Vd0n3Yp4cQm1xR7tJk2LwZ8bHs5eGf9uAiNo6CqTyE0',
    ),
  );
const byCode = z.strictObject({
  code: z
    .string()
    .regex(/^\d{6}$/, 'expected six digits')
    .meta(about('Code that the device shows.', '482913')),
});
const ExpiresAt = Time.meta(about('When the code expires.', '2026-11-21T18:35:00.000Z'));

const WaitingDevice = z
  .strictObject({
    device: z.string().optional().meta(about('Name that the device gave itself.', 'Living room')),
    network: z.enum(['local', 'public']).meta(about('Network from which the device asks.', 'local')),
    createdAt: Time.meta(about('When the device asked.', '2026-11-21T18:30:00.000Z')),
    expiresAt: ExpiresAt,
  })
  .meta({ id: 'WaitingDevice', description: 'Device that waits to be signed in.' });
export type WaitingDevice = z.output<typeof WaitingDevice>;

export const quickConnect = {
  begin: endpoint({
    method: 'POST',
    path: '/api/v1/quick-connect',
    summary: 'Ask for a code to sign this device in',
    description:
      'Returns a code to show on the device, and a secret with which it asks whether the code was approved. ' +
      'The code expires after five minutes.',
    access: 'public',
    reach: 'everywhere',
    body: z.strictObject({ device: deviceNameField }),
    result: z.strictObject({
      code: z.string().meta(about('Code to show.', '482913')),
      secret: Secret,
      expiresAt: ExpiresAt,
    }),
    status: 201,
    fails: ['too-many-codes'],
  }),
  token: endpoint({
    method: 'POST',
    path: '/api/v1/quick-connect/token',
    summary: 'Sign in once the code was approved',
    description:
      'Replies 202 while the code waits for approval; ask every two seconds. Replies 201 with the session once, and ' +
      '404 after that, or when the code has expired.',
    access: 'public',
    reach: 'everywhere',
    body: z.strictObject({ secret: Secret, transport: transportField }),
    result: z.union([
      SignedInReply,
      z.strictObject({ state: z.literal('waiting').meta(about('The code waits for approval.', 'waiting')) }),
    ]),
    status: 201,
    orElse: 202,
    fails: ['no-such-code', 'remote-cut', 'too-many-attempts'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/v1/quick-connect',
    summary: 'Withdraw a code',
    description: 'The device no longer waits. The code cannot be approved after this.',
    access: 'public',
    reach: 'everywhere',
    body: z.strictObject({ secret: Secret }),
    result: NOTHING,
    fails: ['no-such-code', 'too-many-attempts'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v1/quick-connect',
    summary: 'Devices that wait to be signed in',
    description: 'Lists them without their codes: a code is typed by a person who sees it on the device.',
    access: OWNER_READERS_IN_PERSON,
    query: z.strictObject({ ...paging }),
    result: list(WaitingDevice),
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/v1/quick-connect/{code}',
    summary: 'The device that shows a code',
    description: 'Shows which device is about to be signed in, before it is approved.',
    access: VIEWERS_IN_PERSON,
    params: byCode,
    result: WaitingDevice,
    fails: ['no-such-code', 'code-approved', 'too-many-attempts'],
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/v1/quick-connect/{code}',
    summary: 'Sign in the device that shows a code',
    description:
      'Signs the device in as the caller. An Owner may choose a Viewer instead, and must approve devices that ask ' +
      'from outside; those need a Profile that may be used away from home.',
    access: VIEWERS_IN_PERSON,
    params: byCode,
    body: z.strictObject({
      profile: Id.optional().meta(
        about('Profile to sign in, for Owners: a Viewer or themselves. Default: the caller.', EXAMPLE_IDS.profile),
      ),
      passkey: z
        .boolean()
        .default(false)
        .meta(
          about('Whether the device may add a passkey in the next ten minutes, from outside, too. Owners only.', false),
        ),
      remember: z
        .boolean()
        .default(false)
        .meta(
          about(
            'Whether the browser of a device at home stays signed in for 90 days of use, where an Owner allows it.',
            false,
          ),
        ),
    }),
    result: NOTHING,
    fails: [
      'no-such-code',
      'no-such-profile',
      'code-approved',
      'quick-connect-own-profile',
      'quick-connect-by-owner',
      'quick-connect-not-away',
      'quick-connect-passkey-by-owner',
      'too-many-attempts',
    ],
  }),
};

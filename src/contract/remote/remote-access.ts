/** Remote access: its status, and the switch that cuts it. */
import { z } from 'zod';
import { OWNER_READERS, OWNERS, OWNERS_IN_PERSON } from '../kernel/access.ts';
import { Time } from '../kernel/common.ts';
import { about, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { RemoteCheckText } from './check-texts.ts';

/** Checks in the order in which a person settles them. */
export const REMOTE_CHECKS = ['terms', 'address', 'certificate', 'listener', 'reached', 'home-port'] as const;

const RemoteCheck = z
  .strictObject({
    name: z
      .enum(REMOTE_CHECKS)
      .meta(
        about(
          'Whether the terms are accepted, the name leads here, the certificate is valid, the server listens, a ' +
            'device outside has reached it, and whether the home port is forwarded by mistake.',
          'listener',
        ),
      ),
    state: z
      .enum(['ok', 'failed', 'unknown'])
      .meta(about('Result. `unknown` if the server cannot know it, which is not a failure.', 'ok')),
    sentence: z
      .string()
      .meta(about('What was found, as an English sentence.', 'The server listens for remote access at port 8443.')),
    text: RemoteCheckText,
    at: Time.meta(about('When this was found.', '2026-11-21T08:00:00.000Z')),
  })
  .meta({ id: 'RemoteCheck', description: 'Result of a check of remote access.' });
export type RemoteCheck = z.output<typeof RemoteCheck>;

const RemoteAccess = z
  .strictObject({
    mode: z.enum(['off', 'https']).meta(about('The setting `remote.mode` that is in force.', 'https')),
    state: z
      .enum(['off', 'waiting', 'open', 'killed', 'failing'])
      .meta(
        about(
          '`off` by the settings; `waiting` for the terms or the certificate; `open`; `killed` by an Owner, until ' +
            'access is allowed again; `failing` if something has to be mended first.',
          'open',
        ),
      ),
    url: z.string().optional().meta(about('Public address.', 'https://film.duckdns.org')),
    gateway: z.boolean().meta(about('Whether a gateway in front of the server takes the requests.', false)),
    port: z.int().optional().meta(about('Port of this machine to which the router leads port 443.', 8443)),
    checks: z.array(RemoteCheck).meta(about('What was checked. Empty if remote access is off.')),
    certificate: z
      .strictObject({
        state: z
          .enum(['off', 'waiting', 'ordering', 'issued', 'renewing', 'failing'])
          .meta(about('State of the certificate.', 'issued')),
        names: z.array(z.string()).meta(about('Names that it is for.', ['film.duckdns.org'])),
        notAfter: Time.optional().meta(about('When it ends.', '2026-12-29T10:00:00.000Z')),
        retryAt: Time.optional().meta(rarely('When the next attempt to obtain one is made.')),
      })
      .optional()
      .meta(about('Certificate of the public name. Left out if remote access is off.')),
    terms: z
      .strictObject({
        url: z.string().optional().meta(about('Address of the terms.', 'https://letsencrypt.org/repository/')),
        accepted: z.boolean().meta(about('Whether `remote.terms_accepted` is set.', true)),
      })
      .optional()
      .meta(about('Terms of the certificate authority. Left out if remote access is off.')),
    seen: Time.optional().meta(
      about(
        'Last request at the public address from an address outside the home, since the server started.',
        '2026-11-21T07:41:12.000Z',
      ),
    ),
    proof: z
      .strictObject({
        isRunning: z.boolean().meta(about('Whether one is under way.', false)),
        state: z.enum(['ok', 'failed', 'unknown']).meta(about('What the last one found.', 'ok')),
        sentence: z
          .string()
          .meta(
            about(
              'What was found, as an English sentence.',
              'A third party has connected to the server through the public address at 2026-11-21 07:30 UTC.',
            ),
          ),
        text: RemoteCheckText,
        at: Time.meta(about('When it ended.', '2026-11-21T07:30:00.000Z')),
      })
      .optional()
      .meta(rarely('The last proof that a third party can connect.')),
    killedAt: Time.optional().meta(rarely('When an Owner cut off remote access.')),
  })
  .meta({ id: 'RemoteAccess', description: 'State of remote access.' });
export type RemoteAccess = z.output<typeof RemoteAccess>;

export const remoteAccess = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/remote-access',
    summary: 'State of remote access',
    description: 'Says whether devices outside the home can reach the server, as far as it knows, and what is missing.',
    access: OWNER_READERS,
    result: RemoteAccess,
  }),
  prove: endpoint({
    method: 'POST',
    path: '/api/v1/remote-access/proof',
    summary: 'Have a third party connect to the public address',
    description:
      'Opens an authorization at the test certificate authority in `acme.probe_directory`, which connects to ' +
      'port 443 of the public name, and ends it again. No certificate is taken. It needs the public listener open, ' +
      'and is not possible behind the gateway. Four times a day; `proof` in the state of remote access has ' +
      'the result.',
    access: OWNERS,
    result: RemoteAccess,
    status: 202,
    fails: ['remote-access-closed', 'proof-behind-gateway', 'too-many-proofs', 'stopping'],
  }),
  kill: endpoint({
    method: 'POST',
    path: '/api/v1/remote-access/kill',
    summary: 'Cut off remote access',
    description:
      'Ends every session that was opened from outside and every code of Quick Connect that waits there, closes the ' +
      'public listener and cuts what is open. It holds until access is allowed again, over restarts too. No recent ' +
      'proof is needed. Succeeds if nothing is open.',
    access: OWNER_READERS,
    result: RemoteAccess,
  }),
  allow: endpoint({
    method: 'DELETE',
    path: '/api/v1/remote-access/kill',
    summary: 'Allow remote access again',
    description: 'Opens the public listener if all else is in place. Sessions that were ended stay so.',
    access: OWNERS_IN_PERSON,
    result: RemoteAccess,
  }),
};

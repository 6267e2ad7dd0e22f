/** Trusted HTTPS at home: a name that leads to the private address of the server, with a certificate for it. */
import { z } from 'zod';
import { OWNER_READERS, OWNERS_IN_PERSON } from '../kernel/access.ts';
import { SAVING_SECRET } from '../config/reasons.ts';
import { Time } from '../kernel/common.ts';
import { about, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { TrustedHttpsText } from './trusted-https-texts.ts';

/** Checks in the order in which they come to be right. */
export const TRUSTED_CHECKS = ['address', 'certificate', 'name'] as const;
export const TRUSTED_PROVIDERS = ['dns_a', 'dns_b'] as const;

const Provider = z
  .enum(TRUSTED_PROVIDERS)
  .meta(about('DNS provider that holds the name: `dns_a` is DuckDNS, `dns_b` is deSEC.', 'dns_a'));

const TrustedCheck = z
  .strictObject({
    name: z
      .enum(TRUSTED_CHECKS)
      .meta(
        about(
          'Whether the address is set at the provider, the certificate is valid, and the name leads to the server in ' +
            'this network.',
          'name',
        ),
      ),
    state: z
      .enum(['ok', 'failed', 'unknown'])
      .meta(about('Result. `unknown` if the server cannot know it yet, which is not a failure.', 'ok')),
    sentence: z
      .string()
      .meta(about('What was found, as an English sentence.', 'In this network the name leads to 192.168.1.10.')),
    text: TrustedHttpsText,
    at: Time.meta(about('When this was found.', '2026-11-21T08:00:00.000Z')),
  })
  .meta({ id: 'TrustedHttpsCheck', description: 'Result of a check of trusted HTTPS at home.' });
export type TrustedCheck = z.output<typeof TrustedCheck>;

const TrustedHttps = z
  .strictObject({
    state: z
      .enum(['off', 'waiting', 'ready', 'failing'])
      .meta(
        about(
          '`off` if it is not set up; `waiting` while the name or the certificate is under way; `ready` if devices ' +
            'at home can open the address; `failing` if something has to be mended first.',
          'ready',
        ),
      ),
    managed: z
      .boolean()
      .meta(about('Whether the environment or the YAML file sets it, so that it is read-only here.', false)),
    provider: Provider.optional(),
    name: z.string().optional().meta(about('Full name. Left out if it is off.', 'film.duckdns.org')),
    address: z
      .string()
      .optional()
      .meta(about('Private address that the name leads to. Left out if it is off.', '192.168.1.10')),
    url: z
      .string()
      .optional()
      .meta(about('Address to open in a browser at home. Left out if it is off.', 'https://film.duckdns.org:38128')),
    checks: z.array(TrustedCheck).meta(about('What was checked. Empty if it is off.')),
    certificate: z
      .strictObject({
        state: z
          .enum(['off', 'waiting', 'ordering', 'issued', 'renewing', 'failing'])
          .meta(about('State of the certificate.', 'issued')),
        notAfter: Time.optional().meta(about('When it ends.', '2026-12-29T10:00:00.000Z')),
        retryAt: Time.optional().meta(rarely('When the next attempt to obtain one is made.')),
      })
      .optional()
      .meta(about('Certificate of the name. Left out if it is off.')),
    termsUrl: z
      .string()
      .optional()
      .meta(
        about(
          'Address of the terms of the certificate authority. Left out if only the authority knows it, as long as it ' +
            'was not asked.',
          'https://letsencrypt.org/repository/',
        ),
      ),
  })
  .meta({ id: 'TrustedHttps', description: 'State of trusted HTTPS at home.' });
export type TrustedHttpsStatus = z.output<typeof TrustedHttps>;

export const trustedHttpsEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/settings/trusted-https',
    summary: 'State of trusted HTTPS at home',
    description: 'Says whether devices at home can open the name without a warning, and what is missing.',
    access: OWNER_READERS,
    result: TrustedHttps,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/v1/settings/trusted-https',
    summary: 'Set up trusted HTTPS at home',
    description:
      'Saves name, token and address, and begins at once: the name is led to the private address, and a certificate ' +
      'for it is obtained and renewed. All other names of the server keep its own certificate.',
    access: OWNERS_IN_PERSON,
    body: z.strictObject({
      provider: Provider.optional().meta(about('DNS provider. Default: `dns_a`.', 'dns_a')),
      domain: z
        .string()
        .max(253)
        .meta(about('For `dns_a` the subdomain, for `dns_b` the full name, in lower case.', 'film')),
      token: z
        .string()
        .max(512)
        .optional()
        .meta(
          about(
            'Token of the DNS provider. It is never returned. Left out, the one that is saved for the same provider ' +
              'is kept.',
            '4f1c0a9b-e27d-6358-b18e-2d4f10c6a2f4',
          ),
        ),
      address: z
        .string()
        .max(253)
        .meta(
          about(
            'Private IPv4 address of the server, or a host name at home that leads to exactly one. The address of ' +
              'the name is saved.',
            '192.168.1.10',
          ),
        ),
      termsAccepted: z
        .boolean()
        .meta(about('Accepts the subscriber agreement of the certificate authority. Has to be true.', true)),
    }),
    result: TrustedHttps,
    status: 202,
    fails: [
      'name-not-allowed',
      'token-not-allowed',
      'token-missing',
      'address-not-private',
      'terms-not-accepted',
      'setting-invalid',
      'setting-managed',
      'setting-clash',
      'https-off',
      'remote-access-on',
      ...SAVING_SECRET,
    ],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/settings/trusted-https',
    summary: 'End trusted HTTPS at home',
    description:
      'Forgets name and token and serves the own certificate again. The name still leads to the address until it is ' +
      'changed at the provider. Succeeds if nothing is set up.',
    access: OWNERS_IN_PERSON,
    result: NOTHING,
    fails: ['setting-managed', 'setting-clash', ...SAVING_SECRET],
  }),
};

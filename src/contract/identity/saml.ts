/** Addresses that a SAML identity provider reads, or has the browser send its answer to. */
import { z } from 'zod';
import { PAGES, type Page } from '../dashboard/pages.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { surface } from '../kernel/surface.ts';

/** Path of the metadata of this server. Its address is also the name by which a provider knows this server. */
export const METADATA_PATH = '/saml/metadata';
/** Path to which a provider's page has the browser send its answer. */
export const CONSUMER_PATH = '/saml/acs';

const KIB = 1024;

/** People see its errors when a provider sends them here and SAML is not set up, so they are a line of text. */
const SAML = surface({
  name: 'saml',
  prefixes: ['/saml'],
  fields: { unknown: 'ignored', repeated: 'refused' },
  failure: {
    type: 'text/plain; charset=utf-8',
    shape: z.string(),
    body: ({ message }) => `${message}\n`,
  },
});

const oneOf = <T>(all: T[]): readonly [T, ...T[]] => all as [T, ...T[]];

export const samlReturns = {
  consume: endpoint({
    method: 'POST',
    path: CONSUMER_PATH,
    surface: SAML,
    summary: 'Return from the SAML identity provider',
    access: 'public',
    anyOrigin: true,
    takes: { form: 'urlencoded', maxBytes: 512 * KIB },
    body: z.object({
      SAMLResponse: z
        .string()
        .min(1)
        .max(384 * KIB),
    }),
    result: { redirect: oneOf(Object.keys(PAGES) as Page[]) },
    fails: ['outside-not-configured'],
  }),
  metadata: endpoint({
    method: 'GET',
    path: METADATA_PATH,
    surface: SAML,
    summary: 'Metadata of this server for a SAML identity provider',
    access: 'public',
    result: { bytes: ['application/samlmetadata+xml'] },
    fails: ['outside-not-configured'],
  }),
};

/** Addresses that a provider of OpenID Connect calls, or sends the browser to. */
import { z } from 'zod';
import { PAGES, type Page } from '../dashboard/pages.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { surface } from '../kernel/surface.ts';

/** Address to which the identity provider sends the browser back. The setting of the redirect address ends in it. */
export const CALLBACK_PATH = '/oidc/callback';

const KIB = 1024;

/** Its errors have the words of OAuth. */
export const OIDC = surface({
  name: 'oidc',
  prefixes: ['/oidc'],
  fields: { unknown: 'ignored', repeated: 'refused' },
  failure: {
    type: 'application/json; charset=utf-8',
    shape: z.strictObject({ error: z.string(), error_description: z.string() }),
    body: ({ kind, message }) =>
      JSON.stringify({
        error: kind === 'internal' || kind === 'unavailable' ? 'temporarily_unavailable' : 'invalid_request',
        error_description: message,
      }),
  },
});

const oneOf = <T>(all: T[]): readonly [T, ...T[]] => all as [T, ...T[]];
const parameter = (most: number) => z.string().max(most).optional();

export const oidcReturns = {
  callback: endpoint({
    method: 'GET',
    path: CALLBACK_PATH,
    surface: OIDC,
    summary: 'Return from the identity provider',
    access: 'public',
    query: z.object({
      code: parameter(4 * KIB),
      state: parameter(512),
      iss: parameter(2 * KIB),
      error: parameter(256),
    }),
    result: { redirect: oneOf(Object.keys(PAGES) as Page[]) },
    fails: ['outside-not-configured'],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/oidc/backchannel-logout',
    surface: OIDC,
    summary: 'End the sessions of an identity that has signed out at its provider',
    access: 'public',
    takes: { form: 'urlencoded', maxBytes: 32 * KIB },
    body: z.object({
      logout_token: z
        .string()
        .min(1)
        .max(16 * KIB),
    }),
    result: z.strictObject({}),
    fails: ['outside-not-configured', 'logout-token-invalid'],
  }),
};

/** For tests: a directory that calls a server with its token, and the requests of users. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { SCIM_MESSAGES } from '../contract/scim/users.ts';
import { USER_SCHEMA } from '../contract/scim/attributes.ts';
import type { Database } from '../lib/db/index.ts';
import { makeViewer, openIdentityWorld, setUp, type World, type WorldOptions } from '../identity/testing-world.ts';
import { scimRoutes } from './routes.ts';
import { createScimUsers } from './users.ts';

export const TEST_TOKEN = 'a-token-of-the-directory-for-tests-only';
const DAY_MS = 86_400_000;

export interface ScimReply {
  status: number;
  body: { [name: string]: unknown };
  etag: string | undefined;
  headers: Readonly<Record<string, unknown>>;
}
export interface ScimAsking {
  token?: string | undefined;
  address?: string;
  headers?: Record<string, string>;
}
export interface DirectoryWorld {
  w: World;
  /** The token of an Owner. */
  owner: string;
  ask(method: string, path: string, body?: unknown, how?: ScimAsking): Promise<ScimReply>;
  /** Makes a user and returns its id. */
  make(userName: string, more?: object): Promise<string>;
}

/** Opens a server with an Owner and the token of a directory, which ends in 90 days. */
export async function openDirectoryWorld(
  t: TestContext,
  { settings, more, ...options }: Omit<WorldOptions, 'settings'> & { settings?: Record<string, unknown> } = {},
): Promise<DirectoryWorld> {
  const start = options.clock?.now() ?? Date.parse('2026-11-20T12:00:00Z');
  const w = await openIdentityWorld(t, {
    ...options,
    settings: new Map<string, unknown>([
      ['security.require_mfa', false],
      ['security.stay_signed_in', true],
      ['server.name', 'Home'],
      ['logging.audit_retention', 365 * DAY_MS],
      ['integrations.scim.token', TEST_TOKEN],
      ['integrations.scim.token_expires_at', start + 90 * DAY_MS],
      ...Object.entries(settings ?? {}),
    ]),
    more: (identity) => [...scimRoutes({ users: createScimUsers(identity.operations) }), ...(more?.(identity) ?? [])],
  });
  const ask: DirectoryWorld['ask'] = async (method, path, body, how = {}) => {
    const { token = TEST_TOKEN, address, headers = {} } = how;
    const reply = await w.call(method, `/scim/v2${path}`, {
      ...('token' in how && how.token === undefined ? {} : { token }),
      ...(address !== undefined && { address }),
      body: typeof body === 'string' ? Buffer.from(body) : body,
      headers: { ...(body !== undefined && { 'content-type': 'application/scim+json' }), ...headers },
    });
    const { etag } = reply.headers;
    return {
      status: reply.status,
      body: reply.body,
      etag: typeof etag === 'string' ? etag : undefined,
      headers: reply.headers,
    };
  };
  return {
    w,
    owner: await setUp(w),
    ask,
    make: async (userName, more_ = {}) => {
      const made = await ask('POST', '/Users', userOf(userName, more_));
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return String(made.body['id']);
    },
  };
}

export const userOf = (userName: string, more: object = {}) => ({ schemas: [USER_SCHEMA], userName, ...more });
export const patchOf = (...operations: object[]) => ({ schemas: [SCIM_MESSAGES.patch], Operations: operations });

/** Opens a directory's world with the users Bob and Carl, and a Viewer that was made by hand. */
export async function openDirectoryHouse(t: TestContext, db?: Database) {
  const world = await openDirectoryWorld(t, { ...(db && { db }) });
  const { w, owner } = world;
  const { id: viewer } = await makeViewer(w, owner);
  const own = (await w.call('GET', '/api/v1/me', { token: owner })).body['profile'] as { id: string };
  const bob = await world.make('bob', { externalId: 'ext-bob', emails: [{ value: 'bob@example.org', type: 'work' }] });
  const carl = await world.make('Carl', { externalId: 'ext-carl', displayName: 'Carl' });
  const to = (path: string): string =>
    path.replace('{bob}', bob).replace('{viewer}', viewer).replace('{owner}', own.id);
  return { ...world, ids: { viewer, owner: own.id, bob, carl }, to };
}

/**
 * The requests of three directories as their public documentation describes them, in the order in which they come:
 * Okta, Microsoft Entra ID with its forms of before and after its compliance flag, and Authentik.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDirectoryWorld, patchOf, type DirectoryWorld } from './testing-directory.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

interface Exchange {
  says: string;
  method: string;
  path: string;
  body?: object;
  status: number;
  /** Members of the reply, as far as they are known. */
  reply?: object;
}

const filtered = (filter: string, rest = ''): string => `/Users?filter=${encodeURIComponent(filter)}${rest}`;

/** Sends the requests of a directory in their order. Returns how many had their reply, by method. */
async function run(world: DirectoryWorld, exchanges: readonly Exchange[], type: string) {
  let id = '';
  const replied: Record<string, number> = {};
  for (const { says, method, path, body, status, reply } of exchanges) {
    const headers = body ? { 'content-type': type } : {};
    const { status: got, body: found } = await world.ask(method, path.replace('{id}', id), body, { headers });
    assert.equal(got, status, `${says}: ${JSON.stringify(found)}`);
    if (reply) assert.partialDeepStrictEqual(found, reply, says);
    if (status === 201) id = String(found['id']);
    replied[method] = (replied[method] ?? 0) + 1;
  }
  return replied;
}

const EMPTY = { totalResults: 0, Resources: [] };
const OKTA_USER = {
  schemas: [USER],
  userName: 'test.user@okta.local',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
};

const OKTA: readonly Exchange[] = [
  { says: 'connection test', method: 'GET', path: '/Users?startIndex=1&count=2', status: 200, reply: EMPTY },
  {
    says: 'is there such a user',
    method: 'GET',
    path: filtered('userName eq "test.user@okta.local"', '&startIndex=1&count=100'),
    status: 200,
    reply: EMPTY,
  },
  {
    says: 'create',
    method: 'POST',
    path: '/Users',
    body: OKTA_USER,
    status: 201,
    reply: {
      schemas: [USER],
      externalId: '00ujl29u0le5T6Aj10h7',
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      displayName: 'Test User',
      locale: 'en-US',
      active: true,
      emails: [{ value: 'test.user@okta.local', type: 'work', primary: true }],
      meta: { resourceType: 'User', version: 'W/"1"' },
    },
  },
  {
    says: 'find it',
    method: 'GET',
    path: filtered('userName eq "Test.User@okta.local"', '&startIndex=1&count=100'),
    status: 200,
    reply: { totalResults: 1, startIndex: 1, itemsPerPage: 1 },
  },
  { says: 'read it', method: 'GET', path: '/Users/{id}', status: 200, reply: { userName: 'test.user@okta.local' } },
  {
    says: 'import, page by page',
    method: 'GET',
    path: '/Users?startIndex=1&count=100',
    status: 200,
    reply: { totalResults: 1 },
  },
  {
    says: 'update with the whole user, without its external id',
    method: 'PUT',
    path: '/Users/{id}',
    body: {
      schemas: [USER],
      id: '23a35c27-23d3-4c03-b4c5-6443c09e7173',
      userName: 'test.user@okta.local',
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work', display: 'test.user@okta.local' }],
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    },
    status: 200,
    reply: { externalId: '00ujl29u0le5T6Aj10h7', name: { givenName: 'Another', middleName: 'Excited' } },
  },
  {
    says: 'deactivate, without a path',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({ op: 'replace', value: { active: false } }),
    status: 200,
    reply: { active: false },
  },
  {
    says: 'reactivate',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({ op: 'replace', value: { active: true } }),
    status: 200,
    reply: { active: true },
  },
  {
    says: 'push a password, which is dropped',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({ op: 'replace', value: { password: 'pa55w0rd-of-the-directory' } }),
    status: 200,
  },
  {
    says: 'deactivate with the whole user',
    method: 'PUT',
    path: '/Users/{id}',
    body: { ...OKTA_USER, active: false },
    status: 200,
    reply: { active: false },
  },
  { says: 'groups are not offered', method: 'GET', path: '/Groups?startIndex=1&count=100', status: 404 },
];

const ENTRA_USER = {
  schemas: [USER, ENTERPRISE],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1',
  active: true,
  emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  roles: [],
  [ENTERPRISE]: { department: 'Film', manager: 'someone' },
};

const ENTRA: readonly Exchange[] = [
  {
    says: 'connection test with a name that cannot be',
    method: 'GET',
    path: filtered('userName eq "1c7f9b3e-0c11-4d67-9d8e-c3f5a1f6d0aa"'),
    status: 200,
    reply: EMPTY,
  },
  { says: 'schema discovery', method: 'GET', path: '/Schemas', status: 200, reply: { totalResults: 1 } },
  {
    says: 'is there such a user',
    method: 'GET',
    path: filtered('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"'),
    status: 200,
    reply: EMPTY,
  },
  {
    says: 'create',
    method: 'POST',
    path: '/Users',
    body: ENTRA_USER,
    status: 201,
    reply: { schemas: [USER], externalId: ENTRA_USER.externalId, userName: ENTRA_USER.userName },
  },
  { says: 'read', method: 'GET', path: '/Users/{id}', status: 200, reply: { userName: ENTRA_USER.userName } },
  {
    says: 'find by the address at work',
    method: 'GET',
    path: filtered('emails[type eq "work"].value eq "test_user_fd0ea19b@testuser.com"'),
    status: 200,
    reply: { totalResults: 1 },
  },
  {
    says: 'read a user that is not there',
    method: 'GET',
    path: '/Users/5171a35d82074e068ce2',
    status: 404,
    reply: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' },
  },
  {
    says: 'update values of lists',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    ),
    status: 200,
    reply: {
      emails: [{ type: 'work', value: 'updatedEmail@microsoft.com', primary: true }],
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
    },
  },
  {
    says: 'update a single value',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({ op: 'Replace', path: 'userName', value: '5b50642d@contoso.com' }),
    status: 200,
    reply: { userName: '5b50642d@contoso.com' },
  },
  {
    says: 'remove the address, and add it without one there',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf(
      { op: 'Remove', path: 'emails[type eq "work"].value' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'new@contoso.com' },
    ),
    status: 200,
    reply: { emails: [{ type: 'work', value: 'new@contoso.com' }] },
  },
  {
    says: 'replace an address of a type that is not there',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({ op: 'Replace', path: 'emails[type eq "other"].value', value: 'other@contoso.com' }),
    status: 200,
    reply: { emails: [{ value: 'new@contoso.com' }, { type: 'other', value: 'other@contoso.com' }] },
  },
  {
    says: 'values with dotted keys and keys with the URN',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({
      op: 'Add',
      value: {
        'name.givenName': 'Grace',
        [`${USER}:displayName`]: 'Grace Hopper',
        [`${ENTERPRISE}:department`]: 'Navy',
        'phoneNumbers[type eq "mobile"].value': '1',
      },
    }),
    status: 200,
    reply: { displayName: 'Grace Hopper', name: { givenName: 'Grace' } },
  },
  {
    says: 'an attribute of the enterprise extension by its path',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({ op: 'Add', path: `${ENTERPRISE}:manager`, value: [{ $ref: '../Users/1', value: '1' }] }),
    status: 200,
  },
  {
    says: 'a single value wrapped in a list',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({ op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'Rear Admiral' }] }),
    status: 200,
    reply: { displayName: 'Rear Admiral' },
  },
  {
    says: 'disable with text, as before the compliance flag',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({ op: 'Replace', path: 'active', value: 'False' }),
    status: 200,
    reply: { active: false },
  },
  {
    says: 'enable with text',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({ op: 'Add', path: 'active', value: 'True' }),
    status: 200,
    reply: { active: true },
  },
  {
    says: 'disable with the flag',
    method: 'PATCH',
    path: '/Users/{id}',
    body: patchOf({ op: 'replace', path: 'active', value: false }),
    status: 200,
    reply: { active: false },
  },
  {
    says: 'a disabled user is still found',
    method: 'GET',
    path: filtered('userName eq "5b50642d@contoso.com"'),
    status: 200,
    reply: { totalResults: 1 },
  },
  { says: 'delete', method: 'DELETE', path: '/Users/{id}', status: 204 },
  { says: 'delete what is gone', method: 'DELETE', path: '/Users/{id}', status: 404 },
  {
    says: 'a deleted user is not found',
    method: 'GET',
    path: filtered('userName eq "5b50642d@contoso.com"'),
    status: 200,
    reply: EMPTY,
  },
];

const AUTHENTIK_UID = '4c1f0d2a9be5c3f7764f5a08d3b1c2e9f6a7b8c9d0e1f2a3b4c5d6e7f8091a2b';
const AUTHENTIK_USER = {
  schemas: [USER],
  active: true,
  displayName: 'Grace Hopper',
  emails: [{ primary: true, type: 'other', value: 'grace@home.example' }],
  externalId: AUTHENTIK_UID,
  name: { familyName: 'Hopper', formatted: 'Grace Hopper', givenName: 'Grace' },
  photos: [{ type: 'photo', value: 'https://auth.home.example/media/avatars/grace.png' }],
  userName: 'grace',
};

const AUTHENTIK: readonly Exchange[] = [
  {
    says: 'what the server can do, at each start of a synchronisation',
    method: 'GET',
    path: '/ServiceProviderConfig',
    status: 200,
    reply: { patch: { supported: true }, bulk: { supported: false }, filter: { supported: true } },
  },
  {
    says: 'which resources there are, page by page',
    method: 'GET',
    path: '/ResourceTypes?startIndex=1&count=100',
    status: 200,
    reply: { totalResults: 1 },
  },
  {
    says: 'create, without a question before it',
    method: 'POST',
    path: '/Users',
    body: AUTHENTIK_USER,
    status: 201,
    reply: { externalId: AUTHENTIK_UID, userName: 'grace', displayName: 'Grace Hopper' },
  },
  {
    says: 'the whole user each hour, with its id',
    method: 'PUT',
    path: '/Users/{id}',
    body: { ...AUTHENTIK_USER, id: '2819c223-7f76-453a-919d-413861904646', displayName: 'Grace M. Hopper' },
    status: 200,
    reply: { externalId: AUTHENTIK_UID, displayName: 'Grace M. Hopper' },
  },
  {
    says: 'find the one that is there, after a conflict',
    method: 'GET',
    path: filtered('userName eq "grace"'),
    status: 200,
    reply: { totalResults: 1, Resources: [{ userName: 'grace' }] },
  },
  {
    says: 'deactivate with the whole user',
    method: 'PUT',
    path: '/Users/{id}',
    body: { ...AUTHENTIK_USER, active: false },
    status: 200,
    reply: { active: false },
  },
  { says: 'groups are not offered', method: 'POST', path: '/Groups', body: { displayName: 'family' }, status: 404 },
  { says: 'delete', method: 'DELETE', path: '/Users/{id}', status: 204 },
];

// The number of requests of each method shows that none was left out.
for (const [directory, exchanges, counts, type] of [
  ['Okta', OKTA, { GET: 6, POST: 1, PUT: 2, PATCH: 3 }, 'application/scim+json; charset=utf-8'],
  ['Microsoft Entra ID', ENTRA, { GET: 8, POST: 1, PATCH: 10, DELETE: 2 }, 'application/scim+json'],
  ['Microsoft Entra ID with plain JSON', ENTRA, { GET: 8, POST: 1, PATCH: 10, DELETE: 2 }, 'application/json'],
  ['Authentik', AUTHENTIK, { GET: 3, POST: 2, PUT: 2, DELETE: 1 }, 'application/scim+json'],
  ['Authentik with plain JSON', AUTHENTIK, { GET: 3, POST: 2, PUT: 2, DELETE: 1 }, 'application/json'],
] as const)
  test(`the requests of ${directory} have the replies that it needs (${exchanges.length} requests)`, async (t) => {
    const world = await openDirectoryWorld(t);
    assert.deepEqual(await run(world, exchanges, type), counts, 'requests by method');
    const from = world.w.db.tables<Record<'identity_directory_user' | 'identity_profile', object>>();
    const stored = JSON.stringify([
      await from.selectFrom('identity_directory_user').selectAll().execute(),
      await from.selectFrom('identity_profile').selectAll().execute(),
    ]);
    for (const secret of ['1mz050nq', 'pa55w0rd-of-the-directory', 'Navy', 'mobile', 'someone', 'avatars'])
      assert.ok(!stored.includes(secret), `${secret} was kept`);
  });

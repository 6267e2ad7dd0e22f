/** Requests of a directory that are refused, each in the words of SCIM. None of them changes anything. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DirectoryWorld, openDirectoryHouse, patchOf, type ScimAsking, userOf } from './testing-directory.ts';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const big = (length: number): string => 'a'.repeat(length);

interface Refusal {
  says: string;
  method: string;
  path: string;
  body?: unknown;
  status: number;
  scimType?: string;
  how?: ScimAsking;
}
const refuse = (status: number, scimType?: string) => ({ status, ...(scimType !== undefined && { scimType }) });
const post = (says: string, body: unknown, status = 400, scimType = 'invalidValue'): Refusal => ({
  says: `POST ${says}`,
  method: 'POST',
  path: '/Users',
  body,
  ...refuse(status, scimType),
});
const put = (says: string, body: unknown, status = 400, scimType = 'invalidValue'): Refusal => ({
  ...post(says, body, status, scimType),
  says: `PUT ${says}`,
  method: 'PUT',
  path: '/Users/{bob}',
});
const patch = (says: string, operation: object, scimType: string, status = 400): Refusal => ({
  says: `PATCH ${says}`,
  method: 'PATCH',
  path: '/Users/{bob}',
  body: patchOf(operation),
  ...refuse(status, scimType),
});
const get = (says: string, path: string, status: number, scimType?: string): Refusal => ({
  says: `GET ${says}`,
  method: 'GET',
  path,
  ...refuse(status, scimType),
});

/** Requests that change nothing. `{bob}` is a user, `{viewer}` and `{owner}` are Profiles that were made here. */
const REFUSALS: readonly Refusal[] = [
  { says: 'without a token', method: 'GET', path: '/Users', status: 401, how: { token: undefined } },
  { says: 'with a wrong token', method: 'GET', path: '/Users', status: 401, how: { token: big(40) } },
  { says: 'from outside', method: 'GET', path: '/Users', status: 404, how: { address: '203.0.113.9' } },
  get('groups', '/Groups', 404),
  get('bulk', '/Bulk', 404),
  get('me', '/Me', 404),
  get('another version', '/../v1/Users', 404),
  get('another type', '/ResourceTypes/Group', 404),
  get('another schema', '/Schemas/urn:example', 404),
  { says: 'search by POST', method: 'POST', path: '/Users/.search', body: userOf('x'), status: 405 },
  { says: 'change all', method: 'PATCH', path: '/Users', body: userOf('x'), status: 405 },
  { says: 'bulk by POST', method: 'POST', path: '/Bulk', body: userOf('x'), status: 404 },
  get('an unknown user', '/Users/0123456789abcdef', 404),
  get('an id of another server', '/Users/2819c223-7f76-453a-919d-413861904646', 404),
  get('an Owner', '/Users/{owner}', 404),
  get('a Viewer that was made here', '/Users/{viewer}', 404),
  { ...put('an Owner', userOf('eve'), 404, ''), path: '/Users/{owner}' },
  { ...put('a Viewer that was made here', userOf('eve'), 404, ''), path: '/Users/{viewer}' },
  { ...patch('an Owner', { op: 'replace', path: 'active', value: false }, '', 404), path: '/Users/{owner}' },
  {
    ...patch('a Viewer that was made here', { op: 'replace', value: { active: false } }, '', 404),
    path: '/Users/{viewer}',
  },
  { says: 'DELETE an Owner', method: 'DELETE', path: '/Users/{owner}', status: 404 },
  { says: 'DELETE a Viewer that was made here', method: 'DELETE', path: '/Users/{viewer}', status: 404 },
  get('a filter that cannot be read', '/Users?filter=userName%20eq', 400, 'invalidFilter'),
  get('a filter that is too long', `/Users?filter=userName%20eq%20%22${big(1024)}%22`, 400, 'invalidFilter'),
  get('a filter that is too deep', `/Users?filter=${'('.repeat(9)}userName%20pr${')'.repeat(9)}`, 400, 'invalidFilter'),
  get('a filter by password', '/Users?filter=password%20sw%20%22a%22', 400, 'invalidFilter'),
  get('an empty filter', '/Users?filter=', 400, 'invalidFilter'),
  get('a filter with an unknown operator', '/Users?filter=userName%20like%20%22a%22', 400, 'invalidFilter'),
  get('a filter with more after its end', '/Users?filter=userName%20eq%20%22a%22%20x', 400, 'invalidFilter'),
  get('a count that is no number', '/Users?count=ten', 400, 'invalidValue'),
  get('a start that is no number', '/Users?startIndex=1.5', 400, 'invalidValue'),
  get('two filters', '/Users?filter=id%20pr&filter=id%20pr', 400, 'invalidSyntax'),
  get('attributes and excluded ones', '/Users?attributes=id&excludedAttributes=name', 400, 'invalidValue'),
  get('too many attributes', `/Users?attributes=${'id,'.repeat(70)}`, 400, 'invalidValue'),
  post('no body', undefined, 400, 'invalidSyntax'),
  post('nothing', 'null', 400, 'invalidSyntax'),
  post('two objects', '{}{}', 400, 'invalidSyntax'),
  post('no object', [], 400, 'invalidSyntax'),
  post('no schemas', { userName: 'eve' }, 400, 'invalidSyntax'),
  post('another schema', { schemas: ['urn:example'], userName: 'eve' }, 400, 'invalidSyntax'),
  post(
    'schemas as text',
    { schemas: 'urn:ietf:params:scim:schemas:core:2.0:User', userName: 'eve' },
    400,
    'invalidSyntax',
  ),
  post('no user name', { ...userOf('x'), userName: undefined }),
  post('an empty user name', userOf('')),
  post('a user name of spaces', userOf('   ')),
  post('a user name of null', { ...userOf('x'), userName: null }),
  post('a number as user name', { ...userOf('x'), userName: 5 }),
  post('a user name that is too long', userOf(big(256))),
  post('a user name with a control character', userOf('a\u0000b')),
  post('an external id that is too long', userOf('eve', { externalId: big(256) })),
  post('an external id of another type', userOf('eve', { externalId: { a: 1 } })),
  post('active of another type', userOf('eve', { active: 'maybe' })),
  post('a number as active', userOf('eve', { active: 1 })),
  post('a name that is text', userOf('eve', { name: 'Eve' })),
  post('a list as name', userOf('eve', { name: [{ givenName: 'Eve' }, { givenName: 'Adam' }] })),
  post('a part of the name of another type', userOf('eve', { name: { givenName: {} } })),
  post('addresses of text', userOf('eve', { emails: ['eve@example.org'] })),
  post('too many addresses', userOf('eve', { emails: Array.from({ length: 21 }, (_, n) => ({ value: `a${n}` })) })),
  post('two primary addresses', userOf('eve', { emails: [1, 2].map((n) => ({ value: `a${n}`, primary: true })) })),
  post('an address that is too long', userOf('eve', { emails: [{ value: big(256) }] })),
  post('a user name that is taken', userOf('bob'), 409, 'uniqueness'),
  post('a user name that is taken in another case', userOf('BOB'), 409, 'uniqueness'),
  post('the name of an Owner', userOf('Ada'), 409, 'uniqueness'),
  ...['Аda', 'Ａｄａ', 'A\u200bda', 'A d a', 'Ádá', '𝐀da', 'Acla'].map((name) =>
    post('a name that looks like that of an Owner', userOf(name), 409, 'uniqueness'),
  ),
  post('the name of a Viewer that was made here', userOf('vic'), 409, 'uniqueness'),
  post('an external id that is taken', userOf('eve', { externalId: 'ext-bob' }), 409, 'uniqueness'),
  post('a field twice', '{"schemas":[],"userName":"a","USERNAME":"b"}', 400, 'invalidSyntax'),
  post('a field of the language', '{"__proto__":{"a":1}}', 400, ''),
  post('nesting that is too deep', `${'{"a":'.repeat(20)}1${'}'.repeat(20)}`, 400, 'invalidSyntax'),
  post('too many values', `{"emails":[${'1,'.repeat(11_000)}1]}`, 400, 'invalidSyntax'),
  post('a body that is too large', userOf('eve', { note: big(70_000) }), 413, ''),
  post('cut JSON', '{"schemas":["urn', 400, 'invalidSyntax'),
  { ...post('text', 'userName=eve', 400, ''), how: { headers: { 'content-type': 'text/plain' } } },
  { ...post('packed JSON', userOf('eve'), 415, ''), how: { headers: { 'content-encoding': 'gzip' } } },
  put('no object', [], 400, 'invalidSyntax'),
  put('another schema', { schemas: ['urn:example'], userName: 'bob' }, 400, 'invalidSyntax'),
  put('active of another type', userOf('bob', { active: 'off' })),
  put('the name of an Owner', userOf('ADA'), 409, 'uniqueness'),
  put('a name that looks like that of an Owner', userOf('ΑDА'), 409, 'uniqueness'),
  put('no schemas', { userName: 'bob' }, 400, 'invalidSyntax'),
  put('no user name', { ...userOf('x'), userName: undefined }),
  put('a user name that is taken', userOf('CARL'), 409, 'uniqueness'),
  put('an external id that is taken', userOf('bob', { externalId: 'ext-carl' }), 409, 'uniqueness'),
  { ...put('an unknown user', userOf('eve'), 404, ''), path: '/Users/0123456789abcdef' },
  { ...patch('no object', {}, 'invalidSyntax'), body: [] },
  {
    ...patch('an unknown user', { op: 'add', path: 'nickName', value: 'x' }, '', 404),
    path: '/Users/0123456789abcdef',
  },
  { says: 'DELETE an unknown user', method: 'DELETE', path: '/Users/0123456789abcdef', status: 404 },
  patch('no verb', { path: 'displayName', value: 'x' }, 'invalidValue'),
  patch('an unknown verb', { op: 'move', path: 'displayName', value: 'x' }, 'invalidValue'),
  patch('a verb that is no text', { op: 1, path: 'displayName', value: 'x' }, 'invalidValue'),
  patch('an unknown attribute', { op: 'replace', path: 'actve', value: false }, 'invalidPath'),
  patch('an unknown attribute without a path', { op: 'replace', value: { actve: false } }, 'invalidPath'),
  patch('an unknown part', { op: 'replace', path: 'name.nick', value: 'x' }, 'invalidPath'),
  patch('a path that cannot be read', { op: 'replace', path: 'emails[type eq', value: 'x' }, 'invalidPath'),
  patch(
    'a path that is too deep',
    { op: 'add', path: `emails[${'('.repeat(9)}type pr${')'.repeat(9)}].value`, value: 'x' },
    'invalidPath',
  ),
  patch(
    'a path that is too long',
    { op: 'add', path: `emails[type eq "${big(1024)}"].value`, value: 'x' },
    'invalidPath',
  ),
  patch('a path of another type', { op: 'add', path: ['emails'], value: 'x' }, 'invalidValue'),
  patch('another extension', { op: 'add', path: 'urn:example:1.0:User:x', value: 'x' }, 'invalidPath'),
  patch('the id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'),
  patch('the meta data', { op: 'replace', path: 'meta.version', value: 'x' }, 'mutability'),
  patch('the schemas', { op: 'add', path: 'schemas', value: ['x'] }, 'mutability'),
  patch('the user name away', { op: 'remove', path: 'userName' }, 'mutability'),
  patch('the state away', { op: 'remove', path: 'active' }, 'mutability'),
  patch('an empty user name', { op: 'replace', path: 'userName', value: '' }, 'invalidValue'),
  patch('a state of null', { op: 'replace', path: 'active', value: null }, 'invalidValue'),
  patch('a state that is neither', { op: 'replace', path: 'active', value: 'off' }, 'invalidValue'),
  patch('no value', { op: 'replace', path: 'displayName' }, 'invalidValue'),
  patch('a value that is no object', { op: 'add', value: 'x' }, 'invalidValue'),
  patch('nothing to remove', { op: 'remove' }, 'noTarget'),
  patch(
    'an element that nothing describes',
    { op: 'replace', path: 'emails[value co "nobody"].type', value: 'x' },
    'noTarget',
  ),
  patch('a text that is too long', { op: 'replace', path: 'displayName', value: big(256) }, 'invalidValue'),
  patch('a list for a text', { op: 'replace', path: 'displayName', value: ['a', 'b'] }, 'invalidValue'),
  patch('a user name that is taken', { op: 'replace', path: 'userName', value: 'Carl' }, 'uniqueness', 409),
  patch('the name of an Owner', { op: 'replace', path: 'userName', value: 'ada' }, 'uniqueness', 409),
  patch(
    'a name that looks like that of an Owner',
    { op: 'replace', path: 'userName', value: 'a\u00adda' },
    'uniqueness',
    409,
  ),
  patch('an external id that is taken', { op: 'add', path: 'externalId', value: 'ext-carl' }, 'uniqueness', 409),
  { ...patch('no operations', {}, 'invalidValue'), body: patchOf() },
  {
    ...patch('too many operations', {}, 'invalidValue'),
    body: patchOf(...Array.from({ length: 101 }, () => ({ op: 'add', path: 'displayName', value: 'x' }))),
  },
  { ...patch('operations that are no list', {}, 'invalidValue'), body: { ...patchOf(), Operations: { op: 'add' } } },
  { ...patch('operations that are no objects', {}, 'invalidValue'), body: { ...patchOf(), Operations: ['add'] } },
  { ...patch('another schema', {}, 'invalidSyntax'), body: userOf('bob') },
  {
    ...patch('a good change before a bad one', {}, 'invalidPath'),
    body: patchOf(
      { op: 'replace', path: 'displayName', value: 'Changed' },
      { op: 'replace', path: 'nothing', value: 1 },
    ),
  },
  {
    ...patch('a good change before one that fails at the end', {}, 'noTarget'),
    body: patchOf(
      { op: 'replace', path: 'displayName', value: 'Changed' },
      { op: 'replace', path: 'emails[value co "nobody"].type', value: 'x' },
    ),
  },
  ...['PUT', 'PATCH', 'DELETE'].map((method): Refusal => ({
    says: `${method} of another version`,
    method,
    path: '/Users/{bob}',
    ...(method !== 'DELETE' && {
      body: method === 'PUT' ? userOf('bob') : patchOf({ op: 'add', path: 'nickName', value: 'x' }),
    }),
    status: 412,
    how: { headers: { 'if-match': 'W/"99"' } },
  })),
];

/** Everything about Profiles that is stored, as text. */
async function stored({ w }: Pick<DirectoryWorld, 'w'>): Promise<string> {
  const from = w.db.tables<Record<'identity_profile' | 'identity_directory_user' | 'identity_session', object>>();
  return JSON.stringify(
    await Promise.all(
      (['identity_profile', 'identity_directory_user', 'identity_session'] as const).map((table) =>
        from.selectFrom(table).selectAll().execute(),
      ),
    ),
  );
}

test(`a directory is refused in the words of SCIM, and nothing is changed (${REFUSALS.length} cases)`, async (t) => {
  const house = await openDirectoryHouse(t);
  const before = await stored(house);
  for (const { says, method, path, body, status, scimType, how } of REFUSALS) {
    const reply = await house.ask(method, house.to(path), body, how);
    assert.equal(reply.status, status, `${says}: ${JSON.stringify(reply.body)}`);
    assert.deepEqual(reply.body['schemas'], [ERROR], says);
    assert.equal(reply.body['status'], String(status), says);
    assert.equal(reply.body['scimType'] ?? '', scimType ?? '', `${says}: ${JSON.stringify(reply.body)}`);
    assert.equal(typeof reply.body['detail'], 'string', says);
    assert.equal(reply.headers['content-type'], 'application/scim+json', says);
  }
  assert.equal(await stored(house), before);
  assert.ok(REFUSALS.length >= 120, `${REFUSALS.length} cases are fewer than 120`);
  t.diagnostic(`${REFUSALS.length} requests, 0 accepted`);
});

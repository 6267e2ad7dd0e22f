/** Changes of users by PATCH and PUT, and what comes of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDirectoryHouse, patchOf, userOf } from './testing-directory.ts';

/** Changes of one user, with what comes of them. */
const CHANGES: readonly (readonly [says: string, operations: readonly object[], after: object])[] = [
  [
    'an address of another type',
    [{ op: 'add', path: 'emails', value: [{ value: 'h@x', type: 'home' }] }],
    {
      emails: [
        { value: 'bob@example.org', type: 'work' },
        { value: 'h@x', type: 'home' },
      ],
    },
  ],
  [
    'the same address again',
    [{ op: 'add', path: 'emails', value: [{ value: 'bob@example.org', type: 'work' }] }],
    { emails: [{ value: 'bob@example.org', type: 'work' }] },
  ],
  [
    'one that is primary',
    [
      { op: 'add', path: 'emails[type eq "work"].primary', value: true },
      { op: 'add', path: 'emails', value: [{ value: 'h@x', primary: 'True' }] },
    ],
    {
      emails: [
        { value: 'bob@example.org', type: 'work', primary: false },
        { value: 'h@x', primary: true },
      ],
    },
  ],
  ['all addresses', [{ op: 'replace', path: 'emails', value: [{ value: 'n@x' }] }], { emails: [{ value: 'n@x' }] }],
  [
    'an element as a whole',
    [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: 'n@x', display: 'New' } }],
    { emails: [{ value: 'n@x', type: 'work', display: 'New' }] },
  ],
  [
    'an element that two values describe',
    [{ op: 'add', path: 'emails[type eq "home" and primary eq true].value', value: 'p@x' }],
    {
      emails: [
        { value: 'bob@example.org', type: 'work' },
        { type: 'home', primary: true, value: 'p@x' },
      ],
    },
  ],
  [
    'every address',
    [{ op: 'replace', path: 'emails.type', value: 'other' }],
    { emails: [{ value: 'bob@example.org', type: 'other' }] },
  ],
  [
    'the name in parts',
    [
      { op: 'add', path: 'name', value: { givenName: 'Bob' } },
      { op: 'replace', path: 'name', value: { familyName: 'Stone' } },
    ],
    { name: { givenName: 'Bob', familyName: 'Stone' } },
  ],
  [
    'keys in any case',
    [{ op: 'REPLACE', value: { DISPLAYNAME: 'B', 'Name.GivenName': 'Bob' } }],
    { displayName: 'B', name: { givenName: 'Bob' } },
  ],
  [
    'nothing kept',
    [
      { op: 'add', path: 'title', value: 'x' },
      { op: 'remove', path: 'photos' },
    ],
    { userName: 'bob' },
  ],
  ['the id of its own', [{ op: 'replace', value: { id: 'x', schemas: [], displayName: 'B' } }], { displayName: 'B' }],
  ['an external id', [{ op: 'replace', path: 'externalId', value: 'new' }], { externalId: 'new' }],
];
for (const [says, operations, after] of CHANGES)
  test(`a change: ${says}`, async (t) => {
    const { ask, ids } = await openDirectoryHouse(t);
    const reply = await ask('PATCH', `/Users/${ids.bob}`, patchOf(...operations));
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    for (const [name, value] of Object.entries(after)) assert.deepEqual(reply.body[name], value, name);
    assert.deepEqual((await ask('GET', `/Users/${ids.bob}`)).body, reply.body);
  });

test('what is removed is gone, and removing it again changes nothing', async (t) => {
  const { ask, ids } = await openDirectoryHouse(t);
  const at = `/Users/${ids.bob}`;
  for (const path of ['emails[type eq "work"]', 'emails', 'externalId', 'name', 'displayName'])
    assert.equal((await ask('PATCH', at, patchOf({ op: 'Remove', path }))).status, 200, path);
  const { body } = await ask('GET', at);
  assert.deepEqual(Object.keys(body).sort(), ['active', 'id', 'meta', 'schemas', 'userName']);
});

test('a replacement clears what it leaves out, but neither the external id nor the state', async (t) => {
  const { ask, ids } = await openDirectoryHouse(t);
  const at = `/Users/${ids.carl}`;
  await ask('PATCH', at, patchOf({ op: 'replace', path: 'active', value: false }));
  const { body } = await ask('PUT', at, userOf('carl', { nickName: 'C' }));
  assert.deepEqual(
    [body['displayName'], body['externalId'], body['active'], body['nickName']],
    [undefined, 'ext-carl', false, 'C'],
  );
  const cleared = await ask('PUT', at, userOf('carl', { externalId: null, active: 'true' }));
  assert.deepEqual([cleared.body['externalId'], cleared.body['active']], [undefined, true]);
});

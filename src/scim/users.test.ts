/** Users over SCIM: what a user is, versions, lists, names, and changes at the same time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '../lib/db/testing.ts';
import { identityMigrations } from '../identity/index.ts';
import { OTHER } from '../identity/testing-world.ts';
import { type DirectoryWorld, openDirectoryHouse, openDirectoryWorld, patchOf, userOf } from './testing-directory.ts';

eachEngine('a user is a passwordless Viewer with nothing allowed', identityMigrations, async (t, db) => {
  const { w, owner, ids } = await openDirectoryHouse(t, db);
  const { body } = await w.call('GET', `/api/v1/profiles/${ids.carl}`, { token: owner });
  assert.partialDeepStrictEqual(body, {
    name: 'Carl',
    role: 'viewer',
    passwordless: true,
    policy: { libraries: [], remote: false, transcode: false, download: false, unrated: false },
    directory: { userName: 'Carl', state: 'active' },
  });
  const reply = await w.call('POST', '/api/v1/session', { body: { name: 'Carl', password: OTHER } });
  assert.equal(reply.status, 401);
});

eachEngine('changes have a version, and a reply names it', identityMigrations, async (t, db) => {
  const { ask, ids, w } = await openDirectoryHouse(t, db);
  const at = `/Users/${ids.bob}`;
  const made = await ask('POST', '/Users', userOf('dora'));
  assert.equal(made.etag, 'W/"1"');
  assert.equal(made.headers['location'], `http://localhost/scim/v2/Users/${String(made.body['id'])}`);
  const read = await ask('GET', at);
  assert.equal(read.etag, 'W/"1"');
  assert.equal((await ask('GET', at, undefined, { headers: { 'if-none-match': 'W/"1"' } })).status, 304);
  w.clock.pass(1_000);
  const changed = await ask('PATCH', at, patchOf({ op: 'add', path: 'nickName', value: 'Bobby' }), {
    headers: { 'if-match': 'W/"1"' },
  });
  assert.deepEqual([changed.status, changed.etag], [200, 'W/"2"']);
  assert.partialDeepStrictEqual(changed.body, { meta: { version: 'W/"2"', lastModified: '2026-11-20T12:00:01.000Z' } });
  // A change to the same values makes no version.
  const same = await ask('PATCH', at, patchOf({ op: 'add', path: 'nickName', value: 'Bobby' }));
  assert.deepEqual([same.status, same.etag], [200, 'W/"2"']);
  assert.equal((await ask('GET', at, undefined, { headers: { 'if-none-match': 'W/"1", W/"9"' } })).status, 200);
  assert.equal((await ask('PUT', at, userOf('bob'), { headers: { 'if-match': '*' } })).status, 200);
  // A restart loses none of it.
  const again = await w.again();
  const user = again.identity.operations.directory.read(ids.bob);
  assert.partialDeepStrictEqual(user, { userName: 'bob', externalId: 'ext-bob', version: '3' });
});

test('lists have pages, filters and chosen attributes', async (t) => {
  const { ask, make, w } = await openDirectoryWorld(t);
  for (let n = 0; n < 5; n++) {
    w.clock.pass(1);
    await make(`user-${n}`, {
      name: { givenName: 'User', familyName: String(n) },
      emails: [{ value: `${n}@example.org` }],
    });
  }
  const namesOf = async (query: string) => {
    const { body } = await ask('GET', `/Users?${query}`);
    const users = body['Resources'] as { userName: string }[];
    return [body['totalResults'], body['startIndex'], body['itemsPerPage'], ...users.map(({ userName }) => userName)];
  };
  assert.deepEqual(await namesOf('startIndex=2&count=2'), [5, 2, 2, 'user-1', 'user-2']);
  assert.deepEqual(await namesOf('count=0'), [5, 1, 0]);
  assert.deepEqual(await namesOf('count=-3'), [5, 1, 0]);
  assert.deepEqual(await namesOf('startIndex=-1&count=1'), [5, 1, 1, 'user-0']);
  assert.deepEqual(await namesOf('startIndex=6'), [5, 6, 0]);
  assert.deepEqual((await namesOf('count=1000')).slice(0, 3), [5, 1, 5]);
  assert.deepEqual(await namesOf('filter=userName%20ew%20%22-3%22'), [1, 1, 1, 'user-3']);
  assert.deepEqual(await namesOf('sortBy=userName&sortOrder=descending&count=1'), [5, 1, 1, 'user-0']);
  const keysOf = async (query: string) => {
    const { body } = await ask('GET', `/Users?count=1&${query}`);
    return (body['Resources'] as object[])[0];
  };
  assert.deepEqual(Object.keys((await keysOf('attributes=userName')) ?? {}), ['schemas', 'id', 'userName']);
  assert.deepEqual(Object.keys((await keysOf('attributes=nothing')) ?? {}), ['schemas', 'id']);
  assert.partialDeepStrictEqual(await keysOf('attributes=name.familyName'), { name: { familyName: '0' } });
  assert.equal(JSON.stringify(await keysOf('attributes=name.familyName')).includes('givenName'), false);
  assert.deepEqual(Object.keys((await keysOf('excludedAttributes=EMAILS,name,id,meta.created')) ?? {}), [
    'schemas',
    'id',
    'meta',
    'userName',
    'active',
  ]);
  const read = await ask('POST', '/Users?attributes=userName', userOf('eve'));
  assert.deepEqual(Object.keys(read.body), ['schemas', 'id', 'userName']);
});

test('the Profile has the name for people while that is free', async (t) => {
  const { ask, make, w, owner, ids } = await openDirectoryHouse(t);
  const nameOf = async (id: string) => (await w.call('GET', `/api/v1/profiles/${id}`, { token: owner })).body['name'];
  const second = await make('carl.two@example.org', { displayName: 'Carl' });
  assert.equal(await nameOf(second), 'carl.two@example.org');
  const parts = await make('eve@example.org', { name: { givenName: 'Eve', familyName: 'Moss' } });
  assert.equal(await nameOf(parts), 'Eve Moss');
  const like = await make('fay@example.org', { displayName: 'Аda', name: { formatted: 'Ａda' } });
  assert.equal(await nameOf(like), 'fay@example.org', 'names that look like that of an Owner are passed over');
  const long = await make(`${'x'.repeat(80)}1`);
  const longer = await make(`${'x'.repeat(80)}2`);
  assert.deepEqual([await nameOf(long), await nameOf(longer)], ['x'.repeat(64), `${'x'.repeat(62)} 2`]);
  await ask('PATCH', `/Users/${ids.carl}`, patchOf({ op: 'replace', path: 'displayName', value: 'Charles' }));
  assert.equal(await nameOf(ids.carl), 'Charles');
  const renamed = await w.call('PUT', `/api/v1/profiles/${ids.carl}`, { token: owner, body: { name: 'Karl' } });
  assert.deepEqual([renamed.status, renamed.body['reason']], [409, 'directory-managed']);
  const limited = await w.call('PUT', `/api/v1/profiles/${ids.carl}`, {
    token: owner,
    body: { name: 'Charles', policy: { download: true } },
  });
  assert.equal(limited.status, 200);
});

test('the directory does not see a user that became an Owner, and does not touch it', async (t) => {
  const { ask, w, owner, ids } = await openDirectoryHouse(t);
  await w.call('PUT', `/api/v1/profiles/${ids.carl}/password`, { token: owner, body: { password: OTHER } });
  const promoted = await w.call('PUT', `/api/v1/profiles/${ids.carl}`, { token: owner, body: { role: 'owner' } });
  assert.equal(promoted.status, 200, JSON.stringify(promoted.body));
  const at = `/Users/${ids.carl}`;
  assert.equal((await ask('GET', at)).status, 404);
  assert.equal((await ask('PATCH', at, patchOf({ op: 'replace', path: 'active', value: false }))).status, 404);
  assert.equal((await ask('DELETE', at)).status, 404);
  assert.equal((await ask('GET', '/Users')).body['totalResults'], 1);
  assert.equal((await ask('POST', '/Users', userOf('other', { externalId: 'ext-carl' }))).status, 409);
});

test('the documents say what is offered', async (t) => {
  const { ask } = await openDirectoryWorld(t);
  const configuration = (await ask('GET', '/ServiceProviderConfig')).body;
  assert.partialDeepStrictEqual(configuration, {
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
  });
  assert.partialDeepStrictEqual((await ask('GET', '/ResourceTypes')).body, {
    totalResults: 1,
    Resources: [{ id: 'User', endpoint: '/Users' }],
  });
  const schema = (await ask('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User')).body;
  const names = (schema['attributes'] as { name: string }[]).map(({ name }) => name);
  assert.ok(names.includes('userName') && names.includes('emails') && !names.includes('password'));
});

/** Changes a user 100 times at once by the version that all of them have read. Returns how many succeeded. */
async function raceOnOneVersion(world: DirectoryWorld): Promise<string> {
  const id = await world.make('bob');
  world.w.meet(100);
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      world.ask('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'nickName', value: `n${n}` }), {
        headers: { 'if-match': 'W/"1"' },
      }),
    ),
  );
  const statuses = Map.groupBy(replies, ({ status }) => status);
  return [...statuses]
    .map(([status, { length }]) => `${status}: ${length}`)
    .sort()
    .join(', ');
}
test('of 100 changes of one version at the same time, one succeeds', async (t) => {
  assert.equal(await raceOnOneVersion(await openDirectoryWorld(t)), '200: 1, 412: 99');
});
test('of 100 changes of one version at the same time, one succeeds — and more do without the lock', async (t) => {
  assert.notEqual(await raceOnOneVersion(await openDirectoryWorld(t, { isUnlocked: true })), '200: 1, 412: 99');
});

test('two users of one name at the same time: one is made', async (t) => {
  const race = async (world: DirectoryWorld) => {
    world.w.meet(2);
    const replies = await Promise.all(['eve', 'EVE'].map((name) => world.ask('POST', '/Users', userOf(name))));
    return replies
      .map(({ status }) => status)
      .sort()
      .join();
  };
  assert.equal(await race(await openDirectoryWorld(t)), '201,409');
  assert.notEqual(await race(await openDirectoryWorld(t, { isUnlocked: true })), '201,409');
});

/**
 * Storage of Viewers: every table that holds a Profile is in the table of docs/security.md, and the lists of a
 * Viewer that has filled its playlists stay small.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { MAX_RULE_BYTES, MAX_RULE_LOOKUPS, type RuleGroup } from '../src/contract/catalog/rule-fields.ts';
import { MAX_PLAYLISTS } from '../src/contract/lists/playlists.ts';
import { MAX_RULE_BYTES_OF_PROFILE } from '../src/contract/lists/smart-playlists.ts';
import type { Transaction } from '../src/lib/db/index.ts';
import { MAX_LIST_BYTES, NOT_STORED_BY_VIEWERS, STORED_BY_VIEWERS } from '../tools/viewer-storage.ts';
import { profileTables } from './profile-tables.ts';
import { PASSWORD, startWorld, type World } from './world.ts';

test('every table with a Profile says how many rows a Viewer can store', async (t) => {
  const world = await startWorld(t);
  const known = new Set([...STORED_BY_VIEWERS.flatMap(({ tables }) => tables), ...Object.keys(NOT_STORED_BY_VIEWERS)]);
  const found = (await profileTables(world.db)).map(({ name }) => name);
  assert.deepEqual(
    found.filter((name) => !known.has(name)),
    [],
    'add it to tools/viewer-storage.ts with its bounds',
  );
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(
    world.db.tables<Record<string, never>>(),
  );
  const all = new Set(rows.map(({ name }) => name));
  assert.deepEqual(
    [...known].filter((name) => !all.has(name)),
    [],
    'a table that is not there has no row',
  );
});

/** Rules of about so many bytes. */
const rulesOf = (bytes: number): RuleGroup => ({
  match: 'any',
  rules: Array.from({ length: Math.ceil(bytes / 10_000) }, () => ({
    field: 'genre' as const,
    is: 'in' as const,
    value: Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(Math.min(190, Math.floor(bytes / 60)), 'x')),
  })),
});

async function openViewer(world: World) {
  const owner = await world.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  const policy = { libraries: 'all', rating: 'all' };
  const given = { name: 'Vic', password: PASSWORD, policy };
  const made = await world.call({ token: String(owner.body['token']) }, 'POST', '/api/v1/profiles', given);
  const session = await world.call(undefined, 'POST', '/api/v1/session', { name: 'Vic', password: PASSWORD });
  const who = { token: String(session.body['token']) };
  return {
    profile: String(made.body['id']),
    call: (method: string, path: string, body?: unknown) => world.call(who, method, `/api/v1/${path}`, body),
  };
}

test('rules are bounded as a whole, each and together', async (t) => {
  const world = await startWorld(t, { env: { SERVICE_REQUIRE_MFA: 'false' } });
  const { call } = await openViewer(world);
  const create = (rules: RuleGroup) => call('POST', 'smart-playlists', { name: 'x', rules });
  const large = await create(rulesOf(MAX_RULE_BYTES + 10_000));
  assert.equal(large.status, 400, large.text.slice(0, 200));
  assert.match(large.text, /at most 16384 bytes/);
  const people = Array.from({ length: MAX_RULE_LOOKUPS + 1 }, (_, n) => `Person ${n}`);
  const many = await create({ match: 'all', rules: [{ field: 'person', is: 'in', value: people }] });
  assert.match(many.text, /at most 20 people and playlists/);
  let count = 0;
  let last = await create(rulesOf(9_000));
  for (; last.status === 201; count++) last = await create(rulesOf(9_000));
  assert.deepEqual([last.status, last.body['reason']], [409, 'too-many-rules']);
  assert.ok(count * 7_000 < MAX_RULE_BYTES_OF_PROFILE && count > 100, String(count));
});

test('a Viewer with as many and as large playlists as can be reads each list in small replies', async (t) => {
  const world = await startWorld(t, { env: { SERVICE_REQUIRE_MFA: 'false' } });
  const { call, profile } = await openViewer(world);
  const name = '界'.repeat(200);
  const id = (n: number) => n.toString(16).padStart(16, '0');
  // Rules as an earlier version stored them, of 0.5 MB each: 250 MB in one reply of all rules.
  const query = JSON.stringify({ rules: rulesOf(500_000) });
  await world.db.write('grouped', async (tx: Transaction<unknown>) => {
    for (let n = 0; n < MAX_PLAYLISTS; n++) {
      const own = n < 5 ? query : JSON.stringify({ rules: rulesOf(1_500) });
      const row = sql`${id(n)}, ${profile}, ${name}`;
      await sql`insert into lists_smart (id, profile, name, query) values (${row}, ${own})`.execute(tx);
      await sql`insert into lists_playlist (id, profile, name, shared) values (${row}, 0)`.execute(tx);
    }
  });
  for (const path of ['smart-playlists', 'playlists']) {
    let cursor = '';
    const seen = new Set<string>();
    do {
      const page = await call('GET', `${path}?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
      assert.equal(page.status, 200, page.text.slice(0, 200));
      assert.ok(Buffer.byteLength(page.text) < MAX_LIST_BYTES, `${path}: ${page.text.length} bytes`);
      assert.equal(page.body['total'], MAX_PLAYLISTS);
      for (const one of page.body['items'] as { id: string }[]) seen.add(one.id);
      cursor = (page.body['nextCursor'] as string | undefined) ?? '';
    } while (cursor !== '');
    assert.equal(seen.size, MAX_PLAYLISTS, `${path} has all of them`);
  }
  const old = await call('GET', `smart-playlists/${id(0)}`);
  assert.equal(old.status, 200, 'rules from before can be read one by one');
  assert.ok(old.text.length > 400_000);
  const renamed = await call('PUT', `smart-playlists/${id(0)}`, { name: 'Renamed' });
  assert.equal(renamed.status, 200, renamed.text.slice(0, 200));
  const more = await call('PUT', `smart-playlists/${id(9)}`, { rules: rulesOf(9_000) });
  assert.equal(more.body['reason'], 'too-many-rules');
});

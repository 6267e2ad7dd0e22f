/**
 * The activity log of the whole server: each act is recorded once and in its transaction, without names, titles, paths
 * or secrets; Owners read and export it, and people are notified.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { verifyActivity } from '../src/activity/index.ts';
import type { ActivityTables } from '../src/activity/store/tables.ts';
import type { Database, Transaction } from '../src/lib/db/index.ts';
import { passes, until } from './until.ts';
import { PASSWORD, startWorld, type Reply, type World, type WorldOptions } from './world.ts';

const OTHER = 'an entirely different passphrase';
const SECRET = 'canary-secret-of-32-characters-or-more';
const CANARY = 'Canary';

interface Entry {
  id: string;
  kind: string;
  category: string;
  outcome: string;
  count: number;
  actor?: { id: string; name?: string };
  profile?: { id: string; name?: string };
  target?: { id: string; name?: string };
  details: Record<string, string | number>;
  network?: string;
}

async function open(t: TestContext, options: WorldOptions = {}) {
  const world = await startWorld(t, { env: { SERVICE_REQUIRE_MFA: 'false' }, ...options });
  const made = await world.call(undefined, 'POST', '/api/v1/setup', { name: `${CANARY}Ada`, password: PASSWORD });
  const token = String(made.body['token']);
  const ada = String((made.body['profile'] as { id: string }).id);
  const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
    world.call({ token }, method, `/api/v1${path}`, body);
  const done = async (method: string, path: string, body?: unknown): Promise<Reply['body']> => {
    const reply = await ask(method, path, body);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const entries = async (query = ''): Promise<Entry[]> =>
    (await done('GET', `/activity?limit=200${query}`))['items'] as Entry[];
  return { world, token, ada, ask, done, entries };
}
type House = Awaited<ReturnType<typeof open>>;

const signIn = ({ call }: World, name: string, password: string) =>
  call(undefined, 'POST', '/api/v1/session', { name, password });

/** Does one thing of each sort that the router can do without media, and returns the kinds in their order. */
async function act({ world, ask, done }: House): Promise<void> {
  const policy = { libraries: 'all', rating: 'all', windows: [] };
  const { id: vic } = await done('POST', '/profiles', { name: `${CANARY}Vic`, password: OTHER, policy });
  await signIn(world, `${CANARY}Vic`, 'not the right password at all');
  await signIn(world, `${CANARY}Vic`, OTHER);
  await done('PUT', `/profiles/${String(vic)}`, { name: `${CANARY}Una` });
  await done('PUT', `/profiles/${String(vic)}/password`, { password: `${OTHER}!` });
  const { id: key } = await done('POST', '/api-keys', { name: `${CANARY} key`, scopes: ['library'] });
  await done('DELETE', `/api-keys/${String(key)}`);
  await done('PUT', '/configuration/server.name', { value: `${CANARY} home` });
  await done('DELETE', '/configuration/server.name');
  await done('PUT', '/configuration/integrations.webhook.token', { value: SECRET });
  const { id: library } = await done('POST', '/libraries', {
    name: CANARY,
    path: `${world.folder}/pages`,
    kind: 'movies',
  });
  await done('DELETE', `/libraries/${String(library)}`);
  await done('PUT', '/me/password', { password: PASSWORD, newPassword: `${PASSWORD}!` });
  await done('DELETE', `/profiles/${String(vic)}`);
  assert.equal((await ask('DELETE', '/profiles/0000000000000000')).status, 404, 'what fails is not recorded');
}
const EXPECTED = [
  'set-up done',
  'device-added done',
  'profile-created done',
  'sign-in refused',
  'device-added done',
  'sign-in done',
  'profile-changed done',
  'password-set done',
  'key-created done',
  'key-revoked done',
  'setting-changed done',
  'setting-reset done',
  'setting-changed done',
  'library-added done',
  'library-removed done',
  'password-changed done',
  'profile-removed done',
];

const rowsOf = (db: Database) =>
  db.tables<ActivityTables>().selectFrom('activity_entry').selectAll().orderBy('number').execute();

test('each act is recorded once, as ids and words, in a chain that holds', async (t) => {
  const house = await open(t);
  await act(house);
  const all = (await house.entries()).toReversed();
  assert.deepEqual(all.map(({ kind, outcome }) => `${kind} ${outcome}`).sort(), EXPECTED.toSorted());
  const rows = JSON.stringify(await rowsOf(house.world.db));
  for (const canary of [CANARY, SECRET, PASSWORD, OTHER, house.token, house.world.folder])
    assert.equal(rows.includes(canary), false, `${canary} is in the log`);
  assert.equal((await verifyActivity(house.world.db)).broken, undefined);
  const [changed] = all.filter(({ kind }) => kind === 'setting-changed');
  assert.deepEqual(
    [changed?.details, changed?.actor, changed?.network],
    [{ key: 'server.name' }, { id: house.ada, name: `${CANARY}Ada` }, undefined],
  );
  const [added] = all.filter(({ kind }) => kind === 'library-removed');
  assert.deepEqual(Object.keys(added?.target ?? {}), ['id'], 'a removed library leaves its id alone');
  const [refused] = all.filter(({ outcome }) => outcome === 'refused');
  assert.deepEqual(
    [refused?.network, refused?.actor, refused?.profile?.name],
    ['192.168.1.0/24', undefined, undefined],
  );
  const [removed] = all.filter(({ kind }) => kind === 'profile-removed');
  assert.deepEqual(Object.keys(removed?.profile ?? {}), ['id'], 'a removed Profile leaves its id alone');
});

test('a change whose entry cannot be written does not happen, and no entry is there without its change', async (t) => {
  const house = await open(t);
  const { world, ask } = house;
  const before = (await rowsOf(world.db)).length;
  // An entry that is there already stands for any fault: numbers are unique.
  await world.db.write('grouped', async (tx: Transaction<ActivityTables>) => {
    await tx.updateTable('activity_chain').set({ head_number: 0 }).execute();
  });
  const acts = [
    ['POST', '/profiles', { name: 'Vic', password: OTHER }],
    ['POST', '/api-keys', { name: 'key', scopes: ['library'] }],
    ['PUT', '/configuration/server.name', { value: 'Attic' }],
    ['POST', '/libraries', { name: 'Films', path: `${world.folder}/pages`, kind: 'movies' }],
  ] as const;
  for (const [method, path, body] of acts) assert.equal((await ask(method, path, body)).status, 500, path);
  assert.equal((await rowsOf(world.db)).length, before);
  assert.equal((await house.done('GET', '/profiles'))['total'], 1);
  assert.equal((await house.done('GET', '/api-keys'))['total'], 0);
  assert.equal(world.config.get('server.name'), undefined);
  const { settings } = (await house.done('GET', '/configuration')) as unknown as {
    settings: { key: string; source: string }[];
  };
  for (const key of ['server.name', 'libraries'])
    assert.equal(settings.find((row) => row.key === key)?.source, 'default', key);
});

test('the last check says that the log is whole, and where a changed one breaks', async (t) => {
  const { world, done } = await open(t);
  const checked = async () => {
    const { checkedAt: _, ...found } = await done('GET', '/activity/check');
    return found;
  };
  const check = async () => {
    const { id } = await done('POST', '/tasks/check-activity', {});
    await passes(async () => assert.equal((await done('GET', `/tasks/${String(id)}`))['state'], 'done'));
  };
  await world.start();
  assert.deepEqual(await checked(), { state: 'unchecked' });
  await check();
  assert.deepEqual(await checked(), { state: 'whole', entries: 2 });
  await world.db.write('grouped', async (tx: Transaction<ActivityTables>) => {
    await tx.updateTable('activity_entry').set({ outcome: 'refused' }).where('number', '=', 2).execute();
  });
  await check();
  const { brokenAt, ...found } = await checked();
  assert.deepEqual([found, (brokenAt as { number: number }).number], [{ state: 'broken', entries: 2 }, 2]);
});

test('filters and pages', async (t) => {
  const house = await open(t);
  await act(house);
  const kinds = async (query: string) => (await house.entries(query)).map(({ kind }) => kind);
  assert.deepEqual((await kinds('&category=administration')).toReversed(), [
    'setting-changed',
    'setting-reset',
    'setting-changed',
    'library-added',
    'library-removed',
  ]);
  assert.deepEqual(await kinds('&kind=key-created'), ['key-created']);
  assert.deepEqual(await kinds('&outcome=refused'), ['sign-in']);
  assert.deepEqual(await kinds('&category=administration&kind=key-created'), []);
  assert.deepEqual(await kinds('&to=2020-01-01T00:00:00Z'), []);
  assert.equal((await kinds(`&from=2020-01-01T00:00:00Z&profile=${house.ada}`)).length, 14);
  const walked: string[] = [];
  let cursor: string | undefined = '';
  do {
    const page: Reply['body'] = await house.done('GET', `/activity?limit=5${cursor}`);
    assert.equal(page['total'], EXPECTED.length);
    walked.push(...(page['items'] as Entry[]).map(({ id }) => id));
    const next = page['nextCursor'] as string | undefined;
    cursor = next && `&cursor=${next}`;
  } while (cursor);
  assert.deepEqual(
    walked,
    (await house.entries()).map(({ id }) => id),
  );
  for (const wrong of ['category=x', 'kind=x', 'from=yesterday', 'profile=ada', 'cursor=abc', 'outcome=x'])
    assert.equal((await house.ask('GET', `/activity?${wrong}`)).status, 400, wrong);
});

test('100,000 entries are exported with flat memory, and no cell is a formula', async (t) => {
  const house = await open(t);
  const { world } = house;
  await house.done('POST', '/profiles', { name: '=cmd|A1', password: OTHER });
  const ENTRIES = 100_000;
  const { appendActivity } = await import('../src/activity/index.ts');
  const event = { kind: 'sign-in', outcome: 'refused', profile: house.ada } as const;
  for (let left = ENTRIES; left > 0; left -= 10_000)
    await world.db.write('grouped', (tx: Transaction<never>) =>
      appendActivity(
        tx,
        Array.from({ length: 10_000 }, () => event),
        world.clock.now(),
      ),
    );
  await world.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = world.http.server.server.address() as { port: number };
  const read = async (format: string): Promise<{ lines: number; most: number; first: string; last: string }> => {
    const before = process.memoryUsage().heapUsed;
    let [lines, most, first, last] = [0, 0, '', ''];
    const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().heapUsed - before)), 5);
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/activity/export?format=${format}`, {
      headers: { authorization: `Bearer ${house.token}` },
    });
    assert.equal(reply.status, 200);
    for await (const piece of reply.body ?? []) {
      const text = Buffer.from(piece).toString();
      first ||= text;
      last = text;
      lines += text.split('\n').length - 1;
    }
    clearInterval(sampling);
    return { lines, most, first, last };
  };
  const json = await read('jsonl');
  const csv = await read('csv');
  const total = (await house.done('GET', '/activity?limit=1'))['total'] as number;
  assert.deepEqual([json.lines, csv.lines, total], [ENTRIES + 3, ENTRIES + 4, ENTRIES + 3]);
  assert.match(csv.first, /^"id","at","category","kind"/);
  // The whole would be over 40 MB of text, and far more as objects.
  for (const { most } of [json, csv]) assert.ok(most < 50 * 1024 ** 2, `${Math.round(most / 1024 ** 2)} MiB`);
  t.diagnostic(`${Math.round(json.most / 1024 ** 2)} and ${Math.round(csv.most / 1024 ** 2)} MiB at most`);
  assert.match(csv.last, /"'=cmd\|A1"/);
  assert.equal(/(^|,)"[=+@-]/m.test(csv.last), false);
});

test('people are notified until they have seen it, apart from what their session did itself', async (t) => {
  const house = await open(t);
  const { world } = house;
  await house.done('POST', '/profiles', { name: 'Vic', password: OTHER });
  const phone = String((await signIn(world, 'Vic', OTHER)).body['token']);
  const laptop = String((await signIn(world, 'Vic', OTHER)).body['token']);
  const notices = async (token: string, query = '') => {
    const reply = await world.call({ token }, 'GET', `/api/v1/me/security${query}`);
    assert.equal(reply.status, 200, reply.text);
    const items = reply.body['items'] as (Entry & { seen: boolean; own: boolean })[];
    return { unseen: reply.body['unseen'], items, kinds: items.map(({ kind }) => kind) };
  };
  assert.deepEqual((await notices(phone)).kinds, ['device-added'], 'that of the laptop');
  assert.deepEqual((await notices(laptop)).kinds, ['device-added'], 'that of the phone');
  assert.deepEqual((await notices(house.token)).kinds, ['device-added', 'device-added'], 'both, for the Owner');
  const listening = new AbortController();
  const heard: string[] = [];
  t.after(() => listening.abort());
  await world.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = world.http.server.server.address() as { port: number };
  const stream = await fetch(`http://127.0.0.1:${port}/api/v1/events`, {
    headers: { authorization: `Bearer ${house.token}` },
    signal: listening.signal,
  });
  void (async () => {
    for await (const piece of stream.body ?? []) heard.push(Buffer.from(piece).toString());
  })().catch(() => {});
  await until('the stream to begin', () => heard.join('').includes('hello'));
  await world.call({ token: laptop }, 'PUT', '/api/v1/me/password', { password: OTHER, newPassword: `${OTHER}!` });
  // The password ends other sessions, so the phone signs in again.
  const again = String((await signIn(world, 'Vic', `${OTHER}!`)).body['token']);
  const { kinds, items, unseen } = await notices(again);
  assert.deepEqual([kinds, unseen], [['password-changed', 'device-added', 'device-added'], 3]);
  assert.equal(
    (await world.call({ token: again }, 'PUT', '/api/v1/me/security', { seen: [items[0]?.id] })).status,
    204,
  );
  assert.deepEqual((await notices(again)).kinds, ['device-added', 'device-added']);
  const all = await notices(again, '?seen=true');
  assert.deepEqual(
    all.items.map(({ kind, seen, own }) => [kind, seen, own]),
    [
      ['device-added', false, true],
      ['password-changed', true, true],
      ['device-added', false, true],
      ['device-added', false, true],
    ],
  );
  assert.ok((await notices(house.token)).kinds.includes('password-changed'), 'the Owner has not seen it');
  await until('the event', () => heard.join('').includes('"security"'));
});

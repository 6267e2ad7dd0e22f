/** Guarantees of every endpoint, checked for all of the product and for the specimens. No list here could miss one. */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, before, describe, mock, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { type Endpoint, isForProfiles } from '../src/contract/kernel/endpoint.ts';
import { matrix, publicRoutes } from '../src/http/matrix.ts';
import { hasHead } from '../src/http/methods.ts';
import { createServer } from '../src/http/server.ts';
import { silentLog } from '../src/lib/log.ts';
import { WITH_SPECIMENS } from './specimens.ts';
import { type Caller, CALLERS, DIRECTORY_SETTINGS, makeHousehold, type Who, type World, startWorld } from './world.ts';

const url = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? 'aaaaaaaaaaaaaaaa' : 'aaaa'));
const isOurs = ({ surface }: Endpoint) => surface.fields.unknown === 'refused';
const isSafe = ({ method }: Endpoint) => method === 'GET';
const isSocket = ({ result }: Endpoint) => 'socket' in result;
const isOfService = ({ access }: Endpoint) => access !== 'public' && 'service' in access;
let networks = 0;
/** A separate network for each token of a service, so that the throttle does not reply in place of the check. */
const elsewhere = (endpoint: Endpoint): string | undefined =>
  isOfService(endpoint) ? `10.${++networks >> 8}.${networks & 255}.1` : undefined;

let house: World;
let callers: Record<Caller, Who>;
/** Runs at the end of this file. */
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;

before(async () => {
  // The stored data is compared, and last uses are stored once a minute: no minute passes here, however slow the
  // machine.
  mock.timers.enable({ apis: ['setInterval'] });
  house = await startWorld(together, { domains: WITH_SPECIMENS, env: DIRECTORY_SETTINGS });
  callers = await makeHousehold(house);
});
after(() => Promise.all(closing.splice(0).map((close) => close())));

/** Everything that is stored, as text: what a refused request must leave as it was. */
async function stored(): Promise<string> {
  const db = house.db.tables<Record<string, never>>();
  const { rows } = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`.execute(db);
  const all: Record<string, unknown> = {};
  for (const { name } of rows) all[name] = (await sql`select * from ${sql.table(name)}`.execute(db)).rows;
  // Only that a wrong token was refused is recorded, and Owners are notified of it.
  const entries = all['activity_entry'] as { kind: string }[];
  all['activity_entry'] = entries.filter(({ kind }) => kind !== 'directory-refused');
  delete all['activity_chain'];
  delete all['activity_notice'];
  return JSON.stringify(all, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Said once more, apart from the code that guards: what each caller gets where the access is as declared. */
function expected(caller: Caller, { access, anyOrigin }: Endpoint): 'in' | 401 | 403 {
  if (anyOrigin) return 'in';
  if (caller === 'directory') return access !== 'public' && 'service' in access ? 'in' : 401;
  if (access === 'public') return 'in';
  if (!isForProfiles(access)) return 401;
  if (caller === 'nobody') return 401;
  const [who = '', how = ''] = caller.split(' ');
  if (how === 'enrolling' && !access.enrolling) return 403;
  // Denied by its viewing hours, and at home.
  if (how === 'denied' && !access.enrolling && !access.anyHour) return 403;
  if (access.role === 'owner' && who === 'viewer') return 403;
  if (who === 'key') return access.via !== 'session' && (how === 'all' || how === access.via) ? 'in' : 403;
  // Signed in moments ago counts as recent; only one of them is not.
  return access.recent === true && how === 'stale' ? 403 : 'in';
}

/** Headers of a request that another site asks for, as browsers send them. */
const ELSEWHERE = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none', origin: 'https://elsewhere.example' },
];

test('every endpoint answers every caller as its access says, before it looks at anything else', async (t) => {
  const before = await stored();
  let checked = 0;
  for (const { endpoint } of house.mounted) {
    // Wrong in all that comes later: a caller that passes the guard gets an error, and nothing is changed.
    const at = `${url(endpoint.path)}?surprise=1`;
    for (const caller of CALLERS) {
      const reply = await house.call(
        callers[caller],
        endpoint.method,
        at,
        isSafe(endpoint) ? undefined : { surprise: 1 },
        // A browser says of a socket where it was opened.
        isSocket(endpoint) ? { origin: 'http://localhost' } : {},
        elsewhere(endpoint),
      );
      const should = expected(caller, endpoint);
      const name = `${endpoint.method} ${endpoint.path} as ${caller}: ${reply.status} ${reply.text.slice(0, 120)}`;
      if (should !== 'in') assert.equal(reply.status, should, name);
      else if (isOurs(endpoint)) assert.equal(reply.status, 400, name);
      else assert.ok(reply.status !== 401 && reply.status !== 403, name);
      if (should === 401) assert.equal(reply.headers['www-authenticate'], 'Bearer', name);
      checked++;
    }
  }
  assert.equal(await stored(), before);
  t.diagnostic(`${checked} cells`);
});

test('every endpoint knows no credential that is wrong, old or of another kind', async () => {
  const wrong = [
    'x',
    'mat_ses_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'mat_key_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'mat_tkt_AAAA',
  ];
  for (const { endpoint } of house.mounted) {
    if (endpoint.access === 'public') continue;
    for (const token of wrong) {
      const body = isSafe(endpoint) ? undefined : {};
      const at = url(endpoint.path);
      const reply = await house.call({ token }, endpoint.method, at, body, {}, elsewhere(endpoint));
      assert.equal(reply.status, 401, `${endpoint.method} ${endpoint.path} with ${token}`);
    }
    const linked = await house.call(
      undefined,
      endpoint.method,
      `${url(endpoint.path)}?ticket=${wrong[3]}`,
      isSafe(endpoint) ? undefined : {},
    );
    assert.equal(linked.status, 401, `${endpoint.method} ${endpoint.path} with a wrong link`);
  }
});

test('every endpoint refuses a change that another site asks for with our cookie', async () => {
  const before = await stored();
  // Pages of other sites send these by design, and no session speaks for them.
  assert.deepEqual(
    house.mounted.filter(({ endpoint }) => endpoint.anyOrigin).map(({ endpoint }) => endpoint.path),
    ['/saml/acs', '/api/v1/specimens/arrive'],
  );
  for (const { endpoint } of house.mounted) {
    if ((isSafe(endpoint) && !isSocket(endpoint)) || endpoint.anyOrigin) continue;
    for (const headers of ELSEWHERE) {
      const body = isSafe(endpoint) ? undefined : {};
      const reply = await house.call(callers['owner cookie'], endpoint.method, url(endpoint.path), body, headers);
      const name = `${endpoint.method} ${endpoint.path} with ${JSON.stringify(headers)}`;
      assert.equal(reply.status, isOfService(endpoint) ? 401 : 403, name);
    }
  }
  assert.equal(await stored(), before);
});

test('every endpoint refuses what it did not ask for, before doing anything', async (t) => {
  const before = await stored();
  let checked = 0;
  for (const { endpoint } of house.mounted.filter(({ endpoint: { surface } }) => surface.content === 'data')) {
    for (const { at, body, status = 400, headers } of wrongs(endpoint)) {
      const who = isOfService(endpoint) ? callers.directory : callers.owner;
      const reply = await house.call(who, endpoint.method, at, body, headers);
      assert.equal(
        reply.status,
        status,
        `${endpoint.method} ${at} with ${String(body).slice(0, 40)}: ${reply.status} ${reply.text.slice(0, 120)}`,
      );
      // In the words of its surface.
      const { shape, type } = endpoint.surface.failure;
      shape.parse(type.includes('json') ? JSON.parse(reply.text) : reply.text);
      assert.equal(reply.headers['content-type'], type);
      checked++;
    }
  }
  assert.equal(await stored(), before);
  assert.deepEqual(house.asked, []);
  t.diagnostic(`${checked} refusals`);
});

test('every endpoint says which methods there are, and refuses the others', async () => {
  const methods = new Map<string, Set<string>>();
  for (const { endpoint } of house.mounted) {
    const known = methods.get(endpoint.path) ?? new Set();
    methods.set(endpoint.path, known.add(endpoint.method));
    if (hasHead(endpoint)) known.add('HEAD');
  }
  for (const [path, known] of methods) {
    for (const method of METHODS) {
      if (known.has(method) || method === 'CONNECT') continue;
      const reply = await house.call(callers.owner, method, url(path));
      assert.equal(reply.status, 405, `${method} ${path}: ${reply.status}`);
      assert.deepEqual(String(reply.headers['allow']).split(', '), [...known].sort(), path);
    }
  }
});

test('every endpoint answers with the headers that protect, on success and on failure', async () => {
  for (const { endpoint } of house.mounted) {
    if ('events' in endpoint.result) continue;
    for (const caller of ['nobody', 'owner'] as const) {
      const reply = await house.call(
        callers[caller],
        endpoint.method,
        `${url(endpoint.path)}?surprise=1`,
        isSafe(endpoint) ? undefined : { surprise: 1 },
      );
      const at = `${endpoint.method} ${endpoint.path} as ${caller}`;
      assert.match(String(reply.headers['x-request-id']), /^[0-9a-f]{16}$/, at);
      assert.equal(reply.headers['x-content-type-options'], 'nosniff', at);
      assert.match(
        String(reply.headers['content-security-policy']),
        /default-src 'none'|require-trusted-types-for/,
        at,
      );
      assert.equal(reply.headers['access-control-allow-origin'], undefined, at);
      // Our pages may have frames, and only the parts of books in them (test/books.test.ts).
      assert.equal(reply.headers['x-frame-options'], 'DENY', at);
    }
  }
});

interface Wrong {
  at: string;
  body?: string | Buffer | undefined;
  status?: number;
  headers?: Record<string, string>;
}

/** Requests that are right in all but one respect, or in none. */
function wrongs(endpoint: Endpoint): Wrong[] {
  const to = url(endpoint.path);
  const { takes, surface } = endpoint;
  const type = { json: surface.json.accepts[0], urlencoded: FORM, bytes: 'types' in takes ? takes.types[0] : '' };
  const own = { 'content-type': type[takes.form] };
  const right = isSafe(endpoint) ? {} : { body: takes.form === 'json' ? '{}' : '', headers: own };
  const [field] = Object.keys(endpoint.query.shape);
  const twice = surface.fields.repeated === 'refused' && field !== undefined ? [`${field}=1&${field}=1`] : [];
  const queries = [...(isOurs(endpoint) ? ['surprise=1', 'a=1&a=2', '__proto__=1'] : []), '%ff=1', ...twice].map(
    (query): Wrong => ({ at: `${to}?${query}`, ...right }),
  );
  if (isSafe(endpoint)) return queries;
  const bodies = wrongBodies(endpoint).map((body): Wrong => ({ at: to, body, headers: own }));
  return [
    ...queries,
    ...bodies,
    { at: to, body: '{}', headers: { 'content-type': 'text/plain' } },
    { at: to, body: '{}', headers: { 'content-type': `${type[takes.form]}; charset=latin1` }, status: 415 },
    { at: to, body: '{}', headers: { ...own, 'content-encoding': 'gzip' }, status: 415 },
    { at: to, body: `{${' '.repeat(takes.maxBytes)}}`, headers: own, status: 413 },
  ];
}

const FORM = 'application/x-www-form-urlencoded';

/** Bodies of the right content type that an endpoint refuses. Bytes are taken as they are. */
function wrongBodies({ takes, surface, body }: Endpoint): (string | Buffer)[] {
  const isStrict = surface.fields.unknown === 'refused';
  if (takes.form === 'bytes') return [];
  if (takes.form === 'urlencoded') {
    const [field = 'a'] = Object.keys(body.shape);
    return [`${field}=1&${field}=1`, 'a=%ff', '__proto__=1', ...(isStrict ? ['surprise=1'] : [])];
  }
  return [
    '{',
    '[]',
    'null',
    '"x"',
    '{}{}',
    ...(isStrict ? ['{"surprise":1}'] : []),
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":1}',
    '{"__proto__":{}}',
    `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  ];
}

describe('the mount', () => {
  test('a route added behind it stops the server', () => {
    const { server } = createServer({
      mounted: [],
      doors: { identify: async () => undefined, current: (by) => by, log: silentLog },
    });
    assert.throws(() => server.get('/back-door', () => 'hi'), /undeclared route/);
  });

  test('every cell of the matrix is declared, whatever the surface', () => {
    const rows = matrix(house.mounted)
      .split('\n')
      .filter((row) => row !== '' && !row.startsWith('#'));
    assert.equal(rows.length, house.mounted.length);
    for (const row of rows)
      assert.match(
        row,
        /^(api|media|health|page|oidc|saml|scim|directory|eventing) (GET(?:\/HEAD)?|POST|PUT|DELETE|PATCH|(?:UN)?SUBSCRIBE) \/\S* \| (anyone \| -|directory \| token|viewer \| \S.*|owner \| \S.*) \| \S.*$/,
        row,
      );
    const offered = rows
      .filter((row) => / GET /.test(row))
      .map((row) => row.split(' ')[2])
      .sort();
    assert.deepEqual(
      offered,
      house.mounted
        .filter(({ endpoint }) => 'events' in endpoint.result || isSocket(endpoint))
        .map(({ endpoint }) => endpoint.path)
        .sort(),
      'what has no HEAD is a stream of events or a socket',
    );
  });

  test('the public listener has the endpoints that are declared for it, and no others', async () => {
    const { server } = createServer({
      mounted: house.mounted,
      doors: { identify: async () => undefined, current: (by) => by, log: silentLog },
      listener: { kind: 'public', host: 'localhost' },
    });
    const open = house.mounted.filter(({ endpoint }) => endpoint.reach === 'everywhere');
    for (const { endpoint } of house.mounted) {
      const reply = await server.inject({
        method: endpoint.method as 'GET',
        url: url(endpoint.path),
        headers: { host: 'localhost' },
      });
      // A file that the dashboard lacks is no address that the listener lacks.
      const isNowhere = reply.statusCode === 404 && !reply.body.includes('"no-such-file"');
      const isThere = !isNowhere && reply.statusCode !== 405;
      assert.equal(
        isThere,
        open.some((one) => one.endpoint === endpoint),
        `${endpoint.method} ${endpoint.path}`,
      );
    }
    const rows = publicRoutes(house.mounted).trim().split('\n').slice(1);
    assert.equal(rows.length, open.length);
  });

  test('a link opens one item for one purpose only', async () => {
    for (const { endpoint } of house.mounted) {
      if (!isForProfiles(endpoint.access) || endpoint.access.link !== undefined) continue;
      assert.ok(
        !Object.keys(endpoint.query.shape).includes('ticket'),
        `${endpoint.path} takes a ticket and admits none`,
      );
    }
  });
});

/** Guarantees of every endpoint, checked for all of them. No list here could miss one. */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, before, describe, mock, test, type TestContext } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { sql } from 'kysely';
import type { Access, Endpoint } from '../src/contract/kernel/endpoint.ts';
import { matrix } from '../src/http/matrix.ts';
import { openapi } from '../src/http/openapi.ts';
import { createServer } from '../src/http/server.ts';
import { silentLog } from '../src/lib/log.ts';
import { type Caller, CALLERS, household, type Who, type World, world } from './world.ts';

const url = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? 'aaaaaaaaaaaaaaaa' : 'aaaa'));
const isOurs = ({ surface }: Endpoint) => surface.fields.unknown === 'refused';
const isSafe = ({ method }: Endpoint) => method === 'GET';

let house: World;
let callers: Record<Caller, Who>;
/** Runs at the end of this file. */
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;

before(async () => {
  // The stored data is compared, and last uses are stored once a minute: no minute passes here, however slow the
  // machine.
  mock.timers.enable({ apis: ['setInterval'] });
  house = await world(together);
  callers = await household(house);
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
  return JSON.stringify(all, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Said once more, apart from the code that guards: what each caller gets where the access is as declared. */
function expected(caller: Caller, access: Access): 'in' | 401 | 403 {
  if (access === 'public') return 'in';
  if (caller === 'nobody') return 401;
  const [who = '', how = ''] = caller.split(' ');
  if ((how === 'enrolling' || how === 'denied') && !access.enrolling) return 403;
  if (access.role === 'owner' && who === 'viewer') return 403;
  if (who === 'key') return access.via !== 'session' && (how === 'all' || how === access.via) ? 'in' : 403;
  // Signed in moments ago counts as recent; only one of them is not.
  return access.recent === true && how === 'stale' ? 403 : 'in';
}

describe('every endpoint', () => {
  test('answers every caller as its access says, before it looks at anything else', async (t) => {
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
        );
        const should = expected(caller, endpoint.access);
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

  test('knows no credential that is wrong, old or of another kind', async () => {
    const wrong = [
      'x',
      'mat_ses_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      'mat_key_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      'mat_tkt_AAAA',
    ];
    for (const { endpoint } of house.mounted) {
      if (endpoint.access === 'public') continue;
      for (const token of wrong) {
        const reply = await house.call(
          { token },
          endpoint.method,
          url(endpoint.path),
          isSafe(endpoint) ? undefined : {},
        );
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

  test('refuses a change that another site asks for with our cookie', async () => {
    const before = await stored();
    for (const { endpoint } of house.mounted) {
      if (isSafe(endpoint)) continue;
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none', origin: 'https://elsewhere.example' },
      ]) {
        const reply = await house.call(callers['owner cookie'], endpoint.method, url(endpoint.path), {}, headers);
        assert.equal(reply.status, 403, `${endpoint.method} ${endpoint.path} with ${JSON.stringify(headers)}`);
      }
    }
    assert.equal(await stored(), before);
  });

  test('refuses what it did not ask for, before doing anything', async (t) => {
    const before = await stored();
    let checked = 0;
    for (const { endpoint } of house.mounted.filter((one) => isOurs(one.endpoint))) {
      for (const { at, body, status = 400, headers } of wrongs(endpoint)) {
        const reply = await house.call(callers.owner, endpoint.method, at, body, headers);
        assert.equal(
          reply.status,
          status,
          `${endpoint.method} ${at} with ${String(body).slice(0, 40)}: ${reply.status} ${reply.text.slice(0, 120)}`,
        );
        assert.equal(typeof reply.body['error'], 'string');
        checked++;
      }
    }
    assert.equal(await stored(), before);
    assert.deepEqual(house.asked, []);
    t.diagnostic(`${checked} refusals`);
  });

  test('says which methods there are, and refuses the others', async () => {
    const methods = new Map<string, Set<string>>();
    for (const { endpoint } of house.mounted) {
      const known = methods.get(endpoint.path) ?? new Set();
      methods.set(endpoint.path, known.add(endpoint.method));
      if (endpoint.method === 'GET' && !('events' in endpoint.result)) known.add('HEAD');
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

  test('answers with the headers that protect, on success and on failure', async () => {
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
      }
    }
  });
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
  const body = isSafe(endpoint) ? undefined : '{}';
  const [field] = Object.keys(endpoint.query.shape);
  const queries = [
    'surprise=1',
    'a=1&a=2',
    '__proto__=1',
    '%ff=1',
    ...(field === undefined ? [] : [`${field}=1&${field}=1`]),
  ].map((query): Wrong => ({ at: `${to}?${query}`, body }));
  if (isSafe(endpoint)) return queries;
  const bodies = [
    '{',
    '[]',
    'null',
    '"x"',
    '{}{}',
    '{"surprise":1}',
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":1}',
    '{"__proto__":{}}',
    `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  ].map((text): Wrong => ({ at: to, body: text }));
  return [
    ...queries,
    ...bodies,
    { at: to, body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    { at: to, body: '{}', headers: { 'content-type': 'text/plain' } },
    { at: to, body: '{}', headers: { 'content-type': 'application/json; charset=latin1' }, status: 415 },
    { at: to, body: '{}', headers: { 'content-encoding': 'gzip' }, status: 415 },
    { at: to, body: `{${' '.repeat(1024 * 1024)}}`, status: 413 },
  ];
}

describe('the document', () => {
  test('lists only the versioned routes, and all of them', () => {
    const { paths } = openapi(house.mounted) as { paths: Record<string, Record<string, unknown>> };
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const versioned = house.mounted
      .filter(({ endpoint }) => endpoint.path.startsWith('/api/v1'))
      .map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);
    assert.deepEqual(listed.toSorted(), versioned.toSorted());
    assert.equal(new Set(versioned).size, versioned.length, 'a route is mounted twice');
    for (const { endpoint } of house.mounted)
      assert.ok(
        house.http.server.hasRoute({ method: endpoint.method, url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1') }),
        endpoint.path,
      );
  });

  test('is served as it is committed', async () => {
    const reply = await house.call(callers['key library'], 'GET', '/api/v1/openapi.json');
    assert.deepEqual(reply.body, JSON.parse(JSON.stringify(openapi(house.mounted))));
    assert.deepEqual([reply.body['openapi'], (reply.body['info'] as { version: string }).version], ['3.1.0', '1.0.0']);
  });

  test('every parameter has a type, bounds or choices, and a description', () => {
    interface Parameter {
      name: string;
      description?: string;
      schema: Record<string, unknown>;
    }
    const { paths } = openapi(house.mounted) as { paths: Record<string, Record<string, { parameters: Parameter[] }>> };
    const bare = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters }]) =>
        parameters
          .filter(({ description, schema }) => {
            const isBound =
              schema['type'] === 'boolean' ||
              ['enum', 'pattern', 'maxLength', 'maximum', 'format'].some((keyword) => keyword in schema);
            return typeof description !== 'string' || typeof schema['type'] !== 'string' || !isBound;
          })
          .map(({ name }) => `${method} ${path} ${name}`),
      ),
    );
    assert.deepEqual(bare, []);
  });

  test('declares what a request can meet on its way to the handler', () => {
    const { paths } = openapi(house.mounted) as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    };
    for (const { endpoint } of house.mounted.filter((one) => one.endpoint.surface.isDocumented)) {
      const declared = Object.keys(paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.responses ?? {});
      const met = [
        400,
        401,
        500,
        503,
        ...(endpoint.access === 'public' ? [] : [403]),
        ...(isSafe(endpoint) ? [] : [403, 413, 415]),
        ...(endpoint.path.includes('{') ? [404] : []),
      ];
      assert.deepEqual(
        met.filter((status) => !declared.includes(String(status))),
        [],
        `${endpoint.method} ${endpoint.path}`,
      );
    }
  });

  test('has no error for a linter, and every example fits its schema', async () => {
    assert.deepEqual(await problems(JSON.stringify(openapi(house.mounted))), []);
  });

  test('planted: the linter sees an example that does not fit', async () => {
    const document = structuredClone(openapi(house.mounted)) as {
      paths: Record<string, { get: { responses: Record<string, { content: Record<string, { example: unknown }> }> } }>;
    };
    const content = document.paths['/api/v1']?.get.responses['200']?.content['application/json'];
    assert.ok(content);
    content.example = { name: 1 };
    assert.notDeepEqual(await problems(JSON.stringify(document)), []);
  });
});

async function problems(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'no-invalid-parameter-examples': 'error',
    },
  });
  const found = await lintFromString({ source, config });
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? '?'}`);
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
        /^(api|media|health|page|jellyfin) (GET(?:\/HEAD)?|POST|PUT|DELETE|PATCH) \/\S* \| (anyone \| -|viewer \| \S.*|owner \| \S.*) \| \S.*$/,
        row,
      );
    const offered = rows.filter((row) => / GET /.test(row)).map((row) => row.split(' ')[2]);
    assert.deepEqual(
      offered,
      house.mounted.filter(({ endpoint }) => 'events' in endpoint.result).map(({ endpoint }) => endpoint.path),
      'what has no HEAD is a stream of events',
    );
  });

  test('a link opens one item for one purpose only', async () => {
    for (const { endpoint } of house.mounted) {
      if (endpoint.access === 'public' || endpoint.access.link !== undefined) continue;
      assert.ok(
        !Object.keys(endpoint.query.shape).includes('ticket'),
        `${endpoint.path} takes a ticket and admits none`,
      );
    }
  });
});

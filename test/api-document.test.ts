/** The OpenAPI document of the product and of the specimens: complete, described, and without errors for a linter. */
import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { Endpoint } from '../src/contract/kernel/endpoint.ts';
import { fullDocument, openapi } from '../src/http/openapi.ts';
import { contradictionsIn, gapsIn } from './document-gaps.ts';
import { WITH_SPECIMENS } from './specimens.ts';
import { PASSWORD, type World, startWorld } from './world.ts';

const isSafe = ({ method }: Endpoint) => method === 'GET';
/** Whether an endpoint is of the product. Those of `test/specimens.ts` have no words for people. */
const isProduct = ({ path }: Endpoint) => !/specimens|^\/directory/.test(path);
let house: World;
/** The document of everything that is mounted, as JSON: making it takes a second. */
let source: string;
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;

before(async () => {
  house = await startWorld(together, { env: { SERVICE_REQUIRE_MFA: 'false' }, domains: WITH_SPECIMENS });
  source = JSON.stringify(openapi(house.mounted));
});
after(() => Promise.all(closing.splice(0).map((close) => close())));

describe('the document', () => {
  test('lists only the routes of documented surfaces, and all of them', () => {
    const { paths } = JSON.parse(source) as { paths: Record<string, Record<string, unknown>> };
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const versioned = house.mounted
      .filter(({ endpoint: { surface } }) => surface.isDocumented)
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
    const setup = await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
    const token = String(setup.body['token']);
    const reply = await house.call({ token }, 'GET', '/api/v1/openapi.json');
    assert.deepEqual(reply.body, JSON.parse(source));
    assert.deepEqual([reply.body['openapi'], (reply.body['info'] as { version: string }).version], ['3.1.0', '1.0.0']);
  });

  test('every parameter has a type, bounds or choices, and a description', () => {
    interface Parameter {
      name: string;
      description?: string;
      schema: Record<string, unknown>;
    }
    const { paths } = JSON.parse(source) as { paths: Record<string, Record<string, { parameters: Parameter[] }>> };
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
    const { paths } = JSON.parse(source) as {
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
    assert.deepEqual(await problems(source), []);
  });

  test('planted: the linter sees an example that does not fit', async () => {
    const document = JSON.parse(source) as {
      paths: Record<string, { get: { responses: Record<string, { content: Record<string, { example: unknown }> }> } }>;
    };
    // The linter need not read the other operations a second time.
    document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path === '/api/v1'));
    assert.deepEqual(await problems(JSON.stringify(document)), []);
    const content = document.paths['/api/v1']?.get.responses['200']?.content['application/json'];
    assert.ok(content);
    content.example = { name: 1 };
    assert.notDeepEqual(await problems(JSON.stringify(document)), []);
  });
});

describe('words of the document', () => {
  test('every operation, property and parameter has a description, and every value an example', () => {
    const product = house.mounted.filter(({ endpoint }) => isProduct(endpoint));
    const full = JSON.stringify(fullDocument(product));
    assert.deepEqual(gapsIn(JSON.parse(full)), []);
    for (const [from, to, gap] of [
      ['"description":"Name of the Profile.",', '', 'Session.profile.name has no description'],
      ['"description":"Name of the Profile."', '"description":""', 'Session.profile.name has no description'],
      ['"examples":["Charade"],', '', 'Card.title has no example'],
    ] as const) {
      const text = full.replaceAll(',"examples":["Charade"]', ',"examples":["Charade"],"x":1');
      const planted = text.replaceAll(from, to);
      assert.notEqual(planted, text, from);
      assert.ok(gapsIn(JSON.parse(planted)).includes(gap), gap);
    }
  });

  test('the examples of an operation fit together', () => {
    assert.deepEqual(contradictionsIn(JSON.parse(source)), []);
    for (const [from, to] of [
      ['"position":1810.5', '"position":9000.5'],
      ['2026-11-21T18:30:01.000Z', '2026-11-20T18:30:01.000Z'],
      ['"title":"Charade"', '"title":"text"'],
      ['2026-12-21', '2036-12-21'],
      ['"total":1,', '"total":0,'],
      ['{"id":"4f1c0a9be27d6358"', '{"id":"Charade"'],
    ] as const) {
      assert.notDeepEqual(contradictionsIn(JSON.parse(source.replaceAll(from, to))), [], to);
    }
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

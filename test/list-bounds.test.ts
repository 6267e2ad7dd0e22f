/**
 * Every list of the API has a size: it comes in pages, or its declaration says how many entries it has at most. A few
 * that a file, a work or a library bounds are named here with the reason.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { api } from '../src/contract/api.ts';
import { type Endpoint, endpoint } from '../src/contract/kernel/endpoint.ts';
import { list, paging } from '../src/contract/kernel/common.ts';

/** Lists without a declared number of entries, by their addresses, and what bounds them. No Viewer adds to them. */
const BOUNDED_BY_FILES: Readonly<Record<string, string>> = {
  '/api/v1/photos/days': 'one short entry for each day of the calendar that has photos: the scrubber needs all of them',
  '/api/v1/series/{id}': 'the volumes of one work',
  '/api/v1/audiobook-series/{id}': 'the volumes of one work',
  '/api/v1/items/{id}/extras': 'the extra files of one work',
  '/api/v1/items/{id}/images': 'one entry for each kind of picture',
  '/api/v1/items/{item}/match': 'candidates of one reply of the metadata provider, which is bounded in bytes',
  '/api/v1/items/{item}/episode-order':
    'orders of one show at the metadata provider, whose replies are bounded in bytes',
  '/api/v1/audio/{id}/queue': 'the tracks of one album',
};

const definitionOf = (shape: z.ZodType) =>
  shape.def as {
    type: string;
    innerType?: z.ZodType;
    checks?: { _zod: { def: { check: string; maximum?: number } } }[];
  };
const unwrapped = (shape: z.ZodType): z.ZodType => {
  const { innerType } = definitionOf(shape);
  return innerType ? unwrapped(innerType) : shape;
};

/** Returns the lists of endpoints that are neither paged nor bounded. */
function unboundedLists(endpoints: readonly Endpoint[]): string[] {
  return endpoints.flatMap(({ method, path, query, result }) => {
    if (method !== 'GET' || !(result instanceof z.ZodObject)) return [];
    const items = result.shape['items'] as z.ZodType | undefined;
    if (!items || definitionOf(unwrapped(items)).type !== 'array') return [];
    const isPaged = 'limit' in query.shape;
    const { checks = [] } = definitionOf(unwrapped(items));
    const isBounded = checks.some(({ _zod: { def } }) => def.check === 'max_length');
    return isPaged || isBounded ? [] : [path];
  });
}

const ENDPOINTS = Object.values(api).flatMap((group) => Object.values(group) as Endpoint[]);

test('every list of the API is paged or declares how many entries it has', () => {
  assert.deepEqual(unboundedLists(ENDPOINTS).sort(), Object.keys(BOUNDED_BY_FILES).sort());
});

test('the rule sees a list without a bound, and accepts pages and declared numbers', () => {
  const of = (path: string, result: z.ZodObject, query = z.strictObject({})) =>
    endpoint({ method: 'GET', path: `/api/v1/${path}`, summary: 'x', access: 'public', query, result }) as Endpoint;
  const Entry = z.strictObject({ name: z.string() });
  const found = unboundedLists([
    of('all', z.strictObject({ items: z.array(Entry).meta({ description: 'All.' }) })),
    of('some', z.strictObject({ items: z.array(Entry).max(3).meta({ description: 'Three.' }) })),
    of('pages', list(Entry), z.strictObject({ ...paging })),
  ]);
  assert.deepEqual(found, ['/api/v1/all']);
});

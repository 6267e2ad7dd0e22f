/** What a request brings, read by the endpoint's own schemas, and refused in words that repeat nothing of it. */
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Endpoint } from '../contract/endpoint.ts';
import { Failure } from '../lib/failure.ts';
import { readObject } from './json.ts';

type Issue = z.core.$ZodIssue;

/** Reads a value by a shape, or fails as invalid. */
export function accept(shape: z.ZodObject, value: unknown): Record<string, unknown> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Failure('invalid', issue ? sentence(issue) : 'not what was expected');
}

/** Zod's own messages echo names that a caller made up; these name declared fields only. */
function sentence(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return 'there is a field that is not known here';
  const at = issue.path.filter((part) => typeof part === 'string' || typeof part === 'number').join('.');
  const where = at === '' ? 'the input' : at;
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.includes('received undefined') ? `${where}: missing` : `${where}: expected ${issue.expected}`;
    case 'too_small':
      return `${where}: smaller than ${issue.minimum}`;
    case 'too_big':
      return `${where}: larger than ${issue.maximum}`;
    case 'invalid_value':
      return `${where}: expected one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
    case 'custom':
      return `${where}: ${/^expected|^control/.test(issue.message) ? issue.message : 'not of the expected form'}`;
    default:
      return `${where}: not what was expected`;
  }
}

/** The query as plain text values. A field given twice is refused: two readers could take different ones. */
export function queryOf(url: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  const at = url.indexOf('?');
  if (at < 0) return query;
  for (const [key, value] of new URLSearchParams(url.slice(at + 1))) {
    if (key in query) throw new Failure('invalid', 'a query field is given twice');
    query[key] = value;
  }
  return query;
}

/** The body as one object. An endpoint that takes nothing may be called without one, or with an empty one. */
export function bodyOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (endpoint.method === 'GET') return {};
  const bytes = request.body as Uint8Array | undefined | null;
  if (!bytes || bytes.byteLength === 0) {
    if (Object.keys(endpoint.body.shape).length === 0) return {};
    throw new Failure('invalid', 'the body is not one JSON object');
  }
  const type = /^\s*([^;\s]+)/.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (type !== 'application/json') throw new Failure('invalid', 'the body must be application/json');
  return readObject(bytes);
}

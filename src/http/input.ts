/** What a request brings, read by the endpoint's own schemas, and refused in words that repeat nothing of it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Endpoint } from '../contract/kernel/endpoint.ts';
import { Failure } from '../lib/failure.ts';
import { readObject } from './json.ts';

/** What each shape makes of an object without fields; undefined where it refuses it. */
const withoutFields = new WeakMap<z.ZodObject, Readonly<Record<string, unknown>> | undefined>();

/** Reads a query by its shape, or throws `Failure('invalid')`. Most requests have no query, and every shape makes the same of that. */
export function acceptQuery(
  shape: z.ZodObject,
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  for (const _ in query) return accept(shape, query);
  if (!withoutFields.has(shape)) withoutFields.set(shape, shape.safeParse({}).data);
  return withoutFields.get(shape) ?? accept(shape, query);
}

/** Reads a value by a shape. Throws `Failure('invalid')` that names the first field which does not fit. */
export function accept(shape: z.ZodObject, value: unknown): Record<string, unknown> {
  const read = shape.safeParse(value, { error: wording });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys') throw new Failure('invalid', issue.message, { reason: 'field-unknown' });
  const at = issue?.path.filter((part) => typeof part === 'string' || typeof part === 'number').join('.') ?? '';
  throw new Failure('invalid', `${at === '' ? 'the input' : at}: ${issue?.message ?? UNEXPECTED}`, {
    reason: 'field-invalid',
  });
}

const UNEXPECTED = 'not what was expected';

/**
 * Words for issues where the schema declares none. Those of the schema library repeat names and values
 * that a caller made up.
 */
function wording(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'there is a field that is not known here';
    case 'invalid_type':
      return issue.input === undefined ? 'missing' : `expected ${issue.expected}`;
    case 'too_small':
      return `smaller than ${issue.minimum}`;
    case 'too_big':
      return `larger than ${issue.maximum}`;
    case 'invalid_value':
      return `expected one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
    case 'custom':
      return 'not of the expected form';
    default:
      return UNEXPECTED;
  }
}

/** Returns what follows the first question mark of a target, as it came. */
export function rawQueryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}

/**
 * Returns the query as plain text values. Throws `Failure('invalid')` for a field given twice, since two readers could
 * take different ones, and for text that is not UTF-8, since two readers could replace it differently.
 */
export function queryOf(target: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const part of rawQueryOf(target).split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const key = decoded(at < 0 ? part : part.slice(0, at));
    if (key in query) throw new Failure('invalid', 'a query field is given twice', { reason: 'field-repeated' });
    query[key] = at < 0 ? '' : decoded(part.slice(at + 1));
  }
  return query;
}

/** Decodes one name or value of a query. The parser has refused bytes that are neither ASCII nor escaped. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Failure('invalid', 'the query is not UTF-8', { reason: 'query-malformed' });
  }
}

/** Returns the body as one object. An endpoint that takes nothing may be called without one, or with an empty one. */
export function bodyOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (endpoint.method === 'GET') return {};
  const bytes = request.body as Uint8Array | undefined | null;
  if (!bytes || bytes.byteLength === 0) {
    if (Object.keys(endpoint.body.shape).length === 0) return {};
    throw new Failure('invalid', 'the body is not one JSON object', { reason: 'body-malformed' });
  }
  requireJson(request.headers);
  return readObject(bytes);
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = new RegExp(`^[ \\t]*(${TOKEN})=(?:(${TOKEN})|"([^"\\\\]*)")[ \\t]*$`);

/** Throws for a body that is not JSON in UTF-8 : `invalid` for another or ill-formed type, `unsupported` for another encoding or charset. */
function requireJson({
  'content-type': header = '',
  'content-encoding': encoding = 'identity',
}: IncomingHttpHeaders): void {
  const [type = '', ...parameters] = header.split(';');
  const charsets: string[] = [];
  for (const parameter of parameters) {
    const [, name, bare, quoted] = PARAMETER.exec(parameter) ?? [];
    if (name === undefined) throw new Failure('invalid', 'the content type cannot be read', { reason: 'content-type' });
    if (name.toLowerCase() === 'charset') charsets.push((bare ?? quoted ?? '').toLowerCase());
  }
  if (type.trim().toLowerCase() !== 'application/json')
    throw new Failure('invalid', 'the body must be application/json', { reason: 'content-type' });
  if (charsets.length > 1) throw new Failure('invalid', 'the content type cannot be read', { reason: 'content-type' });
  if (charsets[0] !== undefined && charsets[0] !== 'utf-8' && charsets[0] !== 'utf8')
    throw new Failure('unsupported', 'the body must be in UTF-8', { reason: 'charset' });
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new Failure('unsupported', 'the body must not be compressed', { reason: 'content-encoding' });
}

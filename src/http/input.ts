/** Reads the input of a request by the endpoint's own schemas, and refuses it in words that repeat nothing of it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Endpoint } from '../contract/kernel/endpoint.ts';
import type { Surface } from '../contract/kernel/surface.ts';
import { Failure } from '../lib/failure.ts';
import { readObject } from './json.ts';

/** Cached result of each shape for an object without fields; undefined if the shape refuses it. */
const withoutFields = new WeakMap<z.ZodObject, Readonly<Record<string, unknown>> | undefined>();

/**
 * Reads a query by its shape, or throws `Failure('invalid')`. Most requests have no query, and every shape makes the
 * same of that.
 */
export function acceptQuery(
  shape: z.ZodObject,
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  for (const _ in query) return accept(shape, query);
  if (!withoutFields.has(shape)) withoutFields.set(shape, shape.safeParse({}).data);
  return withoutFields.get(shape) ?? accept(shape, query);
}

/** Reads a value by a shape. Throws `Failure('invalid')` that names the first field which does not fit. */
export function accept<T extends z.ZodType>(shape: T, value: unknown): z.output<T> {
  const read = shape.safeParse(value, { error: wording });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw new Failure('invalid', unknownFields(issue), { reason: 'field-unknown' });
  const at = issue?.path.filter((part) => typeof part === 'string' || typeof part === 'number').join('.') ?? '';
  throw new Failure('invalid', `${at === '' ? 'the input' : at}: ${issue?.message ?? UNEXPECTED}`, {
    reason: 'field-invalid',
  });
}

const UNEXPECTED = 'not what was expected';

/** A name that an error may repeat: a person typed it by mistake, and no terminal, page or log reads more into it. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,39}$/;
const MAX_NAMED_FIELDS = 3;

/** Returns a sentence that names unknown fields, as far as their names are plain, and repeats no other input. */
function unknownFields({ keys, path }: z.core.$ZodIssueUnrecognizedKeys): string {
  const named = keys.filter((key) => PLAIN_NAME.test(key)).slice(0, MAX_NAMED_FIELDS);
  if (named.length === 0) return 'there is a field that is not known here';
  const within = path.filter((part) => typeof part === 'number' || PLAIN_NAME.test(String(part))).map(String);
  const list = named.map((name) => [...within, name].join('.')).join(', ');
  return `${named.length === 1 ? 'unknown field' : 'unknown fields'}: ${list}`;
}

/**
 * Words for issues where the schema declares none. Those of the schema library repeat names and values
 * that a caller made up.
 */
function wording(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
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

type Repeated = Surface['fields']['repeated'];

/**
 * Returns the query as plain text values. Throws `Failure('invalid')` for a field given twice, since two readers could
 * take different ones, unless the surface joins the values by commas; and for text that is not UTF-8, since two readers
 * could replace it differently.
 */
export const queryOf = (target: string, repeated: Repeated): Record<string, string> =>
  fieldsOf(rawQueryOf(target), repeated);

/** Reads fields as a query and a form have them. */
function fieldsOf(text: string, repeated: Repeated): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const part of text.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const key = decoded(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? '' : decoded(part.slice(at + 1));
    if (!(key in query)) query[key] = value;
    else if (repeated === 'joined') query[key] += `,${value}`;
    else throw new Failure('invalid', 'a query field is given twice', { reason: 'field-repeated' });
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

/** The body of a request: the fields that it has, and the bytes of an endpoint that takes them. */
export interface RequestBody {
  fields: unknown;
  bytes: Uint8Array;
}

const NO_BYTES = new Uint8Array();

/**
 * Reads a body by the form that the endpoint takes. An endpoint without fields may be called without a body, or with an
 * empty one.
 */
export function bodyOf(endpoint: Endpoint, request: FastifyRequest): RequestBody {
  const { takes } = endpoint;
  const bytes = (request.body as Uint8Array | undefined | null) ?? NO_BYTES;
  if (endpoint.method === 'GET') return { fields: {}, bytes: NO_BYTES };
  if (takes.form === 'bytes') {
    requireType(request.headers, takes.types);
    return { fields: {}, bytes };
  }
  if (bytes.byteLength === 0) {
    if (Object.keys(endpoint.body.shape).length === 0) return { fields: {}, bytes: NO_BYTES };
    throw new Failure('invalid', takes.form === 'json' ? 'the body is not one JSON object' : 'the form is empty', {
      reason: 'body-malformed',
    });
  }
  if (takes.form === 'urlencoded') {
    requireType(request.headers, ['application/x-www-form-urlencoded']);
    return { fields: { ...fieldsOf(textOf(bytes), endpoint.surface.fields.repeated) }, bytes: NO_BYTES };
  }
  requireType(request.headers, endpoint.surface.json.accepts);
  return { fields: readObject(bytes), bytes: NO_BYTES };
}

/** Returns the text of a form. Throws `Failure('invalid')` for bytes that are not UTF-8. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure('invalid', 'the body is not UTF-8', { reason: 'body-malformed' });
  }
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = new RegExp(`^[ \\t]*(${TOKEN})=(?:(${TOKEN})|"([^"\\\\]*)")[ \\t]*$`);

/**
 * Throws for a body of another content type (`invalid`), or with another encoding or charset than UTF-8
 * (`unsupported`).
 */
function requireType(
  { 'content-type': header = '', 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders,
  types: readonly string[],
): void {
  const [type = '', ...parameters] = header.split(';');
  const charsets: string[] = [];
  for (const parameter of parameters) {
    const [, name, bare, quoted] = PARAMETER.exec(parameter) ?? [];
    if (name === undefined) throw new Failure('invalid', 'the content type cannot be read', { reason: 'content-type' });
    if (name.toLowerCase() === 'charset') charsets.push((bare ?? quoted ?? '').toLowerCase());
  }
  if (!types.includes(type.trim().toLowerCase()))
    throw new Failure('invalid', `the body must be ${types.join(' or ')}`, { reason: 'content-type' });
  if (charsets.length > 1) throw new Failure('invalid', 'the content type cannot be read', { reason: 'content-type' });
  if (charsets[0] !== undefined && charsets[0] !== 'utf-8' && charsets[0] !== 'utf8')
    throw new Failure('unsupported', 'the body must be in UTF-8', { reason: 'charset' });
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new Failure('unsupported', 'the body must not be compressed', { reason: 'content-encoding' });
}

/**
 * A user of the directory as a SCIM resource, and back: what a request says about a person, read within bounds.
 *
 * Attributes that are not in the table are left out, a password unread among them. A list or text that is too long, or
 * a value of another type, is refused.
 */
import { COMMON_ATTRIBUTES, type ScimAttribute, USER_ATTRIBUTES, USER_SCHEMA } from '../contract/scim/attributes.ts';
import { SCIM_PATH } from '../contract/scim/users.ts';
import type { DirectoryPerson, DirectoryUser } from '../identity/index.ts';
import { iso } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { ScimObject } from './matching.ts';
import { attributeAt, booleanOf } from './syntax.ts';

/** Longest text of an attribute. The external id is compared with the subject of an identity, which has this length. */
const MAX_TEXT = 255;
const MAX_ELEMENTS = 20;

/** Attributes of a person by the names of the table. */
export interface Draft {
  [name: string]: unknown;
}

/** Attributes that a directory can set. */
const WRITABLE: readonly ScimAttribute[] = [...COMMON_ATTRIBUTES, ...USER_ATTRIBUTES].filter(
  ({ readOnly }) => readOnly !== true,
);

export const invalidValue = (name: string, says: string): Failure =>
  new Failure('invalid', `${name}: ${says}`, { reason: 'value-invalid' });

/** Returns a user as a resource. `origin` is that of the request. */
export function resourceOf(user: DirectoryUser, origin: string): ScimObject {
  return {
    schemas: [USER_SCHEMA],
    id: user.id,
    ...userDraft(user),
    meta: {
      resourceType: 'User',
      created: iso(user.createdAt),
      lastModified: iso(user.changedAt),
      location: `${origin}${SCIM_PATH}/Users/${user.id}`,
      version: `W/"${user.version}"`,
    },
  };
}

/** Returns what a directory can change of a user. */
export const userDraft = ({ userName, externalId, isActive, attributes }: DirectoryUser): Draft => ({
  ...(externalId !== undefined && { externalId }),
  userName,
  ...structuredClone(attributes),
  active: isActive,
});

/** Returns a person as identity keeps them. Throws `Failure('invalid')` without a user name. */
export function personOf(draft: Draft): DirectoryPerson {
  const { userName, externalId, active = true, ...attributes } = draft;
  if (typeof userName !== 'string') throw invalidValue('userName', 'missing');
  return {
    userName,
    externalId: typeof externalId === 'string' ? externalId : undefined,
    isActive: active === true,
    // In the order of the table, so that the same attributes are the same text.
    attributes: Object.fromEntries(
      USER_ATTRIBUTES.flatMap(({ name }) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])),
    ),
    names: namesOf(attributes, userName),
  };
}

/** Returns names for the Profile: as the directory shows the person, by the parts of the name, the user name. */
function namesOf({ displayName, name }: ScimObject, userName: string): string[] {
  const { formatted, givenName, familyName } = (name ?? {}) as ScimObject;
  const parts = [givenName, familyName].filter((part) => typeof part === 'string').join(' ');
  return [displayName, formatted, parts, userName].filter((one) => typeof one === 'string' && one !== '') as string[];
}

/**
 * Reads the attributes of a whole user. Throws `Failure('invalid')`. Attributes that are null or empty are left out of
 * the result; `names` has each that the body says something about.
 */
export function readUser(body: ScimObject): { draft: Draft; names: ReadonlySet<string> } {
  requireSchema(body, USER_SCHEMA);
  const draft: Draft = {};
  const names = new Set<string>();
  for (const [key, value] of Object.entries(body)) {
    const found = attributeAt(key);
    if (found === undefined || found === 'dropped' || found.sub || !WRITABLE.includes(found.attribute)) continue;
    const { name } = found.attribute;
    names.add(name);
    const read = readValue(found.attribute, value);
    if (read !== undefined) draft[name] = read;
  }
  return { draft, names };
}

/** Throws `Failure('invalid')` unless a body names a schema, in any case. */
export function requireSchema(body: ScimObject, schema: string): void {
  const [, schemas] = Object.entries(body).find(([key]) => key.toLowerCase() === 'schemas') ?? [];
  const isNamed =
    Array.isArray(schemas) &&
    schemas.some((one) => typeof one === 'string' && one.toLowerCase() === schema.toLowerCase());
  if (!isNamed) throw new Failure('invalid', `schemas: expected ${schema}`, { reason: 'schema-missing' });
}

/** Reads the value of an attribute; undefined where it is null or empty. Throws `Failure('invalid')`. */
export function readValue(attribute: ScimAttribute, given: unknown): unknown {
  const { name, multiValued } = attribute;
  if (given === null || given === undefined) return undefined;
  if (!multiValued) return readOne(attribute, unwrapped(attribute, given));
  const read = withinLimit(name, Array.isArray(given) ? (given as unknown[]) : [given]).flatMap(
    (one) => readOne(attribute, one) ?? [],
  );
  if (read.filter((one) => (one as Draft)['primary'] === true).length > 1)
    throw invalidValue(name, 'more than one is primary');
  return read.length === 0 ? undefined : read;
}

/** Returns a list, or throws `Failure('invalid')` for one that is too long. */
export function withinLimit<T>(name: string, list: T[]): T[] {
  if (list.length > MAX_ELEMENTS) throw invalidValue(name, `more than ${MAX_ELEMENTS} values`);
  return list;
}

/** Reads the parts of one element of a list, also of one without its `value`. Throws `Failure('invalid')`. */
export const readElement = ({ name, subAttributes = [] }: ScimAttribute, given: unknown): Draft =>
  readParts(name, subAttributes, given);

/** Takes the one value out of a list with one object, in which a directory wraps values of single attributes. */
function unwrapped({ type }: ScimAttribute, given: unknown): unknown {
  const [only, ...more] = Array.isArray(given) ? (given as unknown[]) : [given];
  if (!Array.isArray(given) || more.length > 0 || type === 'complex') return given;
  return typeof only === 'object' && only !== null && 'value' in only ? only.value : only;
}

function readOne(attribute: ScimAttribute, given: unknown): unknown {
  const { name, type, subAttributes, multiValued } = attribute;
  if (type === 'boolean') {
    const value = typeof given === 'string' ? booleanOf(given) : given;
    if (typeof value !== 'boolean') throw invalidValue(name, 'expected true or false');
    return value;
  }
  if (!subAttributes) return readText(name, given);
  const parts = readParts(name, subAttributes, given);
  // An address without its text says nothing.
  return Object.keys(parts).length === 0 || (multiValued && parts['value'] === undefined) ? undefined : parts;
}

function readParts(name: string, subs: readonly ScimAttribute[], given: unknown): Draft {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidValue(name, 'expected an object');
  const parts = subs.flatMap((sub): [string, unknown][] => {
    const [, value] = Object.entries(given).find(([key]) => key.toLowerCase() === sub.name.toLowerCase()) ?? [];
    const read = value === null || value === undefined ? undefined : readOne(sub, value);
    return read === undefined ? [] : [[sub.name, read]];
  });
  return Object.fromEntries(parts);
}

function readText(name: string, given: unknown): string | undefined {
  if (typeof given !== 'string') throw invalidValue(name, 'expected a text');
  if (given.length > MAX_TEXT) throw invalidValue(name, `longer than ${MAX_TEXT} characters`);
  if (/\p{Cc}/u.test(given)) throw invalidValue(name, 'control characters are not allowed');
  const trimmed = given.trim();
  return trimmed === '' ? undefined : trimmed;
}

/**
 * Changes of a user by PATCH (RFC 7644, section 3.5.2), in the forms that directories send.
 *
 * Okta sends an object without a path. Entra writes `Add` and `Replace`, booleans as text, keys with dots or the URN of
 * the schema, and replaces an e-mail address that is not there yet. The operations are read before the lock is taken
 * and applied to a copy of the user under it: all of them or none.
 */
import type { ScimAttribute } from '../contract/scim/attributes.ts';
import { SCIM_MESSAGES } from '../contract/scim/users.ts';
import { Failure } from '../lib/failure.ts';
import { matches, type ScimObject } from './matching.ts';
import { type Draft, invalidValue, readElement, readValue, requireSchema, withinLimit } from './resource.ts';
import { type ScimFilter, parsePatchPath, type PatchPath } from './syntax.ts';

const MAX_OPERATIONS = 100;
const VERBS = ['add', 'replace', 'remove'] as const;
type Verb = (typeof VERBS)[number];

export interface PatchOperation {
  verb: Verb;
  path: Exclude<PatchPath, 'dropped'>;
  value: unknown;
}

/** Attributes of a value without a path that say nothing new about a user. */
const IDENTIFYING: ReadonlySet<string> = new Set(['schemas', 'id', 'meta']);

const memberOf = (object: object, name: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];
const isObject = (value: unknown): value is ScimObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the operations of a change, without those on attributes that are not kept. Throws `Failure('invalid')`. */
export function readPatch(body: ScimObject): PatchOperation[] {
  requireSchema(body, SCIM_MESSAGES.patch);
  const operations = memberOf(body, 'operations');
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    throw invalidValue('Operations', `expected 1 to ${MAX_OPERATIONS} operations`);
  return operations.flatMap(readOperation);
}

function readOperation(given: unknown): PatchOperation[] {
  if (!isObject(given)) throw invalidValue('Operations', 'expected objects');
  const [op, path, value] = ['op', 'path', 'value'].map((name) => memberOf(given, name));
  const verb = VERBS.find((one) => typeof op === 'string' && one === op.toLowerCase());
  if (!verb) throw invalidValue('op', `expected one of ${VERBS.join(', ')}`);
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw invalidValue('path', 'expected a text');
    return onPath(verb, path, value);
  }
  if (verb === 'remove')
    throw new Failure('invalid', 'a path is needed to remove something', { reason: 'target-missing' });
  if (!isObject(value)) throw invalidValue('value', 'expected an object');
  return Object.entries(value)
    .filter(([key]) => !IDENTIFYING.has(key.toLowerCase()))
    .flatMap(([key, one]) => onPath(verb, key, one));
}

function onPath(verb: Verb, text: string, value: unknown): PatchOperation[] {
  const path = parsePatchPath(text);
  if (path === 'dropped') return [];
  const { attribute, sub } = path;
  if (attribute.readOnly) throw fixed(attribute.name, 'cannot be changed');
  // A user needs a name, and must not be let in again because its state is gone.
  const isNeeded = attribute.required === true || attribute.name === 'active';
  if (isNeeded && verb === 'remove') throw fixed(attribute.name, 'cannot be removed');
  if (verb !== 'remove' && value === undefined) throw invalidValue((sub ?? attribute).name, 'missing');
  return [{ verb, path, value }];
}

const fixed = (name: string, says: string): Failure =>
  new Failure('invalid', `${name} ${says}`, { reason: 'attribute-read-only' });

/** Returns a user with the changes. Throws `Failure('invalid')`, and leaves the given one as it is. */
export function applyPatch(before: Draft, operations: readonly PatchOperation[]): Draft {
  const draft = structuredClone(before);
  for (const operation of operations) {
    const { attribute } = operation.path;
    if (attribute.multiValued) setOrDrop(draft, attribute, changedList(draft[attribute.name], operation));
    else if (attribute.subAttributes) setOrDrop(draft, attribute, changedObject(draft[attribute.name], operation));
    else setOrDrop(draft, attribute, operation.verb === 'remove' ? undefined : readValue(attribute, operation.value));
  }
  return draft;
}

function setOrDrop(draft: Draft, { name, required }: ScimAttribute, value: unknown): void {
  if (value === undefined && (required === true || name === 'active')) throw invalidValue(name, 'missing');
  if (value === undefined) delete draft[name];
  else draft[name] = value;
}

/** Returns an object such as the name, with some of its parts changed: parts that are not mentioned stay. */
function changedObject(before: unknown, { verb, path: { attribute, sub }, value }: PatchOperation): Draft | undefined {
  const object: Draft = { ...(before as Draft | undefined) };
  if (sub) {
    const read = verb === 'remove' ? undefined : readValue(sub, value);
    if (read === undefined) delete object[sub.name];
    else object[sub.name] = read;
  } else {
    if (verb === 'remove') return undefined;
    Object.assign(object, readValue(attribute, value));
  }
  return Object.keys(object).length === 0 ? undefined : object;
}

/** Returns a list such as the e-mail addresses, changed; undefined once it is empty. */
function changedList(before: unknown, operation: PatchOperation): Draft[] | undefined {
  const { path } = operation;
  const list = (before ?? []) as Draft[];
  const changed = path.where || path.sub ? changedElements(list, operation) : changedWhole(list, operation);
  const kept = changed.filter(({ value }) => value !== undefined);
  return kept.length === 0 ? undefined : withinLimit(path.attribute.name, kept);
}

function changedWhole(list: Draft[], { verb, path: { attribute }, value }: PatchOperation): Draft[] {
  const given = (readValue(attribute, value) ?? []) as Draft[];
  if (verb === 'remove') {
    if (value === undefined || value === null) return [];
    return list.filter((one) => !given.some((other) => other['value'] === one['value']));
  }
  if (verb === 'replace') return given;
  const isNew = (one: Draft): boolean => !given.some((other) => isSameElement(one, other));
  const isPrimary = given.some(({ primary }) => primary === true);
  return [...list.filter(isNew).map((one) => (isPrimary ? withoutPrimary(one) : one)), ...given];
}

const isSameElement = (one: Draft, other: Draft): boolean =>
  one['value'] === other['value'] && one['type'] === other['type'];
const withoutPrimary = (one: Draft): Draft => (one['primary'] === true ? { ...one, primary: false } : one);

/** Changes the elements that a path chooses, or makes one where the path says what it would be. */
function changedElements(list: Draft[], { verb, path, value }: PatchOperation): Draft[] {
  const { attribute, sub, where } = path;
  const isChosen = (one: Draft): boolean => where === undefined || matches(where, one);
  if (verb === 'remove') {
    if (!sub) return list.filter((one) => !isChosen(one));
    return list.map((one) => (isChosen(one) ? without(one, sub.name) : one));
  }
  const change: Draft = sub ? { [sub.name]: readValue(sub, value) } : readElement(attribute, value);
  const chosen = list.filter(isChosen);
  const isPrimary = change['primary'] === true;
  if (isPrimary && chosen.length > 1) throw invalidValue(attribute.name, 'more than one is primary');
  if (chosen.length > 0)
    return list.map((one) => (isChosen(one) ? defined({ ...one, ...change }) : isPrimary ? withoutPrimary(one) : one));
  const seed = where === undefined ? {} : seedOf(where);
  if (!seed) throw new Failure('invalid', 'the path chooses nothing', { reason: 'target-missing' });
  return [...list.map((one) => (isPrimary ? withoutPrimary(one) : one)), defined({ ...seed, ...change })];
}

const without = (one: Draft, name: string): Draft =>
  Object.fromEntries(Object.entries(one).filter(([key]) => key !== name));
const defined = (one: Draft): Draft =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined));

/** Returns the element that a filter describes: one that only says what is equal. Undefined for any other filter. */
function seedOf(where: ScimFilter): Draft | undefined {
  if (where.kind === 'compare' && where.operator === 'eq' && where.literal !== null)
    return { [where.path.attribute.name]: where.literal };
  if (where.kind !== 'and') return undefined;
  const parts = where.parts.map(seedOf);
  return parts.every((part) => part !== undefined) ? Object.assign({}, ...parts) : undefined;
}

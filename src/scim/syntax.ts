/**
 * Reads filters and paths of SCIM (RFC 7644, figures 1 and 7) into a tree.
 *
 * They come from outside: at most 1,024 bytes, brackets at most 8 deep, and one pass over the text. Attributes are
 * looked up in the table of the contract, in any case and with or without the URN of their schema.
 */
import {
  COMMON_ATTRIBUTES,
  DROPPED_ATTRIBUTES,
  ENTERPRISE_SCHEMA,
  type ScimAttribute,
  USER_ATTRIBUTES,
  USER_SCHEMA,
} from '../contract/scim/attributes.ts';
import { Failure } from '../lib/failure.ts';

const MAX_BYTES = 1_024;
const MAX_DEPTH = 8;
const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'] as const;
export type Operator = (typeof OPERATORS)[number];
export type Literal = string | number | boolean | null;

/** An attribute, or one of its parts. */
export interface AttributePath {
  attribute: ScimAttribute;
  sub?: ScimAttribute | undefined;
}
export type ScimFilter =
  | { kind: 'and' | 'or'; parts: readonly ScimFilter[] }
  | { kind: 'not'; part: ScimFilter }
  /** `where` chooses elements of the attribute, as in `emails[type eq "work"].value co "a"`. */
  | { kind: 'compare'; path: AttributePath; where?: ScimFilter | undefined; operator: Operator; literal: Literal }
  /** Elements of a complex attribute, as in `emails[type eq "work"]`. */
  | { kind: 'some'; attribute: ScimAttribute; where: ScimFilter }
  /** An attribute that is not kept: no user has a value. */
  | { kind: 'absent'; isMatch: boolean };

/** The target of a change. `dropped` for an attribute that is not kept. */
export type PatchPath = (AttributePath & { where?: ScimFilter | undefined }) | 'dropped';

/** Refuses a text. */
type Fail = (says: string) => never;
type Reason = 'filter-invalid' | 'path-invalid';
/** The attributes that a name is looked up in; `dropped` inside of an attribute that is not kept. */
type Scope = readonly ScimAttribute[] | 'dropped';

const USER_SCOPE: Scope = [...COMMON_ATTRIBUTES, ...USER_ATTRIBUTES];
const DROPPED: ReadonlySet<string> = new Set(DROPPED_ATTRIBUTES.map((name) => name.toLowerCase()));
const TOKEN = / +|[()[\]]|"(?:[^"\\]|\\.)*"|[A-Za-z0-9_:.$+-]+/y;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

const named = (scope: readonly ScimAttribute[], name: string): ScimAttribute | undefined =>
  scope.find((one) => one.name.toLowerCase() === name.toLowerCase());

/** Returns the attribute that a name means; `dropped` for one that is not kept, undefined for one that is unknown. */
export function attributeAt(text: string, scope: Scope = USER_SCOPE): AttributePath | 'dropped' | undefined {
  if (scope === 'dropped') return 'dropped';
  const isUser = scope === USER_SCOPE;
  const lower = text.toLowerCase();
  let name = text;
  if (lower.startsWith('urn:')) {
    const enterprise = ENTERPRISE_SCHEMA.toLowerCase();
    if (isUser && (lower === enterprise || lower.startsWith(`${enterprise}:`))) return 'dropped';
    if (!isUser || !lower.startsWith(`${USER_SCHEMA.toLowerCase()}:`)) return undefined;
    name = text.slice(USER_SCHEMA.length + 1);
  }
  const [first = '', second, ...more] = name.split('.');
  if (more.length > 0) return undefined;
  if (isUser && DROPPED.has(first.toLowerCase())) return 'dropped';
  const attribute = named(scope, first);
  if (!attribute || second === undefined) return attribute && { attribute };
  const sub = named(attribute.subAttributes ?? [], second);
  return sub && { attribute, sub };
}

/** Reads a filter. Throws `Failure('invalid')`. */
export function parseFilter(text: string): ScimFilter {
  const reader = createReader(text, 'filter-invalid');
  const filter = reader.filter(USER_SCOPE, 0);
  reader.end();
  return filter;
}

/** Reads the path of a change. Throws `Failure('invalid')`. */
export function parsePatchPath(text: string): PatchPath {
  const reader = createReader(text, 'path-invalid');
  const path = reader.path();
  reader.end();
  return path;
}

function createReader(text: string, reason: Reason) {
  const fail: Fail = (says) => {
    throw new Failure('invalid', `the ${reason === 'filter-invalid' ? 'filter' : 'path'} ${says}`, { reason });
  };
  const tokens = tokensOf(text, fail);
  let at = 0;
  const peek = (): string | undefined => tokens[at];
  const is = (word: string): boolean => peek()?.toLowerCase() === word;
  const take = (): string => tokens[at++] ?? fail('ends too early');
  const expect = (token: string): void => {
    if (take() !== token) fail(`lacks a ${token}`);
  };
  const lookUp = (word: string, scope: Scope): AttributePath | 'dropped' => {
    if (scope === USER_SCOPE && reason === 'filter-invalid' && word.toLowerCase() === 'password')
      return fail('names an attribute that cannot be read');
    return attributeAt(word, scope) ?? fail('names an attribute that is not known here');
  };
  const word = (): string => {
    const token = take();
    return /^[A-Za-z]/.test(token) ? token : fail('lacks the name of an attribute');
  };

  /** Reads what is joined by `or`, of which `and` joins the parts more closely. */
  const filter = (scope: Scope, depth: number): ScimFilter =>
    joined('or', () => joined('and', () => single(scope, depth)));
  const joined = (kind: 'and' | 'or', next: () => ScimFilter): ScimFilter => {
    const first = next();
    if (!is(kind)) return first;
    const parts = [first];
    while (is(kind)) {
      take();
      parts.push(next());
    }
    return { kind, parts };
  };
  const deeper = (depth: number): number => (depth < MAX_DEPTH ? depth + 1 : fail('is nested too deeply'));
  const single = (scope: Scope, depth: number): ScimFilter => {
    const isNot = is('not') && tokens[at + 1] === '(';
    if (isNot) take();
    if (peek() !== '(') return attribute(scope, depth);
    take();
    const part = filter(scope, deeper(depth));
    expect(')');
    return isNot ? { kind: 'not', part } : part;
  };
  const where = (path: AttributePath | 'dropped', depth: number): ScimFilter => {
    take();
    const inner = path === 'dropped' ? 'dropped' : (path.attribute.subAttributes ?? fail('has brackets after a text'));
    if (path !== 'dropped' && path.sub) fail('has brackets after a part');
    const found = filter(inner, deeper(depth));
    expect(']');
    return found;
  };
  /** Reads `.value` after brackets. */
  const subAfter = (path: AttributePath | 'dropped'): ScimAttribute | undefined => {
    if (peek()?.startsWith('.') !== true) return undefined;
    const name = take().slice(1);
    if (path === 'dropped') return undefined;
    return named(path.attribute.subAttributes ?? [], name) ?? fail('names an attribute that is not known here');
  };
  const attribute = (scope: Scope, depth: number): ScimFilter => {
    const path = lookUp(word(), scope);
    const chosen = peek() === '[' ? where(path, depth) : undefined;
    const sub = chosen && subAfter(path);
    if (chosen && !sub && !(path === 'dropped' && isOperator(peek())))
      return path === 'dropped'
        ? { kind: 'absent', isMatch: false }
        : { kind: 'some', attribute: path.attribute, where: chosen };
    const token = take().toLowerCase();
    const operator = OPERATORS.find((one) => one === token) ?? fail('has an unknown operator');
    const literal = operator === 'pr' ? null : literalOf(take(), fail);
    if (path === 'dropped') return { kind: 'absent', isMatch: operator === 'ne' };
    const compared = comparable(sub ? { attribute: path.attribute, sub } : path, operator, fail);
    return {
      kind: 'compare',
      path: compared,
      where: chosen,
      operator,
      literal: fitting(compared, { operator, literal, fail }),
    };
  };
  return {
    filter,
    path: (): PatchPath => {
      const path = lookUp(word(), USER_SCOPE);
      const chosen = peek() === '[' ? where(path, 0) : undefined;
      const sub = chosen && subAfter(path);
      if (path === 'dropped') return path;
      if (chosen && !path.attribute.multiValued) return fail('chooses among one value');
      return { ...path, ...(sub && { sub }), where: chosen };
    },
    end: (): void => {
      if (at < tokens.length) fail('has something after its end');
    },
  };
}

/** Reads the literal of a comparison. */
function literalOf(token: string, fail: Fail): Literal {
  if (token.startsWith('"')) {
    try {
      return JSON.parse(token) as string;
    } catch {
      return fail('has a text that cannot be read');
    }
  }
  const lower = token.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  if (lower === 'null') return null;
  return NUMBER.test(token) ? Number(token) : fail('has a value that is neither text, number, true, false nor null');
}
/** A list of objects is compared by its `value`; an object can only be there or not. */
function comparable(path: AttributePath, operator: Operator, fail: Fail): AttributePath {
  if (path.sub || path.attribute.type !== 'complex' || operator === 'pr') return path;
  const sub = path.attribute.multiValued && named(path.attribute.subAttributes ?? [], 'value');
  return sub ? { ...path, sub } : fail('compares an attribute that has parts');
}
/** Returns a literal that an attribute can be compared with. */
function fitting(
  { attribute: whole, sub }: AttributePath,
  { operator, literal, fail }: { operator: Operator; literal: Literal; fail: Fail },
): Literal {
  const { type } = sub ?? whole;
  const isEquality = operator === 'eq' || operator === 'ne' || operator === 'pr';
  if (literal === null) return isEquality ? null : fail('compares with nothing');
  if (type === 'boolean') {
    const given = typeof literal === 'string' ? booleanOf(literal) : literal;
    return isEquality && typeof given === 'boolean' ? given : fail('compares true or false with something else');
  }
  if (typeof literal !== 'string') return fail('compares a text with something else');
  if (type === 'dateTime' && !'co sw ew'.includes(operator) && Number.isNaN(Date.parse(literal)))
    return fail('compares with a time that cannot be read');
  return literal;
}

const isOperator = (token: string | undefined): boolean =>
  token !== undefined && OPERATORS.some((one) => one === token.toLowerCase());

/** Returns a boolean that was sent as text, as one directory does; undefined for any other text. */
export function booleanOf(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : undefined;
}

/** Cuts a text into its tokens, spaces left out. */
function tokensOf(text: string, fail: Fail): string[] {
  if (Buffer.byteLength(text) > MAX_BYTES) return fail(`is longer than ${MAX_BYTES} bytes`);
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) return fail('cannot be read');
    if (!token.startsWith(' ')) tokens.push(token);
  }
  return tokens;
}

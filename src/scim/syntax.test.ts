/** Filters: what they match, what is refused, agreement with another implementation, and linear work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import SCIMMY from 'scimmy';
import { Failure } from '../lib/failure.ts';
import { chance, SEED } from '../../test/chance.ts';
import { matches, type ScimObject } from './matching.ts';
import { parseFilter, parsePatchPath } from './syntax.ts';

const ADA: ScimObject = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id: 'a1',
  externalId: 'X-1',
  userName: 'Ada@Example.org',
  name: { formatted: 'Ada Lovelace', givenName: 'Ada', familyName: 'Lovelace' },
  displayName: 'Ada',
  active: true,
  emails: [
    { value: 'ada@work.example', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  meta: { resourceType: 'User', created: '2026-11-20T12:00:00.000Z', version: 'W/"3"' },
};
const BOB: ScimObject = { id: 'b2', userName: 'bob', active: false, meta: { created: '2025-01-01T00:00:00.000Z' } };

/** Filters with the users that they match: a for Ada, b for Bob. */
const MATCHING: readonly (readonly [filter: string, matched: string])[] = [
  ['userName eq "ada@example.org"', 'a'],
  ['USERNAME Eq "ADA@EXAMPLE.ORG"', 'a'],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "bob"', 'b'],
  ['userName ne "bob"', 'a'],
  ['userName co "@exam"', 'a'],
  ['userName sw "ADA"', 'a'],
  ['userName ew ".ORG"', 'a'],
  ['userName gt "b"', 'b'],
  ['userName ge "bob"', 'b'],
  ['userName lt "b"', 'a'],
  ['userName le "bob"', 'ab'],
  ['userName pr', 'ab'],
  ['externalId eq "X-1"', 'a'],
  ['externalId eq "x-1"', ''],
  ['externalId pr', 'a'],
  ['externalId eq null', 'b'],
  ['externalId ne null', 'a'],
  ['externalId ne "X-1"', 'b'],
  ['id eq "b2"', 'b'],
  ['active eq true', 'a'],
  ['active eq "False"', 'b'],
  ['active ne true', 'b'],
  ['active pr', 'ab'],
  ['name.givenName eq "ada"', 'a'],
  ['name.familyName pr', 'a'],
  ['name pr', 'a'],
  ['emails pr', 'a'],
  ['emails eq "ada@home.example"', 'a'],
  ['emails.value ew "work.example"', 'a'],
  ['emails.type eq "other"', ''],
  ['emails[type eq "work" and value co "@work"]', 'a'],
  ['emails[type eq "home" and value co "@work"]', ''],
  ['emails[primary eq true]', 'a'],
  ['emails[not (type eq "work")]', 'a'],
  ['emails[type eq "work"].value eq "ADA@WORK.EXAMPLE"', 'a'],
  ['emails[type eq "home"].value eq "ada@work.example"', ''],
  ['meta.created gt "2026-01-01T00:00:00Z"', 'a'],
  ['meta.created le "2025-01-01T01:00:00+01:00"', 'b'],
  ['meta.created sw "2025"', 'b'],
  ['meta.version eq "W/\\"3\\""', 'a'],
  ['schemas eq "urn:ietf:params:scim:schemas:core:2.0:User"', 'a'],
  ['userName eq "bob" or userName sw "ada"', 'ab'],
  ['userName eq "bob" and active eq true', ''],
  ['userName eq "bob" or userName sw "ada" and active eq false', 'b'],
  ['(userName eq "bob" or userName sw "ada") and active eq true', 'a'],
  ['not (userName eq "bob")', 'a'],
  ['not (userName eq "bob") and not (active eq false)', 'a'],
  ['((((((((userName eq "bob"))))))))', 'b'],
  ['title pr', ''],
  ['title eq "Countess"', ''],
  ['title ne "Countess"', 'ab'],
  ['phoneNumbers[type eq "work" and value co "1"]', ''],
  ['addresses[type eq "work"].locality eq "Paris"', ''],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "Film"', ''],
];

/** Filters that are refused. */
const REFUSED: readonly string[] = [
  '',
  ' ',
  'userName',
  'userName eq',
  'userName eq bob',
  "userName eq 'bob'",
  'userName eq "bob',
  'userName eq "\\x"',
  'userName equals "bob"',
  'userName eq "bob" and',
  'userName eq "bob" userName eq "ada"',
  'and userName eq "bob"',
  'userName eq "bob" xor active eq true',
  'not userName eq "bob"',
  '(userName eq "bob"',
  'userName eq "bob")',
  '()',
  'emails[]',
  'emails[type eq "work"',
  'emails[type eq "work"]]',
  'emails[userName eq "bob"]',
  'emails[emails[type eq "work"]]',
  'emails.type.x eq "work"',
  'emails.unknown eq "work"',
  'userName[value eq "x"]',
  'name.givenName[value eq "x"]',
  'name eq "Ada"',
  'unknown eq "x"',
  'urn:example:User:userName eq "bob"',
  'urn:ietf:params:scim:schemas:core:2.0:User eq "bob"',
  'password eq "secret"',
  'userName eq 5',
  'userName eq true',
  'userName gt null',
  'active gt true',
  'active co "tr"',
  'active eq "yes"',
  'active eq 1',
  'meta.created gt "yesterday"',
  'userName eq "a"; drop',
  'userName eq {"a":1}',
  'userName eq ["a"]',
  '"userName" eq "bob"',
  '__proto__ eq "x"',
  'constructor pr',
  '(((((((((userName eq "bob")))))))))',
  `${'not ('.repeat(9)}userName pr${')'.repeat(9)}`,
  `((((((((emails[type pr]))))))))`,
  `userName eq "${'a'.repeat(1_024)}"`,
  `userName eq "${'é'.repeat(508)}"`,
];

const isRefused =
  (reason: string) =>
  (error: unknown): boolean =>
    error instanceof Failure && error.kind === 'invalid' && error.reason === reason;

test(`filters match as they should (${MATCHING.length} cases)`, () => {
  for (const [filter, matched] of MATCHING) {
    const parsed = parseFilter(filter);
    const found = `${matches(parsed, ADA) ? 'a' : ''}${matches(parsed, BOB) ? 'b' : ''}`;
    assert.equal(found, matched, filter);
  }
});

test(`filters are refused without an echo (${REFUSED.length} cases)`, () => {
  for (const filter of REFUSED) assert.throws(() => parseFilter(filter), isRefused('filter-invalid'), filter);
});

const PATHS_REFUSED = [
  'unknown',
  'emails[type eq "work"',
  'emails[type eq "work"].unknown',
  'emails[type eq "work"].value.x',
  'emails[type eq "work"] value',
  'name[givenName eq "a"].givenName',
  'userName eq "bob"',
  'urn:example:User:userName',
  '.value',
  '[type eq "work"]',
  'emails[((((((((type eq "work"))))))))]',
  `emails[value eq "${'a'.repeat(1_024)}"]`,
];
test(`paths of changes are refused (${PATHS_REFUSED.length} cases)`, () => {
  for (const path of PATHS_REFUSED) assert.throws(() => parsePatchPath(path), isRefused('path-invalid'), path);
});

/**
 * Users for the other implementation, which compares case and needs every list to be there. It is asked about single
 * comparisons: several joined by `and` it does not judge by the standard.
 */
const PEOPLE: readonly ScimObject[] = ['ada', 'bob', 'cy', 'dora'].map((name, at) => ({
  id: `id-${at}`,
  userName: name,
  displayName: `${name} ${at}`,
  active: at % 2 === 0,
  name: { givenName: name, familyName: at < 2 ? 'stone' : 'hill' },
  emails: at === 3 ? [] : [{ value: `${name}@example.org`, type: at === 1 ? 'home' : 'work' }],
}));

const TEXTS = ['userName', 'displayName', 'name.givenName', 'name.familyName'];
const LITERALS = ['ada', 'bob', 'c', 'hill', 'stone', 'a', 'dora 3'];
/** Comparisons with every operator. */
const SINGLE: readonly string[] = [
  ...TEXTS.flatMap((path) =>
    ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'].flatMap((operator) =>
      LITERALS.map((literal) => `${path} ${operator} "${literal}"`),
    ),
  ),
  ...TEXTS.map((path) => `${path} pr`),
  'active eq true',
  'active eq false',
  'active ne true',
  ...['work', 'home'].flatMap((type) =>
    ['co', 'sw', 'ew', 'eq'].map((operator) => `emails[type eq "${type}" and value ${operator} "ada@example.org"]`),
  ),
];
const found = (filter: string): string[] => {
  const parsed = parseFilter(filter);
  return PEOPLE.filter((one) => matches(parsed, one)).map(({ id }) => String(id));
};

test(`another implementation finds the same users with ${SINGLE.length * 2} filters`, () => {
  for (const one of SINGLE)
    for (const filter of [one, ...(one.includes('[') ? [] : [`not (${one})`]), `${one} or userName eq "cy"`]) {
      const theirs = new SCIMMY.Types.Filter(filter).match([...PEOPLE]).map(({ id }) => String(id));
      assert.deepEqual(found(filter), theirs, filter);
    }
});

/** A filter as text, with the brackets that it needs and no others, and the users that it has to find. */
interface Expected {
  text: string;
  ids: readonly string[];
  binds: 'or' | 'and' | 'one';
}
const ALL = PEOPLE.map(({ id }) => String(id));

function makeExpected(next: () => number, depth: number): Expected {
  const kind = depth === 0 ? 1 : next();
  const bracketed = (one: Expected): string => `(${one.text})`;
  if (kind < 0.3) {
    const part = makeExpected(next, depth - 1);
    return { text: `not ${bracketed(part)}`, ids: ALL.filter((id) => !part.ids.includes(id)), binds: 'one' };
  }
  if (kind < 0.9) {
    const [left, right] = [makeExpected(next, depth - 1), makeExpected(next, depth - 1)];
    const isAnd = next() < 0.5;
    const texts = [left, right].map((one) => (isAnd && one.binds === 'or' ? bracketed(one) : one.text));
    const ids = ALL.filter((id) => {
      const [isLeft, isRight] = [left.ids.includes(id), right.ids.includes(id)];
      return isAnd ? isLeft && isRight : isLeft || isRight;
    });
    return { text: texts.join(isAnd ? ' and ' : ' or '), ids, binds: isAnd ? 'and' : 'or' };
  }
  const text = SINGLE[Math.floor(next() * SINGLE.length)] ?? '';
  return { text, ids: found(text), binds: 'one' };
}

test(`and, or, not and brackets join comparisons as they should: 1,000 random filters (seed ${SEED})`, (t) => {
  const next = chance();
  let deepest = 0;
  for (let count = 0; count < 1_000; count++) {
    const { text, ids } = makeExpected(next, 4);
    if (text.length > 1_024) continue;
    assert.deepEqual(found(text), ids, text);
    deepest = Math.max(deepest, text.length);
  }
  t.diagnostic(`the longest had ${deepest} characters`);
});

test('the longest filters read a user a number of times that grows with their length alone', () => {
  const readsOf = (filter: string): number => {
    let reads = 0;
    const counting = new Proxy(ADA, { get: (target, name) => (reads++, Reflect.get(target, name) as unknown) });
    matches(parseFilter(filter), counting);
    return reads;
  };
  const joined = (count: number): string => Array.from({ length: count }, () => 'id eq "x"').join(' or ');
  for (const count of [1, 10, 70]) assert.equal(readsOf(joined(count)), count);
  assert.equal(readsOf(`((((((((${joined(70)}))))))))`), 70);
});

/** Strict JSON: what it reads is what JSON.parse reads, and what two readers could read in two ways it refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/fast-check.ts';
import { Failure } from '../lib/failure.ts';
import { readObject } from './json.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const isRefused = (of: Uint8Array | string, why: string) =>
  assert.throws(
    () => readObject(typeof of === 'string' ? bytes(of) : of),
    (error) => error instanceof Failure && error.kind === 'invalid' && /^[a-z][a-z A-Z0-9-]+$/.test(error.message),
    why,
  );

const GOOD: readonly string[] = [
  '{}',
  ' {} ',
  '\t{\r\n}\n',
  '{"a":1}',
  '{"a":{"a":{"a":1}}}',
  '{"a":[{"b":1},{"b":2}]}',
  '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  '{"a":"]}"}',
  '{"a\\"b":1,"a":2}',
  '{"a\\\\":1,"a":2}',
  '{"":0}',
  '{"a":"\\ud83d\\ude00"}',
  '{"a":-0.5e-7,"b":true,"c":null}',
  '{"constructor":1,"proto":2,"__proto":3}',
  `{"a":${'['.repeat(15)}${']'.repeat(15)}}`,
  '{"a":["b","b","b"]}',
  '{"a":"\\u0000"}',
];
test('objects are read as JSON has them', () => {
  for (const text of GOOD) assert.deepEqual(readObject(bytes(text)), JSON.parse(text), text);
});

const BAD: readonly [text: string, why: string][] = [
  ['', 'nothing'],
  [' ', 'a space'],
  ['null', 'null'],
  ['1', 'a number'],
  ['"a"', 'a text'],
  ['[]', 'a list'],
  ['{}{}', 'two objects'],
  ['{} {}', 'two objects with a space'],
  ['{},', 'a comma after it'],
  ['{"a":1}x', 'a letter after it'],
  ['{', 'half'],
  ['{"a"', 'half a field'],
  ['{"a":"', 'half a text'],
  ['{"a":1,}', 'a comma at the end'],
  ["{'a':1}", 'single quotes'],
  ['{a:1}', 'no quotes'],
  ['{"a":01}', 'a zero in front'],
  ['{"a":.5}', 'a dot in front'],
  ['{"a":+1}', 'a plus'],
  ['{"a":NaN}', 'NaN'],
  ['{"a":Infinity}', 'infinity'],
  ['{"a":undefined}', 'undefined'],
  ['{/**/}', 'a comment'],
  ['{"a":"\n"}', 'a line end in a text'],
  ['\ufeff{}', 'a byte order mark'],
  ['{"a":1,"a":1}', 'a key twice'],
  ['{"a":1,"A":1}', 'in another case'],
  ['{"a":1,"\\u0061":1}', 'in escapes'],
  ['{"a":1,"b":2,"c":3,"a":4}', 'far apart'],
  ['{"x":{"a":1,"a":2}}', 'further down'],
  ['{"x":[{"a":1,"a":2}]}', 'in a list'],
  ['{"a":{"b":1},"a":2}', 'behind an object'],
  ['{"a":[1,2],"a":2}', 'behind a list'],
  ['{"a":"\\"","a":2}', 'behind a quote'],
  ['{"\u212a":1,"k":2}', 'the Kelvin sign is a k'],
  ['{"__proto__":1}', 'the name of the prototype'],
  ['{"__PROTO__":1}', 'in capitals'],
  ['{"\\u005f_proto__":1}', 'in escapes'],
  ['{"a":[{"__proto__":{}}]}', 'further down'],
  [`{"a":${'['.repeat(16)}${']'.repeat(16)}}`, 'seventeen deep'],
  [`{"a":${'{"a":'.repeat(16)}1${'}'.repeat(16)}}`, 'seventeen objects deep'],
  [`{"a":${'['.repeat(500_000)}`, 'brackets without end'],
  [`{"a":[${'0,'.repeat(10_001)}0]}`, 'too many values'],
];
test('what is not exactly one plain object is refused, and nothing of it is repeated', () => {
  for (const [text, why] of BAD) isRefused(text, why);
  isRefused(new Uint8Array([0x7b, 0xff, 0x7d]), 'not UTF-8');
  isRefused(new Uint8Array([0x7b, 0xc0, 0x80, 0x7d]), 'an overlong form');
  isRefused(new Uint8Array(Buffer.from('{"a":1}', 'utf16le')), 'UTF-16');
});

test('planted: JSON.parse alone takes what is refused here', () => {
  for (const text of ['{"a":1,"a":2}', '{"a":1,"A":2}', '{"__proto__":1}', `{"a":${'['.repeat(16)}${']'.repeat(16)}}`])
    assert.doesNotThrow(() => JSON.parse(text) as unknown, text);
});

test('any object whose keys differ is read as it was written', () => {
  const key = fc
    .string({ maxLength: 8 })
    .map((text) => text.toLowerCase())
    .filter((text) => text.toLowerCase() !== '__proto__');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true }), (object) => {
      const text = JSON.stringify(object);
      assert.deepEqual(readObject(bytes(text)), JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});

test('a duplicate key is found wherever it is', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 8 }),
      fc.nat(),
      fc.nat(6),
      (keys, which, depth) => {
        const twin = keys[which % keys.length] ?? 'a';
        const inner = `{${[...keys, twin.toUpperCase()].map((key) => `${JSON.stringify(key)}:0`).join()}}`;
        isRefused('{"x":['.repeat(depth) + inner + ']}'.repeat(depth), inner);
      },
    ),
    { numRuns: 200 },
  );
});

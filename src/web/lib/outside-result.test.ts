/** The query of a page after a step at the identity provider. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outsideResultIn, withoutOutsideResult } from './outside-result.ts';

const cases: [query: string, result: unknown, rest: string][] = [
  ['', undefined, '/account'],
  ['reason=outside-unknown', { kind: 'failed', reason: 'outside-unknown' }, '/account'],
  ['reason=outside-refused&confirmed=outside', { kind: 'failed', reason: 'outside-refused' }, '/account'],
  ['confirmed=outside&owes=code&through=oidc&q=a', { kind: 'owes-code', protocol: 'oidc' }, '/account?q=a'],
  ['confirmed=outside&owes=code&through=saml', { kind: 'owes-code', protocol: 'saml' }, '/account'],
  ['q=a+b&confirmed=outside', { kind: 'confirmed' }, '/account?q=a+b'],
  ['reason=made-up', undefined, '/account'],
  // The code of a device that waits for approval.
  ['code=123456', undefined, '/account?code=123456'],
];
for (const [query, result, rest] of cases)
  test(`the query "${query}"`, () => {
    const given = new URLSearchParams(query);
    assert.deepEqual(outsideResultIn(given), result);
    assert.equal(withoutOutsideResult('/account', given), rest);
  });

/** Patterns of names: what they match, and which are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNamePattern, matchNames } from './name-patterns.ts';

test('a pattern matches whole names in any letter case', () => {
  for (const [pattern, name, isMatched] of [
    ['Samples', 'samples', true],
    ['Samples', 'Samples 2', false],
    ['*.sample.*', 'Film.Sample.mkv', true],
    ['*.sample.*', 'sample.mkv', false],
    ['old*', 'Old films', true],
    ['*-proxy.mp4', 'DJI_0001-Proxy.MP4', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a c b', false],
    ['a**c', 'abc', true],
    ['\u00c4rger', 'A\u0308rger', true],
    ['[x].mkv', '[X].mkv', true],
  ] as const)
    assert.equal(matchNames([pattern])(name), isMatched, `${pattern} ${name}`);
  assert.equal(matchNames([])('anything'), false);
});

test('a long name against many stars takes no time', () => {
  const began = performance.now();
  assert.equal(matchNames([`${'a*'.repeat(60)}b`])('a'.repeat(100_000)), false);
  // Backtracking would take centuries.
  assert.ok(performance.now() - began < 5_000);
});

test('a pattern that would match every name, a path or a control character is refused', () => {
  for (const text of ['', '*', '**', ' ', 'a/b', 'a\nb', 'x'.repeat(129)])
    assert.equal(isNamePattern(text), false, text);
  for (const text of ['Samples', '*.tmp', '#recycle']) assert.equal(isNamePattern(text), true, text);
});

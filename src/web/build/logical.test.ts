/** Old engines get physical properties, which new ones ignore. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFallbacks } from './logical.ts';

/** The rules that are added. */
const added = (css: string): string[] =>
  withFallbacks(css)
    .split('\n')
    .filter((line) => line.includes('@supports'));

test('each rule with a logical inset is followed by its fallback', () => {
  assert.equal(
    withFallbacks('.a { color: red; inset-inline-start: 50%; }'),
    '.a { color: red; inset-inline-start: 50%; }\n@supports not (inset-inline-start: 0) { .a { left: 50%; } }',
  );
  assert.deepEqual(added('.b, .c:hover {\n  inset-inline-start: 0;\n  inset-inline-end: calc(1px + var(--x))\n}'), [
    '@supports not (inset-inline-start: 0) { .b, .c:hover { left: 0; right: calc(1px + var(--x)); } }',
  ]);
});
test('the two sides of a padding have one, because they are built as a shorthand; one side needs none', () => {
  assert.deepEqual(added('.a { padding-inline-start: 1rem; padding-inline-end: 2rem; margin-inline-start: 3rem; }'), [
    '@supports not (inset-inline-start: 0) { .a { padding-left: 1rem; padding-right: 2rem; } }',
  ]);
  assert.deepEqual(added('.a { margin-inline-end: auto; }'), []);
});
test('a rule within a media query keeps its condition', () => {
  assert.equal(
    withFallbacks('@media (max-width: 600px) { /* why */ .a > .b::before { inset-inline-end: 1rem; } }'),
    '@media (max-width: 600px) {  .a > .b::before { inset-inline-end: 1rem; }\n' +
      '@supports not (inset-inline-start: 0) { .a > .b::before { right: 1rem; } } }',
  );
});

/** Codes of findings: unique, documented, and declared by the domains that report them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOMAINS } from '../src/domains.ts';
import { FINDINGS, findingRows } from '../src/contract/findings.ts';

test('every finding has a unique code and a sentence that documents it', () => {
  for (const [code, summary] of Object.entries(FINDINGS)) {
    assert.match(code, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, code);
    assert.match(summary, /^[A-Z].{8,160}\.$/, code);
  }
});

test('a code that two domains declare is refused', () => {
  assert.throws(
    () => findingRows([{ full: { summary: 'A disk is full.' } }, { full: { summary: 'A cache is full.' } }]),
    /the finding full is declared twice/,
  );
});

test('the domains report the findings of the contract, and no others', () => {
  const codes = (of: Iterable<string>) => [...of].sort();
  assert.deepEqual(codes(findingRows(DOMAINS.map(({ findings }) => findings)).keys()), codes(Object.keys(FINDINGS)));
});

/** Tables of reasons: codes are unique and documented. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FAILURE_REASONS, reasonRows } from './failures.ts';
import { STATUS } from './kernel/failure.ts';

test('every reason has a unique code and a sentence that documents it', () => {
  for (const [code, { kind, summary }] of Object.entries(FAILURE_REASONS)) {
    assert.match(code, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, code);
    // Both are words of one line in the document and in the log.
    assert.ok(!(code in STATUS), `${code} is a kind`);
    assert.ok(kind in STATUS, code);
    assert.match(summary, /^[A-Z].{8,160}\.$/, code);
  }
});

test('a code that two tables declare is refused', () => {
  assert.throws(
    () => reasonRows([{ conflict: { taken: 'One thing is taken.' } }, { missing: { taken: 'Another is taken.' } }]),
    /the reason taken is declared twice/,
  );
});

test('every reason is given by some code', () => {
  const root = join(import.meta.dirname, '..');
  const files = globSync('**/*.ts', { cwd: root }).filter(
    (file) => !/(^|\/)(contract|web)\/|\.test\.ts$|(^|\/)testing/.test(file),
  );
  const code = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const unused = (reasons: readonly string[]): string[] => reasons.filter((reason) => !code.includes(`'${reason}'`));
  assert.deepEqual(unused(Object.keys(FAILURE_REASONS)), []);
  assert.deepEqual(unused(['no-such-item', 'made-up-for-this-test']), ['made-up-for-this-test']);
});

/** The words of a plan, and the files that are left alone by their reason. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { asked, byReason, planned, toggled, unlisted } from './policy.ts';
import { speak } from '../../../messages/catalogue.ts';

before(() => speak(['en']));

test('languages are chosen and let go, each once', () => {
  assert.deepEqual(toggled(['en'], 'de', true), ['en', 'de']);
  assert.deepEqual(toggled(['en', 'de'], 'en', true), ['de', 'en']);
  assert.deepEqual(toggled(['en', 'de'], 'en', false), ['de']);
  assert.deepEqual(asked({ languages: ['en'], forced: 'keep' }), { enabled: true, languages: ['en'], forced: 'keep' });
});
test('a plan says how many, and when it lists only the first of them', () => {
  assert.equal(planned({ count: 0 }), 'No file would be hidden');
  assert.equal(planned({ count: 1 }), '1 file would be hidden');
  const files = Array.from({ length: 100 }, (_, n) => ({ path: String(n) }));
  assert.equal(unlisted({ count: 100, files }), undefined);
  assert.equal(unlisted({ count: 134, files }), 'and 34 more');
});
test('files that are left alone are grouped by reason, the most frequent first', () => {
  assert.deepEqual(
    byReason([
      { path: 'a', reason: 'x', why: { reason: 'link', values: {} } },
      { path: 'b', reason: 'y', why: { reason: 'not-a-file', values: {} } },
      { path: 'c', reason: 'y', why: { reason: 'not-a-file', values: {} } },
    ]),
    [
      { reason: 'y', paths: ['b', 'c'] },
      { reason: 'x', paths: ['a'] },
    ],
  );
});

/** JSON that is at hand is read only by whoever looks into it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { written, writtenIn } from './written.ts';

const JSON_TEXT = Buffer.from('{"title":"Film","cues":[1,2]}');

test('it is handed on, awaited and sent without being read', async (t) => {
  const { mock } = t.mock.method(JSON, 'parse');
  const value = await Promise.resolve(written<{ title: string }>(JSON_TEXT));
  assert.equal(writtenIn(value), JSON_TEXT);
  assert.equal(mock.callCount(), 0);
  assert.equal(value.title, 'Film');
  assert.equal(mock.callCount(), 1);
  assert.deepEqual({ ...written<{ title: string }>('{"title":"é"}') }, { title: 'é' });
});

test('it is what its text says, and cannot be changed', () => {
  const value = written<{ title: string; cues: number[] }>(JSON_TEXT);
  assert.deepEqual({ ...value }, { title: 'Film', cues: [1, 2] });
  assert.ok('title' in value && !('other' in value));
  assert.deepEqual(Object.keys(value), ['title', 'cues']);
  assert.throws(() => (value.title = 'another'), TypeError);
  assert.equal(writtenIn({ title: 'Film' }), undefined);
  assert.equal(writtenIn('Film'), undefined);
});

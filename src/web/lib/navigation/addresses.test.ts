/** Addresses are built, read back, and never lead off the dashboard. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hrefOf, pageAt, safeNext } from './addresses.ts';

test('an address is built from its page, parts and query', () => {
  assert.equal(hrefOf({ page: 'home' }), '/');
  assert.equal(hrefOf({ page: 'item', params: { id: '4f1c0a9be27d6358' } }), '/item/4f1c0a9be27d6358');
  assert.equal(
    hrefOf({ page: 'library', query: { library: 'a', genre: 'Science fiction', year: undefined } }),
    '/library?library=a&genre=Science+fiction',
  );
});
test('an address is read back to its page and parts', () => {
  assert.deepEqual(pageAt('/show/abc'), { page: 'show', params: { id: 'abc' } });
  assert.deepEqual(pageAt('/settings/'), { page: 'settings', params: {} });
  assert.deepEqual(pageAt('/settings/tasks'), { page: 'settingsPart', params: { part: 'tasks' } });
  assert.equal(pageAt('/nowhere'), undefined);
  assert.equal(pageAt('/item/../x'), undefined);
});
test('what follows a sign-in stays on this server', () => {
  assert.equal(safeNext('/item/4f1c0a9be27d6358'), '/item/4f1c0a9be27d6358');
  assert.equal(safeNext('/library?letter=b'), '/library?letter=b');
  for (const bad of [
    null,
    '',
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'javascript:alert(1)',
    '/api/v1/session',
  ])
    assert.equal(safeNext(bad), '/');
});

/** The state of each library survives a reload of the list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLibraries } from './libraries.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { LibraryTable } from '../store/tables.ts';

test('a scan that ends while the list is adopted is recorded', async () => {
  const stored = new Map<string, LibraryTable>();
  let meanwhile = () => {};
  const store = {
    libraries: async () => [...stored.values()],
    putLibrary: async (row: LibraryTable) => {
      const had = stored.get(row.id);
      stored.set(row.id, { ...row, ...(had && { last_scan: had.last_scan, last_full: had.last_full }) });
      meanwhile();
    },
  } as unknown as ScanningStore;
  const libraries = createLibraries({ store, clock: { now: () => 1, monotonic: () => 1 } });
  await libraries.adopt([{ name: 'Films', path: '/films', kind: 'movies' }]);
  const [films] = libraries.all();
  assert.ok(films);
  meanwhile = () => libraries.scanned(films.id, 5, true);
  await libraries.adopt([{ name: 'Cinema', path: '/films', kind: 'movies' }]);
  assert.deepEqual(
    libraries.all().map(({ id, name, last_scan, last_full }) => ({ id, name, last_scan, last_full })),
    [{ id: films.id, name: 'Cinema', last_scan: 5, last_full: 5 }],
  );
});

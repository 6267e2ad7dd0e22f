/** The state of each library survives a reload of the list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LibraryOptions } from '../../config/index.ts';
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

test('a library is scanned again when an option of its scans changes, and not for another one', async () => {
  const stored = new Map<string, LibraryTable>();
  const store = {
    libraries: async () => [...stored.values()],
    putLibrary: async (row: LibraryTable) => void stored.set(row.id, { ...row, last_scan: 1 }),
  } as unknown as ScanningStore;
  const libraries = createLibraries({ store, clock: { now: () => 1, monotonic: () => 1 } });
  const films = { name: 'Films', path: '/films', kind: 'movies' } as const;
  const adopted = async (options: LibraryOptions) => (await libraries.adopt([{ ...films, ...options }])).length;
  assert.equal(await adopted({}), 1);
  assert.equal(await adopted({ language: 'de', internet: false }), 0);
  assert.deepEqual(libraries.optionsOf(libraries.all()[0]?.id ?? ''), { language: 'de', internet: false });
  assert.equal(await adopted({ nfo: false }), 1);
  assert.equal(await adopted({ nfo: false, language: 'de' }), 0);
  assert.equal(await adopted({ ignored: ['Samples'] }), 1);
  assert.equal(await adopted({}), 1);
});

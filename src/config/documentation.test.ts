/** The table of settings in the user guide: every row is in it, and no secret has a default to show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsTable } from './documentation.ts';
import { SETTINGS } from '../settings.ts';

test('every setting has its row, in order, with as many cells as the head', () => {
  const rows = settingsTable(SETTINGS)
    .split('\n')
    .filter((line) => line.startsWith('| `') && line.includes('`SERVICE_'));
  assert.deepEqual(
    rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1]),
    SETTINGS.all.map(({ key }) => key),
  );
  for (const row of rows) assert.equal(row.split(/(?<!\\)\|/).length, 8, row);
});

test('additions are marked', () => {
  assert.deepEqual(
    [...settingsTable(SETTINGS).matchAll(/^\| `([^`]+)` \*added\*/gm)].map(([, key]) => key),
    SETTINGS.all.filter(({ addition }) => addition).map(({ key }) => key),
  );
});

test('a setting that nothing reads yet says which feature it waits for', () => {
  const rows = settingsTable(SETTINGS).split('\n');
  for (const { key, until } of SETTINGS.all) {
    const row = rows.find((line) => line.startsWith(`| \`${key}\``)) ?? '';
    assert.equal(row.includes('*Not in use yet'), until !== undefined, key);
    if (until !== undefined) assert.ok(row.includes(until), key);
  }
});

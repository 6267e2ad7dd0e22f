/** The table of settings in the user guide: every row is in it, and no secret has a default to show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsTable } from './documentation.ts';
import { SETTINGS } from './settings/index.ts';

test('every setting has its row, in order, with as many cells as the head', () => {
  const rows = settingsTable()
    .split('\n')
    .filter((line) => line.startsWith('| `') && line.includes('`SERVICE_'));
  assert.deepEqual(
    rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1]),
    SETTINGS.map(({ key }) => key),
  );
  for (const row of rows) assert.equal(row.split(/(?<!\\)\|/).length, 8, row);
});

test('additions are marked', () => {
  assert.deepEqual(
    [...settingsTable().matchAll(/^\| `([^`]+)` \*added\*/gm)].map(([, key]) => key),
    ['playback.remote_bitrate', 'database.url'],
  );
});

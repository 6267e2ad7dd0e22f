/** The lists that load no domain have what the domains' values have: none is forgotten, none is in another place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOMAINS } from '../src/domains.ts';
import { taskMigrations } from '../src/lib/tasks/index.ts';
import { MIGRATIONS } from '../src/migrations.ts';
import { SETTINGS } from '../src/settings.ts';

test('the list of settings has those of every domain, in the order of the domains', () => {
  const settings = DOMAINS.flatMap((one) => one.settings);
  assert.deepEqual(
    SETTINGS.all.map(({ key }) => key),
    settings.map(({ key }) => key),
  );
  assert.ok(SETTINGS.all.every((one, n) => one === settings[n]));
});

test('the list of migrations has those of the tasks and of every domain, in the order of the domains', () => {
  const migrations = [...taskMigrations, ...DOMAINS.flatMap((one) => one.migrations)];
  assert.deepEqual(
    MIGRATIONS.map(({ id }) => id),
    migrations.map(({ id }) => id),
  );
  assert.ok(MIGRATIONS.every((one, n) => one === migrations[n]));
});

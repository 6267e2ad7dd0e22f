/**
 * Every step of the schema, in the order of the domains: lower ones first. They are read from the stores and load no
 * domain: a command that opens the database of a stopped server needs nothing else.
 */
import { activityMigrations } from './activity/store/tables.ts';
import { catalogMigrations } from './catalog/store/migrations.ts';
import { configMigrations } from './config/store.ts';
import { identityTableMigrations } from './identity/store/tables.ts';
import type { Migration } from './lib/db/index.ts';
import { taskMigrations } from './lib/tasks/store.ts';
import { listMigrations } from './lists/store/playlists.ts';
import { metadataMigrations } from './metadata/store.ts';
import { markerMigrations } from './playback/markers/store/tables.ts';
import { sessionMigrations } from './playback/session/store.ts';
import { requestMigrations } from './requests/store.ts';
import { subtitleMigrations } from './subtitles/store/migrations.ts';
import { supporterMigrations } from './supporter/store.ts';

export const MIGRATIONS: readonly Migration[] = [
  ...taskMigrations,
  ...activityMigrations,
  ...configMigrations,
  ...identityTableMigrations,
  ...catalogMigrations,
  ...listMigrations,
  ...requestMigrations,
  ...metadataMigrations,
  ...subtitleMigrations,
  ...sessionMigrations,
  ...markerMigrations,
  ...supporterMigrations,
];

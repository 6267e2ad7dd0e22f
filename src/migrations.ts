/** Every step of the schema, in the order of the domains: lower ones first. */
import { catalogMigrations } from './catalog/index.ts';
import { configMigrations } from './config/index.ts';
import { identityMigrations } from './identity/index.ts';
import type { Migration } from './lib/db/index.ts';
import { taskMigrations } from './lib/tasks/index.ts';
import { playbackMigrations } from './playback/index.ts';
import { subtitleMigrations } from './subtitles/index.ts';

export const MIGRATIONS: readonly Migration[] = [
  ...taskMigrations,
  ...configMigrations,
  ...identityMigrations,
  ...catalogMigrations,
  ...subtitleMigrations,
  ...playbackMigrations,
];

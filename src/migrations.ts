/** Every step of the schema, in the order of the domains: lower ones first. */
import type { Domain } from './domain.ts';
import { DOMAINS } from './domains.ts';
import type { Migration } from './lib/db/index.ts';
import { taskMigrations } from './lib/tasks/index.ts';

export const migrationsOf = (domains: readonly Domain[]): readonly Migration[] => [
  ...taskMigrations,
  ...domains.flatMap(({ migrations }) => migrations),
];

export const MIGRATIONS = migrationsOf(DOMAINS);

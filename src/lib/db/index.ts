/** The door of the database floor: open one, declare migrations, name column types. */
export { DatabaseUnusable } from './types.ts';
export type { Database, Durability, Engine, Kysely, Migration, Reader, Transaction, Unusable } from './types.ts';
export { columns, table } from './columns.ts';

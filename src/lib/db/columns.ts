/**
 * Column types that a migration names once and that mean the same on both engines.
 *
 * `const c = columns(engine); await table(db, engine, 'catalog_item').addColumn('id', c.id, (col) =>
 * col.primaryKey())…` Text compares by code point on both, so keyset pages and unique keys agree.
 */
import { sql } from 'kysely';
import type { ColumnDataType, CreateTableBuilder, Kysely, RawBuilder } from 'kysely';
import type { Engine } from './types.ts';

type ColumnType = ColumnDataType | RawBuilder<unknown>;

export interface Columns {
  /** 16 hex characters, or any other key. */
  id: ColumnType;
  text: ColumnType;
  /** JSON as text, written with `JSON.stringify` and read with `JSON.parse`: neither engine looks inside. */
  json: ColumnType;
  /** 0 or 1. */
  flag: ColumnType;
  /** Any whole number that JavaScript can hold exactly. */
  integer: ColumnType;
  /** Milliseconds since the epoch. */
  time: ColumnType;
  real: ColumnType;
  bytes: ColumnType;
}

const SQLITE: Columns = {
  id: 'text',
  text: 'text',
  json: 'text',
  flag: 'integer',
  integer: 'integer',
  time: 'integer',
  real: 'real',
  bytes: 'blob',
};
const text = sql`text collate "C"`;
const POSTGRES: Columns = {
  id: text,
  text,
  json: text,
  flag: 'integer',
  integer: 'bigint',
  time: 'bigint',
  real: 'double precision',
  bytes: 'bytea',
};

export const columns = (engine: Engine): Columns => (engine === 'sqlite' ? SQLITE : POSTGRES);

/** Starts a table. On SQLite it is STRICT, so that a value of the wrong type is refused as PostgreSQL refuses it. */
export function table(db: Kysely<unknown>, engine: Engine, name: string): CreateTableBuilder<string> {
  const start = db.schema.createTable(name);
  return engine === 'sqlite' ? start.modifyEnd(sql`strict`) : start;
}

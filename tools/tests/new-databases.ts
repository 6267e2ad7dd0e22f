/**
 * Remembers databases that this process has made, so that the next with the same migrations is a copy: a test file
 * opens dozens, and running all migrations takes 80 ms of CPU time each. The first one is migrated and checked as in
 * the product. Migrations are the same when they are the same objects, so that no test meets those of another.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Migration } from '../../src/lib/db/index.ts';

interface Remembered {
  migrations: readonly Migration[];
  bytes: Uint8Array;
}
/** The oldest is forgotten first: some tests make their own migrations each time. */
const MAX_REMEMBERED = 8;
const remembered: Remembered[] = [];

const areSame = (one: readonly Migration[], other: readonly Migration[]): boolean =>
  one.length === other.length && one.every((migration, n) => migration === other[n]);

/** Migrates the new and empty database in `file`, or writes the copy of one that has seen these migrations. */
export async function migrateNew(
  file: string,
  migrations: readonly Migration[],
  clock: { now(): number },
  migrate: () => Promise<void>,
): Promise<void> {
  const known = remembered.find((one) => areSame(one.migrations, migrations));
  if (known) return writeCopy(file, known.bytes, clock.now());
  await migrate();
  if (remembered.length === MAX_REMEMBERED) remembered.shift();
  remembered.push({ migrations: [...migrations], bytes: readFileSync(file) });
}

function writeCopy(file: string, bytes: Uint8Array, at: number): void {
  writeFileSync(file, bytes);
  const db = new DatabaseSync(file);
  try {
    db.exec('pragma journal_mode = memory; pragma synchronous = off');
    db.prepare('update migration set at = ?').run(at);
  } finally {
    db.close();
  }
}

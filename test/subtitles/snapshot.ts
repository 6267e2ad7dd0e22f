/** The state of a server's files and of its tables of subtitles, for tests that nothing changes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { World } from '../world.ts';

/** Every file with its bytes and its time, and all that is known about subtitles. */
export async function snapshotOf({
  media,
  folder: own,
  db: database,
}: Pick<World, 'media' | 'folder' | 'db'>): Promise<string> {
  const files: string[] = [];
  for (const [name, folder] of [
    ['media', media],
    ['data', join(own, 'data')],
  ] as const) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      // The tables of the database are listed below; sessions and requests are written there all the time.
      if (!entry.isFile() || /matinee\.db/.test(entry.name)) continue;
      files.push(
        `${name} ${path} ${(await stat(path)).mtimeMs} ${createHash('sha256')
          .update(await readFile(path))
          .digest('hex')}`,
      );
    }
  }
  const db = database.tables<Record<string, never>>();
  const { rows: tables } = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table' and name like 'subtitle_%' order by name`.execute(db);
  assert.ok(tables.length > 8);
  const rows = await Promise.all(
    tables.map(async ({ name }) => [name, (await sql`select * from ${sql.table(name)}`.execute(db)).rows]),
  );
  return JSON.stringify([files.sort(), rows], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** A damaged page of SQLite: statements that meet it say so, and the others work on. */
import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqlite } from './sqlite.ts';
import { makeFolder, noteIds, notes, type NoteTables, putNote } from './testing-sqlite.ts';
import type { Transaction } from './types.ts';

const REFUSAL = { kind: 'unavailable', reason: 'database-damaged' };

test('a statement that meets a damaged page says so, and the others work on', async (t) => {
  const file = join(await makeFolder(t), 'a.db');
  const first = await openSqlite({ file, migrations: [notes] });
  for (let n = 0; n < 400; n++) await first.write('grouped', putNote(`${n} ${'x'.repeat(200)}`));
  await first.close();
  const raw = new DatabaseSync(file);
  const [size, root] = [
    raw.prepare('pragma page_size').get()?.['page_size'],
    raw.prepare("select rootpage from sqlite_schema where name = 'note'").get()?.['rootpage'],
  ].map(Number);
  raw.close();
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(size ?? 0, 0xab), 0, size ?? 0, ((root ?? 0) - 1) * (size ?? 0));
  await handle.close();

  const db = await openSqlite({ file, migrations: [notes] });
  let met = 0;
  db.onDamage(() => void met++);
  const all = db.tables<NoteTables>().selectFrom('note').selectAll().compile();
  await assert.rejects(db.tables<NoteTables>().selectFrom('note').selectAll().execute(), REFUSAL);
  await assert.rejects(db.run(all), REFUSAL);
  await assert.rejects(
    db.rows(all, () => {}),
    REFUSAL,
  );
  await assert.rejects(
    db.write('safe', (tx: Transaction<NoteTables>) => tx.deleteFrom('note').execute()),
    REFUSAL,
  );
  assert.equal(met, 4);
  // Only the table is damaged, and the ids are read from its index.
  assert.equal((await noteIds(db)).length, 400);
  await db.close();
});

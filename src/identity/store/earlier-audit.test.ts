/** The audit rows of earlier versions become entries of the activity log, chained, with their ids and times. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely, Migration, Transaction } from '../../lib/db/index.ts';
import { openTemporaryDatabase, openTemporaryPostgres } from '../../lib/db/testing.ts';
import { activityMigrations, verifyActivity } from '../../activity/index.ts';
import { identityTableMigrations } from './tables.ts';

const LAST = 'identity-011-activity';
const ROWS = 2_500;
const [ADA, VIC, KEY] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc'];
const KINDS = [
  ['sign-in', 'refused', ADA, null, 'local'],
  ['sign-in', 'done', ADA, null, 'public'],
  ['key-created', 'done', ADA, KEY, null],
  ['password-set', 'done', ADA, VIC, null],
  ['metadata.bulk-edit', 'done', ADA, null, null],
] as const;

interface Tables {
  identity_audit: Record<string, string | number | null>;
  activity_entry: Record<string, string | number | null>;
}

const filled: Migration = {
  id: 'test-rows',
  up: async (db) => {
    const rows = Array.from({ length: ROWS }, (_, n) => {
      const [kind, outcome, profile, subject, network] = KINDS[n % KINDS.length] as (typeof KINDS)[number];
      // Two rows have each time, in no order of their ids.
      const id = (ROWS - n).toString(16).padStart(16, '0');
      return { id, at: 1_000 + Math.floor(n / 2), kind, outcome, profile, subject, network };
    });
    for (let from = 0; from < ROWS; from += 100)
      await (db as unknown as Kysely<Tables>)
        .insertInto('identity_audit')
        .values(rows.slice(from, from + 100))
        .execute();
  },
};
const place = identityTableMigrations.findIndex(({ id }) => id === LAST);
const migrations = [
  ...activityMigrations,
  ...identityTableMigrations.slice(0, place),
  filled,
  ...identityTableMigrations.slice(place),
];

for (const [name, open] of [
  ['sqlite', openTemporaryDatabase],
  ['postgres', openTemporaryPostgres],
] as const)
  test(`every earlier row is in the chain once (${name})`, async (t) => {
    const db = await open(t, migrations);
    const all = await db.tables<Tables>().selectFrom('activity_entry').selectAll().orderBy('number').execute();
    assert.equal(all.length, ROWS);
    assert.equal(new Set(all.map(({ id }) => id)).size, ROWS);
    assert.ok(all.every(({ at }, n) => Number(at) === 1_000 + Math.floor(n / 2)));
    const [first] = all.filter(({ kind }) => kind === 'password-set');
    assert.deepEqual([first?.['actor'], first?.['profile'], first?.['target']], [ADA, VIC, null]);
    const [refused] = all.filter(({ outcome }) => outcome === 'refused');
    assert.deepEqual([refused?.['actor'], refused?.['profile'], refused?.['reach']], [null, ADA, 'local']);
    assert.ok(all.some(({ kind }) => kind === 'metadata-bulk-edited'));
    const { broken, chains } = await verifyActivity(db);
    assert.deepEqual([broken, chains.map(({ count }) => count)], [undefined, [ROWS]]);
    const gone = db.write('grouped', (tx: Transaction<Tables>) =>
      tx.selectFrom('identity_audit').selectAll().execute(),
    );
    await assert.rejects(gone, 'the earlier table is gone');
  });

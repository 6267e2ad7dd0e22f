/** The chain: whatever is changed, removed, inserted, moved or cut off is found, and retention breaks nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { chance } from '../../test/chance.ts';
import type { Database, Transaction } from '../lib/db/index.ts';
import { eachEngine, openTemporaryDatabase } from '../lib/db/testing.ts';
import { newId } from '../lib/ids.ts';
import { CHAINS, entryHash } from './chain.ts';
import { activityMigrations, appendActivity, verifyActivity } from './index.ts';
import { storedEntry } from './store/entries.ts';
import type { ActivityTables } from './store/tables.ts';
import { HOUR_MS, openTestLog, sampleEvents, START_MS } from './testing-log.ts';

type Row = ActivityTables['activity_entry'];
type Tx = Transaction<ActivityTables>;

const ENTRIES = 60;
const DAMAGES = 1_000;

const append = (db: Database, count: number, at = START_MS): Promise<void> =>
  db.write('grouped', (tx: Transaction<never>) => appendActivity(tx, sampleEvents(count), at));
const rowsOf = (db: Database): Promise<Row[]> =>
  db.tables<ActivityTables>().selectFrom('activity_entry').selectAll().orderBy('number').execute();

/** Thrown to take back what a damage did. */
class Undone extends Error {}

/** Runs `check` on a damaged log, and takes the damage back. */
async function damaged(db: Database, damage: (tx: Tx) => Promise<void>, check: (db: Database) => Promise<void>) {
  await db
    .write('grouped', async (tx: Tx) => {
      await damage(tx);
      // The transaction is read as a database, so that nothing has to be restored afterwards.
      await check({ tables: () => tx } as unknown as Database);
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
}

const TEXTS = ['id', 'chain', 'kind', 'outcome', 'details', 'hash'] as const;
const OPTIONAL = ['actor', 'via', 'credential', 'profile', 'target', 'reach', 'network'] as const;

function createDamages(next: () => number) {
  const below = (most: number): number => Math.floor(next() * most);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const put = (tx: Tx, row: Row, set: Partial<Row>) =>
    tx.updateTable('activity_entry').set(set).where('number', '=', row.number).execute();
  /** Every other time an entry at the end of a chain, because those are easily missed. */
  const pickRow = (rows: readonly Row[]): Row => {
    if (below(2) === 0) return pick(rows);
    const wanted = pick(CHAINS);
    const ofChain = rows.filter(({ chain }) => chain === wanted);
    return (below(2) === 0 ? ofChain[0] : ofChain.at(-1)) ?? pick(rows);
  };
  const spoiled = (text: string): string => {
    const at = below(text.length + 1);
    const letter = pick([...'0123456789abcdef'].filter((one) => one !== text[at]));
    return `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
  };
  /** Changes one value of one entry. */
  const change = async (tx: Tx, rows: readonly Row[]) => {
    const row = pickRow(rows);
    const name = pick([...TEXTS, ...OPTIONAL, 'at', 'count', 'number'] as const);
    if (name === 'at' || name === 'count') await put(tx, row, { [name]: row[name] + 1 + below(1_000) });
    else if (name === 'number') await put(tx, row, { number: (rows.at(-1) as Row).number + 1 + below(100) });
    else if ((OPTIONAL as readonly string[]).includes(name) && row[name] !== null && below(2) === 0)
      await put(tx, row, { [name]: null });
    else await put(tx, row, { [name]: spoiled(row[name] ?? '') });
  };
  /** Changes an entry and hashes it again, so that only the entry after it or the head shows that. */
  const forge = async (tx: Tx, rows: readonly Row[]) => {
    const row = pickRow(rows);
    const before = rows.findLast(({ chain, number }) => chain === row.chain && number < row.number);
    const { anchor_number: number, anchor_hash: hash } = await tx
      .selectFrom('activity_chain')
      .selectAll()
      .where('chain', '=', row.chain)
      .executeTakeFirstOrThrow();
    const forged = { ...row, count: row.count + 1 + below(1_000) };
    await put(tx, row, { count: forged.count, hash: entryHash(before ?? { number, hash }, storedEntry(forged)) });
  };
  const remove = async (tx: Tx, rows: readonly Row[]) => {
    const from = rows.indexOf(pickRow(rows));
    const gone = rows.slice(from, from + 1 + below(5)).map(({ number }) => number);
    await tx.deleteFrom('activity_entry').where('number', 'in', gone).execute();
  };
  /** Adds a copy of an entry: in between, where the number before it is made free, or after the last. */
  const insert = async (tx: Tx, rows: readonly Row[]) => {
    const row = pick(rows);
    const from = 1 + below((rows.at(-1) as Row).number + 1);
    for (const later of rows.toReversed()) if (later.number >= from) await put(tx, later, { number: later.number + 1 });
    await tx
      .insertInto('activity_entry')
      .values({ ...row, id: newId(), number: from })
      .execute();
  };
  const swap = async (tx: Tx, rows: readonly Row[]) => {
    const first = pick(rows);
    const second = pick(rows.filter((row) => row !== first));
    const spare = (rows.at(-1) as Row).number + 1;
    await put(tx, first, { number: spare });
    await put(tx, second, { number: first.number });
    await tx.updateTable('activity_entry').set({ number: second.number }).where('number', '=', spare).execute();
  };
  const cut = async (tx: Tx, rows: readonly Row[]) => {
    await tx
      .deleteFrom('activity_entry')
      .where('number', '>', below((rows.at(-1) as Row).number))
      .execute();
  };
  const misplace = async (tx: Tx) => {
    const set = pick([
      { anchor_number: 1 },
      { anchor_hash: 'f'.repeat(64) },
      { head_number: 1 },
      { head_hash: 'f'.repeat(64) },
    ]);
    if (below(4) === 0) await tx.deleteFrom('activity_chain').where('chain', '=', pick(CHAINS)).execute();
    else await tx.updateTable('activity_chain').set(set).where('chain', '=', pick(CHAINS)).execute();
  };
  return { kinds: { change, forge, remove, insert, swap, cut, misplace }, pick };
}

test(`of ${DAMAGES} random damages each is found`, async (t) => {
  const db = await openTemporaryDatabase(t, activityMigrations);
  await append(db, ENTRIES);
  // Numbers with gaps before them, so that an anchor is part of the game.
  const log = await openTestLog(t, db, { audit: 2 * HOUR_MS, playback: HOUR_MS });
  log.clock.pass(HOUR_MS);
  await append(db, ENTRIES, log.clock.now());
  await (await log.again()).activity.upkeep.close();
  const rows = await rowsOf(db);
  assert.equal((await verifyActivity(db)).broken, undefined);
  const { kinds, pick } = createDamages(chance());
  const found: Record<string, number> = {};
  let tried = 0;
  while (tried < DAMAGES) {
    const [name, damage] = pick(Object.entries(kinds));
    tried += 1;
    await damaged(
      db,
      (tx) => damage(tx, rows),
      async (seen) => {
        assert.ok((await verifyActivity(seen)).broken, `${name}, damage ${tried}, was not found`);
        found[name] = (found[name] ?? 0) + 1;
      },
    );
  }
  assert.equal((await verifyActivity(db)).broken, undefined, 'every damage was taken back');
  assert.deepEqual(Object.keys(found).sort(), Object.keys(kinds).sort());
  t.diagnostic(`${tried} of ${DAMAGES} found: ${JSON.stringify(found)}`);
});

test('a chain that was made again is found by a head that was noted before, and by nothing else', async (t) => {
  const db = await openTemporaryDatabase(t, activityMigrations);
  await append(db, ENTRIES);
  const [before] = (await verifyActivity(db)).chains;
  assert.ok(before);
  const noted = { chain: before.chain, ...before.head };
  await append(db, 10);
  assert.equal((await verifyActivity(db, noted)).broken, undefined);
  await db.write('grouped', async (tx: Tx) => {
    await tx.deleteFrom('activity_entry').execute();
    await tx.deleteFrom('activity_chain').execute();
  });
  await append(db, ENTRIES + 10, START_MS + 1);
  assert.equal((await verifyActivity(db)).broken, undefined, 'nothing in the database can tell');
  assert.deepEqual((await verifyActivity(db, noted)).broken?.what, 'noted');
});

eachEngine(
  'the chain verifies across retention, with another time for each chain',
  activityMigrations,
  async (t, db) => {
    const log = await openTestLog(t, db, { audit: 10 * HOUR_MS, playback: 3 * HOUR_MS });
    for (let hour = 0; hour < 15; hour++) {
      for (const event of sampleEvents(3)) await log.activity.record(event);
      log.clock.pass(HOUR_MS);
      await (await log.again()).activity.upkeep.close();
      assert.equal((await verifyActivity(db)).broken, undefined, `after ${hour + 1} hours`);
    }
    const { chains } = await verifyActivity(db);
    assert.deepEqual(
      chains.map(({ chain, count, anchor }) => [chain, count, anchor]),
      [
        ['record', 20, 15],
        ['playback', 3, 34],
      ],
    );
    await db.write('grouped', async (tx: Tx) => {
      await sql`delete from activity_entry where number = (select min(number) from activity_entry)`.execute(tx);
    });
    assert.equal((await verifyActivity(db)).broken?.what, 'entry', 'the anchor shows that the oldest one is missing');
  },
);

test('a clock that was wrong for a while neither empties the log nor keeps it for ever', async (t) => {
  const db = await openTemporaryDatabase(t, activityMigrations);
  const log = await openTestLog(t, db, { audit: 10 * HOUR_MS });
  const record = (key: string) =>
    log.activity.record({ kind: 'setting-changed', outcome: 'done', via: 'server', details: { key } });
  const kept = async () => {
    await (await log.again()).activity.upkeep.close();
    return (await rowsOf(db)).map(({ details }) => (JSON.parse(details) as { key: string }).key);
  };
  await record('first');
  log.clock.set(Date.parse('1970-01-02T00:00:00Z'));
  await record('in the past');
  log.clock.set(Date.parse('2099-01-01T00:00:00Z'));
  await record('in the future');
  log.clock.set(START_MS + HOUR_MS);
  await record('last');
  assert.deepEqual(await kept(), ['first', 'in the past', 'in the future', 'last']);
  log.clock.set(START_MS + 10.5 * HOUR_MS);
  assert.deepEqual(await kept(), ['in the future', 'last']);
  log.clock.set(START_MS + 12 * HOUR_MS);
  await record('now');
  assert.deepEqual(await kept(), ['now']);
  assert.equal((await verifyActivity(db)).broken, undefined);
});

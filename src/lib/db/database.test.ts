/** Guarantees that stores rely on, the same on SQLite and PostgreSQL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Failure } from '../failure.ts';
import { columns, table } from './columns.ts';
import { eachEngine, openTemporaryDatabase, openTemporaryPostgres } from './testing.ts';
import type { Migration, Transaction } from './types.ts';

interface Film {
  id: string;
  title: string;
  isSeen: number;
  size: number;
  addedAt: number;
  rating: number | null;
  facts: string | null;
  hash: Uint8Array | null;
}
interface Tables {
  film: Film;
  part: { id: string; film: string };
}

const films: Migration = {
  id: 'film-001-films',
  up: async (db, engine) => {
    const c = columns(engine);
    await table(db, engine, 'film')
      .addColumn('id', c.id, (col) => col.primaryKey())
      .addColumn('title', c.text, (col) => col.notNull().unique())
      .addColumn('isSeen', c.flag, (col) => col.notNull().defaultTo(0))
      .addColumn('size', c.integer, (col) => col.notNull())
      .addColumn('addedAt', c.time, (col) => col.notNull())
      .addColumn('rating', c.real)
      .addColumn('facts', c.json)
      .addColumn('hash', c.bytes)
      .execute();
    await db.schema.createIndex('film_added').on('film').columns(['addedAt', 'id']).execute();
  },
};
const parts: Migration = {
  id: 'film-002-parts',
  up: async (db, engine) => {
    const c = columns(engine);
    await table(db, engine, 'part')
      .addColumn('id', c.id, (col) => col.primaryKey())
      .addColumn('film', c.id, (col) => col.notNull().references('film.id').onDelete('cascade'))
      .execute();
  },
};
const MIGRATIONS = [films, parts];

const film = (id: string, changes: Partial<Film> = {}): Film => ({
  id,
  title: `Film ${id}`,
  isSeen: 0,
  size: 1,
  addedAt: 1_760_000_000_000,
  rating: null,
  facts: null,
  hash: null,
  ...changes,
});
const put =
  (...rows: Film[]) =>
  async (tx: Transaction<Tables>): Promise<void> =>
    void (await tx.insertInto('film').values(rows).execute());

eachEngine('every kind of value comes back as it was', MIGRATIONS, async (_t, db) => {
  const row = film('a', {
    title: 'Ünïcode — 映画 🎬 "q" \'s',
    isSeen: 1,
    size: 2 ** 53 - 1,
    rating: 7.25,
    facts: JSON.stringify({ a: [1, 'é'] }),
    hash: Uint8Array.of(0, 1, 255),
  });
  await db.write('safe', put(row));
  const found = await db.tables<Tables>().selectFrom('film').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual({ ...found, hash: [...(found.hash ?? [])] }, { ...row, hash: [0, 1, 255] });
  assert.equal(Object.getPrototypeOf(found), Object.prototype);
  const { n, total, mean } = await db
    .tables<Tables>()
    .selectFrom('film')
    .select((eb) => [
      eb.fn.countAll<number>().as('n'),
      eb.fn.sum<number>('size').as('total'),
      eb.fn.avg<number>('addedAt').as('mean'),
    ])
    .executeTakeFirstOrThrow();
  assert.deepEqual([n, total, mean], [1, 2 ** 53 - 1, 1_760_000_000_000]);
});

eachEngine('a flag given as true is 1, and what cannot be stored is refused', MIGRATIONS, async (_t, db) => {
  await db.write('grouped', put(film('a', { isSeen: true as unknown as number })));
  assert.equal((await db.tables<Tables>().selectFrom('film').select('isSeen').executeTakeFirstOrThrow()).isSeen, 1);
  for (const odd of [new Date(), { a: 1 }, Number.NaN, [1]]) {
    await assert.rejects(db.write('grouped', put(film('b', { facts: odd as unknown as string }))), TypeError);
  }
  await assert.rejects(db.write('grouped', put(film('b', { size: 'many' as unknown as number }))));
  await assert.rejects(db.write('grouped', put(film('b', { size: 1.5 }))));
  assert.equal((await db.tables<Tables>().selectFrom('film').select('id').execute()).length, 1);
});

eachEngine('text sorts by code point, like tells capitals apart, keyset pages agree', MIGRATIONS, async (_t, db) => {
  const titles = ['b', 'B', 'a', 'é', 'z', '_', '1', 'É'];
  await db.write('grouped', put(...titles.map((title, i) => film(`${i}`, { title, addedAt: 5 }))));
  const from = db.tables<Tables>();
  const sorted = await from.selectFrom('film').select('title').orderBy('title').execute();
  assert.deepEqual(
    sorted.map((row) => row.title),
    ['1', 'B', '_', 'a', 'b', 'z', 'É', 'é'],
  );
  assert.deepEqual(await from.selectFrom('film').select('title').where('title', 'like', 'b%').execute(), [
    { title: 'b' },
  ]);
  const page = await from
    .selectFrom('film')
    .select('id')
    .where(({ eb, refTuple, tuple }) => eb(refTuple('addedAt', 'id'), '>', tuple(5, '5')))
    .orderBy('addedAt')
    .orderBy('id')
    .limit(2)
    .execute();
  assert.deepEqual(page, [{ id: '6' }, { id: '7' }]);
});

eachEngine('an upsert, a returning and a count of changed rows', MIGRATIONS, async (_t, db) => {
  await db.write('safe', put(film('a'), film('b')));
  const given = await db.write('safe', async (tx: Transaction<Tables>) => {
    const row = await tx
      .insertInto('film')
      .values(film('a', { size: 9 }))
      .onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ size: eb.ref('excluded.size') })))
      .returning(['id', 'size'])
      .executeTakeFirstOrThrow();
    const changed = await tx.updateTable('film').set({ isSeen: 1 }).where('size', '>', 0).executeTakeFirstOrThrow();
    const gone = await tx.deleteFrom('film').where('id', '=', 'b').executeTakeFirstOrThrow();
    return { row, changed: changed.numUpdatedRows, gone: gone.numDeletedRows };
  });
  assert.deepEqual(given, { row: { id: 'a', size: 9 }, changed: 2n, gone: 1n });
});

eachEngine(
  'work that throws leaves nothing, and a failed statement cannot be brushed aside',
  MIGRATIONS,
  async (_t, db) => {
    await assert.rejects(
      db.write('safe', async (tx: Transaction<Tables>) => {
        await put(film('a'))(tx);
        throw new Error('changed my mind');
      }),
      /changed my mind/,
    );
    await assert.rejects(
      db.write('safe', async (tx: Transaction<Tables>) => {
        await put(film('a'))(tx);
        await put(film('a'))(tx).catch(() => {});
      }),
      /a statement failed/,
    );
    assert.deepEqual(await db.tables<Tables>().selectFrom('film').selectAll().execute(), []);
    await db.write('safe', put(film('a')));
    assert.equal((await db.tables<Tables>().selectFrom('film').selectAll().execute()).length, 1);
  },
);

eachEngine('foreign keys hold and cascade', MIGRATIONS, async (_t, db) => {
  await assert.rejects(
    db.write(
      'safe',
      async (tx: Transaction<Tables>) => void (await tx.insertInto('part').values({ id: 'p', film: 'none' }).execute()),
    ),
  );
  await db.write('safe', async (tx: Transaction<Tables>) => {
    await put(film('a'))(tx);
    await tx.insertInto('part').values({ id: 'p', film: 'a' }).execute();
    await tx.deleteFrom('film').where('id', '=', 'a').execute();
  });
  assert.deepEqual(await db.tables<Tables>().selectFrom('part').selectAll().execute(), []);
});

eachEngine(
  'transactions take turns in the order asked, and a read then a write is safe',
  MIGRATIONS,
  async (_t, db) => {
    await db.write('safe', put(film('a', { size: 0 })));
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        db.write('grouped', async (tx: Transaction<Tables>) => {
          const { size } = await tx.selectFrom('film').select('size').where('id', '=', 'a').executeTakeFirstOrThrow();
          await new Promise((resolve) => setImmediate(resolve));
          await tx
            .updateTable('film')
            .set({ size: size + 1 })
            .where('id', '=', 'a')
            .execute();
          order.push(i);
        }),
      ),
    );
    assert.equal((await db.tables<Tables>().selectFrom('film').select('size').executeTakeFirstOrThrow()).size, 20);
    assert.deepEqual(
      order,
      Array.from({ length: 20 }, (_, i) => i),
    );
  },
);

eachEngine('the reading half refuses to write', MIGRATIONS, async (_t, db) => {
  const sneaky = db.tables<Tables>() as unknown as Transaction<Tables>;
  await assert.rejects(put(film('a'))(sneaky));
  await assert.rejects(sql`delete from film`.execute(db.tables<Tables>()));
  await db.write('safe', put(film('a')));
  assert.equal((await db.tables<Tables>().selectFrom('film').selectAll().execute()).length, 1);
});

eachEngine('a compiled query runs again with other values, and rows come as arrays', MIGRATIONS, async (_t, db) => {
  await db.write('grouped', put(...Array.from({ length: 500 }, (_, i) => film(`${i}`, { size: i }))));
  const byId = db.tables<Tables>().selectFrom('film').select(['id', 'size']).where('id', '=', '0').compile();
  assert.deepEqual(await db.run(byId, ['42']), [{ id: '42', size: 42 }]);
  assert.deepEqual(await db.run(byId), [{ id: '0', size: 0 }]);
  assert.deepEqual(await db.run(byId, ['none']), []);
  let sum = 0;
  const count = await db.rows<[size: number, id: string]>(
    db.tables<Tables>().selectFrom('film').select(['size', 'id']).compile(),
    ([size]) => void (sum += size),
  );
  assert.deepEqual([count, sum], [500, (499 * 500) / 2]);
  await assert.rejects(db.run(sql`delete from film`.compile(db.tables<Tables>())));
});

eachEngine('a closed database takes no more writes', MIGRATIONS, async (_t, db) => {
  const last = db.write('grouped', put(film('a')));
  const closed = db.close();
  await last;
  await closed;
  await assert.rejects(
    db.write('safe', put(film('b'))),
    (error) => error instanceof Failure && error.kind === 'unavailable',
  );
  await db.close();
});

test('only SQLite makes a copy of itself', async (t) => {
  const db = await openTemporaryPostgres(t, MIGRATIONS);
  await assert.rejects(db.snapshot('/tmp/never'), (error) => error instanceof Failure && error.kind === 'conflict');
});

test('a migration that fails on PostgreSQL leaves nothing', async (t) => {
  await assert.rejects(
    openTemporaryPostgres(t, [films, { id: 'film-009-bad', up: async () => Promise.reject(new Error('no')) }]),
    /film-009-bad/,
  );
});

test('a read on SQLite never waits for an open write', async (t) => {
  const db = await openTemporaryDatabase(t, MIGRATIONS);
  await db.write('safe', put(film('a')));
  await db.write('safe', async (tx: Transaction<Tables>) => {
    await put(film('b'))(tx);
    // Within the write: what it did is not seen from outside, and the answer comes at once.
    assert.deepEqual(await db.tables<Tables>().selectFrom('film').select('id').execute(), [{ id: 'a' }]);
  });
  assert.equal((await db.tables<Tables>().selectFrom('film').select('id').execute()).length, 2);
});

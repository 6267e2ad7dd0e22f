/**
 * The PostgreSQL opening through `pg` and its wire protocol, against PGlite behind a socket. All connections share
 * PGlite's one session there, so what needs two sessions (the lock, a pool that only reads) is not shown here.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { columns, openDatabase, table } from './index.ts';
import { DatabaseUnusable } from './types.ts';
import type { Migration, Transaction } from './types.ts';

interface Tables {
  film: { id: string; size: number; hash: Uint8Array | null };
}
const films: Migration = {
  id: 'film-001',
  up: async (db, engine) => {
    const c = columns(engine);
    await table(db, engine, 'film')
      .addColumn('id', c.id, (col) => col.primaryKey())
      .addColumn('size', c.integer)
      .addColumn('hash', c.bytes)
      .execute();
  },
};
const put =
  (id: string, size: number) =>
  async (tx: Transaction<Tables>): Promise<void> =>
    void (await tx
      .insertInto('film')
      .values({ id, size, hash: Uint8Array.of(0, 255) })
      .execute());

const SSL_REQUEST = 80_877_103;
const TERMINATE = 'X'.charCodeAt(0);

/** Cuts the bytes of one connection into messages, the first of which has no type. */
function messages(take: (message: Uint8Array, isFirst: boolean) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isFirst = true;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const at = isFirst ? 0 : 1;
      const length = rest.length >= at + 4 ? rest.readUInt32BE(at) + at : Infinity;
      if (rest.length < length) return;
      const message = Uint8Array.from(rest.subarray(0, length));
      rest = rest.subarray(length);
      const isSsl = isFirst && length === 8 && Buffer.from(message).readUInt32BE(4) === SSL_REQUEST;
      take(message, isFirst);
      if (!isSsl) isFirst = false;
    }
  };
}

async function wire(t: TestContext): Promise<{ url: string; cut(): void }> {
  const pglite = await PGlite.create();
  const sockets = new Set<Socket>();
  let turn = Promise.resolve();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on(
      'data',
      messages((message, isFirst) => {
        if (isFirst && message.length === 8) socket.write('N');
        else if (!isFirst && message[0] === TERMINATE) socket.end();
        else turn = turn.then(async () => void socket.write(await pglite.execProtocolRaw(message)));
      }),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await turn;
    await pglite.close();
  });
  return {
    url: `postgres://postgres:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    cut: () => sockets.forEach((socket) => socket.destroy()),
  };
}

test('a server is opened, migrated once, written and read, and opened again', async (t) => {
  const { url } = await wire(t);
  const db = await openDatabase({ url, migrations: [films] });
  await db.write('safe', put('a', 2 ** 53 - 1));
  await assert.rejects(db.write('safe', put('a', 1)), { code: '23505' });
  const reader = db.tables<Tables>();
  const [row] = await reader.selectFrom('film').selectAll().execute();
  assert.deepEqual([row?.id, row?.size, [...(row?.hash ?? [])]], ['a', 2 ** 53 - 1, [0, 255]]);
  assert.deepEqual(
    await reader
      .selectFrom('film')
      .select((eb) => eb.fn.sum<number>('size').as('all'))
      .execute(),
    [{ all: 2 ** 53 - 1 }],
  );
  const cells: unknown[] = [];
  assert.equal(
    await db.rows(reader.selectFrom('film').select(['size', 'id']).compile(), (cell) => void cells.push(cell)),
    1,
  );
  assert.deepEqual(cells, [[2 ** 53 - 1, 'a']]);
  assert.deepEqual(await db.run(reader.selectFrom('film').select('id').where('id', '=', '').compile(), ['a']), [
    { id: 'a' },
  ]);
  await db.close();
  const again = await openDatabase({ url, migrations: [films, { id: 'film-002', up: async () => {} }] });
  assert.equal((await again.tables<Tables>().selectFrom('film').selectAll().execute()).length, 1);
  await again.close();
  await assert.rejects(
    openDatabase({ url, migrations: [films] }),
    (error) => error instanceof DatabaseUnusable && error.reason === 'newer',
  );
});

test('a connection that breaks is replaced and reported', async (t) => {
  const { url, cut } = await wire(t);
  const reported: unknown[] = [];
  let broke = (): void => {};
  const broken = new Promise<void>((resolve) => void (broke = resolve));
  const db = await openDatabase({ url, migrations: [films], report: (error) => (reported.push(error), broke()) });
  await db.write('safe', put('a', 1));
  cut();
  await broken;
  await db.write('safe', put('b', 2));
  assert.equal((await db.tables<Tables>().selectFrom('film').selectAll().execute()).length, 2);
  assert.ok(reported.length > 0);
  await db.close();
});

test('a server that does not answer is told in one line without its address', async () => {
  // No server listens there, and none can get it by chance, unlike a port that was just closed.
  const port = 1;
  await assert.rejects(
    openDatabase({ url: `postgres://me:hunter2@127.0.0.1:${port}/x`, migrations: [films] }),
    (error) =>
      error instanceof DatabaseUnusable && error.reason === 'unreachable' && !/hunter2|127|\n/.test(error.message),
  );
});

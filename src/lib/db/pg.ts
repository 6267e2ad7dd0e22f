/**
 * A PostgreSQL server as a source of sessions, through the `pg` package, which is loaded only when one is configured.
 *
 * The writing session is a separate connection. When it breaks, the next writer makes a new one and takes the
 * lock again; if another server has taken it in the meantime, writing fails from then on. Reading sessions come from a
 * small pool and are read only by their own setting.
 */
import type { Client, ClientConfig, Pool, PoolClient, QueryArrayResult, QueryResult } from 'pg';
import { holdSession } from './postgres.ts';
import type { Lease, PostgresSource, PostgresSession } from './postgres-driver.ts';
import { DatabaseUnusable } from './types.ts';
import { PARSERS } from './values.ts';

const READERS = 4;
const CONNECT_MS = 10_000;

const session = (client: Client | PoolClient): PostgresSession => ({
  query: async (text, values, arrays) => {
    const found: QueryResult | QueryArrayResult = arrays
      ? await client.query({ text, values, rowMode: 'array' })
      : await client.query(text, values);
    return { rows: found.rows, affected: found.rowCount ?? 0 };
  },
});

/**
 * Connects to the server at `url` (postgres://user:password@host/database?sslmode=…), which is never repeated in an
 * error.
 */
export async function pgSource(url: string, report: (error: unknown) => void = () => {}): Promise<PostgresSource> {
  const { default: pg } = await import('pg');
  const config: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'matinee',
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        PARSERS[oid] ??
        (format === 'binary'
          ? pg.types.getTypeParser(oid, 'binary')
          : pg.types.getTypeParser(oid, 'text'))) as typeof pg.types.getTypeParser,
    },
  };

  let held: Client | undefined;
  const connect = async (): Promise<Client> => {
    if (held) return held;
    const client = new pg.Client(config);
    client.on('error', report);
    client.once('end', () => {
      if (held === client) held = undefined;
    });
    try {
      await client.connect();
      await holdSession(session(client));
    } catch (error) {
      await client.end().catch(report);
      throw unreachable(error);
    }
    return (held = client);
  };

  const pool: Pool = new pg.Pool({
    ...config,
    max: READERS,
    idleTimeoutMillis: 60_000,
    options: '-c default_transaction_read_only=on',
  });
  pool.on('error', report);

  const writer = async (): Promise<Lease> => ({ session: session(await connect()), release: () => {} });
  await writer();
  return {
    writer,
    reader: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw unreachable(error);
      });
      return { session: session(client), release: () => client.release() };
    },
    close: async () => {
      await pool.end();
      const last = held;
      held = undefined;
      await last?.end();
    },
  };
}

function unreachable(error: unknown): unknown {
  if (error instanceof DatabaseUnusable) return error;
  return new DatabaseUnusable('unreachable', 'the database server does not answer, or refuses: check database.url', {
    cause: error,
  });
}

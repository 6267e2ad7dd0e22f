/** The database of a stopped server, for the commands that work on it. */
import type { Boot } from './config/index.ts';
import { systemClock as clock } from './lib/clock.ts';
import { type Database, DatabaseUnusable, openDatabase } from './lib/db/index.ts';
import { Failure } from './lib/failure.ts';
import { MIGRATIONS } from './migrations.ts';
import { databaseFile } from './ops/index.ts';

/** Runs `work` and returns the status to exit with: that of `work`, or 2 with one printed sentence when it fails. */
export async function withStoppedDatabase<Status extends number>(
  { boot, print }: { boot: Boot; print(line: string): void },
  work: (db: Database) => Promise<Status>,
): Promise<Status | 2> {
  const url = boot.get('database.url');
  try {
    const mayCreate = () =>
      Promise.reject(
        new Failure('missing', 'there is no database here: start the server, or restore a backup', {
          reason: 'no-database',
        }),
      );
    const db = await openDatabase({
      ...(url === undefined ? { file: databaseFile(boot.get('paths.data')) } : { url }),
      migrations: MIGRATIONS,
      clock,
      mayCreate,
    });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof DatabaseUnusable)) throw error;
    print(
      error instanceof DatabaseUnusable && error.reason === 'in-use'
        ? 'the server is running: stop it first'
        : error.message,
    );
    return 2;
  }
}

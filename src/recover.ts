/** The command `recover NAME`: a new password for a Profile, on a stopped server. */
import type { Boot } from './config/index.ts';
import { recoverProfile } from './identity/index.ts';
import { systemClock as clock } from './lib/clock.ts';
import { DatabaseUnusable, openDatabase } from './lib/db/index.ts';
import { Failure } from './lib/failure.ts';
import { MIGRATIONS } from './migrations.ts';
import { databaseFile } from './ops/index.ts';

/** Prints what to do next and returns the status to exit with. */
export async function recoverCommand({
  args,
  boot,
  print,
}: {
  args: readonly string[];
  boot: Boot;
  print(line: string): void;
}): Promise<0 | 2> {
  const [name, ...more] = args;
  if (name === undefined || name.trim() === '' || more.length > 0) {
    print('usage: recover NAME');
    return 2;
  }
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
      const recovered = await recoverProfile({ db, clock }, name);
      print(`The new password of ${recovered.name} is ${recovered.password}`);
      print('Its second factor is removed, and its sessions have ended. Sign in and choose a password of your own.');
      return 0;
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

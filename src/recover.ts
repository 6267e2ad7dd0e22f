/** The command `recover NAME`: a new password for a Profile, on a stopped server. */
import type { Boot } from './config/index.ts';
import { recoverProfile } from './identity/index.ts';
import { systemClock as clock } from './lib/clock.ts';
import { DatabaseUnusable, openDatabase } from './lib/db/index.ts';
import { Failure } from './lib/failure.ts';
import { MIGRATIONS } from './migrations.ts';

/** Prints what to do next; answers the status to exit with. */
export async function recoverCommand({ args, boot, print }: { args: readonly string[]; boot: Boot; print(line: string): void }): Promise<0 | 2> {
  const [name, ...more] = args;
  if (name === undefined || name.trim() === '' || more.length > 0) {
    print('usage: recover NAME');
    return 2;
  }
  const url = boot.get('database.url');
  try {
    const db = await openDatabase({ ...(url === undefined ? { file: `${boot.get('paths.data')}/matinee.db` } : { url }), migrations: MIGRATIONS, clock });
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
    print(error instanceof DatabaseUnusable && error.reason === 'in-use' ? 'the server is running: stop it first' : error.message);
    return 2;
  }
}

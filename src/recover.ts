/** The command `recover NAME`: a new password for a Profile, on a stopped server. */
import type { Boot } from './config/index.ts';
import { recoverProfile } from './identity/index.ts';
import { systemClock as clock } from './lib/clock.ts';
import { withStoppedDatabase } from './stopped-database.ts';

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
  return withStoppedDatabase<0>({ boot, print }, async (db) => {
    const recovered = await recoverProfile({ db, clock }, name);
    print(`The new password of ${recovered.name} is ${recovered.password}`);
    print('Its second factor is removed, and its sessions have ended. Sign in and choose a password of your own.');
    return 0;
  });
}

/**
 * The commands `restore` and `reset`, for a server that is stopped: back to a verified copy of the database, or to a
 * server that was never set up. Each says what it will do, and does it only with `--yes`. Nothing is removed.
 */
import type { Boot } from './config/index.ts';
import { iso, systemClock as clock } from './lib/clock.ts';
import { DatabaseUnusable, listCopies, moveAllAside, restoreCopy } from './lib/db/index.ts';
import { Failure } from './lib/failure.ts';
import { isThere } from './lib/files.ts';
import { databaseFile, TRACES } from './ops/index.ts';

interface Command {
  args: readonly string[];
  boot: Boot;
  print(line: string): void;
}

/** Runs `work` and returns the status to exit with. Prints one sentence when it fails. */
async function reported(print: Command['print'], work: () => Promise<0 | 2>): Promise<0 | 2> {
  try {
    return await work();
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

const sizeOf = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;

/** `restore [--yes] [NAME]`: puts a verified copy in the place of the database. */
export const restoreCommand = ({ args, boot, print }: Command): Promise<0 | 2> =>
  reported(print, async () => {
    const isSure = args.includes('--yes');
    const [name, ...more] = args.filter((arg) => arg !== '--yes');
    if (more.length > 0 || name?.startsWith('-')) return (print('usage: restore [--yes] [NAME]'), 2);
    if (boot.get('database.url') !== undefined)
      return (print('the database is on PostgreSQL: restore it with the tools of PostgreSQL'), 2);
    const file = databaseFile(boot.get('paths.data'));
    if (!isSure) {
      const copies = await listCopies(file);
      if (copies.length === 0) return (print('there is no verified copy of the database: restore a backup'), 2);
      print('Verified copies of the database, the newest first:');
      for (const copy of copies) print(`  ${copy.name}  of ${iso(copy.at)}, ${sizeOf(copy.bytes)}`);
      print(
        `"restore --yes" checks the newest once more and puts it in the place of ${file}; "restore --yes NAME" ` +
          'takes another one.',
      );
      print(
        'The present database is moved into a folder before-restore-… next to it. What was saved after the copy ' +
          'was made is not in the copy.',
      );
      return 0;
    }
    const { copy, aside } = await restoreCopy({ file, clock, name });
    print(`The database is now the copy of ${iso(copy.at)}. The one before is in ${aside}`);
    return 0;
  });

/** `reset [--yes]`: moves everything that belongs to the old server aside, so that the next start offers set-up. */
export const resetCommand = ({ args, boot, print }: Command): Promise<0 | 2> =>
  reported(print, async () => {
    const [sure, ...more] = args;
    if (more.length > 0 || (sure !== undefined && sure !== '--yes')) return (print('usage: reset [--yes]'), 2);
    const folder = boot.get('paths.data');
    const file = databaseFile(folder);
    if (sure === undefined) {
      const found: string[] = [];
      for (const name of ['matinee.db', ...TRACES]) if (await isThere(`${folder}/${name}`)) found.push(name);
      print(
        `"reset --yes" moves these out of ${folder} into a folder before-reset-… there: ` +
          `${found.length > 0 ? found.join(', ') : 'nothing, for there is nothing'}.`,
      );
      print(
        'The next start is then a first start: the first caller on the home network becomes its Owner. Profiles, ' +
          'settings, progress and history are forgotten; media files stay as they are.',
      );
      if (boot.get('database.url') !== undefined) print('The PostgreSQL database is left as it is: empty it yourself.');
      return 0;
    }
    const aside = await moveAllAside({ file, more: TRACES, clock });
    print(`Everything of the old server is in ${aside}. The next start offers set-up.`);
    return 0;
  });

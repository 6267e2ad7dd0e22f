/**
 * Recognizes a data folder whose server was set up before, although the database does not say so.
 *
 * A server without an Owner lets the first caller on the home network become one. A database that was lost must not
 * open that door again. The database is made before anything else in the data folder, so anything there without a
 * database is a trace of one. From the first Owner on there is also a file that says so: a database whose tables are
 * there and whose Owner is not is then refused, while a first start that was killed can be repeated.
 */
import { type Clock, iso } from '../lib/clock.ts';
import { DatabaseUnusable, listCopies } from '../lib/db/index.ts';
import { isThere, writeWhole } from '../lib/files.ts';

/** Written with the first Owner. */
const SET_UP_FILE = 'set-up.txt';
/** Files of a server in its data folder, apart from the database. */
export const TRACES = [SET_UP_FILE, 'master.key', 'tls', 'verified', 'before-upgrade', 'subtitles'] as const;

/** The database in the data folder. */
export const databaseFile = (folder: string): string => `${folder}/matinee.db`;

export interface InstallationFile {
  /** Fails as DatabaseUnusable when the folder holds traces. Called before a database is made where there is none. */
  refuseNew(): Promise<void>;
  /**
   * Fails as DatabaseUnusable when an open set-up contradicts the folder or the database. Writes the file where it is
   * missing.
   */
  settle(setUp: 'open' | 'done' | 'lost'): Promise<void>;
  /** Records that there is an Owner. Durable when it returns. */
  remember(): Promise<void>;
}

/** `file` is the database where it is one. */
export function createInstallation({
  folder,
  file,
  clock,
}: {
  folder: string;
  file?: string;
  clock: Clock;
}): InstallationFile {
  const path = `${folder}/${SET_UP_FILE}`;

  const refuse = async (what: string): Promise<never> => {
    const [newest] = file === undefined ? [] : await listCopies(file);
    const copy = newest ? `run "npm start -- restore" to go back to the verified copy of ${iso(newest.at)}, ` : '';
    throw new DatabaseUnusable(
      'lost',
      `${what}: restore a backup of the database, ${copy}or run "npm start -- reset" to forget the old server ` +
        'and set up a new one',
    );
  };
  const remember = async (): Promise<void> => {
    if (!(await isThere(path)))
      await writeWhole(
        path,
        `This server was set up before ${iso(clock.now())}.\n` +
          'Without its database it does not start: see docs/backup.md.\n',
      );
  };
  return {
    refuseNew: async () => {
      const found: string[] = [];
      for (const name of TRACES) if (await isThere(`${folder}/${name}`)) found.push(name);
      if (found.length > 0)
        await refuse(
          `the database is missing or empty, but this folder belongs to a server that was in use (${found.join(', ')})`,
        );
    },
    settle: async (setUp) => {
      if (setUp === 'done') return remember();
      if (setUp === 'lost' || (await isThere(path)))
        await refuse('the database has no Owner, but this server was set up before');
    },
    remember,
  };
}

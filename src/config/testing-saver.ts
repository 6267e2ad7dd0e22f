/**
 * A program for the crash tests: opens the configuration of a folder and saves without end, saying each
 * save's number once it is acknowledged. `node testing-saver.ts FOLDER [hasty]`; hasty is the planted
 * fault that acknowledges before it has written: each save when the third one after it is asked for.
 */
import { join } from 'node:path';
import { systemClock } from '../lib/clock.ts';
import { openDatabase, type Database } from '../lib/db/index.ts';
import { createConfig, type Config } from './config.ts';
import { loadBoot } from './load.ts';
import { configMigrations } from './store.ts';
import { SETTINGS } from '../settings.ts';

export const secretOf = (n: number): string => `backup key number ${n} of the test`;

/** The configuration of a folder, on a database in it. */
export async function openIn(folder: string, isHasty = false): Promise<{ config: Config; db: Database }> {
  const db = await openDatabase({ file: join(folder, 'test.db'), migrations: configMigrations });
  const late: (() => void)[] = [];
  const hasty: Database = {
    ...db,
    tables: () => db.tables(),
    write: (durability, work) => {
      late.push(() => void db.write(durability, work));
      if (late.length > 3) late.shift()?.();
      return Promise.resolve(undefined as never);
    },
  };
  return {
    config: await createConfig({
      boot: await loadBoot({ settings: SETTINGS, env: { SERVICE_DATA_DIR: folder } }),
      db: isHasty ? hasty : db,
      clock: systemClock,
    }),
    db,
  };
}

if (import.meta.main) {
  const [folder = '', how] = process.argv.slice(2);
  const { config } = await openIn(folder, how === 'hasty');
  for (let n = 1; n <= 30; n++) {
    await config.saveAll({ 'server.name': `name ${n}`, 'backup.key': secretOf(n) });
    // Straight to the descriptor: what is said before the kill must be heard.
    process.stdout.write(`${n}\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * A program that scans a folder twice, into a catalogue on a separate database, and prints how long each scan took as
 * JSON: `node scan-program.js FOLDER MEDIA KIND`. `scanned.ts` builds it as the server is built, with its helpers.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openCatalog, worldMigrations } from '../../src/catalog/testing/world.ts';
import type { LibraryKind } from '../../src/contract/catalog/kinds.ts';
import { openDatabase } from '../../src/lib/db/index.ts';
import { type UsageReport, measured } from '../usage.ts';

export interface ScannedLibrary {
  cold: UsageReport<void>;
  unchanged: UsageReport<void>;
  /** Number of items that the library shows. */
  items: number;
  /** Processor seconds of the main thread and of the process, without its helpers, in the first scan. */
  own: number;
}

async function scanTwice(folder: string, media: string, kind: LibraryKind): Promise<ScannedLibrary> {
  mkdirSync(folder, { recursive: true });
  const db = await openDatabase({ file: join(folder, 'bench.db'), migrations: worldMigrations });
  const { catalog, close } = await openCatalog({
    folder,
    db,
    listed: [{ name: kind, path: media, kind }],
    clock: { now: () => Date.now(), monotonic: () => performance.now(), ahead: 0 },
    disk: { looks: (looked) => looked },
    probeModule: undefined,
  });
  const context = { id: 't', input: {}, signal: new AbortController().signal, resumed: false, saved: undefined };
  const scan = (name: 'scan' | 'scan-changes'): Promise<UsageReport<void>> =>
    measured(async () => {
      const task = catalog.tasks.find((one) => one.name === name);
      await task?.run({ ...context, progress: () => {}, save: () => Promise.resolve() } as never);
    });
  try {
    const before = process.cpuUsage();
    const cold = await scan('scan');
    const { user, system } = process.cpuUsage(before);
    const unchanged = await scan('scan-changes');
    const items = catalog.background.libraries()[0]?.items ?? 0;
    return { cold, unchanged, items, own: (user + system) / 1e6 };
  } finally {
    await close();
    await db.close();
  }
}

const [folder = '', media = '', kind = 'movies'] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await scanTwice(folder, media, kind as LibraryKind))}\n`);

/** A catalogue of one library on a separate database: its first scan, and one that finds nothing new. */
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
}

/** Scans `media` twice. `folder` is for the database and the cache. */
export async function scanLibraryTwice(folder: string, media: string, kind: LibraryKind): Promise<ScannedLibrary> {
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
    const cold = await scan('scan');
    const unchanged = await scan('scan-changes');
    return { cold, unchanged, items: catalog.background.libraries()[0]?.items ?? 0 };
  } finally {
    await close();
    await db.close();
  }
}

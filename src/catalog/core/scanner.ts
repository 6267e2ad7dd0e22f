/** Scans single libraries: one scan of a library at a time, and only if it is online. */
import type { Clock } from '../../lib/clock.ts';
import { inRoot, readBounded } from '../../lib/files.ts';
import { createKeyedLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { LibraryTable } from '../store/tables.ts';
import type { IndexSync } from './index-sync.ts';
import type { Kinds } from './kind.ts';
import type { Libraries } from './libraries.ts';
import type { Reach } from './reach.ts';
import type { Roots } from './roots.ts';
import { offlineReport, type ScanOptions, scanLibrary, type ScanReport } from './scan/library.ts';
import type { Snapshot } from './snapshot/index.ts';

const MAX_NFO_BYTES = 1024 * 1024;

export type ScanLibrary = (library: LibraryTable, options: ScanOptions, signal: AbortSignal) => Promise<ScanReport>;

export interface ScannerNeeds {
  store: ScanningStore;
  kinds: Kinds;
  libraries: Libraries;
  reach: Reach;
  roots: Roots;
  snapshot: Snapshot;
  sync: Pick<IndexSync, 'applied'>;
  extrasLinked(): Promise<void>;
  clock: Clock;
  log: Log;
}

export function createLibraryScanner({
  store,
  kinds,
  libraries,
  reach,
  roots,
  snapshot,
  sync,
  extrasLinked,
  clock,
  log,
}: ScannerNeeds): ScanLibrary {
  const locks = createKeyedLock();
  const rootOf = (id: string) => libraries.find(id)?.path;
  const readText = async (id: string, path: string): Promise<Uint8Array | undefined> => {
    const root = rootOf(id);
    return root === undefined
      ? undefined
      : readBounded(inRoot(await roots.open(root), path), MAX_NFO_BYTES).catch(() => undefined);
  };
  const scanOnline = (library: LibraryTable, options: ScanOptions, signal: AbortSignal): Promise<ScanReport> => {
    const { directoryReader, probe } = reach.helpers(library.path);
    return scanLibrary(
      {
        store,
        kinds,
        directoryReader,
        probe,
        clock,
        rootOf,
        directoryReaderOf: (id) => reach.onlineDirectoryReader(rootOf(id) ?? ''),
        isAnswering: () => reach.isAnswering(library),
        readText,
        applied: sync.applied,
        extrasLinked,
        optionsOf: libraries.optionsOf,
      },
      library,
      options,
      signal,
    );
  };
  const scan: ScanLibrary = async (library, options, signal) => {
    // The library may be given another folder while it waits or is scanned; the scan of that one is queued then.
    const isCurrent = (): boolean => rootOf(library.id) === library.path;
    const isOnline = isCurrent() && (await reach.check(library)) && isCurrent();
    const scanned = async (): Promise<ScanReport> => {
      try {
        return await scanOnline(library, options, signal);
      } catch (error) {
        // The helpers of a folder that no library has any more are closed.
        if (isCurrent()) throw error;
        return offlineReport();
      }
    };
    const report = isOnline ? await scanned() : offlineReport();
    if (isOnline && !report.isOnline && isCurrent()) reach.lost(library);
    if (report.isOnline && isCurrent()) libraries.scanned(library.id, clock.now(), options.isFull);
    log.info('catalog.scanned', {
      library: library.id,
      online: report.isOnline,
      folders: report.folders,
      files: report.files,
      added: report.added,
      changed: report.changed,
      moved: report.moved,
      missing: report.missing,
      odd: report.odd,
      denied: report.denied,
    });
    return report;
  };
  return (library, options, signal) =>
    locks.run(library.id, () => snapshot.during(() => scan(library, options, signal)), signal);
}

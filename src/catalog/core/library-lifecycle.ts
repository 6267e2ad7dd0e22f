/**
 * The life of the configured libraries: which are online, watched and scanned, and what happens when the list changes
 * or a disk comes back.
 */
import type { Config } from '../../config/index.ts';
import type { LibraryKind } from '../../contract/catalog/kinds.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import { createLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { LibraryTable } from '../store/tables.ts';
import type { LibraryState } from '../types.ts';
import { createFolderWatcher } from './folder-watcher.ts';
import type { IndexSync } from './index-sync.ts';
import { isScanned, type Libraries } from './libraries.ts';
import type { LoadableIndex } from './library-index/index.ts';
import type { Reach } from './reach.ts';
import type { Roots } from './roots.ts';
import type { Snapshot } from './snapshot/index.ts';

/** Starts the scan of a library as a task. */
export type StartScan = (library: string, isFull: boolean) => void;

export interface LifecycleNeeds {
  store: Pick<ScanningStore, 'libraries' | 'forgetSignatures'>;
  config: Config;
  log: Log;
  libraries: Libraries;
  index: LoadableIndex;
  sync: IndexSync;
  snapshot: Snapshot;
  roots: Roots;
  reach: Reach;
  startScan: StartScan;
  announce(): void;
}

export interface LibraryLifecycle {
  /** Loads the configured libraries, before anything else. */
  open(): Promise<void>;
  /** Starts watching the folders, and checks which libraries are online. */
  start(): void;
  /** Called after every check of a library with its result. */
  settled(library: LibraryTable, isOnline: boolean): void;
  /** Loads the configured libraries again after their list changed. */
  reload(): Promise<void>;
  rename: Libraries['rename'];
  /** Returns the libraries of kinds that are scanned. */
  scanned(): LibraryTable[];
  /** Returns the state of every library, with the number of items that the policy allows. */
  states(policy: Policy): LibraryState[];
  close(): void;
}

export function createLibraryLifecycle(needs: LifecycleNeeds): LibraryLifecycle {
  const { store, config, log, libraries, index, sync, snapshot, roots, reach, startScan, announce } = needs;
  const watcher = createFolderWatcher({ log, changed: (library) => startScan(library, false) });
  /** Libraries that are to be scanned completely when they are online. */
  const unscanned = new Set<string>();
  const changes = createLock();

  const scanned = (): LibraryTable[] => libraries.all().filter(isScanned);
  /** Adopts the configured list. A library whose kind changed is placed again completely. */
  const adopt = async (): Promise<LibraryTable[]> => {
    const kinds = new Map((await store.libraries()).map(({ id, kind }) => [id, kind]));
    const changed = await libraries.adopt(config.libraries());
    for (const { id, kind } of changed) if (kinds.has(id) && kinds.get(id) !== kind) await store.forgetSignatures(id);
    return changed;
  };
  /** Watches the libraries that are online. Watching one that does not answer would block this process. */
  const watch = () =>
    watcher.follow(
      scanned()
        .filter(({ path }) => reach.isOnline(path))
        .map(({ id, path }) => ({ id, path })),
    );
  const reloadList = async (): Promise<void> => {
    const changed = await adopt();
    sync.dropOutside();
    // Before loading: what is open in a removed library ends within a second.
    announce();
    await sync.load();
    for (const { id } of changed) index.changes.noteLibrary(id);
    watch();
    announce();
    for (const library of changed) {
      if (isScanned(library) && reach.isOnline(library.path)) startScan(library.id, true);
      else unscanned.add(library.id);
    }
    reach.follow(scanned());
  };
  const reload = () => changes.run(() => snapshot.during(reloadList));
  config.on('libraries', () => void reload().catch((error: unknown) => log.fault('catalog.libraries', error)));

  return {
    open: async () => {
      for (const { id } of await adopt()) unscanned.add(id);
    },
    start: () => reach.follow(scanned()),
    settled: (library, isOnline) => {
      if (!libraries.find(library.id)) return;
      if (libraries.setOnline(library.id, isOnline)) {
        roots.forget(library.path);
        index.changes.noteLibrary(library.id);
        announce();
      }
      watch();
      if (isOnline && unscanned.delete(library.id)) startScan(library.id, true);
    },
    reload,
    rename: (id, name) => changes.run(() => libraries.rename(id, name)),
    scanned,
    states: (policy) => {
      const counts = index.counts.byLibrary(policy);
      return libraries.all().map(({ id, name, kind, path, last_scan }) => ({
        id,
        name,
        kind: kind as LibraryKind,
        path,
        items: counts.get(id) ?? 0,
        isOnline: libraries.isOnline(id),
        isWatching: watcher.isWatching(id),
        lastScanAt: last_scan ?? undefined,
        options: libraries.optionsOf(id),
      }));
    },
    close: watcher.close,
  };
}

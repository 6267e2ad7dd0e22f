/**
 * Libraries: the configured ones, with the ids that their items have.
 *
 * A library is recognised by its path, or by its name if the path changed, so a disk that moved keeps its items. The
 * items of a library that left the list are kept until it comes back.
 */
import type { LibraryOptions, LibrarySetting } from '../../config/index.ts';
import { isScannedKind, type LibraryKind } from '../../contract/catalog/kinds.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { LibraryTable } from '../store/tables.ts';

export const isScanned = ({ kind }: Pick<LibraryTable, 'kind'>): boolean => isScannedKind(kind as LibraryKind);

/** Thrown when a library stops answering during a scan. */
export class LibraryOffline extends Error {}

export interface Libraries {
  /** Adopts the configured list. Returns the libraries that are new, came back or changed, which have to be scanned. */
  adopt(list: readonly LibrarySetting[]): Promise<LibraryTable[]>;
  /**
   * Stores the name that a library is about to have in the list, so that `adopt` recognises it when its folder changes
   * too. If the list is not saved after all, the next `adopt` restores the name.
   */
  rename(id: string, name: string): Promise<void>;
  /** Returns the configured libraries. */
  all(): LibraryTable[];
  find(id: string): LibraryTable | undefined;
  /** Returns the options of a configured library. */
  optionsOf(id: string): LibraryOptions;
  setOnline(id: string, isOnline: boolean): boolean;
  isOnline(id: string): boolean;
  scanned(id: string, at: number, isFull: boolean): void;
}

export function createLibraries({
  store,
  clock,
}: {
  store: Pick<ScanningStore, 'libraries' | 'putLibrary'>;
  clock: Clock;
}): Libraries {
  let rows: LibraryTable[] = [];
  let options: ReadonlyMap<string, LibraryOptions> = new Map();
  const away = new Set<string>();
  return {
    adopt: async (list) => {
      // A library in use goes before one of the same name that was removed earlier.
      const known = (await store.libraries()).toSorted(
        (a, b) => Number(a.removed !== null) - Number(b.removed !== null),
      );
      const next: LibraryTable[] = [];
      const fresh: LibraryTable[] = [];
      const chosen = new Map<string, LibraryOptions>();
      for (const { name, path, kind, ...own } of list) {
        const isFree = (row: LibraryTable) => !next.some(({ id }) => id === row.id);
        const had =
          known.find((row) => row.path === path && isFree(row)) ??
          known.find((row) => row.name === name && isFree(row) && !list.some((other) => other.path === row.path));
        const stated = { name, path, kind, removed: null, scan_options: scanOptions(own) };
        const row: LibraryTable = had
          ? { ...had, ...stated }
          : { id: newId(), added: clock.now(), last_scan: null, last_full: null, ...stated };
        const isPlacedAnew =
          !had ||
          had.removed !== null ||
          had.path !== path ||
          had.kind !== kind ||
          had.scan_options !== row.scan_options;
        if (isPlacedAnew || had.name !== name) await store.putLibrary(row);
        if (isPlacedAnew || had.last_scan === null) fresh.push(row);
        next.push(row);
        chosen.set(row.id, own);
      }
      for (const row of known) {
        if (next.some(({ id }) => id === row.id) || row.removed !== null) continue;
        await store.putLibrary({ ...row, removed: clock.now() });
      }
      options = chosen;
      // A scan may have ended while this waited for the database.
      rows = next.map((row) => {
        const now = rows.find(({ id }) => id === row.id);
        return {
          ...row,
          last_scan: latest(row.last_scan, now?.last_scan),
          last_full: latest(row.last_full, now?.last_full),
        };
      });
      return fresh;
    },
    rename: async (id, name) => {
      const row = rows.find((one) => one.id === id);
      if (row) await store.putLibrary({ ...row, name });
    },
    all: () => rows,
    find: (id) => rows.find((row) => row.id === id),
    optionsOf: (id) => options.get(id) ?? {},
    setOnline: (id, isOnline) => {
      const was = !away.has(id);
      if (isOnline) away.delete(id);
      else away.add(id);
      return was !== isOnline;
    },
    isOnline: (id) => !away.has(id) && rows.some((row) => row.id === id),
    scanned: (id, at, isFull) => {
      rows = rows.map((row) => (row.id === id ? { ...row, last_scan: at, ...(isFull && { last_full: at }) } : row));
    },
  };
}

/** Returns the options that decide what a scan finds, as text; null if none is set. */
const scanOptions = ({ nfo = true, ignored = [] }: LibraryOptions): string | null =>
  nfo && ignored.length === 0 ? null : JSON.stringify({ nfo, ignored });

const latest = (one: number | null, other: number | null | undefined): number | null =>
  other == null || (one !== null && one > other) ? one : other;

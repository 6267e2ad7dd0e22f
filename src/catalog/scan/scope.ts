/** What the steps of one scan share: the library, the time, and what has been found out so far. */
import type { Clock } from '../../lib/clock.ts';
import { type Helper, HelperFailure } from '../../lib/process.ts';
import type { Probe } from '../probe/types.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { FileTable, ItemTable, LibraryTable } from '../store/tables.ts';
import type { StillReply, StillRequest } from './look.ts';

export interface ScanNeeds {
  store: ScanningStore;
  looker: Helper;
  probe: Probe;
  /** The helper that looks at another library, where that one answers. */
  lookerOf(library: string): Helper | undefined;
  /** Asks whether the scanned library answers at all, when something in it did not. */
  isAnswering(): Promise<boolean>;
  clock: Clock;
  /** The absolute root of a library in the configuration. */
  rootOf(library: string): string | undefined;
  /** Reads a small text file of the library; undefined when it cannot be read. */
  readText(library: string, relative: string): Promise<Uint8Array | undefined>;
  /** Told of every batch once it is written. */
  applied(items: readonly ItemTable[]): void;
}

export interface Scope extends ScanNeeds {
  library: LibraryTable;
  now: number;
  /** Whether the catalogue was empty before, so that nothing can have moved from anywhere. */
  isFirst: boolean;
  /** Rows that this scan found again at another place. */
  claimed: Set<string>;
  /** Rows whose file is no longer where it was. */
  lost: Map<string, FileTable>;
  tally: { added: number; changed: number; moved: number };
  /** Which of these rows still have their file where it was. A library that cannot be asked still has all of its own. */
  onDisk(rows: readonly FileTable[], signal: AbortSignal): Promise<Set<string>>;
}

/** Lets everybody else have a turn: what a scan does in one go is a hundredth of a second at most. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The path of a file or folder below the root. */
export const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export function createScope(needs: ScanNeeds, library: LibraryTable, isFirst: boolean): Scope {
  return {
    ...needs,
    library,
    isFirst,
    now: needs.clock.now(),
    claimed: new Set(),
    lost: new Map(),
    tally: { added: 0, changed: 0, moved: 0 },
    onDisk: async (rows, signal) => {
      const there = new Set<string>();
      for (const [of, own] of Map.groupBy(rows, (row) => row.library)) {
        const root = needs.rootOf(of);
        const looker = of === library.id ? needs.looker : needs.lookerOf(of);
        const answers =
          root === undefined || looker === undefined
            ? null
            : await ask(looker, { root, files: own.map(({ folder, name }) => joined(folder, name)) }, signal);
        for (const [i, row] of own.entries()) if (answers?.[i] !== false) there.add(row.id);
      }
      return there;
    },
  };
}

async function ask(looker: Helper, request: StillRequest, signal: AbortSignal): Promise<StillReply> {
  try {
    return await looker.ask<StillReply>(request, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HelperFailure)) throw error;
    return null;
  }
}

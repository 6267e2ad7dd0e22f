/** State that the steps of one scan share: the library, the time, and the results so far. */
import type { LibraryOptions } from '../../../config/index.ts';
import type { LibraryKind } from '../../../contract/catalog/kinds.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Helper, HelperFailure } from '../../../lib/process.ts';
import type { MediaInfo, Probe } from '../../probe/types.ts';
import type { ScanningStore } from '../../store/scanning.ts';
import type { FileRecord } from '../../store/records.ts';
import type { LibraryTable } from '../../store/tables.ts';
import type { Kinds } from '../kind.ts';
import type { IndexChange } from '../library-index/types.ts';
import { joined } from '../paths.ts';
import type { ExistenceReply, ExistenceRequest } from './directory-reader.ts';

export interface ScanNeeds {
  store: ScanningStore;
  kinds: Kinds;
  directoryReader: Helper;
  probe: Probe;
  /** Returns the directory reader of another library if that one is online. */
  directoryReaderOf(library: string): Helper | undefined;
  /** Returns whether the scanned library answers at all. Called when something in it did not. */
  isAnswering(): Promise<boolean>;
  clock: Clock;
  /** Returns the absolute root of a configured library. */
  rootOf(library: string): string | undefined;
  /** Reads a small text file of the library. Returns undefined if it cannot be read. */
  readText(library: string, relative: string): Promise<Uint8Array | undefined>;
  /** Returns the options of a configured library. */
  optionsOf(library: string): LibraryOptions;
  /** Called with the changes of every batch after it is written. */
  applied(changes: readonly IndexChange[]): void;
  /** Called after a scan found that extras belong to something else than before. */
  extrasLinked(): Promise<void>;
}

export interface ScanScope extends ScanNeeds {
  library: LibraryTable;
  libraryKind: LibraryKind;
  now: number;
  /** Whether the catalogue was empty before, so that no file can have moved. */
  isFirst: boolean;
  /** Rows that this scan found at another path. */
  claimed: Set<string>;
  /** Rows whose file is no longer where it was. */
  lost: Map<string, FileRecord>;
  /** Files that changed where they are, with the headers that were read lately. */
  rewritten: RewrittenFiles;
  tally: { added: number; changed: number; moved: number };
  /**
   * Returns the ids of the rows whose file is still where it was. A library that does not answer counts as
   * complete.
   */
  onDisk(rows: readonly FileRecord[], signal: AbortSignal): Promise<Set<string>>;
}

/** Files that changed in this scan. Tags decide what they belong to, so their new headers are needed to know it. */
export interface RewrittenFiles {
  has(id: string): boolean;
  /** Returns the new header; undefined if it was not read yet, or long ago. */
  info(id: string): MediaInfo | undefined;
  add(id: string, info?: MediaInfo): void;
}

/** More than the tracks of one album that lie in two batches. */
const MAX_REWRITTEN_HEADERS = 500;

function createRewrittenFiles(): RewrittenFiles {
  const ids = new Set<string>();
  const infos = new Map<string, MediaInfo>();
  return {
    has: (id) => ids.has(id),
    info: (id) => infos.get(id),
    add: (id, info) => {
      ids.add(id);
      if (info) infos.set(id, info);
      if (infos.size > MAX_REWRITTEN_HEADERS) infos.delete(infos.keys().next().value ?? '');
    },
  };
}

/** Lets other work run: a scan does not block the event loop for longer than ten milliseconds. */
export const yieldTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createScope(needs: ScanNeeds, library: LibraryTable, isFirst: boolean): ScanScope {
  return {
    ...needs,
    library,
    libraryKind: library.kind as LibraryKind,
    isFirst,
    now: needs.clock.now(),
    claimed: new Set(),
    lost: new Map(),
    rewritten: createRewrittenFiles(),
    tally: { added: 0, changed: 0, moved: 0 },
    onDisk: async (rows, signal) => {
      const there = new Set<string>();
      for (const [of, own] of Map.groupBy(rows, (row) => row.library)) {
        const root = needs.rootOf(of);
        const directoryReader = of === library.id ? needs.directoryReader : needs.directoryReaderOf(of);
        const answers =
          root === undefined || directoryReader === undefined
            ? null
            : await ask(directoryReader, { root, files: own.map(({ folder, name }) => joined(folder, name)) }, signal);
        for (const [i, row] of own.entries()) if (answers?.[i] !== false) there.add(row.id);
      }
      return there;
    },
  };
}

async function ask(directoryReader: Helper, request: ExistenceRequest, signal: AbortSignal): Promise<ExistenceReply> {
  try {
    return await directoryReader.ask<ExistenceReply>(request, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HelperFailure)) throw error;
    return null;
  }
}

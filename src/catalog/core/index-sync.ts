/** Keeps the library index, its saved copy and its listeners in step with the tables. */
import type { ReadingStore } from '../store/reading.ts';
import type { Libraries } from './libraries.ts';
import type { LoadableIndex } from './library-index/index.ts';
import type { IndexChange } from './library-index/types.ts';
import type { Snapshot } from './snapshot/index.ts';

export interface IndexSync {
  /** Fills the index from its saved copy, or else from the tables. */
  open(): Promise<void>;
  /** Called with the changes of every committed batch. */
  applied(changes: readonly IndexChange[]): void;
  /** Changes ratings in the index, outside of any row. */
  rated(change: () => void): void;
  /** Removes rows that were deleted from the tables. */
  dropped(ids: readonly string[]): void;
  /** Removes rows of libraries that are not configured any more. */
  dropOutside(): void;
  /** Loads the rows of all configured libraries. */
  load(): Promise<void>;
}

export function createIndexSync({
  reading,
  index,
  libraries,
  snapshot,
  announce,
}: {
  reading: Pick<ReadingStore, 'eachIndexRow'>;
  index: LoadableIndex;
  libraries: Libraries;
  snapshot: Snapshot;
  /** Notifies listeners that something changed. */
  announce(): void;
}): IndexSync {
  const ids = () => libraries.all().map(({ id }) => id);
  const load = () => index.load((put) => reading.eachIndexRow((row) => void (libraries.find(row.library) && put(row))));
  return {
    open: async () => {
      if (!(await snapshot.load(ids()))) await load();
    },
    applied: (changes) => {
      if (changes.length === 0) return;
      index.apply(
        changes.flatMap(({ library, row }) => (row && libraries.find(library) ? [row] : [])),
        changes.flatMap(({ id, row }) => (row ? [] : [id])),
      );
      snapshot.changed();
      announce();
    },
    rated: (change) => {
      change();
      snapshot.changed();
      announce();
    },
    dropped: (gone) => {
      index.apply([], gone);
      snapshot.changed();
    },
    dropOutside: () => index.apply([], index.idsOutside(new Set(ids()))),
    load: async () => {
      await load();
      snapshot.changed();
    },
  };
}

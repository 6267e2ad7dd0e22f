/**
 * What stands beside the videos of an item right now, between two scans: after a sidecar was written or removed.
 *
 * Only what is known of the folder's sidecars changes; the folder stays to be listed by the next scan, which
 * may find more.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Helper } from '../../lib/process.ts';
import { isSubtitleFolder } from '../naming/sidecars.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { ItemTable, LibraryTable } from '../store/tables.ts';
import { asidesOf } from './gather.ts';
import type { Looked } from './look.ts';
import { joined } from './scope.ts';

export interface BesideNeeds {
  store: ScanningStore;
  looker: Helper;
  clock: Clock;
}

/** Looks at the folders of items of one library and at their folders of subtitles, at each once. Answers the items as they are now. */
export async function sidecarsNow(
  { store, looker, clock }: BesideNeeds,
  { library, items, folders }: { library: LibraryTable; items: readonly string[]; folders: readonly string[] },
  signal: AbortSignal,
): Promise<ItemTable[]> {
  const look = async (paths: readonly string[]) => {
    const looked =
      paths.length === 0
        ? []
        : await looker.ask<Looked[]>(
            { root: library.path, folders: paths.map((path) => ({ path })), isFull: true, now: clock.now() },
            signal,
          );
    return looked.filter((one) => one.state === 'listed');
  };
  const own = await look([...new Set(folders)]);
  const first = await look(
    own.flatMap(({ path, folders: inner }) => inner.filter(isSubtitleFolder).map((name) => joined(path, name))),
  );
  const second = await look(
    first.flatMap(({ path, folders: inner }) => inner.slice(0, 200).map((name) => joined(path, name))),
  );
  const found = [...own, ...first, ...second].map(({ path, files }) => ({
    path,
    aside: JSON.stringify(asidesOf(files)),
  }));
  return found.length === 0 ? [] : store.putAsides(library.id, found, items);
}

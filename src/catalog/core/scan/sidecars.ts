/**
 * Reads the files next to the videos of items between two scans, after a sidecar was written or removed. The next scan
 * still reads these folders, because it may find other changes.
 */
import type { Clock } from '../../../lib/clock.ts';
import type { Helper } from '../../../lib/process.ts';
import { isSubtitleFolder } from '../../naming/sidecars.ts';
import type { ScanningStore } from '../../store/scanning.ts';
import type { LibraryKind } from '../../../contract/catalog/kinds.ts';
import type { LibraryTable } from '../../store/tables.ts';
import type { Kinds } from '../kind.ts';
import type { IndexChange } from '../library-index/types.ts';
import { joined } from '../paths.ts';
import { companionsOf } from './gather.ts';
import type { DirectoryReport, DirectoryRequest } from './directory-reader.ts';
import type { ScanNeeds } from './scope.ts';

export interface SidecarScanNeeds {
  store: ScanningStore;
  kinds: Kinds;
  directoryReader: Helper;
  clock: Clock;
  optionsOf: ScanNeeds['optionsOf'];
}

/**
 * Reads the folders of items of one library and their folders of subtitles, each once. Returns the changes of the
 * index.
 */
export async function rescanSidecars(
  { store, kinds, directoryReader, clock, optionsOf }: SidecarScanNeeds,
  { library, items, folders }: { library: LibraryTable; items: readonly string[]; folders: readonly string[] },
  signal: AbortSignal,
): Promise<IndexChange[]> {
  const look = async (paths: readonly string[]) => {
    const looked =
      paths.length === 0
        ? []
        : await directoryReader.ask<DirectoryReport[]>(
            {
              root: library.path,
              folders: paths.map((path) => ({ path })),
              isFull: true,
              now: clock.now(),
              placement: '',
              ignored: optionsOf(library.id).ignored ?? [],
            } satisfies DirectoryRequest,
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
  const found = [...own, ...first, ...second].map(({ path, files, portraits }) => ({
    path,
    companions: companionsOf({ kinds, libraryKind: library.kind as LibraryKind }, { files, portraits }),
  }));
  return found.length === 0 ? [] : store.putCompanions(library.id, found, items);
}

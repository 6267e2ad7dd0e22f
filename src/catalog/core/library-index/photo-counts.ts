/** Counts of rows by day and by folder, from which the pages of photos are laid out before their cards are read. */
import type { Policy } from '../../../contract/identity/profiles.ts';
import { folderId } from '../paths.ts';
import type { IndexRows } from './rows.ts';
import type { DayCount, FolderCount, IndexQuery, LibraryIndex } from './types.ts';

export const createPhotoCounts = (
  rows: IndexRows,
  slotsOf: (query: IndexQuery, policy: Policy) => Uint32Array,
): LibraryIndex['photos'] => ({
  folderOf: createFolderIds(() => rows.folders.values),
  days: (query, policy) => {
    const days: DayCount[] = [];
    let last: DayCount | undefined;
    for (const slot of slotsOf(query, policy)) {
      const day = rows.released.get(slot);
      if (last?.day === day) last.count++;
      else days.push((last = { day, count: 1 }));
    }
    return days;
  },
  folders: (query, policy) => {
    const folders = new Map<string, FolderCount>();
    for (const slot of slotsOf(query, policy)) {
      const folder = rows.folders.get(slot);
      if (folder === null) continue;
      const day = rows.released.get(slot);
      const known = folders.get(folder);
      if (!known) folders.set(folder, { folder, count: 1, first: rows.ids.get(slot), from: day, to: day });
      else {
        known.count++;
        if (day !== null) [known.from, known.to] = [Math.min(known.from ?? day, day), Math.max(known.to ?? day, day)];
      }
    }
    return [...folders.values()];
  },
});

/** Finds the folder of an id. The ids of all folders are computed once. */
function createFolderIds(folders: () => readonly (string | null)[]): (id: string) => string {
  const known = new Map<string, string>();
  let read = 0;
  return (id) => {
    for (const all = folders(); read < all.length; read++) {
      const key = all[read];
      if (key != null) known.set(folderId(key), key);
    }
    return known.get(id) ?? '';
  };
}

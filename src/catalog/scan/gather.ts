/**
 * From looked-at folders to file rows: what is new, changed, moved here from elsewhere, or no longer there.
 *
 * A file that turns up is the one that was somewhere else when size and time are the same and the
 * other place is empty now; it keeps its row, and with it its item, progress and history.
 */
import type { Helper } from '../../lib/process.ts';
import { newId } from '../../lib/ids.ts';
import { isPictureName } from '../naming/artwork.ts';
import { isSubtitleName } from '../naming/sidecars.ts';
import { isVideoName } from '../naming/text.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { FileTable, FolderTable } from '../store/tables.ts';
import type { Looked, LookedFile, StillRequest } from './look.ts';
import type { Aside } from './place.ts';

/** A folder as it is now, with the rows of its videos. */
export interface Gathered {
  folder: FolderTable;
  asides: Aside[];
  /** Names of all files in it: what the naming looks at. */
  names: string[];
  videos: FileTable[];
  /** Ids of those whose header is to be read: new, changed, or read by an older reader. */
  unread: Set<string>;
  /** Ids of those that were elsewhere before. */
  moved: Set<string>;
  /** Ids of rows whose file is no longer in it. */
  lost: string[];
}

export interface GatherNeeds {
  store: ScanningStore;
  looker: Helper;
  library: string;
  root: string;
  /** Absolute roots by library, to look for a file's former place. */
  rootOf(library: string): string | undefined;
  /** The reader's number: an info of a lower one is read again. */
  probeVersion: number;
  now: number;
  /** Whether the library was empty before, so that nothing can have moved from anywhere. */
  isFirst: boolean;
}

const isAside = (name: string) => isSubtitleName(name) || isPictureName(name) || /\.(nfo|hidden)$/i.test(name);

type Listed = Extract<Looked, { state: 'listed' }>;

/** Gathers folders that were listed. Reads the tables and the disk; writes nothing. */
export async function gather(needs: GatherNeeds, listed: readonly Listed[], signal: AbortSignal): Promise<Gathered[]> {
  const { store, library } = needs;
  const had = Map.groupBy(await store.filesIn(library, listed.map(({ path }) => path)), ({ folder }) => folder);
  const gathered = listed.map((folder) => compare(needs, folder, had.get(folder.path) ?? []));
  await claim(needs, gathered, signal);
  return gathered;
}

function compare({ library, probeVersion, now }: GatherNeeds, folder: Listed, rows: readonly FileTable[]): Gathered {
  const asides = folder.files.filter(([name]) => !isVideoName(name) && isAside(name)).map(([n, s, m]): Aside => ({ n, s, m }));
  const byName = new Map(rows.map((row) => [row.name, row]));
  const unread = new Set<string>();
  const videos = folder.files.filter(([name]) => isVideoName(name)).map((file): FileTable => {
    const row = byName.get(file[0]);
    byName.delete(file[0]);
    const next = row ? refreshed(row, file, now) : fresh(library, folder.path, file, now);
    if (!row || row.size !== next.size || row.mtime !== next.mtime || row.probed < probeVersion) unread.add(next.id);
    return next;
  });
  return {
    folder: { library, path: folder.path, mtime: folder.mtime, signature: folder.signature, aside: JSON.stringify(asides) },
    asides,
    names: folder.files.map(([name]) => name),
    videos,
    unread,
    moved: new Set(),
    lost: [...byName.values()].filter(({ missing }) => missing === null).map(({ id }) => id),
  };
}

const refreshed = (row: FileTable, [, size, mtime, ino]: LookedFile, now: number): FileTable => ({ ...row, size, mtime, ino, missing: null, seen: now });
const fresh = (library: string, folder: string, [name, size, mtime, ino]: LookedFile, now: number): FileTable => {
  const id = newId();
  return { id, library, folder, name, size, mtime, ino, item: null, version: id, label: '', part: 1, problem: null, evidence: '[]', probed: 0, missing: null, seen: now };
};

const key = (size: number, mtime: number) => `${size}|${mtime}`;

/** Gives new files the rows of files that went missing elsewhere. */
async function claim(needs: GatherNeeds, gathered: readonly Gathered[], signal: AbortSignal): Promise<void> {
  if (needs.isFirst) return;
  const fresh = gathered.flatMap((one) => one.videos.filter(({ id, item }) => item === null && one.unread.has(id) && !one.moved.has(id)).map((row) => ({ one, row })));
  if (fresh.length === 0) return;
  const former = Map.groupBy(await needs.store.ofSizes([...new Set(fresh.map(({ row }) => row.size))]), ({ size, mtime }) => key(size, mtime));
  const wanted = fresh.filter(({ row }) => former.has(key(row.size, row.mtime)));
  if (wanted.length === 0) return;
  const there = await stillThere(needs, wanted.flatMap(({ row }) => former.get(key(row.size, row.mtime)) ?? []), signal);
  const taken = new Set<string>();
  for (const { one, row } of wanted) {
    const free = (former.get(key(row.size, row.mtime)) ?? []).filter(({ id }) => !there.has(id) && !taken.has(id));
    const was = free.find(({ ino }) => ino === row.ino) ?? free.find(({ name }) => name === row.name) ?? (free.length === 1 ? free[0] : undefined);
    if (!was) continue;
    taken.add(was.id);
    one.unread.delete(row.id);
    one.videos[one.videos.indexOf(row)] = { ...was, library: row.library, folder: row.folder, name: row.name, ino: row.ino, missing: null, seen: row.seen };
    one.moved.add(was.id);
    if (was.probed < needs.probeVersion) one.unread.add(was.id);
    for (const other of gathered) other.lost = other.lost.filter((id) => id !== was.id);
  }
}

/** Which of these rows still have their file where it was. A library that cannot be asked still has all of its own. */
async function stillThere(needs: GatherNeeds, rows: readonly FileTable[], signal: AbortSignal): Promise<Set<string>> {
  const there = new Set<string>();
  for (const [library, own] of Map.groupBy(rows, (row) => row.library)) {
    const root = needs.rootOf(library);
    const files = own.map(({ folder, name }) => (folder === '' ? name : `${folder}/${name}`));
    const answers = root === undefined ? files.map(() => true) : await needs.looker.ask<boolean[]>({ root, files } satisfies StillRequest, signal);
    for (const [i, row] of own.entries()) if (answers[i] !== false) there.add(row.id);
  }
  return there;
}

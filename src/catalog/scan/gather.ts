/**
 * From looked-at folders to file rows: what is new, changed, moved here from elsewhere, or no longer there.
 *
 * A file that turns up is the one that was somewhere else when size and time are the same and the
 * other place is empty now; it keeps its row, and with it its item, progress and history.
 */
import { newId } from '../../lib/ids.ts';
import { isPictureName } from '../naming/artwork.ts';
import { isSubtitleName } from '../naming/sidecars.ts';
import { isVideoName } from '../naming/text.ts';
import { PROBE_VERSION } from '../probe/types.ts';
import type { FileTable, FolderTable } from '../store/tables.ts';
import type { Flaw, Looked, LookedFile } from './look.ts';
import type { Aside } from './place.ts';
import type { Scope } from './scope.ts';

/** A folder as it is now, with the rows of its videos. */
export interface Gathered {
  folder: FolderTable;
  asides: Aside[];
  /** Names of all files in it: what the naming looks at. */
  names: string[];
  videos: FileTable[];
  /** The rows as the tables have them, by id; of a file that moved, from its old place. */
  had: Map<string, FileTable>;
  /** Entries that cannot be used, as rows that say why. */
  flaws: FileTable[];
  /** Ids of those whose header is to be read: new, changed, or read by an older reader. */
  unread: Set<string>;
  /** Ids of those that were elsewhere before. */
  moved: Set<string>;
  /** Whether rows of it are gone, or what is beside its videos changed. */
  hasLost: boolean;
  /** Whether folders stand in it. Until they are in the tables, its own row may not say that it is known. */
  hasFolders: boolean;
  /** Base names, in lower case, of subtitles that came, went or changed. */
  stirred: string[];
}

/** What `probed` says of a file that is not to be looked into: an extra, or one without a place. */
export const UNWANTED = -1;

const isAside = (name: string) => isSubtitleName(name) || isPictureName(name) || /\.(nfo|edl|hidden)$/i.test(name);
const SAYS: Record<Flaw[1], string> = {
  odd: 'its name is not valid text, so it cannot be opened',
  link: 'it is a link, and links are not followed',
  unseen: 'the system does not let it be looked at',
};

type Listed = Extract<Looked, { state: 'listed' }>;

/** Gathers folders that were listed. Reads the tables and the disk; writes nothing. */
export async function gather(scope: Scope, listed: readonly Listed[], signal: AbortSignal): Promise<Gathered[]> {
  const { store, library } = scope;
  const paths = listed.map(({ path }) => path);
  const rows = scope.isFirst
    ? new Map<string, FileTable[]>()
    : Map.groupBy(await store.filesIn(library.id, paths), ({ folder }) => folder);
  const asides = scope.isFirst ? new Map<string, string>() : await store.asides(library.id, paths);
  const gathered = listed.map((folder) => compare(scope, folder, rows.get(folder.path) ?? [], asides.get(folder.path)));
  await claim(scope, gathered, signal);
  return gathered;
}

/** Files next to the videos of a listed folder: subtitles, pictures, NFO, edit lists. */
export const asidesOf = (files: readonly LookedFile[]): Aside[] =>
  files.filter(([name]) => !isVideoName(name) && isAside(name)).map(([n, s, m]): Aside => ({ n, s, m }));

function compare(
  { library, now, lost }: Scope,
  folder: Listed,
  rows: readonly FileTable[],
  before: string | undefined,
): Gathered {
  const asides = asidesOf(folder.files);
  const aside = JSON.stringify(asides);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const unread = new Set<string>();
  const had = new Map<string, FileTable>();
  const videos = folder.files
    .filter(([name]) => isVideoName(name))
    .map((file): FileTable => {
      const row = byName.get(file[0]);
      byName.delete(file[0]);
      const next = row ? refreshed(row, file, now) : fresh(library.id, folder.path, file, now);
      if (row) had.set(row.id, row);
      if (!row || row.size !== next.size || row.mtime !== next.mtime || row.probed < PROBE_VERSION) unread.add(next.id);
      return next;
    });
  const flaws = folder.flaws
    .filter(([name, why]) => why === 'odd' || !isAside(name))
    .flatMap(([name, why]) => {
      const row = byName.get(name);
      // What was a video and is a link now is gone; its place is taken.
      if (row && row.item !== null) return [];
      byName.delete(name);
      if (row) had.set(row.id, row);
      const base = row ?? fresh(library.id, folder.path, [name, 0, 0, ''], now);
      return [{ ...base, problem: SAYS[why], evidence: '[]', probed: UNWANTED, missing: null }];
    });
  const away = [...byName.values()].filter(({ missing }) => missing === null);
  for (const row of away) lost.set(row.id, row);
  return {
    folder: { library: library.id, path: folder.path, mtime: folder.mtime, signature: folder.signature, aside },
    asides,
    names: folder.files.map(([name]) => name),
    videos,
    had,
    flaws,
    unread,
    moved: new Set(),
    hasLost: away.length > 0,
    hasFolders: folder.folders.length > 0,
    stirred: before === undefined || before === aside ? [] : stirredBy(JSON.parse(before) as Aside[], asides),
  };
}

/** Base names of the subtitles that differ between two looks. */
function stirredBy(before: readonly Aside[], after: readonly Aside[]): string[] {
  const say = ({ n, s, m }: Aside) => `${s} ${m} ${n}`;
  const [was, is] = [before, after].map((asides) => new Set(asides.filter(({ n }) => isSubtitleName(n)).map(say))) as [
    Set<string>,
    Set<string>,
  ];
  return [...was.symmetricDifference(is)].map((one) =>
    one
      .slice(one.indexOf(' ', one.indexOf(' ') + 1) + 1)
      .normalize('NFC')
      .toLowerCase(),
  );
}

const refreshed = (row: FileTable, [, size, mtime, ino]: LookedFile, now: number): FileTable => ({
  ...row,
  size,
  mtime,
  ino,
  missing: null,
  seen: now,
});
const fresh = (library: string, folder: string, [name, size, mtime, ino]: LookedFile, now: number): FileTable => {
  const id = newId();
  return {
    id,
    library,
    folder,
    name,
    size,
    mtime,
    ino,
    item: null,
    version: id,
    label: '',
    part: 1,
    problem: null,
    evidence: '[]',
    probed: 0,
    missing: null,
    seen: now,
  };
};

const key = (size: number, mtime: number) => `${size}|${mtime}`;

/** Gives new files the rows of files that went missing elsewhere. */
async function claim(scope: Scope, gathered: readonly Gathered[], signal: AbortSignal): Promise<void> {
  if (scope.isFirst) return;
  const fresh = gathered.flatMap((one) =>
    one.videos.filter(({ id, size }) => size > 0 && !one.had.has(id)).map((row) => ({ one, row })),
  );
  if (fresh.length === 0) return;
  const former = Map.groupBy(
    await scope.store.ofSizes([...new Set(fresh.map(({ row }) => row.size))]),
    ({ size, mtime }) => key(size, mtime),
  );
  const wanted = fresh.filter(({ row }) => former.has(key(row.size, row.mtime)));
  if (wanted.length === 0) return;
  const candidates = new Map(
    wanted.flatMap(({ row }) => former.get(key(row.size, row.mtime)) ?? []).map((row) => [row.id, row]),
  );
  const there = await scope.onDisk([...candidates.values()], signal);
  for (const { one, row } of wanted) {
    const free = (former.get(key(row.size, row.mtime)) ?? []).filter(
      ({ id }) => !there.has(id) && !scope.claimed.has(id),
    );
    const was =
      free.find(({ ino }) => ino === row.ino) ??
      free.find(({ name }) => name === row.name) ??
      (free.length === 1 ? free[0] : undefined);
    if (!was) continue;
    scope.claimed.add(was.id);
    one.unread.delete(row.id);
    one.videos[one.videos.indexOf(row)] = {
      ...was,
      library: row.library,
      folder: row.folder,
      name: row.name,
      ino: row.ino,
      missing: null,
      seen: row.seen,
    };
    one.had.set(was.id, was);
    one.moved.add(was.id);
    if (was.probed < PROBE_VERSION) one.unread.add(was.id);
  }
}

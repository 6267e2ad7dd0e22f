/**
 * Compares folders that were read with their file rows: which files are new, changed, moved or gone.
 *
 * A new file is taken for one that was elsewhere if size and time are the same and the other path is empty now. It
 * keeps its row, and with it its item, progress and history.
 */
import { PLACEMENT_CLUES, type PlacementClueText } from '../../../contract/catalog/clues.ts';
import { newId } from '../../../lib/ids.ts';
import type { LibraryKind } from '../../../contract/catalog/kinds.ts';
import { isPictureName } from '../../naming/artwork.ts';
import { isLyricsName } from '../../naming/lyrics.ts';
import { isSubtitleName } from '../../naming/sidecars.ts';
import { PROBE_VERSION } from '../../probe/types.ts';
import type { CompanionFile, FileRecord, FolderRecord } from '../../store/records.ts';
import type { Flaw, DirectoryReport, DirectoryFile } from './directory-reader.ts';
import type { ScanScope } from './scope.ts';

/** A folder as it is now, with the rows of its videos. */
export interface GatheredFolder {
  folder: FolderRecord;
  companions: readonly CompanionFile[];
  /** Those that the last scan found. */
  formerCompanions: readonly CompanionFile[];
  /** Names of all its files, which the naming reads. */
  names: string[];
  videos: FileRecord[];
  /** Rows by id as the tables have them; a moved file has the row of its old path. */
  had: Map<string, FileRecord>;
  /** Rows of entries that cannot be used, each with its reason. */
  flaws: FileRecord[];
  /** Ids of files whose header has to be read: new, changed, or read by an older version of the reader. */
  unread: Set<string>;
  /** Ids of files that were elsewhere before. */
  moved: Set<string>;
  /** Whether files of it were removed. */
  hasLost: boolean;
  /** Whether it contains folders. Its own row is not marked as known until these are in the tables. */
  hasFolders: boolean;
  /** Names, in lower case, of subtitles and lyrics that were added, removed or changed. */
  changedTexts: string[];
}

/** Value of `probed` for a file whose header is not read: an extra, or an unplaced file. */
export const NOT_READ = -1;

/** Descriptions of audiobooks. */
const METADATA_NAMES: ReadonlySet<string> = new Set(['metadata.json', 'metadata.opf']);
const isCompanionName = (name: string) =>
  isSubtitleName(name) || isPictureName(name) || /\.(nfo|edl|xmp|cue|hidden)$/i.test(name) || METADATA_NAMES.has(name);
const FLAW_REASONS: Record<Flaw[1], PlacementClueText> = {
  odd: PLACEMENT_CLUES.nameNotText,
  link: PLACEMENT_CLUES.linkNotFollowed,
  unseen: PLACEMENT_CLUES.sizeNotReadable,
};

type Listed = Extract<DirectoryReport, { state: 'listed' }>;

/** Gathers folders that were listed. Reads the tables and the disk; writes nothing. */
export async function gather(
  scope: ScanScope,
  listed: readonly Listed[],
  signal: AbortSignal,
): Promise<GatheredFolder[]> {
  const { store, library } = scope;
  const paths = listed.map(({ path }) => path);
  const rows = scope.isFirst
    ? new Map<string, FileRecord[]>()
    : Map.groupBy(await store.filesIn(library.id, paths), ({ folder }) => folder);
  const before: ReadonlyMap<string, readonly CompanionFile[]> = scope.isFirst
    ? new Map()
    : await store.companions(library.id, paths);
  const gathered = listed.map((folder) => compare(scope, folder, rows.get(folder.path) ?? [], before.get(folder.path)));
  await claim(scope, gathered, signal);
  return gathered;
}

const isLyrics = (libraryKind: LibraryKind, name: string): boolean => libraryKind === 'music' && isLyricsName(name);

/** Files next to the media of a listed folder: subtitles, lyrics, pictures, NFO, edit lists, and pictures of people. */
export const companionsOf = (
  { kinds, libraryKind }: Pick<ScanScope, 'kinds' | 'libraryKind'>,
  { files, portraits }: Pick<Listed, 'files' | 'portraits'>,
): CompanionFile[] =>
  [
    ...files.filter(
      ([name]) => !kinds.isMedia(libraryKind, name) && (isCompanionName(name) || isLyrics(libraryKind, name)),
    ),
    ...portraits,
  ].map(([n, s, m]): CompanionFile => ({ n, s, m }));

function compare(
  scope: ScanScope,
  folder: Listed,
  rows: readonly FileRecord[],
  before: readonly CompanionFile[] | undefined,
): GatheredFolder {
  const { library, libraryKind, kinds, now, lost } = scope;
  const companions = companionsOf(scope, folder);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const unread = new Set<string>();
  const had = new Map<string, FileRecord>();
  const videos = folder.files
    .filter(([name]) => kinds.isMedia(libraryKind, name))
    .map((file): FileRecord => {
      const row = byName.get(file[0]);
      byName.delete(file[0]);
      const next = row ? updatedRow(row, file, now) : newRow(library.id, folder.path, file, now);
      if (row) had.set(row.id, row);
      if (row && (row.size !== next.size || row.mtime !== next.mtime)) scope.rewritten.add(row.id);
      if (!row || row.size !== next.size || row.mtime !== next.mtime || row.probed < PROBE_VERSION) unread.add(next.id);
      return next;
    });
  const flaws = folder.flaws
    .filter(([name, why]) => why === 'odd' || !isCompanionName(name))
    .flatMap(([name, why]) => {
      const row = byName.get(name);
      // A video that was replaced by a link is gone.
      if (row && row.item !== null) return [];
      byName.delete(name);
      if (row) had.set(row.id, row);
      const base = row ?? newRow(library.id, folder.path, [name, 0, 0, ''], now);
      return [{ ...base, problem: FLAW_REASONS[why], evidence: [], probed: NOT_READ, missing: null }];
    });
  const away = [...byName.values()].filter(({ missing }) => missing === null);
  for (const row of away) lost.set(row.id, row);
  return {
    folder: {
      library: library.id,
      path: folder.path,
      mtime: folder.mtime,
      signature: folder.signature,
      aside: companions,
    },
    companions,
    formerCompanions: before ?? [],
    names: folder.files.map(([name]) => name),
    videos,
    had,
    flaws,
    unread,
    moved: new Set(),
    hasLost: away.length > 0,
    hasFolders: folder.folders.length > 0,
    changedTexts: before === undefined ? [] : changedTexts(libraryKind, before, companions),
  };
}

/** Returns the names of the subtitles and lyrics that differ between two scans. */
function changedTexts(
  libraryKind: LibraryKind,
  before: readonly CompanionFile[],
  after: readonly CompanionFile[],
): string[] {
  const textOf = ({ n, s, m }: CompanionFile) => `${s} ${m} ${n}`;
  const [was, is] = [before, after].map(
    (all) => new Set(all.filter(({ n }) => isSubtitleName(n) || isLyrics(libraryKind, n)).map(textOf)),
  ) as [Set<string>, Set<string>];
  return [...was.symmetricDifference(is)].map((one) =>
    one
      .slice(one.indexOf(' ', one.indexOf(' ') + 1) + 1)
      .normalize('NFC')
      .toLowerCase(),
  );
}

const updatedRow = (row: FileRecord, [, size, mtime, ino]: DirectoryFile, now: number): FileRecord => ({
  ...row,
  size,
  mtime,
  ino,
  missing: null,
  seen: now,
});
const newRow = (library: string, folder: string, [name, size, mtime, ino]: DirectoryFile, now: number): FileRecord => {
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
    evidence: [],
    probed: 0,
    missing: null,
    seen: now,
  };
};

const key = (size: number, mtime: number) => `${size}|${mtime}`;

/** Replaces the rows of new files by those of files that went missing elsewhere. */
async function claim(scope: ScanScope, gathered: readonly GatheredFolder[], signal: AbortSignal): Promise<void> {
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

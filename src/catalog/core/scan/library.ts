/**
 * Scanning one library, in this order: walk and gather; read headers; place; write;
 * then what is no longer there. Each batch is written whole, so items appear while the scan runs,
 * and a scan that is cut off has kept what it found.
 *
 * A folder whose work is not finished (files of it are gone, or items below it are to be placed again) is
 * written without its signature until the end, so that a scan after one that was cut off reads it again.
 */
import type { TaskRemark } from '../../../contract/ops/task-remarks.ts';
import { createLock } from '../../../lib/lock.ts';
import { LibraryOffline } from '../libraries.ts';
import { PROBE_VERSION } from '../../probe/types.ts';
import type { FileRecord, FolderRecord } from '../../store/records.ts';
import { unreadableFolder } from '../../store/scanning.ts';
import type { LibraryTable } from '../../store/tables.ts';
import { parentOf } from '../paths.ts';
import { createAssembler } from './assemble.ts';
import { linkExtras } from './extras.ts';
import { gather } from './gather.ts';
import { type DirectoryReport, UNTRUSTED } from './directory-reader.ts';
import { placementVersion } from './placement-version.ts';
import { createScope, type ScanNeeds, type ScanScope } from './scope.ts';
import { walk } from './walk.ts';

export type { ScanNeeds } from './scope.ts';

export interface ScanReport {
  /**
   * False when the root does not answer, or is empty though it held files: an empty mount point is a disk that is away.
   */
  isOnline: boolean;
  folders: number;
  files: number;
  added: number;
  changed: number;
  moved: number;
  missing: number;
  /** Names that are not valid text, folders that may not be read, links that are not followed. */
  odd: number;
  denied: number;
  links: number;
}

export interface ScanOptions {
  isFull: boolean;
  progress(part: number, remark: TaskRemark): void;
}

const newReport = (): ScanReport => ({
  isOnline: true,
  folders: 0,
  files: 0,
  added: 0,
  changed: 0,
  moved: 0,
  missing: 0,
  odd: 0,
  denied: 0,
  links: 0,
});
/** The report of a library that does not answer. */
export const offlineReport = (): ScanReport => ({ ...newReport(), isOnline: false });

/**
 * Scans a library that answers. Fails only when it is aborted or the database fails; everything that a disk can do is
 * in the report.
 */
export async function scanLibrary(
  needs: ScanNeeds,
  library: LibraryTable,
  options: ScanOptions,
  signal: AbortSignal,
): Promise<ScanReport> {
  const report = newReport();
  try {
    await scanInto(report, needs, library, options, signal);
  } catch (error) {
    if (!(error instanceof LibraryOffline)) throw error;
    report.isOnline = false;
  }
  return report;
}

async function scanInto(
  report: ScanReport,
  needs: ScanNeeds,
  library: LibraryTable,
  { isFull, progress }: ScanOptions,
  signal: AbortSignal,
): Promise<void> {
  const { store, directoryReader, clock, isAnswering } = needs;
  const known = await foldersOf(needs, library.id);
  const scope = createScope(needs, library, known.length === 0 && !(await store.hasFiles()));
  const assembler = createAssembler(scope);
  const before = new Map(known.map(({ path, mtime }) => [path, mtime]));
  const gone = new Set<string>();
  const ignored = new Set<string>();
  const turn = createLock();
  const counted = () => ({ added: scope.tally.added, changed: scope.tally.changed });

  const each = async (looked: readonly DirectoryReport[]): Promise<void> => {
    const listed = looked.filter((one) => one.state === 'listed');
    for (const one of looked) if (one.state === 'gone' || one.state === 'ignored') gone.add(one.path);
    for (const one of looked) if (one.state === 'ignored') ignored.add(one.path);
    const closed = looked.filter(({ state }) => state === 'denied' || state === 'ignored');
    addToReport(report, looked, listed);
    report.files += countMedia(scope, listed);
    await store.touchFolders(
      library.id,
      looked.flatMap((one) =>
        one.state === 'same' && before.get(one.path) !== one.mtime ? [{ path: one.path, mtime: one.mtime }] : [],
      ),
    );
    await keepClosed(scope, closed, before);
    // One at a time: what one folder claims, the next may not.
    if (listed.length > 0) await turn.run(async () => assembler.take(await gather(scope, listed, signal), signal));
  };
  const walked = (done: number, found: number) => {
    report.folders = done;
    progress(Math.min(0.95, (0.95 * done) / Math.max(found, 1)), { reason: 'scanning', values: counted() });
  };
  await walk(
    {
      directoryReader,
      root: library.path,
      known,
      isFull,
      now: scope.now,
      placement: `${placementVersion(scope.kinds.placementVersions)}${library.scan_options ?? ''}`,
      ignored: needs.optionsOf(library.id).ignored ?? [],
      each,
      progress: walked,
      isAnswering,
    },
    signal,
  );
  const folders = await assembler.finish(signal);
  report.missing = await dropGone(scope, { gone: below(known, gone), ignored, folders });
  if (await linkExtras(scope, signal)) await needs.extrasLinked();
  await store.scanned(library.id, clock.now(), isFull);
  Object.assign(report, scope.tally);
  progress(1, { reason: 'scanned', values: { ...counted(), moved: report.moved, missing: report.missing } });
}

/** Known folders; those that hold a file which is to be read again are not trusted. */
async function foldersOf(
  { store }: ScanNeeds,
  library: string,
): Promise<{ path: string; mtime: number; signature: string }[]> {
  const [all, unread] = [await store.folders(library), await store.foldersToRead(library, PROBE_VERSION)];
  return unread.size === 0
    ? all
    : all.map((folder) => (unread.has(folder.path) ? { path: folder.path, mtime: UNTRUSTED, signature: '' } : folder));
}

/** Returns folders that are gone or ignored, with all folders below them. */
function below(known: readonly { path: string }[], gone: ReadonlySet<string>): Set<string> {
  const all = new Set(gone);
  if (gone.size === 0) return all;
  for (const { path } of known) {
    for (let at = path; at !== '' && !all.has(path); at = parentOf(at)) if (gone.has(at)) all.add(path);
  }
  return all;
}

const countMedia = (
  { kinds, libraryKind }: ScanScope,
  listed: readonly Extract<DirectoryReport, { state: 'listed' }>[],
): number =>
  listed.reduce((sum, { files }) => sum + files.filter(([name]) => kinds.isMedia(libraryKind, name)).length, 0);

function addToReport(
  report: ScanReport,
  looked: readonly DirectoryReport[],
  listed: readonly Extract<DirectoryReport, { state: 'listed' }>[],
): void {
  report.denied += looked.filter(({ state }) => state === 'denied').length;
  for (const { flaws } of listed) {
    report.odd += flaws.filter(([, why]) => why === 'odd').length;
    report.links += flaws.filter(([, why]) => why === 'link').length;
  }
}

/**
 * Folders that are ignored or may not be read are known, so that they are asked about again: the folder above them
 * does not change when they open. The latter are listed with what has no place, by a row without a name.
 */
async function keepClosed(
  { store, library, now }: ScanScope,
  closed: readonly DirectoryReport[],
  before: ReadonlyMap<string, number>,
): Promise<void> {
  if (closed.length === 0) return;
  const folders = closed
    .filter(({ path }) => !before.has(path))
    .map(({ path }): FolderRecord => ({ library: library.id, path, mtime: UNTRUSTED, signature: '', aside: [] }));
  const denied = closed.filter(({ state }) => state === 'denied').map(({ path }) => path);
  const had = new Map(
    (await store.filesIn(library.id, denied)).filter(({ name }) => name === '').map((row) => [row.folder, row]),
  );
  const files = denied
    .filter((path) => had.get(path)?.missing !== null)
    .map((folder) => unreadableFolder({ library: library.id, folder, now, had: had.get(folder) }));
  if (files.length + folders.length > 0)
    await store.put({ folders, files, infos: [], noInfos: [], items: [], left: [], now });
}

/** Marks what is no longer there. Nothing is deleted: a purge does that, much later. */
async function dropGone(
  scope: ScanScope,
  {
    gone,
    ignored,
    folders,
  }: { gone: ReadonlySet<string>; ignored: ReadonlySet<string>; folders: readonly FolderRecord[] },
): Promise<number> {
  const { store, library, lost, claimed, now } = scope;
  const inGone: FileRecord[] = gone.size === 0 ? [] : await store.filesIn(library.id, [...gone]);
  const files = new Map(
    [...lost.values(), ...inGone.filter(({ missing }) => missing === null)]
      .filter(({ id }) => !claimed.has(id))
      .map((row) => [row.id, row]),
  );
  const asked = [...ignored].map((path): FolderRecord => ({
    library: library.id,
    path,
    mtime: UNTRUSTED,
    signature: '',
    aside: [],
  }));
  const { changes, count } = await store.drop({
    library: library.id,
    files: [...files.values()],
    gone: [...gone],
    folders: [...folders, ...asked],
    now,
  });
  scope.applied(changes);
  return count;
}

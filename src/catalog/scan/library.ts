/**
 * Scanning one library, in this order: is it there; walk and gather; read headers; place; write;
 * then what is no longer there. Each batch is written whole, so items appear while the scan runs,
 * and a scan that is cut off has kept what it found.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Helper } from '../../lib/process.ts';
import { isVideoName } from '../naming/text.ts';
import type { Probe } from '../probe/types.ts';
import { PROBE_VERSION } from '../probe/types.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { ItemTable, LibraryTable } from '../store/tables.ts';
import { createAssembler } from './assemble.ts';
import { gather, type Gathered, type GatherNeeds } from './gather.ts';
import type { Looked } from './look.ts';
import { walk } from './walk.ts';

export interface ScanNeeds {
  store: ScanningStore;
  looker: Helper;
  probe: Probe;
  clock: Clock;
  rootOf(library: string): string | undefined;
  /** Reads a small text file of the library; undefined when it cannot be read. */
  readText(library: string, relative: string): Promise<Uint8Array | undefined>;
  /** Told of every batch once it is written. */
  applied(items: readonly ItemTable[]): void;
}

export interface ScanReport {
  /** False when the root does not answer, or is empty though it held files: an empty mount point is a disk that is away. */
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
  /** Looks at these folders alone, which the tables know. */
  only?: readonly string[];
  progress(part: number, detail: string): void;
}

/** Scans. Fails only when it is aborted or the database fails; everything that a disk can do is in the report. */
export async function scanLibrary(needs: ScanNeeds, library: LibraryTable, { isFull, progress, only }: ScanOptions, signal: AbortSignal): Promise<ScanReport> {
  const { store, looker, clock } = needs;
  const report: ScanReport = { isOnline: true, folders: 0, files: 0, added: 0, changed: 0, moved: 0, missing: 0, odd: 0, denied: 0, links: 0 };
  const now = clock.now();
  const hadFiles = await store.hasFiles(library.id);
  if (!(await isThere(looker, library.path, hadFiles, signal))) return { ...report, isOnline: false };
  const all = await store.folders(library.id);
  const known = only ? all.filter(({ path }) => only.includes(path)) : all;
  if (only && known.length === 0) return report;
  const gatherNeeds: GatherNeeds = { store, looker, library: library.id, root: library.path, rootOf: needs.rootOf, probeVersion: PROBE_VERSION, now, isFirst: all.length === 0 && !(await store.hasAnyFiles()) };
  const assembler = createAssembler({ ...needs, library, now });
  const lost: string[] = [];
  const gone: string[] = [];

  const each = async (looked: readonly Looked[]): Promise<void> => {
    const listed = looked.filter((one) => one.state === 'listed');
    for (const one of looked) if (one.state === 'gone' || one.state === 'ignored') gone.push(one.path);
    report.denied += looked.filter(({ state }) => state === 'denied').length;
    for (const one of listed) {
      report.odd += one.odd.length;
      report.links += one.links;
      report.files += one.files.filter(([name]) => isVideoName(name)).length;
    }
    await store.touchFolders(library.id, renewed(looked, known));
    const gathered = await gather(gatherNeeds, listed, signal);
    count(report, gathered);
    lost.push(...gathered.flatMap((one) => one.lost));
    await assembler.take(gathered, signal);
  };

  await walk(
    { looker, root: library.path, known, isFull, isPartial: only !== undefined, now, each, progress: (done, found) => {
      report.folders = done;
      progress(Math.min(0.95, (0.95 * done) / Math.max(found, 1)), `${report.added} new, ${report.changed} changed`);
    } },
    signal,
  );
  await assembler.finish(signal);
  report.missing = await dropGone(needs, { library, lost, gone, now });
  if (!only) await store.scanned(library.id, clock.now(), isFull);
  progress(1, `${report.added} new, ${report.changed} changed, ${report.missing} gone`);
  return report;
}

/** Whether the root answers and holds anything, where it did before. */
async function isThere(looker: Helper, root: string, hadFiles: boolean, signal: AbortSignal): Promise<boolean> {
  try {
    const [top] = await looker.ask<Looked[]>({ root, folders: [{ path: '' }], isFull: true, now: 0 }, signal);
    if (top?.state !== 'listed') return false;
    return !hadFiles || top.files.length + top.folders.length > 0;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** Folders whose time changed though nothing in them did. */
const renewed = (looked: readonly Looked[], known: readonly { path: string; mtime: number }[]): { path: string; mtime: number }[] => {
  const before = new Map(known.map(({ path, mtime }) => [path, mtime]));
  return looked.flatMap((one) => (one.state === 'same' && before.get(one.path) !== one.mtime ? [{ path: one.path, mtime: one.mtime }] : []));
};

function count(report: ScanReport, gathered: readonly Gathered[]): void {
  for (const { videos, unread, moved } of gathered) {
    report.added += videos.filter(({ id, item, probed }) => unread.has(id) && item === null && probed === 0).length;
    report.changed += videos.filter(({ id, item }) => unread.has(id) && item !== null).length;
    report.moved += moved.size;
  }
}

/** Marks what is no longer there. Nothing is deleted: a purge does that, much later. */
async function dropGone(needs: ScanNeeds, { library, lost, gone, now }: { library: LibraryTable; lost: readonly string[]; gone: readonly string[]; now: number }): Promise<number> {
  const { store } = needs;
  const inGone = gone.length === 0 ? [] : await store.filesIn(library.id, gone);
  // A file that was claimed by its new place is no longer in the old one.
  const ids = [...new Set([...lost, ...inGone.filter(({ missing }) => missing === null).map(({ id }) => id)])];
  const still = new Set((await store.filesById(ids)).filter(({ folder, library: of, seen }) => of !== library.id || (!gone.includes(folder) && seen === now)).map(({ id }) => id));
  const missing = ids.filter((id) => !still.has(id));
  const items = await store.markMissing(missing, now);
  needs.applied(await store.settle(items, now));
  await store.dropFolders(library.id, gone);
  return missing.length;
}

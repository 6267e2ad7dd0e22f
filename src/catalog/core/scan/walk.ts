/**
 * Walks a library and reports the folders that changed since the last scan, as they are found.
 *
 * Known folders are requested in large chunks, new ones as they are found. Several chunks are requested at a time, so
 * that the helper process continues to read while the last replies are processed.
 */
import type { Helper } from '../../../lib/process.ts';
import { HelperFailure } from '../../../lib/process.ts';
import { LibraryOffline } from '../libraries.ts';
import type { RequestedFolder, DirectoryReport, DirectoryReply, DirectoryRequest } from './directory-reader.ts';

/** Folders per request. Most known folders are reported as `same`, new ones with all that they contain. */
const KNOWN_AT_ONCE = 500;
const NEW_AT_ONCE = 24;
const CHUNKS_AT_ONCE = 3;

export interface WalkNeeds {
  directoryReader: Helper;
  root: string;
  known: readonly { path: string; mtime: number; signature: string }[];
  isFull: boolean;
  now: number;
  /** The placement version of this program, and the options of the library that change what is placed. */
  placement: string;
  /** Names of folders and files that are not scanned. */
  ignored: readonly string[];
  /** Called once for each folder. The walk waits for the returned promise before it requests more. */
  each(looked: readonly DirectoryReport[]): Promise<void>;
  progress(done: number, found: number): void;
  /** Asks whether the library answers at all. */
  isAnswering(): Promise<boolean>;
}

/**
 * Walks until every folder is read. A folder on which the helper dies or hangs is reported as denied, and the walk
 * continues. Rejects if it is aborted, and with `LibraryOffline` if the whole library stops answering.
 */
export async function walk(needs: WalkNeeds, signal: AbortSignal): Promise<void> {
  const { known, each, progress } = needs;
  const had = new Set(known.map(({ path }) => path));
  const waiting: RequestedFolder[] = known.length > 0 ? [...known] : [{ path: '' }];
  if (!had.has('') && known.length > 0) waiting.unshift({ path: '' });
  const seen = new Set(waiting.map(({ path }) => path));
  let done = 0;
  const next = (): RequestedFolder[] => {
    const isNew = waiting[0]?.mtime === undefined;
    const most = isNew ? NEW_AT_ONCE : KNOWN_AT_ONCE;
    const end = waiting.findIndex((folder, i) => i >= most || (folder.mtime === undefined) !== isNew);
    return waiting.splice(0, end < 0 ? most : end);
  };
  const one = async (folders: RequestedFolder[]): Promise<void> => {
    const looked = await ask(needs, folders, signal);
    for (const folder of looked) {
      if (folder.state !== 'listed') continue;
      for (const name of folder.folders) {
        const path = folder.path === '' ? name : `${folder.path}/${name}`;
        if (seen.has(path)) continue;
        seen.add(path);
        waiting.push({ path });
      }
    }
    await each(looked);
    done += folders.length;
    progress(done, seen.size);
  };
  const running = new Set<Promise<void>>();
  let failure: unknown;
  while ((waiting.length > 0 || running.size > 0) && failure === undefined) {
    signal.throwIfAborted();
    while (waiting.length > 0 && running.size < CHUNKS_AT_ONCE) {
      const job: Promise<void> = one(next()).then(
        () => void running.delete(job),
        (error: unknown) => {
          running.delete(job);
          failure ??= error;
        },
      );
      running.add(job);
    }
    await Promise.race(running);
  }
  await Promise.all(running);
  if (failure !== undefined) throw failure;
}

/** Asks about some folders; when that kills or hangs the helper, about each half, down to the one that does it. */
async function ask(
  needs: WalkNeeds,
  folders: readonly RequestedFolder[],
  signal: AbortSignal,
): Promise<DirectoryReport[]> {
  const { directoryReader, root, isFull, now, placement, ignored } = needs;
  try {
    return await directoryReader.ask<DirectoryReply>(
      { root, folders, isFull, now, placement, ignored } satisfies DirectoryRequest,
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HelperFailure)) throw error;
    if (error.fault === 'hung' && !(await needs.isAnswering())) throw new LibraryOffline();
    const first = folders[0];
    if (folders.length === 1 && first) return [{ path: first.path, state: 'denied' }];
    const half = Math.ceil(folders.length / 2);
    return [...(await ask(needs, folders.slice(0, half), signal)), ...(await ask(needs, folders.slice(half), signal))];
  }
}

/**
 * Assembling: gathered folders become items. Headers are read, items drafted by their kinds, ids resolved, and each
 * batch is written completely. Headers of the next batches are read while one is placed and written; batches are
 * written in the order in which they were found.
 */
import type { FolderRecord } from '../../store/records.ts';
import { UNTRUSTED } from './directory-reader.ts';
import type { GatheredFolder } from './gather.ts';
import { itemGroupsOf } from './group.ts';
import { readHeaders } from './headers.ts';
import { createResolver } from './resolve.ts';
import { type ScanScope, yieldTurn } from './scope.ts';
import { createViews } from './views.ts';
import { type WriteBatch, writeBatch } from './write-batch.ts';

/** Files of one batch: enough to save transactions and to keep two readers of headers busy, in 10 ms of writing. */
const VIDEOS_AT_ONCE = 128;
/** Names that are read in one turn of the event loop. */
const NAMES_AT_ONCE = 16;
/** Batches whose headers are read in advance. */
const BATCHES_AHEAD = 3;
/** Folders that are placed again at once. */
const FOLDERS_AT_ONCE = 50;

export interface Assembler {
  /** Resolves when there is room for more. Rejects if an earlier batch failed. */
  take(gathered: readonly GatheredFolder[], signal: AbortSignal): Promise<void>;
  /**
   * Places again what is below folders whose pictures or NFO changed. Returns the folders that are to be written last.
   */
  finish(signal: AbortSignal): Promise<FolderRecord[]>;
}

const emptyBatch = (): WriteBatch => ({ groups: [], folders: [], loose: [] });

export function createAssembler(scope: ScanScope): Assembler {
  const { store, library } = scope;
  const views = createViews(scope);
  const resolver = createResolver(scope, views);
  const taken = new Set<string>();
  /** Folders without videos whose companions changed: what is below them is placed again. */
  const toPlaceAgain = new Set<string>();
  const lastFolders: FolderRecord[] = [];
  const running = new Set<Promise<void>>();
  let tail: Promise<void> = Promise.resolve();
  let failure: { error: unknown } | undefined;

  const submit = async (batch: WriteBatch, signal: AbortSignal): Promise<void> => {
    const reading = readHeaders(scope, batch.groups, signal);
    const before = tail;
    const job = Promise.all([before, reading])
      .then(([, headers]) => (failure ? undefined : writeBatch({ scope, resolver, views, signal }, batch, headers)))
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => running.delete(job));
    tail = job;
    running.add(job);
    while (running.size >= BATCHES_AHEAD) await Promise.race(running);
    if (failure) throw failure.error;
  };

  const take = async (gathered: readonly GatheredFolder[], signal: AbortSignal) => {
    for (const one of gathered) {
      taken.add(one.folder.path);
      views.put(one);
    }
    let batch = emptyBatch();
    let [videos, names] = [0, 0];
    const flush = () => {
      const full = batch;
      [batch, videos] = [emptyBatch(), 0];
      return submit(full, signal);
    };
    for (const one of gathered) {
      const { groups, loose } = itemGroupsOf(one, scope);
      if ((names += one.videos.length + 1) >= NAMES_AT_ONCE) {
        names = 0;
        await yieldTurn();
      }
      batch.loose.push(...loose.map((row) => ({ row, had: one.had.get(row.id) })));
      for (const group of groups) {
        batch.groups.push(group);
        videos += group.files.length;
        if (videos >= VIDEOS_AT_ONCE) await flush();
      }
      batch.folders.push(folderToWrite(one));
      if (batch.folders.length + batch.loose.length >= VIDEOS_AT_ONCE) await flush();
    }
    await flush();
  };

  /** A folder whose work is not finished is written without its signature, so that an aborted scan reads it again. */
  const folderToWrite = (one: GatheredFolder): FolderRecord => {
    const { folder, videos, companions, formerCompanions, hasLost, hasFolders } = one;
    // The last companion may be gone, and items below still name it. Until they do not, the row keeps it.
    const aside = companions.length > 0 ? companions : formerCompanions;
    const placesBelow = videos.length === 0 && aside.length > 0 && folder.path !== '';
    if (placesBelow) toPlaceAgain.add(folder.path);
    if (!placesBelow && !hasLost && !hasFolders) return folder;
    lastFolders.push(folder);
    return { ...folder, mtime: UNTRUSTED, signature: '', aside: placesBelow ? aside : folder.aside };
  };

  return {
    take,
    finish: async (signal) => {
      const folders = scope.isFirst
        ? []
        : (await store.foldersBelow(library.id, [...toPlaceAgain])).filter(({ path }) => !taken.has(path));
      for (let i = 0; i < folders.length; i += FOLDERS_AT_ONCE)
        await take(await views.fromTables(folders.slice(i, i + FOLDERS_AT_ONCE)), signal);
      await tail;
      if (failure) throw failure.error;
      return lastFolders;
    },
  };
}

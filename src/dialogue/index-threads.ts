/**
 * The dialogue index as its domain uses it: one thread writes and another searches, so that no search waits for a film
 * that is being indexed. A damaged file is deleted, and everything is indexed again.
 */
import { BEFORE_ALL } from '../catalog/index.ts';
import { StoreThreadFailure, startStoreThread, type StoreThread } from '../lib/db/store-thread.ts';
import { ensurePrivateFolder, removeFolder } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import type {
  DialogueMatches,
  DialogueQuestion,
  DialogueReplies,
  DialogueRequest,
  IndexCursor,
  IndexedItem,
  ReadText,
} from './store/types.ts';

/** A subtitle at the limits of its reader takes 2 s. */
const WRITE_DEADLINE_MS = 60_000;
const FIND_DEADLINE_MS = 10_000;
const IDLE_MS = 120_000;
const HEAP_MIB = { write: 192, find: 64 } as const;
/** Damage in a row after which the index gives up until the next start. */
const MAX_REBUILDS = 3;
const EMPTY: IndexCursor = { films: BEFORE_ALL, tracks: BEFORE_ALL, gone: 0 };

export interface DialogueIndex {
  /** Opens the file, and makes it if there is none. */
  open(): Promise<void>;
  /** The items in it, by their ids. */
  items(): ReadonlyMap<string, IndexedItem>;
  cursor(): IndexCursor;
  put(item: Omit<IndexedItem, 'number'>, texts: readonly ReadText[], signal: AbortSignal): Promise<void>;
  /** Removes items and stores the cursor. */
  follow(removed: readonly string[], cursor: IndexCursor): Promise<void>;
  find(question: DialogueQuestion, signal: AbortSignal): Promise<DialogueMatches>;
  /** Deletes the file. */
  remove(): Promise<void>;
  close(): Promise<void>;
}

export function createDialogueIndex({
  folder,
  log,
  helperModule,
  rebuilt,
}: {
  /** A folder for this index alone. */
  folder: string;
  log: Log;
  /** Returns the module to run in place of the source of a thread. */
  helperModule(source: URL): URL;
  /** Called after a damaged file was deleted: everything has to be indexed again. */
  rebuilt(): void;
}): DialogueIndex {
  const items = new Map<string, IndexedItem>();
  let cursor = EMPTY;
  let damages = 0;
  const file = `${folder}/index.sqlite`;
  const thread = (isWriter: boolean): StoreThread =>
    startStoreThread({
      module: helperModule(new URL('./store/thread.ts', import.meta.url)),
      data: { file, isWriter },
      deadlineMs: isWriter ? WRITE_DEADLINE_MS : FIND_DEADLINE_MS,
      idleMs: IDLE_MS,
      heapMiB: isWriter ? HEAP_MIB.write : HEAP_MIB.find,
    });
  const writer = thread(true);
  const finder = thread(false);
  const ask = async <K extends DialogueRequest['is']>(
    from: StoreThread,
    request: Extract<DialogueRequest, { is: K }>,
    signal?: AbortSignal,
  ): Promise<DialogueReplies[K]> => (await from.ask(request, signal)) as DialogueReplies[K];

  const close = async (): Promise<void> => {
    // The writer is the last to close: it folds the log into the file.
    await finder.close();
    await writer.close();
  };
  const remove = async (): Promise<void> => {
    await close();
    await removeFolder(folder);
    items.clear();
    cursor = EMPTY;
  };
  const load = async (): Promise<void> => {
    await ensurePrivateFolder(folder);
    const opened = await ask(writer, { is: 'open' });
    items.clear();
    for (const item of opened.items) items.set(item.id, item);
    ({ cursor } = opened);
  };
  /** Runs work on the file; if that is damaged, makes an empty one and fails. */
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreThreadFailure) || error.fault !== 'damaged') throw error;
      damages += 1;
      log.warn('dialogue.damaged', { detail: error.message });
      if (damages > MAX_REBUILDS) throw error;
      await remove();
      await load();
      rebuilt();
      throw error;
    }
  };

  return {
    open: async () => {
      await guarded(load).catch(async (error: unknown) => {
        // The damaged file was replaced by an empty one.
        if (!(error instanceof StoreThreadFailure) || error.fault !== 'damaged' || damages > MAX_REBUILDS) throw error;
      });
    },
    items: () => items,
    cursor: () => cursor,
    put: (item, texts, signal) =>
      guarded(async () => {
        const { number } = await ask(writer, { is: 'put', item, texts }, signal);
        items.set(item.id, { ...item, number });
      }),
    follow: (removed, next) =>
      guarded(async () => {
        await ask(writer, { is: 'follow', removed, cursor: next });
        for (const id of removed) items.delete(id);
        cursor = next;
      }),
    find: (question, signal) => guarded(() => ask(finder, { is: 'find', question }, signal)),
    remove,
    close,
  };
}

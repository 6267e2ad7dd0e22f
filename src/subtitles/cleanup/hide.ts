/**
 * Hides files by renaming them, all or none, and records it: first the intents, then the result with its history.
 * Reverts what it renamed if one fails, and settles what a killed process left.
 */
import type { CatalogBackground } from '../../catalog/index.ts';
import type { Actor } from '../../contract/subtitles/states.ts';
import type { Clock } from '../../lib/clock.ts';
import { crashPoint } from '../../lib/crash.ts';
import { Failure, restated } from '../../lib/failure.ts';
import {
  HIDDEN_SUFFIX,
  hideFile,
  inRoot,
  removeFile,
  renameExclusive,
  type Root,
  statFile,
  type FileStat,
  type FileLocation,
} from '../../lib/files.ts';
import type { KeyedLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import { folderOf } from '../install/install.ts';
import type { HidingStore } from '../store/hiding.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { HidingFile } from '../store/rows.ts';
import { inspectFile, type PlannedFile } from './plan.ts';

export interface HiderNeeds {
  catalog: Pick<CatalogBackground, 'libraries' | 'root' | 'sidecarsChanged'>;
  store: HidingStore;
  clock: Clock;
  log: Log;
  /** Locks of media folders, by `library/folder`, held by every writer. */
  folders: KeyedLock;
  history: Pick<InstallingStore, 'filesOf'>;
  /** Called after the catalogue was notified. */
  changed(): Promise<void>;
}

export interface Hider {
  /**
   * Hides all these files. Throws `Failure('conflict')` if one of them changed or cannot be renamed; then none is
   * hidden.
   */
  hide(files: readonly PlannedFile[], actor: Actor): Promise<void>;
  /** Settles the intents of a killed process. Files that cannot be reached now are left for the next time. */
  settle(): Promise<void>;
}

/** Items that are announced to the catalogue together, so that it reads the folder of neighbours once. */
const ITEMS_PER_NOTIFICATION = 32;
/** History entries written at once. */
const ROWS_PER_WRITE = 100;

export function createHider(needs: HiderNeeds): Hider {
  const { catalog, store, clock, log, changed } = needs;

  async function hideAll(files: readonly PlannedFile[]): Promise<void> {
    const done: PlannedFile[] = [];
    try {
      for (const file of files) {
        await hideOne(needs, file, await catalog.root(file.root));
        done.push(file);
        crashPoint('subtitles.cleanup.hidden');
      }
    } catch (error) {
      await revert(needs, done);
      await notifyCatalog(done);
      if (error instanceof Failure && (error.kind === 'conflict' || error.kind === 'unavailable'))
        throw restated(error, { message: `${error.message}, so nothing was hidden` });
      throw error;
    }
  }

  /** Notifies the catalogue of changed files. If it cannot read them now, its next scan does. */
  async function notifyCatalog(files: readonly { item: string }[]): Promise<void> {
    const items = [...new Set(files.map(({ item }) => item))];
    for (let at = 0; at < items.length; at += ITEMS_PER_NOTIFICATION) {
      const some = items.slice(at, at + ITEMS_PER_NOTIFICATION);
      await catalog
        .sidecarsChanged(...some)
        .catch((error: unknown) => log.fault('subtitles.not-announced', error, { item: some[0], items: some.length }));
    }
    if (items.length > 0) await changed();
  }

  async function settleAll(): Promise<void> {
    const settled: HidingFile[] = [];
    for (const intent of await store.intents()) {
      const end = await settleFile(catalog, intent).catch(
        (error: unknown) => void log.fault('subtitles.not-recovered', error, { item: intent.item }),
      );
      if (end === 'hidden') {
        await record(needs, [intent], intent.actor);
      } else if (end === 'as-it-was') await store.forget([intent]);
      if (end !== undefined) settled.push(intent);
    }
    await notifyCatalog(settled);
  }

  return {
    hide: async (files, actor) => {
      const at = clock.now();
      await store.intend(
        files.map(({ library, relative, item, language, role, size, modified }) => ({
          library,
          relative,
          item,
          language,
          role,
          size,
          modified,
          at,
          actor,
        })),
      );
      crashPoint('subtitles.cleanup.intended');
      await hideAll(files).catch(async (error: unknown) => {
        await settleAll();
        throw error;
      });
      await record(needs, files, actor);
      crashPoint('subtitles.cleanup.recorded');
      await notifyCatalog(files);
    },
    settle: settleAll,
  };
}

/** The failure of a clean-up whose files changed since the preview. */
export const changedSincePreview = (): Failure =>
  new Failure('conflict', 'the files changed since the preview: preview again', { reason: 'plan-outdated' });

async function hideOne({ folders }: HiderNeeds, file: PlannedFile, root: Root): Promise<void> {
  await folders.run(`${file.library}/${folderOf(file.relative)}`, async () => {
    const now = await inspectFile(root, file.relative);
    if (
      typeof now === 'string' ||
      now.size !== file.size ||
      now.modified !== file.modified ||
      now.identity !== file.identity
    )
      throw changedSincePreview();
    await hideFile(inRoot(root, file.relative));
  });
}

/** Reverts in reverse order. A file that cannot be reverted keeps its intent, which is settled later. */
async function revert({ catalog, log }: HiderNeeds, files: readonly PlannedFile[]): Promise<void> {
  for (const file of files.toReversed()) {
    const name = file.relative.slice(file.relative.lastIndexOf('/') + 1);
    try {
      await renameExclusive(inRoot(await catalog.root(file.root), `${file.relative}${HIDDEN_SUFFIX}`), name);
    } catch (error) {
      log.fault('subtitles.not-taken-back', error, { item: file.item });
    }
  }
}

/** Records hidden files with their history, some at a time. The next start settles what a kill leaves. */
async function record(
  { store, clock, history }: HiderNeeds,
  files: readonly Omit<HidingFile, 'at' | 'actor'>[],
  actor: Actor | null,
): Promise<void> {
  for (let from = 0; from < files.length; from += ROWS_PER_WRITE) {
    const some = files.slice(from, from + ROWS_PER_WRITE);
    const known = await history.filesOf([...new Set(some.map(({ item }) => item))]);
    await store.hidden(
      some,
      some.map(({ item, language, role, library, relative }) => {
        const ours = known.find((one) => one.library === library && one.relative === relative);
        const { content: before = null, source = 'sidecar', score = null, match = 'found', evidence = [] } = ours ?? {};
        return {
          item,
          language,
          role,
          library,
          relative,
          before,
          after: null,
          source,
          score,
          match,
          evidence,
          act: 'hidden' as const,
          detail: null,
          notes: null,
          at: clock.now(),
          actor,
        };
      }),
    );
  }
}

/** Decides what became of an intended file; undefined if that cannot be decided now. */
async function settleFile(
  catalog: HiderNeeds['catalog'],
  intent: HidingFile,
): Promise<'hidden' | 'as-it-was' | undefined> {
  const library = catalog.libraries().find(({ id }) => id === intent.library);
  // Files of a library that is no longer configured are not touched, so nothing is left to settle.
  if (!library) return 'as-it-was';
  if (!library.isOnline) return undefined;
  const root = await catalog.root(library.path);
  const [open, hidden] = [inRoot(root, intent.relative), inRoot(root, `${intent.relative}${HIDDEN_SUFFIX}`)];
  const [first, second] = [await look(open), await look(hidden)];
  if (!second || second.kind !== 'file') return 'as-it-was';
  if (!first) return second.size === intent.size && String(second.mtimeMs) === intent.modified ? 'hidden' : 'as-it-was';
  // One file under two names was being renamed. Two files are the user's, and are not touched.
  if (first.kind !== 'file' || first.ino !== second.ino || first.dev !== second.dev) return 'as-it-was';
  await removeFile(open);
  return 'hidden';
}

async function look(place: FileLocation): Promise<FileStat | undefined> {
  try {
    return await statFile(place);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'missing') return undefined;
    throw error;
  }
}

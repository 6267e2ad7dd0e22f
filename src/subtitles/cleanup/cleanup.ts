/**
 * Hides the subtitle files of a previewed plan: all of them or none.
 *
 * The plan is calculated again under the lock and must equal the previewed one. First the database records what is
 * about to be hidden; then each file is checked once more and gets its hidden name before it loses its visible one;
 * then the database records the result. A failure in the middle is reverted. After a kill at any moment the next start
 * reads the intents and leaves each file with one name. Removing the suffix by hand restores a file.
 */
import type { z } from 'zod';
import type { CatalogBackground } from '../../catalog/index.ts';
import type { Given } from '../../contract/kernel/endpoint.ts';
import type { Actor } from '../../contract/subtitles/library.ts';
import type { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import type { Clock } from '../../lib/clock.ts';
import { crashPoint } from '../../lib/crash.ts';
import { Failure, restated } from '../../lib/failure.ts';
import {
  HIDDEN_SUFFIX,
  hideFile,
  inRoot,
  isWritableFolder,
  removeFile,
  renameExclusive,
  statFile,
  type FileStat,
  type FileLocation,
} from '../../lib/files.ts';
import { createKeyedLock, type KeyedLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import { folderOf } from '../install/install.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { HidingStore } from '../store/hiding.ts';
import type { HidingFile } from '../store/rows.ts';
import { createSidecarCandidates } from './sidecar-candidates.ts';
import { inspectFile, makeHidingPlan, type HidingPlan, type PlannedFile } from './plan.ts';

export interface Cleanup {
  plan(
    asked: Given<typeof endpoints.planCleanup>,
    signal: AbortSignal,
  ): Promise<z.input<typeof endpoints.planCleanup.result>>;
  apply(
    asked: Given<typeof endpoints.cleanup> & { by?: Actor | undefined },
    signal: AbortSignal,
  ): Promise<z.input<typeof endpoints.cleanup.result>>;
  /** Settles what a killed process was hiding. Files that cannot be reached now are left for the next time. */
  recover(): Promise<void>;
  /** Records files of this server under their old names when their suffix was removed. */
  follow(): Promise<void>;
}
export interface CleanupNeeds {
  catalog: Pick<CatalogBackground, 'changedSince' | 'goneSince' | 'libraries' | 'root' | 'sidecarsChanged' | 'subject'>;
  store: HidingStore;
  clock: Clock;
  log: Log;
  /** Locks of media folders, by `library/folder`, held by every writer. */
  folders: KeyedLock;
  history: Pick<InstallingStore, 'filesOf'>;
  /** Called after the catalogue was notified. */
  changed(): Promise<void>;
}
type Root = Awaited<ReturnType<CatalogBackground['root']>>;

const MAX_LISTED = 100;
/** Items that are announced to the catalogue together, so that it reads the folder of neighbours once. */
const ITEMS_PER_NOTIFICATION = 32;
/** History entries written at once. */
const ROWS_PER_WRITE = 100;
const LOCK_NAME = 'clean-up';

export function createCleanup(needs: CleanupNeeds): Cleanup {
  const { catalog, store, clock, log, history, folders, changed } = needs;
  const busy = createKeyedLock();
  const planning = { catalog, sidecarCandidates: createSidecarCandidates(catalog) };

  async function hideOne(file: PlannedFile, root: Root): Promise<void> {
    await folders.run(`${file.library}/${folderOf(file.relative)}`, async () => {
      const now = await inspectFile(root, file.relative);
      if (
        typeof now === 'string' ||
        now.size !== file.size ||
        now.modified !== file.modified ||
        now.identity !== file.identity
      )
        throw stale();
      await hideFile(inRoot(root, file.relative));
    });
  }

  async function hideAll(files: readonly PlannedFile[]): Promise<void> {
    const done: PlannedFile[] = [];
    try {
      for (const file of files) {
        await hideOne(file, await catalog.root(file.root));
        done.push(file);
        crashPoint('subtitles.cleanup.hidden');
      }
    } catch (error) {
      await takeBack(done);
      await tell(done);
      if (error instanceof Failure && (error.kind === 'conflict' || error.kind === 'unavailable'))
        throw restated(error, { message: `${error.message}, so nothing was hidden` });
      throw error;
    }
  }

  /** Reverts in reverse order. A file that cannot be reverted keeps its intent, which is settled later. */
  async function takeBack(files: readonly PlannedFile[]): Promise<void> {
    for (const file of files.toReversed()) {
      const name = file.relative.slice(file.relative.lastIndexOf('/') + 1);
      try {
        await renameExclusive(inRoot(await catalog.root(file.root), `${file.relative}${HIDDEN_SUFFIX}`), name);
      } catch (error) {
        log.fault('subtitles.not-taken-back', error, { item: file.item });
      }
    }
  }

  /** Notifies the catalogue of changed files. If it cannot read them now, its next scan does. */
  async function tell(files: readonly { item: string }[]): Promise<void> {
    const items = [...new Set(files.map(({ item }) => item))];
    for (let at = 0; at < items.length; at += ITEMS_PER_NOTIFICATION) {
      const some = items.slice(at, at + ITEMS_PER_NOTIFICATION);
      await catalog
        .sidecarsChanged(...some)
        .catch((error: unknown) => log.fault('subtitles.not-announced', error, { item: some[0], items: some.length }));
    }
    if (items.length > 0) await changed();
  }

  /** Records hidden files with their history, some at a time. The next start settles what a kill leaves. */
  async function record(files: readonly Omit<HidingFile, 'at' | 'actor'>[], actor: Actor | null): Promise<void> {
    for (let from = 0; from < files.length; from += ROWS_PER_WRITE) {
      const some = files.slice(from, from + ROWS_PER_WRITE);
      const known = await history.filesOf([...new Set(some.map(({ item }) => item))]);
      await store.hidden(
        some,
        some.map(({ item, language, role, library, relative }) => {
          const ours = known.find((one) => one.library === library && one.relative === relative);
          const {
            content: before = null,
            source = 'sidecar',
            score = null,
            match = 'found',
            evidence = [],
          } = ours ?? {};
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
            at: clock.now(),
            actor,
          };
        }),
      );
    }
  }

  async function settleAll(): Promise<void> {
    const settled: HidingFile[] = [];
    for (const intent of await store.intents()) {
      const end = await settle(catalog, intent).catch(
        (error: unknown) => void log.fault('subtitles.not-recovered', error, { item: intent.item }),
      );
      if (end === 'hidden') {
        await record([intent], intent.actor);
      } else if (end === 'as-it-was') await store.forget([intent]);
      if (end !== undefined) settled.push(intent);
    }
    await tell(settled);
  }

  return {
    plan: async (asked, signal) => shown(await makeHidingPlan(planning, asked, signal)),
    apply: async (asked, signal) => {
      if (!asked.enabled) throw disabled();
      return busy.tryLock(
        LOCK_NAME,
        async () => {
          await settleAll();
          const { files, digest, policy } = await makeHidingPlan(planning, asked, signal);
          if (digest !== asked.digest) throw stale();
          await refuseUnwritable(files);
          signal.throwIfAborted();
          // From here on the clean-up is finished even if the client disconnects.
          const actor = asked.by ?? { is: 'server' as const };
          await store.intend(
            files.map(({ library, relative, item, language, role, size, modified }) => ({
              library,
              relative,
              item,
              language,
              role,
              size,
              modified,
              at: clock.now(),
              actor,
            })),
          );
          crashPoint('subtitles.cleanup.intended');
          await hideAll(files).catch(async (error: unknown) => {
            await settleAll();
            throw error;
          });
          await record(files, actor);
          crashPoint('subtitles.cleanup.recorded');
          await tell(files);
          log.info('subtitles.hidden', { files: files.length, languages: policy.languages.join(' ') });
          return { hidden: files.length };
        },
        'another clean-up is running',
      );
    },
    recover: async () => {
      if (!busy.isHeld(LOCK_NAME)) await busy.run(LOCK_NAME, settleAll);
    },
    follow: async () => {
      for (const file of await store.away()) {
        const subject = await catalog.subject(file.item);
        const name = file.relative.slice(0, -HIDDEN_SUFFIX.length);
        const back = subject?.sidecars.find(
          (one) => one.relative === name && one.size === file.size && Math.round(one.modifiedMs) === file.modified,
        );
        if (back) await store.shown(file);
      }
    },
  };
}

const stale = (): Failure =>
  new Failure('conflict', 'the files changed since the preview: preview again', { reason: 'plan-outdated' });

async function refuseUnwritable(files: readonly PlannedFile[]): Promise<void> {
  for (const folder of new Set(files.map(({ root, relative }) => `${root}/${folderOf(relative)}`))) {
    if (!(await isWritableFolder(folder)))
      throw new Failure('conflict', 'a media folder cannot be written to, so nothing was hidden', {
        reason: 'file-unwritable',
      });
  }
}

const shown = ({ policy, files, skipped, digest }: HidingPlan) => ({
  languages: [...policy.languages],
  forced: policy.forced,
  digest,
  count: files.length,
  files: files.slice(0, MAX_LISTED).map(({ path }) => ({ path })),
  skipped: skipped.slice(0, MAX_LISTED),
});

/** Decides what became of an intended file; undefined if that cannot be decided now. */
async function settle(
  catalog: CleanupNeeds['catalog'],
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

const disabled = (): Failure =>
  new Failure('conflict', 'the clean-up is disabled in this plan', { reason: 'cleanup-disabled' });

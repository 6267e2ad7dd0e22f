/**
 * Hides the subtitle files of a previewed plan: all of them, or none.
 *
 * The plan is made again under the lock and must be the one that was previewed. First the database says what is about
 * to be hidden, then each file is looked at once more and gets its second name before it loses its first, then the
 * database says that it is done. What fails in the middle is taken back. Killed at any moment, the next start finds
 * the intents and leaves each file under one name. Removing the suffix by hand brings a file back, as it was.
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
import { createBeside } from './beside.ts';
import { lookAt, makePlan, type Plan, type PlannedFile } from './plan.ts';

export interface Cleanup {
  plan(
    asked: Given<typeof endpoints.planCleanup>,
    signal: AbortSignal,
  ): Promise<z.input<typeof endpoints.planCleanup.result>>;
  apply(
    asked: Given<typeof endpoints.cleanup> & { by?: Actor | undefined },
    signal: AbortSignal,
  ): Promise<z.input<typeof endpoints.cleanup.result>>;
  /** Settles what a killed process was hiding. What cannot be reached now stays for the next time. */
  recover(): Promise<void>;
  /** Records files of this server under their old names when their suffix was removed. */
  follow(): Promise<void>;
}
export interface CleanupNeeds {
  catalog: Pick<CatalogBackground, 'changedSince' | 'goneSince' | 'libraries' | 'root' | 'sidecarsChanged' | 'subject'>;
  store: HidingStore;
  clock: Clock;
  log: Log;
  /** Held by whoever changes the files of a folder, by `library/folder`. */
  folders: KeyedLock;
  history: Pick<InstallingStore, 'filesOf'>;
  /** Told once the catalogue knows. */
  changed(): Promise<void>;
}
type Root = Awaited<ReturnType<CatalogBackground['root']>>;

const MOST_SHOWN = 100;
/** Items that are announced to the catalogue together, so that it reads the folder of neighbours once. */
const TOLD_AT_ONCE = 32;
/** Acts that are written at once. */
const NOTED_AT_ONCE = 100;
const ONE = 'clean-up';

export function createCleanup(needs: CleanupNeeds): Cleanup {
  const { catalog, store, clock, log, history, folders, changed } = needs;
  const busy = createKeyedLock();
  const planning = { catalog, beside: createBeside(catalog) };

  async function hideOne(file: PlannedFile, root: Root): Promise<void> {
    await folders.run(`${file.library}/${folderOf(file.relative)}`, async () => {
      const now = await lookAt(root, file.relative);
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

  /** The last first. What cannot be taken back stays an intent, which is settled later. */
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

  /** A catalogue that cannot look now looks at its next scan. */
  async function tell(files: readonly { item: string }[]): Promise<void> {
    const items = [...new Set(files.map(({ item }) => item))];
    for (let at = 0; at < items.length; at += TOLD_AT_ONCE) {
      const some = items.slice(at, at + TOLD_AT_ONCE);
      await catalog
        .sidecarsChanged(...some)
        .catch((error: unknown) => log.fault('subtitles.not-announced', error, { item: some[0], items: some.length }));
    }
    if (items.length > 0) await changed();
  }

  /**
   * Written with what the history says of it, some at a time: what a kill leaves of them is settled by the next start.
   */
  async function record(files: readonly Omit<HidingFile, 'at' | 'actor'>[], actor: Actor | null): Promise<void> {
    for (let from = 0; from < files.length; from += NOTED_AT_ONCE) {
      const some = files.slice(from, from + NOTED_AT_ONCE);
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
    plan: async (asked, signal) => shown(await makePlan(planning, asked, signal)),
    apply: async (asked, signal) => {
      if (!asked.enabled) throw disabled();
      return busy.tryLock(
        ONE,
        async () => {
          await settleAll();
          const { files, digest, policy } = await makePlan(planning, asked, signal);
          if (digest !== asked.digest) throw stale();
          await refuseUnwritable(files);
          signal.throwIfAborted();
          // From here on it is done to its end, whoever listens.
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
        'a clean-up is running already',
      );
    },
    recover: async () => {
      if (!busy.isHeld(ONE)) await busy.run(ONE, settleAll);
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
  new Failure('conflict', 'the plan is not as it was previewed any more', { reason: 'plan-outdated' });

async function refuseUnwritable(files: readonly PlannedFile[]): Promise<void> {
  for (const folder of new Set(files.map(({ root, relative }) => `${root}/${folderOf(relative)}`))) {
    if (!(await isWritableFolder(folder)))
      throw new Failure('conflict', 'a media folder cannot be written to, so nothing was hidden', {
        reason: 'file-unwritable',
      });
  }
}

const shown = ({ policy, files, skipped, digest }: Plan) => ({
  languages: [...policy.languages],
  forced: policy.forced,
  digest,
  count: files.length,
  files: files.slice(0, MOST_SHOWN).map(({ path }) => ({ path })),
  skipped: skipped.slice(0, MOST_SHOWN),
});

/** Undefined: cannot be said now. */
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
  new Failure('conflict', 'the clean-up is off in this plan', { reason: 'cleanup-disabled' });

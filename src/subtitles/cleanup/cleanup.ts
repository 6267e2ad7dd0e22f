/**
 * Hides the subtitle files of a previewed plan: all of them or none.
 *
 * The plan is calculated again under the lock and must equal the previewed one. First the database records what is
 * about to be hidden; then each file is checked once more and gets its hidden name before it loses its visible one;
 * then the database records the result. A failure in the middle is reverted. After a kill at any moment the next start
 * reads the intents and leaves each file with one name. Removing the suffix by hand restores a file.
 */
import { textOfReason } from '../../contract/kernel/reason-texts.ts';
import { SKIPPED_REASONS } from '../../contract/subtitles/skipped-reasons.ts';
import type { z } from 'zod';
import type { CatalogBackground } from '../../catalog/index.ts';
import type { ParsedInput } from '../../contract/kernel/endpoint.ts';
import type { Actor } from '../../contract/subtitles/states.ts';
import type { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import { HIDDEN_SUFFIX, isWritableFolder } from '../../lib/files.ts';
import { createKeyedLock } from '../../lib/lock.ts';
import { folderOf } from '../install/install.ts';
import { createSidecarCandidates } from './sidecar-candidates.ts';
import { changedSincePreview, createHider, type HiderNeeds } from './hide.ts';
import { makeHidingPlan, type HidingPlan, type PlannedFile } from './plan.ts';

export interface Cleanup {
  plan(
    asked: ParsedInput<typeof endpoints.planCleanup>,
    signal: AbortSignal,
  ): Promise<z.input<typeof endpoints.planCleanup.result>>;
  apply(
    asked: ParsedInput<typeof endpoints.cleanup> & { by?: Actor | undefined },
    signal: AbortSignal,
  ): Promise<z.input<typeof endpoints.cleanup.result>>;
  /** Settles what a killed process was hiding. Files that cannot be reached now are left for the next time. */
  recover(): Promise<void>;
  /** Records files of this server under their old names when their suffix was removed. */
  follow(): Promise<void>;
}
export interface CleanupNeeds extends HiderNeeds {
  catalog: HiderNeeds['catalog'] & Pick<CatalogBackground, 'changedSince' | 'goneSince' | 'subject'>;
}

const MAX_LISTED = 100;
const LOCK_NAME = 'clean-up';

export function createCleanup(needs: CleanupNeeds): Cleanup {
  const { catalog, store, log } = needs;
  const busy = createKeyedLock();
  const planning = { catalog, sidecarCandidates: createSidecarCandidates(catalog) };
  const hider = createHider(needs);

  return {
    plan: async (asked, signal) => shown(await makeHidingPlan(planning, asked, signal)),
    apply: async (asked, signal) => {
      if (!asked.enabled) throw disabled();
      return busy.tryLock(
        LOCK_NAME,
        async () => {
          await hider.settle();
          const { files, digest, policy } = await makeHidingPlan(planning, asked, signal);
          if (digest !== asked.digest) throw changedSincePreview();
          await refuseUnwritable(files);
          signal.throwIfAborted();
          // From here on the clean-up is finished even if the client disconnects.
          await hider.hide(files, asked.by ?? { is: 'server' });
          log.info('subtitles.hidden', { files: files.length, languages: policy.languages.join(' ') });
          return { hidden: files.length };
        },
        'another clean-up is running',
      );
    },
    recover: async () => {
      if (!busy.isHeld(LOCK_NAME)) await busy.run(LOCK_NAME, hider.settle);
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
  skipped: skipped
    .slice(0, MAX_LISTED)
    .map(({ path, why }) => ({ path, reason: textOfReason(SKIPPED_REASONS, why), why })),
});

const disabled = (): Failure =>
  new Failure('conflict', 'the clean-up is disabled in this plan', { reason: 'cleanup-disabled' });

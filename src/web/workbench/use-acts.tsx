/** Applying what is proposed, and putting back what was there before: each shows first exactly what it will do. */
import { useRef, useState } from 'preact/hooks';
import { call, CallFailed, sentence } from '../data/client.ts';
import { readAgain } from '../data/query.ts';
import { confirm } from '../kit/layers/confirm.tsx';
import { toast } from '../kit/layers/toast.tsx';
import { language as nameOf } from '../lib/format.ts';
import { RestoreSays } from '../parts/subtitles/restore-notice.tsx';
import { ApplySays } from './says.tsx';
import type { Inspected, Work } from './use-work.ts';
import { changeOf, FRESH, type Settings } from './work/settings.ts';

export interface Acts {
  apply: () => Promise<void>;
  restore: () => Promise<void>;
  isBusy: boolean;
}

/** Puts a preserved subtitle back in place: the first one, or the one before the last change. Gives what is installed then. */
async function putBack(id: string, language: string, to: 'original' | 'previous'): Promise<Inspected> {
  await call.workbench.restore({ id, language, to });
  const next = await call.workbench.inspect({ id, language });
  readAgain('subtitles');
  readAgain('catalog', 'item');
  return next;
}

export function useActs(work: Work): Acts {
  const [isBusy, setBusy] = useState(false);
  const now = useRef(work);
  now.current = work;
  const { id, language } = work;
  const during = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      await act();
    } catch (error) {
      const isStale =
        error instanceof CallFailed && error.status === 409 && (await now.current.reread().catch(() => false));
      if (!isStale) toast({ message: sentence(error), isError: true });
    }
    setBusy(false);
  };
  /** Takes the last change back: the file is as it was, and so are the settings. */
  const undo = (settings: Settings, wasReplaceable: boolean) => () =>
    void during(async () => {
      const next = await putBack(id, language, 'previous');
      // Restoring freezes; what was free before is free again.
      if (wasReplaceable && next.fingerprint !== 'missing')
        await call.workbench.replacement({ id, language, replaceable: true });
      now.current.adopt({ ...next, replaceable: wasReplaceable }, settings);
      toast({ message: 'Taken back; the settings are as they were before' });
    });
  const apply = async () => {
    const { settings, inspected, isDirty, isWaiting, previewed, blocked } = now.current;
    if (!isDirty || isBusy) return;
    if (blocked !== undefined) return toast({ message: blocked.replace(/\.$/, ''), isError: true });
    if (isWaiting || !previewed) return toast({ message: 'The preview is not here yet. Apply again when it is' });
    if (
      !(await confirm({
        title: `Apply to ${nameOf(language)}?`,
        says: <ApplySays work={now.current} />,
        action: 'Apply',
      }))
    )
      return;
    await during(async () => {
      const result = await call.workbench.apply({
        id,
        ...changeOf(settings, language),
        fingerprint: inspected.fingerprint,
      });
      now.current.adopt(result, FRESH);
      readAgain('subtitles');
      readAgain('catalog', 'item');
      toast({ message: `The ${nameOf(language)} subtitle is written`, undo: undo(settings, inspected.replaceable) });
    });
  };
  const restore = async () => {
    if (isBusy) return;
    const { inspected, settings, isDirty } = now.current;
    if (
      !(await confirm({
        title: 'Restore the preserved subtitle?',
        says: (
          <RestoreSays
            isDirty={isDirty}
            isReplaceable={inspected.replaceable}
            isGone={inspected.fingerprint === 'missing'}
          />
        ),
        action: 'Restore',
      }))
    )
      return;
    await during(async () => {
      now.current.adopt(await putBack(id, language, 'original'), FRESH);
      toast({ message: 'Restored', undo: undo(settings, inspected.replaceable) });
    });
  };
  return { apply, restore, isBusy };
}

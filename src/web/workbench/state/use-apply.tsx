/** Applying the proposed lines, and restoring the preserved ones. Both ask first, and both can be undone. */
import { useRef, useState } from 'preact/hooks';
import { call, CallFailed, sentence } from '../../data/client.ts';
import { readAgain } from '../../data/query.ts';
import { confirm } from '../../kit/layers/confirm.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { languageLabel as nameOf } from '../../lib/format.ts';
import { RestoreSays } from '../../parts/subtitles/restore-notice.tsx';
import { ApplySummary } from '../header/apply-summary.tsx';
import type { ApplyActions, Inspection, WorkbenchSession } from './types.ts';
import { inspectRequest } from '../model/inspect-request.ts';
import { changeOf, FRESH, type WorkbenchSettings } from '../model/settings.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

/** Restores a preserved subtitle: the original, or the one before the last change. Returns what is installed then. */
async function putBack(
  { id, part, language, role, installed: { inspected } }: WorkbenchSession,
  to: 'original' | 'previous',
): Promise<Inspection> {
  // A change may have given the file another role.
  const kind = role && inspected.role;
  const { role: restored } = await call.workbench.restore({ id, part, language, to, role: kind });
  const next = await call.workbench.inspect(inspectRequest({ id, part, language, role: role && restored }));
  readAgain('subtitles');
  readAgain('catalog', 'item');
  return next;
}

export function useApply(session: WorkbenchSession): ApplyActions {
  const [isBusy, setBusy] = useState(false);
  const now = useRef(session);
  now.current = session;
  const { id, part, language, role } = session;
  const run = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      await act();
    } catch (error) {
      const isStale =
        error instanceof CallFailed &&
        error.status === 409 &&
        (await now.current.installed.reread().catch(() => false));
      if (!isStale) toast({ message: sentence(error), isError: true });
    }
    setBusy(false);
  };
  /** Undoes the last change: restores the file and the settings. */
  const undo = (settings: WorkbenchSettings, wasReplaceable: boolean) => () =>
    void run(async () => {
      const next = await putBack(now.current, 'previous');
      // Restoring forbids replacement; a subtitle that could be replaced before can be replaced again.
      if (wasReplaceable && next.fingerprint !== 'missing')
        await call.workbench.replacement({ id, part, language, replaceable: true, role: role && next.role });
      now.current.installed.adopt({ ...next, replaceable: wasReplaceable }, settings);
      toast({ message: m.undoneYourSettingsAreBack });
    });
  const apply = async () => {
    const { steps, installed, isDirty, preview } = now.current;
    const { settings } = steps;
    const { inspected } = installed;
    const { isWaiting, blocked } = preview;
    if (!isDirty || isBusy) return;
    if (blocked !== undefined) return toast({ message: blocked.replace(/\.$/, ''), isError: true });
    if (isWaiting || !preview.reply) return toast({ message: m.thePreviewIsNotReady });
    if (
      !(await confirm({
        title: m.applyTo({ language: nameOf(language) }),
        says: <ApplySummary session={now.current} />,
        action: m.apply,
      }))
    )
      return;
    await run(async () => {
      const result = await call.workbench.apply({
        id,
        part,
        ...changeOf(settings, { language, role, isMissing: inspected.fingerprint === 'missing' }),
        fingerprint: inspected.fingerprint,
      });
      now.current.installed.adopt(result, FRESH);
      readAgain('subtitles');
      readAgain('catalog', 'item');
      toast({
        message: m.savedTheSubtitle({ language: nameOf(language) }),
        undo: undo(settings, inspected.replaceable),
      });
    });
  };
  const restore = async () => {
    if (isBusy) return;
    const { installed, steps, isDirty } = now.current;
    const { inspected } = installed;
    const { settings } = steps;
    const isToVideo = inspected.restoresTo === 'video';
    if (
      !(await confirm({
        title: isToVideo ? m.useTheTextInsideTheVideoAgain : m.restoreThePreservedSubtitle,
        says: (
          <RestoreSays
            isDirty={isDirty}
            isReplaceable={inspected.replaceable}
            isGone={inspected.fingerprint === 'missing'}
            isToVideo={isToVideo}
          />
        ),
        action: m.restore,
      }))
    )
      return;
    await run(async () => {
      now.current.installed.adopt(await putBack(now.current, 'original'), FRESH);
      toast({ message: m.restored, undo: undo(settings, inspected.replaceable) });
    });
  };
  return { apply, restore, isBusy };
}

/**
 * One session on the workbench: the installed subtitle, the settings, and the preview of what they would change.
 * If the installed file changes meanwhile, it is read again and the settings stay.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { call } from '../../data/client.ts';
import { queries } from '../../data/query.ts';
import { announce } from '../../lib/announce.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { inspectRequest } from '../model/inspect-request.ts';
import { changeOf, type ChosenRole, isUntouched, type WorkbenchSettings } from '../model/settings.ts';
import { useSteps } from './steps.ts';
import type { Inspection, InstalledSubtitle, WorkbenchSession } from './types.ts';
import { isTyped, useComparison } from './use-comparison.ts';
import { usePreview, type MadePreview } from './use-preview.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

const changedMeanwhile = () => m.theInstalledSubtitleHasChanged;

const notAligned = () => m.thereIsNotEnoughEvidence;
/** Not a failure: the summary above the lines shows it. */
export const noChange = () => m.thereAreNoChanges;
function blockedBy(made: MadePreview): string | undefined {
  if (!made) return undefined;
  const { previewed, settings } = made;
  if (settings.timing.kind === 'auto' && previewed.alignment?.outcome === 'refused') return notAligned();
  return previewed.changes ? undefined : noChange();
}

export function useSession({
  id,
  part,
  language,
  role,
  inspected,
  first,
}: {
  id: string;
  part: number | undefined;
  language: string;
  role: ChosenRole | undefined;
  inspected: Inspection;
  first: WorkbenchSettings;
}): WorkbenchSession {
  const steps = useSteps(first);
  const { settings } = steps;
  const isDirty = !isUntouched(settings);
  const isMissing = inspected.fingerprint === 'missing';
  const change = useMemo(
    () => (isDirty ? changeOf(settings, { language, role, isMissing }) : undefined),
    [settings, language, role, isMissing],
  );
  const installed = useInstalled({ id, part, language, role, inspected, steps, isDirty });
  const { answer, isWaiting, again } = usePreview(
    { id, part },
    {
      settings,
      change,
      inspected,
      onStale: () => installed.reread().catch(() => false),
    },
  );
  const made = isDirty ? answer?.made : undefined;
  const comparison = useComparison({ id, settings, inspected, made });
  const { changed, warned } = comparison.tally;
  useEffect(() => {
    if (made && !isWaiting)
      announce(
        warned > 0
          ? m.previewWithWarnings({ changed: m.changedLinesCount({ count: changed }), warned })
          : m.preview({ changed: m.changedLinesCount({ count: changed }) }),
      );
  }, [made?.previewed, isWaiting]);
  const error = isDirty && !isWaiting ? answer?.error : undefined;
  return {
    id,
    part,
    language,
    role,
    installed,
    steps,
    isDirty,
    lines: { ...comparison, canEdit: !isWaiting || isTyped(settings) },
    preview: {
      reply: made?.previewed,
      isWaiting,
      error,
      retry: again,
      blocked: error ?? (isWaiting ? undefined : blockedBy(made)),
    },
  };
}

function useInstalled({
  id,
  part,
  language,
  role,
  inspected,
  steps,
  isDirty,
}: Pick<WorkbenchSession, 'id' | 'part' | 'language' | 'role' | 'steps' | 'isDirty'> & {
  inspected: Inspection;
}): InstalledSubtitle {
  const [notice, setNotice] = useState<string>();
  const known = useRef(inspected.fingerprint);
  const keyFor = (kind = role) => ['workbench', 'inspect', inspectRequest({ id, part, language, role: kind })];
  useEffect(() => {
    if (known.current === inspected.fingerprint) return;
    known.current = inspected.fingerprint;
    if (!isDirty) return;
    setNotice(changedMeanwhile());
    const { settings } = steps;
    // The installed cues that edited lines came from are not known any more.
    if (settings.source.kind === 'text') steps.set({ ...settings, source: { ...settings.source, isPaired: false } });
  }, [inspected.fingerprint]);
  return {
    inspected,
    notice,
    dismissNotice: () => setNotice(undefined),
    adopt: (next, settings) => {
      known.current = next.fingerprint;
      // A change of the role makes it another file, which the address then names.
      const isRenamed = role !== undefined && next.role !== role;
      queries.setQueryData(keyFor(isRenamed ? next.role : role), next);
      if (isRenamed)
        go(hrefOf({ page: 'subtitleEdit', params: { id }, query: { language, kind: next.role, part } }), {
          replace: true,
        });
      steps.restart(settings);
    },
    reread: async () => {
      const next = await call.workbench.inspect(inspectRequest({ id, part, language, role }));
      queries.setQueryData(keyFor(), next);
      return next.fingerprint !== inspected.fingerprint;
    },
  };
}

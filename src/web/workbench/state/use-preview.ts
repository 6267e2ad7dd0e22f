/** Previews of the settings, from the server. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { call, CallFailed, sentence } from '../../data/client.ts';
import type { SubtitleAddress } from '../../parts/subtitles/words.ts';
import { MAX_DATA, type PreviewRequest, type WorkbenchSettings } from '../model/settings.ts';
import type { Inspection, PreviewResult } from './types.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';
import { later } from '../../lib/pending-work.ts';

export type MadePreview = PreviewReply['made'];
const DEBOUNCE_MS = 250;

interface PreviewReply {
  key: string;
  /** The preview with the settings that it was made from. */
  made?: { previewed: PreviewResult; settings: WorkbenchSettings };
  error?: string;
}
/**
 * Asks the server for a preview a moment after the last change. `answer` is the previous preview while the next one is
 * under way, and a preview that is overtaken is dropped. `onStale` is called when the installed file has changed.
 */
export function usePreview(
  { id, part }: SubtitleAddress,
  {
    settings,
    change,
    inspected,
    onStale,
  }: {
    settings: WorkbenchSettings;
    change: PreviewRequest | undefined;
    inspected: Inspection;
    onStale: () => Promise<boolean>;
  },
): { answer: PreviewReply | undefined; isWaiting: boolean; again: () => void } {
  const [answer, setPreviewReply] = useState<PreviewReply>();
  const [attempt, setAttempt] = useState(0);
  const body = useMemo(
    () => change && { ...change, fingerprint: inspected.fingerprint },
    [change, inspected.fingerprint],
  );
  // The body may contain a whole subtitle, so it is not serialized on every render.
  const key = useMemo(() => JSON.stringify(body ?? null), [body]);
  useEffect(() => {
    if (!body) return setPreviewReply(undefined);
    if (answer?.key === key && answer.made && answer.error === undefined) return;
    if ((body.text ?? body.data ?? '').length > MAX_DATA)
      return setPreviewReply({
        key,
        error: m.theEditedLinesHaveMore,
      });
    const ending = new AbortController();
    const ask = async () => {
      try {
        setPreviewReply({
          key,
          made: { previewed: await call.workbench.preview({ id, part, ...body }, ending.signal), settings },
        });
      } catch (error) {
        if (ending.signal.aborted) return;
        // The changed file has another fingerprint, which asks for another preview.
        if (error instanceof CallFailed && error.status === 409 && (await onStale())) return;
        setPreviewReply((before) => ({ key, error: sentence(error), ...(before?.made && { made: before.made }) }));
      }
    };
    const stop = later(DEBOUNCE_MS, () => void ask());
    return () => {
      stop();
      ending.abort();
    };
  }, [key, attempt]);
  const again = () => {
    setPreviewReply((before) => before?.made && { key: '', made: before.made });
    setAttempt((n) => n + 1);
  };
  return { answer, isWaiting: body !== undefined && answer?.key !== key, again };
}

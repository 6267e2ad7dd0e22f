/**
 * The draft of an item: what the server makes from its pictures or its speech, or by aligning what is installed.
 * One runs at a time. It is asked for while it runs, and nothing is installed by it.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../../../lib/announce.ts';
import { call, sentence } from '../../../data/client.ts';
import { queries, readAgain, useAsk, type RequestOf, type Reply } from '../../../data/query.ts';
import { toast } from '../../../kit/layers/toast.tsx';
import { languageLabel as nameOf } from '../../../lib/format.ts';
import type { SubtitleAddress } from '../words.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

export type DraftReport = Reply<'workbench', 'draft'>;
export type DraftMethodId = NonNullable<RequestOf<'workbench', 'startDraft'>['method']>;
/** How often a running draft is asked how far it is. */
const EVERY_MS = 1000;

export const draftMethods = (): Readonly<
  Record<Exclude<DraftMethodId, 'translation-free'>, { label: string; title: string; hint: string }>
> => ({
  ocr: {
    label: m.fromImages,
    title: m.readingImages,
    hint: m.readsImageSubtitlesOfThis,
  },
  transcription: {
    label: m.fromSpeech,
    title: m.transcribingSpeech,
    hint: m.writesDownWhatIsSaid,
  },
  alignment: {
    label: m.alignToSpeech,
    title: m.aligningToSpeech,
    hint: m.comparesTheInstalledSubtitleWith,
  },
});
export const draftTitle = (draft: DraftReport): string =>
  draft.method === 'provider'
    ? m.fromAProvider
    : draft.method && draft.method !== 'translation-free'
      ? draftMethods()[draft.method].title
      : m.creatingADraft;

export interface Drafting {
  draft: DraftReport | undefined;
  isRunning: boolean;
  /** It is being begun. */
  isBusy: boolean;
  isCancelling: boolean;
  start: (language: string, method: DraftMethodId) => Promise<void>;
  cancel: () => Promise<void>;
}

/** `onReady` hears of a draft that was seen running here and is done. */
export function useDraft(
  { id, part }: SubtitleAddress,
  { enabled = true, onReady }: { enabled?: boolean; onReady?: (draft: DraftReport) => void } = {},
): Drafting {
  const [isRunning, setRunning] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  /** Cancelled here while it was being begun: the beginning then fails, which is no news. */
  const isGivenUp = useRef(false);
  const { data: draft } = useAsk('workbench', 'draft', { id, part }, { enabled, every: isRunning ? EVERY_MS : false });
  const before = useRef<DraftReport['state'] | undefined>(undefined);
  useEffect(() => {
    if (!draft) return;
    setRunning(draft.state === 'running');
    const wasRunning = before.current === 'running';
    before.current = draft.state;
    if (!wasRunning || draft.state === 'running') return;
    if (draft.state === 'ready') {
      announce(draft.language === undefined ? m.draftReady : m.draftReadyIn({ language: nameOf(draft.language) }));
      onReady?.(draft);
    } else if (draft.state === 'failed') toast({ message: draft.message ?? m.theDraftCouldNotBe, isError: true });
  }, [draft]);
  const send = async (asks: RequestOf<'workbench', 'startDraft'>, setUnderWay: (is: boolean) => void) => {
    setUnderWay(true);
    try {
      const next = await call.workbench.startDraft(asks);
      before.current = next.state;
      queries.setQueryData(['workbench', 'draft', { id, part }], next);
      readAgain('workbench', 'draft');
    } catch (error) {
      if (!isGivenUp.current || asks.action === 'cancel') toast({ message: sentence(error), isError: true });
    }
    setUnderWay(false);
  };
  return {
    draft,
    isRunning,
    isBusy,
    isCancelling,
    start: (language, method) => {
      isGivenUp.current = false;
      return send({ id, part, language, method, action: 'start' }, setBusy);
    },
    cancel: async () => {
      if (draft?.language === undefined) return;
      isGivenUp.current = isBusy;
      await send(
        {
          id,
          part,
          language: draft.language,
          action: 'cancel',
          ...(draft.draftId !== undefined && { draftId: draft.draftId }),
        },
        setCancelling,
      );
    },
  };
}

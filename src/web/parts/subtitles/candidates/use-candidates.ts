/** Candidates of a language: reading the list, and what a person does with one. */
import { useState } from 'preact/hooks';
import { call, CallFailed, sentence } from '../../../data/client.ts';
import { readAgain, useAsk, type Reply } from '../../../data/query.ts';
import { toast } from '../../../kit/layers/toast.tsx';
import { languageLabel } from '../../../lib/format.ts';
import { go } from '../../../lib/navigation/navigate.ts';
import { hrefOf } from '../../../lib/navigation/addresses.ts';
import { candidatesWords as m } from '../../../messages/candidates.ts';
import { confirmReplacing } from './replace-own.tsx';
import { stateIn, type ItemLanguage, type SubtitleAddress } from '../words.ts';

export type CandidateListReply = Reply<'subtitles', 'candidates'>;
export type CandidateReply = CandidateListReply['items'][number];

/** The subtitle that a candidate is chosen for. */
export interface CandidateTarget extends SubtitleAddress {
  language: string;
  role: ItemLanguage['role'];
}

export interface Choosing {
  list: CandidateListReply | undefined;
  error: unknown;
  retry: () => void;
  /** The candidate that is being installed or opened. */
  busy: { id: string; what: 'install' | 'open' } | undefined;
  /** Why the last choice failed. */
  failure: { id: string; says: string } | undefined;
  use: (candidate: CandidateReply) => Promise<void>;
  open: (candidate: CandidateReply) => Promise<void>;
}

const readAll = () => {
  readAgain('subtitles');
  readAgain('workbench');
  readAgain('catalog', 'item');
};

/** Restores what was there before a candidate was installed, and whether it may be replaced. */
async function takeBack({ id, part, language, role }: CandidateTarget, wasReplaceable: boolean): Promise<void> {
  try {
    await call.workbench.restore({ id, part, language, role, to: 'previous' });
    if (wasReplaceable)
      await call.workbench.replacement({ id, part, language, role, replaceable: true }).catch(() => {});
  } catch (error) {
    toast({ message: sentence(error), isError: true });
  }
  readAll();
}

export function useCandidates(target: CandidateTarget, { onDone }: { onDone: () => void }): Choosing {
  const { id, part, language, role } = target;
  const { data: list, error, refetch } = useAsk('subtitles', 'candidates', { id, part, language, role });
  const [busy, setBusy] = useState<Choosing['busy']>();
  const [failure, setFailure] = useState<Choosing['failure']>();
  const run = async (candidate: CandidateReply, what: 'install' | 'open', work: () => Promise<void>) => {
    setBusy({ id: candidate.id, what });
    setFailure(undefined);
    try {
      await work();
    } catch (failed) {
      setFailure({ id: candidate.id, says: sentence(failed) });
      // The list says why this candidate was refused.
      void refetch();
    }
    setBusy(undefined);
  };
  const install = (candidate: CandidateReply, fingerprint?: string) =>
    call.subtitles.fetch({ ...target, candidate: candidate.id, ...(fingerprint !== undefined && { fingerprint }) });
  return {
    list,
    error,
    retry: () => void refetch(),
    busy,
    failure,
    use: (candidate) =>
      run(candidate, 'install', async () => {
        const before = await call.subtitles.item({ id });
        const wasReplaceable = stateIn(before, target)?.replaceable === true;
        const installed = await install(candidate).catch(async (failed: unknown) => {
          if (!(failed instanceof CallFailed && failed.reason === 'own-subtitle')) throw failed;
          const fingerprint = await confirmReplacing(target);
          return fingerprint === undefined ? undefined : install(candidate, fingerprint);
        });
        if (!installed) return;
        readAll();
        toast({
          message: m.isInstalled({ language: languageLabel(language) }),
          undo: () => void takeBack({ id, part, language, role: installed.role }, wasReplaceable),
        });
        onDone();
      }),
    open: (candidate) =>
      run(candidate, 'open', async () => {
        const { draftId } = await call.subtitles.fetch({ ...target, candidate: candidate.id, install: false });
        readAgain('workbench', 'draft');
        if (draftId === undefined) return;
        onDone();
        go(
          hrefOf({
            page: 'subtitleEdit',
            params: { id },
            query: { language, kind: target.role, draft: draftId, part },
          }),
        );
      }),
  };
}

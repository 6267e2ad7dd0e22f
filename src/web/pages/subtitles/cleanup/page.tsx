/**
 * Hides subtitle files next to videos: choose languages, see exactly which files are affected, then hide exactly those.
 *
 * What was looked at is what is done: the plan has a name, and when anything changed since, the server refuses and
 * the page shows the plan as it is now.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from '../../../lib/navigation/link.tsx';
import { useTitle } from '../../../lib/title.ts';
import { call, CallFailed, sentence } from '../../../data/client.ts';
import { readAgain, useAsk } from '../../../data/query.ts';
import { useIsOwner } from '../../../data/session.ts';
import { ErrorState, Notice, Pending } from '../../../kit/states/states.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { Choose } from './choose.tsx';
import { Hidden, PlanOf } from './plan.tsx';
import { asked, type CleanupPlan, type CleanupPolicy } from './policy.ts';
import { OwnersOnly } from '../../../parts/settings/owners-only.tsx';
import css from './cleanup.module.css';
import shared from '../subtitles.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';
import { rich } from '../../../messages/rich.ts';

export const Page = () => {
  useTitle(m.cleanUpSubtitleFiles);
  const isOwner = useIsOwner();
  return (
    <div className={shared.page}>
      <Link to={{ page: 'subtitles' }} className="link small">
        {m.allSubtitles}
      </Link>
      <h1>{m.cleanUpSubtitleFiles}</h1>
      {isOwner ? <CleanUp /> : <OwnersOnly title={m.onlyAnOwnerCanClean} says={m.askAnOwnerOfThis} />}
    </div>
  );
};

interface State {
  plan?: CleanupPlan;
  hidden?: number;
  /** Message about an error, or about what changed in the meantime. */
  says?: string;
  busy?: 'preview' | 'apply';
}

function useCleanUp(policy: CleanupPolicy) {
  const [state, setState] = useState<State>({});
  const preview = async (says?: string): Promise<void> => {
    setState({ ...(says !== undefined && { says }), busy: 'preview' });
    try {
      const plan = await call.workbench.planCleanup(asked(policy));
      setState({ plan, ...(says !== undefined && { says }) });
    } catch (error) {
      setState({ says: sentence(error) });
    }
  };
  const apply = async (plan: CleanupPlan): Promise<void> => {
    setState({ plan, busy: 'apply' });
    try {
      const { hidden } = await call.workbench.cleanup({ ...asked(policy), digest: plan.digest });
      setState({ hidden });
      readAgain('subtitles');
      readAgain('catalog');
    } catch (error) {
      // The plan is out of date, so the page shows the current one: what it shows must be what the server would do.
      if (error instanceof CallFailed && error.status === 409)
        await preview(m.hereIsTheCurrentPlan({ error: sentence(error) }));
      else setState({ plan, says: sentence(error) });
    }
  };
  return { state, preview, apply, forget: () => setState({}) };
}

const CleanUp = () => {
  const { data, error, refetch } = useAsk('subtitles', 'inventory', { view: 'summary', limit: 1 });
  const [policy, setPolicy] = useState<CleanupPolicy>({ languages: [], forced: 'keep' });
  const { state, preview, apply, forget } = useCleanUp(policy);
  const { plan, hidden, says, busy } = state;
  const outcome = useRef<HTMLDivElement>(null);
  const stage = hidden !== undefined ? 'hidden' : plan && busy === undefined ? plan.digest : undefined;
  // Moves the focus to the result, so that a screen reader continues there.
  useEffect(() => {
    if (stage !== undefined) outcome.current?.focus();
  }, [stage]);
  if (!data)
    return error ? (
      <ErrorState title={m.theLanguagesCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  return (
    <>
      <p className={css.lead}>{rich(m.tooManySubtitlesToChoose, { code: <code>.hidden</code> })}</p>
      <Choose
        present={data.present}
        configured={data.languages}
        policy={policy}
        onPolicy={(next) => {
          setPolicy(next);
          forget();
        }}
      />
      <Button
        look={plan && plan.count > 0 ? 'plain' : 'primary'}
        isLarge
        disabled={policy.languages.length === 0 || busy === 'apply'}
        isBusy={busy === 'preview'}
        onClick={() => void preview()}
      >
        {busy === 'preview' ? m.checkingTheFiles : plan ? m.previewAgain : m.preview}
      </Button>
      {policy.languages.length === 0 && <p className="muted small">{m.chooseAtLeastOneLanguage}</p>}
      <div ref={outcome} tabIndex={-1} className={css.outcome} aria-live="polite">
        {says !== undefined && <Notice tone="warn">{says}</Notice>}
        {plan && <PlanOf plan={plan} isBusy={busy === 'apply'} onApply={() => void apply(plan)} />}
        {hidden !== undefined && <Hidden hidden={hidden} />}
      </div>
    </>
  );
};

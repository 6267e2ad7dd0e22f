/**
 * The first run: an Owner, a second factor, the folders, the language of subtitles, and the first scan. The server
 * says which step is next, so a reload or another device continues at the right step. A Profile that must enrol a
 * second factor later comes here too, for that step alone.
 */
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { CardPage } from '../../kit/frames/card-page.tsx';
import { go, useQueryParams } from '../../lib/navigation/navigate.ts';
import { useTitle } from '../../lib/title.ts';
import { useAsk } from '../../data/query.ts';
import { beginSession, useMe } from '../../data/session.ts';
import { Enrol } from '../../parts/factor/enrol.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { LibraryEditor } from '../../parts/libraries/list.tsx';
import { OwnerForm } from './owner-form.tsx';
import { Scan } from './scan.tsx';
import { SubtitleLanguages } from './subtitles.tsx';
import css from './welcome.module.css';
import { accountWords as m } from '../../messages/account.ts';

type Step = 'owner' | 'factor' | 'libraries' | 'subtitles' | 'scan' | 'leave' | 'sign-in';
const stepTitles = (): Record<Step, string> => ({
  owner: m.welcome,
  factor: m.secondFactor,
  libraries: m.libraries,
  subtitles: m.subtitles,
  scan: m.firstScan,
  leave: m.welcome,
  'sign-in': m.welcome,
});
const NUMBERS: Partial<Record<Step, number>> = { owner: 1, factor: 2, libraries: 3, subtitles: 4, scan: 5 };
const stepTo = (step: 'factor' | 'libraries' | 'subtitles' | 'scan') =>
  go(hrefOf({ page: 'welcome', query: { step } }));

const Libraries = () => {
  const { data } = useAsk('libraries', 'list', {});
  return (
    <CardPage step={m.step3Of5} title={m.whereAreYourFilmsAnd} lead={m.chooseTheirFoldersOneFor} isWide>
      <LibraryEditor />
      <div className={css.onward}>
        <Button look={data?.items.length ? 'primary' : 'quiet'} isLarge onClick={() => stepTo('subtitles')}>
          {data?.items.length ? m.continue : m.doThisLater}
        </Button>
      </div>
    </CardPage>
  );
};

/** Skips the scan if there is no folder to scan. */
const SubtitlesStep = () => {
  const { data } = useAsk('libraries', 'list', {});
  return <SubtitleLanguages onDone={() => (data?.items.length === 0 ? go('/') : stepTo('scan'))} />;
};

const Factor = ({ isFirstRun, isOwner }: { isFirstRun: boolean; isOwner: boolean }) => {
  const done = async () => {
    await beginSession();
    if (isOwner && isFirstRun) stepTo('libraries');
    else go('/', { replace: true });
  };
  return (
    <CardPage
      step={isFirstRun ? m.step2Of5 : undefined}
      title={m.addASecondFactor}
      lead={m.thisServerRequiresMoreThan}
      isWide
    >
      <Enrol onDone={() => void done()} />
    </CardPage>
  );
};

export const Page = () => {
  const setup = useAsk('setup', 'state', {});
  const me = useMe();
  const asked = useQueryParams().get('step');
  const isOwner = me?.profile.role === 'owner';
  // Only the first run has a step in its address; anyone who enrols later leaves after that.
  const step: Step = setup.data?.required
    ? 'owner'
    : !me
      ? 'sign-in'
      : me.mfaEnrollmentRequired
        ? 'factor'
        : isOwner && (asked === 'scan' || asked === 'subtitles')
          ? asked
          : isOwner && (asked === 'libraries' || asked === 'factor')
            ? 'libraries'
            : 'leave';
  useTitle(stepTitles()[step]);
  const isKnown = setup.data !== undefined;
  useEffect(() => {
    if (!isKnown) return;
    if (step === 'leave') go('/', { replace: true });
    if (step === 'sign-in') go(hrefOf({ page: 'signIn' }), { replace: true });
  }, [isKnown, step]);
  useEffect(() => {
    if (NUMBERS[step]) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [step]);
  if (!setup.data)
    return setup.error ? (
      <ErrorState title={m.theServerIsNotResponding} error={setup.error} retry={() => void setup.refetch()} />
    ) : (
      <Pending />
    );
  if (step === 'owner') return <OwnerForm onDone={(isEnrolling) => stepTo(isEnrolling ? 'factor' : 'libraries')} />;
  if (step === 'factor') return <Factor isFirstRun={asked !== null} isOwner={isOwner} />;
  if (step === 'libraries') return <Libraries />;
  if (step === 'subtitles') return <SubtitlesStep />;
  if (step === 'scan') return <Scan />;
  return null;
};

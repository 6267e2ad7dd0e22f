/**
 * The first run: an Owner, a second factor, the folders, the language of subtitles, and the first scan. The server
 * keeps the step, so that this page or the home page, in this or another browser, resumes there. A Profile that must
 * enrol a second factor later comes here too, for that step alone.
 */
import { useEffect } from 'preact/hooks';
import { WELCOME_STEPS } from '../../../contract/identity/welcome.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { CardPage } from '../../kit/frames/card-page.tsx';
import { go, useQueryParams } from '../../lib/navigation/navigate.ts';
import { useTitle } from '../../lib/title.ts';
import { useAll, useAsk } from '../../data/query.ts';
import { beginSession, useMe, type CurrentUser } from '../../data/session.ts';
import { FirstFactor } from '../../parts/factor/first-factor.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { LibraryEditor } from '../../parts/libraries/list.tsx';
import { OwnerForm } from './owner-form.tsx';
import { Scan } from './scan.tsx';
import { goOn, stepWords } from './steps.ts';
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
const Libraries = () => {
  const { data } = useAll('libraries', 'list', {});
  return (
    <CardPage step={stepWords('libraries')} title={m.whereAreYourFilmsAnd} lead={m.chooseTheirFoldersOneFor} isWide>
      <LibraryEditor />
      <div className={css.onward}>
        <Button look={data?.items.length ? 'primary' : 'quiet'} isLarge onClick={() => void goOn('subtitles')}>
          {data?.items.length ? m.continue : m.doThisLater}
        </Button>
      </div>
    </CardPage>
  );
};

/** Skips the scan if there is no folder to scan. */
const SubtitlesStep = () => {
  const { data } = useAll('libraries', 'list', {});
  return (
    <SubtitleLanguages
      step={stepWords('subtitles')}
      onDone={() => void goOn(data?.items.length === 0 ? undefined : 'scan')}
    />
  );
};

const Factor = ({ isFirstRun }: { isFirstRun: boolean }) => (
  <CardPage
    step={isFirstRun ? stepWords('factor') : undefined}
    title={m.addASecondFactor}
    lead={m.thisServerRequiresMoreThan}
    isWide
  >
    {/* The next step follows from the Profile, which is read again. */}
    <FirstFactor onDone={() => void beginSession()} />
  </CardPage>
);

/** Returns the step that is next for this person. */
function stepOf(me: CurrentUser | undefined, isSetUp: boolean, asked: string | null): Step {
  if (!isSetUp) return 'owner';
  if (!me) return 'sign-in';
  if (me.mfaEnrollmentRequired) return 'factor';
  const next = WELCOME_STEPS.find((one) => one === asked) ?? me.preferences.welcome;
  return me.profile.role === 'owner' && next ? next : 'leave';
}

export const Page = () => {
  const setup = useAsk('setup', 'state', {});
  const me = useMe();
  const step = stepOf(me, setup.data?.required === false, useQueryParams().get('step'));
  const isKnown = setup.data !== undefined;
  useTitle(stepTitles()[step]);
  useEffect(() => {
    if (!isKnown) return;
    if (step === 'leave') go('/', { replace: true });
    if (step === 'sign-in') go(hrefOf({ page: 'signIn' }), { replace: true });
  }, [isKnown, step]);
  useEffect(() => {
    if (step !== 'leave' && step !== 'sign-in')
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [step]);
  if (!isKnown)
    return setup.error ? (
      <ErrorState title={m.theServerIsNotResponding} error={setup.error} retry={() => void setup.refetch()} />
    ) : (
      <Pending />
    );
  if (step === 'owner')
    return (
      <OwnerForm
        step={stepWords('owner')}
        onDone={() => go(hrefOf({ page: 'welcome', query: { step: 'libraries' } }))}
      />
    );
  if (step === 'factor') return <Factor isFirstRun={me?.preferences.welcome !== undefined} />;
  if (step === 'libraries') return <Libraries />;
  if (step === 'subtitles') return <SubtitlesStep />;
  if (step === 'scan') return <Scan step={stepWords('scan')} />;
  return null;
};

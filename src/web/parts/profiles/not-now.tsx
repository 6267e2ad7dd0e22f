/** Shown outside the viewing hours: when they open again, a way to ask for more time, and the way out. */
import { useEffect, useState } from 'preact/hooks';
import hourglass from 'lucide/dist/esm/icons/hourglass.mjs';
import logOut from 'lucide/dist/esm/icons/log-out.mjs';
import { sentence } from '../../data/client.ts';
import { useOwnTime } from '../../data/day-time.ts';
import { queries } from '../../data/query.ts';
import { barrier } from '../../data/send.ts';
import { signOut, useMe } from '../../data/session.ts';
import { Button } from '../../kit/forms/button.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { EmptyState } from '../../kit/states/states.tsx';
import { useTitle } from '../../lib/title.ts';
import { householdWords as m } from '../../messages/household.ts';
import { AskForTime } from './ask-for-time.tsx';
import { timeWords } from './day-time.ts';
import css from './ask.module.css';

export const NotNow = () => {
  useTitle(m.notNow);
  const me = useMe();
  const time = useOwnTime();
  const [isBusy, setBusy] = useState(false);
  const isOpen = time !== undefined && time.hours?.open !== false;
  useEffect(() => {
    if (!isOpen) return;
    barrier.set('none');
    void queries.invalidateQueries();
  }, [isOpen]);
  const leave = () => {
    setBusy(true);
    signOut().catch((error: unknown) => {
      setBusy(false);
      toast({ message: sentence(error), isError: true });
    });
  };
  const opensAt = time?.hours?.open === false ? time.hours.changesAt : undefined;
  return (
    <>
      <h1 className="unseen">{m.timeToday}</h1>
      <EmptyState
        isAlone
        icon={hourglass}
        title={m.notNow}
        action={
          <div className={css.notNow}>
            <AskForTime />
            <p>
              <Button look="quiet" icon={logOut} isBusy={isBusy} onClick={leave}>
                {me?.household ? m.switchProfile : m.signOut}
              </Button>
            </p>
          </div>
        }
      >
        {opensAt === undefined ? m.notNowSays : m.notNowUntil({ time: timeWords(opensAt) })}
      </EmptyState>
    </>
  );
};

/** Minutes for each day: whether they are limited, how many there are, and when a day begins. */
import type { Policy } from '../../../../contract/identity/profiles.ts';
import { Field, Switch } from '../../../kit/forms/field.tsx';
import { householdWords as m } from '../../../messages/household.ts';
import { settingsWords } from '../../../messages/settings.ts';
import { newDaily, wrongWithDaily } from './policy.ts';
import css from './profiles.module.css';
import { here } from './windows.tsx';

export const Daily = ({ policy, onPolicy }: { policy: Policy; onPolicy: (policy: Policy) => void }) => {
  const { daily } = policy;
  const wrong = wrongWithDaily(daily);
  const change = (by: Partial<NonNullable<Policy['daily']>>) =>
    onPolicy({ ...policy, daily: { ...(daily ?? newDaily(here())), ...by } });
  return (
    <fieldset className={css.windows}>
      <legend>{m.timeForEachDay}</legend>
      <Switch
        label={m.limitTimeForEachDay}
        hint={m.limitTimeSays}
        checked={daily !== undefined}
        onValue={(isOn) => (isOn ? change({}) : onPolicy({ ...policy, daily: undefined }))}
      />
      {daily && (
        <div className={css.daily}>
          <Field
            label={m.minutesForEachDay}
            type="number"
            min={1}
            max={1440}
            value={Number.isNaN(daily.minutes) ? '' : String(daily.minutes)}
            onValue={(value) => change({ minutes: value === '' ? Number.NaN : Number(value) })}
            error={wrong?.field === 'minutes' ? wrong.says : undefined}
            required
          />
          <Field
            label={m.dayBeginsAt}
            type="time"
            value={daily.resetsAt}
            onValue={(resetsAt) => change({ resetsAt })}
            error={wrong?.field === 'resetsAt' ? wrong.says : undefined}
            required
          />
          <Field
            label={settingsWords.timeZone}
            value={daily.timeZone}
            onValue={(timeZone) => change({ timeZone })}
            {...({ list: 'time-zones' } as object)}
            error={wrong?.field === 'timeZone' ? wrong.says : undefined}
          />
        </div>
      )}
    </fieldset>
  );
};

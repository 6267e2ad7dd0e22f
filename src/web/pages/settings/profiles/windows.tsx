/** When a Profile may watch: days and hours, in a time zone. */
import plus from 'lucide/dist/esm/icons/plus.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import type { Policy } from '../../../../contract/identity/profiles.ts';
import { Button, IconButton } from '../../../kit/forms/button.tsx';
import { Field } from '../../../kit/forms/field.tsx';
import {
  addWindow,
  asField,
  changeWindow,
  dayLetters,
  dayName,
  endOfDay,
  removeWindow,
  toggleDay,
  WEEK,
  windowWords,
  wrongWith,
} from './policy.ts';
import css from './profiles.module.css';
import { settingsWords as m } from '../../../messages/settings.ts';

/** The time zone of this browser. */
export const here = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
const zones = (): readonly string[] =>
  typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : [];

export const Windows = ({ policy, onPolicy }: { policy: Policy; onPolicy: (policy: Policy) => void }) => {
  const wrong = wrongWith(policy);
  return (
    <fieldset className={css.windows}>
      <legend>{m.viewingHours}</legend>
      {policy.windows.length === 0 && <p className="muted small">{m.withoutHoursAtAnyTime}</p>}
      {policy.windows.map((window, at) => {
        const change = (by: Partial<typeof window>) => onPolicy(changeWindow(policy, at, by));
        return (
          <div key={at} className={css.window} role="group" aria-label={windowWords(window)}>
            <div className={css.days}>
              {WEEK.map((day) => (
                <label key={day} className={css.day} title={dayName(day)}>
                  <input
                    type="checkbox"
                    className="unseen"
                    checked={window.days.includes(day)}
                    onChange={() => change({ days: toggleDay(window.days, day) })}
                    aria-label={dayName(day)}
                  />
                  <span aria-hidden="true">{dayLetters(day)}</span>
                </label>
              ))}
            </div>
            <div className={css.hours}>
              <Field
                label={m.from}
                type="time"
                value={asField(window.start)}
                onValue={(start) => change({ start })}
                required
              />
              <Field
                label={m.toLabel}
                type="time"
                value={asField(window.end)}
                onValue={(end) => change({ end: endOfDay(end) })}
                required
              />
              <Field
                label={m.timeZone}
                value={window.timeZone}
                onValue={(timeZone) => change({ timeZone })}
                {...({ list: 'time-zones' } as object)}
                error={wrong?.at === at ? wrong.says : undefined}
              />
              <IconButton
                icon={trash}
                label={m.removeWithWindowWords({ windowWords: windowWords(window) })}
                onClick={() => onPolicy(removeWindow(policy, at))}
              />
            </div>
          </div>
        );
      })}
      <datalist id="time-zones">
        {zones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {policy.windows.length < 32 && (
        <Button icon={plus} onClick={() => onPolicy(addWindow(policy, here()))}>
          {m.addHours}
        </Button>
      )}
    </fieldset>
  );
};

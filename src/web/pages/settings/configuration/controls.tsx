/** The controls that edit a value, one for each kind. */
import { useEffect, useRef } from 'preact/hooks';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { cx } from '../../../lib/cx.ts';
import { countryLabel, languageLabel } from '../../../lib/format.ts';
import { LANGUAGES } from '../../../lib/language-list.ts';
import { joinTime, splitTime, TIME_UNITS, type TimeUnit } from './amounts.ts';
import { controlOf, namesIn } from './drafts.ts';
import { isOn, localDecimal, usualOf, valueName } from './values.ts';
import field from '../../../kit/forms/field.module.css';
import css from './configuration.module.css';
import { configurationWords as m } from '../../../messages/configuration.ts';

export interface Editing {
  draft: string;
  setDraft: (text: string) => void;
  id: string;
  described: string;
  isInvalid: boolean;
}
interface ControlProps {
  row: SettingRow;
  common: { id: string; disabled: boolean };
  editing: Editing;
  save: (value: string) => void;
}

/** A list of which each entry is on or off. The order is that of the setting. */
const Several = ({ row, common, save }: ControlProps) => {
  // The latest choice, even if the server has not replied yet: two quick ticks are both kept.
  const latest = useRef<string | undefined>(undefined);
  useEffect(() => {
    latest.current = undefined;
  }, [row.value]);
  const taken = namesIn(row.value);
  const change = (one: string, isTaken: boolean) => {
    const now = namesIn(latest.current ?? row.value);
    latest.current = JSON.stringify(row.allowed?.filter((each) => (each === one ? isTaken : now.includes(each))));
    save(latest.current);
  };
  return (
    <div role="group" aria-labelledby={`${common.id}-name`} className={css.several}>
      {row.allowed?.map((one, at) => (
        <label key={one}>
          <input
            {...common}
            id={at === 0 ? common.id : `${common.id}-${one}`}
            type="checkbox"
            checked={taken.includes(one)}
            onChange={(event) => change(one, event.currentTarget.checked)}
          />
          <span>{valueName(row, one)}</span>
        </label>
      ))}
    </div>
  );
};

interface Option {
  value: string;
  label: string;
}
const optionsOf = (row: SettingRow): Option[] => {
  const none = { value: '', label: valueName(row, '') };
  if (controlOf(row) === 'language') {
    const codes = row.value && !LANGUAGES.includes(row.value) ? [row.value, ...LANGUAGES] : LANGUAGES;
    const named = codes.map((value) => ({ value, label: languageLabel(value) }));
    return [none, ...named.sort((a, b) => a.label.localeCompare(b.label))];
  }
  if (row.type === 'country') {
    const named = (row.allowed ?? []).map((value) => ({ value, label: countryLabel(value) }));
    return [none, ...named.sort((a, b) => a.label.localeCompare(b.label))];
  }
  const options = (row.allowed ?? []).map((value) => ({ value, label: valueName(row, value) }));
  return usualOf(row) === undefined ? [none, ...options] : options;
};
const Choice = ({ row, common, save }: ControlProps) => (
  <select
    {...common}
    className={cx(field.input, field.select)}
    value={row.value ?? usualOf(row) ?? ''}
    onChange={(event) => save(event.currentTarget.value)}
  >
    {optionsOf(row).map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);

const unitNames = (): Readonly<Record<TimeUnit, string>> => ({ d: m.days, h: m.hours, m: m.minutes, s: m.seconds });
const Duration = ({ row, common, editing: { draft, setDraft } }: ControlProps) => {
  const { amount, unit } = splitTime(draft);
  return (
    <div className={css.amount}>
      <input
        {...common}
        className={field.input}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onInput={(event) => setDraft(joinTime({ amount: event.currentTarget.value, unit }))}
      />
      <select
        className={cx(field.input, field.select)}
        disabled={common.disabled}
        aria-label={m.unitOf({ title: row.title })}
        value={unit}
        onChange={(event) => setDraft(joinTime({ amount, unit: event.currentTarget.value as TimeUnit }))}
      >
        {(Object.keys(TIME_UNITS) as TimeUnit[]).reverse().map((one) => (
          <option key={one} value={one}>
            {unitNames()[one]}
          </option>
        ))}
      </select>
    </div>
  );
};

const Typed = ({ row, common, editing: { draft, setDraft } }: ControlProps) => {
  const control = controlOf(row);
  const input = (
    <input
      {...common}
      className={field.input}
      type={(control === 'secret' ? 'password' : 'text') as 'text'}
      inputMode={(control === 'number' ? 'decimal' : 'text') as 'text'}
      autoComplete={(control === 'secret' ? 'new-password' : 'off') as 'off'}
      placeholder={control === 'secret' ? (row.configured ? m.setEnterANewOne : m.notSet) : (row.unset ?? '')}
      spellcheck={false}
      value={row.unit ? localDecimal(draft) : draft}
      onInput={(event) => setDraft(event.currentTarget.value)}
    />
  );
  return row.unit ? (
    <div className={css.amount}>
      {input}
      <span id={`${common.id}-unit`}>{row.unit.name}</span>
    </div>
  ) : (
    input
  );
};

const Lines = ({ common, editing: { draft, setDraft } }: ControlProps) => (
  <textarea
    {...common}
    className={field.input}
    rows={Math.min(8, Math.max(2, draft.split('\n').length))}
    value={draft}
    onInput={(event) => setDraft(event.currentTarget.value)}
    spellcheck={false}
  />
);

const Switch = ({ row, common, save }: ControlProps) => (
  <input
    {...common}
    type="checkbox"
    role="switch"
    className={field.switch}
    checked={isOn(row)}
    onChange={(event) => save(event.currentTarget.checked ? 'true' : 'false')}
  />
);

/** The control of a row. Lists of objects are in `editors.tsx`. */
export const ControlFor = ({ row, editing, save }: Omit<ControlProps, 'common'>) => {
  const { id, described, isInvalid } = editing;
  const common = {
    id,
    disabled: row.managed,
    'aria-describedby': row.unit ? `${id}-unit ${described}` : described,
    'aria-invalid': isInvalid || undefined,
  };
  const props = { row, common, editing, save };
  switch (controlOf(row)) {
    case 'switch':
      return <Switch {...props} />;
    case 'choice':
    case 'language':
      return <Choice {...props} />;
    case 'several':
      return <Several {...props} />;
    case 'lines':
      return <Lines {...props} />;
    case 'duration':
      return <Duration {...props} />;
    default:
      return <Typed {...props} />;
  }
};

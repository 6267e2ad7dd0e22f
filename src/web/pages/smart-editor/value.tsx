/** The value of a condition, in the form that its field and operator ask for. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { RULE_FIELDS, type RuleLeaf, spanMs } from '../../../contract/catalog/rule-fields.ts';
import { Field, Select } from '../../kit/forms/field.tsx';
import type { RuleChoices } from './choices.ts';
import { splitTexts } from './tree.ts';
import css from './smart-editor.module.css';
import { ruleWords as m } from '../../messages/rules.ts';

export interface RuleValueProps {
  leaf: RuleLeaf;
  choices: RuleChoices;
  onValue: (value: RuleLeaf['value']) => void;
}
const UNITS = ['h', 'd', 'w', 'm', 'y'] as const;
/** Fields that are stored in seconds and given in minutes. */
const IN_MINUTES: readonly RuleLeaf['field'][] = ['duration', 'position'];
const SECONDS = 60;

const YesNo = ({ leaf, onValue }: RuleValueProps) => (
  <Select
    label={m.value}
    value={leaf.value === true ? 'yes' : 'no'}
    choices={[
      { value: 'yes', label: m.yes },
      { value: 'no', label: m.no },
    ]}
    onValue={(value) => onValue(value === 'yes')}
  />
);

const Span = ({ leaf, onValue }: RuleValueProps) => {
  const text = String(leaf.value);
  const unit = UNITS.find((one) => text.endsWith(one)) ?? 'd';
  const amount = text.slice(0, -1);
  return (
    <>
      <Field
        label={m.amount}
        type="number"
        min={1}
        max={9999}
        value={amount}
        aria-invalid={spanMs(text) === undefined}
        onValue={(value) => onValue(`${value}${unit}`)}
      />
      <Select
        label={m.unit}
        value={unit}
        choices={UNITS.map((value) => ({ value, label: m.units[value] }))}
        onValue={(value) => onValue(`${amount}${value}`)}
      />
    </>
  );
};

const Several = ({ leaf, choices, onValue }: RuleValueProps) => {
  const chosen = (Array.isArray(leaf.value) ? leaf.value : []).map(String);
  const offered = choices.of(leaf.field);
  // Kept as it is typed: a comma at the end separates nothing yet.
  const [text, setText] = useState(chosen.join(', '));
  const put = (typed: string) => {
    setText(typed);
    onValue(splitTexts(typed));
  };
  if (!choices.isClosed(leaf.field))
    return <Field label={m.values} hint={m.valuesHint} value={text} autoComplete="off" onValue={put} />;
  return (
    <fieldset className={css.checks}>
      <legend>{m.values}</legend>
      {offered.map(({ value, label }) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) =>
              onValue(event.currentTarget.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
};

const Single = ({ leaf, choices, onValue }: RuleValueProps) => {
  const value = String(leaf.value);
  const offered = choices.of(leaf.field);
  if (choices.isClosed(leaf.field) && leaf.is === 'is')
    return (
      <Select
        label={m.value}
        value={value}
        choices={[
          ...(offered.some((one) => one.value === value) ? [] : [{ value, label: value === '' ? m.notChosen : value }]),
          ...offered,
        ]}
        onValue={onValue}
      />
    );
  return <Field label={m.value} value={value} maxLength={200} autoComplete="off" onValue={onValue} />;
};

/** One number or day, of which `between` has two. */
const Measured = ({
  leaf,
  index,
  label,
  onValue,
}: Omit<RuleValueProps, 'choices'> & { index: 0 | 1; label: string }) => {
  const isNumber = RULE_FIELDS[leaf.field] === 'number';
  const factor = IN_MINUTES.includes(leaf.field) ? SECONDS : 1;
  const now = Array.isArray(leaf.value) ? leaf.value : [leaf.value as string | number];
  const value = now[index];
  const put = (text: string) => {
    const next = isNumber ? (text === '' ? 0 : Number(text) * factor) : text;
    onValue(Array.isArray(leaf.value) ? now.map((one, at) => (at === index ? next : one)) : next);
  };
  return (
    <Field
      label={factor === 1 ? label : `${label} (${m.minutes})`}
      type={isNumber ? 'number' : 'date'}
      step="any"
      value={isNumber ? String(Number(value) / factor) : String(value)}
      onValue={put}
    />
  );
};

export const RuleValue = (props: RuleValueProps): ComponentChildren => {
  const { leaf } = props;
  const type = RULE_FIELDS[leaf.field];
  if (leaf.is === 'missing' || type === 'flag') return <YesNo {...props} />;
  if (leaf.is === 'within') return <Span {...props} />;
  if (leaf.is === 'between')
    return (
      <>
        <Measured {...props} index={0} label={m.from} />
        <Measured {...props} index={1} label={m.to} />
      </>
    );
  if (leaf.is === 'in') return <Several {...props} />;
  if (type === 'number' || type === 'date') return <Measured {...props} index={0} label={m.value} />;
  return <Single {...props} />;
};

/** Text fields, choices and switches, each with its label, hint and error tied to it for screen readers. */
import type { ComponentChildren, PartialInputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { cx } from '../../lib/cx.ts';
import css from './field.module.css';

interface Labelled {
  label: string;
  hint?: ComponentChildren;
  /** Says what is wrong and how to correct it. */
  error?: string | undefined;
}

const Around = ({ id, label, hint, error, children }: Labelled & { id: string; children: ComponentChildren }) => (
  <div className={css.field}>
    <label className={css.label} for={id}>
      {label}
    </label>
    {children}
    {hint !== undefined && (
      <div className={css.hint} id={`${id}-hint`}>
        {hint}
      </div>
    )}
    <div className={css.error} id={`${id}-error`} role="alert">
      {error}
    </div>
  </div>
);
const described = (id: string, { hint, error }: Pick<Labelled, 'hint' | 'error'>) =>
  [hint !== undefined && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;

export type FieldProps = Labelled &
  Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label' | 'onInput' | 'value'> & {
    value: string;
    onValue: (value: string) => void;
  };
export const Field = ({
  label,
  hint,
  error,
  value,
  onValue,
  type = 'text',
  id: given,
  className,
  ...rest
}: FieldProps) => {
  const own = useId();
  const id = (given as string | undefined) ?? own;
  return (
    <Around {...{ id, label, hint, error }}>
      <input
        {...(rest as object)}
        id={id}
        type={type as 'text'}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, { hint, error })}
        className={cx(css.input, className as string)}
      />
    </Around>
  );
};

/** A list of texts, one on each line. Empty lines are left out when it is read. */
export const LinesField = ({
  label,
  hint,
  error,
  value,
  onValue,
  disabled = false,
}: Labelled & { value: string; onValue: (value: string) => void; disabled?: boolean }) => {
  const id = useId();
  return (
    <Around {...{ id, label, hint, error }}>
      <textarea
        id={id}
        className={css.input}
        rows={Math.min(8, Math.max(2, value.split('\n').length))}
        spellcheck={false}
        disabled={disabled}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, { hint, error })}
      />
    </Around>
  );
};

export interface FieldChoice<T extends string> {
  value: T;
  label: string;
}
export type SelectProps<T extends string> = Labelled & {
  value: T;
  choices: readonly FieldChoice<T>[];
  onValue: (value: T) => void;
  disabled?: boolean;
};
export const Select = <T extends string>({ label, hint, error, value, choices, onValue, disabled }: SelectProps<T>) => {
  const id = useId();
  return (
    <Around {...{ id, label, hint, error }}>
      <select
        id={id}
        className={cx(css.input, css.select)}
        disabled={disabled}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value as T)}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, { hint, error })}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Around>
  );
};

/** On or off, with effect at once or with the form. */
export const Switch = ({
  label,
  hint,
  checked,
  onValue,
  disabled,
}: {
  label: string;
  hint?: ComponentChildren;
  checked: boolean;
  onValue: (on: boolean) => void;
  disabled?: boolean;
}) => {
  const id = useId();
  return (
    <div className={css.line}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={css.switch}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onValue(event.currentTarget.checked)}
        aria-describedby={hint !== undefined ? `${id}-hint` : undefined}
      />
      <div>
        <label for={id}>{label}</label>
        {hint !== undefined && (
          <div id={`${id}-hint`} className={css.hint}>
            {hint}
          </div>
        )}
      </div>
    </div>
  );
};

/** A few choices side by side, one of them selected. */
export const Segments = <T extends string>({
  label,
  value,
  choices,
  onValue,
}: {
  label: string;
  value: T;
  choices: readonly FieldChoice<T>[];
  onValue: (value: T) => void;
}) => {
  const name = useId();
  return (
    <fieldset className={css.segments}>
      <legend className={css.label}>{label}</legend>
      <div className={css.row}>
        {choices.map((choice) => (
          <label key={choice.value} className={css.segment}>
            <input
              type="radio"
              name={name}
              className="unseen"
              checked={choice.value === value}
              onChange={() => onValue(choice.value)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};

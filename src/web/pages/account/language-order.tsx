/** Languages in the order they are preferred: add one, take one away, move one forward. */
import up from 'lucide/dist/esm/icons/arrow-up.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { useId } from 'preact/hooks';
import { IconButton } from '../../kit/forms/button.tsx';
import { languageLabel } from '../../lib/format.ts';
import { LANGUAGES } from '../../lib/language-list.ts';
import css from './account.module.css';
import { accountWords as m } from '../../messages/account.ts';

const MAX_LANGUAGES = 8;

export const LanguageOrder = ({
  label,
  none,
  value,
  onValue,
}: {
  label: string;
  none: string;
  value: readonly string[];
  onValue: (value: string[]) => void;
}) => {
  const id = useId();
  const rest = LANGUAGES.filter((code) => !value.includes(code)).sort((a, b) =>
    languageLabel(a).localeCompare(languageLabel(b)),
  );
  const forward = (at: number) =>
    value.map((code, index) =>
      index === at - 1 ? (value[at] ?? code) : index === at ? (value[at - 1] ?? code) : code,
    );
  return (
    <div className={css.languages}>
      <h3 id={id}>{label}</h3>
      {value.length === 0 ? (
        <p className="muted small">{none}</p>
      ) : (
        <ol aria-labelledby={id}>
          {value.map((code, at) => (
            <li key={code} className={css.language}>
              <span>{languageLabel(code)}</span>
              {at > 0 && (
                <IconButton
                  icon={up}
                  label={m.moveUp({ language: languageLabel(code) })}
                  onClick={() => onValue(forward(at))}
                />
              )}
              <IconButton
                icon={x}
                label={m.removeWithLanguage({ language: languageLabel(code) })}
                onClick={() => onValue(value.filter((one) => one !== code))}
              />
            </li>
          ))}
        </ol>
      )}
      {value.length < MAX_LANGUAGES && (
        <select
          className={css.add}
          aria-label={m.addALanguage({ purpose: label })}
          value=""
          onChange={(event) => event.currentTarget.value && onValue([...value, event.currentTarget.value])}
        >
          <option value="">{m.addALanguageLabel}</option>
          {rest.map((code) => (
            <option key={code} value={code}>
              {languageLabel(code)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
};

/**
 * One setting: what it is, its value in the right control, where the value comes from, and what is wrong with what was
 * written.
 */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import lock from 'lucide/dist/esm/icons/lock.mjs';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { call, sentence } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { Icon } from '../../../kit/art/icon.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { toast } from '../../../kit/layers/toast.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { cx } from '../../../lib/cx.ts';
import {
  clearedWords,
  controlOf,
  fromLines,
  hintOf,
  isOn,
  namesIn,
  settingNames,
  sourceWords,
  toLines,
  valueName,
} from './values.ts';
import field from '../../../kit/forms/field.module.css';
import css from './configuration.module.css';
import { settingsWords as m } from '../../../messages/settings.ts';

interface Editing {
  draft: string;
  setDraft: (text: string) => void;
  id: string;
  described: string;
  isInvalid: boolean;
}
/** A list of which each entry is on or off. The order is that of the setting. */
const Several = ({
  row,
  common,
  save,
}: {
  row: SettingRow;
  common: object & { id: string };
  save: (value: string) => void;
}) => {
  // The latest choice, even if the server has not replied yet: two quick ticks are both kept.
  const latest = useRef<string | undefined>(undefined);
  useEffect(() => {
    latest.current = undefined;
  }, [row.value]);
  const taken = namesIn(row.value);
  const change = (one: string, isOn: boolean) => {
    const now = namesIn(latest.current ?? row.value);
    latest.current = JSON.stringify(row.allowed?.filter((each) => (each === one ? isOn : now.includes(each))));
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
const ControlFor = ({ row, editing, save }: { row: SettingRow; editing: Editing; save: (value: string) => void }) => {
  const { draft, setDraft, id, described, isInvalid } = editing;
  const common = { id, disabled: row.managed, 'aria-describedby': described, 'aria-invalid': isInvalid || undefined };
  const control = controlOf(row);
  if (control === 'switch')
    return (
      <input
        {...common}
        type="checkbox"
        role="switch"
        className={field.switch}
        checked={isOn(row)}
        onChange={(event) => save(event.currentTarget.checked ? 'true' : 'false')}
      />
    );
  if (control === 'choice')
    return (
      <select
        {...common}
        className={cx(field.input, field.select)}
        value={row.value ?? ''}
        onChange={(event) => save(event.currentTarget.value)}
      >
        {(row.default === undefined || !row.configured) && <option value="">{valueName(row, '')}</option>}
        {row.allowed?.map((one) => (
          <option key={one} value={one}>
            {valueName(row, one)}
          </option>
        ))}
      </select>
    );
  if (control === 'several') return <Several row={row} common={common} save={save} />;
  if (control === 'lines')
    return (
      <textarea
        {...common}
        className={field.input}
        rows={Math.min(8, Math.max(2, draft.split('\n').length))}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
        spellcheck={false}
      />
    );
  return (
    <input
      {...common}
      className={field.input}
      type={(control === 'secret' ? 'password' : 'text') as 'text'}
      inputMode={(control === 'number' ? 'numeric' : 'text') as 'text'}
      autoComplete={(control === 'secret' ? 'new-password' : 'off') as 'off'}
      placeholder={control === 'secret' ? (row.configured ? m.setEnterANewOne : m.notSet) : ''}
      spellcheck={false}
      value={draft}
      onInput={(event) => setDraft(event.currentTarget.value)}
    />
  );
};

const shownOf = (row: SettingRow): string =>
  row.secret ? '' : controlOf(row) === 'lines' ? toLines(row.value ?? '') : (row.value ?? '');

/** Saves and resets one row; an error message stays next to it. */
function useSaving({
  row,
  secrets,
  onSaved,
}: {
  row: SettingRow;
  secrets: readonly SettingRow[];
  onSaved: () => void;
}) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const change = async (
    work: () => Promise<{ restartRequired: boolean; cleared?: string[] | undefined }>,
    done: string,
  ) => {
    setBusy(true);
    setError(undefined);
    try {
      const { restartRequired, cleared } = await work();
      toast({
        message: [
          done,
          cleared && clearedWords(secrets.filter(({ key: one }) => cleared.includes(one))),
          restartRequired && m.itTakesEffectAfterA,
        ]
          .filter(Boolean)
          .join('. '),
      });
      readAgain('configuration');
      onSaved();
    } catch (failed) {
      // The server's message names the key; here the message is next to the setting, so the key is left out.
      setError(sentence(failed).replace(new RegExp(`^${row.key.replace(/\./g, '\\.')} `, 'i'), 'It '));
      // A switch or choice shows again what is true.
      readAgain('configuration');
    }
    setBusy(false);
  };
  const { key } = row;
  return {
    error,
    isBusy,
    clear: () => setError(undefined),
    save: (value: string) => void change(() => call.configuration.save({ key, value }), m.saved({ title: row.title })),
    reset: () => void change(() => call.configuration.reset({ key }), m.resetToDefault({ title: row.title })),
  };
}

/** `secrets` are those that are set and belong to this address. */
export const SettingEditor = ({ row, secrets }: { row: SettingRow; secrets: readonly SettingRow[] }) => {
  const id = useId();
  const shown = shownOf(row);
  const [draft, setDraft] = useState(shown);
  useEffect(() => setDraft(shown), [shown]);
  const { error, isBusy, clear, save, reset } = useSaving({ row, secrets, onSaved: () => row.secret && setDraft('') });
  const control = controlOf(row);
  const isChanged = draft !== shown;
  const commit = () => save(control === 'lines' ? fromLines(draft) : control === 'secret' ? draft : draft.trim());
  const isTyped = control !== 'switch' && control !== 'choice' && control !== 'several';
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isChanged) {
      event.preventDefault();
      setDraft(shown);
      clear();
    }
  };
  return (
    <form
      className={css.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !isBusy) commit();
      }}
      onKeyDown={onKey}
    >
      <div className={css.words}>
        <label for={control === 'several' ? undefined : id} id={`${id}-name`}>
          {row.managed && <Icon of={lock} size={1} />}
          <strong>{row.title}</strong>
        </label>
        <p className="small">{row.summary}</p>
        <p className="muted small" id={`${id}-about`}>
          <code>{row.key}</code> · {sourceWords(row)}
          {isTyped && !row.managed && hintOf(row) && <span> · {hintOf(row)}</span>}
        </p>
      </div>
      <div>
        <ControlFor
          row={row}
          editing={{ draft, setDraft, id, described: `${id}-about ${id}-error`, isInvalid: error !== undefined }}
          save={save}
        />
        <div className={css.badges}>
          {row.secret && <Badge tone={row.configured ? 'good' : 'plain'}>{row.configured ? m.set : m.notSet}</Badge>}
          {row.pending && <Badge tone="warn">{m.restartPending}</Badge>}
          {row.restart && !row.pending && !row.managed && (
            <span className="muted small">{m.takesEffectAfterARestart}</span>
          )}
        </div>
        {row.page !== undefined && !row.managed && (
          <p className="small">
            <a className="link" href={row.page} target="_blank" rel="noreferrer">
              {m.getOneAt({ host: new URL(row.page).host.replace(/^www\./, '') })}
            </a>
          </p>
        )}
        {isChanged && secrets.length > 0 && (
          <p className="small">{m.removedIfTheAddressChanges({ namesOf: settingNames(secrets) })}</p>
        )}
        <p className={field.error} id={`${id}-error`} role="alert">
          {error}
        </p>
        {!row.managed && (isChanged || row.source === 'owner') && (
          <div className={css.actions}>
            {isTyped && isChanged && (
              <>
                <Button look="primary" type="submit" isBusy={isBusy}>
                  {m.save}
                </Button>
                <Button look="quiet" onClick={() => (setDraft(shown), clear())}>
                  {m.cancel}
                </Button>
              </>
            )}
            {row.source === 'owner' && !isChanged && (
              <Button
                look="quiet"
                isBusy={isBusy}
                onClick={reset}
                aria-label={`${row.secret ? m.remove : m.reset} ${row.title}`}
              >
                {row.secret ? m.remove : m.reset}
              </Button>
            )}
          </div>
        )}
      </div>
    </form>
  );
};

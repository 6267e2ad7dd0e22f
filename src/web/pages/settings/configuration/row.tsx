/**
 * One setting: what it is, its value in the right control, where the value comes from, and what is wrong with what was
 * written.
 */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import lock from 'lucide/dist/esm/icons/lock.mjs';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { Icon } from '../../../kit/art/icon.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { facts } from '../../../lib/format.ts';
import { ControlFor } from './controls.tsx';
import { EditorFor } from './editors.tsx';
import { useSaving } from './saving.ts';
import { controlOf, draftOf, textOf, type Control } from './drafts.ts';
import { hintOf, settingNames, sourceWords } from './values.ts';
import field from '../../../kit/forms/field.module.css';
import css from './configuration.module.css';
import { configurationWords as m } from '../../../messages/configuration.ts';

/** Controls whose value is saved with a button. The others save each change. */
const TYPED: readonly Control[] = ['lines', 'text', 'secret', 'number', 'duration'];

/** Says what a setting is for and, unless `isShort`, its key and where its value comes from. */
const About = ({ row, id, isShort }: { row: SettingRow; id: string; isShort: boolean }) => {
  const isTyped = TYPED.includes(controlOf(row));
  const about = facts((!isShort || row.managed) && sourceWords(row), isTyped && !row.managed && hintOf(row)).join(
    ' · ',
  );
  return (
    <div className={css.words}>
      <label for={['several', 'editor'].includes(controlOf(row)) ? undefined : id} id={`${id}-name`}>
        {row.managed && <Icon of={lock} size={1} />}
        <strong>{row.title}</strong>
      </label>
      <p className="small">{row.summary}</p>
      <p className="muted small" id={`${id}-about`}>
        {!isShort && (
          <>
            <code>{row.key}</code>
            {about && ' · '}
          </>
        )}
        {about}
      </p>
    </div>
  );
};

/** Says whether a secret is set, and whether a change waits for a restart. */
const State = ({ row, isShort }: { row: SettingRow; isShort: boolean }) => (
  <div className={css.badges}>
    {row.secret && <Badge tone={row.configured ? 'good' : 'plain'}>{row.configured ? m.set : m.notSet}</Badge>}
    {row.pending && <Badge tone="warn">{m.restartPending}</Badge>}
    {row.restart && !row.pending && !row.managed && !isShort && (
      <span className="muted small">{m.takesEffectAfterARestart}</span>
    )}
  </div>
);

/** `secrets` are those that are set and belong to this address. `isShort` leaves out what the docs are about. */
export const SettingEditor = ({
  row,
  secrets,
  isShort = false,
}: {
  row: SettingRow;
  secrets: readonly SettingRow[];
  isShort?: boolean;
}) => {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const shown = draftOf(row);
  const [draft, setDraft] = useState(shown);
  useEffect(() => setDraft(shown), [shown]);
  const { error, isBusy, clear, save, reset } = useSaving({ row, secrets, onSaved: () => row.secret && setDraft('') });
  const control = controlOf(row);
  const isChanged = draft !== shown;
  const isTyped = TYPED.includes(control);
  // On the short page, the control itself offers the default.
  const canReset = row.source === 'owner' && (row.secret || !isShort);
  /** Keeps the focus of a keyboard in the row: the button that has it goes when its work is done. */
  const holdFocus = ({ detail: clicks }: { detail: number }) => {
    if (clicks === 0) form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  };
  const revert = () => {
    setDraft(shown);
    clear();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isChanged) {
      event.preventDefault();
      revert();
    }
  };
  return (
    <form
      ref={form}
      className={css.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !isBusy) save(textOf(row, draft));
      }}
      onKeyDown={onKey}
    >
      <About row={row} id={id} isShort={isShort} />
      <div>
        {row.editor === undefined ? (
          <ControlFor
            row={row}
            editing={{ draft, setDraft, id, described: `${id}-about ${id}-error`, isInvalid: error !== undefined }}
            save={save}
          />
        ) : (
          <EditorFor editor={row.editor} title={row.title} />
        )}
        <State row={row} isShort={isShort} />
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
        {!row.managed && control !== 'editor' && (isChanged || canReset) && (
          <div className={css.actions}>
            {isTyped && isChanged && (
              <>
                <Button look="primary" type="submit" isBusy={isBusy} onClick={holdFocus}>
                  {m.save}
                </Button>
                <Button look="quiet" onClick={(event) => (revert(), holdFocus(event))}>
                  {m.cancel}
                </Button>
              </>
            )}
            {canReset && !isChanged && (
              <Button
                look="quiet"
                isBusy={isBusy}
                onClick={(event) => void reset().then(() => holdFocus(event))}
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

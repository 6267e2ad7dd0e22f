/** The metadata editor of one item: every fact with its source and a lock. */
import lock from 'lucide/dist/esm/icons/lock.mjs';
import lockOpen from 'lucide/dist/esm/icons/lock-open.mjs';
import { useId, useState } from 'preact/hooks';
import { EDITABLE_FACTS, type EditableFact } from '../../../contract/catalog/editable-facts.ts';
import type { Metadata } from '../../../contract/catalog/metadata.ts';
import { PERSON_JOBS } from '../../../contract/catalog/person-jobs.ts';
import { call } from '../../data/client.ts';
import { useAsk } from '../../data/query.ts';
import { IconButton } from '../../kit/forms/button.tsx';
import fieldCss from '../../kit/forms/field.module.css';
import { confirm } from '../../kit/layers/confirm.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import { editingWords as m } from '../../messages/editing.ts';
import { peopleWords } from '../../messages/people.ts';
import {
  editOf,
  type FactTexts,
  factText,
  type JobNames,
  NUMBER_LIMITS,
  shownFacts,
  wrongPersonLine,
} from './facts.ts';
import { showEdited } from './undo.ts';
import { cx } from '../../lib/cx.ts';
import css from './editing.module.css';

const ROWS: Partial<Record<EditableFact, number>> = { plot: 5, people: 6, artists: 2 };
const typeOf = (fact: EditableFact): 'number' | 'date' | 'text' =>
  fact in NUMBER_LIMITS ? 'number' : fact === 'released' ? 'date' : 'text';
/** Read when it is used: the words are loaded after this file. */
const jobNames = (): JobNames => peopleWords.as;
const hintOf = (fact: EditableFact, kind: Metadata['kind']): string => {
  if (fact === 'people')
    return `${m.namesHelp} ${m.jobs({ names: PERSON_JOBS.map((job) => jobNames()[job]).join(', ') })}`;
  if (fact === 'artists') return kind === 'album' ? m.artistsOfTracks : m.oneArtistPerLine;
  return fact === 'genres' || fact === 'studios' ? m.commaSeparated : '';
};
const labelOf = (fact: EditableFact, kind: Metadata['kind']): string => m.factOf[kind]?.[fact] ?? m.fact[fact];

interface FactFieldProps {
  fact: EditableFact;
  kind: Metadata['kind'];
  text: string;
  source: string;
  isLocked: boolean;
  error: string | undefined;
  onText: (text: string) => void;
  onLock: (isLocked: boolean) => void;
}
const FactField = ({ fact, kind, text, source, isLocked, error, onText, onLock }: FactFieldProps) => {
  const id = useId();
  const rows = ROWS[fact];
  const hint = hintOf(fact, kind);
  const label = labelOf(fact, kind);
  const shared = {
    id,
    className: fieldCss.input ?? '',
    value: text,
    'aria-describedby': [`${id}-source`, ...(error === undefined ? [] : [`${id}-error`])].join(' '),
    'aria-invalid': error === undefined ? undefined : true,
  } as const;
  return (
    <div className={fieldCss.field}>
      <label className={fieldCss.label} for={id}>
        {label}
      </label>
      <div className={css.line}>
        {rows === undefined ? (
          <input
            {...shared}
            {...NUMBER_LIMITS[fact]}
            type={typeOf(fact) as 'text'}
            required={fact === 'title'}
            onInput={(event) => onText(event.currentTarget.value)}
          />
        ) : (
          <textarea {...shared} rows={rows} onInput={(event) => onText(event.currentTarget.value)} />
        )}
        <IconButton
          icon={isLocked ? lock : lockOpen}
          label={m.lock({ fact: label })}
          aria-pressed={isLocked}
          onClick={() => onLock(!isLocked)}
        />
      </div>
      <div id={`${id}-source`} className={fieldCss.hint}>
        {[source, hint].filter((part) => part !== '').join(' · ')}
      </div>
      <div id={`${id}-error`} className={fieldCss.error} role="alert">
        {error}
      </div>
    </div>
  );
};

const textsOf = (values: Metadata['values']): FactTexts =>
  Object.fromEntries(EDITABLE_FACTS.map((fact) => [fact, factText(fact, values, jobNames())])) as FactTexts;

const Editor = ({ metadata, title, onClose }: { metadata: Metadata; title: string; onClose: () => void }) => {
  const [texts, setTexts] = useState(() => textsOf(metadata.values));
  const [locked, setLocked] = useState<ReadonlySet<EditableFact>>(() => new Set(metadata.locked));
  const wrong = locked.has('people') ? wrongPersonLine(texts.people, jobNames()) : undefined;
  const setFact = (fact: EditableFact, text: string, isLocked: boolean) => {
    setTexts((now) => ({ ...now, [fact]: text }));
    setLocked((now) => new Set(isLocked ? [...now, fact] : [...now].filter((one) => one !== fact)));
  };
  const unlocked = (fact: EditableFact) =>
    factText(fact, fact in metadata.without ? metadata.without : metadata.values, jobNames());
  const edited = () => editOf(metadata, { texts, locked }, jobNames());
  const mayLeave = async () =>
    edited() === undefined ||
    confirm({ title: m.discardChanges, says: m.notSavedYet, action: m.discard, isDanger: true });
  const save = async () => {
    const edit = edited();
    if (edit === undefined) return;
    const { change } = await call.metadata.edit({ id: metadata.id, ...edit });
    showEdited(m.saved({ title }), change);
  };
  return (
    <FormDialog
      title={m.editMetadataOf({ title })}
      action={m.save}
      onSave={save}
      onClose={onClose}
      mayLeave={mayLeave}
      isReady={wrong === undefined && texts.title.trim() !== ''}
      isWide
    >
      {(error) => (
        <>
          {metadata.lockedByFile && <Notice>{m.lockedByFile}</Notice>}
          <p className={cx('muted small', css.help)}>{m.locksHelp}</p>
          {shownFacts(metadata).map((fact) => (
            <FactField
              key={fact}
              fact={fact}
              kind={metadata.kind}
              text={texts[fact]}
              source={m.source[metadata.sources[fact] ?? 'none']}
              isLocked={locked.has(fact)}
              error={fact === 'people' && wrong !== undefined ? m.wrongPerson({ line: wrong }) : undefined}
              onText={(text) => setFact(fact, text, true)}
              onLock={(isLocked) => setFact(fact, isLocked ? texts[fact] : unlocked(fact), isLocked)}
            />
          ))}
          {error !== undefined && (
            <div className={fieldCss.error} role="alert">
              {error}
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
};

export const MetadataDialog = ({ id, title, onClose }: { id: string; title: string; onClose: () => void }) => {
  const { data, error, refetch } = useAsk('metadata', 'read', { id });
  // The form keeps what it began with: a scan in between must not take away what is being typed.
  const [first, setFirst] = useState<Metadata>();
  if (data && !first) setFirst(data);
  if (first) return <Editor metadata={first} title={title} onClose={onClose} />;
  return (
    <Dialog title={m.editMetadataOf({ title })} onClose={onClose} isWide>
      {error ? (
        <ErrorState title={m.metadataCouldNotBeLoaded} error={error} retry={() => void refetch()} />
      ) : (
        <Pending />
      )}
    </Dialog>
  );
};

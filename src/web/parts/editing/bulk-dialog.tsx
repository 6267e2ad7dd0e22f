/** Edits many items at once: a form, then a preview of exactly what will change, then the change. */
import { useEffect, useState } from 'preact/hooks';
import type { BulkResult } from '../../../contract/catalog/metadata.ts';
import { call, sentence } from '../../data/client.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field, LinesField, Switch } from '../../kit/forms/field.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import { editingWords as m } from '../../messages/editing.ts';
import { peopleWords } from '../../messages/people.ts';
import { shellWords } from '../../messages/shell.ts';
import { factOf, factsOfMany, type NamesFact, namesToChange, NUMBER_LIMITS, type SetFact } from './facts.ts';
import { showEdited } from './undo.ts';
import { cx } from '../../lib/cx.ts';
import css from './editing.module.css';

type Change = BulkResult['items'][number]['changes'][number];

const words = (value: unknown): string =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
    ? m.none
    : Array.isArray(value)
      ? value.map((one: unknown) => (typeof one === 'string' ? one : (one as { name: string }).name)).join(', ')
      : typeof value === 'number'
        ? String(value)
        : (value as string);
function changeWords({ fact: name, before, after, locked }: Change, kind: string): string {
  const fact = m.factOf[kind]?.[name] ?? m.fact[name];
  return JSON.stringify(before) === JSON.stringify(after)
    ? (locked ? m.isLockedNow : m.isUnlockedNow)({ fact })
    : m.becomes({ fact, before: words(before), after: words(after) });
}
/** Returns the kind whose words are used: several kinds have the general ones. */
const kindOfWords = ([kind, ...more]: BulkResult['kinds']): string => (more.length === 0 ? (kind ?? '') : '');

const Preview = ({ kinds, items }: Pick<BulkResult, 'kinds' | 'items'>) => (
  <section aria-label={m.previewOf} tabIndex={0} className={css.preview}>
    {items.length === 0 && <p>{m.nothingChanges}</p>}
    <ul>
      {items.map(({ id, title, changes }) => (
        <li key={id}>
          <strong>{title}</strong>
          <ul>
            {changes.map((one) => (
              <li key={one.fact} className="small">
                {changeWords(one, kindOfWords(kinds))}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </section>
);

type Texts<Fact extends string> = Partial<Record<Fact, string>>;
interface Fields {
  set: Texts<SetFact>;
  add: Texts<NamesFact>;
  remove: Texts<NamesFact>;
  isUnlocking: boolean;
}
const NO_FIELDS: Fields = { set: {}, add: {}, remove: {}, isUnlocking: false };
const isFilled = ({ set, add, remove, isUnlocking }: Fields): boolean =>
  isUnlocking || [set, add, remove].some((texts) => Object.values(texts).some((text) => text.trim() !== ''));
type Shown = ReturnType<typeof factsOfMany>;

/** Returns the request that makes the fields; an empty field changes nothing. */
function requestOf(ids: readonly string[], { set, add, remove, isUnlocking }: Fields, shown: Shown) {
  const filled = shown.set.filter((fact) => (set[fact] ?? '').trim() !== '');
  const namesOf = (texts: Texts<NamesFact>) =>
    Object.fromEntries(
      // A list that is set is not added to as well.
      shown.names.flatMap((fact) =>
        !isUnlocking && filled.some((one) => one === fact) ? [] : [[fact, namesToChange(fact, texts[fact] ?? '')]],
      ),
    );
  return {
    ids: [...ids],
    ...(!isUnlocking && {
      set: Object.assign({}, ...filled.map((fact) => factOf(fact, set[fact] ?? '', peopleWords.as))),
    }),
    add: namesOf(add),
    remove: namesOf(remove),
    ...(isUnlocking && { unlock: [...new Set([...shown.set, ...shown.names])] }),
  };
}

const Form = ({
  kinds,
  shown,
  fields,
  onFields,
}: {
  kinds: BulkResult['kinds'];
  shown: Shown;
  fields: Fields;
  onFields: (change: (now: Fields) => Fields) => void;
}) => {
  const kind = kindOfWords(kinds);
  const put = (part: 'set' | 'add' | 'remove', fact: string) => (text: string) =>
    onFields((now) => ({ ...now, [part]: { ...now[part], [fact]: text } }));
  const names = (part: 'add' | 'remove', fact: NamesFact, label: string) => {
    const shared = { key: `${part} ${fact}`, label, value: fields[part][fact] ?? '', onValue: put(part, fact) };
    if (fact !== 'artists') return <Field {...shared} hint={m.commaSeparated} autoComplete="off" />;
    const isSet = !fields.isUnlocking && (fields.set.artists ?? '').trim() !== '';
    return <LinesField {...shared} hint={m.oneArtistPerLine} disabled={isSet} />;
  };
  return (
    <>
      <p className={cx('muted small', css.help)}>{m.keepsWhenEmpty}</p>
      {shown.set.map((fact) => {
        const shared = { key: fact, label: m.setTo[fact], value: fields.set[fact] ?? '', onValue: put('set', fact) };
        return fact === 'artists' ? (
          <LinesField {...shared} hint={m.oneArtistPerLine} disabled={fields.isUnlocking} />
        ) : (
          <Field
            {...shared}
            {...NUMBER_LIMITS[fact]}
            type={fact in NUMBER_LIMITS ? 'number' : 'text'}
            disabled={fields.isUnlocking}
            autoComplete="off"
          />
        );
      })}
      {shown.names.flatMap((fact) => [
        names('add', fact, m.addNamesOf[kind]?.[fact] ?? m.addNames[fact]),
        names('remove', fact, m.removeNamesOf[kind]?.[fact] ?? m.removeNames[fact]),
      ])}
      <Switch
        label={m.unlockFields}
        hint={m.unlockHint}
        checked={fields.isUnlocking}
        onValue={(isUnlocking) => onFields((now) => ({ ...now, isUnlocking }))}
      />
    </>
  );
};

export const BulkDialog = ({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) => {
  const [fields, setFields] = useState(NO_FIELDS);
  const [kinds, setKinds] = useState<BulkResult['kinds']>();
  const [preview, setPreview] = useState<BulkResult>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const shown = factsOfMany(kinds ?? []);
  // The fields depend on the kinds of the items, which a dry run without changes returns.
  const readKinds = () => {
    setError(undefined);
    call.metadata.bulk({ ids: [...ids], dryRun: true }).then((result) => setKinds(result.kinds), setError);
  };
  useEffect(readKinds, []);
  const send = async (dryRun: boolean) => {
    setBusy(true);
    setError(undefined);
    try {
      const digest = dryRun ? undefined : preview?.digest;
      const request = requestOf(ids, fields, shown);
      const result = await call.metadata.bulk({ ...request, dryRun, ...(digest !== undefined && { digest }) });
      if (dryRun) return setPreview(result);
      showEdited(m.changedMany({ count: result.items.length }), result.change);
      onClose();
    } catch (failed) {
      setError(failed);
      setPreview(undefined);
    } finally {
      setBusy(false);
    }
  };
  const leave = async () => {
    const question = { title: m.discardChanges, says: m.notSavedYet, action: m.discard, isDanger: true };
    if (!isFilled(fields) || (await confirm(question))) onClose();
  };
  const actions = preview ? (
    <>
      <Button look="quiet" onClick={() => setPreview(undefined)}>
        {m.back}
      </Button>
      <Button look="primary" isBusy={isBusy} disabled={preview.items.length === 0} onClick={() => void send(false)}>
        {m.apply({ count: preview.items.length })}
      </Button>
    </>
  ) : (
    <>
      <Button look="quiet" onClick={() => void leave()}>
        {shellWords.cancel}
      </Button>
      <Button look="primary" isBusy={isBusy} disabled={kinds === undefined} onClick={() => void send(true)}>
        {m.preview}
      </Button>
    </>
  );
  return (
    <Dialog title={m.editMany({ count: ids.length })} onClose={() => void leave()} actions={actions} isWide isFirm>
      {kinds === undefined ? (
        error === undefined ? (
          <Pending />
        ) : (
          <ErrorState title={m.metadataCouldNotBeLoaded} error={error} retry={readKinds} />
        )
      ) : (
        <>
          {error !== undefined && <Notice tone="warn">{sentence(error)}</Notice>}
          {preview ? (
            <Preview kinds={kinds} items={preview.items} />
          ) : (
            <Form kinds={kinds} shown={shown} fields={fields} onFields={setFields} />
          )}
        </>
      )}
    </Dialog>
  );
};
